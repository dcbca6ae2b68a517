"""Watching a run from any replica: what another one executes of it is asked of that one [RN-16].

Who is asked by another replica tells what it executes itself and nothing else, so no question goes round in circles.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from artifactr.agent.live import until
from artifactr.core.frames import RunKey
from artifactr.workspace import Workspace
from artifactr.workspace.executions import Execution, Replica
from lattice.agent.v1 import runs_service_pb2 as pb
from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceStub
from lattice_chassis.channels import channel
from lattice_chassis.errors import PeerUnavailable, RefusedByPeer, calling
from lattice_chassis.identity import Unauthenticated, received_credential
from lattice_chassis.interceptors.rate import RateLimited
from lattice_chassis.names import RunName
from lattice_chassis.transport import ChannelTls

from lattice_agent.agents import Agents
from lattice_agent.grpc import to_proto

RELAYED: Final = ("lattice-relayed", "1")
"""The metadata of a watch that one replica asks of another."""

LOOK_AT_MOST_EVERY: Final = timedelta(milliseconds=100)
"""How often a watcher looks where its run is, however much else happens in the workspace."""


class RunWatches:
    """Follows runs for the callers of this replica."""

    def __init__(self, agents: Agents, replica: Replica, tls: ChannelTls | None = None) -> None:
        self._agents = agents
        self._replica = replica
        self._tls = tls

    async def whole(self, workspace: Workspace, run_id: str) -> AsyncGenerator[pb.WatchRunResponse, None]:
        """The frames of a run until its end, through pauses and wherever it goes on.

        Raises:
            NotFound: there is no such run.
            PeerUnavailable: the replica that executes it cannot be reached, and the run goes on.
        """
        now, before = await workspace.execution(run_id), None
        while not now.ended:
            if now == before:  # nothing more is told, though nothing is recorded yet that would say why
                await asyncio.sleep(LOOK_AT_MOST_EVERY.total_seconds())
            there = self._is_elsewhere(now)
            stretch = self._there(workspace, now) if there else self._here(workspace, run_id, self._is_elsewhere)
            async with aclosing(stretch) as messages:
                async for message in messages:
                    yield message
            before, now = now, await workspace.execution(run_id)

    async def of_this_replica(self, workspace: Workspace, run_id: str) -> AsyncGenerator[pb.WatchRunResponse, None]:
        """The frames of what this replica executes now of a run; NotFound where there is no such run."""
        if self._is_here(await workspace.execution(run_id)):
            async with aclosing(self._here(workspace, run_id, lambda now: not self._is_here(now))) as messages:
                async for message in messages:
                    yield message

    async def _here(
        self, workspace: Workspace, run_id: str, left: Callable[[Execution], bool]
    ) -> AsyncGenerator[pb.WatchRunResponse, None]:
        """What this replica executes of a run, until its end or until it left."""
        live = await self._agents.live_of(workspace, run_id)
        over = asyncio.create_task(_until_gone(left, workspace, run_id))
        frames = live.watch(RunKey(workspace=workspace.caller.key, run_id=run_id))
        try:
            async with aclosing(frames), aclosing(until(over, frames)) as shown:
                async for frame in shown:
                    yield to_proto.frame(frame)
        finally:
            over.cancel()

    async def _there(self, workspace: Workspace, now: Execution) -> AsyncGenerator[pb.WatchRunResponse, None]:
        """What another replica executes of a run, as long as it does, asked in the name of whoever watches."""
        address, run = now.address or "", now.run
        name = str(RunName(workspace.tenant, workspace.workspace, run.id))
        async with channel(address, [pb.DESCRIPTOR], identity=received_credential, tls=self._tls) as opened:
            call = RunsServiceStub(opened).WatchRun(pb.WatchRunRequest(name=name), metadata=[RELAYED])
            try:
                with calling("the replica that executes the run"):
                    async for message in call:
                        yield message
            except PeerUnavailable:
                if (await workspace.execution(run.id)).address == address:
                    raise
            except RefusedByPeer as refused:
                match refused.reason:
                    case RateLimited.reason:
                        raise RateLimited.told_by(refused) from refused
                    case Unauthenticated.reason:  # it looks at the caller's credential as this replica does
                        raise Unauthenticated(why=refused.message) from refused
                    case _:
                        raise
            finally:
                call.cancel()

    def _is_here(self, now: Execution) -> bool:
        return now.address == self._replica.address

    def _is_elsewhere(self, now: Execution) -> bool:
        """Whether a replica executes the run that can be asked and is not this one; paused, it may go on here."""
        return bool(now.address) and not self._is_here(now)


async def _until_gone(left: Callable[[Execution], bool], workspace: Workspace, run_id: str) -> None:
    """Return once a run has left this replica, or ended."""
    async with aclosing(workspace.executions(run_id)) as looks:
        async for now in looks:
            if left(now):
                return
            await asyncio.sleep(LOOK_AT_MOST_EVERY.total_seconds())
