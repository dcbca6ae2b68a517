"""What a run hears of while it lasts: others' changes as notes, new messages in the thread as they are [CN-02, TH-04].

It takes files' feed up and reads the log where the model listens: before each request, and once more before a final
output is accepted. So nothing is late that was committed before, nothing waits in a queue that a crash could lose, and
what was told is known exactly [29.4 steps 3 to 6].
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import groupby
from typing import Final

from lattice_chassis.errors import PeerUnavailable

from artifactr.agent.session import Session
from artifactr.core.events import Batch, Envelope, FocusChanged, MessagePosted, ThreadModeChanged
from artifactr.core.notes import Note, Viewpoint, brief, change_notes, follow
from artifactr.core.segments import StartedSegment
from artifactr.core.threads import Thread

PATIENCE: Final = timedelta(seconds=2)
"""How long a look waits for files before it goes by what is on the log."""


class Watcher:
    """Follows the log on behalf of one run."""

    def __init__(
        self,
        session: Session[object],
        started: StartedSegment,
        view: Viewpoint,
        on_heard: Callable[[Batch], None],
    ) -> None:
        self._session = session
        self._started = started
        self._view = view
        self._on_heard = on_heard
        self._judged = started.notes_after
        self._thread: Thread | None = None
        self._heard: list[str] = []
        self._heard_through = 0
        self.delivered = started.notes_after
        """The greatest log position up to which all was judged and every note is in a request of this run [CN-13]."""
        self.taken = 0
        """The log position of the last message that reached the model while it ran; 0 for none."""

    async def look(self) -> bool:
        """Take up all that files has committed, hear what is new on the log, and answer whether that is all of it.

        The first time it covers what the thread missed since its history was last saved, judged by the focus at the
        start [CN-02, CN-15, CN-16]. False where files does not answer soon: what is left out then gets a position after
        all that was judged, and is told later [MP-17].
        """
        workspace = self._session.workspace
        complete = False
        with suppress(PeerUnavailable, TimeoutError):
            async with asyncio.timeout(PATIENCE.total_seconds()):
                await workspace.catch_up()
                complete = True
        envelopes = await workspace.since(self._judged, thread_id=self._session.thread_id)
        if envelopes:
            self._judge(envelopes)
            self._on_heard(envelopes)
        if self._thread is None or any(map(self._moves_thread, envelopes)):
            self._thread = await workspace.thread(self._session.thread_id)
        return complete

    @property
    def thread(self) -> Thread:
        """The thread as the last look saw it: its mode and what it follows."""
        if self._thread is None:
            raise RuntimeError("a run looks before it is told anything")
        return self._thread

    @property
    def has_news(self) -> bool:
        """Whether it heard what the model was not told yet."""
        return bool(self._heard)

    def tell(self) -> list[str]:
        """What the looks heard, as prompts for the model in log order; notes that touch are one.

        From now on it counts as told: it is put where the run's history is saved from in the same step.
        """
        prompts, self._heard = self._heard, []
        self.delivered = self._judged
        self.taken = self._heard_through
        return prompts

    def _judge(self, envelopes: Batch) -> None:
        missed = [it for it in envelopes if it.log_sequence <= self._started.log_sequence]
        live = [it for it in envelopes if it.log_sequence > self._started.log_sequence]
        briefed = brief(self._view, missed)
        noted = follow(briefed.view, live)
        self._view = noted.view
        messages = list(self._messages(envelopes))
        if messages:
            self._heard_through = messages[-1].log_sequence
        self._heard += _prompts([*briefed.notes, *noted.notes], messages)
        self._judged = envelopes[-1].log_sequence

    def _moves_thread(self, envelope: Envelope) -> bool:
        event = envelope.event
        return isinstance(event, FocusChanged | ThreadModeChanged) and event.thread_id == self._session.thread_id

    def _messages(self, envelopes: Batch) -> Iterator[Note]:
        """Messages that others posted in the thread after the one that this run took [TH-08]."""
        for envelope in envelopes:
            event = envelope.event
            if (
                isinstance(event, MessagePosted)
                and event.thread_id == self._session.thread_id
                and envelope.log_sequence > self._started.boundary
                and envelope.actor.participant != self._view.viewer
            ):
                yield Note(log_sequence=envelope.log_sequence, text=event.content)


def _prompts(notes: Sequence[Note], messages: Sequence[Note]) -> list[str]:
    spoken = {message.log_sequence for message in messages}
    heard = sorted([*notes, *messages], key=lambda it: it.log_sequence)
    prompts: list[str] = []
    for is_message, group in groupby(heard, key=lambda it: it.log_sequence in spoken):
        run = list(group)
        prompts.extend([it.text for it in run] if is_message else [change_notes(run)])
    return prompts
