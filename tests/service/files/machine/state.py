"""What stands in a workspace, as the model keeps it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from service.files.machine.commands import FILE, Actor, Answer, Command, Patch
from service.files.machine.values import Content, Data


@dataclass(frozen=True, kw_only=True)
class Version:
    """An artifact at one version."""

    kind: str
    number: int
    data: Data
    by: Actor
    archived: bool = False
    proposal: str = ""


@dataclass(frozen=True, kw_only=True)
class Creation:
    """A proposed artifact."""

    id: str
    kind: str
    data: Data


@dataclass(frozen=True, kw_only=True)
class Patching:
    """A proposed patch."""

    id: str
    patch: Patch


@dataclass(frozen=True, kw_only=True)
class NewData:
    """A proposed return of data that stood before: the patch from what stood when it was proposed."""

    id: str
    before: Data
    after: Data


@dataclass(frozen=True, kw_only=True)
class Archiving:
    """A proposed archiving."""

    id: str


@dataclass(frozen=True, kw_only=True)
class Batch:
    """A proposed batch with its finished result; without commands, the return of an earlier content."""

    id: str
    on: Content
    commands: tuple[tuple[str, ...], ...]
    result: Content


Planned: TypeAlias = Creation | Patching | NewData | Archiving | Batch


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A change that awaits, or had, an answer."""

    id: str
    change: Planned
    by: Actor
    thread: str
    state: str = "pending"


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A check-out; an edit's lease never outlives its call here."""

    holder: Actor
    token: int
    base: int
    lapsed: bool = False
    late: bool = False
    """Whether it ended more than a day ago."""


@dataclass(kw_only=True)
class Holding:
    """The leases of a file: how many there were, and the last check-out until it was ended."""

    counter: int = 0
    uncertain: bool = False
    """Whether a refused edit may have taken one more."""
    lease: Lease | None = None

    def give_out(self) -> int:
        """The token of a new lease; a check-out that lapsed before it cannot be checked in any more [F-05]."""
        self.counter += 1
        self.lease = None
        return self.counter


@dataclass(frozen=True, kw_only=True)
class Event:
    """A change on the feed."""

    type: str
    id: str
    by: str
    """The participant who did it."""
    run: str
    thread: str
    version: int = 0
    proposal: str = ""
    decision: str = ""
    proposer: str = ""
    """The participant whose proposal was answered."""


@dataclass(kw_only=True)
class State:
    """All of a workspace."""

    on: bool = True
    artifacts: dict[str, list[Version]] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    holdings: dict[str, Holding] = field(default_factory=dict)
    fences: dict[str, int] = field(default_factory=dict)
    commits: list[Sequence[Event]] = field(default_factory=list)
    memory: dict[tuple[str, str, int], tuple[Command, Answer]] = field(default_factory=dict)
    stamps: int = 0
    """How many batches were tracked."""

    @property
    def sequence(self) -> int:
        """The number of the last change."""
        return sum(map(len, self.commits))

    def head(self, artifact_id: str) -> Version | None:
        """An artifact as it stands."""
        versions = self.artifacts.get(artifact_id)
        return versions[-1] if versions else None

    def content(self, artifact_id: str) -> Content | None:
        """The content of a file as it stands; None for what is no file."""
        head = self.head(artifact_id)
        return head.data["content"] if head is not None and head.kind == FILE else None

    def is_stale(self, proposal: Proposal) -> bool:
        """Whether it is pending, and the content of its file another than the one it was made on [AMB-07]."""
        change = proposal.change
        if proposal.state != "pending" or not isinstance(change, Batch):
            return False
        return self.content(change.id) != change.on

    def live(self, artifact_id: str) -> Lease | None:
        """The check-out that keeps others out."""
        lease = self.holdings[artifact_id].lease if artifact_id in self.holdings else None
        return None if lease is None or lease.lapsed else lease
