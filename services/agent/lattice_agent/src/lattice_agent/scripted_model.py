"""A model that follows a script: it plays the demo where no model is named, and says what it is.

It decides from the conversation and the tools on offer alone, so that it meets the workspace as any model does: it is
refused, told of changes, and loses its tools when the app is switched off. It understands three messages:

- `In ART replace "OLD" with "NEW" and comment "WORDS"`: reads the file, its review and the commands, then makes one
  batch. Where somebody has the file checked out it says so and waits to be told of the check-in.
- `Go on`: makes the last such edit that is still to be made, from a fresh reading.
- `Read ART slowly`: reads it four times, a step each.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from typing import Final

from pydantic_ai import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

SLOW_READS: Final = 4

_EDIT: Final = re.compile(
    r'In (?P<artifact>\S+) replace "(?P<old>[^"]+)" with "(?P<new>[^"]+)" and comment "(?P<comment>[^"]+)"'
)
_READ: Final = re.compile(r"Read (?P<artifact>\S+) slowly")
_GO_ON: Final = re.compile(r"Go on\b")
_VERSION: Final = re.compile(r", version (\d+), ")
_NOTES: Final = "<workspace-changes>"
_MADE: Final = ("Done.", "Proposed as")
_HELP: Final = (
    'No model is named, so this is a script. It understands: In ART replace "OLD" with "NEW" and comment "WORDS"; '
    "Go on; Read ART slowly. Set LATTICE_MODEL to talk to a model."
)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool to call next."""

    tool: str
    arguments: dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A tool that answered; `outcome` is pydantic-ai's."""

    tool: str
    text: str
    outcome: str


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A message of a person, and since then the tools that answered and the notes of others' changes."""

    message: str
    steps: Sequence[Step]
    told: Sequence[str] = ()


def scripted_model(pace: timedelta = timedelta(0)) -> FunctionModel:
    """The model; `pace` is how long it waits before each answer, so that people can act in the middle of a run."""

    async def decided(messages: list[ModelMessage], info: AgentInfo) -> Call | str:
        await asyncio.sleep(pace.total_seconds())
        return decide(turns_of(messages), frozenset(tool.name for tool in info.function_tools))

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        next_step = await decided(messages, info)
        if isinstance(next_step, Call):
            return ModelResponse(parts=[ToolCallPart(tool_name=next_step.tool, args=next_step.arguments)])
        return ModelResponse(parts=[TextPart(content=next_step)])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        next_step = await decided(messages, info)
        if isinstance(next_step, Call):
            yield {0: DeltaToolCall(name=next_step.tool, json_args=json.dumps(next_step.arguments))}
            return
        for word in re.findall(r"\S+\s*|\s+", next_step):
            yield word

    return FunctionModel(answer, stream_function=stream, model_name="scripted")


def turns_of(messages: Sequence[ModelMessage]) -> list[Turn]:
    """The conversation as the script sees it; notes of changes begin no turn."""
    turns: list[Turn] = []
    steps: list[Step] = []
    told: list[str] = []
    for part in (part for message in messages for part in message.parts):
        if isinstance(part, UserPromptPart) and isinstance(part.content, str):
            if part.content.startswith(_NOTES):
                told.extend(unescape(line[2:]) for line in part.content.splitlines() if line.startswith("- "))
                continue
            steps, told = [], []
            turns.append(Turn(message=part.content, steps=steps, told=told))
        elif isinstance(part, ToolReturnPart):
            text = part.model_response_str(wrap_if_error=False)
            steps.append(Step(tool=part.tool_name, text=text, outcome=part.outcome))
    return turns


def decide(turns: Sequence[Turn], offered: frozenset[str]) -> Call | str:
    """What the script does next: a call, or its reply, which begins with what it was told."""
    next_step = _decide(turns, offered)
    told = "; ".join(turns[-1].told)
    return f"I was told: {told}. {next_step}" if told and isinstance(next_step, str) else next_step


def _decide(turns: Sequence[Turn], offered: frozenset[str]) -> Call | str:
    now = turns[-1]
    if match := _READ.search(now.message):
        return _read_slowly(match["artifact"], now.steps, offered)
    wanted = _EDIT.search(now.message)
    if wanted is None and _GO_ON.match(now.message):
        wanted = _still_to_do(turns[:-1])
        if wanted is None:
            return "There is nothing left to do."
    return _HELP if wanted is None else _edit(wanted, now.steps, offered)


def _still_to_do(turns: Sequence[Turn]) -> re.Match[str] | None:
    """The last edit that was asked for, unless it or a later attempt at it was made."""
    for turn in reversed(turns):
        if any(step.tool == "edit_native" and step.text.startswith(_MADE) for step in turn.steps):
            return None
        if wanted := _EDIT.search(turn.message):
            return wanted
    return None


def _edit(wanted: re.Match[str], steps: Sequence[Step], offered: frozenset[str]) -> Call | str:
    last = steps[-1] if steps else None
    edited = last is not None and last.tool == "edit_native"
    if last is not None and (last.outcome == "failed" or (last.outcome == "retried" and not edited)):
        return f"I could not do it: {last.text}"
    if last is not None and edited and last.outcome == "success":
        done = f'I replaced "{wanted["old"]}" with "{wanted["new"]}" and commented. '
        return done + last.text if last.text.startswith(_MADE) else last.text
    if "edit_native" not in offered:
        return f"The app of {wanted['artifact']} is off here, so I cannot edit it."
    return _next_of_edit(wanted, steps)


def _next_of_edit(wanted: re.Match[str], steps: Sequence[Step]) -> Call:
    """Read, review, commands, then the edit; refused, it reads again and tries again."""
    artifact = wanted["artifact"]
    used = {step.tool for step in steps}
    if "read_native" not in used or steps[-1].tool == "edit_native":
        return Call(tool="read_native", arguments={"artifact_id": artifact})
    if "read_review" not in used:
        return Call(tool="read_review", arguments={"artifact_id": artifact})
    if "find_commands" not in used:
        return Call(tool="find_commands", arguments={"query": "replace text, add a comment"})
    replaced = {"command": "replace_text", "arguments": {"quote": wanted["old"], "replacement": wanted["new"]}}
    commented = {"command": "add_comment", "arguments": {"quote": wanted["new"], "text": wanted["comment"]}}
    return Call(
        tool="edit_native",
        arguments={
            "artifact_id": artifact,
            "base_version": _version_read(steps),
            "commands": [replaced, commented],
            "summary": f'replaced "{wanted["old"]}" with "{wanted["new"]}"',
        },
    )


def _read_slowly(artifact: str, steps: Sequence[Step], offered: frozenset[str]) -> Call | str:
    reads = sum(step.tool == "read_native" for step in steps)
    if reads < SLOW_READS and "read_native" in offered:
        return Call(tool="read_native", arguments={"artifact_id": artifact})
    if reads == SLOW_READS:
        return f"I read {artifact} {reads} times."
    off = f"The app of {artifact} is off here: its tools went away after {reads} readings."
    if "read_artifact" not in offered:
        return off
    if steps and steps[-1].tool == "read_artifact":
        return f"{off} Reading goes on: {steps[-1].text.splitlines()[0]}"
    return Call(tool="read_artifact", arguments={"artifact_id": artifact})


def _version_read(steps: Sequence[Step]) -> int:
    return max(_versions(steps))


def _versions(steps: Sequence[Step]) -> Iterator[int]:
    for step in steps:
        if step.tool == "read_native" and (match := _VERSION.search(step.text)):
            yield int(match[1])
