"""Which notes a thread must have been told, one entry of the log at a time: the rules read anew, beside the code.

A fact is a change, a proposal or a decision, named so that it can be recognised in the words of a note.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from artifactr.core.actors import agent_of
from artifactr.core.events import (
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    ArtifactEvent,
    Decision,
    Envelope,
    FocusChanged,
    ProposalCreated,
    ProposalResolved,
    RunEnded,
    RunPaused,
    RunStarted,
)
from pydantic_ai import ModelMessage
from pydantic_ai.messages import UserPromptPart

_VERBS = {Decision.ACCEPT: "accepted", Decision.REJECT: "rejected", Decision.WITHDRAW: "withdrew"}
_HAPPENED = {ArtifactCreated: "created", ArtifactArchived: "archived"}


@dataclass(frozen=True)
class Segment:
    """A segment that its thread's history retains: the number of its start, and the head at its last request."""

    started: int
    listened: int


def retained(log: Sequence[Envelope], thread_id: str, heads: Sequence[tuple[str, int]]) -> Iterator[Segment]:
    """The segments that were not abandoned and that asked the model something [CN-14].

    `heads` are the head of the log at each request to the model, with the run that made it.
    """
    begun: dict[str, int] = {}
    for entry in log:
        match entry.event:
            case RunStarted(thread_id=thread) if thread == thread_id:
                begun[entry.run_id] = entry.log_sequence
            case RunPaused(run_id=run_id, thread_id=thread) | RunEnded(run_id=run_id, thread_id=thread):
                started = begun.pop(run_id, entry.log_sequence)  # a paused run that is stopped has no segment then
                own = [head for run, head in heads if run == run_id and started <= head < entry.log_sequence]
                if thread == thread_id and own and getattr(entry.event, "reason", "") != "abandoned":
                    yield Segment(started, own[-1])
            case _:
                pass


def expected(log: Sequence[Envelope], thread_id: str, segments: Sequence[Segment]) -> dict[str, int]:
    """Every fact that the thread must have been told, with its number on the log [CN-03 to CN-05, CN-11, CN-15]."""
    facts = {}
    told = 0
    for segment in segments:
        for entry in log[told : segment.listened]:
            # What a segment missed is judged by what its thread covers at its start, the rest by what it covers then.
            until = max(entry.log_sequence, segment.started)
            fact = _fact(entry, log, thread_id, _covered(log[:until], thread_id))
            if fact:
                facts[fact] = entry.log_sequence
        told = max(told, segment.listened)
    return facts


def _fact(entry: Envelope, log: Sequence[Envelope], thread_id: str, covered: Collection[str]) -> str:
    """The fact that an entry is for the agent of the thread; empty for none."""
    if entry.actor.participant == agent_of(thread_id):
        return ""
    event = entry.event
    if isinstance(event, ProposalResolved):
        own = event.proposer.participant == agent_of(thread_id)
        return f"{_VERBS[event.decision]} {event.proposal_id}" if own else ""
    if not isinstance(event, ArtifactEvent | ProposalCreated) or event.artifact_id not in covered:
        return ""
    if isinstance(event, ProposalCreated):
        return f"proposed {event.proposal_id}"
    if _own(event.proposal_id, log, thread_id):
        return ""
    return event.summary if isinstance(event, ArtifactChanged) else f"{_HAPPENED[type(event)]} {event.artifact_id}"


def _own(proposal_id: str, log: Sequence[Envelope], thread_id: str) -> bool:
    """Whether the thread's agent is the author of a proposal: its acceptance tells the change [CN-09]."""
    return any(
        entry.actor.participant == agent_of(thread_id)
        for entry in log
        if isinstance(entry.event, ProposalCreated) and entry.event.proposal_id == proposal_id
    )


def _covered(log: Sequence[Envelope], thread_id: str) -> Collection[str]:
    """What the thread follows after these entries, and what was created in it [CN-03]."""
    focus: Sequence[str] = ()
    created = set()
    for entry in log:
        if isinstance(entry.event, FocusChanged) and entry.event.thread_id == thread_id:
            focus = entry.event.artifact_ids
        elif isinstance(entry.event, ArtifactCreated) and entry.thread_id == thread_id:
            created.add(entry.event.artifact_id)
    return {*focus, *created}


def told(history: Sequence[ModelMessage]) -> list[list[str]]:
    """The notes in a history in their order, each as the facts that it tells in one line [CN-08]."""
    prompts = [str(part.content) for message in history for part in message.parts if isinstance(part, UserPromptPart)]
    elements = [prompt for prompt in prompts if prompt.startswith("<workspace-changes>")]
    return [list(_facts_in(line)) for element in elements for line in element.splitlines()[1:-1]]


def _facts_in(line: str) -> Iterator[str]:
    changed = re.fullmatch(r"- .+ (changed|created) (art_\d) \(plan, [^)]+\)(?:: (.+))?", line)
    if changed is not None:
        verb, artifact_id, summaries = changed.groups()
        if verb == "created":
            yield f"created {artifact_id}"
        for summary in summaries.split("; ") if summaries else ():
            yield f"archived {artifact_id}" if summary == "archived" else summary
        return
    proposal = re.match(r"- .+ (proposed) a change to art_\d \((prp_\w+)\): better$", line) or re.match(
        r"- .+ (accepted|rejected|withdrew) your proposal (prp_\w+) for art_\d\b", line
    )
    assert proposal is not None, line
    yield f"{proposal[1]} {proposal[2]}"
