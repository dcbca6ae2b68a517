"""Who calls the agent service in tests: people with an identity and a workspace, over a real channel."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice.agent.v1.log_service_pb2_grpc import LogServiceStub
from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceStub
from lattice.agent.v1.threads_service_pb2_grpc import ThreadsServiceStub
from lattice.type.v1 import actor_pb2
from lattice_chassis.channels import channel
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity, development_metadata

DEADLINE = 30.0
"""Seconds to wait for what takes milliseconds on an idle machine."""

CONTRACTS = (log_pb.DESCRIPTOR, runs_pb.DESCRIPTOR, pb.DESCRIPTOR)


@dataclass(frozen=True, kw_only=True)
class Person:
    """A user of one tenant, at work in one workspace."""

    workspace: str
    threads: Any
    """The stub of ThreadsService."""
    runs: Any
    """The stub of RunsService."""
    log: Any
    """The stub of LogService."""
    channel: grpc.aio.Channel

    @property
    def thread(self) -> str:
        """The name of the thread that tests talk in."""
        return f"{self.workspace}/threads/thr_1"

    async def is_connected(self) -> None:
        """Return once the channel is, which after a lost connection pauses before it tries again."""
        async with asyncio.timeout(DEADLINE):
            await self.channel.channel_ready()

    async def creates_thread(
        self, thread_id: str = "thr_1", title: str = "Launch", *, agent_name: str = "", request_id: str = ""
    ) -> pb.CreateThreadResponse:
        """Create a thread."""
        request = pb.CreateThreadRequest(
            workspace=self.workspace,
            thread_id=thread_id,
            title=title,
            agent_name=agent_name,
            request_id=request_id or fresh(),
        )
        response: pb.CreateThreadResponse = await self.threads.CreateThread(request)
        return response

    async def sends(
        self, content: str, *, thread_id: str = "thr_1", request_id: str = "", message_id: str = ""
    ) -> pb.SendMessageResponse:
        """Send a message to the thread."""
        request = pb.SendMessageRequest(
            name=f"{self.workspace}/threads/{thread_id}",
            content=content,
            message_id=message_id,
            request_id=request_id or fresh(),
        )
        response: pb.SendMessageResponse = await self.threads.SendMessage(request)
        return response

    async def run(self, run_id: str) -> runs_pb.Run:
        """A run as it stands."""
        request = runs_pb.GetRunRequest(name=f"{self.workspace}/runs/{run_id}")
        response: runs_pb.GetRunResponse = await self.runs.GetRun(request)
        return response.run

    async def runs_of_the_thread(self) -> list[runs_pb.Run]:
        """The runs of the thread, oldest first."""
        request = runs_pb.ListRunsRequest(workspace=self.workspace, thread_id="thr_1")
        response: runs_pb.ListRunsResponse = await self.runs.ListRuns(request)
        return list(response.runs)

    async def reads(self, **window: Any) -> list[log_pb.LogEntry]:  # noqa: ANN401 - the request's own fields
        """A window of the log."""
        request = log_pb.ReadLogRequest(workspace=self.workspace, **window)
        response: log_pb.ReadLogResponse = await self.log.ReadLog(request)
        return list(response.entries)


@asynccontextmanager
async def person(address: str, tenant: str, user: str, *, role: str = "editor") -> AsyncIterator[Person]:
    """Somebody with a channel of their own to the service."""
    actor = actor_pb2.Actor(user=actor_pb2.UserActor(id=user, name=user.capitalize()))
    identity = Identity(tenant=tenant, actor=actor, roles=frozenset({role}))
    async with channel(address, CONTRACTS, identity=lambda: development_metadata(identity)) as opened:
        yield Person(
            workspace=f"tenants/{tenant}/workspaces/main",
            threads=ThreadsServiceStub(opened),
            runs=RunsServiceStub(opened),
            log=LogServiceStub(opened),
            channel=opened,
        )


def fresh() -> str:
    """A new request id."""
    return str(uuid.uuid4())


async def refused(call: Awaitable[object]) -> RefusedByPeer:
    """The refusal with which a call ends."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    refusal = refusal_of(error.value)
    assert refusal is not None, error.value
    return refusal
