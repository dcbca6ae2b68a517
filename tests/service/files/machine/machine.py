"""Commands in any order: the actors and the ids are few, so that they meet."""

import dataclasses
from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias, TypedDict

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from service.files.machine import commands as asked
from service.files.machine import state
from service.files.machine.commands import ACTORS, FILE, NOTE, TASK, Command, Operations, Replacements, sets
from service.files.machine.stage import Stage
from service.files.machine.state import Proposal

Batch: TypeAlias = tuple[tuple[str, ...], ...]
Events: TypeAlias = list[Callable[[str], Command]]
"""What happens to a file while a call about it is under way."""


class Way(TypedDict, total=False):
    """How a write is asked for."""

    must_propose: bool
    explicit: bool


_IDS: Final = (*("t1", "n1", "f1") * 4, *("t2", "f2") * 2, "none")
_WORDS: Final = ("one", "two", "three")

writers = st.sampled_from([it for it in ACTORS if it != "vera"])
people = st.sampled_from([*["alice", "bob"] * 4, "olga", "assistant"])
deciders = st.sampled_from([*["alice", "bob"] * 4, *ACTORS])
anybody = st.sampled_from(list(ACTORS))
ids = st.sampled_from(_IDS)
files = st.sampled_from([*["f1"] * 6, *["f2"] * 3, "t1", "none"])
words = st.sampled_from(_WORDS)
seldom = st.sampled_from([*[False] * 11, True])
rarely = st.sampled_from([False, False, False, True])
often = st.booleans()
ways: st.SearchStrategy[Way] = st.sampled_from(
    [Way(), Way(), Way(), Way(must_propose=True), Way(explicit=True), Way(must_propose=True)]
)
meanwhiles: st.SearchStrategy[Events] = st.lists(
    st.sampled_from(
        [
            lambda _: asked.Switch(on=False),
            lambda file: asked.Pass(id=file),
            lambda file: asked.Break(by="olga", id=file),
            lambda file: asked.Release(by="alice", id=file),
            lambda file: asked.CheckOut(by="bob", id=file),
            lambda file: asked.Change(id=file, base=1, patch=sets("/name", "renamed.fake")),
        ]
    ),
    min_size=1,
    max_size=2,
)
lag = st.sampled_from([*[0] * 8, 1, -1])
"""How far behind the version stands that a command is based on."""
names = st.sampled_from([*["a.fake"] * 5, "a.txt", "a/b.fake"])
fences = st.sampled_from([0, 0, 0, 0, 1, 2])
paragraphs = st.lists(words, min_size=0, max_size=2).map(tuple)
batches = st.lists(
    st.one_of(
        st.tuples(st.just("append"), words),
        st.tuples(st.just("append"), words),
        st.tuples(st.just("replace"), words, words),
        st.tuples(st.just("delete"), st.sampled_from(["1", "2"])),
    ),
    min_size=1,
    max_size=2,
).map(tuple)
picks = st.integers(min_value=0, max_value=30)
"""Which of some number of things: the remainder counts from the last one."""

task_patches = st.one_of(
    st.builds(sets, st.just("/name"), words),
    st.builds(sets, st.just("/done"), st.booleans()),
    st.builds(lambda key: sets(f"/steps/{key}", key), st.sampled_from(["a", "b"])),
    st.just(sets("/steps", {})),
    st.just(sets("/name", 1)),
    st.just(sets("/other", "x")),
    st.just(Operations(({"op": "remove", "path": "/name"},))),
    st.just(Operations(({"op": "remove", "path": "/done"},))),
    st.just(
        Operations(({"op": "test", "path": "/name", "value": "one"}, {"op": "add", "path": "/done", "value": True}))
    ),
)
text_patches = st.one_of(
    st.builds(lambda old, new: Replacements(((old, new),)), words, words),
    st.builds(lambda old, new: Replacements(((old, f"{new} {old}"), (new, "end"))), words, words),
    st.just(Replacements((("", "one"),))),
)
file_patches = st.one_of(
    st.builds(lambda word: sets("/name", f"{word}.fake"), words),
    st.just(sets("/name", "one.txt")),
    st.just(sets("/native/size", 1)),
)
patches = {"t": task_patches, "n": text_patches, "f": file_patches}


