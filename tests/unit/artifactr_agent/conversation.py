"""A thread of Alice's with an agent whose model is scripted, about the one native file of her workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from artifactr import ArtifactWorkspace, NativeFiles, RunHandle, Runner, Session, Workspace
from artifactr.core import AnswerDeferred
from artifactr.core.events import Event, RunEnded, ToolReturned
from artifactr.core.runs import Run
from artifactr.core.threads import Thread
from artifactr.files.tools import native_file_tools
from artifactr.testing import Answer, Script
from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests, RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from unit.artifactr_agent.scripted_files import ScriptedFile


@dataclass(frozen=True)
class Conversation:
    alice: Workspace
    thread: Thread
    brief: ScriptedFile
    files: NativeFiles

    def runner(
        self,
        script: Script,
        *tools: Callable[..., Awaitable[str]],
        capability: ArtifactWorkspace | None = None,
        **options: Any,  # noqa: ANN401 - the runner's own
    ) -> Runner[None, str]:
        """A runner with these options of an agent with every tool for native files and some of its own."""
        agent = Agent(
            script.model,
            tools=tools,
            deps_type=Session[None],
            toolsets=[native_file_tools(self.files, view=True)],
            capabilities=[capability or ArtifactWorkspace()],
        )
        return Runner(agent, app=None, **options)

    async def say(self, runner: Runner[None, str], words: str = "Please edit.") -> RunHandle[str]:
        """Send a message that starts a run."""
        sent = await runner.send(self.alice, self.thread.id, words)
        assert sent.run is not None
        return sent.run

    async def ask(self, *answers: Answer, words: str = "Please edit.") -> Script:
        """Send one message to an agent that gives these answers, and wait until its run has ended in whatever way."""
        script = Script(answers)
        async with self.runner(script) as runner:
            await asyncio.wait({(await self.say(runner, words)).ended})
        return script

    async def events(self) -> list[Event]:
        """Everything on the log."""
        return [envelope.event for envelope in await self.alice.read()]

    async def returned(self) -> list[ToolReturned]:
        """How each tool call went."""
        return [event for event in await self.events() if isinstance(event, ToolReturned)]

    async def ended(self) -> RunEnded:
        """How the last run ended."""
        return [event for event in await self.events() if isinstance(event, RunEnded)][-1]

    async def has_ended(self) -> bool:
        """Whether a run has ended in the thread."""
        return any(isinstance(event, RunEnded) for event in await self.events())


@dataclass
class Asking:
    """An agent that asks people: of questions, and of leave to publish."""

    conversation: Conversation
    script: Script
    published: list[str] = field(default_factory=list)
    meddling: list[AbstractCapability[Session[None]]] = field(default_factory=list)
    """What else takes part in its runs."""

    def runner(self) -> Runner[None, str | DeferredToolRequests]:
        """A runner of it; another is what another process would have."""
        agent = Agent(
            self.script.model,
            tools=[Tool(self._publish, name="publish", requires_approval=True), Tool(self._spend, name="spend")],
            deps_type=Session[None],
            output_type=[str, DeferredToolRequests],
            toolsets=[native_file_tools(self.conversation.files)],
            capabilities=[ArtifactWorkspace(ask=True), *self.meddling],
        )
        return Runner(agent, app=None)

    async def pause(self, words: str = "Please publish.") -> Run:
        """Send a message, and answer the run that it paused."""
        async with self.runner() as runner:
            sent = await runner.send(self.conversation.alice, self.conversation.thread.id, words)
            assert sent.run is not None
            assert isinstance((await sent.run.wait()).output, DeferredToolRequests)
            return await self.conversation.alice.run(sent.run.run_id)

    async def answered(self, *answers: AnswerDeferred) -> object:
        """Answer in another process, one after another, and wait for what the run says that the last one resumes."""
        async with self.runner() as runner:
            *early, last = [await runner.answer(self.conversation.alice, command) for command in answers]
            assert all(sent.run is None for sent in early)
            assert last.run is not None
            return (await last.run.wait()).output

    async def _publish(self, channel: str) -> str:
        """Publish to a channel."""
        if channel == "closed":
            raise LookupError("the channel is closed")
        self.published.append(channel)
        return f"Published to {channel}."

    async def _spend(self, ctx: RunContext[Session[None]], euros: int) -> str:
        """Spend money; much of it needs leave."""
        if euros > 100 and not ctx.tool_call_approved:
            raise ApprovalRequired
        return f"Spent {euros}."
