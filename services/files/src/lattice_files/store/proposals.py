"""Proposals, as they are read."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, and_, select

from lattice_files.domain.proposals import Proposal, ProposalState
from lattice_files.store import stored
from lattice_files.store.tables import artifacts, proposals, revisions
from lattice_files.store.unit_of_work import Reading

Current = tuple[Proposal, str | None]
"""A proposal, and the digest of the current content of the native file that it is about, if there is one."""


async def load(reading: Reading, proposal_id: str) -> Current | None:
    """A proposal as it stands; None where there is none."""
    query = _proposals(reading).where(proposals.c.proposal_id == proposal_id)
    row = (await reading.connection.execute(query)).one_or_none()
    return None if row is None else _current(row)


async def list_proposals(
    reading: Reading, *, state: ProposalState | None, artifact_id: str, proposer_key: str, after: int, limit: int
) -> Sequence[tuple[int, Current]]:
    """Proposals, each with its place in the order of creation, after that place and oldest first.

    `artifact_id` and `proposer_key` are empty and `state` is None for all.
    """
    query = _proposals(reading).where(proposals.c.created_sequence > after)
    if state is not None:
        query = query.where(proposals.c.state == state.value)
    if artifact_id:
        query = query.where(proposals.c.artifact_id == artifact_id)
    if proposer_key:
        query = query.where(proposals.c.proposer == proposer_key)
    rows = await reading.connection.execute(query.order_by(proposals.c.created_sequence).limit(limit))
    return [(row.created_sequence, _current(row)) for row in rows]


def _proposals(reading: Reading) -> Select[Any]:
    subject = [artifacts.c[name] == proposals.c[name] for name in ("tenant", "workspace", "artifact_id")]
    head = [revisions.c[name] == artifacts.c[name] for name in ("tenant", "workspace", "artifact_id", "version")]
    joined = proposals.outerjoin(artifacts, and_(*subject)).outerjoin(revisions, and_(*head))
    digest = revisions.c.data["native"]["digest"].as_string().label("head_digest")
    return (
        select(proposals.c.proposal, proposals.c.created_sequence, digest)
        .select_from(joined)
        .where(reading.own(proposals))
    )


def _current(row: Row[Any]) -> Current:
    return stored.PROPOSAL.validate_python(row.proposal), row.head_digest
