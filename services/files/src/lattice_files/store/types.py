"""The types of artifacts: the deployment's, not a tenant's [AT-01, TN-06]."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.dialects.postgresql import insert

from lattice_files.domain.kinds import ArtifactType
from lattice_files.domain.policies import WritePolicy
from lattice_files.store.tables import artifact_types
from lattice_files.store.unit_of_work import Reading, Work


async def load(reading: Reading, kind: str) -> ArtifactType | None:
    """The type of a kind; None for one that nobody registered."""
    query = select(artifact_types).where(artifact_types.c.kind == kind)
    row = (await reading.connection.execute(query)).one_or_none()
    return None if row is None else _type(row)


async def list_types(reading: Reading) -> Sequence[ArtifactType]:
    """All registered types, by kind."""
    rows = await reading.connection.execute(select(artifact_types).order_by(artifact_types.c.kind))
    return [_type(row) for row in rows]


async def save(work: Work, registered: ArtifactType) -> bool:
    """Store a registration that follows the one before it; False where another one came first."""
    values = {"schema": registered.schema, "write_policy": registered.policy.value}
    row = insert(artifact_types).values(kind=registered.kind, schema_revision=registered.revision, **values)
    statement: Any = row.on_conflict_do_nothing()
    if registered.revision > 1:
        before = (artifact_types.c.kind == registered.kind, artifact_types.c.schema_revision == registered.revision - 1)
        statement = update(artifact_types).where(*before).values(schema_revision=registered.revision, **values)
    saved = await work.connection.execute(statement.returning(artifact_types.c.kind))
    return saved.one_or_none() is not None


def _type(row: Row[Any]) -> ArtifactType:
    return ArtifactType(
        kind=row.kind, schema=row.schema, policy=WritePolicy(row.write_policy), revision=row.schema_revision
    )
