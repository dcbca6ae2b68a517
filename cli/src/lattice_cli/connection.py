"""A person's connection to a running suite: stubs that carry who calls, and where the suite listens."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lattice.agent.v1 import log_service_pb2, runs_service_pb2, threads_service_pb2
from lattice.agent.v1.log_service_pb2_grpc import LogServiceStub
from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceStub
from lattice.agent.v1.threads_service_pb2_grpc import ThreadsServiceStub
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.files.v1.proposals_service_pb2_grpc import ProposalsServiceStub
from lattice.integrations.v1 import integrations_service_pb2
from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceStub
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.channels import channel
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.transport import ChannelTls
from pydantic import TypeAdapter

if TYPE_CHECKING:
    from lattice.agent.v1.log_service_pb2_grpc import LogServiceAsyncStub
    from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceAsyncStub
    from lattice.agent.v1.threads_service_pb2_grpc import ThreadsServiceAsyncStub
    from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceAsyncStub
    from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceAsyncStub
    from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceAsyncStub
    from lattice.files.v1.proposals_service_pb2_grpc import ProposalsServiceAsyncStub
    from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceAsyncStub

FILES_CONTRACTS: Final = tuple(
    it.DESCRIPTOR
    for it in (artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2)
)
AGENT_CONTRACTS: Final = tuple(it.DESCRIPTOR for it in (log_service_pb2, runs_service_pb2, threads_service_pb2))
INTEGRATIONS_CONTRACTS: Final = (integrations_service_pb2.DESCRIPTOR,)


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Where the services of a suite answer, as `host:port`, how they are called, and who knows its traces."""

    integrations: str
    files: str
    agent: str
    spans: str
    """Where programs that belong to the suite send their spans, by OTLP over gRPC."""
    traces: str = ""
    """Where traces are asked for, as `http://host:port`; empty where the suite does not keep its spans."""
    tls: ChannelTls | None = None
    """Which services are believed and what is shown to them, where they have TLS."""

    def save(self, path: Path) -> None:
        """Write them where the other commands look."""
        path.write_bytes(_ADDRESSES.dump_json(self, indent=2))

    @classmethod
    def load(cls, path: Path) -> "Addresses":
        """Read what a running suite saved.

        Raises:
            FileNotFoundError: none runs.
            ValueError: the file is damaged.
        """
        return _ADDRESSES.validate_json(path.read_bytes())


_ADDRESSES: Final = TypeAdapter(Addresses)


@dataclass(frozen=True, kw_only=True)
class Person:
    """Who calls, and in which workspace."""

    tenant: str
    workspace: str
    user: str
    name: str = ""
    administrator: bool = False
    token: str = field(default="", repr=False)
    """A bearer token that says who calls, for a suite whose services believe tokens; empty in development."""

    @property
    def metadata(self) -> Sequence[tuple[str, str]]:
        """The metadata by which the suite knows the person."""
        return [("authorization", f"Bearer {self.token}")] if self.token else development_metadata(self.identity)

    @property
    def identity(self) -> Identity:
        """The identity that the calls carry in development."""
        roles = frozenset({"administrator", "operator"} if self.administrator else {"editor"})
        return Identity(tenant=self.tenant, actor=Actor(user=UserActor(id=self.user, name=self.name)), roles=roles)

    @property
    def workspace_name(self) -> str:
        """The resource name of the workspace."""
        return f"tenants/{self.tenant}/workspaces/{self.workspace}"

    def artifact_name(self, artifact_id: str) -> str:
        """The resource name of an artifact."""
        return f"{self.workspace_name}/artifacts/{artifact_id}"

    def thread_name(self, thread_id: str) -> str:
        """The resource name of a thread."""
        return f"{self.workspace_name}/threads/{thread_id}"

    def run_name(self, run_id: str) -> str:
        """The resource name of a run."""
        return f"{self.workspace_name}/runs/{run_id}"


@dataclass(frozen=True, kw_only=True)
class Connection:
    """The stubs of all services, for one person."""

    person: Person
    integrations: "IntegrationsServiceAsyncStub"
    artifacts: "ArtifactsServiceAsyncStub"
    native_files: "NativeFilesServiceAsyncStub"
    proposals: "ProposalsServiceAsyncStub"
    changes: "ChangesServiceAsyncStub"
    threads: "ThreadsServiceAsyncStub"
    runs: "RunsServiceAsyncStub"
    log: "LogServiceAsyncStub"


@asynccontextmanager
async def connect(addresses: Addresses, person: Person) -> AsyncIterator[Connection]:
    """Open channels to the suite; nothing is sent before the first call.

    Raises:
        CannotServe: a file of the addresses' `tls` is missing or malformed.
    """
    metadata = person.metadata
    calling = partial(channel, identity=lambda: metadata, tls=addresses.tls)
    async with AsyncExitStack() as stack:
        integrations = await stack.enter_async_context(calling(addresses.integrations, INTEGRATIONS_CONTRACTS))
        files = await stack.enter_async_context(calling(addresses.files, FILES_CONTRACTS))
        agent = await stack.enter_async_context(calling(addresses.agent, AGENT_CONTRACTS))
        yield Connection(
            person=person,
            integrations=IntegrationsServiceStub(integrations),
            artifacts=ArtifactsServiceStub(files),
            native_files=NativeFilesServiceStub(files),
            proposals=ProposalsServiceStub(files),
            changes=ChangesServiceStub(files),
            threads=ThreadsServiceStub(agent),
            runs=RunsServiceStub(agent),
            log=LogServiceStub(agent),
        )
