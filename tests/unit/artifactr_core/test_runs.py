"""The rules of runs: which fact may follow which, and who may record it."""

import hashlib
from typing import Any

import pytest
from artifactr.core.actors import AgentActor, ExternalAgentActor, SystemActor, UserActor
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
    ToolStatus,
    digest_of,
)
from artifactr.core.rejections import Forbidden, InvalidState, NotFound, Rejection
from artifactr.core.runs import ENDS, Run, after

AGENT = AgentActor(thread_id="thr_1", run_id="run_1")
ALICE = UserActor(id="alice")
WHERE: dict[str, Any] = {"run_id": "run_1", "thread_id": "thr_1"}

QUESTION = DeferredRequest(tool_call_id="q", tool_name="ask_user", kind=DeferredKind.QUESTION)
APPROVAL = DeferredRequest(tool_call_id="a", tool_name="publish", kind=DeferredKind.APPROVAL)
STARTED = RunStarted(**WHERE, trigger=RunTrigger.MESSAGE, trace_id="1" * 32)
RESUMED = RunStarted(**WHERE, trigger=RunTrigger.RESUME, trace_id="2" * 32)
CALLED = ToolCalled(**WHERE, tool_call_id="c", tool_name="read")
RETURNED = ToolReturned(**WHERE, tool_call_id="c", tool_name="read", status=ToolStatus.OK)
PAUSED = RunPaused(**WHERE, requests=(QUESTION, APPROVAL))
ANSWERED = DeferredAnswered(**WHERE, tool_call_id="q", answer="Monday")
APPROVED = DeferredAnswered(**WHERE, tool_call_id="a", approved=True)
COMPLETED = RunEnded(**WHERE, status=RunStatus.COMPLETED)


def replay(*facts: RunFact) -> Run:
    """The run after facts of its own agent; answers are Alice's."""
    run: Run | None = None
    for fact in facts:
        run = after(run, fact, ALICE if isinstance(fact, DeferredAnswered) else AGENT)
    assert run is not None
    return run


def test_a_run_goes_from_start_over_a_pause_to_its_end_under_one_id() -> None:
    """RN-01, RN-02, RN-03: pending and answers are cleared on resuming, trace ids are kept."""
    paused = replay(STARTED, CALLED, RETURNED, PAUSED, ANSWERED)
    assert (paused.status, paused.open_requests) == (RunStatus.PAUSED, (APPROVAL,))
    resumed = replay(STARTED, PAUSED, ANSWERED, APPROVED, RESUMED)
    assert (resumed.status, resumed.pending, resumed.answers) == (RunStatus.RUNNING, (), ())
    assert resumed.trace_ids == ("1" * 32, "2" * 32)
    assert after(resumed, COMPLETED, AGENT).status is RunStatus.COMPLETED


@pytest.mark.parametrize("status", sorted(ENDS))
@pytest.mark.parametrize("fact", [STARTED, RESUMED, CALLED, RETURNED, PAUSED, ANSWERED, COMPLETED])
def test_nothing_follows_the_end_of_a_run(status: RunStatus, fact: RunFact) -> None:
    """RN-02, RN-14: every fact after the end is refused."""
    ended = replay(STARTED, RunEnded(**WHERE, status=status))
    with pytest.raises(InvalidState):
        after(ended, fact, AGENT)


@pytest.mark.parametrize(
    ("before", "fact", "refusal"),
    [
        ([], CALLED, NotFound),
        ([], RESUMED, NotFound),
        ([STARTED], STARTED, InvalidState),
        ([STARTED], RESUMED, InvalidState),
        ([STARTED], RunPaused(**WHERE, requests=()), InvalidState),
        ([STARTED], RunEnded(**WHERE, status=RunStatus.PAUSED), InvalidState),
        ([STARTED], ANSWERED, InvalidState),
        ([STARTED, PAUSED], CALLED, InvalidState),
        ([STARTED, PAUSED], RETURNED, InvalidState),
        ([STARTED, PAUSED], PAUSED, InvalidState),
        ([STARTED, PAUSED], DeferredAnswered(**WHERE, tool_call_id="x", answer="?"), NotFound),
        ([STARTED, PAUSED], DeferredAnswered(**WHERE, tool_call_id="q", approved=True), InvalidState),
        ([STARTED, PAUSED], DeferredAnswered(**WHERE, tool_call_id="q"), InvalidState),
        ([STARTED, PAUSED], DeferredAnswered(**WHERE, tool_call_id="a", answer="yes"), InvalidState),
        ([STARTED, PAUSED, ANSWERED], RESUMED, InvalidState),
        ([STARTED, PAUSED, ANSWERED], ANSWERED, InvalidState),
        ([STARTED], RunEnded(run_id="run_1", thread_id="thr_2", status=RunStatus.FAILED), Rejection),
    ],
)
def test_a_fact_that_cannot_follow_is_refused(before: list[RunFact], fact: RunFact, refusal: type[Rejection]) -> None:
    """RN-02, RN-03, PA-04."""
    run = replay(*before) if before else None
    with pytest.raises(refusal):
        after(run, fact, ALICE if isinstance(fact, DeferredAnswered) else AGENT)


def test_arguments_have_one_digest_however_they_are_written() -> None:
    """What was approved and what runs are compared by it; other arguments have another, and what is no JSON has one."""
    written = ['{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }']
    assert len({digest_of(it) for it in written}) == 1
    assert len({digest_of(it) for it in ('{"a":1}', '{"a":2}', '{"a":', "")}) == 4
    assert digest_of('{"b": "ü", "a": 1}') == hashlib.sha256('{"a":1,"b":"ü"}'.encode()).hexdigest()


def test_closing_a_paused_run_may_return_its_open_calls() -> None:
    """RN-03: of its open requests, and of nothing else."""
    run = replay(STARTED, PAUSED)
    declined = ToolReturned(**WHERE, tool_call_id="a", tool_name="publish", status=ToolStatus.ERROR)
    assert after(run, declined, AGENT) == run


@pytest.mark.parametrize(
    "actor",
    [
        ALICE,
        ExternalAgentActor(client_id="bot"),
        AgentActor(thread_id="thr_2"),
        UserActor(id="thr_1"),
        ExternalAgentActor(client_id="thr_1"),
    ],
    ids=str,
)
@pytest.mark.parametrize("fact", [CALLED, RETURNED, PAUSED, COMPLETED])
def test_nobody_else_records_facts_of_a_run(actor: UserActor | ExternalAgentActor | AgentActor, fact: RunFact) -> None:
    """RN-04, SE-03, AC-02: facts cannot be forged, by the id of the thread neither."""
    with pytest.raises(Forbidden):
        after(replay(STARTED), fact, actor)


def test_the_system_records_the_end_of_a_run() -> None:
    """RN-04, RN-13: as the runner does for an abandoned one."""
    ended = after(
        replay(STARTED),
        RunEnded(**WHERE, status=RunStatus.FAILED, error="lost", reason="abandoned"),
        SystemActor(name="runner"),
    )
    assert (ended.status, ended.error, ended.reason) == (RunStatus.FAILED, "lost", "abandoned")
