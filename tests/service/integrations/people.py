"""Who calls the service in tests: people with an identity and a workspace, over a real channel."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.channels import channel
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity, development_metadata
from lattice_integrations.settings import IntegrationsSettings

WORDCRAFT = "files:wordcraft"
SKETCH = "files:sketch"

DEADLINE = 30.0
"""Seconds that anything may take here."""

MakeSettings: TypeAlias = Callable[..., IntegrationsSettings]
"""Settings for a server on the session's database, with some of them changed."""

WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[pb.WatchIntegrationsRequest, pb.WatchIntegrationsResponse]"


class Watch:
    """A running watch, read one message at a time."""

    def __init__(self, call: WatchCall) -> None:
        self._call = call

    async def read(self) -> pb.WatchIntegrationsResponse:
        """The next message; the refusal with which the stream ends, if it ends."""
        try:
            async with asyncio.timeout(DEADLINE):
                message = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error) or error from error
        assert isinstance(message, pb.WatchIntegrationsResponse), "a watch never ends in peace"
        return message

    async def changes(self, count: int) -> list[pb.WatchIntegrationsResponse]:
        """The next messages that are changes; marks between them are passed over."""
        found: list[pb.WatchIntegrationsResponse] = []
        while len(found) < count:
            message = await self.read()
            if message.WhichOneof("event") is not None:
                assert message.WhichOneof("event") == "change"
                found.append(message)
        return found

    async def caught_up(self) -> names_pb2.Cursor:
        """The cursor of the next mark."""
        message = await self.read()
        while message.WhichOneof("event") is not None:
            message = await self.read()
        return message.cursor

    async def rest(self) -> tuple[list[pb.WatchIntegrationsResponse], RefusedByPeer]:
        """All further messages, and the refusal that ends the stream."""
        messages: list[pb.WatchIntegrationsResponse] = []
        try:
            while True:
                messages.append(await self.read())
        except RefusedByPeer as refusal:
            return messages, refusal

    async def ending(self) -> RefusedByPeer:
        """The refusal that ends the stream, whatever comes before it."""
        _, refusal = await self.rest()
        return refusal

    def cut(self) -> None:
        """Hang up."""
        self._call.cancel()


@dataclass(frozen=True)
class Person:
    """Somebody with an identity, who works in one workspace."""

    identity: Identity
    workspace: str
    """The workspace's name."""
    service: "pb_grpc.IntegrationsServiceAsyncStub"  # the name exists for type checkers alone

    async def asks(self, key: str = WORDCRAFT) -> pb.CheckEnabledResponse:
        """Is it on?"""
        return await self.service.CheckEnabled(pb.CheckEnabledRequest(workspace=self.workspace, key=key))

    async def lists(self) -> pb.ListIntegrationsResponse:
        """All integrations."""
        return await self.service.ListIntegrations(pb.ListIntegrationsRequest(workspace=self.workspace))

    async def switches(
        self, key: str, *, on: bool, expected: int, reason: str = "", request_id: str | None = None
    ) -> pb.Switch:
        """Set a switch, by a request of its own unless an id is given."""
        request = pb.SetEnabledRequest(
            workspace=self.workspace,
            key=key,
            enabled=on,
            expected_revision=expected,
            reason=reason,
            request_id=request_id or str(uuid.uuid4()),
        )
        return (await self.service.SetEnabled(request)).switch

    async def toggles(self, times: int, key: str = WORDCRAFT) -> None:
        """Switch one key this often, each time the other way."""
        answer = await self.asks(key)
        enabled, revision = answer.enabled, answer.revision
        for _ in range(times):
            enabled = not enabled
            revision = (await self.switches(key, on=enabled, expected=revision)).revision

    async def page_of_history(self, **arguments: Any) -> pb.ListSwitchChangesResponse:  # noqa: ANN401
        """One page of changes."""
        request = pb.ListSwitchChangesRequest(workspace=self.workspace, **arguments)
        return await self.service.ListSwitchChanges(request)

    async def history(self) -> Sequence[pb.SwitchChange]:
        """The changes that fit on the longest page, newest first."""
        return (await self.page_of_history(page_size=500)).changes

    @asynccontextmanager
    async def watching(self, cursor: names_pb2.Cursor | None = None) -> AsyncIterator[Watch]:
        """A watch, from a cursor or from a snapshot; hung up on leaving."""
        watch = Watch(
            self.service.WatchIntegrations(pb.WatchIntegrationsRequest(workspace=self.workspace, cursor=cursor))
        )
        try:
            yield watch
        finally:
            watch.cut()


@asynccontextmanager
async def person(
    address: str, tenant: str, name: str, *, role: str = "editor", workspace: str | None = None
) -> AsyncIterator[Person]:
    """A user of a tenant, in the workspace `main` of it unless another is named."""
    user = actor_pb2.Actor(user=actor_pb2.UserActor(id=name, name=name.title()))
    async with somebody(address, tenant, user, role=role, workspace=workspace) as found:
        yield found


@asynccontextmanager
async def somebody(
    address: str, tenant: str, actor: actor_pb2.Actor, *, role: str = "editor", workspace: str | None = None
) -> AsyncIterator[Person]:
    """The same of any kind."""
    identity = Identity(tenant=tenant, actor=actor, roles=frozenset({role}))
    async with channel(address, [pb.DESCRIPTOR], identity=lambda: development_metadata(identity)) as connected:
        service = pb_grpc.IntegrationsServiceStub(connected)
        yield Person(identity, workspace or f"tenants/{tenant}/workspaces/main", service)


async def refused(call: Awaitable[object]) -> RefusedByPeer:
    """The refusal of a call, which must be one of ours."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    refusal = refusal_of(failed.value)
    assert refusal is not None, failed.value
    return refusal
