"""The questions that the rules ask before they decide anything; they belong to no one command."""

from typing import TypeAlias

from service.files.machine.commands import ACTORS, FILE, Actor, Answering, Barrier, Write
from service.files.machine.state import State, Version
from service.files.machine.values import Refusal

Fenced: TypeAlias = Write | Answering | Barrier


def refuse(*problems: set[str]) -> None:
    """Refuse with the problems of the first set that has any; of one set any may be told."""
    for some in problems:
        if some:
            raise Refusal(*some)


class Questions:
    """A workspace, and what is asked about it."""

    def __init__(self) -> None:
        self.state = State()

    def gate(self, kind: str | None) -> None:
        """Refuse writes of files while their app is off [WP-04, WP-05]."""
        if kind == FILE and not self.state.on:
            raise Refusal("NOT_ENABLED")

    def authorize(self, actor: Actor, fence: int = 0) -> None:
        """Refuse who may not write, and a fence that is somebody else's [WP-03, MP-21]."""
        if actor.roles.isdisjoint({"editor", "administrator"}) or (fence and not actor.thread):
            raise Refusal("FORBIDDEN")

    def overtaken(self, command: Fenced) -> set[str]:
        """Whether a higher token than the command's was seen in its thread [MP-21]."""
        seen = self.state.fences.get(ACTORS[command.by].thread, 0)
        return {"STALE_CLAIM"} if 0 < command.fence < seen else set()

    def raise_fence(self, command: Fenced) -> None:
        """Keep a command's token, which commits with it."""
        if command.fence:
            self.state.fences[ACTORS[command.by].thread] = command.fence

    def busy(self, artifact_id: str) -> set[str]:
        """Whether a check-out keeps every other write out, the holder's own too [L-08]."""
        return {"ARTIFACT_BUSY"} if self.state.live(artifact_id) else set()

    def unusable(self, artifact_id: str, base: int) -> set[str]:
        """Whether an artifact is archived, or at another version [AT-15, CM-07]."""
        head = self.require(artifact_id)
        return ({"INVALID_STATE"} if head.archived else set()) | (
            {"VERSION_CONFLICT"} if head.number != base else set()
        )

    def used(self, command: Write) -> set[str]:
        """Whether the id that its proposal would have is another one's [ID-01]."""
        return {"INVALID_STATE"} if command.proposal in self.state.proposals else set()

    def require(self, artifact_id: str) -> Version:
        """An artifact as it stands."""
        head = self.state.head(artifact_id)
        if head is None:
            raise Refusal("NOT_FOUND")
        return head
