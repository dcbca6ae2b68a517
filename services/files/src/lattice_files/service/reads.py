"""Reading artifacts, revisions and proposals: never gated, never locked [N-05, WP-04]."""

from collections.abc import Sequence
from dataclasses import dataclass

from lattice_files.domain.artifacts import Artifact, Revision
from lattice_files.domain.proposals import Proposal, ProposalState, is_stale
from lattice_files.domain.rejections import InvalidState, NotFound
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, proposals
from lattice_files.store.unit_of_work import Reading


@dataclass(frozen=True, kw_only=True)
class ProposalView:
    """A proposal as it stands, and whether the file changed under it [AMB-07]."""

    proposal: Proposal
    stale: bool


async def require_artifact(reading: Reading, artifact_id: str, version: int | None = None) -> Revision:
    """An artifact at its current version, or at a named one.

    Raises:
        NotFound: there is no such artifact, or no such version of it.
    """
    found = await artifacts.load(reading, artifact_id, version)
    if found is not None:
        return found
    if version is not None and await artifacts.load(reading, artifact_id) is not None:
        raise NotFound(entity="revision", id=f"{artifact_id}/revisions/{version}")
    raise NotFound(entity="artifact", id=artifact_id)


async def require_proposal(reading: Reading, proposal_id: str) -> proposals.Current:
    """A proposal, with the digest of the current content that it is about.

    Raises:
        NotFound: there is none.
    """
    found = await proposals.load(reading, proposal_id)
    if found is None:
        raise NotFound(entity="proposal", id=proposal_id)
    return found


async def require_unused_proposal(reading: Reading, proposal_id: str) -> None:
    """Refuse an id chosen for a proposal that another one has [ID-01].

    Raises:
        InvalidState: it was used before.
    """
    if proposal_id and await proposals.load(reading, proposal_id) is not None:
        raise InvalidState(why=f"the proposal id {proposal_id} was used before")


async def get_revision(
    resources: Resources, scope: WorkspaceKey, artifact_id: str, version: int | None = None
) -> Revision:
    """An artifact with the change that made it so, current or at a version."""
    async with resources.unit.reading(scope) as reading:
        return await require_artifact(reading, artifact_id, version)


async def list_artifacts(
    resources: Resources,
    scope: WorkspaceKey,
    *,
    kind: str,
    name_contains: str,
    archived: bool,
    after: int,
    limit: int,
) -> Sequence[tuple[int, Artifact]]:
    """Current artifacts with their places in the order of creation, oldest first [SG-03]."""
    async with resources.unit.reading(scope) as reading:
        return await artifacts.list_current(
            reading, kind=kind, name_contains=name_contains, archived=archived, after=after, limit=limit
        )


async def list_revisions(
    resources: Resources, scope: WorkspaceKey, artifact_id: str, *, after: int, limit: int
) -> Sequence[Revision]:
    """The revisions of an artifact above a version, oldest first."""
    async with resources.unit.reading(scope) as reading:
        await require_artifact(reading, artifact_id)
        return await artifacts.list_revisions(reading, artifact_id, after=after, limit=limit)


async def get_proposal(resources: Resources, scope: WorkspaceKey, proposal_id: str) -> ProposalView:
    """A proposal as it stands."""
    async with resources.unit.reading(scope) as reading:
        return _view(await require_proposal(reading, proposal_id))


async def list_proposals(
    resources: Resources,
    scope: WorkspaceKey,
    *,
    state: ProposalState | None,
    artifact_id: str,
    proposer_key: str,
    after: int,
    limit: int,
) -> Sequence[tuple[int, ProposalView]]:
    """Proposals with their places in the order of creation, oldest first."""
    async with resources.unit.reading(scope) as reading:
        found = await proposals.list_proposals(
            reading, state=state, artifact_id=artifact_id, proposer_key=proposer_key, after=after, limit=limit
        )
    return [(place, _view(current)) for place, current in found]


def _view(current: proposals.Current) -> ProposalView:
    proposal, head_digest = current
    return ProposalView(proposal=proposal, stale=is_stale(proposal, head_digest))
