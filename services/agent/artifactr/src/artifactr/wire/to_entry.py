"""From events of agent's own, and from files' changes, to entries of the log."""

from typing import assert_never

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb

from artifactr.core import events as ev
from artifactr.wire.enums import DEFERRED_KINDS, MODES, RUN_STATUSES, TOOL_STATUSES, TRIGGERS


def from_event(event: ev.OwnEvent) -> log_pb.LogEntry:
    """The entry of an event: its oneof and what the event itself names of thread and run."""
    entry = log_pb.LogEntry()
    entry.thread_id = event.thread_id
    if isinstance(event, ev.AppEvent):
        entry.app_event.CopyFrom(log_pb.AppEvent(name=event.name, data_json=event.data))
    elif isinstance(event, ev.RunFact):
        entry.run_id = event.run_id
        _set_run_fact(entry, event)
    else:
        _set_thread_event(entry, event)
    return entry


def from_change(change: changes_pb.Change) -> log_pb.LogEntry:
    """The entry that a change in files becomes; it keeps its id, its number there, its time and who did it [MP-11].

    A kind of change that only a newer files knows becomes an entry without an event: it counts, and says who and when.
    """
    entry = log_pb.LogEntry(
        change_sequence=change.change_sequence,
        entry_id=change.change_id,
        time=change.commit_time,
        actor=change.actor,
        thread_id=change.thread_id,
        run_id=change.run_id,
        traceparent=change.traceparent,
    )
    event = change.WhichOneof("event")
    if event is not None:  # the oneofs name the events of files alike
        getattr(entry, event).CopyFrom(getattr(change, event))
    return entry


def _set_thread_event(entry: log_pb.LogEntry, event: ev.ThreadEvent) -> None:
    match event:
        case ev.ThreadCreated():
            created = log_pb.ThreadCreated(title=event.title, agent_name=event.agent_name)
            entry.thread_created.CopyFrom(created)
        case ev.ThreadModeChanged():
            entry.thread_mode_changed.CopyFrom(log_pb.ThreadModeChanged(mode=MODES[event.mode]))
        case ev.FocusChanged():
            entry.focus_changed.CopyFrom(log_pb.FocusChanged(artifact_ids=event.artifact_ids))
        case ev.MessagePosted():
            message = log_pb.MessagePosted(message_id=event.message_id, content=event.content)
            entry.message_posted.CopyFrom(message)
        case _:
            assert_never(event)


def _set_run_fact(entry: log_pb.LogEntry, event: ev.RunFact) -> None:
    match event:
        case ev.RunStarted():
            started = log_pb.RunStarted(trigger=TRIGGERS[event.trigger], trace_id=event.trace_id)
            entry.run_started.CopyFrom(started)
        case ev.ToolCalled():
            called = log_pb.ToolCalled(
                tool_call_id=event.tool_call_id,
                tool_name=event.tool_name,
                arguments_summary=event.arguments_summary,
                arguments_sha256=event.arguments_sha256,
            )
            entry.tool_called.CopyFrom(called)
        case ev.ToolReturned():
            returned = log_pb.ToolReturned(
                tool_call_id=event.tool_call_id,
                tool_name=event.tool_name,
                status=TOOL_STATUSES[event.status],
                summary=event.summary,
            )
            entry.tool_returned.CopyFrom(returned)
        case ev.RunPaused():
            requests = [deferred_request(request) for request in event.requests]
            entry.run_paused.CopyFrom(log_pb.RunPaused(requests=requests, usage=_usage(event.usage)))
        case ev.DeferredAnswered():
            answered = log_pb.DeferredAnswered(
                tool_call_id=event.tool_call_id, answer=event.answer, approved=event.approved
            )
            entry.deferred_answered.CopyFrom(answered)
        case ev.RunEnded():
            ended = log_pb.RunEnded(
                status=RUN_STATUSES[event.status], usage=_usage(event.usage), error=event.error, reason=event.reason
            )
            entry.run_ended.CopyFrom(ended)
        case _:
            assert_never(event)


def deferred_request(request: ev.DeferredRequest) -> runs_pb.DeferredRequest:
    """The request as the contract has it."""
    return runs_pb.DeferredRequest(
        tool_call_id=request.tool_call_id,
        tool_name=request.tool_name,
        kind=DEFERRED_KINDS[request.kind],
        arguments_json=request.arguments,
        arguments_sha256=request.arguments_sha256,
    )


def _usage(usage: ev.Usage | None) -> log_pb.Usage | None:
    if usage is None:
        return None
    return log_pb.Usage(requests=usage.requests, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
