"""The follower role purges the memory of requests, and has no business with documents [TN-03]."""

from lattice_chassis.postgres.migrations import follower_reads_only

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Take everything else from it."""
    follower_reads_only("requests")
