"""Saving a decision: the one place where versions are stored, changes numbered and the feed written [WP-01].

Nothing else writes artifacts, revisions, proposals or the feed.
"""

from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

from lattice_chassis.failpoints import failpoint
from lattice_chassis.postgres.dialect import DEFERRED
from lattice_chassis.postgres.workspaces import advance_head
from lattice_chassis.telemetry import current_trace_id, current_traceparent
from sqlalchemy import insert
from sqlalchemy.dialects.postgresql import insert as upsert

from lattice_files.domain.actors import Actor
from lattice_files.domain.artifacts import Revision
from lattice_files.domain.changes import Decision, Outcome
from lattice_files.domain.native import NativeFile, is_native
from lattice_files.domain.proposals import Proposal, ProposalState
from lattice_files.store import blobs, stored
from lattice_files.store.tables import artifacts, changes, proposals, revisions
from lattice_files.store.unit_of_work import Work

_ADD_ARTIFACT: Final = upsert(artifacts).execution_options(**DEFERRED)
_SAVE_ARTIFACT: Final = _ADD_ARTIFACT.on_conflict_do_update(
    index_elements=artifacts.primary_key.columns,
    set_={name: _ADD_ARTIFACT.excluded[name] for name in ("version", "archived")},
)
_ADD_PROPOSAL: Final = upsert(proposals).execution_options(**DEFERRED)
_SAVE_PROPOSAL: Final = _ADD_PROPOSAL.on_conflict_do_update(
    index_elements=proposals.primary_key.columns,
    set_={name: _ADD_PROPOSAL.excluded[name] for name in ("state", "proposal")},
)
_ADD_REVISION: Final = insert(revisions).execution_options(**DEFERRED)
_ADD_CHANGES: Final = insert(changes).execution_options(**DEFERRED)


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """Whose change it is, and where it belongs [AC-06]."""

    actor: Actor
    thread_id: str = ""
    switch_revision: int | None = None


async def save(work: Work, decision: Decision, attribution: Attribution) -> Outcome:
    """Store all of a decision, append its events to the feed, and answer what was done [MP-10].

    Raises:
        PeerUnavailable: a blob that it names was collected meanwhile; a repeat stores it again.
    """
    await _settle_blobs(work, decision)
    if decision.revision is not None:
        stamped = replace(
            decision.revision, trace_id=current_trace_id() or "", switch_revision=attribution.switch_revision
        )
        await _save_revision(work, stamped)
        failpoint("commit.revision_saved")
    for proposal in decision.proposals:
        await _save_proposal(work, proposal)
    await _append(work, decision, attribution)
    failpoint("commit.feed_appended")
    return Outcome(result=decision.result, change_sequence=work.head if decision.events else 0)


async def _settle_blobs(work: Work, decision: Decision) -> None:
    kept = frozenset[str]()
    if decision.revision is not None and is_native(decision.revision.artifact.kind):
        kept = NativeFile.of(decision.revision.artifact.data).digests
    pending, answered = frozenset[str](), frozenset[str]()
    for proposal in decision.proposals:
        if proposal.state is ProposalState.PENDING:
            pending |= proposal.digests
        else:
            answered |= proposal.digests
    await blobs.settle(work, kept=kept, pending=pending, released=answered)


async def _save_revision(work: Work, revision: Revision) -> None:
    artifact = revision.artifact
    current = {"version": artifact.version, "archived": artifact.archived}
    first = {"artifact_id": artifact.id, "kind": artifact.kind, "created_sequence": work.head + 1}
    await work.connection.execute(_SAVE_ARTIFACT, {**work.key, **first, **current})
    row = {
        **work.key,
        "artifact_id": artifact.id,
        "data": artifact.data,
        "patch": None if revision.patch is None else stored.dump(stored.PATCH, revision.patch),
        "summary": revision.summary,
        "actor": stored.dump(stored.ACTOR, artifact.updated_by),
        "proposal_id": revision.proposal_id,
        "trace_id": revision.trace_id,
        "switch_revision": revision.switch_revision,
        "committed_at": artifact.update_time,
        **current,
    }
    await work.connection.execute(_ADD_REVISION, row)


async def _save_proposal(work: Work, proposal: Proposal) -> None:
    row = {
        **work.key,
        "proposal_id": proposal.id,
        "artifact_id": proposal.artifact_id,
        "state": proposal.state.value,
        "proposal": stored.dump(stored.PROPOSAL, proposal),
        "created_sequence": work.head + 1,
    }
    await work.connection.execute(_SAVE_PROPOSAL, row)


async def _append(work: Work, decision: Decision, attribution: Attribution) -> None:
    """Number the events and put them into the feed; together they are one commit, never split [MP-12]."""
    if not decision.events:
        return
    first, last = work.head + 1, work.head + len(decision.events)
    actor = attribution.actor
    common = {
        **work.key,
        "commit_id": str(uuid4()),
        "commit_end": last,
        "actor": stored.dump(stored.ACTOR, actor),
        "thread_id": attribution.thread_id or actor.thread_id,
        "run_id": actor.run_id,
        "traceparent": current_traceparent() or "",
        "committed_at": work.now,
    }
    rows = [
        {**common, "change_sequence": number, "change_id": str(uuid4()), "event": stored.dump(stored.EVENT, event)}
        for number, event in enumerate(decision.events, start=first)
    ]
    await work.connection.execute(_ADD_CHANGES, rows)
    await advance_head(work.connection, work.workspace, last)
    work.heads.append(last)
