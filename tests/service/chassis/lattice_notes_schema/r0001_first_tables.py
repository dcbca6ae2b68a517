"""Notes, and the tables that every service has."""

from lattice_chassis.postgres.migrations import create_tenant_table
from lattice_chassis.postgres.requests import request_columns
from lattice_chassis.postgres.workspaces import workspace_columns
from sqlalchemy import Column, Integer, Text

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    create_tenant_table("workspaces", *workspace_columns())
    create_tenant_table("requests", *request_columns(), follower=("SELECT", "DELETE"))
    create_tenant_table(
        "notes",
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("note", Integer, primary_key=True),
        Column("body", Text, nullable=False),
        follower=("SELECT",),
    )
