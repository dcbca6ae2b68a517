"""Where other replicas reach the one that holds a claim [RN-16]."""

from alembic import op
from sqlalchemy import Column, Text, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("claims", Column("address", Text, nullable=False, server_default=text("''")))
