"""Calls of files on behalf of a caller: under whose identity, by which names, and for how long."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from lattice_chassis.identity import acting_as
from lattice_chassis.names import ArtifactName, ProposalName, WorkspaceName

from artifactr.core.actors import Caller
from artifactr.files.refusals import calling_files
from artifactr.wire.identities import identity_of

MAX_PAGE: Final = 500
"""Items on the longest page of a list."""

EDIT_TIMEOUT: Final = timedelta(seconds=50)
"""Longer than files' own deadline for an edit, so that its answer and not ours decides [MP-33, L-05]; accepting a
proposal may run its batch again, which is one."""


@contextmanager
def calling_as(caller: Caller) -> Iterator[None]:
    """Call files under the caller's identity; raises what `calling_files` raises."""
    with acting_as(identity_of(caller)), calling_files():
        yield


def workspace_name(caller: Caller) -> str:
    """The resource name of the caller's workspace."""
    return str(WorkspaceName(caller.tenant, caller.workspace))


def artifact_name(caller: Caller, artifact_id: str) -> str:
    """The resource name of an artifact in it."""
    return str(ArtifactName(caller.tenant, caller.workspace, artifact_id))


def proposal_name(caller: Caller, proposal_id: str) -> str:
    """The resource name of a proposal in it."""
    return str(ProposalName(caller.tenant, caller.workspace, proposal_id))
