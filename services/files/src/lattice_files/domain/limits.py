"""How long and how large: every figure that files enforces [L-05, L-06]."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The figures; each may be set for a deployment."""

    file_bytes: int = 50 * 1024 * 1024
    storage_quota: int | None = None
    """The most bytes that the blobs of one tenant may have together; None for any number [SE-06]."""
    spool_quota: int = 512 * 1024 * 1024
    """The most bytes that the calls of one tenant may have a process keep on its disk at once [SE-11]."""
    batch_commands: int = 200
    batch_bytes: int = 1024 * 1024
    """The most that the arguments of a batch may take together: a proposal of it travels in one message."""
    check_out: timedelta = timedelta(minutes=30)
    """How long a check-out lasts, and from when it is extended."""
    check_out_total: timedelta = timedelta(hours=8)
    """How long one check-out may last with all its extensions."""
    late_check_in: timedelta = timedelta(hours=24)
    """How long after its end a check-out may still be checked in, while nothing happened since [F-05]."""
    edit: timedelta = timedelta(seconds=40)
    """How long one edit may take in all; shorter than its lease, so no edit outlives it."""
    edit_lease: timedelta = timedelta(seconds=45)
    commit: timedelta = timedelta(seconds=5)
    """How long one transaction may take, its wait for the workspace included [X-06]."""
    slot: timedelta = timedelta(seconds=10)
    """How long a call without a deadline of its own waits for a free worker."""
    collection_grace: timedelta = timedelta(hours=24)
    """How long a blob stays that nothing names: longer than any write takes from its first blob to its commit."""

    def __post_init__(self) -> None:
        """Refuse figures that contradict each other."""
        if self.spool_quota < self.file_bytes:
            raise ValueError("the largest file must fit the spool")
        if self.edit >= self.edit_lease:
            raise ValueError("an edit must end before its lease does")
        if self.check_out > self.check_out_total:
            raise ValueError("a check-out cannot last longer than all its extensions together")
