"""A replica of agent without its gRPC: its runner, and Alice, who watches the log through it all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field

import grpc
from artifactr import Runner, Workspace, Workspaces, open_workspaces
from artifactr.core.actors import UserActor
from artifactr.core.events import Envelope
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2
from lattice_chassis.channels import channel
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.postgres.embedded import DatabaseUrls
from pydantic_ai import DeferredToolRequests

CONTRACTS = [
    it.DESCRIPTOR
    for it in (artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2)
]

THREAD = "thr_1"
"""The thread in which tests talk."""

MakeRunner = Callable[[grpc.aio.Channel], Runner[None, str | DeferredToolRequests]]


@dataclass(frozen=True, kw_only=True)
class Replica:
    """What one process has, and all that a watch through it has shown so far."""

    workspaces: Workspaces
    runner: Runner[None, str | DeferredToolRequests]
    alice: Workspace
    seen: list[Envelope] = field(default_factory=list)

    async def watch(self) -> None:
        """See every entry of the log from its first; never ends."""
        async with aclosing(self.alice.subscribe(0)) as batches:
            async for batch in batches:
                self.seen.extend(batch)

    async def has_seen(self, enough: Callable[[Sequence[log_pb.LogEntry]], bool]) -> None:
        """Return once what was seen is enough."""
        while not enough(self.log):  # noqa: ASYNC110  # the watch brings it about
            await asyncio.sleep(0.02)

    async def reaches_files(self) -> None:
        """Return once it does: after a loss it pauses for up to a second before it tries again."""
        while True:
            with suppress(PeerUnavailable):
                await self.alice.artifacts()
                return
            await asyncio.sleep(0.05)

    async def run(self, words: str = "Go on.") -> None:
        """Say something in the thread, and return once the run or segment that takes it has ended, wherever it is."""
        ended = _segments_ended(self.log)
        await self.runner.send(self.alice, THREAD, words)
        await self.has_seen(lambda log: _segments_ended(log) > ended)

    @property
    def log(self) -> Sequence[log_pb.LogEntry]:
        """What was seen, as clients have it."""
        return [log_pb.LogEntry.FromString(it.wire) for it in self.seen]


@asynccontextmanager
async def replica(urls: DatabaseUrls, files: str, tenant: str, make_runner: MakeRunner) -> AsyncIterator[Replica]:
    """A replica that reaches files at an address."""
    async with (
        channel(files, CONTRACTS) as opened,
        open_workspaces(urls.service, opened) as workspaces,
        make_runner(opened) as runner,
    ):
        alice = workspaces.open(tenant, "main", UserActor(id="alice", name="Alice"))
        running = Replica(workspaces=workspaces, runner=runner, alice=alice)
        watching = asyncio.create_task(running.watch())
        try:
            yield running
            assert not watching.done(), "a watch outlives whatever happens to files"
        finally:
            watching.cancel()
            await asyncio.wait([watching])


def _segments_ended(log: Sequence[log_pb.LogEntry]) -> int:
    return sum(it.HasField("run_ended") or it.HasField("run_paused") for it in log)
