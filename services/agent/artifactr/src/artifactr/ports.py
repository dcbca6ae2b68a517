"""What agent needs of files, and nothing else does it call [MP-01]."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from artifactr.core.actors import Actor, Caller, WorkspaceKey


@dataclass(frozen=True, kw_only=True)
class ArtifactView:
    """An artifact at its current version, as files answers it; `data` is its decoded JSON."""

    id: str
    kind: str
    version: int
    data: Mapping[str, Any]
    updated_by: Actor
    archived: bool = False


@dataclass(frozen=True, kw_only=True)
class PendingProposal:
    """A proposal of the caller's own that awaits an answer."""

    id: str
    artifact_id: str
    summary: str
    rationale: str = ""


class Artifacts(Protocol):
    """Reads artifacts on behalf of a caller.

    Safe for concurrent use; a cancel ends a call at any await, and reads leave nothing behind. Every method raises
    `lattice_chassis.errors.PeerUnavailable` where files cannot be reached.
    """

    async def artifact(self, caller: Caller, artifact_id: str) -> ArtifactView:
        """The artifact at its current version; raises NotFound."""
        ...

    async def artifacts(self, caller: Caller, kind: str) -> Sequence[ArtifactView]:
        """The artifacts of a kind, or of all where it is empty, none archived, oldest first, 500 at the most."""
        ...

    async def opening(self, caller: Caller, artifact_id: str, max_chars: int) -> str:
        """The first words of a native file's current version, 1 to 100,000 characters; raises NotFound."""
        ...

    async def own_proposals(self, caller: Caller) -> Sequence[PendingProposal]:
        """The caller's own pending proposals, oldest first [PR-11]."""
        ...


@dataclass(frozen=True, kw_only=True)
class FeedPosition:
    """A position in files' change feed: everything up to `sequence` of the history `epoch` [MP-22]."""

    epoch: str
    sequence: int


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change; `entry` is the log entry it becomes, serialised as the contract has it, without its log number."""

    change_sequence: int
    entry: bytes


@dataclass(frozen=True, kw_only=True)
class FeedCommit:
    """The changes of one transaction in files, one or more, never split [MP-12]."""

    commit_id: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class FeedPage:
    """Commits after a position, oldest first, the position after them, and the head at that time."""

    commits: tuple[FeedCommit, ...]
    position: FeedPosition
    head: int


@dataclass(frozen=True, kw_only=True)
class Fence:
    """Keeps overtaken writers out: files refuses a lower token of the same scope [MP-21]."""

    scope: str
    token: int


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
