"""The three services side by side, and two tenants in them whose things have the same ids and other words."""

import asyncio
import importlib
import pkgutil
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import grpc
import lattice.agent.v1
import lattice.files.v1
import lattice.integrations.v1
from google.api.field_behavior_pb2 import REQUIRED, field_behavior
from google.api.resource_pb2 import resource_reference
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1.log_service_pb2_grpc import LogServiceStub
from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceStub
from lattice.agent.v1.threads_service_pb2_grpc import ThreadsServiceStub
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.files.v1.proposals_service_pb2_grpc import ProposalsServiceStub
from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceStub
from lattice_chassis.channels import channel
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import Identity, development_metadata
from service.agent.agent_people import Person as Talker
from service.files.people import FAKEAPP, Participant, append, document, user
from service.integrations.people import Person as Switcher
from sqlalchemy import Engine, event

ARTIFACT: Final = "plan"
PROPOSAL: Final = "prp_plan"
THREAD: Final = "thr_1"

SECONDS: Final = 30.0


def _contracts(package: ModuleType) -> Iterator[FileDescriptor]:
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if module.name.endswith("_pb2"):
            yield importlib.import_module(module.name).DESCRIPTOR


CONTRACTS: Final[Mapping[str, tuple[FileDescriptor, ...]]] = {
    it.__name__.split(".")[1]: tuple(_contracts(it))
    for it in (lattice.agent.v1, lattice.files.v1, lattice.integrations.v1)
}
"""The contracts of each service."""

READS: Final = [
    (service, method)
    for service, contracts in CONTRACTS.items()
    for contract in contracts
    for rpcs in contract.services_by_name.values()
    for method in rpcs.methods
    if method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
]
"""Every RPC that reads, with its service."""


@dataclass(frozen=True, kw_only=True)
class Tenant:
    """Somebody of a tenant, at work in its workspace `main` with all three services."""

    files: Participant
    agent: Talker
    integrations: Switcher
    run: str
    channels: Mapping[str, grpc.aio.Channel]

    @property
    def tenant(self) -> str:
        """The tenant."""
        return self.files.identity.tenant

    async def reads_everything(self) -> dict[str, str]:
        """What every reading RPC answers, by its name; the refusals, too. Of a watch it is the first message."""
        return {method.full_name: await self._answer(service, method) for service, method in READS}

    def call(self, service: str, method: MethodDescriptor, request: Message) -> Any:  # noqa: ANN401 - stubs are untyped
        """A call as this tenant."""
        contract = method.containing_service
        module = importlib.import_module(contract.file.name.removesuffix(".proto").replace("/", ".") + "_pb2_grpc")
        stub = getattr(module, f"{contract.name}Stub")(self.channels[service])
        return getattr(stub, method.name)(request)

    async def _answer(self, service: str, method: MethodDescriptor) -> str:
        call = self.call(service, method, self.request(method))
        try:
            async with asyncio.timeout(SECONDS):
                if not method.server_streaming:
                    return str(await call)
                parts = []
                async for part in call:
                    parts.append(str(part))
                    if method.name.startswith("Watch"):
                        break
                return "".join(parts)
        except grpc.aio.AioRpcError as error:
            return str(refusal_of(error) or error)
        finally:
            call.cancel()

    def request(self, method: MethodDescriptor) -> Message:
        """A request of a reading RPC, about what this tenant has."""
        request: Any = GetMessageClass(method.input_type)()
        named = {
            "Workspace": self.files.scope,
            "Artifact": self.files.name(ARTIFACT),
            "Revision": f"{self.files.name(ARTIFACT)}/revisions/1",
            "Proposal": f"{self.files.scope}/proposals/{PROPOSAL}",
            "Thread": f"{self.files.scope}/threads/{THREAD}",
            "Run": self.run,
        }
        for field in method.input_type.fields:
            options = field.GetOptions()
            kind = options.Extensions[resource_reference].type.removeprefix("lattice/")
            required = REQUIRED in options.Extensions[field_behavior]
            if kind in named and required:
                setattr(request, field.name, named[kind])
            elif field.name == "commands":
                request.commands.append(
                    native_pb.AppCommand(command="append_paragraph", arguments_json='{"text": "x"}')
                )
            elif required:
                setattr(request, field.name, FAKEAPP if field.name == "key" else 1)
        return request  # type: ignore[no-any-return]


