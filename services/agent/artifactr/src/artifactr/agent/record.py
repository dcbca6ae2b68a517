"""What a run leaves on the log: its start, every tool call, and its end with the history [RN-05, RE-01, X-04]."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lattice_chassis.failpoints import failpoint
from lattice_chassis.metrics import METER
from lattice_chassis.telemetry import current_trace_id
from pydantic_ai import UserError
from pydantic_ai.messages import ModelMessage, RetryPromptPart, ToolCallPart, ToolReturnPart
from pydantic_ai.usage import RunUsage

from artifactr.agent.history import closing, dumped
from artifactr.agent.results import clipped
from artifactr.agent.session import Session
from artifactr.core.events import (
    DeferredKind,
    DeferredRequest,
    RunEnded,
    RunPaused,
    RunStatus,
    RunTrigger,
    ToolCalled,
    ToolReturned,
    ToolStatus,
    Usage,
    digest_of,
)
from artifactr.core.rejections import InvalidState, StaleClaim
from artifactr.core.segments import SegmentEnd, SegmentStart, StartedSegment

UNKNOWN: Final = "cut off: its outcome is unknown"

RUN_STATUS: Final = "lattice.run.status"
RUNS_ENDED: Final = METER.create_counter("lattice.runs.ended", "{run}", "Runs that ended or paused, by their status")
_RUNS_ACTIVE: Final = METER.create_up_down_counter(
    "lattice.runs.active", "{run}", "Runs that this process executes now"
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class SegmentTold:
    """What a segment and its model told each other.

    `messages` are the segment's new ones, `usage` is the whole run's; `notes_through` and `taken` are the log positions
    through which notes and messages reached the model.
    """

    messages: Sequence[ModelMessage]
    usage: RunUsage
    notes_through: int
    taken: int

    @property
    def used(self) -> Usage:
        """The usage as it is recorded."""
        return Usage(
            requests=self.usage.requests,
            input_tokens=self.usage.input_tokens,
            output_tokens=self.usage.output_tokens,
        )


class RunRecord:
    """The record of one run. Its tool calls may run at once; each is recorded on its own."""

    def __init__(self, session: Session[object], max_summary_chars: int) -> None:
        self._session = session
        self._workspace = session.workspace
        self._limit = max_summary_chars
        self._open: dict[str, str] = {}
        self._recording: set[asyncio.Future[None]] = set()
        """Returns on their way to the record."""
        self._unrecorded: list[ToolReturned] = []
        """Returns that were kept from it; the end takes them along."""
        self._became: dict[str, str] = {}
        """What became of calls, by their ids."""

    async def start(self) -> StartedSegment:
        """Record the start and take the prompt, or end the calls that people have answered or declined [AMB-29].

        A run without a claim first takes up what files has committed, as the runner does before it plans a turn, so
        that what the run is told is complete [MP-15].
        """
        session = self._session
        if session.trigger is RunTrigger.API:
            await self._workspace.catch_up()
        started = await self._workspace.start_segment(
            SegmentStart(
                run_id=session.run_id,
                thread_id=session.thread_id,
                trigger=session.trigger,
                taken=session.taken,
                claim=session.claim,
                trace_id=current_trace_id() or "",
                returned=self._answered(),
            )
        )
        _RUNS_ACTIVE.add(1)
        failpoint("segment.started")
        if session.resumed is not None:
            tools = {request.tool_call_id: request.tool_name for request in session.resumed.pending}
            self._open = {call: name for call, name in tools.items() if call in started.open_calls}
        session.on_started()
        return started

    async def called(self, call: ToolCallPart) -> None:
        """Record that a tool is called; one that asked for approval as it ran is on the record already.

        Raises:
            UserError: it was approved with other arguments than those it would run with now.
        """
        self._require_what_was_approved(call)
        if call.tool_call_id in self._open:
            return
        # Open before it is recorded: cut off in between, the end closes a call that may be on the log.
        self._open[call.tool_call_id] = call.tool_name
        await self._workspace.record(
            ToolCalled(
                run_id=self._session.run_id,
                thread_id=self._session.thread_id,
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                arguments_summary=clipped(call.args_as_json_str(), self._limit),
                arguments_sha256=digest_of(call.args_as_json_str()),
            )
        )
        failpoint("tool.called")

    def returned(self, tool_call_id: str, status: ToolStatus, summary: str) -> None:
        """Begin to record how an open call ended; `settle`, and the end of the run, wait for it.

        That of a run which was recorded as ended meanwhile is dropped [RN-14].
        """
        tool_name = self._open.pop(tool_call_id, None)
        if tool_name is None:
            return  # the end of the run closed it
        failpoint("tool.ran")
        self._became[tool_call_id] = summary
        returned = self._return(tool_call_id, tool_name, status, summary)
        self._recording.add(asyncio.ensure_future(self._record_return(returned)))

    async def settle(self) -> None:
        """Wait until all returns are on the record, and raise what kept one from it: no request goes out before.

        Cancelled, they are recorded all the same.
        """
        if self._recording:
            recorded, _ = await asyncio.wait(self._recording)
            self._recording -= recorded
            for it in recorded:
                it.result()

    async def _record_return(self, returned: ToolReturned) -> None:
        try:
            await self._workspace.record(returned)
            failpoint("tool.returned")
        except (InvalidState, StaleClaim):
            _log.warning("the return of a tool call came after its run had ended", extra=self._where)
        except Exception:
            self._unrecorded.append(returned)
            raise

    async def end(
        self,
        status: RunStatus,
        told: SegmentTold,
        *,
        reply: str = "",
        error: str = "",
        reason: str = "",
    ) -> None:
        """Record the end: open calls closed, the reply, the history and what was told, in one transaction [HI-03].

        A run that was recorded as abandoned meanwhile has ended already: this end is dropped [RN-14].
        """
        ended = RunEnded(
            run_id=self._session.run_id,
            thread_id=self._session.thread_id,
            status=status,
            usage=told.used,
            error=error,
            reason=reason,
        )
        await self._close(ended, told, reply=reply)

    async def pause(self, requests: Sequence[DeferredRequest], told: SegmentTold) -> None:
        """Record that the segment ends waiting for people; what it waits for stays open [PA-02]."""
        paused = RunPaused(
            run_id=self._session.run_id,
            thread_id=self._session.thread_id,
            requests=tuple(requests),
            usage=told.used,
        )
        for request in requests:
            self._open.pop(request.tool_call_id, None)
        await self._close(paused, told)

    async def _close(self, end: RunEnded | RunPaused, told: SegmentTold, *, reply: str = "") -> None:
        _RUNS_ACTIVE.add(-1)
        await asyncio.gather(*self._recording, return_exceptions=True)
        unknown = [
            self._return(tool_call_id, tool_name, ToolStatus.ERROR, UNKNOWN)
            for tool_call_id, tool_name in self._open.items()
        ]
        self._became |= dict.fromkeys(self._open, UNKNOWN)
        self._open.clear()
        self._session.on_ending()
        failpoint("segment.ending")
        waiting = end.requests if isinstance(end, RunPaused) else ()
        try:
            await self._workspace.end_segment(
                SegmentEnd(
                    end=end,
                    history=dumped([*self._unanswered(told.messages, waiting), *told.messages], paused=bool(waiting)),
                    notes_through=told.notes_through,
                    taken=told.taken,
                    reply=reply,
                    closing=[*self._unrecorded, *unknown],
                )
            )
            status = RunStatus.PAUSED if isinstance(end, RunPaused) else end.status
            RUNS_ENDED.add(1, {RUN_STATUS: status.value})
            failpoint("segment.ended")
        except (InvalidState, StaleClaim):
            _log.warning("the end of a run came after it was recorded as ended", extra=self._where)

    def _answered(self) -> list[ToolReturned]:
        """The calls that end with their answer: questions, and what was declined."""
        resumed = self._session.resumed
        if resumed is None:
            return []
        returned = []
        for request, answer in resumed.answered:
            if not answer.approved:
                status = ToolStatus.OK if answer.approved is None else ToolStatus.RETRY
                returned.append(self._return(request.tool_call_id, request.tool_name, status, answer.text))
                self._became[request.tool_call_id] = answer.text
        return returned

    def _require_what_was_approved(self, call: ToolCallPart) -> None:
        resumed = self._session.resumed
        for request in () if resumed is None else resumed.pending:
            approved = request.tool_call_id == call.tool_call_id and request.kind is DeferredKind.APPROVAL
            if approved and request.arguments_sha256 != digest_of(call.args_as_json_str()):
                raise UserError(f"{call.tool_name} was approved with other arguments than it would run with")

    def _unanswered(self, messages: Sequence[ModelMessage], waiting: Sequence[DeferredRequest]) -> list[ModelMessage]:
        """What closes the resumed calls that no message answers, as where the segment failed before one [HI-06]."""
        if self._session.resumed is None:
            return []
        told = {
            part.tool_call_id
            for message in messages
            for part in message.parts
            if isinstance(part, ToolReturnPart | RetryPromptPart)
        }
        told |= {request.tool_call_id for request in waiting}
        left = [request for request in self._session.resumed.pending if request.tool_call_id not in told]
        return [closing(left, self._became)] if left else []

    def _return(self, tool_call_id: str, tool_name: str, status: ToolStatus, summary: str) -> ToolReturned:
        return ToolReturned(
            run_id=self._session.run_id,
            thread_id=self._session.thread_id,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            status=status,
            summary=clipped(summary, self._limit),
        )

    @property
    def _where(self) -> dict[str, str]:
        return {"thread_id": self._session.thread_id, "run_id": self._session.run_id}
