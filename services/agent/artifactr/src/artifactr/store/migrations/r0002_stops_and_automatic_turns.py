"""Requests to stop a run, and how often a turn was begun without anybody asking [RN-15, RN-16]."""

from alembic import op
from sqlalchemy import Boolean, Column, SmallInteger, text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns, and an index of what has not ended, which is little beside all that has."""
    op.add_column("runs", Column("stop_requested", Boolean, nullable=False, server_default=text("false")))
    for table in ("runs", "messages"):
        op.add_column(table, Column("automatic_turns", SmallInteger, nullable=False, server_default=text("0")))
    op.create_index("runs_active", "runs", ["tenant"], postgresql_where=text("status IN ('running', 'paused')"))
