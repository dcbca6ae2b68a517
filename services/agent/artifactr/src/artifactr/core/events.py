"""What the log holds: events, each in an envelope that says who, when and where [EV-01].

Events of agent are whole. Those that came from files are what agent decides upon; their full form stays in the store,
in the shape of the contract, and passes through it unchanged [EV-03].
"""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from artifactr.core.actors import Actor


class ThreadMode(StrEnum):
    """What the changes of a thread's agent become [TH-02]."""

    EDIT = "edit"
    SUGGEST = "suggest"


class RunTrigger(StrEnum):
    """Why a segment of a run began."""

    MESSAGE = "message"
    RESUME = "resume"
    API = "api"


class RunStatus(StrEnum):
    """Where a run stands [RN-01]."""

    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"


class ToolStatus(StrEnum):
    """How a tool call went [RE-03]."""

    OK = "ok"
    RETRY = "retry"
    ERROR = "error"


class DeferredKind(StrEnum):
    """What a paused run waits for."""

    QUESTION = "question"
    APPROVAL = "approval"


class Decision(StrEnum):
    """How a proposal was answered."""

    ACCEPT = "accept"
    REJECT = "reject"
    WITHDRAW = "withdraw"


def digest_of(arguments: str) -> str:
    """The SHA-256 of a call's arguments as JSON with sorted keys and no spaces; 64 hex digits.

    What the model wrote as arguments and is no JSON counts as it stands: such a call is refused, and recorded.
    """
    with contextlib.suppress(ValueError):
        arguments = json.dumps(json.loads(arguments), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(arguments.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a run used of the model."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class DeferredRequest:
    """One thing that a paused run waits for; `arguments` is JSON text."""

    tool_call_id: str
    tool_name: str
    kind: DeferredKind
    arguments: str = "{}"

    @property
    def arguments_sha256(self) -> str:
        """The digest of the arguments; an approved call runs with these and no others."""
        return digest_of(self.arguments)


@dataclass(frozen=True, kw_only=True)
class ThreadCreated:
    """A thread was created; `agent_name` is its agent's, empty for the default."""

    thread_id: str
    title: str
    agent_name: str = ""


@dataclass(frozen=True, kw_only=True)
class ThreadModeChanged:
    """A thread's mode changed."""

    thread_id: str
    mode: ThreadMode


@dataclass(frozen=True, kw_only=True)
class FocusChanged:
    """A thread follows these artifacts now, in this order."""

    thread_id: str
    artifact_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class MessagePosted:
    """A message was posted."""

    thread_id: str
    message_id: str
    content: str


@dataclass(frozen=True, kw_only=True)
class RunStarted:
    """A run, or a segment of one, began; `trace_id` is 32 hex digits, empty when it is not traced."""

    run_id: str
    thread_id: str
    trigger: RunTrigger
    trace_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ToolCalled:
    """A tool is called: the intent, recorded before it runs; the summary is clipped by whoever records it [RE-02].

    `arguments_sha256` is the digest of the arguments whole, see `digest_of`.
    """

    run_id: str
    thread_id: str
    tool_call_id: str
    tool_name: str
    arguments_summary: str = ""
    arguments_sha256: str = ""


@dataclass(frozen=True, kw_only=True)
class ToolReturned:
    """A tool returned; the summary is clipped by whoever records it [RE-02]."""

    run_id: str
    thread_id: str
    tool_call_id: str
    tool_name: str
    status: ToolStatus
    summary: str = ""


@dataclass(frozen=True, kw_only=True)
class RunPaused:
    """A segment ended waiting for one or more answers."""

    run_id: str
    thread_id: str
    requests: tuple[DeferredRequest, ...]
    usage: Usage | None = None


@dataclass(frozen=True, kw_only=True)
class DeferredAnswered:
    """An open request was answered; `approved` is None for a question."""

    run_id: str
    thread_id: str
    tool_call_id: str
    answer: str = ""
    approved: bool | None = None


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """A run ended: completed, stopped or failed; `reason` is a short code such as "abandoned" or "shutdown" [RN-17]."""

    run_id: str
    thread_id: str
    status: RunStatus
    usage: Usage | None = None
    error: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class AppEvent:
    """Something of the application's own; `data` is JSON text, `thread_id` empty for one of no thread."""

    name: str
    data: str = "null"
    thread_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ArtifactCreated:
    """An artifact came into being, at version 1."""

    artifact_id: str
    kind: str
    version: int
    proposal_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ArtifactChanged:
    """An artifact changed."""

    artifact_id: str
    kind: str
    version: int
    summary: str
    proposal_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ArtifactArchived:
    """An artifact was archived."""

    artifact_id: str
    kind: str
    version: int
    proposal_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ProposalCreated:
    """A change was proposed."""

    proposal_id: str
    artifact_id: str
    rationale: str = ""


@dataclass(frozen=True, kw_only=True)
class ProposalResolved:
    """A proposal was answered; the artifact's event, if any, stands right before it [EV-02].

    `changes` describes what the reviewer altered, empty when nothing; `version` is 0 unless it was accepted.
    """

    proposal_id: str
    artifact_id: str
    decision: Decision
    proposer: Actor
    changes: str = ""
    reason: str = ""
    version: int = 0


@dataclass(frozen=True, kw_only=True)
class UnknownEvent:
    """An event of a newer version: it counts, and agent draws no conclusion from it [EV-03]."""


ThreadEvent = ThreadCreated | ThreadModeChanged | FocusChanged | MessagePosted
RunFact = RunStarted | ToolCalled | ToolReturned | RunPaused | DeferredAnswered | RunEnded
ArtifactEvent = ArtifactCreated | ArtifactChanged | ArtifactArchived
ProposalEvent = ProposalCreated | ProposalResolved
OwnEvent = ThreadEvent | RunFact | AppEvent
"""What agent itself appends; all else comes from files."""
Event = OwnEvent | ArtifactEvent | ProposalEvent | UnknownEvent


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """One entry of the log as agent reads it.

    `log_sequence` is gap-free from 1 in the workspace and the only order; `change_sequence` is files' number, 0 for
    agent's own. `commit` is the first log_sequence of the transaction that appended it: entries of one commit share it.
    `traceparent` names the span of its commit, empty where that was not traced [TR-02]. `wire` is the entry in full,
    serialised as the contract has it, for whoever passes it on.
    """

    log_sequence: int
    change_sequence: int
    commit: int
    entry_id: str
    time: datetime
    actor: Actor
    thread_id: str
    run_id: str
    event: Event
    traceparent: str = ""
    wire: bytes = field(default=b"", repr=False, compare=False)


Batch = Sequence[Envelope]
"""Envelopes in log order that hold whole commits only, so that a commit can be judged as one [CN-10]."""
