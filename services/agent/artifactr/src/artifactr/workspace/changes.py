"""Commands on artifacts and proposals: files carries them out, and decides [MP-01]."""

from artifactr.core.actors import Caller
from artifactr.core.changes import Change, ProposalAnswer, ProposeChange
from artifactr.core.outcomes import Outcome, Resolved
from artifactr.ports import Artifacts, Proposals, Write

ArtifactCommand = Change | ProposeChange | ProposalAnswer


async def commit(
    artifacts: Artifacts, proposals: Proposals, caller: Caller, command: ArtifactCommand, write: Write
) -> Outcome | Resolved:
    """Have a command carried out; see the ports for what they raise."""
    if isinstance(command, Change):
        return await artifacts.change(caller, command, write)
    if isinstance(command, ProposeChange):
        return await proposals.propose(caller, command.change, write)
    return await proposals.answer(caller, command, write)
