"""Where a watcher stands: a number in the history of a workspace, seen under one registry.

A cursor's epoch names both. A deployment that declares other integrations or other defaults answers other snapshots, so
a watcher that went on from its old one would never hear of the difference: it is told to start again [SB-05, MP-22].
"""

from lattice_chassis.paging import NEVER_WRITTEN, Cursor, CursorReset, sequence_after

from lattice_integrations.domain.registry import Registry

__all__ = ["Cursor", "cursor_at", "revision_after"]


def cursor_at(sequence: int, now: Cursor | None, registry: Registry) -> Cursor:
    """The position after `sequence` in the history whose head is `now`, None for a workspace never written to."""
    return Cursor(epoch=f"{(now or NEVER_WRITTEN).epoch}.{registry.digest}", sequence=sequence)


def revision_after(cursor: Cursor, now: Cursor | None, registry: Registry) -> int:
    """The revision after which a watch goes on; CursorReset for a position of another history or registry."""
    epoch, _, digest = cursor.epoch.rpartition(".")
    if digest != registry.digest:
        raise CursorReset(epoch=cursor_at(0, now, registry).epoch)
    try:
        return sequence_after(Cursor(epoch=epoch, sequence=cursor.sequence), now)
    except CursorReset:
        raise CursorReset(epoch=cursor_at(0, now, registry).epoch) from None
