"""The door for OpenFeature: flagd's evaluation protocol, v1 and v2, over the switches of a workspace [I-20].

A declared integration is a boolean flag under its own key, with the variants `on` and `off`. The tenant is the
caller's own and nothing else says it [SE-01]. The workspace is the attribute `workspace` of the evaluation context;
the stream of events has no context, so there it is the selector `workspace=ID`.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, Final, TypeAlias, assert_never

import grpc
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import Identity, current_identity
from lattice_chassis.interceptors.foreign import ForeignContract, Metadata
from lattice_chassis.names import WorkspaceName
from lattice_chassis.server import Service
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2 as v1
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2_grpc as v1_grpc
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2 as v2
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2_grpc as v2_grpc

from lattice_integrations.domain.registry import Registry
from lattice_integrations.domain.rejections import UnknownIntegration
from lattice_integrations.domain.switches import Switch
from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.grpc import from_proto
from lattice_integrations.service import switches
from lattice_integrations.service.switches import States
from lattice_integrations.service.watch import Changed, Progress, WatchLimits, watch
from lattice_integrations.store.switch_store import SwitchStore

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

WORKSPACE: Final = "workspace"
"""The attribute of the evaluation context, and the key of the selector, that holds a workspace's id."""

SELECTOR: Final = "flagd-selector"
"""The metadata in which providers send their selector."""

REASON: Final = "TARGETING_MATCH"
"""Why an answer is what it is: the context decides. On STATIC providers would keep it, by the key of the flag alone."""


@dataclass(kw_only=True, eq=False)
class FlagNotFound(Exception):
    """What an UnknownIntegration is in flagd's terms, whose providers read the status NOT_FOUND [I-17]."""

    reason: ClassVar[str] = "NOT_FOUND"
    id: str
    entity: str = "flag"

    def __str__(self) -> str:
        return f"FLAG_NOT_FOUND: no integration is declared under the key {self.id!r}"


class FlagdServicer:
    """Serves one version of the protocol; v2 has no ResolveAll, and its other messages have the names that v1 gave."""

    def __init__(self, messages: ModuleType, store: SwitchStore, registry: Registry, limits: WatchLimits) -> None:
        self._messages = messages
        self._store = store
        self._registry = registry
        self._limits = limits

    async def ResolveBoolean(
        self, request: v1.ResolveBooleanRequest | v2.ResolveBooleanRequest, _context: Context
    ) -> Message:
        """Whether an integration is on."""
        scope = _place(request.context)
        try:
            switch = await switches.check_enabled(self._store, self._registry, scope, request.flag_key)
        except UnknownIntegration as unknown:
            raise FlagNotFound(id=unknown.key) from unknown
        answer: Message = self._messages.ResolveBooleanResponse(value=switch.enabled, **_why(switch))
        return answer

    async def ResolveAll(self, request: v1.ResolveAllRequest, _context: Context) -> v1.ResolveAllResponse:
        """Every declared integration."""
        states = await switches.list_integrations(self._store, self._registry, _place(request.context))
        flags = {
            integration.key: v1.AnyFlag(bool_value=switch.enabled, **_why(switch))
            for integration, switch in states.integrations
        }
        return v1.ResolveAllResponse(flags=flags)

    async def ResolveString(self, request: Any, _context: Context) -> Message:  # noqa: ANN401 - four kinds of two versions
        """Refused: no integration is of another type than boolean."""
        _place(request.context)
        if request.flag_key not in self._registry:
            raise FlagNotFound(id=request.flag_key)
        raise ValidationFailed(errors=[("flag_key", "TYPE_MISMATCH: the flag is a boolean")])

    ResolveFloat = ResolveInt = ResolveObject = ResolveString

    async def EventStream(self, _request: Message, context: Context) -> AsyncIterator[Message]:
        """That the door is open, then each change in the workspace that is selected, and marks while there is none.

        Without a selector it is of no workspace and tells of no change. Events are news for whoever shows something:
        a stream that begins anew does not tell what was missed, and no right answer depends on it.
        """
        event = self._messages.EventStreamResponse
        workspace = _selected(tuple(context.invocation_metadata() or ()))
        if workspace is None:
            yield event(type="provider_ready")
            while True:
                await asyncio.sleep(self._limits.progress.total_seconds())
                yield event(type="keep_alive")
        scope = _scope(workspace, SELECTOR)
        async with aclosing(watch(self._store, self._registry, scope, None, self._limits)) as news:
            async for it in news:
                match it:
                    case States():
                        yield event(type="provider_ready")
                    case Changed(change=change):
                        yield event(type="configuration_change", data={"flags": {change.key: {"type": "update"}}})
                    case Progress():
                        yield event(type="keep_alive")
                    case unknown:
                        assert_never(unknown)


def services(store: SwitchStore, registry: Registry, limits: WatchLimits) -> Sequence[Service[Any]]:
    """Both versions of the protocol, as a server serves them."""
    contract = ForeignContract(names=_names, watches=frozenset({"EventStream"}))
    return [
        Service(add, FlagdServicer(messages, store, registry, limits), contract)
        for add, messages in ((v1_grpc.add_ServiceServicer_to_server, v1), (v2_grpc.add_ServiceServicer_to_server, v2))
    ]


def _names(caller: Identity, metadata: Metadata, request: Message) -> Sequence[str]:
    """The workspace that a call is about, if it names one."""
    context: Struct | None = getattr(request, "context", None)
    workspace = _selected(metadata) if context is None else _in_context(context)
    return [str(WorkspaceName(caller.tenant, workspace))] if workspace else []


def _in_context(context: Struct) -> str:
    """The id of the workspace; empty where none is named, or not as a text."""
    return context.fields[WORKSPACE].string_value if WORKSPACE in context.fields else ""


def _selected(metadata: Metadata) -> str | None:
    """The id of the workspace, None without a selector; empty where that selects something else."""
    selector = next((str(value) for key, value in metadata if key == SELECTOR), "")
    if not selector:
        return None
    key, _, workspace = selector.partition("=")
    return workspace if key == WORKSPACE else ""


def _place(context: Struct) -> WorkspaceKey:
    return _scope(_in_context(context), "context")


def _scope(workspace: str, place: str) -> WorkspaceKey:
    """The workspace of the caller's tenant; ValidationFailed where none is named at its place."""
    if not workspace:
        raise ValidationFailed(errors=[(place, f"names no workspace: it wants {WORKSPACE!r} with the id of one")])
    return from_proto.workspace(str(WorkspaceName(current_identity().tenant, workspace)))


def _why(switch: Switch) -> Mapping[str, Any]:
    return {"reason": REASON, "variant": "on" if switch.enabled else "off"}
