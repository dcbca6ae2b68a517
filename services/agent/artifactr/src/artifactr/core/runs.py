"""Runs: the rules by which facts about them follow each other [RN-01 to RN-04, RN-07, PA-03 to PA-05]."""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from artifactr.core.actors import NOBODY, Actor, ExternalAgentActor, Principal, SystemActor, UserActor, agent_of
from artifactr.core.events import (
    DeferredAnswered,
    DeferredKind,
    DeferredRequest,
    RunEnded,
    RunFact,
    RunPaused,
    RunStarted,
    RunStatus,
    RunTrigger,
    ToolCalled,
    ToolReturned,
    Usage,
)
from artifactr.core.rejections import Forbidden, InvalidState, NotFound

ENDS: Final = frozenset({RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.FAILED})
"""The statuses that nothing follows."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to a deferred request; `approved` is None for a question."""

    tool_call_id: str
    text: str = ""
    approved: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """A piece of an agent's work in a thread; it keeps its id over pauses [RN-01].

    `pending` are the requests that a paused run waits for, answered or not; `taken` is the log position of the message
    that its newest segment began with, 0 for a segment that no message began; `heard` are those of the messages that
    were posted during the pause and answered nothing, which the resumed segment begins with; `usage` is what it used
    up to its last pause. `principal` is for whom it works, from its first start to its end [SE-08].
    """

    id: str
    thread_id: str
    status: RunStatus
    pending: tuple[DeferredRequest, ...] = ()
    answers: tuple[Answer, ...] = ()
    trace_ids: tuple[str, ...] = ()
    error: str = ""
    reason: str = ""
    taken: int = 0
    heard: tuple[int, ...] = ()
    usage: Usage | None = None
    principal: Principal = NOBODY

    @property
    def answered(self) -> tuple[tuple[DeferredRequest, Answer], ...]:
        """The answered requests, each with its answer, in the order in which they were asked."""
        answers = {answer.tool_call_id: answer for answer in self.answers}
        return tuple((it, answers[it.tool_call_id]) for it in self.pending if it.tool_call_id in answers)

    @property
    def open_requests(self) -> tuple[DeferredRequest, ...]:
        """The requests still to be answered."""
        answered = {answer.tool_call_id for answer in self.answers}
        return tuple(request for request in self.pending if request.tool_call_id not in answered)


def after(run: Run | None, fact: RunFact, actor: Actor) -> Run:
    """The run after a fact; `run` is None for one not started yet.

    Raises Forbidden where the actor is neither the thread's own agent nor the system [RN-04], or may not answer
    [AMB-28]; NotFound where there is no such run or no such request in it; and InvalidState where the fact cannot
    follow what is recorded [RN-02, RN-03].
    """
    if not isinstance(fact, DeferredAnswered):
        _require_recorder(fact, actor)
    if run is not None and run.thread_id != fact.thread_id:
        raise InvalidState(why=f"run {run.id} belongs to another thread than {fact.thread_id}")
    if isinstance(fact, RunStarted):
        return _started(run, fact)
    if run is None:
        raise NotFound(entity="run", id=fact.run_id)
    match fact:
        case ToolCalled():
            return _require(run, RunStatus.RUNNING)
        case ToolReturned():
            return _returned(run, fact)
        case RunPaused():
            return _paused(run, fact)
        case DeferredAnswered():
            return _answered(run, fact, actor)
        case RunEnded():
            return _ended(run, fact)
        case _:
            assert_never(fact)


def may_answer(request: DeferredRequest, actor: Actor) -> bool:
    """Any user may; an external agent answers questions, never approvals; no other agent anything [AMB-28]."""
    match actor:
        case UserActor():
            return True
        case ExternalAgentActor():
            return request.kind is DeferredKind.QUESTION
        case _:
            return False


def reply(run: Run, content: str, actor: Actor) -> tuple[DeferredAnswered, ...]:
    """The answers that a message to a paused run gives [TH-04, PA-06].

    To each open question its text, to each open approval a decline with its text as the reason; none to what its author
    may not answer [AMB-28].
    """
    return tuple(
        DeferredAnswered(
            run_id=run.id,
            thread_id=run.thread_id,
            tool_call_id=request.tool_call_id,
            answer=content,
            approved=False if request.kind is DeferredKind.APPROVAL else None,
        )
        for request in run.open_requests
        if may_answer(request, actor)
    )


def _require_recorder(fact: RunFact, actor: Actor) -> None:
    if not isinstance(actor, SystemActor) and actor.participant != agent_of(fact.thread_id):
        raise Forbidden(why="only the thread's own agent and the system record facts of its runs")


def _require(run: Run, *allowed: RunStatus) -> Run:
    if run.status not in allowed:
        raise InvalidState(why=f"run {run.id} is {run.status}")
    return run


def _started(run: Run | None, fact: RunStarted) -> Run:
    traces = (fact.trace_id,) if fact.trace_id else ()
    if run is None:
        if fact.trigger is RunTrigger.RESUME:
            raise NotFound(entity="run", id=fact.run_id)
        return Run(id=fact.run_id, thread_id=fact.thread_id, status=RunStatus.RUNNING, trace_ids=traces)
    _require(run, RunStatus.PAUSED)
    if run.open_requests:
        raise InvalidState(why=f"run {run.id} still waits for an answer")
    return replace(run, status=RunStatus.RUNNING, pending=(), answers=(), trace_ids=run.trace_ids + traces)


def _returned(run: Run, fact: ToolReturned) -> Run:
    asked = fact.tool_call_id in {request.tool_call_id for request in run.pending}
    return _require(run, RunStatus.RUNNING, *([RunStatus.PAUSED] if asked else []))  # closing a paused run [RN-03]


def _paused(run: Run, fact: RunPaused) -> Run:
    _require(run, RunStatus.RUNNING)
    if not fact.requests:
        raise InvalidState(why="a run pauses for one request at least")
    return replace(
        run,
        status=RunStatus.PAUSED,
        pending=fact.requests,
        heard=(),
        usage=run.usage if fact.usage is None else fact.usage,
    )


def _ended(run: Run, fact: RunEnded) -> Run:
    _require(run, RunStatus.RUNNING, RunStatus.PAUSED)
    if fact.status not in ENDS:
        raise InvalidState(why=f"{fact.status} is no end of a run")
    return replace(run, status=fact.status, pending=(), answers=(), heard=(), error=fact.error, reason=fact.reason)


def _answered(run: Run, fact: DeferredAnswered, actor: Actor) -> Run:
    request = next((it for it in run.pending if it.tool_call_id == fact.tool_call_id), None)
    _require(run, RunStatus.PAUSED)
    if request is None:
        raise NotFound(entity="deferred request", id=fact.tool_call_id)
    if not may_answer(request, actor):
        raise Forbidden(why="a person answers approvals, a person or an external agent questions")
    if request not in run.open_requests:
        raise InvalidState(why=f"request {fact.tool_call_id} is answered already")
    in_words = fact.approved is None and fact.answer.strip()
    fits = fact.approved is not None if request.kind is DeferredKind.APPROVAL else in_words
    if not fits:
        raise InvalidState(why="an approval is answered with yes or no, a question in words")
    answer = Answer(tool_call_id=fact.tool_call_id, text=fact.answer, approved=fact.approved)
    return replace(run, answers=(*run.answers, answer))
