"""What agent needs of files, and nothing else does it call [MP-01]."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from artifactr.core.actors import Caller, WorkspaceKey
from artifactr.core.artifacts import Artifact, ArtifactHeader, StoredArtifact
from artifactr.core.changes import Change, ProposalAnswer
from artifactr.core.outcomes import Outcome, Proposed, Resolved
from artifactr.core.proposals import Proposal, ProposalState


@dataclass(frozen=True, kw_only=True)
class Fence:
    """Keeps overtaken writers out: files refuses a lower token of the same scope [MP-21]."""

    scope: str
    token: int


@dataclass(frozen=True, kw_only=True)
class Write:
    """What every write says beside its change.

    `request_id` is a UUID: a repeat under it is answered as the first call was. `thread_id` is kept on the change,
    `must_propose` makes it a proposal whatever the type's policy says, `rationale` is for whoever reviews that, and
    `fence` keeps out an overtaken run.
    """

    request_id: str
    thread_id: str = ""
    must_propose: bool = False
    fence: Fence | None = None
    rationale: str = ""


class Artifacts(Protocol):
    """Reads and changes artifacts on behalf of a caller.

    Safe for concurrent use. A cancel ends a call at any await; reads leave nothing behind, a write may have taken
    effect all the same, which a repeat under its request id tells. Every method raises a Rejection where files refuses,
    and `lattice_chassis.errors.PeerUnavailable` where it cannot be reached.
    """

    async def artifact(self, caller: Caller, artifact_id: str) -> StoredArtifact:
        """The artifact at its current version; raises NotFound."""
        ...

    async def artifacts(self, caller: Caller, kind: str) -> Sequence[StoredArtifact]:
        """The artifacts of a kind, or of all where it is empty, none archived, oldest first.

        As many as fit one page: 500, and 3 MiB of their data.
        """
        ...

    async def headers(self, caller: Caller, kind: str, limit: int) -> Sequence[ArtifactHeader]:
        """What a list tells of them, oldest first, however much data they have; `limit` at the most."""
        ...

    async def opening(self, caller: Caller, artifact_id: str, max_chars: int) -> str:
        """The first words of a native file's current version, 1 to 100,000 characters; raises NotFound."""
        ...

    async def change(self, caller: Caller, change: Change, write: Write) -> Outcome:
        """Carry a change out, or make it a proposal where policy says so [CM-06]."""
        ...


class Proposals(Protocol):
    """Makes, answers and lists proposals on behalf of a caller; otherwise as Artifacts."""

    async def propose(self, caller: Caller, change: Change, write: Write) -> Proposed:
        """Make a change a proposal whatever policy says [PR-03]."""
        ...

    async def answer(self, caller: Caller, answer: ProposalAnswer, write: Write) -> Resolved:
        """Accept, reject or withdraw a proposal [PR-04 to PR-09]."""
        ...

    async def proposals(
        self, caller: Caller, *, state: ProposalState | None, artifact_id: str, proposer: str
    ) -> Sequence[Proposal]:
        """Those in a state, about an artifact, of a participant by its key; empty is all; oldest first, one page."""
        ...


class Types(Protocol):
    """Registers artifact types with files, for the whole deployment and on nobody's behalf; otherwise as Artifacts."""

    async def register(self, artifact_type: type[Artifact], *, follows: int) -> None:
        """Register a type as the revision after `follows`, 0 for a new one; one that is registered so stays as it is.

        Raises VersionConflict where it is at another revision, InvalidState where the schema may refuse what that one
        accepts [AT-01].
        """
        ...


@dataclass(frozen=True, kw_only=True)
class FeedPosition:
    """A position in files' change feed: everything up to `sequence` of the history `epoch` [MP-22]."""

    epoch: str
    sequence: int


@dataclass(frozen=True, kw_only=True)
class FeedChange:
    """One change; `entry` is the log entry it becomes, serialised as the contract has it, without its log number."""

    change_sequence: int
    entry: bytes


@dataclass(frozen=True, kw_only=True)
class FeedCommit:
    """The changes of one transaction in files, one or more, never split [MP-12].

    It was committed at `time`, by files' clock; `traceparent` names the span, empty where that was not traced [TR-02].
    """

    commit_id: str
    changes: tuple[FeedChange, ...]
    time: datetime
    traceparent: str = ""


@dataclass(frozen=True, kw_only=True)
class FeedPage:
    """Commits after a position, oldest first, the position after them, and the head at that time."""

    commits: tuple[FeedCommit, ...]
    position: FeedPosition
    head: int


@dataclass(kw_only=True, eq=False)
class FeedDiverged(Exception):
    """Files' feed is not the history that was taken up so far: the workspace needs reconciling [MP-22].

    It is no refusal: whoever asked did nothing wrong, and nothing more is taken up until an operator acts.
    """

    workspace: str
    why: str

    def __str__(self) -> str:
        return f"the change feed of workspace {self.workspace} diverged: {self.why}"


class ChangeFeed(Protocol):
    """Follows files' change feed of a workspace.

    Safe for concurrent use; a cancel leaves nothing behind. Every method raises
    `lattice_chassis.errors.PeerUnavailable` where files cannot be reached, and FeedDiverged where the position is of
    another history.
    """

    async def changes(self, key: WorkspaceKey, after: FeedPosition | None, *, patient: bool = False) -> FeedPage:
        """The commits after a position, at most a page of them; None means from the first.

        A patient call waits for files to be back, as long as any call may take, instead of failing at once.
        """
        ...

    def watch(self, key: WorkspaceKey, after: FeedPosition | None) -> AsyncGenerator[FeedPosition, None]:
        """The position after each new commit, until the stream breaks off."""
        ...

    async def barrier(self, key: WorkspaceKey, fence: Fence | None) -> FeedPosition:
        """The head of the feed, after raising the fence; raises StaleClaim for a token that was overtaken."""
        ...
