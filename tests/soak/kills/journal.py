"""What the clients did and were told, and how a client asks until it is answered."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

import grpc
from lattice_chassis.errors import RefusedByPeer, refusal_of

Kind = Literal["upload", "edit", "check_out", "extend", "check_in", "release", "switch_on", "switch_off", "send"]

ANSWERED_WITHIN: Final = 90.0
"""Seconds in which every call must be answered, whatever is killed meanwhile."""

_ATTEMPT: Final = 30.0
_PAUSE: Final = 0.1

_ASK_AGAIN: Final = frozenset({"PEER_UNAVAILABLE", "SHUTTING_DOWN", "APP_TIMEOUT", "APP_CRASHED"})
"""Reasons that answer nothing: somebody was down, or too slow."""

_CUT_OFF: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
"""What gRPC itself says where the server died under the call."""

_Answer = TypeVar("_Answer")


@dataclass(kw_only=True)
class Write:
    """One write of a client, under one `request_id`, from its first attempt to its answer."""

    who: str
    kind: Kind
    mark: str
    """Words that this write alone leaves behind: in the document, a summary, a reason or a message."""
    artifact_id: str = ""
    began: float = 0.0
    """When the first attempt began, on the monotonic clock."""
    ended: float = 0.0
    attempts: int = 0
    answer: Any = None
    """The response; None for a refused write."""
    refusal: str = ""
    """The reason that refused it."""

    def __str__(self) -> str:
        told = self.refusal or "answered"
        return f"{self.who}'s {self.kind} {self.mark} on {self.artifact_id or '-'}, {told} at attempt {self.attempts}"


@dataclass(kw_only=True)
class Journal:
    """All writes of one play in the order in which they began, and what should never have been told."""

    writes: list[Write] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def done(self, *kinds: Kind) -> list[Write]:
        """The writes of these kinds that were answered."""
        return [it for it in self.writes if it.kind in kinds and it.answer is not None]

    def refused(self, *kinds: Kind) -> list[Write]:
        """The writes of these kinds that were refused."""
        return [it for it in self.writes if it.kind in kinds and it.refusal]

    async def write(self, write: Write, call: Callable[[], Awaitable[_Answer]]) -> _Answer | None:
        """Send the same request again and again until it is answered; None where it is refused."""
        self.writes.append(write)
        write.began = time.monotonic()

        async def attempt() -> _Answer:
            write.attempts += 1
            return await call()

        try:
            write.answer = answer = await self._until_answered(attempt)
        except RefusedByPeer as refused:
            write.refusal = refused.reason
            return None
        except TimeoutError:
            self.faults.append(f"never answered: {write}")
            return None
        finally:
            write.ended = time.monotonic()
        return answer

    async def read(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Ask until there is an answer. Raises RefusedByPeer, or TimeoutError after ANSWERED_WITHIN."""
        return await self._until_answered(call)

    async def _until_answered(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        async with asyncio.timeout(ANSWERED_WITHIN):
            while True:
                try:
                    async with asyncio.timeout(_ATTEMPT):
                        return await call()
                except TimeoutError:
                    continue
                except grpc.aio.AioRpcError as error:
                    self._look_at(error)
                await asyncio.sleep(_PAUSE)

    def _look_at(self, error: grpc.aio.AioRpcError) -> None:
        """Go on asking, or raise the refusal that answers the call."""
        refused = refusal_of(error)
        if refused is None:
            if error.code() not in _CUT_OFF:
                self.faults.append(f"a failure without a reason: {error.code().name} {error.details()}")
        elif refused.reason == "INTERNAL":
            self.faults.append(f"INTERNAL, in trace {refused.metadata.get('trace_id')}")
        elif refused.reason not in _ASK_AGAIN:
            raise refused
