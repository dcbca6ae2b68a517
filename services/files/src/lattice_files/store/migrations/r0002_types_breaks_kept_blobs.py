"""The types of artifacts, the record of broken check-outs, and a mark on blobs that revisions name."""

from alembic import op
from lattice_chassis.postgres.migrations import create_tenant_table, grant_to_service
from sqlalchemy import JSON, BigInteger, Boolean, CheckConstraint, Column, DateTime, Text, text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables, and mark what is named already."""
    op.create_table(
        "artifact_types",
        Column("kind", Text, primary_key=True),
        Column("schema", JSON, nullable=False),
        Column("write_policy", Text, nullable=False),
        Column("schema_revision", BigInteger, CheckConstraint("schema_revision >= 1"), nullable=False),
    )
    grant_to_service("artifact_types", "SELECT", "INSERT", "UPDATE")
    create_tenant_table(
        "broken_check_outs",
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("artifact_id", Text, primary_key=True),
        Column("token", BigInteger, primary_key=True),
        Column("lease", JSON, nullable=False),
        Column("breaker", JSON, nullable=False),
        Column("reason", Text, nullable=False),
        Column("broken_at", DateTime(timezone=True), nullable=False),
        service=("SELECT", "INSERT"),
    )
    op.add_column("blobs", Column("kept", Boolean, nullable=False, server_default=text("false")))
    op.create_index(
        "blobs_to_collect",
        "blobs",
        ["tenant", "workspace", "touched_at"],
        postgresql_where=text("NOT kept"),
    )
    # Row-level security holds the owner too, so the policies step aside for this one statement.
    for table in ("blobs", "revisions"):
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    op.execute(
        "UPDATE blobs SET kept = true FROM revisions r, LATERAL (VALUES"
        " (r.data->'native'->>'digest'), (r.data->'text'->>'digest'), (r.data->'review'->>'digest')) AS named (digest)"
        " WHERE (blobs.tenant, blobs.workspace, blobs.digest) = (r.tenant, r.workspace, named.digest)"
    )
    for table in ("blobs", "revisions"):
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
