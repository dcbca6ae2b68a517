"""What may happen in a workspace with one thread: deeds between the runs and in the middle of them, in any order."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from hypothesis import strategies as st


class What(StrEnum):
    """What somebody does. Each deed makes of the workspace what it can: an artifact that is missing is created."""

    EDIT = auto()
    ARCHIVE = auto()
    PROPOSE = auto()
    DECIDE = auto()
    FOCUS = auto()
    INGEST = auto()
    SAY = auto()


class Who(StrEnum):
    """Who does it: a person, the thread's own agent, or that of another thread."""

    ALICE = auto()
    BOB = auto()
    AGENT = auto()
    OTHER_AGENT = auto()


class End(StrEnum):
    """What a segment comes to at the request to the model after its steps."""

    ANSWERS = auto()
    ASKS = auto()
    ASKS_FOR_LEAVE = auto()
    ASKS_BOTH_WHILE_WORKING = auto()
    MODEL_FAILS = auto()
    TOOL_FAILS = auto()
    REQUEST_FAILS = auto()
    STOPPED_BEFORE_THE_MODEL = auto()
    STOPPED_IN_THE_MODEL = auto()
    STOPPED_IN_A_TOOL = auto()
    LOST_BEFORE_THE_MODEL = auto()
    LOST_IN_THE_MODEL = auto()
    LOST_IN_A_TOOL = auto()
    OUT_OF_REQUESTS = auto()
    ONE_REQUEST_TOO_MANY = auto()


class Resumption(StrEnum):
    """How a paused run goes on."""

    ANSWERS = auto()
    DECLINES = auto()
    MESSAGE = auto()
    STOP = auto()


@dataclass(frozen=True)
class Deed:
    """Something that somebody does; `which` tells the artifact or the proposal, `odd` chooses between two manners."""

    what: What
    who: Who = Who.BOB
    which: int = 1
    odd: bool = False


@dataclass(frozen=True)
class Step:
    """A request to the model, and the tool that it calls: what happens meanwhile."""

    thinking: Sequence[Deed] = ()
    working: Sequence[Deed] = ()


@dataclass(frozen=True)
class Turn:
    """A segment: what comes before it, its steps, its end, and what happens once it has listened for the last time."""

    before: Sequence[Deed] = ()
    resumption: Resumption = Resumption.ANSWERS
    steps: Sequence[Step] = ()
    thinking: Sequence[Deed] = ()
    end: End = End.ANSWERS
    late: Sequence[Deed] = ()
    lagging: bool = False
    """Whether files cannot be asked from the first request to the end, so that only deeds take its changes up."""


_DEEDS = st.lists(
    st.builds(
        Deed,
        # Ingestion lags: what is committed waits until somebody takes it up.
        what=st.sampled_from([*What, What.EDIT, What.EDIT, What.INGEST, What.DECIDE]),
        who=st.sampled_from([*Who, Who.BOB]),
        which=st.integers(1, 3),
        odd=st.booleans(),
    ),
    max_size=4,
)

SCHEDULES = st.lists(
    st.builds(
        Turn,
        before=_DEEDS,
        resumption=st.sampled_from(Resumption),
        steps=st.lists(st.builds(Step, thinking=_DEEDS, working=_DEEDS), max_size=2),
        thinking=_DEEDS,
        end=st.sampled_from(End),
        late=_DEEDS,
        lagging=st.booleans(),
    ),
    min_size=2,
    max_size=6,
)
