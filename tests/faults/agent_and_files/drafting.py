"""An agent that drafts a brief and a file: it creates, edits, uploads, reads, proposes and asks.

Its model goes by the history alone, and does anew what failed. Each call has an id of its own, which what it makes
carries, too: a name, a passage or a summary. So whatever stands is known to be of one call.
"""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import grpc
from artifactr import Applied, ArtifactWorkspace, NativeFiles, Runner, Session, TextArtifact
from artifactr.agent import describe_outcome
from artifactr.files.tools import native_file_tools
from lattice.agent.v1 import log_service_pb2 as log_pb
from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import UsageLimits

WRITES = frozenset({"create_artifact", "edit_text", "draft", "edit_native"})
"""The tools that change something."""

BREATH = 0.2
"""Seconds that the model thinks after a call that did not go well."""


class Brief(TextArtifact):
    """What a launch is about."""


@dataclass(frozen=True)
class Past:
    """The calls that the history tells of, each with what came of it."""

    calls: Sequence[tuple[ToolCallPart, ToolReturnPart | None]]

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> Self:
        """Read from a history."""
        parts = [part for message in messages for part in message.parts]
        returns = {part.tool_call_id: part for part in parts if isinstance(part, ToolReturnPart)}
        return cls([(part, returns.get(part.tool_call_id)) for part in parts if isinstance(part, ToolCallPart)])

    def did(self, tool: str, **arguments: object) -> list[tuple[ToolCallPart, str]]:
        """The calls of a tool with these arguments among others that went well, each with its answer."""
        return [
            (call, str(returned.content))
            for call, returned in self.calls
            if call.tool_name == tool
            and returned is not None
            and returned.outcome == "success"
            and arguments.items() <= call.args_as_dict().items()
        ]

    @property
    def went_well(self) -> bool:
        """Whether the last call did."""
        return not self.calls or self.calls[-1][1] is None or self.calls[-1][1].outcome == "success"

    def call(self, tool: str, **arguments: object) -> ToolCallPart:
        """The next call."""
        return ToolCallPart(tool_name=tool, args=arguments, tool_call_id=self.next_mark)

    @property
    def next_mark(self) -> str:
        """The id of the next call."""
        return f"m{len(self.calls) + 1:03}"

    @property
    def brief(self) -> tuple[str, str]:
        """The brief, and the passage that it has once."""
        [(call, answer), *_] = self.did("create_artifact")
        return made(answer), str(call.tool_call_id)

    @property
    def file(self) -> str:
        """The file."""
        return made(self.did("draft")[0][1])


def made(answer: str) -> str:
    """The artifact of which an answer tells."""
    found = re.search(r"Done\. (\S+) is now at version", answer)
    assert found is not None, answer
    return found[1]


def creates(past: Past) -> ToolCallPart | None:
    """Create the brief."""
    return (
        None
        if past.did("create_artifact")
        else past.call("create_artifact", kind="brief", data={"text": past.next_mark})
    )


def rewords(past: Past) -> ToolCallPart | None:
    """Edit the brief, once."""
    brief, words = past.brief
    if past.did("edit_text", propose=False):
        return None
    new, mark = f"{words} {past.next_mark}", past.next_mark
    return past.call("edit_text", artifact_id=brief, old=words, new=new, summary=mark, propose=False)


def drafts(past: Past) -> ToolCallPart | None:
    """Upload the file."""
    return None if past.did("draft") else past.call("draft", name=past.next_mark)


def edits(times: int) -> Callable[[Past], ToolCallPart | None]:
    """Edit the file so often, each time after it was read."""

    def step(past: Past) -> ToolCallPart | None:
        if len(past.did("edit_native")) >= times:
            return None
        last, returned = past.calls[-1]
        if last.tool_name != "read_native" or returned is None or returned.outcome != "success":
            return past.call("read_native", artifact_id=past.file)
        found = re.search(r"version (\d+)", str(returned.content))
        assert found is not None
        commands = [{"command": "append_paragraph", "arguments": {"text": past.next_mark}}]
        base, mark = int(found[1]), past.next_mark
        return past.call("edit_native", artifact_id=past.file, base_version=base, commands=commands, summary=mark)

    return step


def proposes(past: Past) -> ToolCallPart | None:
    """Propose an edit of the brief."""
    brief, words = past.brief
    if past.did("edit_text", propose=True):
        return None
    new, mark = f"{words} {past.next_mark}", past.next_mark
    return past.call("edit_text", artifact_id=brief, old=words, new=new, summary=mark, propose=True)


def asks(past: Past) -> ToolCallPart | None:
    """Ask whether to go on."""
    return None if past.did("ask_user") else past.call("ask_user", question="Shall I go on?")


STEPS = (creates, rewords, drafts, edits(1), proposes, asks, edits(2))


async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Take the first step that was not taken; look around where its tool is not on offer."""
    past = Past.of(messages)
    if not past.went_well:
        await asyncio.sleep(BREATH)
    call = next(filter(None, (step(past) for step in STEPS)), None)
    if call is None:
        return ModelResponse(parts=[TextPart(content="All done.")])
    offered = {tool.name for tool in info.function_tools}
    return ModelResponse(parts=[call if call.tool_name in offered else past.call("list_artifacts")])


def make_runner(files: grpc.aio.Channel) -> Runner[None, str | DeferredToolRequests]:
    """A runner of it, as each process has one."""
    native = NativeFiles(files)
    agent = Agent(
        FunctionModel(answer),
        deps_type=Session[None],
        output_type=[str, DeferredToolRequests],
        toolsets=[native_file_tools(native)],
        capabilities=[ArtifactWorkspace(types=[Brief], ask=True)],
    )

    @agent.tool
    async def draft(ctx: RunContext[Session[None]], name: str) -> str:
        """Upload a new file."""
        workspace = ctx.deps.workspace
        content = json.dumps({"paragraphs": [name]}).encode()
        write = await workspace.next_write()
        outcome = await native.upload(workspace.caller, f"{name}.fake", content, write=write)
        assert isinstance(outcome, Applied)
        await workspace.ingest(outcome.change_sequence, patient=True)
        await ctx.deps.follow(outcome.artifact_id)
        return describe_outcome(outcome)

    return Runner(agent, app=None, limits=UsageLimits(request_limit=1_000))


def mark_of(entry: log_pb.LogEntry) -> str | None:
    """The id of the call that made what an entry tells of; None for one that tells of no such thing."""
    match entry.WhichOneof("event"):
        case "artifact_created":
            data = json.loads(entry.artifact_created.data_json)
            return str(data["text"]) if "native" not in data else str(data["name"]).removesuffix(".fake")
        case "artifact_changed":
            return entry.artifact_changed.summary
        case "proposal_created":
            change = entry.proposal_created.change
            return change.batch.summary or change.edit.summary
        case _:
            return None
