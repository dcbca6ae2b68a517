"""What was erased stays so: a late writer is refused by the database itself [ER-02]."""

from lattice_chassis.postgres.migrations import refuse_what_was_erased

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table of what was erased, and guard all others."""
    refuse_what_was_erased()
