"""Where the live output of runs goes, and where it is watched from: a ring of frames for each run [LO-01, LO-02]."""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from artifactr.core.frames import Frame, RunKey, characters

KEPT_FRAMES: Final = 1_024
"""Frames kept of a run: what a new watcher gets first, and how far a slow one may fall behind [LO-02]."""

KEPT_CHARACTERS: Final = 4_000_000
"""Characters kept of a run, whichever is reached first."""

LONGEST_FRAME: Final = 1_000_000
"""Characters of the longest frame; a longer one is left out, as no message of a watch could carry it."""

ENDED_RUNS: Final = 10_000
"""Ended runs that are remembered, so that watching one ends at once [LO-02]."""

_log: Final = logging.getLogger("artifactr.live")


class Live(Protocol):
    """Takes the frames of the runs of this process, and gives them to whoever watches. None of it may block or fail.

    A runner begins a run with each of its segments and says how that went: `pause` or `end`. All calls come from the
    runner's event loop.
    """

    streams: bool
    """Whether models are asked for their answers word by word; otherwise the parts of an answer come whole."""

    def begin(self, run: RunKey) -> None:
        """A segment of the run begins."""
        ...

    def put(self, run: RunKey, frame: Frame) -> None:
        """The run produced a frame; one that has ended, or has not begun, produces nothing."""
        ...

    def pause(self, run: RunKey) -> None:
        """The segment ended, and the run waits for people; it may go on here, elsewhere or never."""
        ...

    def end(self, run: RunKey) -> None:
        """The run has ended, here or elsewhere; again is harmless."""
        ...

    def watch(self, run: RunKey) -> AsyncGenerator[Frame, None]:
        """What the run's newest segment has produced here so far, then the rest, through pauses, until `end`.

        For a run that has ended it ends at once. Close it, as by `contextlib.aclosing`, where it is left before.
        """
        ...


@dataclass(eq=False)
class _Ring:
    """The newest frames of a run, and how many came before; a watcher is a position among all of them."""

    frames: deque[Frame] = field(default_factory=deque)
    dropped: int = 0
    characters: int = 0
    segment: int = 0
    """Where the newest segment begins."""
    running: bool = False
    ended: bool = False
    watchers: int = 0
    _waiting: set[asyncio.Future[None]] = field(default_factory=set)

    @property
    def position(self) -> int:
        """The position after the newest frame."""
        return self.dropped + len(self.frames)

    def append(self, frame: Frame, most: int) -> None:
        self.frames.append(frame)
        self.characters += characters(frame)
        while len(self.frames) > most or self.characters > KEPT_CHARACTERS:
            self.characters -= characters(self.frames.popleft())
            self.dropped += 1
        self.wake()

    def wake(self) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def news(self) -> None:
        """Return once there is another frame, or the run has ended."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            await waiting
        finally:
            self._waiting.discard(waiting)


class LiveBuffers:
    """Keeps the newest frames of each run that runs or is watched here; the default of a runner.

    A watcher that falls behind by more than is kept loses the oldest frames that it has not read, and slows nobody
    down. Of a paused run that nobody watches nothing is kept.

    Args:
        streams: whether models are asked for their answers word by word, which takes this process about 0.05 ms for
            each word, watched or not.
        kept: how many frames are kept of a run.
    """

    def __init__(self, *, streams: bool = True, kept: int = KEPT_FRAMES) -> None:
        self.streams = streams
        self._kept = kept
        self._rings: dict[RunKey, _Ring] = {}
        self._ended: OrderedDict[RunKey, None] = OrderedDict()

    def begin(self, run: RunKey) -> None:
        """A segment of the run begins: who comes from now on gets what it produces."""
        ring = self._rings.setdefault(run, _Ring())
        ring.running, ring.segment = True, ring.position

    def put(self, run: RunKey, frame: Frame) -> None:
        """Keep a frame and wake who watches; that of a run that does not run here, or too long a one, is left out."""
        ring = self._rings.get(run)
        if ring is None or not ring.running:
            return
        if characters(frame) > LONGEST_FRAME:
            _log.warning("a live frame of more than %d characters is left out", LONGEST_FRAME)
            return
        ring.append(frame, self._kept)

    def pause(self, run: RunKey) -> None:
        """The segment ended; who watches goes on."""
        ring = self._rings.get(run)
        if ring is not None:
            ring.running = False
            self._forget_if_idle(run, ring)

    def end(self, run: RunKey) -> None:
        """The run has ended: who watches gets what is kept, and then the end."""
        self._ended[run] = None
        self._ended.move_to_end(run)
        if len(self._ended) > ENDED_RUNS:
            self._ended.popitem(last=False)
        ring = self._rings.pop(run, None)
        if ring is not None:
            ring.running, ring.ended = False, True
            ring.wake()

    async def watch(self, run: RunKey) -> AsyncGenerator[Frame, None]:
        """See Live."""
        if run in self._ended:
            return
        ring = self._rings.setdefault(run, _Ring())
        ring.watchers += 1
        position = ring.segment
        try:
            while True:
                while position < ring.position:
                    position = max(position, ring.dropped)
                    frame = ring.frames[position - ring.dropped]
                    position += 1
                    yield frame
                if ring.ended:
                    return
                await ring.news()
        finally:
            ring.watchers -= 1
            self._forget_if_idle(run, ring)

    def _forget_if_idle(self, run: RunKey, ring: _Ring) -> None:
        if not ring.running and not ring.watchers and self._rings.get(run) is ring:
            del self._rings[run]


async def until(over: asyncio.Future[Any], frames: AsyncGenerator[Frame, None]) -> AsyncGenerator[Frame, None]:
    """The frames until they end, or until `over` is done and what was there by then is told; raises what that does."""
    while True:
        coming = asyncio.ensure_future(anext(frames, None))
        try:
            await asyncio.wait({coming, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not coming.done():
                coming.cancel()
                await asyncio.wait({coming})
        if coming.cancelled():
            over.result()
            return
        if (frame := coming.result()) is None:
            return
        yield frame
