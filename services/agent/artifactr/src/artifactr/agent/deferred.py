"""Pauses in pydantic-ai's words and in ours: what a run waits for, and what people answered [PA-01, PA-05]."""

from collections.abc import Sequence

from pydantic_ai import DeferredToolRequests, DeferredToolResults, ToolDenied
from pydantic_ai.messages import ToolCallPart

from artifactr.core.events import DeferredKind, DeferredRequest
from artifactr.core.runs import Run


def asked(requests: DeferredToolRequests) -> Sequence[DeferredRequest]:
    """What a segment that ended with these waits for: any call that was deferred asks a question [PA-01]."""
    return [
        *(_request(call, DeferredKind.QUESTION) for call in requests.calls),
        *(_request(call, DeferredKind.APPROVAL) for call in requests.approvals),
    ]


def results(run: Run) -> DeferredToolResults:
    """The answers of a paused run, as its next segment takes them: a decline tells the model the reason [PA-05]."""
    found = DeferredToolResults()
    for request, answer in run.answered:
        if answer.approved is None:
            found.calls[request.tool_call_id] = answer.text
        elif answer.approved:
            found.approvals[request.tool_call_id] = True
        else:
            found.approvals[request.tool_call_id] = ToolDenied(answer.text) if answer.text.strip() else False
    return found


def _request(call: ToolCallPart, kind: DeferredKind) -> DeferredRequest:
    return DeferredRequest(
        tool_call_id=call.tool_call_id,
        tool_name=call.tool_name,
        kind=kind,
        arguments=call.args_as_json_str(),
    )
