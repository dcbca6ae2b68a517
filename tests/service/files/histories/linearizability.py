"""Whether a history of overlapping operations is one that a sequential specification allows.

Wing and Gong's search with Lowe's memory: operations take effect in some order in which none does before it
was called or after it was answered. One without an answer may take effect at any time after its call, or
never. An operation may take effect in several steps, one after the other; an edit takes its lease first.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Protocol, TypeAlias, TypeVar

State = TypeVar("State", bound=Hashable)

DONE: Final = -1
"""The stage of an operation that has taken all its effect."""

Place: TypeAlias = tuple[tuple[int, int], ...]
"""The operations that are under way, each with its stage."""

Configuration: TypeAlias = tuple[int, Place, Any]
"""A set of operations that are done, those under way, and the state."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A call, and what it was answered; times are of one clock."""

    number: int
    called: float
    answered: float = inf
    """Infinite where nobody knows what came of it."""
    call: Any
    answer: Any = None

    @property
    def is_known(self) -> bool:
        """Whether it was answered."""
        return self.answered < inf


class Specification(Protocol[State]):
    """What a sequential object does."""

    @property
    def initial(self) -> State:
        """Where it begins."""
        ...

    def steps(self, state: State, operation: Operation, stage: int) -> Iterable[tuple[State, int]]:
        """The states that an operation's next step may lead to, with the stage after it; from stage 0 to DONE."""
        ...

    def events(self, state: State) -> Iterable[State]:
        """The states that it may come to by itself."""
        ...

    def is_passive(self, operation: Operation) -> bool:
        """Whether an operation with this answer changes nothing, so that it may take effect as soon as it fits."""
        ...


class TooManyConfigurations(Exception):
    """The search gave up; nothing is known."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a search came to."""

    linearizable: bool
    configurations: int
    """How many were looked at."""
    stuck: Sequence[Operation] = ()
    """Where it is not: the operations of which one would have had to be next, as far as the search came."""


def check(specification: Specification[State], history: Sequence[Operation], *, limit: int = 500_000) -> Verdict:
    """Look for an order that the specification allows.

    Raises:
        TooManyConfigurations: none of `limit` configurations was the end of one.
    """
    return _Search(specification, history, limit).run()


class _Search:
    """A search over configurations: which operations are done, which are on their way, and the state."""

    def __init__(self, specification: Specification[State], history: Sequence[Operation], limit: int) -> None:
        self._specification: Specification[Any] = specification
        self._limit = limit
        self._operations = sorted(history, key=lambda it: it.called)
        self._known = sum(1 << index for index, it in enumerate(self._operations) if it.is_known)

    def run(self) -> Verdict:
        """Depth first, each configuration once."""
        start: Configuration = (0, (), self._specification.initial)
        seen, waiting = {start}, [start]
        furthest, stuck = -1, start
        while waiting:
            done, under_way, state = configuration = waiting.pop()
            count = (done & self._known).bit_count()
            if done & self._known == self._known:
                return Verdict(linearizable=True, configurations=len(seen))
            if count > furthest:
                furthest, stuck = count, configuration
            for following in self._following(done, under_way, state):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
            if len(seen) > self._limit:
                raise TooManyConfigurations(f"{furthest} of {self._known.bit_count()} operations were ordered")
        return Verdict(linearizable=False, configurations=len(seen), stuck=[it for _, it in self._next(stuck[0])])

    def _next(self, done: int) -> Iterator[tuple[int, Operation]]:
        """The operations that may take effect now: none that was called after another, not done, was answered."""
        first_answer = inf
        for index, operation in enumerate(self._operations):
            if operation.called > first_answer:
                return
            if not done >> index & 1:
                first_answer = min(first_answer, operation.answered)
                yield index, operation

    def _following(self, done: int, under_way: Place, state: Any) -> Iterator[Configuration]:  # noqa: ANN401
        stages = dict(under_way)
        choices: list[Configuration] = []
        for index, operation in self._next(done):
            others = [it for it in under_way if it[0] != index]
            for after, stage in self._specification.steps(state, operation, stages.get(index, 0)):
                if stage != DONE:
                    choices.append((done, tuple(sorted([*others, (index, stage)])), after))
                    continue
                choices.append((done | 1 << index, tuple(others), after))
                if self._specification.is_passive(operation):
                    yield choices[-1]  # it never fits better later, and takes nothing from any other
                    return
        yield from choices
        for after in self._specification.events(state):
            yield done, under_way, after
