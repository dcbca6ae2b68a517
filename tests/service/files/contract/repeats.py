"""What a repeat of each call that carries a request id differs in, and what is answered to others."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from service.files.contract.good_call import GoodCall
from service.files.contract.places import Place

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """What is known of a call beside its good request."""

    other_body: Callable[[Any], object]
    """Changes the first message so that it is still a good one."""
    by: str = "bob"
    """Another participant who may do it, too."""
    refused: str
    """What the other participant is told who sends the same after the first; empty where that is answered."""


def _sets(path: str, value: object) -> Callable[[Any], object]:
    *steps, name = path.split(".")

    def changed(message: Any) -> None:  # noqa: ANN401 - a message of any call
        for step in steps:
            message = getattr(message, step)
        setattr(message, name, value)

    return changed


def _renamed(message: Any) -> None:  # noqa: ANN401 - a message with a name
    message.name += "-2"


_RATIONALE: Final = _sets("context.rationale", "another reason")

REPEATS: Final[Mapping[str, Repeat]] = {
    "ArtifactsService/RegisterType": Repeat(other_body=_sets("force", value=False), by="oscar", refused=""),
    "ArtifactsService/CreateArtifact": Repeat(other_body=_RATIONALE, refused="INVALID_STATE"),
    "ArtifactsService/EditArtifact": Repeat(other_body=_RATIONALE, refused="VERSION_CONFLICT"),
    "ArtifactsService/ArchiveArtifact": Repeat(other_body=_RATIONALE, refused="INVALID_STATE"),
    "ArtifactsService/RestoreRevision": Repeat(other_body=_RATIONALE, refused="VERSION_CONFLICT"),
    "ProposalsService/ProposeChange": Repeat(other_body=_RATIONALE, refused="INVALID_STATE"),
    "ProposalsService/AcceptProposal": Repeat(other_body=_RATIONALE, refused="INVALID_STATE"),
    "ProposalsService/RejectProposal": Repeat(other_body=_sets("reason", "never"), refused="INVALID_STATE"),
    "ProposalsService/WithdrawProposal": Repeat(other_body=_RATIONALE, refused="FORBIDDEN"),
    "NativeFilesService/UploadFile": Repeat(
        other_body=_sets("header.file_name", "other.fake"), refused="INVALID_STATE"
    ),
    "NativeFilesService/CheckOut": Repeat(other_body=_renamed, refused="ARTIFACT_BUSY"),
    "NativeFilesService/ExtendCheckOut": Repeat(other_body=_sets("token", 2), refused="ARTIFACT_BUSY"),
    "NativeFilesService/CheckIn": Repeat(other_body=_sets("header.summary", "other words"), refused="LEASE_EXPIRED"),
    "NativeFilesService/BreakCheckOut": Repeat(other_body=_sets("reason", "other words"), by="oscar", refused=""),
    "NativeFilesService/Edit": Repeat(other_body=_sets("summary", "other words"), refused="VERSION_CONFLICT"),
    "ArtifactsService.EditArtifact-proposed": Repeat(other_body=_RATIONALE, refused="FORBIDDEN"),
    "NativeFilesService.Edit-superseding": Repeat(other_body=_RATIONALE, refused="FORBIDDEN"),
}
"""By method, or by call where one of several differs; a test fails where one is missing."""

GATED: Final = frozenset(
    {
        "NativeFilesService.UploadFile",
        "NativeFilesService.CheckOut",
        "NativeFilesService.ExtendCheckOut",
        "NativeFilesService.CheckIn",
        "NativeFilesService.Edit",
        "NativeFilesService.Edit-superseding",
        "ProposalsService.AcceptProposal-batch",
    }
)
"""The calls that need the app to be on."""


def repeat_of(call: GoodCall) -> Repeat:
    """What is known of a call."""
    return REPEATS.get(str(call)) or REPEATS[call.method]


def with_other_body(call: GoodCall, requests: Sequence[Message]) -> Sequence[Message]:
    """Another good request under the same id."""
    first = type(requests[0])()
    first.CopyFrom(requests[0])
    repeat_of(call).other_body(first)
    return [first, *requests[1:]]


def told(answers: Sequence[Message], place: Place) -> str:
    """What was answered, but for where and when."""
    text = "\n".join(map(MessageToJson, answers))
    return _TIME.sub("a time", text.replace(place.workspace, "a workspace"))
