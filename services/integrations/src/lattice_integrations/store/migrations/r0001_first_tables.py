"""The changes of switches, and the tables that every service has."""

from alembic import op
from lattice_chassis.postgres.migrations import create_tenant_table
from lattice_chassis.postgres.requests import request_columns
from lattice_chassis.postgres.workspaces import workspace_columns
from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, DateTime, Text
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    create_tenant_table("workspaces", *workspace_columns(), service=("SELECT", "INSERT", "UPDATE"))
    create_tenant_table("requests", *request_columns(), service=("SELECT", "INSERT"), follower=("SELECT", "DELETE"))
    create_tenant_table(
        "switch_changes",
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("revision", BigInteger, primary_key=True),
        Column("key", Text, nullable=False),
        Column("enabled_before", Boolean, nullable=False),
        Column("source_before", Text, nullable=False),
        Column("enabled", Boolean, nullable=False),
        Column("actor", JSONB, nullable=False),
        Column("reason", Text, nullable=False),
        Column("changed_at", DateTime(timezone=True), nullable=False),
        Column("traceparent", Text, nullable=False),
        CheckConstraint("revision > 0", name="switch_changes_count_from_one"),
        service=("SELECT", "INSERT"),  # who switched what is on record for good
    )
    op.create_index("switch_changes_by_key", "switch_changes", ["tenant", "workspace", "key", "revision"])
