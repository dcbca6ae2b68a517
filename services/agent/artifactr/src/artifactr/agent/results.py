"""How the outcome of a write reaches the model, and how an error of a tool does."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from lattice_chassis.errors import PeerUnavailable
from pydantic_ai import BinaryContent, ModelRetry, ToolFailed, ToolReturn, UsageLimitExceeded
from pydantic_core import to_json

from artifactr.core import marks
from artifactr.core.commands import Recorded
from artifactr.core.events import Decision
from artifactr.core.outcomes import Applied, Proposed, Resolved
from artifactr.core.rejections import Forbidden, Rejection, StaleClaim, VersionConflict

READ_AGAIN: Final = "Read the artifact again, then retry."
"""What a version conflict adds for the model [GT-03]."""
NOT_ALLOWED: Final = (
    "You may do no more than whoever started this run, and less than a person in some things. Nothing was changed; "
    "trying again will not help, so tell whoever asked you."
)
"""What a refusal for want of permission adds for the model [SE-08]."""


def describe_outcome(outcome: Applied | Proposed | Resolved | Recorded) -> str:
    """A standard sentence for the model about what a command did [GT-05, R-01, R-02]."""
    match outcome:
        case Applied():
            return f"Done. {outcome.artifact_id} is now at version {outcome.version}."
        case Proposed():
            return (
                f"Proposed as {outcome.proposal_id}: nothing changed yet. A person will review the change to "
                f"{outcome.artifact_id}, and you will be told what they decide."
            )
        case Resolved(decision=Decision.ACCEPT):
            return f"Accepted {outcome.proposal_id}: its artifact is now at version {outcome.version}."
        case Resolved(decision=Decision.REJECT):
            return f"Rejected {outcome.proposal_id}: nothing changed."
        case Resolved():
            return f"Withdrew {outcome.proposal_id}: nothing changed."
        case Recorded():
            return "Done."
        case _:
            assert_never(outcome)


def as_answer(error: Exception, *, last_attempt: bool) -> Exception:
    """What to raise in place of an error of a tool: a retry, a failure of this call alone, or the error itself.

    A rejection asks the model to retry, with its message [GT-03], in which what it quotes is inert [SE-05]. Where the
    retries are used up, the call fails and the run goes on [AMB-18], as it does when a peer is out of reach [R-07,
    AMB-03], and at once where the agent, or whoever it works for, may not do this: no retry would change that [SE-08].
    An overtaken run must end, so a stale claim stays what it is [RN-14].
    """
    match error:
        case StaleClaim():
            return error
        case Forbidden():
            return ToolFailed(f"Not allowed: {marks.inert(str(error))}. {NOT_ALLOWED}")
        case VersionConflict():
            message = f"{marks.inert(str(error))}. {READ_AGAIN}"
        case Rejection():
            message = marks.inert(str(error))
        case PeerUnavailable():
            return ToolFailed(
                f"{error}. Trying again at once will not help; a write may have taken effect all the same."
            )
        case _:
            return error
    return ToolFailed(message) if last_attempt else ModelRetry(message)


def reason_of(error: Exception) -> str:
    """The short code of a typed failure of a run, empty for any other [RN-17]."""
    match error:
        case Rejection():
            return error.reason.lower()
        case PeerUnavailable():
            return "peer_unavailable"
        case UsageLimitExceeded():
            return "usage_limit"
        case _:
            return ""


def summary_of(result: object) -> str:
    """A tool's result as text for the record; an image as its media type and size, never its bytes [RE-06]."""
    match result:
        case str():
            return result
        case ToolReturn():
            return summary_of(result.return_value)
        case BinaryContent():
            return f"[{result.media_type}, {len(result.data)} bytes]"
        case Mapping():
            return to_json({key: _without_bytes(value) for key, value in result.items()}, fallback=str).decode()
        case Sequence():
            return " ".join(map(summary_of, result))
        case _:
            return to_json(result, fallback=str).decode()


def clipped(text: str, limit: int) -> str:
    """The text, at most `limit` characters: the last one an ellipsis where something was cut [RE-02, IN-03]."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _without_bytes(value: object) -> object:
    return summary_of(value) if isinstance(value, BinaryContent | ToolReturn) else value
