"""Notes are looked up by their body."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the index."""
    op.create_index("notes_by_body", "notes", ["tenant", "workspace", "body"])
