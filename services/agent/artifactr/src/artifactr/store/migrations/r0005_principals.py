"""For whom runs work: whoever sent a message or started a run, with the roles that were verified then [SE-08].

Of messages from before it is their author, who was allowed to edit in the workspace. Of runs from before, and of those
that a replica of before still starts, nothing tells it for certain: one that pauses ends as forbidden once it goes on.
"""

from alembic import op
from sqlalchemy import JSON, Column

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns."""
    for table in ("messages", "runs"):
        op.add_column(table, Column("principal", JSON))
