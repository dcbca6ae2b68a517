"""From entries of the log to envelopes of core. What this version does not know reads as UnknownEvent [EV-03]."""

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb

from artifactr.core import events as ev
from artifactr.wire import actors
from artifactr.wire.enums import (
    DECISION_OF,
    DEFERRED_KIND_OF,
    MODE_OF,
    RUN_STATUS_OF,
    TOOL_STATUS_OF,
    TRIGGER_OF,
)
from artifactr.wire.patches import described


def envelope(wire: bytes, *, commit: int) -> ev.Envelope:
    """The envelope of a stored entry; `commit` is the first log_sequence of its transaction."""
    entry = log_pb.LogEntry.FromString(wire)
    return ev.Envelope(
        log_sequence=entry.log_sequence,
        change_sequence=entry.change_sequence,
        commit=commit,
        entry_id=entry.entry_id,
        time=entry.time.ToDatetime(UTC),
        actor=actors.from_proto(entry.actor),
        thread_id=entry.thread_id,
        run_id=entry.run_id,
        event=_event(entry),
        traceparent=entry.traceparent,
        wire=wire,
    )


def _event(entry: log_pb.LogEntry) -> ev.Event:
    name = entry.WhichOneof("event")
    if name is None:
        return ev.UnknownEvent()
    try:
        return _READERS[name](entry)
    except KeyError:  # an event, or a value of an enum in it, of a newer version
        return ev.UnknownEvent()


def _thread_created(entry: log_pb.LogEntry) -> ev.Event:
    created = entry.thread_created
    return ev.ThreadCreated(thread_id=entry.thread_id, title=created.title, agent_name=created.agent_name)


def _thread_mode_changed(entry: log_pb.LogEntry) -> ev.Event:
    return ev.ThreadModeChanged(thread_id=entry.thread_id, mode=MODE_OF[entry.thread_mode_changed.mode])


def _focus_changed(entry: log_pb.LogEntry) -> ev.Event:
    return ev.FocusChanged(thread_id=entry.thread_id, artifact_ids=tuple(entry.focus_changed.artifact_ids))


def _message_posted(entry: log_pb.LogEntry) -> ev.Event:
    posted = entry.message_posted
    return ev.MessagePosted(thread_id=entry.thread_id, message_id=posted.message_id, content=posted.content)


def _artifact_created(entry: log_pb.LogEntry) -> ev.Event:
    created = entry.artifact_created
    return ev.ArtifactCreated(
        artifact_id=created.artifact_id,
        kind=created.kind,
        version=created.version,
        proposal_id=created.proposal_id,
    )


def _artifact_changed(entry: log_pb.LogEntry) -> ev.Event:
    changed = entry.artifact_changed
    return ev.ArtifactChanged(
        artifact_id=changed.artifact_id,
        kind=changed.kind,
        version=changed.version,
        summary=changed.summary,
        proposal_id=changed.proposal_id,
    )


def _artifact_archived(entry: log_pb.LogEntry) -> ev.Event:
    archived = entry.artifact_archived
    return ev.ArtifactArchived(
        artifact_id=archived.artifact_id,
        kind=archived.kind,
        version=archived.version,
        proposal_id=archived.proposal_id,
    )


def _proposal_created(entry: log_pb.LogEntry) -> ev.Event:
    created = entry.proposal_created
    return ev.ProposalCreated(
        proposal_id=created.proposal_id, artifact_id=created.artifact_id, rationale=created.rationale
    )


def _proposal_resolved(entry: log_pb.LogEntry) -> ev.Event:
    resolved = entry.proposal_resolved
    return ev.ProposalResolved(
        proposal_id=resolved.proposal_id,
        artifact_id=resolved.artifact_id,
        decision=DECISION_OF[resolved.decision],
        proposer=actors.from_proto(resolved.proposer),
        changes=described(resolved.changes) if resolved.HasField("changes") else "",
        reason=resolved.reason,
        version=resolved.version,
    )


def _run_started(entry: log_pb.LogEntry) -> ev.Event:
    started = entry.run_started
    trigger = TRIGGER_OF[started.trigger]
    return ev.RunStarted(run_id=entry.run_id, thread_id=entry.thread_id, trigger=trigger, trace_id=started.trace_id)


def _tool_called(entry: log_pb.LogEntry) -> ev.Event:
    called = entry.tool_called
    return ev.ToolCalled(
        run_id=entry.run_id,
        thread_id=entry.thread_id,
        tool_call_id=called.tool_call_id,
        tool_name=called.tool_name,
        arguments_summary=called.arguments_summary,
        arguments_sha256=called.arguments_sha256,
    )


def _tool_returned(entry: log_pb.LogEntry) -> ev.Event:
    returned = entry.tool_returned
    return ev.ToolReturned(
        run_id=entry.run_id,
        thread_id=entry.thread_id,
        tool_call_id=returned.tool_call_id,
        tool_name=returned.tool_name,
        status=TOOL_STATUS_OF[returned.status],
        summary=returned.summary,
    )


def _run_paused(entry: log_pb.LogEntry) -> ev.Event:
    paused = entry.run_paused
    return ev.RunPaused(
        run_id=entry.run_id,
        thread_id=entry.thread_id,
        requests=tuple(map(_deferred_request, paused.requests)),
        usage=_usage(paused),
    )


def _deferred_answered(entry: log_pb.LogEntry) -> ev.Event:
    answered = entry.deferred_answered
    return ev.DeferredAnswered(
        run_id=entry.run_id,
        thread_id=entry.thread_id,
        tool_call_id=answered.tool_call_id,
        answer=answered.answer,
        approved=answered.approved if answered.HasField("approved") else None,
    )


def _run_ended(entry: log_pb.LogEntry) -> ev.Event:
    ended = entry.run_ended
    return ev.RunEnded(
        run_id=entry.run_id,
        thread_id=entry.thread_id,
        status=RUN_STATUS_OF[ended.status],
        usage=_usage(ended),
        error=ended.error,
        reason=ended.reason,
    )


def _app_event(entry: log_pb.LogEntry) -> ev.Event:
    return ev.AppEvent(name=entry.app_event.name, data=entry.app_event.data_json, thread_id=entry.thread_id)


def _deferred_request(request: runs_pb.DeferredRequest) -> ev.DeferredRequest:
    return ev.DeferredRequest(
        tool_call_id=request.tool_call_id,
        tool_name=request.tool_name,
        kind=DEFERRED_KIND_OF[request.kind],
        arguments=request.arguments_json,
    )


def _usage(of: log_pb.RunPaused | log_pb.RunEnded) -> ev.Usage | None:
    if not of.HasField("usage"):
        return None
    used = of.usage
    return ev.Usage(requests=used.requests, input_tokens=used.input_tokens, output_tokens=used.output_tokens)


_READERS: Final[Mapping[Any, Callable[[log_pb.LogEntry], ev.Event]]] = {
    "thread_created": _thread_created,
    "thread_mode_changed": _thread_mode_changed,
    "focus_changed": _focus_changed,
    "message_posted": _message_posted,
    "artifact_created": _artifact_created,
    "artifact_changed": _artifact_changed,
    "artifact_archived": _artifact_archived,
    "proposal_created": _proposal_created,
    "proposal_resolved": _proposal_resolved,
    "run_started": _run_started,
    "tool_called": _tool_called,
    "tool_returned": _tool_returned,
    "run_paused": _run_paused,
    "deferred_answered": _deferred_answered,
    "run_ended": _run_ended,
    "app_event": _app_event,
}
"""How each event of the contract is read; a test proves it complete."""
