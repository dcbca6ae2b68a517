"""What artifactr answers, as messages of the contract."""

from typing import Any, assert_never

from artifactr import Runner
from artifactr.core.events import Envelope
from artifactr.core.frames import (
    AppLive,
    Draft,
    Frame,
    PartEnded,
    PartStarted,
    TextDelta,
    ThinkingDelta,
    ToolArgsDelta,
)
from artifactr.core.runs import Run
from artifactr.core.threads import Thread
from artifactr.wire import actors
from artifactr.wire.enums import MODES, RUN_STATUSES
from artifactr.wire.to_entry import deferred_request
from artifactr.workspace import Workspace
from artifactr.workspace.watching import Entry, Progress, WatchEvent
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.names import RunName, ThreadName
from lattice_chassis.paging import Cursor


def thread(workspace: Workspace, it: Thread) -> threads_pb.Thread:
    """A thread."""
    return threads_pb.Thread(
        name=str(ThreadName(workspace.tenant, workspace.workspace, it.id)),
        thread_id=it.id,
        title=it.title,
        mode=MODES[it.mode],
        focus=it.focus,
        active_run_id=it.active_run_id,
        agent_name=it.agent_name,
    )


def agent(runner: Runner[Any, Any]) -> threads_pb.Agent:
    """The agent of a runner."""
    return threads_pb.Agent(agent_name=runner.agent_name, description=runner.description)


def run(workspace: Workspace, it: Run) -> runs_pb.Run:
    """A run; answered requests are no longer pending."""
    return runs_pb.Run(
        name=str(RunName(workspace.tenant, workspace.workspace, it.id)),
        run_id=it.id,
        thread_id=it.thread_id,
        status=RUN_STATUSES[it.status],
        pending=[deferred_request(request) for request in it.open_requests],
        trace_ids=it.trace_ids,
        error=it.error,
        failure_reason=it.reason,
        principal=actors.to_proto(it.principal.actor),
    )


def entry(envelope: Envelope) -> log_pb.LogEntry:
    """An entry in full, as it is stored: what this version does not know is passed on [EV-03]."""
    return log_pb.LogEntry.FromString(envelope.wire)


def cursor(position: Cursor) -> names_pb2.Cursor:
    """A position."""
    return names_pb2.Cursor(epoch=position.epoch, sequence=position.sequence)


def watch_event(event: WatchEvent) -> log_pb.WatchLogResponse:
    """An entry or a mark, with the position after it."""
    match event:
        case Entry():
            return log_pb.WatchLogResponse(entry=entry(event.envelope), cursor=cursor(event.cursor))
        case Progress():
            return log_pb.WatchLogResponse(cursor=cursor(event.cursor))
        case _:
            assert_never(event)


def frame(it: Frame) -> runs_pb.WatchRunResponse:  # noqa: PLR0911 - one line a frame reads best
    """A live frame, as a message of a watch."""
    match it:
        case PartStarted(index=index, kind=kind, tool_name=tool_name):
            started = runs_pb.PartStarted(index=index, kind=kind, tool_name=tool_name)
            return runs_pb.WatchRunResponse(part_started=started)
        case TextDelta(text=text):
            return runs_pb.WatchRunResponse(text_delta=_whole_characters(text))
        case ThinkingDelta(text=text):
            return runs_pb.WatchRunResponse(thinking_delta=_whole_characters(text))
        case ToolArgsDelta(text=text):
            return runs_pb.WatchRunResponse(tool_arguments_delta=_whole_characters(text))
        case PartEnded(index=index):
            return runs_pb.WatchRunResponse(part_ended=runs_pb.PartEnded(index=index))
        case Draft(artifact_id=artifact_id, kind=kind, data=data):
            draft = runs_pb.Draft(artifact_id=artifact_id, kind=kind, data_json=data)
            return runs_pb.WatchRunResponse(draft=draft)
        case AppLive(name=name, data=data):
            return runs_pb.WatchRunResponse(app_live=runs_pb.AppLive(name=_whole_characters(name), data_json=data))
        case _:
            assert_never(it)


def _whole_characters(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which JSON can hold and UTF-8 cannot."""
    return text.encode(errors="replace").decode()
