"""The barrier of reads: a client that names a change of its own in files reads what was recorded after it [MP-18]."""

from artifactr.workspace import Workspace
from lattice_chassis.errors import ValidationFailed


async def caught_up(workspace: Workspace, min_change_sequence: int) -> None:
    """Take up files' changes through a number first; 0 names none.

    Raises ValidationFailed for a number that files has not given out, PeerUnavailable where files cannot be reached and
    the change was not taken up before.
    """
    if min_change_sequence < 0:
        raise ValidationFailed(errors=[("min_change_sequence", "must not be negative")])
    if min_change_sequence:
        await workspace.ingest(min_change_sequence)
