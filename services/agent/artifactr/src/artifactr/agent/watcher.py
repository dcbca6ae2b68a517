"""What a run hears of while it lasts: others' changes as notes, new messages in the thread as they are [CN-02, TH-04].

It takes files' feed up and reads the log where the model listens: before each request, and once more before a final
output is accepted. So nothing is late that was committed before, nothing waits in a queue that a crash could lose, and
what was told is known exactly [29.4 steps 3 to 6].
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from lattice_chassis.errors import PeerUnavailable

from artifactr.agent.session import Session
from artifactr.core.events import Envelope, MessagePosted
from artifactr.core.notes import Note, Viewpoint, brief, change_notes, follow
from artifactr.core.segments import StartedSegment


class Watcher:
    """Follows the log on behalf of one run."""

    def __init__(self, session: Session[object], started: StartedSegment, view: Viewpoint) -> None:
        self._session = session
        self._boundary = started.boundary
        self._view = view
        self._judged = started.notes_after
        self._unheard: list[Envelope] = []
        self._taken = 0
        self.delivered = started.notes_after
        """The greatest log position up to which all was judged and every note is in a request of this run [CN-13]."""
        self.taken = 0
        """The log position of the last message that reached the model while it ran; 0 for none."""

    async def look(self) -> int | None:
        """Take up all that files has committed, answer its number, and read what is new on the log for `heard`.

        None where files cannot be asked: what is left out then gets a position after all that was judged, and is told
        later [MP-17].
        """
        workspace = self._session.workspace
        try:
            change_sequence = await workspace.barrier()
        except PeerUnavailable:
            change_sequence = None
        self._unheard.extend(await workspace.since(self._seen))
        return change_sequence

    def heard(self) -> list[str]:
        """What the looks since the last time saw, as prompts for the model in log order; notes that touch are one.

        The first time it covers what the thread missed since its history was last saved [CN-02, CN-16].
        """
        envelopes, self._unheard = self._unheard, []
        missed = [it for it in envelopes if it.log_sequence <= self._boundary]
        live = [it for it in envelopes if it.log_sequence > self._boundary]
        briefed = brief(self._view, missed)
        noted = follow(briefed.view, live)
        self._view = noted.view
        messages = list(self._messages(live))
        if envelopes:
            self._judged = envelopes[-1].log_sequence
        if messages:
            self._taken = messages[-1].log_sequence
        return _prompts([*briefed.notes, *noted.notes], messages)

    def reached_the_model(self) -> None:
        """Everything heard so far is inside the request that is about to be sent, or was silent."""
        self.delivered = self._judged
        self.taken = self._taken

    @property
    def _seen(self) -> int:
        """The log position through which it has looked."""
        return self._unheard[-1].log_sequence if self._unheard else self._judged

    def _messages(self, envelopes: Sequence[Envelope]) -> Iterator[Note]:
        """Messages that others posted in the thread after the one that this run took [TH-08]."""
        for envelope in envelopes:
            event = envelope.event
            if (
                isinstance(event, MessagePosted)
                and event.thread_id == self._session.thread_id
                and envelope.actor.participant != self._session.thread_id
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
