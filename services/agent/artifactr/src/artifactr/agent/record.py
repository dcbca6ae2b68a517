"""What a run leaves on the log: its start, every tool call, and its end with the history [RN-05, RE-01, X-04]."""

import logging
from collections.abc import Sequence

from lattice_chassis.telemetry import current_trace_id
from pydantic_ai.messages import ModelMessage, ToolCallPart
from pydantic_ai.usage import RunUsage

from artifactr.agent.history import dumped
from artifactr.agent.results import clipped
from artifactr.agent.session import Session
from artifactr.core.events import RunEnded, RunStatus, RunTrigger, ToolCalled, ToolReturned, ToolStatus, Usage
from artifactr.core.rejections import InvalidState, StaleClaim
from artifactr.core.segments import SegmentEnd, SegmentStart, StartedSegment

_log = logging.getLogger(__name__)


class RunRecord:
    """The record of one run. Its tool calls may run at once; each is recorded on its own."""

    def __init__(self, session: Session[object], max_summary_chars: int) -> None:
        self._session = session
        self._workspace = session.workspace
        self._limit = max_summary_chars
        self._open: dict[str, str] = {}

    async def start(self) -> StartedSegment:
        """Record the start and take the prompt.

        A run without a claim first takes up what files has committed, as the runner does before it plans a turn, so
        that what the run is told is complete [MP-15].
        """
        session = self._session
        if session.trigger is RunTrigger.API:
            await self._workspace.barrier()
        started = await self._workspace.start_segment(
            SegmentStart(
                run_id=session.run_id,
                thread_id=session.thread_id,
                trigger=session.trigger,
                taken=session.taken,
                claim=session.claim,
                trace_id=current_trace_id() or "",
            )
        )
        session.on_started()
        return started

    async def called(self, call: ToolCallPart) -> None:
        """Record that a tool is called."""
        # Open before it is recorded: cut off in between, the end closes a call that may be on the log.
        self._open[call.tool_call_id] = call.tool_name
        await self._workspace.record(
            ToolCalled(
                run_id=self._session.run_id,
                thread_id=self._session.thread_id,
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                arguments_summary=clipped(call.args_as_json_str(), self._limit),
            )
        )

    async def returned(self, tool_call_id: str, status: ToolStatus, summary: str) -> None:
        """Record how an open call ended. That of a run which was recorded as ended meanwhile is dropped [RN-14]."""
        tool_name = self._open.pop(tool_call_id, None)
        if tool_name is None:
            return  # the end of the run closed it
        try:
            await self._workspace.record(self._return(tool_call_id, tool_name, status, summary))
        except (InvalidState, StaleClaim):
            _log.warning("the return of a tool call came after its run had ended", extra=self._where)

    async def end(
        self,
        status: RunStatus,
        *,
        messages: Sequence[ModelMessage],
        usage: RunUsage,
        notes_through: int,
        taken: int,
        reply: str = "",
        error: str = "",
    ) -> None:
        """Record the end: open calls closed, the reply, the history and what was told, in one transaction [HI-03].

        A run that was recorded as abandoned meanwhile has ended already: this end is dropped [RN-14].
        """
        closing = [
            self._return(tool_call_id, tool_name, ToolStatus.ERROR, "cut off: its outcome is unknown")
            for tool_call_id, tool_name in self._open.items()
        ]
        self._open.clear()
        self._session.on_ending()
        ended = RunEnded(
            run_id=self._session.run_id,
            thread_id=self._session.thread_id,
            status=status,
            usage=Usage(requests=usage.requests, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens),
            error=error,
        )
        try:
            await self._workspace.end_segment(
                SegmentEnd(
                    end=ended,
                    history=dumped(messages),
                    notes_through=notes_through,
                    taken=taken,
                    reply=reply,
                    closing=closing,
                )
            )
        except (InvalidState, StaleClaim):
            _log.warning("the end of a run came after it was recorded as ended", extra=self._where)

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
