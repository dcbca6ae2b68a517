"""A thread of Alice's with an agent whose model is scripted, about the one native file of her workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from artifactr import ArtifactWorkspace, NativeFiles, RunHandle, Runner, Session, Workspace
from artifactr.core.events import Event, RunEnded, ToolReturned
from artifactr.core.threads import Thread
from artifactr.files.tools import native_file_tools
from pydantic_ai import Agent
from unit.artifactr_agent.script import Answer, Script
from unit.artifactr_agent.scripted_files import ScriptedFile


@dataclass(frozen=True)
class Conversation:
    alice: Workspace
    thread: Thread
    brief: ScriptedFile
    files: NativeFiles

    def runner(self, script: Script, *tools: Callable[..., Awaitable[str]]) -> Runner[None, str]:
        """A runner of an agent with every tool for native files and some of its own."""
        agent = Agent(
            script.model,
            tools=tools,
            deps_type=Session[None],
            toolsets=[native_file_tools(self.files, view=True)],
            capabilities=[ArtifactWorkspace()],
        )
        return Runner(agent, app=None)

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
