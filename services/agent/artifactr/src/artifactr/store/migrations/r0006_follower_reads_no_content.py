"""The follower role looks for what was left behind, and has no business with the log and the histories [TN-03]."""

from lattice_chassis.postgres.migrations import follower_reads_only

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Leave it what `left_behind` reads, and the memory of requests, which it purges."""
    follower_reads_only("threads", "runs", "messages", "claims", "requests")
