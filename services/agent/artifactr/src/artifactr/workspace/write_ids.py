"""The ids of a run's writes: they follow from the run, the tool call and the write's place in it [MP-20].

So a repeat of a call, by a retry below us or by whoever resumes the run, is answered by files as the first was.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from uuid import NAMESPACE_OID, uuid4, uuid5

_tool_call: Final = ContextVar("artifactr_tool_call", default="")


@contextmanager
def during_tool_call(tool_call_id: str) -> Iterator[None]:
    """What is written in the block, in its task and in those that it starts, belongs to this tool call."""
    token = _tool_call.set(tool_call_id)
    try:
        yield
    finally:
        _tool_call.reset(token)


class WriteIds:
    """Makes the request ids of what one handle writes; calls that run at once do not get into each other's order."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._written: Counter[str] = Counter()

    def next(self) -> str:
        """The id of the next write; any at all outside a tool call of a run, where nothing would be repeated."""
        tool_call = _tool_call.get()
        if not self._run_id or not tool_call:
            return str(uuid4())
        ordinal = self._written[tool_call]
        self._written[tool_call] += 1
        return str(uuid5(NAMESPACE_OID, f"{self._run_id}/{tool_call}/{ordinal}"))
