"""Commands on threads: ids are used once, repeats are answered as the first call was, equal state appends nothing."""

import asyncio

import pytest
from artifactr.core.commands import CreateThread, PostMessage, SetFocus, SetThreadMode
from artifactr.core.events import FocusChanged, ThreadMode
from artifactr.core.rejections import InvalidState, NotFound, ValidationFailed
from artifactr.workspace import Request, Workspace
from lattice_chassis.postgres.requests import IdempotencyMismatch
from service.agent.scripted_files import ScriptedFiles


def request(digest: bytes = b"body") -> Request:
    return Request(id="6f4f5d0e-7d0e-4a8c-9a77-0d4d5cf7c001", method="lattice.agent.v1.X/Y", digest=digest)


async def test_a_message_id_is_used_once_in_all_threads(alice: Workspace) -> None:
    """ID-01: a repeat in another thread is refused, and nothing is appended."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.create_thread("Press", thread_id="thr_2")
    await alice.post_message("thr_1", "hello", message_id="msg_1")
    with pytest.raises(InvalidState):
        await alice.post_message("thr_2", "hello again", message_id="msg_1")
    with pytest.raises(InvalidState):
        await alice.create_thread("Launch", thread_id="thr_1")
    assert await alice.head() == 3


async def test_a_repeat_is_answered_as_the_first_call_was(alice: Workspace) -> None:
    """ID-03: two at once under one request_id post one message, and both learn its number."""
    await alice.create_thread("Launch", thread_id="thr_1")
    command = PostMessage(thread_id="thr_1", content="hello")
    first, second = await asyncio.gather(*(alice.commit(command, request=request()) for _ in range(2)))
    assert first == second
    assert await alice.commit(command, request=request()) == first
    assert await alice.head() == first.log_sequence


async def test_another_body_under_the_same_request_is_refused(alice: Workspace) -> None:
    """ID-03."""
    await alice.commit(CreateThread(title="Launch"), request=request())
    with pytest.raises(IdempotencyMismatch):
        await alice.commit(CreateThread(title="Press"), request=request(b"another"))
    assert len(await alice.threads()) == 1


async def test_a_refusal_is_not_remembered(alice: Workspace) -> None:
    """ID-03: it is decided anew, and may succeed."""
    command = PostMessage(thread_id="thr_1", content="hello")
    with pytest.raises(NotFound):
        await alice.commit(command, request=request())
    await alice.create_thread("Launch", thread_id="thr_1")
    assert (await alice.commit(command, request=request())).log_sequence == 2


async def test_an_artifact_that_is_followed_already_is_not_followed_again(
    alice: Workspace, files: ScriptedFiles, name: str
) -> None:
    """TH-03, CM-04: one focus_changed, whoever adds it and however often."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await files.create(name, "plan_1")
    await asyncio.gather(*(alice.follow("thr_1", "plan_1") for _ in range(3)))
    repeated = await alice.commit(SetFocus(thread_id="thr_1", artifact_ids=("plan_1", "plan_1")))
    assert (repeated.log_sequence, repeated.thread.focus) == (0, ("plan_1",))
    focused = [entry.event for entry in await alice.read() if isinstance(entry.event, FocusChanged)]
    assert focused == [FocusChanged(thread_id="thr_1", artifact_ids=("plan_1",))]


async def test_a_focus_names_artifacts_that_exist(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """CM-04, MP-30: files says what does not exist, and the focus stays as it was."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await files.create(name, "plan_1")
    with pytest.raises(NotFound) as refusal:
        await alice.commit(SetFocus(thread_id="thr_1", artifact_ids=("plan_1", "plan_2")))
    assert (refusal.value.entity, refusal.value.id) == ("artifact", "plan_2")
    assert (await alice.thread("thr_1")).focus == ()


async def test_the_mode_that_is_set_appends_nothing(alice: Workspace) -> None:
    """CM-05."""
    await alice.create_thread("Launch", thread_id="thr_1")
    suggest = SetThreadMode(thread_id="thr_1", mode=ThreadMode.SUGGEST)
    assert (await alice.commit(suggest)).log_sequence == 2
    assert (await alice.commit(suggest)).log_sequence == 0
    assert (await alice.thread("thr_1")).mode is ThreadMode.SUGGEST


async def test_threads_are_listed_oldest_first_and_a_page_goes_on(alice: Workspace) -> None:
    """SG-03."""
    made = [(await alice.create_thread(f"number {number}")).id for number in range(5)]
    first = await alice.threads(limit=2)
    rest = await alice.threads(after=first[-1][0])
    assert [thread.id for _, thread in first + rest] == made


@pytest.mark.parametrize(
    "command",
    [
        CreateThread(title=" "),
        CreateThread(title="Launch", thread_id="a/b"),
        CreateThread(title="Launch", thread_id="x" * 201),
        CreateThread(title="Launch", thread_id="a\0b"),
        PostMessage(thread_id="thr_1", content=""),
        PostMessage(thread_id="thr_1", content=" \n"),
        PostMessage(thread_id="thr_1", content="hello", message_id="a/b"),
    ],
)
async def test_what_does_not_fit_is_refused(alice: Workspace, command: CreateThread | PostMessage) -> None:
    """RJ-01, VO-08: a typed refusal, and nothing is appended."""
    await alice.create_thread("Launch", thread_id="thr_1")
    with pytest.raises(ValidationFailed):
        await alice.commit(command)
    assert await alice.head() == 1
