"""Artifacts and their revisions, as they are read."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Select, bindparam, select

from lattice_files.domain.artifacts import Artifact, Revision
from lattice_files.store import stored
from lattice_files.store.tables import artifacts, of_workspace, revisions
from lattice_files.store.unit_of_work import Reading

_COLUMNS: Final = [it for it in revisions.c if it.name not in {"tenant", "workspace"}]
_REVISIONS: Final[Select[Any]] = select(*_COLUMNS, artifacts.c.kind, artifacts.c.created_sequence).where(
    of_workspace(artifacts),
    *(artifacts.c[name] == revisions.c[name] for name in ("tenant", "workspace", "artifact_id")),
)
_OF_ARTIFACT: Final = _REVISIONS.where(artifacts.c.artifact_id == bindparam("artifact_id"))
_HEAD: Final = _OF_ARTIFACT.where(revisions.c.version == artifacts.c.version)
_KIND: Final = select(artifacts.c.kind).where(
    of_workspace(artifacts), artifacts.c.artifact_id == bindparam("artifact_id")
)
_VERSION: Final = _OF_ARTIFACT.where(revisions.c.version == bindparam("version"))
_LATER: Final = (
    _OF_ARTIFACT.where(revisions.c.version > bindparam("after"))
    .order_by(revisions.c.version)
    .limit(bindparam("limit", type_=BigInteger))
)


async def load(reading: Reading, artifact_id: str, version: int | None = None) -> Revision | None:
    """An artifact's revision, the current one unless a version is named; None where there is no such thing."""
    wanted = {**reading.key, "artifact_id": artifact_id}
    if version is None:
        row = (await reading.connection.execute(_HEAD, wanted)).one_or_none()
    else:
        row = (await reading.connection.execute(_VERSION, {**wanted, "version": version})).one_or_none()
    return None if row is None else _revision(row)


async def load_kind(reading: Reading, artifact_id: str) -> str | None:
    """The kind of an artifact, for the gate; None for an unknown one, which nothing governs [WP-03]."""
    kind: str | None = (await reading.connection.execute(_KIND, {**reading.key, "artifact_id": artifact_id})).scalar()
    return kind


async def list_current(
    reading: Reading, *, kind: str, name_contains: str, archived: bool, after: int, limit: int
) -> Sequence[tuple[int, Artifact]]:
    """Current artifacts, each with its place in the order of creation, after that place and oldest first.

    `kind` and `name_contains` are empty for all; archived ones are listed only where `archived` is set.
    """
    query = _REVISIONS.where(revisions.c.version == artifacts.c.version, artifacts.c.created_sequence > after)
    if kind:
        query = query.where(artifacts.c.kind == kind)
    if name_contains:
        query = query.where(revisions.c.data["name"].as_string().icontains(name_contains, autoescape=True))
    if not archived:
        query = query.where(artifacts.c.archived.is_(False))
    rows = await reading.connection.execute(query.order_by(artifacts.c.created_sequence).limit(limit), reading.key)
    return [(row.created_sequence, _revision(row).artifact) for row in rows]


async def list_revisions(reading: Reading, artifact_id: str, *, after: int, limit: int) -> Sequence[Revision]:
    """The revisions of an artifact above a version, oldest first."""
    wanted = {**reading.key, "artifact_id": artifact_id, "after": after, "limit": limit}
    return [_revision(row) for row in await reading.connection.execute(_LATER, wanted)]


def _revision(row: Row[Any]) -> Revision:
    return Revision(
        artifact=Artifact(
            id=row.artifact_id,
            kind=row.kind,
            version=row.version,
            data=row.data,
            updated_by=stored.ACTOR.validate_python(row.actor),
            update_time=row.committed_at,
            archived=row.archived,
        ),
        summary=row.summary,
        patch=None if row.patch is None else stored.PATCH.validate_python(row.patch),
        proposal_id=row.proposal_id,
        trace_id=row.trace_id,
        switch_revision=row.switch_revision,
    )
