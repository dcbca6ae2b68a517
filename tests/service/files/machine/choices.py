"""What an exploration asks for next: mostly what the rules would allow, often enough what they refuse.

The actors, the ids and the words are few, so that they meet.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypedDict, TypeVar

from service.files.machine import commands as asked
from service.files.machine import state
from service.files.machine.commands import (
    ACTORS,
    FILE,
    NOTE,
    TASK,
    Command,
    Operations,
    Patch,
    Replacements,
    sets,
)
from service.files.machine.play import Play

_Thing = TypeVar("_Thing")

_WORDS: Final = ("one", "two", "three")
_PATCHES: Final[Mapping[str, Sequence[Patch]]] = {
    "t": (
        *(sets("/name", it) for it in _WORDS),
        *(sets("/done", it) for it in (True, False)),
        *(sets(f"/steps/{it}", it) for it in ("a", "b")),
        sets("/steps", {}),
        sets("/name", 1),
        sets("/other", "x"),
        Operations(({"op": "remove", "path": "/name"},)),
        Operations(({"op": "remove", "path": "/done"},)),
        Operations(
            ({"op": "test", "path": "/name", "value": "one"}, {"op": "replace", "path": "/name", "value": "tested"})
        ),
    ),
    "n": (
        *(Replacements(((old, new),)) for old in _WORDS for new in _WORDS),
        *(Replacements(((it, f"new {it}"), ("new", "old"))) for it in _WORDS),
        Replacements((("", "one"),)),
        sets("/text", "one two"),
    ),
    "f": (*(sets("/name", f"{it}.fake") for it in _WORDS), sets("/name", "one.txt"), sets("/native/size", 1)),
}


class Way(TypedDict, total=False):
    """How a write is asked for."""

    must_propose: bool
    explicit: bool


class Choices:
    """The choices of one step, each made by a random number."""

    def __init__(self, random: Random, play: Play) -> None:
        self._random = random
        self._play = play
        self._state = play.model.state

    def command(self) -> Command:
        """What to ask for next."""
        choose = self._random.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
        return choose(self)

    def create(self) -> Command:
        kind = self._one([*[TASK, NOTE] * 4, FILE, "nothing"])
        data = {"text": "one two"} if kind == NOTE else {"name": "one"}
        artifact_id = self._one(["n2", "n3"] if kind == NOTE else ["t2", "t3", "t1"])
        return asked.Create(by=self._writer(), id=artifact_id, kind=kind, data=data, fence=self._fence(), **self._way())

    def change(self) -> Command:
        artifact_id = self._any()
        return asked.Change(
            by=self._writer(),
            id=artifact_id,
            base=self._base(artifact_id),
            patch=self._one(_PATCHES.get(artifact_id[0], _PATCHES["t"])),
            fence=self._fence(),
            **self._way(),
        )

    def archive(self) -> Command:
        artifact_id = self._one(["t2", "n2", "f2", "t3", "f3", "none"])
        return asked.Archive(by=self._writer(), id=artifact_id, base=self._base(artifact_id), **self._way())

    def restore(self) -> Command:
        artifact_id = self._any()
        return asked.Restore(
            by=self._writer(),
            id=artifact_id,
            base=self._base(artifact_id),
            version=self._random.randint(1, max(2, self._base(artifact_id))),
            must_propose=self._sometimes(3),
        )

    def upload(self) -> Command:
        return asked.Upload(
            by=self._writer(),
            id=self._one(["f2", "f3", "f1"]),
            paragraphs=self._words(),
            name=self._one([*["a.fake"] * 8, "a.txt", "a/b.fake"]),
            must_propose=self._sometimes(3),
            meanwhile=(asked.Switch(on=False),) if self._sometimes(10) else (),
        )

    def edit(self) -> Command:
        artifact_id = self._file()
        return asked.Edit(
            by=self._writer(),
            id=artifact_id,
            base=self._base(artifact_id),
            batch=self._batch(),
            must_propose=self._sometimes(2),
            fence=self._fence(),
            switched_off=self._sometimes(12),
        )

    def build_on(self) -> Command:
        batches = [it for it in self._state.proposals.values() if isinstance(it.change, state.Batch)]
        pending = [it for it in batches if it.state == "pending"]
        if not batches:
            return self.edit()
        proposal = self._one(pending if pending and not self._sometimes(6) else batches)
        by = self._writer() if self._sometimes(4) else proposal.by.name
        on = proposal.change.id
        return asked.Edit(by=by, id=on, base=self._base(on), batch=self._batch(), base_proposal=proposal.id)

    def check_out(self) -> Command:
        return asked.CheckOut(by=self._person(), id=self._file())

    def extend(self) -> Command:
        by, artifact_id, token = self._lent()
        return asked.Extend(by=by, id=artifact_id, token=token)

    def check_in(self) -> Command:
        by, artifact_id, token = self._lent()
        paragraphs = None if self._sometimes(4) else self._words()
        return asked.CheckIn(by=by, id=artifact_id, token=token, paragraphs=paragraphs)

    def check_in_slowly(self) -> Command:
        by, artifact_id, token = self._lent()
        events: Sequence[Command] = (
            asked.Switch(on=False),
            asked.Pass(id=artifact_id),
            asked.Break(by="olga", id=artifact_id),
            asked.Release(by=by, id=artifact_id),
            asked.CheckOut(by=self._person(), id=artifact_id),
            asked.Change(id=artifact_id, base=self._base(artifact_id), patch=sets("/name", "renamed.fake")),
        )
        meanwhile = tuple(self._random.sample(events, self._random.randint(1, 2)))
        new = (*self._words(), "new")
        return asked.CheckIn(by=by, id=artifact_id, token=token, paragraphs=new, meanwhile=meanwhile)

    def release(self) -> Command:
        by, artifact_id, token = self._lent()
        return asked.Release(by=by, id=artifact_id, token=0 if self._sometimes(2) else token)

    def break_check_out(self) -> Command:
        return asked.Break(by=self._one(["olga", "olga", "olga", "bob"]), id=self._lent()[1])

    def time_passes(self) -> Command:
        return asked.Pass(id=self._lent()[1], a_day=self._sometimes(4))

    def switch(self) -> Command:
        return asked.Switch(on=not self._state.on)

    def accept(self) -> Command:
        proposal = self._proposal()
        by = self._one(list(ACTORS)) if self._sometimes(4) else self._one(["alice", "bob"])
        if proposal is None:
            return asked.Accept(by=by, proposal="none")
        if by == proposal.by.name and not self._sometimes(4):
            by = "bob" if by == "alice" else "alice"
        return asked.Accept(
            by=by,
            proposal=proposal.id,
            changes=self._one(_PATCHES[proposal.change.id[0]]) if self._sometimes(4) else None,
            rebase=self._sometimes(2),
            must_propose=self._sometimes(10),
            fence=self._fence(),
        )

    def reject(self) -> Command:
        proposal = self._proposal()
        return asked.Reject(by=self._one(list(ACTORS)), proposal=proposal.id if proposal else "none")

    def withdraw(self) -> Command:
        proposal = self._proposal()
        if proposal is None:
            return asked.Withdraw(by=self._writer(), proposal="none")
        return asked.Withdraw(by=self._writer() if self._sometimes(4) else proposal.by.name, proposal=proposal.id)

    def barrier(self) -> Command:
        return asked.Barrier(by=self._one(["assistant", "other_agent", "alice"]), fence=self._random.randint(1, 3))

    def collect(self) -> Command:
        return asked.Collect()

    def trespass(self) -> Command:
        return asked.Trespass(id=self._any())

    def repeat(self) -> Command:
        command = self._one(self._play.repeatable[-10:])
        if self._sometimes(4) and isinstance(command, asked.Write):
            return type(command)(**{**vars(command), "must_propose": not command.must_propose})
        return command

    # What the choices are made of.

    def _one(self, things: Sequence[_Thing]) -> _Thing:
        return self._random.choice(things)

    def _sometimes(self, one_in: int) -> bool:
        return self._random.randrange(one_in) == 0

    def _writer(self) -> str:
        return self._one([*[it for it in ACTORS if it != "vera"] * 3, "vera"])

    def _person(self) -> str:
        return self._one([*["alice", "bob"] * 5, "olga", "vera", "assistant", "client"])

    def _way(self) -> Way:
        return self._one([Way(), Way(), Way(), Way(must_propose=True), Way(explicit=True)])

    def _fence(self) -> int:
        return self._one([*[0] * 8, 1, 2, 3])

    def _words(self) -> tuple[str, ...]:
        return tuple(self._random.choices(_WORDS, k=self._random.randint(0, 2)))

    def _batch(self) -> tuple[tuple[str, ...], ...]:
        one, other = self._random.sample(_WORDS, 2)
        commands = [*[("append", one)] * 4, ("replace", one, other), ("delete", self._one("12")), ("refuse", "no")]
        return tuple(self._random.choices(commands, k=self._random.randint(1, 2)))

    def _any(self) -> str:
        return self._one([*self._state.artifacts] * 3 + ["none"])

    def _file(self) -> str:
        return self._one([*self._state.holdings] * 6 + ["t1", "none"])

    def _base(self, artifact_id: str) -> int:
        head = self._state.head(artifact_id)
        return max(1, (head.number if head else 1) + self._one([*[0] * 10, -1, 1]))

    def _lent(self) -> tuple[str, str, int]:
        """Mostly a check-out that there is: who holds what, under which token."""
        lent = [(it.lease.holder.name, key, it.lease.token) for key, it in self._state.holdings.items() if it.lease]
        if lent and not self._sometimes(5):
            return self._one(lent)
        artifact_id = self._file()
        holding = self._state.holdings.get(artifact_id)
        return self._person(), artifact_id, max(1, (holding.counter if holding else 1) - self._one([0, 0, 1]))

    def _proposal(self) -> state.Proposal | None:
        """Mostly one that is pending."""
        held = list(self._state.proposals.values())
        pending = [it for it in held if it.state == "pending"]
        return self._one(pending if pending and not self._sometimes(6) else held or [None])


_WEIGHTS: Final[Mapping[Callable[[Choices], Command], int]] = {
    Choices.create: 4,
    Choices.change: 12,
    Choices.archive: 3,
    Choices.restore: 6,
    Choices.upload: 4,
    Choices.edit: 12,
    Choices.build_on: 5,
    Choices.check_out: 6,
    Choices.extend: 3,
    Choices.check_in: 6,
    Choices.check_in_slowly: 4,
    Choices.release: 4,
    Choices.break_check_out: 2,
    Choices.time_passes: 3,
    Choices.switch: 2,
    Choices.accept: 12,
    Choices.reject: 3,
    Choices.withdraw: 2,
    Choices.barrier: 2,
    Choices.collect: 1,
    Choices.trespass: 1,
    Choices.repeat: 6,
}
"""How often each is chosen; a switch that is off is turned on again by a step of its own."""
