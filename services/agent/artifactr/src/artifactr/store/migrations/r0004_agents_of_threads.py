"""The agent of each thread [TH-13]. Those of before name none, which makes them the default agent's."""

from alembic import op
from sqlalchemy import Column, Text, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("threads", Column("agent_name", Text, nullable=False, server_default=text("''")))
