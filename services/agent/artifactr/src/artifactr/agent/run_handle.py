"""A run that this process executes, for whoever waits for it or stops it."""

import asyncio
from typing import Any, Generic, TypeVar

from pydantic_ai import AgentRunResult, CancellationToken

OutputT = TypeVar("OutputT")


class RunHandle(Generic[OutputT]):
    """A run that this process executes."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.token = CancellationToken()
        """Cancelling it stops the run."""
        self.ended: asyncio.Future[AgentRunResult[OutputT]] = asyncio.get_running_loop().create_future()
        """Done once the end of the run is recorded."""
        self.ended.add_done_callback(_seen)

    async def wait(self) -> AgentRunResult[OutputT]:
        """The result, once the run finished or paused; cancelling the waiter leaves the run alone [RN-19, RN-21].

        Raises:
            RunCancelled: the run was stopped.
            Exception: what failed it.
        """
        return await asyncio.shield(self.ended)


def _seen(ended: asyncio.Future[AgentRunResult[Any]]) -> None:
    """Nobody has to wait for a run: an error that nobody fetched is on the record all the same."""
    ended.exception()
