"""Short plays whose every step the model knows the answer of; each meets what some fault would do."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from service.files.machine.commands import (
    NOTE,
    TASK,
    Accept,
    Archive,
    Barrier,
    Break,
    Change,
    CheckIn,
    CheckOut,
    Collect,
    Command,
    Create,
    Edit,
    Operations,
    Pass,
    Reject,
    Release,
    Replacements,
    Switch,
    Trespass,
    Upload,
    sets,
)

Scenario: TypeAlias = Sequence[Command]

_TASK: Final = Create(id="t1", kind=TASK, data={"name": "one"})
_NOTE: Final = Create(id="n1", kind=NOTE, data={"text": "one two"})
_FILE: Final = Upload(id="f1", paragraphs=("one",))
_OUT: Final = CheckOut(id="f1")
_IN: Final = CheckIn(id="f1", token=1, paragraphs=("two",))
_RENAMED: Final = Change(id="t1", base=1, patch=sets("/name", "two"))
_PROPOSED: Final = Change(by="assistant", id="t1", base=1, patch=sets("/name", "two"), must_propose=True, proposal="p")
_BATCH: Final = Edit(id="f1", base=1, batch=(("append", "two"),))
_PROPOSED_BATCH: Final = Edit(
    by="assistant", id="f1", base=1, batch=(("append", "two"),), must_propose=True, proposal="p"
)
_REFUSED_BATCH: Final = Edit(id="f1", base=1, batch=(("refuse", "no"),))

OLD_TOKEN: Final = (_FILE, _OUT, Release(id="f1"), _OUT, _IN)
BROKEN_MEANWHILE: Final = (
    _FILE,
    _OUT,
    CheckIn(id="f1", token=1, paragraphs=("two",), meanwhile=(Break(by="olga", id="f1"), CheckOut(by="bob", id="f1"))),
)
LAPSED_EDIT: Final = (_FILE, Edit(id="f1", base=1, batch=(("append", "two"),), lapses=True))
TWO_CHECK_OUTS: Final = (_FILE, _OUT, CheckOut(by="bob", id="f1"), _BATCH)
SAME_BASE: Final = (_TASK, _RENAMED, Change(by="bob", id="t1", base=1, patch=sets("/done", value=True)))
LAPSED_AND_RENAMED: Final = (
    _FILE,
    _OUT,
    Pass(id="f1"),
    Change(by="bob", id="f1", base=1, patch=sets("/name", "b.fake")),
    _IN,
)
LATE: Final = (_FILE, _OUT, Pass(id="f1"), _IN, _OUT)
LATE_BY_A_DAY: Final = (_FILE, _OUT, Pass(id="f1", a_day=True), _IN)
LAPSED_AND_BROKEN: Final = (_FILE, _OUT, Pass(id="f1"), Break(by="olga", id="f1"), _IN)
OFF: Final = (_FILE, Switch(on=False), _OUT, CheckOut(by="vera", id="f1"), _BATCH)
OFF_MEANWHILE: Final = (
    _FILE,
    _OUT,
    CheckIn(id="f1", token=1, paragraphs=("two",), meanwhile=(Switch(on=False),)),
    Switch(on=True),
    Release(id="f1"),
    Edit(id="f1", base=1, batch=(("append", "two"),), switched_off=True),
)
REFUSED_BATCH: Final = (_FILE, _REFUSED_BATCH)
REPEATED: Final = (
    _TASK,
    Change(id="t1", base=1, patch=sets("/name", "two"), request=100),
    Change(id="t1", base=1, patch=sets("/name", "two"), request=100),
    Change(id="t1", base=2, patch=sets("/name", "three"), request=100),
    Change(by="bob", id="t1", base=2, patch=sets("/name", "three"), request=100),
)
ACCEPTED_TWICE: Final = (_TASK, _PROPOSED, Accept(by="bob", proposal="p"), Accept(by="bob", proposal="p"))
REJECTED: Final = (_TASK, _PROPOSED, Reject(by="bob", proposal="p"), Accept(by="bob", proposal="p"))
OWN: Final = (_TASK, _PROPOSED, Accept(by="assistant", proposal="p"), Accept(by="assistant_later", proposal="p"))
REVIEWED: Final = (
    _TASK,
    _PROPOSED,
    Accept(by="bob", proposal="p", changes=Operations(({"op": "add", "path": "/done", "value": True},))),
)
BY_POLICY: Final = (
    _NOTE,
    Change(by="assistant", id="n1", base=1, patch=Replacements((("one", "three"),)), proposal="p"),
    Accept(by="other_agent", proposal="p"),
)
ARCHIVED: Final = (_TASK, Archive(id="t1", base=1), Change(id="t1", base=2, patch=sets("/name", "two")))
CHECKED_OUT: Final = (
    _FILE,
    _PROPOSED_BATCH,
    _OUT,
    Change(id="f1", base=1, patch=sets("/name", "b.fake")),
    Accept(by="bob", proposal="p"),
)
STALE: Final = (_FILE, _PROPOSED_BATCH, _BATCH, Accept(by="bob", proposal="p"))
SUPERSEDED: Final = (
    _FILE,
    _PROPOSED_BATCH,
    Edit(by="assistant", id="f1", base=1, batch=(("append", "three"),), base_proposal="p"),
)
OVERTAKEN: Final = (
    _TASK,
    Barrier(by="assistant", fence=2),
    Change(by="assistant", id="t1", base=1, patch=sets("/name", "two"), fence=1),
)
COLLECTED: Final = (_FILE, _BATCH, Collect(), Edit(id="f1", base=2, batch=(("append", "three"),)))
COLLECTED_PROPOSAL: Final = (_FILE, _PROPOSED_BATCH, Collect(), Accept(by="bob", proposal="p"))
TRESPASS: Final = (_TASK, Trespass(id="t1"))
