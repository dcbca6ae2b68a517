"""What a test asserts on: everything that a workspace's log has of people and runs, and how to wait for more of it."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeVar

from pydantic_ai.messages import ModelRequest, UserPromptPart

from artifactr.agent.history import load_history
from artifactr.core.events import Envelope, Event, ToolCalled, ToolReturned, ToolStatus
from artifactr.testing.script import notes_in
from artifactr.workspace import Workspace

E = TypeVar("E", bound=Event)

PATIENCE: Final = timedelta(seconds=30)
"""How long an entry is waited for unless said otherwise; it takes milliseconds on an idle machine."""


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """One tool call as the log has it; `status` is None until it has returned. Texts are clipped as recorded."""

    tool_call_id: str
    tool_name: str
    arguments: str
    """JSON text."""
    status: ToolStatus | None = None
    answer: str = ""


@dataclass(frozen=True)
class Log:
    """The log of a workspace, through any handle of it."""

    workspace: Workspace

    async def entries(self, *, run_id: str = "") -> list[Envelope]:
        """All entries, or those of one run with what its tools changed, oldest first."""
        entries: list[Envelope] = []
        while page := await self.workspace.read(after=entries[-1].log_sequence if entries else 0):
            entries.extend(page)
        return [entry for entry in entries if run_id in {"", entry.run_id}]

    async def events(self, kind: type[E], *, run_id: str = "") -> list[E]:
        """The events of one kind, such as `RunEnded`, of the whole log or of one run."""
        return [entry.event for entry in await self.entries(run_id=run_id) if isinstance(entry.event, kind)]

    async def wait_for(
        self,
        kind: type[E],
        where: Callable[[E], object] = lambda _: True,
        *,
        after: int = 0,
        within: timedelta = PATIENCE,
    ) -> E:
        """The first event of a kind that fits, once the log holds it.

        Args:
            kind: such as `RunPaused`.
            where: what it has to fit besides.
            after: the log position after which to look.
            within: how long to wait.

        Raises:
            AssertionError: none came in time; the message says what the log held instead.
        """
        try:
            async with asyncio.timeout(within.total_seconds()), aclosing(self.workspace.subscribe(after)) as batches:
                async for batch in batches:
                    for entry in batch:
                        if isinstance(entry.event, kind) and where(entry.event):
                            return entry.event
        except TimeoutError:
            pass
        held = "\n".join(f"{entry.log_sequence} {entry.event}" for entry in await self.entries())
        raise AssertionError(f"no {kind.__name__} that fits came within {within}; the log holds:\n{held}")

    async def calls(self, *, run_id: str = "") -> list[ToolCall]:
        """The tool calls in the order in which they were made, each with how it went."""
        returned = {it.tool_call_id: it for it in await self.events(ToolReturned, run_id=run_id)}
        return [
            ToolCall(
                tool_call_id=called.tool_call_id,
                tool_name=called.tool_name,
                arguments=called.arguments_summary,
                status=returned[called.tool_call_id].status if called.tool_call_id in returned else None,
                answer=returned[called.tool_call_id].summary if called.tool_call_id in returned else "",
            )
            for called in await self.events(ToolCalled, run_id=run_id)
        ]

    async def notes(self, thread_id: str) -> list[str]:
        """The change notes that a thread's agent was told in all its runs, as its saved history has them."""
        history = await load_history(self.workspace, thread_id)
        parts = [part for message in history if isinstance(message, ModelRequest) for part in message.parts]
        return notes_in([str(part.content) for part in parts if isinstance(part, UserPromptPart)])
