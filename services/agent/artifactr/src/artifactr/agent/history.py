"""The model's memory of a thread: the new messages of each segment, saved with the segment's end [HI-01 to HI-06]."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final, TypeVar

from pydantic_ai import BinaryContent
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)

from artifactr.agent.results import summary_of
from artifactr.core.events import DeferredRequest, ToolStatus
from artifactr.core.runs import Answer, Run
from artifactr.core.segments import AbandonedSegment, RecordedCall
from artifactr.core.threads import Message
from artifactr.workspace import Workspace
from artifactr.workspace.pauses import NOT_ANSWERED, NOT_GONE_ON

NOTHING: Final = "(nothing)"
"""What stays of a blank result."""

_FIT_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_OfATool = TypeVar("_OfATool", ToolCallPart, ToolReturnPart, RetryPromptPart)


async def load_history(workspace: Workspace, thread_id: str) -> list[ModelMessage]:
    """The model messages of all of a thread's runs, to pass as pydantic-ai's message history [HI-05]."""
    chunks = await workspace.history(thread_id)
    return [message for chunk in chunks for message in ModelMessagesTypeAdapter.validate_json(chunk.data)]


def dumped(messages: Sequence[ModelMessage], *, paused: bool = False) -> bytes:
    """A segment's new messages as they are saved.

    Open tool calls are closed, so that the history takes a new prompt [HI-03, HI-06], but for those of a pause, which
    their answers close. Instructions are left out, they are rendered anew for each request [IN-01]; so are the bytes of
    images, of which a line of text stays [N-41]. What a provider would refuse to be told again is made fit: blank
    texts, and the names of tools that the model made up.
    """
    # What answers calls of an earlier chunk would be repaired away, as returns of no call.
    opening = list(takewhile(lambda it: isinstance(it, ModelRequest), messages))
    repaired = repair_messages(messages[len(opening) :], repair_last_response=not paused)
    kept = [_kept(message) for message in (*opening, *repaired)]
    return ModelMessagesTypeAdapter.dump_json([message for message in kept if message.parts])


def closing(calls: Iterable[DeferredRequest], became: Mapping[str, str]) -> ModelRequest:
    """A request that closes calls which an earlier chunk left open, each with what became of it."""
    return ModelRequest(
        parts=[
            ToolReturnPart(
                tool_name=call.tool_name,
                tool_call_id=call.tool_call_id,
                content=became.get(call.tool_call_id, "This call was not run."),
                outcome="interrupted",
            )
            for call in calls
        ]
    )


def stopped(run: Run, heard: Sequence[Message]) -> bytes:
    """The messages that close the calls of a paused run which does not go on, and tell what it heard [HI-06, TH-08]."""
    became = {request.tool_call_id: NOT_ANSWERED for request in run.pending}
    became |= {request.tool_call_id: _not_gone_on(answer) for request, answer in run.answered}
    closed = closing(run.pending, became)
    told = [UserPromptPart(content=message.content) for message in heard]
    return ModelMessagesTypeAdapter.dump_json([replace(closed, parts=[*closed.parts, *told])])


def cut_off(segment: AbandonedSegment) -> bytes:
    """The messages of a segment whose process died, as far as the log tells of them, and a mark of it [HI-03]."""
    return ModelMessagesTypeAdapter.dump_json(list(_as_told(segment)))


def _not_gone_on(answer: Answer) -> str:
    if answer.approved is None:
        return answer.text
    return f"This was {'approved' if answer.approved else 'declined'}: {NOT_GONE_ON}. {answer.text}".rstrip()


def _kept(message: ModelMessage) -> ModelMessage:
    if isinstance(message, ModelRequest):
        return replace(message, instructions=None, parts=[_kept_of_request(part) for part in message.parts])
    return replace(message, parts=[_kept_of_response(part) for part in message.parts if not _is_blank(part)])


def _kept_of_request(part: ModelRequestPart) -> ModelRequestPart:
    match part:
        case ToolReturnPart():
            return _named_fitly(replace(part, content=_described(part.content)))
        case RetryPromptPart():
            return _named_fitly(part)
        case UserPromptPart(content=content) if not isinstance(content, str):
            return replace(part, content=[_described(item) for item in content])
        case _:
            return part


def _kept_of_response(part: ModelResponsePart) -> ModelResponsePart:
    return _named_fitly(part) if isinstance(part, ToolCallPart) else part


def _is_blank(part: ModelResponsePart) -> bool:
    return isinstance(part, TextPart) and not part.content.strip()


def _named_fitly(part: _OfATool) -> _OfATool:
    """With the tool's name as every provider takes it."""
    name = str(part.tool_name)  # a retry may be of no tool: None, which is fit
    return part if _FIT_NAME.fullmatch(name) else replace(part, tool_name=re.sub(r"^$|[^a-zA-Z0-9_-]", "_", name)[:64])


def _described(content: Any) -> Any:  # noqa: ANN401 - whatever a tool returned
    match content:
        case BinaryContent():
            return summary_of(content)
        case str():
            return content if content.strip() else NOTHING
        case Mapping():
            return {key: _described(value) for key, value in content.items()}
        case Iterable():
            return [_described(item) for item in content]
        case _:
            return content


def _as_told(segment: AbandonedSegment) -> Iterator[ModelMessage]:
    answers = [_return_of(call) for call in segment.resumed]
    yield ModelRequest(parts=[*answers, *(UserPromptPart(content=message.content) for message in segment.messages)])
    for call in segment.calls:
        yield ModelResponse(
            parts=[ToolCallPart(tool_name=call.tool_name, args=call.arguments_summary, tool_call_id=call.tool_call_id)]
        )
        yield ModelRequest(parts=[_return_of(call)])
    yield ModelResponse(parts=[TextPart(content="[This run was cut off before it answered.]")])


def _return_of(call: RecordedCall) -> ToolReturnPart:
    returned = call.returned
    unknown = "the outcome of this call is unknown" if call.called else "this call was not run"
    return ToolReturnPart(
        tool_name=call.tool_name,
        tool_call_id=call.tool_call_id,
        content=f"The run was cut off: {unknown}." if returned is None else returned.summary,
        outcome="success" if returned is not None and returned.status is ToolStatus.OK else "failed",
    )
