"""What the actors of an exploration ask for, and what they are answered; the model and the service know both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Operation: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Somebody who calls files."""

    name: str
    participant: str
    """Actors with the same one are one participant [AC-02]."""
    is_person: bool = False
    is_agent: bool = False
    thread: str = ""
    run: str = ""
    roles: frozenset[str] = frozenset({"editor"})


ACTORS: Final = {
    it.name: it
    for it in (
        Actor(name="alice", participant="user:alice", is_person=True),
        Actor(name="bob", participant="user:bob", is_person=True),
        Actor(name="vera", participant="user:vera", is_person=True, roles=frozenset({"viewer"})),
        Actor(name="olga", participant="user:olga", is_person=True, roles=frozenset({"administrator", "operator"})),
        Actor(name="assistant", participant="agent:thr_1", is_agent=True, thread="thr_1", run="run_1"),
        Actor(name="assistant_later", participant="agent:thr_1", is_agent=True, thread="thr_1", run="run_2"),
        Actor(name="other_agent", participant="agent:thr_2", is_agent=True, thread="thr_2", run="run_3"),
        Actor(name="client", participant="external_agent:alice", is_agent=True),
    )
}
"""Two people, one who may only look, an administrator, two threads' agents, one of them in two runs, an outside one."""

TASK: Final = "machine_task"
"""A structured kind, which everybody writes directly."""

NOTE: Final = "machine_note"
"""A text kind, whose policy has agents propose."""

FILE: Final = "native_fake"
"""The kind of the fake app's files."""


@dataclass(frozen=True)
class Operations:
    """An RFC 6902 patch."""

    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Replacements:
    """Anchored replacements in the field `text`, each of what occurs exactly once."""

    edits: tuple[tuple[str, str], ...]


Patch: TypeAlias = Operations | Replacements


def sets(path: str, value: object) -> Operations:
    """A patch that adds or replaces one value."""
    return Operations(({"op": "add", "path": path, "value": value},))


@dataclass(frozen=True, kw_only=True)
class Command:
    """Something that an actor asks for; the request gets a number of its own unless one is given."""

    by: str = "alice"
    request: int = 0


@dataclass(frozen=True, kw_only=True)
class Write(Command):
    """A command that becomes a proposal by policy, or where that is asked for."""

    proposal: str = ""
    """The id of the proposal that it becomes; one is made up for each request unless given."""
    must_propose: bool = False
    fence: int = 0
    """The token that it carries for its actor's own thread; 0 for none."""
    explicit: bool = False
    """Whether ProposeChange carries it."""


@dataclass(frozen=True, kw_only=True)
class Create(Write):
    """Create an artifact."""

    id: str
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Change(Write):
    """Patch an artifact."""

    id: str
    base: int
    patch: Patch


@dataclass(frozen=True, kw_only=True)
class Archive(Write):
    """Archive an artifact."""

    id: str
    base: int


@dataclass(frozen=True, kw_only=True)
class Restore(Write):
    """Bring an earlier version back."""

    id: str
    base: int
    version: int


@dataclass(frozen=True, kw_only=True)
class Upload(Write):
    """Upload a file of these paragraphs; between its header and its content, the commands of `meanwhile` are done."""

    id: str
    paragraphs: tuple[str, ...]
    name: str = "plan.fake"
    meanwhile: tuple[Command, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Edit(Write):
    """Apply a batch of app commands: ("append", text), ("replace", old, new), ("delete", number) or ("refuse",).

    The switch is turned off while the call waits for its lease where `switched_off` says so, and the end of its
    lease passes before its commit where `lapses` does.
    """

    id: str
    base: int
    batch: tuple[tuple[str, ...], ...]
    base_proposal: str = ""
    switched_off: bool = False
    lapses: bool = False


@dataclass(frozen=True, kw_only=True)
class CheckOut(Command):
    """Check a file out."""

    id: str


@dataclass(frozen=True, kw_only=True)
class Extend(Command):
    """Extend a check-out."""

    id: str
    token: int


@dataclass(frozen=True, kw_only=True)
class CheckIn(Command):
    """Check a file of these paragraphs in, or the file as it is; `meanwhile` is as for an upload."""

    id: str
    token: int
    paragraphs: tuple[str, ...] | None
    meanwhile: tuple[Command, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Release(Command):
    """Release a check-out; 0 is for whichever the actor holds."""

    id: str
    token: int = 0


@dataclass(frozen=True, kw_only=True)
class Break(Command):
    """Break a check-out."""

    id: str


@dataclass(frozen=True, kw_only=True)
class Answering(Command):
    """Something done with a proposal."""

    proposal: str
    fence: int = 0


@dataclass(frozen=True, kw_only=True)
class Accept(Answering):
    """Accept a proposal."""

    changes: Patch | None = None
    rebase: bool = False
    must_propose: bool = False


@dataclass(frozen=True, kw_only=True)
class Reject(Answering):
    """Reject a proposal."""


@dataclass(frozen=True, kw_only=True)
class Withdraw(Answering):
    """Withdraw a proposal."""


@dataclass(frozen=True, kw_only=True)
class Barrier(Command):
    """Raise the fence of a thread, and ask for the head."""

    fence: int


@dataclass(frozen=True, kw_only=True)
class Switch(Command):
    """Turn the integration of the files' app on or off."""

    on: bool


@dataclass(frozen=True, kw_only=True)
class Pass(Command):
    """Let the end of a file's lease pass; with `a_day`, by more than a day."""

    id: str
    a_day: bool = False


@dataclass(frozen=True, kw_only=True)
class Collect(Command):
    """Collect blobs, once more than the grace has passed for all of them."""


@dataclass(frozen=True, kw_only=True)
class Trespass(Command):
    """Read an artifact as a member of another tenant: under its name, and under the same ids of one's own tenant."""

    id: str


@dataclass(frozen=True, kw_only=True)
class Applied:
    """It is the newest version; the sequence is 0 where that stood before."""

    id: str
    version: int
    sequence: int


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """It awaits review."""

    proposal: str
    id: str
    sequence: int


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """A proposal was answered."""

    proposal: str
    decision: str
    version: int
    sequence: int


@dataclass(frozen=True, kw_only=True)
class Lent:
    """A check-out."""

    token: int
    base: int


@dataclass(frozen=True, kw_only=True)
class Ended:
    """What a release or a break ended: a participant's live check-out, or nothing."""

    holder: str


@dataclass(frozen=True, kw_only=True)
class Head:
    """Where the feed stands."""

    sequence: int


@dataclass(frozen=True, kw_only=True)
class Done:
    """What has no answer of its own."""


@dataclass(frozen=True, kw_only=True)
class Refused:
    """It was refused; the model names each reason that holds where no order among them is promised."""

    reasons: frozenset[str]


Answer: TypeAlias = Applied | Proposed | Resolved | Lent | Ended | Head | Done | Refused


def agrees(service: Answer, model: Answer) -> bool:
    """Whether the service answered what the model allows."""
    if isinstance(service, Refused) and isinstance(model, Refused):
        return service.reasons <= model.reasons
    return service == model
