"""The tables of files, as queries name them; the migrations make them.

All but the types are of tenants' data: their keys begin with tenant and workspace, and row-level
security holds them to the tenant of the transaction [TN-03, TN-06]. JSON keeps the order of its keys [SG-06].
"""

from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Computed,
    DateTime,
    Integer,
    MetaData,
    Table,
    Text,
    Uuid,
    and_,
    bindparam,
)

metadata: Final = MetaData()


def _tenant_table(name: str, *columns: Column[Any]) -> Table:
    key = (Column("tenant", Text, primary_key=True), Column("workspace", Text, primary_key=True))
    return Table(name, metadata, *key, *columns)


def of_workspace(table: Table) -> ColumnElement[bool]:
    """That a row is of the workspace which the parameters `tenant` and `workspace` name.

    For the statements of every write: composing one takes longer than the database takes to answer, so they are
    composed once and run with `Reading.key` among their parameters.
    """
    return and_(table.c.tenant == bindparam("tenant"), table.c.workspace == bindparam("workspace"))


artifact_types: Final = Table(
    "artifact_types",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("schema", JSON, nullable=False),
    Column("write_policy", Text, nullable=False),
    Column("schema_revision", BigInteger, nullable=False),
)
"""The types of artifacts, registered for the whole deployment [AT-01]."""

artifacts: Final = _tenant_table(
    "artifacts",
    Column("artifact_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("created_sequence", BigInteger, nullable=False),
)
"""The current version of each artifact; what it holds is the revision of that version."""

revisions: Final = _tenant_table(
    "revisions",
    Column("artifact_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("data", JSON, nullable=False),
    Column("patch", JSON(none_as_null=True)),
    Column("summary", Text, nullable=False),
    Column("actor", JSON, nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("proposal_id", Text, nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("switch_revision", BigInteger),
    Column("committed_at", DateTime(timezone=True), nullable=False),
)
"""Every version of every artifact, for ever [AT-05]."""

proposals: Final = _tenant_table(
    "proposals",
    Column("proposal_id", Text, primary_key=True),
    Column("artifact_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("proposer", Text, Computed("(proposal->'proposer'->>'kind') || ':' || (proposal->'proposer'->>'id')")),
    Column("proposal", JSON, nullable=False),
    Column("created_sequence", BigInteger, nullable=False),
)

changes: Final = _tenant_table(
    "changes",
    Column("change_sequence", BigInteger, primary_key=True),
    Column("change_id", Uuid(as_uuid=False), nullable=False),
    Column("commit_id", Uuid(as_uuid=False), nullable=False),
    Column("commit_end", BigInteger, nullable=False),
    Column("actor", JSON, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("traceparent", Text, nullable=False),
    Column("event", JSON, nullable=False),
    Column("committed_at", DateTime(timezone=True), nullable=False),
)
"""The feed. `commit_end` is the number of the last row of the same commit, so that none is ever split."""

leases: Final = _tenant_table(
    "leases",
    Column("artifact_id", Text, primary_key=True),
    Column("token", BigInteger, nullable=False),
    Column("kind", Text),
    Column("holder", JSON(none_as_null=True)),
    Column("request_id", Text),
    Column("base_version", BigInteger),
    Column("acquired_at", DateTime(timezone=True)),
    Column("expires_at", DateTime(timezone=True)),
)
"""The last lease of each file; released, only the token is left. No row is ever deleted [L-01]."""

broken_check_outs: Final = _tenant_table(
    "broken_check_outs",
    Column("artifact_id", Text, primary_key=True),
    Column("token", BigInteger, primary_key=True),
    Column("lease", JSON, nullable=False),
    Column("breaker", JSON, nullable=False),
    Column("reason", Text, nullable=False),
    Column("broken_at", DateTime(timezone=True), nullable=False),
)
"""Who ended whose check-out, and why, for ever [F-18]."""

fences: Final = _tenant_table(
    "fences",
    Column("scope", Text, primary_key=True),
    Column("token", BigInteger, nullable=False),
)
"""The greatest token seen in each scope [MP-21]."""

blobs: Final = _tenant_table(
    "blobs",
    Column("digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("touched_at", DateTime(timezone=True), nullable=False),
    Column("kept", Boolean, nullable=False),
)
"""What the blob store holds, or is about to hold; `kept` once a revision names it, for then it stays [B-06, B-07]."""

storage: Final = _tenant_table("storage", Column("bytes", BigInteger, nullable=False))
"""How many bytes the blobs of each workspace have together; the database keeps it as their rows come and go."""

pages: Final = _tenant_table(
    "pages",
    Column("digest", Text, primary_key=True),
    Column("app", Text, primary_key=True),
    Column("app_version", Text, primary_key=True),
    Column("page", Integer, primary_key=True),
    Column("long_side", Integer, primary_key=True),
    Column("image_digest", Text, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
)
"""The cache of rendered pages, each an image in the blob store [B-01]."""
