"""Files in the model: uploads, batches, and the leases that keep writers apart."""

import dataclasses

from service.files.machine.commands import (
    ACTORS,
    FILE,
    Actor,
    Answer,
    Applied,
    Break,
    CheckIn,
    CheckOut,
    Done,
    Edit,
    Ended,
    Extend,
    Lent,
    Pass,
    Release,
    Upload,
)
from service.files.machine.questions import Fenced, refuse
from service.files.machine.state import Batch, Creation, Holding, Lease
from service.files.machine.values import Content, Refusal, edited
from service.files.machine.writes import Writes


class Files(Writes):
    """What is done with files alone."""

    def upload(self, command: Upload) -> Answer:
        """Make an artifact of a file, or propose to [F-01]."""
        if "/" in command.name:
            raise Refusal("VALIDATION_FAILED")
        if not command.name.endswith(".fake"):
            raise Refusal("NOT_FOUND")
        self.gate(FILE)
        self.authorize(ACTORS[command.by], command.fence)
        used = {"INVALID_STATE"} if command.id in self.state.artifacts else set()
        refuse(used | self.used(command) | self.overtaken(command))
        data = {"name": command.name, "content": Content(command.paragraphs)}
        return self.settle(command, Creation(id=command.id, kind=FILE, data=data), FILE)

    def edit(self, command: Edit) -> Answer:
        """Apply a batch to what stands, or propose its result [F-07, F-11]."""
        actor, head = ACTORS[command.by], self.state.head(command.id)
        if not command.batch:
            raise Refusal("VALIDATION_FAILED")
        if head is not None and head.kind != FILE:
            raise Refusal("INVALID_STATE")
        self.gate(None if head is None else FILE)
        self.authorize(actor, command.fence)
        current: Content = self.require(command.id).data["content"]
        base, problems = self._base(command, current)
        refuse(self.unusable(command.id, command.base) | self.busy(command.id) | self.used(command) | problems)
        self.overtaken_in_commit(command, command.id)
        self.state.on = not command.switched_off and self.state.on
        result = self.run_batch(command.id, base.result if base else current, command.batch, actor)
        self.gate(FILE)
        if command.lapses:
            raise Refusal("ARTIFACT_BUSY")
        if result == current:
            raise Refusal("APP_REFUSED")
        batch = Batch(
            id=command.id, on=current, commands=(base.commands if base else ()) + command.batch, result=result
        )
        if base is None:
            return self.settle(command, batch, FILE)
        withdrawn = self.answered(self.state.proposals[command.base_proposal], "withdrawn", command)
        return self.settle(dataclasses.replace(command, must_propose=True), batch, FILE, before=(withdrawn,))

    def _base(self, command: Edit, current: Content) -> tuple[Batch | None, set[str]]:
        """The proposal that an edit builds on, and what is wrong with it [F-11]."""
        if not command.base_proposal:
            return None, set()
        proposal = self.state.proposals.get(command.base_proposal)
        if proposal is None:
            return None, {"NOT_FOUND"}
        change, problems = proposal.change, set()
        if proposal.by.participant != ACTORS[command.by].participant:
            problems.add("FORBIDDEN")
        if proposal.state != "pending" or not isinstance(change, Batch) or change.id != command.id:
            problems.add("INVALID_STATE")
        elif change.on != current:
            problems.add("PROPOSAL_STALE")
        return change if isinstance(change, Batch) else None, problems

    def overtaken_in_commit(self, command: Fenced, artifact_id: str) -> None:
        """Refuse who was overtaken; the app may have been asked before, under a lease."""
        late = self.overtaken(command)
        if late:
            self.state.holdings[artifact_id].uncertain = True
            refuse(late | {"APP_REFUSED"})

    def run_batch(
        self, artifact_id: str, content: Content, batch: tuple[tuple[str, ...], ...], author: Actor
    ) -> Content:
        """Let the app make the result, under a lease whose token is used up however that ends [F-07, F-09]."""
        self.state.holdings[artifact_id].give_out()
        self.state.stamps += 1
        return edited(content, batch, self.state.stamps if author.is_agent else None)

    def check_out(self, command: CheckOut) -> Answer:
        """Lend a file to a person; a refusal uses no token up [F-02, AMB-12, AMB-13]."""
        self._before_lending(command)
        head = self.require(command.id)
        refuse(({"INVALID_STATE"} if head.archived else set()) | self.busy(command.id))
        holding = self.state.holdings[command.id]
        token = holding.give_out()
        holding.lease = Lease(holder=ACTORS[command.by], token=token, base=head.number)
        return Lent(token=token, base=head.number)

    def extend(self, command: Extend) -> Answer:
        """Move the end of one's own live check-out [F-03, L-04]."""
        self._before_lending(command)
        lease = self._own(command)
        if lease.lapsed:
            raise Refusal("LEASE_EXPIRED")
        return Lent(token=lease.token, base=lease.base)

    def check_in(self, command: CheckIn) -> Answer:
        """Make the holder's copy the newest version, which ends the check-out [F-04, F-05]."""
        self._before_lending(command)
        lease, head = self._own(command), self.require(command.id)
        if lease.late:
            raise Refusal("LEASE_EXPIRED")
        refuse(self.unusable(command.id, lease.base))
        holding, current = self.state.holdings[command.id], head.data["content"]
        content = current if command.paragraphs is None else Content(command.paragraphs)
        holding.counter += lease.lapsed
        holding.lease = None
        if content == current:
            return Applied(id=command.id, version=head.number, sequence=0)
        data = {**head.data, "content": content}
        version, event = self.next(command.id, FILE, data, ACTORS[command.by], "artifact_changed")
        self.append(event, version=version)
        return Applied(id=command.id, version=version.number, sequence=self.state.sequence)

    def release(self, command: Release) -> Answer:
        """End one's own check-out, whatever the switch says; anybody else's stays [F-06, F-18, L-04]."""
        self._authorize_lending(ACTORS[command.by])
        holding = self._holding(command.id)
        lease = holding.lease
        if lease is None or lease.holder.participant != ACTORS[command.by].participant:
            return Ended(holder="")
        if command.token not in {0, lease.token}:
            return Ended(holder="")
        holding.lease = None
        return Ended(holder="" if lease.lapsed else lease.holder.participant)

    def break_check_out(self, command: Break) -> Answer:
        """End whoever's check-out, also a lapsed one; for administrators [F-18]."""
        if "administrator" not in ACTORS[command.by].roles:
            raise Refusal("FORBIDDEN")
        holding = self._holding(command.id)
        lease, holding.lease = holding.lease, None
        return Ended(holder="" if lease is None else lease.holder.participant)

    def pass_end(self, command: Pass) -> Answer:
        """Let the end of a check-out pass: it keeps nobody out, and may be checked in late [L-03, F-05]."""
        holding = self.state.holdings.get(command.id)
        if holding is not None and holding.lease is not None:
            late = holding.lease.late or command.a_day
            holding.lease = dataclasses.replace(holding.lease, lapsed=True, late=late)
        return Done()

    def _before_lending(self, command: CheckOut | Extend | CheckIn) -> None:
        head = self.state.head(command.id)
        if head is not None and head.kind != FILE:
            raise Refusal("INVALID_STATE")
        self.gate(None if head is None else FILE)
        self._authorize_lending(ACTORS[command.by])
        if head is None:
            raise Refusal("NOT_FOUND")

    def _authorize_lending(self, actor: Actor) -> None:
        self.authorize(actor)
        if not actor.is_person:
            raise Refusal("FORBIDDEN")

    def _holding(self, artifact_id: str) -> Holding:
        if self.require(artifact_id).kind != FILE:
            raise Refusal("INVALID_STATE")
        return self.state.holdings[artifact_id]

    def _own(self, command: Extend | CheckIn) -> Lease:
        """The actor's own check-out with the token, live or lapsed [L-04, F-05]."""
        lease = self.state.holdings[command.id].lease
        actor = ACTORS[command.by]
        if lease is not None and lease.token == command.token and lease.holder.participant == actor.participant:
            return lease
        raise Refusal("ARTIFACT_BUSY" if lease is not None and not lease.lapsed else "LEASE_EXPIRED")
