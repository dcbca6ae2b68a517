"""Threads: what commands append, and which turn comes next."""

import pytest
from artifactr.core.actors import EDITOR, Principal, UserActor
from artifactr.core.events import DeferredKind, DeferredRequest, FocusChanged, RunStatus, ThreadMode
from artifactr.core.rejections import ValidationFailed
from artifactr.core.runs import Answer, Run
from artifactr.core.threads import Message, Prompt, Reply, Stop, Thread, created, next_turn, with_focus, with_mode

THREAD = Thread(id="thr_1", title="Launch")
ALICE = Principal(actor=UserActor(id="alice"), roles=EDITOR)
MESSAGE = Message(id="msg_1", thread_id="thr_1", content="go", actor=ALICE.actor, log_sequence=7, principal=ALICE)
QUESTION = DeferredRequest(tool_call_id="q", tool_name="ask_user", kind=DeferredKind.QUESTION)
PAUSED = Run(id="run_1", thread_id="thr_1", status=RunStatus.PAUSED, pending=(QUESTION,))
ANSWERED = Run(
    id="run_1",
    thread_id="thr_1",
    status=RunStatus.PAUSED,
    pending=(QUESTION,),
    answers=(Answer(tool_call_id="q", text="Monday"),),
)


def test_a_focus_drops_repeats_and_an_equal_one_appends_nothing() -> None:
    """CM-04: the first occurrence keeps its place."""
    followed, event = with_focus(THREAD, ["a", "b", "a"])
    assert event == FocusChanged(thread_id="thr_1", artifact_ids=("a", "b"))
    assert with_focus(followed, ["a", "b", "b"]) == (followed, None)


def test_the_mode_that_is_set_already_appends_nothing() -> None:
    """CM-05."""
    suggesting, event = with_mode(THREAD, ThreadMode.SUGGEST)
    assert (suggesting.mode, event is not None) == (ThreadMode.SUGGEST, True)
    assert with_mode(suggesting, ThreadMode.SUGGEST) == (suggesting, None)


def test_a_thread_is_created_with_an_agent_for_good() -> None:
    """TH-13: nothing that is done to it names one anew."""
    thread = created("thr_1", "Launch", "writer")
    suggesting, _ = with_mode(thread, ThreadMode.SUGGEST)
    following, _ = with_focus(suggesting, ["a"])
    assert following.agent_name == "writer"
    assert created("thr_1", "Launch").agent_name == ""


@pytest.mark.parametrize("agent_name", [" ", "x" * 201, "a\0b"])
def test_a_thread_cannot_name_what_no_agent_is_called(agent_name: str) -> None:
    """TH-13."""
    with pytest.raises(ValidationFailed, match="agent_name"):
        created("thr_1", "Launch", agent_name)


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
def test_a_title_is_neither_blank_nor_endless(title: str) -> None:
    """TH-01."""
    with pytest.raises(ValidationFailed):
        created("thr_1", title)


@pytest.mark.parametrize(
    ("paused", "waiting", "turn"),
    [
        (None, None, None),
        (None, MESSAGE, Prompt(message=MESSAGE)),
        (PAUSED, None, None),
        (PAUSED, MESSAGE, Reply(run=PAUSED, message=MESSAGE)),
        (ANSWERED, None, Reply(run=ANSWERED, message=None)),
        (ANSWERED, MESSAGE, Reply(run=ANSWERED, message=None)),
    ],
)
def test_a_message_means_what_the_state_of_its_thread_says(
    paused: Run | None, waiting: Message | None, turn: Prompt | Reply | None
) -> None:
    """TH-04, PA-05, PA-07: a prompt, a reply, or, once all is answered, nothing that the resuming turn takes."""
    assert next_turn(paused, waiting) == turn


def test_a_paused_run_that_was_asked_to_stop_is_ended_before_anything_else() -> None:
    """RN-02, RN-16."""
    assert next_turn(PAUSED, MESSAGE, stop=True) == Stop(run=PAUSED)