_OF_TENANT: Final = re.compile(r"\b(?:\w+\.)?tenant = %\(\w+\)s(?:::\w+)?")


@contextmanager
def forgetful() -> Iterator[list[str]]:
    """Take the condition on the tenant out of every statement of this process; the list holds those that had one."""
    broken: list[str] = []

    def forget(_: object, __: object, statement: str, parameters: object, *___: object) -> tuple[str, object]:
        without, count = _OF_TENANT.subn("true", statement)
        if count:
            broken.append(without)
        return without, parameters

    event.listen(Engine, "before_cursor_execute", forget, retval=True)
    try:
        yield broken
    finally:
        event.remove(Engine, "before_cursor_execute", forget)


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Where the services listen."""

    files: str
    agent: str
    integrations: str
    blobs: Path

    def blobs_of(self, tenant: str) -> frozenset[str]:
        """The digests of what lies in the blob store under a tenant's name."""
        return frozenset(it.name for it in (self.blobs / "tenants" / tenant).rglob("*") if it.is_file())

    @asynccontextmanager
    async def tenant(self, tenant: str, *more: tuple[str, str]) -> AsyncIterator[Tenant]:
        """An administrator of a tenant, who has a file, a proposal, a check-out, a switch and a run to look at.

        Each of the calls carries `more` metadata.
        """
        identity = user(tenant, "ada", role="administrator")
        metadata = (*development_metadata(identity), *more)
        async with AsyncExitStack() as stack:
            channels = {
                it: await stack.enter_async_context(
                    channel(getattr(self, it), CONTRACTS[it], identity=lambda: metadata)
                )
                for it in CONTRACTS
            }
            files = calling_files(channels["files"], identity)
            agent = calling_agent(channels["agent"], files.scope)
            integrations = Switcher(identity, files.scope, IntegrationsServiceStub(channels["integrations"]))
            await files.uploads(document(f"The plan of {tenant}."), file_name=f"{tenant}.fake", artifact_id=ARTIFACT)
            await files.edits(ARTIFACT, 1, append(f"More of {tenant}."), must_propose=True, proposal_id=PROPOSAL)
            await files.checks_out(ARTIFACT)
            await integrations.switches(FAKEAPP, on=True, expected=0, reason=f"for {tenant}")
            await agent.creates_thread(title=f"Of {tenant}")
            await agent.sends(f"Hello from {tenant}?")
            run = await _ended(agent)
            yield Tenant(files=files, agent=agent, integrations=integrations, run=run, channels=channels)


def calling_files(connection: grpc.aio.Channel, identity: Identity) -> Participant:
    """Somebody who calls files over a channel that says who it is."""
    return Participant(
        identity=identity,
        workspace="main",
        artifacts=ArtifactsServiceStub(connection),
        native=NativeFilesServiceStub(connection),
        proposals=ProposalsServiceStub(connection),
        changes=ChangesServiceStub(connection),
    )


def calling_agent(connection: grpc.aio.Channel, workspace: str) -> Talker:
    """The same for agent."""
    return Talker(
        workspace=workspace,
        threads=ThreadsServiceStub(connection),
        runs=RunsServiceStub(connection),
        log=LogServiceStub(connection),
        channel=connection,
    )


async def _ended(agent: Talker) -> str:
    async with asyncio.timeout(SECONDS):
        while True:
            (run,) = await agent.runs_of_the_thread()
            if run.status not in {runs_pb.RUN_STATUS_RUNNING, runs_pb.RUN_STATUS_PAUSED}:
                return str(run.name)
            await asyncio.sleep(0.01)
