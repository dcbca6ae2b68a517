"""Bob, who changes a plan at files directly, and agents that follow it, by the answers that a test wrote."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import grpc
import pytest
from artifactr import ArtifactWorkspace, NativeFiles, Runner, Session
from artifactr.agent import load_history
from artifactr.files.tools import native_file_tools
from artifactr.testing import Script, call
from faults.agent_and_files.replicas import THREAD, Replica, replica
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic_ai import Agent, DeferredToolRequests, ToolCallPart
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import UserPromptPart
from service.files.people import Participant, append, participant, user


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Who and what takes part in one test."""

    urls: DatabaseUrls
    files: BoundServer
    stack: AsyncExitStack
    bob: Participant
    plan: str

    async def replica(self, script: Script, *meddling: AbstractCapability[Session[None]], files: str = "") -> Replica:
        """A replica with somebody who watches, until the end of the test; the thread is there."""
        tenant = self.bob.identity.tenant
        opened = replica(self.urls, files or self.files.address, tenant, _runner_of(script, meddling))
        running = await self.stack.enter_async_context(opened)
        if not await running.alice.threads():
            await running.alice.create_thread("Plan", thread_id=THREAD)
        return running

    async def changes(self, words: str) -> int:
        """Bob edits the plan, saying this; the number of the change."""
        version = (await self.bob.sees(self.plan)).version
        request = self.bob.edit_request(self.plan, version, append(words))
        request.summary = words
        return (await self.bob.native.Edit(request)).outcome.change_sequence

    @property
    def read(self) -> list[ToolCallPart]:
        """The call with which the agent reads the plan, and follows it from then on."""
        return call("read_native", artifact_id=self.plan)

    def edit(self, base_version: int) -> list[ToolCallPart]:
        """The call with which it adds to the plan."""
        batch = [{"command": "append_paragraph", "arguments": {"text": "Legal agrees."}}]
        return call(
            "edit_native", artifact_id=self.plan, base_version=base_version, commands=batch, summary="added legal"
        )


def _runner_of(
    script: Script, meddling: Sequence[AbstractCapability[Session[None]]]
) -> Callable[[grpc.aio.Channel], Runner[None, str | DeferredToolRequests]]:
    def make(files: grpc.aio.Channel) -> Runner[None, str | DeferredToolRequests]:
        agent = Agent(
            script.model,
            deps_type=Session[None],
            output_type=[str, DeferredToolRequests],
            toolsets=[native_file_tools(NativeFiles(files))],
            capabilities=[ArtifactWorkspace(ask=True), *meddling],
        )
        return Runner(agent, app=None)

    return make


@pytest.fixture
async def stage(agent_urls: DatabaseUrls, server: BoundServer, tenant: str) -> AsyncIterator[Stage]:
    """A workspace of this test alone, with Bob's plan."""
    async with AsyncExitStack() as stack:
        bob = await stack.enter_async_context(participant(server.address, user(tenant, "bob"), "main"))
        plan = await bob.has_file("Launch on 17 February.")
        yield Stage(urls=agent_urls, files=server, stack=stack, bob=bob, plan=plan)


async def prompts(one: Replica) -> list[str]:
    """Whatever people and notes said, as the history keeps it."""
    parts = [part for message in await load_history(one.alice, THREAD) for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, UserPromptPart)]


async def told(one: Replica) -> list[str]:
    """Every note in the history, in its order."""
    return [line for it in await prompts(one) if it.startswith("<workspace-changes>") for line in it.splitlines()[1:-1]]
