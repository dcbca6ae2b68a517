"""Change notes: what the agent of a thread is told about the work of others [CN-01 to CN-11].

Notes are judged over whole commits, so that the change which accepting the agent's own proposal makes is covered by the
note on the decision and never told twice. Whatever the batches, each relevant change is told once; within one batch all
changes of an artifact are one note.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from artifactr.core import marks
from artifactr.core.actors import agent_of
from artifactr.core.events import (
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    ArtifactEvent,
    Batch,
    Decision,
    Envelope,
    FocusChanged,
    ProposalCreated,
    ProposalResolved,
)


@dataclass(frozen=True, kw_only=True)
class Viewpoint:
    """What the agent of a thread hears of: what the thread follows, and what was created in it [CN-03]."""

    thread_id: str
    focus: frozenset[str] = frozenset()
    created_here: frozenset[str] = frozenset()

    @property
    def viewer(self) -> str:
        """The participant key of the thread's agent: every run of it is the same participant [CN-04]."""
        return agent_of(self.thread_id)

    def covers(self, artifact_id: str) -> bool:
        """Whether changes of the artifact are told."""
        return artifact_id in self.focus or artifact_id in self.created_here


@dataclass(frozen=True, kw_only=True)
class Note:
    """One line, at the log position of the first event that it tells of."""

    log_sequence: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Noted:
    """The notes of a batch in log order, and the viewpoint from which to judge the next one."""

    notes: tuple[Note, ...]
    view: Viewpoint


def brief(view: Viewpoint, batch: Batch) -> Noted:
    """Judge what a run missed: the focus is the thread's when the run starts, whatever it was before [CN-02, CN-15]."""
    return _judge(view, batch, focus_moves=False)


def follow(view: Viewpoint, batch: Batch) -> Noted:
    """Judge what happens while a run lasts: the focus is the thread's as of each envelope [CN-15]."""
    return _judge(view, batch, focus_moves=True)


def change_notes(notes: Iterable[Note]) -> str:
    """The notes as the model reads them, in one element; empty for none [CN-01].

    What people wrote cannot close the element: its angle brackets are escaped [SE-05].
    """
    lines = [f"- {escape(note.text, quote=False)}" for note in notes]
    return marks.element(marks.CHANGES, "\n".join(lines)) if lines else ""


def _judge(view: Viewpoint, batch: Batch, *, focus_moves: bool) -> Noted:
    told_by_decision = _own_accepted_proposals(view, batch)
    changes: dict[str, list[Envelope]] = {}
    notes: list[Note] = []
    for envelope in batch:
        view = _moved(view, envelope, focus_moves=focus_moves)
        if envelope.actor.participant == view.viewer:
            continue
        event = envelope.event
        if isinstance(event, ArtifactEvent):
            if view.covers(event.artifact_id) and event.proposal_id not in told_by_decision:
                changes.setdefault(event.artifact_id, []).append(envelope)
        elif isinstance(event, ProposalCreated):
            if view.covers(event.artifact_id):
                notes.append(Note(log_sequence=envelope.log_sequence, text=_proposal_note(envelope, event)))
        elif isinstance(event, ProposalResolved) and event.proposer.participant == view.viewer:
            notes.append(Note(log_sequence=envelope.log_sequence, text=_decision_note(envelope, event)))
    notes.extend(Note(log_sequence=run[0].log_sequence, text=_change_note(run)) for run in changes.values())
    return Noted(notes=tuple(sorted(notes, key=lambda note: note.log_sequence)), view=view)


def _own_accepted_proposals(view: Viewpoint, batch: Batch) -> frozenset[str]:
    """The agent's own proposals accepted within the batch: their artifact events are in it too [CN-09, CN-10]."""
    return frozenset(
        envelope.event.proposal_id
        for envelope in batch
        if isinstance(envelope.event, ProposalResolved)
        and envelope.event.decision is Decision.ACCEPT
        and envelope.event.proposer.participant == view.viewer
    )


def _moved(view: Viewpoint, envelope: Envelope, *, focus_moves: bool) -> Viewpoint:
    match envelope.event:
        case FocusChanged(thread_id=view.thread_id, artifact_ids=ids) if focus_moves:
            return replace(view, focus=frozenset(ids))
        case ArtifactCreated(artifact_id=created) if envelope.thread_id == view.thread_id:
            return replace(view, created_here=view.created_here | {created})
        case _:
            return view


def _change_note(envelopes: Sequence[Envelope]) -> str:
    """All changes of one artifact in one line [CN-06, CN-08]."""
    events = [envelope.event for envelope in envelopes if isinstance(envelope.event, ArtifactEvent)]
    first, last = events[0], events[-1]
    who = _joined({it.actor.participant: it.actor.display_name for it in envelopes}.values())  # [AC-02]
    if isinstance(first, ArtifactCreated):
        head = f"{who} created {first.artifact_id} ({first.kind}, v{last.version})"
    else:
        head = f"{who} changed {first.artifact_id} ({first.kind}, v{first.version - 1} → v{last.version})"
    summaries = "; ".join(filter(None, map(_summary, events)))
    return _line(f"{head}: {summaries}" if summaries else head)


def _summary(event: ArtifactEvent) -> str:
    match event:
        case ArtifactChanged(summary=summary):
            return summary
        case ArtifactArchived():
            return "archived"
        case ArtifactCreated():
            return ""


def _proposal_note(envelope: Envelope, event: ProposalCreated) -> str:
    head = f"{envelope.actor.display_name} proposed a change to {event.artifact_id} ({event.proposal_id})"
    return _line(f"{head}: {event.rationale}" if event.rationale else head)


def _decision_note(envelope: Envelope, event: ProposalResolved) -> str:
    """Who decided what on the agent's own proposal [CN-07]."""
    who, what = envelope.actor.display_name, f"your proposal {event.proposal_id} for {event.artifact_id}"
    if event.decision is Decision.ACCEPT:
        head = f"{who} accepted {what}, now v{event.version}"
        return _line(f"{head}, with changes: {event.changes}" if event.changes else head)
    verb = "rejected" if event.decision is Decision.REJECT else "withdrew"
    return _line(f"{who} {verb} {what}: {event.reason}" if event.reason else f"{who} {verb} {what}")


def _joined(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _line(text: str) -> str:
    """One line: a summary with line breaks must not look like several notes."""
    return " ".join(text.split())
