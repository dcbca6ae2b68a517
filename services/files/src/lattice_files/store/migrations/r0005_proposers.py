"""The participant key of a proposal's author, kind and id, which the database takes from the proposal [AC-02].

`proposer_key`, the id alone, is left to replicas of before: nothing reads it any more.
"""

from alembic import op
from sqlalchemy import Column, Computed, Text, text

revision = "0005"
down_revision = "0004"

_PROPOSER = "(proposal->'proposer'->>'kind') || ':' || (proposal->'proposer'->>'id')"


def upgrade() -> None:
    """Add the column, which fills itself for the rows that there are."""
    op.add_column("proposals", Column("proposer", Text, Computed(_PROPOSER, persisted=True)))
    op.alter_column("proposals", "proposer_key", server_default=text("''"))
