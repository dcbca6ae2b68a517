"""Alice and the agent of her thread, at work on a plan of the fake app's."""

import asyncio
import json
from dataclasses import dataclass

from artifactr import Applied, ArtifactWorkspace, NativeFiles, Runner, Session, Workspace
from artifactr.core.events import Event, RunEnded, ToolReturned
from artifactr.core.threads import Thread
from artifactr.files.tools import native_file_tools
from artifactr.testing import Answer, Script, call
from pydantic_ai import Agent, DeferredToolRequests, ToolCallPart

PLAN = ("Launch on 17 February.", "Legal agrees.")


def document(*paragraphs: str) -> bytes:
    """A file of the fake app."""
    return json.dumps({"paragraphs": paragraphs}).encode()


@dataclass(frozen=True)
class Colleagues:
    alice: Workspace
    thread: Thread
    files: NativeFiles
    plan: str
    """The id of the plan."""

    @classmethod
    async def at_work(cls, alice: Workspace, files: NativeFiles) -> "Colleagues":
        """A thread, and the plan uploaded by Alice."""
        uploaded = await files.upload(alice.caller, "plan.fake", document(*PLAN))
        assert isinstance(uploaded, Applied)
        return cls(alice, await alice.create_thread("Plan"), files, uploaded.artifact_id)

    def edit(
        self, base_version: int, command: str = "replace_text", *, artifact_id: str = "", **arguments: str
    ) -> list[ToolCallPart]:
        """A call of edit_native with one command; unless given, it is of the plan and moves the launch."""
        given = arguments or ({"old": "17 February", "new": "3 March"} if command == "replace_text" else {})
        commands = [{"command": command, "arguments": given}]
        return call(
            "edit_native",
            artifact_id=artifact_id or self.plan,
            base_version=base_version,
            commands=commands,
            summary="moved the launch",
        )

    async def ask(self, *answers: Answer, words: str = "Please edit.") -> Script:
        """Send one message to an agent that gives these answers, and wait until its run has ended in whatever way."""
        script = Script(answers)
        async with self.runner(script) as runner:
            sent = await runner.send(self.alice, self.thread.id, words)
            assert sent.run is not None
            await asyncio.wait({sent.run.ended})
        return script

    def runner(self, script: Script, *, with_leave: bool = False) -> Runner[None, str | DeferredToolRequests]:
        """A runner of the agent."""
        return Runner(self.agent(script, with_leave=with_leave), app=None)

    def agent(self, script: Script, *, with_leave: bool = False) -> Agent[Session[None], str | DeferredToolRequests]:
        """An agent with the tools for native files, which edits them at once, or with a person's leave."""
        tools = native_file_tools(self.files, view=True)
        if with_leave:
            tools = tools.approval_required(lambda _ctx, tool, _arguments: tool.name == "edit_native")
        return Agent(
            script.model,
            deps_type=Session[None],
            output_type=[str, DeferredToolRequests],
            toolsets=[tools],
            capabilities=[ArtifactWorkspace()],
        )

    async def text(self) -> str:
        """The plan's words as they are now."""
        return (await self.files.read_text(self.alice.caller, self.plan, start=0, max_chars=8_000)).text

    async def version(self) -> int:
        """The plan's version now."""
        return (await self.alice.artifact(self.plan)).version

    async def events(self) -> list[Event]:
        """Everything on the log."""
        return [envelope.event for envelope in await self.alice.read()]

    async def returned(self) -> list[ToolReturned]:
        """How each tool call went."""
        return [event for event in await self.events() if isinstance(event, ToolReturned)]

    async def ended(self) -> RunEnded:
        """How the last run ended."""
        return [event for event in await self.events() if isinstance(event, RunEnded)][-1]
