"""The pure rules of agent: who acts, what was recorded, and what may follow. No I/O, nothing of other layers.

Here are the commands, which `Workspace.commit` carries out; all else is imported from the module it stands in.
"""

from artifactr.core.changes import (
    AcceptProposal,
    ArchiveArtifact,
    CreateArtifact,
    EditArtifact,
    ProposeChange,
    RejectProposal,
    WithdrawProposal,
)
from artifactr.core.commands import AnswerDeferred, CreateThread, PostMessage, SetFocus, SetThreadMode

__all__ = [
    "AcceptProposal",
    "AnswerDeferred",
    "ArchiveArtifact",
    "CreateArtifact",
    "CreateThread",
    "EditArtifact",
    "PostMessage",
    "ProposeChange",
    "RejectProposal",
    "SetFocus",
    "SetThreadMode",
    "WithdrawProposal",
]
