"""What one native file is, operation by operation: version, tokens, and the lease that keeps writers apart."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from service.files.histories.linearizability import DONE, Operation

CHECKOUT: Final = "checkout"
EDIT: Final = "edit"


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A lease, live or lapsed."""

    kind: str
    holder: str
    token: int
    base: int
    lapsed: bool = False


@dataclass(frozen=True, kw_only=True)
class File:
    """A file at some moment."""

    version: int = 1
    counter: int = 0
    lease: Lease | None = None

    @property
    def live(self) -> Lease | None:
        """The lease that keeps others out."""
        return None if self.lease is None or self.lease.lapsed else self.lease


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a client asks of a file: check_out, extend, check_in, edit, rename, release, break, get_lease or get."""

    name: str
    by: str
    token: int = 0
    base: int = 0
    cut: bool = False
    """Whether a server was killed meanwhile: the channel then repeats a call by itself, under its request id."""


_REPEATED: Final = 1_000_000
"""Is added to the stage of an edit that was begun again; no file here has so many tokens."""

OK: Final = "OK"
Answer: TypeAlias = tuple[object, ...]
"""OK and what comes with it, or the reason of the refusal alone."""

Step: TypeAlias = tuple[File, int]


@dataclass(frozen=True, kw_only=True)
class FileRules:
    """The specification; which kinds of lease may lapse is the scenario's."""

    may_lapse: frozenset[str] = frozenset()
    initial: File = File()

    def steps(self, state: File, operation: Operation, stage: int) -> Iterable[Step]:
        """The steps that fit the answer, or any where that is not known."""
        call: Call = operation.call
        taken: Iterator[tuple[File, int, Answer]] = getattr(self, f"_{call.name}")(state, call, stage)
        for after, next_stage, answer in taken:
            if next_stage != DONE or not operation.is_known or answer == operation.answer:
                yield after, next_stage

    def events(self, state: File) -> Iterable[File]:
        """A lease lapses."""
        if state.live is not None and state.live.kind in self.may_lapse:
            yield replace(state, lease=replace(state.live, lapsed=True))

    def is_passive(self, operation: Operation) -> bool:
        """Reads, and what is refused; but a refused edit may have used a token up."""
        call: Call = operation.call
        return operation.is_known and (
            call.name in {"get", "get_lease"} or (operation.answer[0] != OK and call.name != "edit")
        )

    def _get(self, state: File, _call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        yield state, DONE, (OK, state.version)

    def _get_lease(self, state: File, _call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        live = state.live
        yield state, DONE, (OK, state.counter, *(() if live is None else (live.kind, live.holder, live.base)))

    def _check_out(self, state: File, call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        if state.live is not None:
            yield state, DONE, ("ARTIFACT_BUSY",)
            return
        token = state.counter + 1
        lease = Lease(kind=CHECKOUT, holder=call.by, token=token, base=state.version)
        yield replace(state, counter=token, lease=lease), DONE, (OK, token, state.version)

    def _extend(self, state: File, call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        lease = self._own(state, call)
        if lease is None:
            yield state, DONE, _not_own(state)
        elif lease.lapsed:
            yield state, DONE, ("LEASE_EXPIRED",)
        else:
            yield state, DONE, (OK, lease.token, lease.base)

    def _check_in(self, state: File, call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        lease = self._own(state, call)
        if lease is None:
            yield state, DONE, _not_own(state)
        elif lease.base != state.version:
            yield state, DONE, ("VERSION_CONFLICT",)
        else:
            counter = state.counter + lease.lapsed
            after = File(version=state.version + 1, counter=counter)
            yield after, DONE, (OK, after.version)

    def _edit(self, state: File, call: Call, stage: int) -> Iterator[tuple[File, int, Answer]]:
        """First it takes the lease, or is refused; then it commits, or, where that fails, only ends the lease.

        The stage after the first step is the token.
        """
        if stage == 0:
            yield from self._edit_begins(state, call)
            return
        token = stage % _REPEATED
        own = state.lease if state.lease is not None and state.lease.token == token else None
        ended = state if own is None else replace(state, lease=None)
        if own is None or own.lapsed:
            yield ended, DONE, ("ARTIFACT_BUSY",)
        else:
            yield replace(ended, version=state.version + 1), DONE, (OK, state.version + 1)
        yield ended, DONE, ("APP_REFUSED",)
        if call.cut and stage < _REPEATED:
            # A repeat takes the lease again that a dead server left behind, or is decided anew [ID-03].
            if own is not None and not own.lapsed:
                again = replace(own, token=state.counter + 1)
                yield replace(state, counter=again.token, lease=again), again.token + _REPEATED, ()
            for after, following, answer in self._edit_begins(state, call):
                yield after, following if following == DONE else following + _REPEATED, answer

    def _edit_begins(self, state: File, call: Call) -> Iterator[tuple[File, int, Answer]]:
        if state.version != call.base:
            yield state, DONE, ("VERSION_CONFLICT",)
        if state.live is not None:
            yield state, DONE, ("ARTIFACT_BUSY",)
        if state.version == call.base and state.live is None:
            token = state.counter + 1
            lease = Lease(kind=EDIT, holder=call.by, token=token, base=state.version)
            yield replace(state, counter=token, lease=lease), token, ()

    def _rename(self, state: File, call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        if state.live is not None:
            yield state, DONE, ("ARTIFACT_BUSY",)
        if state.version != call.base:
            yield state, DONE, ("VERSION_CONFLICT",)
        if state.live is None and state.version == call.base:
            yield replace(state, version=state.version + 1), DONE, (OK, state.version + 1)

    def _release(self, state: File, call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        lease = state.lease
        own = lease is not None and (lease.kind, lease.holder) == (CHECKOUT, call.by)
        if lease is not None and own and call.token in {0, lease.token}:
            yield replace(state, lease=None), DONE, (OK, not lease.lapsed)
            if call.cut:
                yield replace(state, lease=None), DONE, (OK, False)  # the repeat finds it ended
        else:
            yield state, DONE, (OK, False)

    def _break(self, state: File, _call: Call, _stage: int) -> Iterator[tuple[File, int, Answer]]:
        lease = state.lease
        if lease is None or lease.kind != CHECKOUT:
            yield state, DONE, (OK, "")
        else:
            yield replace(state, lease=None), DONE, (OK, lease.holder)

    def _own(self, state: File, call: Call) -> Lease | None:
        """The caller's own check-out with the token, live or lapsed."""
        lease = state.lease
        if lease is not None and (lease.kind, lease.holder, lease.token) == (CHECKOUT, call.by, call.token):
            return lease
        return None


def _not_own(state: File) -> Answer:
    return ("LEASE_EXPIRED",) if state.live is None else ("ARTIFACT_BUSY",)