class Exploration(RuleBasedStateMachine):
    """Several actors in one workspace; each step is compared with the model."""

    stage: ClassVar[Stage]

    def __init__(self) -> None:
        super().__init__()
        self.play = self.stage.new_play()
        self.collected = 0

    def do(self, command: Command) -> None:
        self.stage.wait_for(self.play.do(command))

    def base(self, artifact_id: str, behind: int) -> int:
        head = self.play.model.state.head(artifact_id)
        return max(1, (head.number if head else 1) - behind)

    def token(self, artifact_id: str, behind: int) -> int:
        holding = self.play.model.state.holdings.get(artifact_id)
        return max(1, (holding.counter if holding else 1) - behind)

    def known(self, artifact_id: str) -> str:
        """The artifact, or else another one of its kind, which is there."""
        return artifact_id if artifact_id in (*self.play.model.state.artifacts, "none") else f"{artifact_id[0]}1"

    def proposal(self, pick: int) -> str:
        """Mostly one that is pending."""
        held = list(self.play.model.state.proposals.values())
        pending = [it for it in held if it.state == "pending"]
        among = pending if pending and pick % 5 else held
        return among[-1 - pick % len(among)].id if among else "none"

    def proposed_batches(self) -> list[Proposal]:
        """The proposed batches, pending ones if there are any."""
        held = [it for it in self.play.model.state.proposals.values() if isinstance(it.change, state.Batch)]
        return [it for it in held if it.state == "pending"] or held

    def holder(self, artifact_id: str, by: str, pick: int) -> str:
        """Mostly whoever has the file checked out."""
        holding = self.play.model.state.holdings.get(artifact_id)
        return holding.lease.holder.name if holding and holding.lease and pick % 4 else by

    @initialize()
    def something(self) -> None:
        self.do(asked.Create(id="t1", kind=TASK, data={"name": "one"}))
        self.do(asked.Create(id="n1", kind=NOTE, data={"text": "one two"}))
        self.do(asked.Create(id="t2", kind=TASK, data={"name": "two", "steps": {"a": "a"}}))
        self.do(asked.Upload(id="f1", paragraphs=("one",)))
        self.do(asked.Upload(id="f2", paragraphs=("one", "two")))
        self.do(asked.Change(by="assistant", id="n1", base=1, patch=Replacements((("one", "three"),))))

    # Artifacts of any kind.

    @rule(by=writers, id=ids, kind=st.sampled_from([*[TASK, NOTE] * 3, FILE, "nothing"]), how=ways, fence=fences)
    def create(self, by: str, id: str, kind: str, how: Way, fence: int) -> None:  # noqa: A002
        data = {"text": "one two"} if kind == NOTE else {"name": "one"}
        self.do(asked.Create(by=by, id=id, kind=kind, data=data, fence=fence, **how))

    @rule(by=anybody, id=ids, behind=lag, drawn=st.data(), how=ways, fence=fences)
    def change(self, by: str, id: str, behind: int, drawn: st.DataObject, how: Way, fence: int) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        patch = drawn.draw(patches.get(id[0], task_patches))
        self.do(asked.Change(by=by, id=id, base=self.base(id, behind), patch=patch, fence=fence, **how))

    @rule(by=writers, id=st.sampled_from(["t2", "f2", "t3", "f3", "none"]), behind=lag, how=ways)
    def archive(self, by: str, id: str, behind: int, how: Way) -> None:  # noqa: A002
        self.do(asked.Archive(by=by, id=id, base=self.base(id, behind), **how))

    @rule(by=writers, id=ids, behind=lag, version=st.integers(1, 3), asks=rarely)
    def restore(self, by: str, id: str, behind: int, version: int, asks: bool) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        base = self.base(id, behind)
        self.do(asked.Restore(by=by, id=id, base=base, version=version, must_propose=asks))

    # Files.

    @rule(by=writers, id=st.sampled_from(["f3", "f3", "f4", "f4", "f1"]), text=paragraphs, name=names, asks=rarely)
    def upload(self, by: str, id: str, text: tuple[str, ...], name: str, asks: bool) -> None:  # noqa: A002
        self.do(asked.Upload(by=by, id=id, paragraphs=text, name=name, must_propose=asks))

    @rule(by=anybody, id=files, behind=lag, batch=batches, asks=often, fence=fences, off=seldom)
    def edit(self, by: str, id: str, behind: int, batch: Batch, asks: bool, fence: int, off: bool) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        base = self.base(id, behind)
        self.do(asked.Edit(by=by, id=id, base=base, batch=batch, must_propose=asks, fence=fence, switched_off=off))

    @precondition(lambda self: self.proposed_batches())
    @rule(by=writers, pick=picks, batch=batches)
    def build_on(self, by: str, pick: int, batch: Batch) -> None:
        held = self.proposed_batches()
        proposal = held[-1 - pick % len(held)]
        by = proposal.by.name if pick % 4 else by
        target = proposal.change.id
        self.do(asked.Edit(by=by, id=target, base=self.base(target, 0), batch=batch, base_proposal=proposal.id))

    @rule(by=people, id=files)
    def check_out(self, by: str, id: str) -> None:  # noqa: A002
        self.do(asked.CheckOut(by=by, id=self.known(id)))

    @rule(by=people, id=files, behind=lag, pick=picks)
    def extend(self, by: str, id: str, behind: int, pick: int) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        by = self.holder(id, by, pick)
        self.do(asked.Extend(by=by, id=id, token=self.token(id, behind)))

    @rule(by=people, id=files, behind=lag, text=st.one_of(st.none(), paragraphs), pick=picks)
    def check_in(self, by: str, id: str, behind: int, text: tuple[str, ...] | None, pick: int) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        by = self.holder(id, by, pick)
        self.do(asked.CheckIn(by=by, id=id, token=self.token(id, behind), paragraphs=text))

    @rule(by=people, id=st.sampled_from(["f1", "f2"]), text=paragraphs, events=meanwhiles)
    def check_in_slowly(self, by: str, id: str, text: tuple[str, ...], events: Events) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        by = self.holder(id, by, 1)
        meanwhile = tuple(event(id) for event in events)
        self.do(asked.CheckIn(by=by, id=id, token=self.token(id, 0), paragraphs=(*text, "new"), meanwhile=meanwhile))

    @rule(by=people, id=files, behind=st.sampled_from([None, 0, 1]))
    def release(self, by: str, id: str, behind: int | None) -> None:  # noqa: A002
        id = self.known(id)  # noqa: A001
        self.do(asked.Release(by=by, id=id, token=0 if behind is None else self.token(id, behind)))

    @rule(by=st.sampled_from(["olga", "olga", "bob"]), id=files)
    def break_check_out(self, by: str, id: str) -> None:  # noqa: A002
        self.do(asked.Break(by=by, id=self.known(id)))

    @rule(id=st.sampled_from(["f1", "f2"]), a_day=rarely)
    def time_passes(self, id: str, a_day: bool) -> None:  # noqa: A002
        self.do(asked.Pass(id=self.known(id), a_day=a_day))

    @rule(on=st.sampled_from([True, True, False]))
    def switch(self, on: bool) -> None:
        if on is not self.play.model.state.on:
            self.do(asked.Switch(on=on))

    # Proposals.

    @precondition(lambda self: self.play.model.state.proposals)
    @rule(by=deciders, pick=picks, rebase=st.booleans(), asks=rarely, changed=rarely, drawn=st.data(), fence=fences)
    def accept(
        self, by: str, pick: int, rebase: bool, asks: bool, changed: bool, drawn: st.DataObject, fence: int
    ) -> None:
        proposal = self.play.model.state.proposals.get(self.proposal(pick))
        if proposal and proposal.by.name == by and pick % 3:
            by = "bob" if by == "alice" else "alice"
        kind = proposal.change.id[0] if proposal else "t"
        changes = drawn.draw(patches.get(kind, task_patches)) if changed else None
        name = self.proposal(pick)
        self.do(asked.Accept(by=by, proposal=name, changes=changes, rebase=rebase, must_propose=asks, fence=fence))

    @precondition(lambda self: self.play.model.state.proposals)
    @rule(by=anybody, pick=picks)
    def reject(self, by: str, pick: int) -> None:
        self.do(asked.Reject(by=by, proposal=self.proposal(pick * 5)))

    @rule(by=writers, pick=picks)
    def withdraw(self, by: str, pick: int) -> None:
        proposal = self.play.model.state.proposals.get(self.proposal(pick))
        by = proposal.by.name if proposal and pick % 3 else by
        self.do(asked.Withdraw(by=by, proposal=self.proposal(pick)))

    # Beside all of them.

    @rule(by=st.sampled_from(["assistant", "other_agent", "alice"]), fence=st.sampled_from([1, 2]))
    def barrier(self, by: str, fence: int) -> None:
        self.do(asked.Barrier(by=by, fence=fence))

    @precondition(lambda self: len(self.play.model.state.commits) > self.collected + 3)
    @rule()
    def collect(self) -> None:
        self.collected = len(self.play.model.state.commits)
        self.do(asked.Collect())

    @rule(id=ids)
    def trespass(self, id: str) -> None:  # noqa: A002
        self.do(asked.Trespass(id=id))

    @rule(pick=picks, changed=rarely)
    def repeat(self, pick: int, changed: bool) -> None:
        repeatable = [it for it in self.play.asked if not isinstance(it, asked.Switch)]
        command = repeatable[-1 - pick % len(repeatable)]
        if changed and isinstance(command, asked.Write):
            command = dataclasses.replace(command, must_propose=not command.must_propose)
        self.do(command)

    def teardown(self) -> None:
        self.stage.wait_for(self.play.end())
