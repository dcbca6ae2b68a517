"""The rules of the domain as a model: what each command answers, and what stands afterwards.

Written from the specification's statements, and slow and plain on purpose. The order of the questions is
WP-03's: repeat, shape and kind, gate, authorize, rules; of the rules that refuse together any may be told.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final

from service.files.machine.commands import (
    ACTORS,
    NOTE,
    Accept,
    Actor,
    Answer,
    Archive,
    Barrier,
    Break,
    Change,
    CheckIn,
    CheckOut,
    Collect,
    Command,
    Create,
    Done,
    Edit,
    Extend,
    Head,
    Pass,
    Refused,
    Reject,
    Release,
    Resolved,
    Restore,
    Switch,
    Trespass,
    Upload,
    Withdraw,
)
from service.files.machine.native import Files
from service.files.machine.questions import refuse
from service.files.machine.state import Batch, Creation, Proposal
from service.files.machine.values import Refusal


class Model(Files):
    """A workspace that follows the rules."""

    def perform(self, command: Command) -> Answer:
        """Do what a command says, or answer why not; refused, nothing changes."""
        try:
            return self._repeated(command) or self._performed(command)
        except Refusal as refusal:
            return Refused(reasons=refusal.reasons)

    def _repeated(self, command: Command) -> Answer | None:
        """What the first call of a request was answered [ID-03]."""
        if type(command) in _UNREMEMBERED:
            return None
        first = self.state.memory.get(_request(command))
        if first is None:
            return None
        if first[0] != self._body(command):
            raise Refusal("IDEMPOTENCY_MISMATCH")
        return first[1]

    def _performed(self, command: Command) -> Answer:
        if type(command) in _UNREMEMBERED:
            return _UNREMEMBERED[type(command)](self, command)
        answer = _REMEMBERED[type(command)](self, command)
        self.state.memory[_request(command)] = (self._body(command), answer)
        return answer

    def _body(self, command: Command) -> Command:
        """What two calls with one request have to have in common; who calls, in which run, is no part of it."""
        changed = {"by": "", "meanwhile": (), "switched_off": False, "lapses": False}
        own = {it.name for it in dataclasses.fields(command)}
        body = dataclasses.replace(command, **{name: value for name, value in changed.items() if name in own})  # type: ignore[arg-type]
        if isinstance(body, CheckIn) and body.paragraphs is None:
            content = self.state.content(body.id)
            return dataclasses.replace(body, paragraphs=repr(content))  # type: ignore[arg-type]
        return body

    def switch(self, command: Switch) -> Answer:
        """Turn the files' app on or off."""
        self.state.on = command.on
        return Done()

    def trespass(self, _command: Trespass) -> Answer:
        """Another tenant's names are refused, and its artifacts are in nobody else's [TN-01, TN-03, X-08]."""
        return Refused(reasons=frozenset({"FORBIDDEN", "NOT_FOUND"}))

    def collect(self, _command: Collect) -> Answer:
        """Collection changes nothing that anybody can read [B-05, B-07]."""
        return Done()

    def barrier(self, command: Barrier) -> Answer:
        """Raise a thread's fence, and tell the head [MP-15, MP-21]."""
        if not ACTORS[command.by].thread:
            raise Refusal("FORBIDDEN")
        refuse(self.overtaken(command))
        self.raise_fence(command)
        return Head(sequence=self.state.sequence)

    def accept(self, command: Accept) -> Answer:
        """Apply a proposal to what stands now [PR-04 to PR-08, F-11, F-12, AMB-27]."""
        actor, proposal = ACTORS[command.by], self.state.proposals.get(command.proposal)
        kind = None if proposal is None else self._kind_of(proposal)
        self.gate(kind)
        self.authorize(actor, command.fence)
        if proposal is None or kind is None:
            raise Refusal("NOT_FOUND")
        change = proposal.change
        rules = self._answerable(proposal, actor) | self.busy(change.id)
        if command.must_propose or (actor.is_agent and kind == NOTE):
            rules.add("FORBIDDEN")
        head, stale = self.state.head(change.id), self.state.is_stale(proposal)
        if stale and not command.rebase:
            rules.add("PROPOSAL_STALE")
        if isinstance(change, Creation) == (head is not None) or (head is not None and head.archived):
            rules.add("INVALID_STATE")
        refuse(rules and rules | self.overtaken(command))
        if stale and isinstance(change, Batch) and change.commands:
            assert head is not None
            self.overtaken_in_commit(command, change.id)
            made = self.run_batch(change.id, head.data["content"], change.commands, proposal.by)
            change = dataclasses.replace(change, result=made)
        refuse(self.overtaken(command))
        version, event = self.apply(change, actor, kind, command.changes)
        self.raise_fence(command)
        resolution = dataclasses.replace(self.answered(proposal, "accepted", command), version=version.number)
        self.append(
            dataclasses.replace(event, proposal=proposal.id, thread=resolution.thread),
            resolution,
            version=dataclasses.replace(version, proposal=proposal.id),
        )
        return Resolved(proposal=proposal.id, decision="accepted", version=version.number, sequence=self.state.sequence)

    def turn_down(self, command: Reject | Withdraw) -> Answer:
        """Reject a proposal, or take one's own back, whatever the switch says [PR-09, AMB-06, AMB-16]."""
        actor, proposal = ACTORS[command.by], self.state.proposals.get(command.proposal)
        self.authorize(actor, command.fence)
        if proposal is None:
            raise Refusal("NOT_FOUND", *self.overtaken(command))
        own = proposal.by.participant == actor.participant
        rules = self.overtaken(command) | ({"INVALID_STATE"} if proposal.state != "pending" else set())
        if own is not isinstance(command, Withdraw):
            rules.add("FORBIDDEN")
        refuse(rules)
        self.raise_fence(command)
        state = "withdrawn" if isinstance(command, Withdraw) else "rejected"
        self.append(self.answered(proposal, state, command))
        return Resolved(proposal=proposal.id, decision=state, version=0, sequence=self.state.sequence)

    def _answerable(self, proposal: Proposal, actor: Actor) -> set[str]:
        """Whether an answer is the author's own, or not the first [PR-04, PR-05]."""
        own = {"FORBIDDEN"} if proposal.by.participant == actor.participant else set()
        return own | ({"INVALID_STATE"} if proposal.state != "pending" else set())

    def _kind_of(self, proposal: Proposal) -> str:
        change = proposal.change
        return change.kind if isinstance(change, Creation) else self.require(change.id).kind


def _request(command: Command) -> tuple[str, str, int]:
    """Within what a request id is one request: a participant's, of one method [ID-03]."""
    method = "ProposeChange" if getattr(command, "explicit", False) else type(command).__name__
    return ACTORS[command.by].participant, method, command.request


_REMEMBERED: Final[Mapping[type[Command], Callable[[Model, Any], Answer]]] = {
    Create: Model.write,
    Change: Model.write,
    Archive: Model.write,
    Restore: Model.write,
    Upload: Model.upload,
    Edit: Model.edit,
    CheckOut: Model.check_out,
    Extend: Model.extend,
    CheckIn: Model.check_in,
    Break: Model.break_check_out,
    Accept: Model.accept,
    Reject: Model.turn_down,
    Withdraw: Model.turn_down,
}
"""The commands whose success a repeat is told again."""

_UNREMEMBERED: Final[Mapping[type[Command], Callable[[Model, Any], Answer]]] = {
    Release: Model.release,
    Barrier: Model.barrier,
    Switch: Model.switch,
    Pass: Model.pass_end,
    Collect: Model.collect,
    Trespass: Model.trespass,
}
