"""How artifacts of any kind change in the model, and what becomes a proposal."""

import copy
import dataclasses

from service.files.machine.commands import (
    ACTORS,
    FILE,
    NOTE,
    TASK,
    Actor,
    Answer,
    Applied,
    Archive,
    Change,
    Command,
    Create,
    Patch,
    Proposed,
    Restore,
    Write,
)
from service.files.machine.questions import Questions, refuse
from service.files.machine.state import (
    Archiving,
    Batch,
    Creation,
    Event,
    Holding,
    NewData,
    Patching,
    Planned,
    Proposal,
    Version,
)
from service.files.machine.values import Data, Refusal, patched, require_data


class Writes(Questions):
    """Changes by patches, and what all changes do."""

    def write(self, command: Create | Change | Archive | Restore) -> Answer:
        """Change an artifact of any kind by a patch, or propose to."""
        actor = ACTORS[command.by]
        if isinstance(command, Create):
            kind: str | None = command.kind
            if kind not in {TASK, NOTE, FILE}:
                raise Refusal("NOT_FOUND")
        else:
            head = self.state.head(command.id)
            kind = None if head is None else head.kind
        self.gate(kind)
        self.authorize(actor, command.fence)
        if kind is None:
            raise Refusal("NOT_FOUND")
        if isinstance(command, Create) and kind == FILE:
            raise Refusal("VALIDATION_FAILED")
        rules = self.overtaken(command) | self.busy(command.id) | self.used(command)
        if isinstance(command, Create):
            rules |= {"INVALID_STATE"} if command.id in self.state.artifacts else set()
        else:
            rules |= self.unusable(command.id, command.base)
        if isinstance(command, Restore) and not 1 <= command.version <= len(self.state.artifacts[command.id]):
            rules.add("NOT_FOUND")
        refuse(rules)
        return self.settle(command, self._planned(command), kind)

    def _planned(self, command: Create | Change | Archive | Restore) -> Planned:
        match command:
            case Create():
                return Creation(id=command.id, kind=command.kind, data=dict(command.data))
            case Change():
                return Patching(id=command.id, patch=command.patch)
            case Archive():
                return Archiving(id=command.id)
            case Restore():
                return self._restoring(command)

    def _restoring(self, command: Restore) -> Planned:
        head, back = self.require(command.id), self.state.artifacts[command.id][command.version - 1]
        if head.kind == FILE:
            if head.data["content"] == back.data["content"]:
                raise Refusal("PATCH_FAILED")
            return Batch(id=command.id, on=head.data["content"], commands=(), result=back.data["content"])
        if head.data == back.data:
            raise Refusal("PATCH_FAILED")
        return NewData(id=command.id, before=head.data, after=back.data)

    def settle(self, command: Write, change: Planned, kind: str, before: tuple[Event, ...] = ()) -> Answer:
        """Propose a change or apply it; it has to apply either way [CM-06, PR-03]."""
        actor = ACTORS[command.by]
        version, event = self.apply(change, actor, kind)
        self.raise_fence(command)
        if command.must_propose or command.explicit or (actor.is_agent and kind == NOTE):
            thread = actor.thread
            proposal = Proposal(id=command.proposal, change=change, by=actor, thread=thread)
            self.state.proposals[proposal.id] = proposal
            created = Event(
                type="proposal_created",
                id=change.id,
                by=actor.participant,
                run=actor.run,
                thread=thread,
                proposal=proposal.id,
            )
            self.append(*before, created)
            return Proposed(proposal=proposal.id, id=change.id, sequence=self.state.sequence)
        self.append(event, version=version)
        return Applied(id=change.id, version=version.number, sequence=self.state.sequence)

    def apply(self, change: Planned, actor: Actor, kind: str, layered: Patch | None = None) -> tuple[Version, Event]:
        """The version that a change makes of what stands, with a reviewer's own changes on top [PR-06, PR-07]."""
        head = self.state.head(change.id)
        before = None if head is None else head.data
        if isinstance(change, Archiving):
            if layered is not None:
                raise Refusal("PATCH_FAILED")
            assert before is not None
            return self.next(change.id, kind, before, actor, "artifact_archived")
        data = _data(kind, change, before)
        if layered is not None:
            data = patched(kind, data, layered)
        if data == before:
            raise Refusal("PATCH_FAILED")
        return self.next(change.id, kind, data, actor, "artifact_created" if head is None else "artifact_changed")

    def next(self, artifact_id: str, kind: str, data: Data, actor: Actor, event: str) -> tuple[Version, Event]:
        """The version after the one that stands, and the event that tells of it [AT-04]."""
        head = self.state.head(artifact_id)
        number = 1 if head is None else head.number + 1
        version = Version(kind=kind, number=number, data=data, by=actor, archived=event == "artifact_archived")
        told = Event(
            type=event, id=artifact_id, by=actor.participant, run=actor.run, thread=actor.thread, version=number
        )
        return version, told

    def answered(self, proposal: Proposal, state: str, command: Command) -> Event:
        """Answer a proposal, and tell of it [PR-05, EV-02]."""
        actor = ACTORS[command.by]
        self.state.proposals[proposal.id] = dataclasses.replace(proposal, state=state)
        return Event(
            type="proposal_resolved",
            id=proposal.change.id,
            by=actor.participant,
            run=actor.run,
            thread=proposal.thread or actor.thread,
            proposal=proposal.id,
            decision=state,
            proposer=proposal.by.participant,
        )

    def append(self, *events: Event, version: Version | None = None) -> None:
        """Commit events, and the version that they tell of."""
        self.state.commits.append(events)
        if version is not None:
            self.state.artifacts.setdefault(events[0].id, []).append(version)
            if version.kind == FILE:
                self.state.holdings.setdefault(events[0].id, Holding())


def _data(kind: str, change: Planned, before: Data | None) -> Data:
    """What a change makes of the data that stand."""
    match change:
        case Creation():
            if kind != FILE:
                require_data(kind, change.data)
            return dict(change.data)
        case Patching():
            return patched(kind, before or {}, change.patch)
        case Batch():
            return {**(before or {}), "content": change.result}
        case NewData():
            data = copy.deepcopy(before or {})
            _carry_over(change.before, change.after, data)
            require_data(kind, data)
            return data
        case Archiving():
            return before or {}


def _carry_over(before: Data, after: Data, into: Data) -> None:
    """Make the difference of two objects in a third, which has to have what goes or is replaced."""
    for name in before.keys() - after.keys():
        if name not in into:
            raise Refusal("PATCH_FAILED")
        del into[name]
    for name, value in after.items():
        if name in before and before[name] == value:
            continue
        if isinstance(value, dict) and isinstance(before.get(name), dict):
            if not isinstance(into.get(name), dict):
                raise Refusal("PATCH_FAILED")
            _carry_over(before[name], value, into[name])
        elif name in before and name not in into:
            raise Refusal("PATCH_FAILED")
        else:
            into[name] = value
