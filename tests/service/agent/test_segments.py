"""Segments of runs: what starts, ends and takes over in one transaction, and what no message escapes."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from artifactr.core.actors import AgentActor, SystemActor, UserActor
from artifactr.core.events import (
    DeferredKind,
    DeferredRequest,
    MessagePosted,
    RunEnded,
    RunPaused,
    RunStarted,
    RunStatus,
    RunTrigger,
    ToolCalled,
    ToolReturned,
    ToolStatus,
    Usage,
)
from artifactr.core.notes import brief
from artifactr.core.rejections import Forbidden, InvalidState, StaleClaim
from artifactr.core.segments import AbandonedSegment, SegmentEnd, SegmentStart
from artifactr.core.threads import Claim, Prompt, Reply
from artifactr.workspace import Workspace
from lattice.files.v1 import changes_service_pb2 as pb
from lattice_chassis.errors import PeerUnavailable
from service.agent.database_administration import DatabaseAdministration
from service.agent.scripted_files import ALICE, ScriptedFiles

CALLED = ToolCalled(run_id="run_1", thread_id="thr_1", tool_call_id="call_1", tool_name="read_native")
RETURNED = ToolReturned(
    run_id="run_1", thread_id="thr_1", tool_call_id="call_1", tool_name="read_native", status=ToolStatus.OK
)
COMPLETED = RunEnded(
    run_id="run_1",
    thread_id="thr_1",
    status=RunStatus.COMPLETED,
    usage=Usage(requests=2, input_tokens=30, output_tokens=4),
)
PAUSED = RunPaused(
    run_id="run_1",
    thread_id="thr_1",
    requests=(DeferredRequest(tool_call_id="q", tool_name="ask_user", kind=DeferredKind.QUESTION),),
)


def segment(taken: int = 0, claim: Claim | None = None, *, run_id: str = "run_1") -> SegmentStart:
    """A start of a run in thr_1."""
    trigger = RunTrigger.MESSAGE if taken else RunTrigger.API
    return SegmentStart(run_id=run_id, thread_id="thr_1", trigger=trigger, taken=taken, claim=claim)


def ending(through: int, end: RunEnded | RunPaused = COMPLETED, *, taken: int = 0, reply: str = "") -> SegmentEnd:
    """An end of run_1 with history."""
    return SegmentEnd(end=end, history=b"messages", notes_through=through, taken=taken, reply=reply)


def told(lost: AbandonedSegment) -> bytes:
    """The chunk of an abandoned segment, in words a test can read."""
    calls = ",".join(
        f"{call.tool_name}={'?' if call.returned is None else call.returned.status}" for call in lost.calls
    )
    return f"{lost.run_id}:{'|'.join(message.content for message in lost.messages)}:{calls}".encode()


async def kinds(workspace: Workspace, after: int = 0) -> Sequence[str]:
    """The names of the events on the log."""
    return [type(entry.event).__name__ for entry in await workspace.read(after=after)]


async def test_a_run_is_recorded_in_order_with_its_reply_before_its_end(
    alice: Workspace, assistant: Workspace, files: ScriptedFiles, name: str
) -> None:
    """RN-05, RE-01, X-03, AC-06: the change stands between call and return, and all of it names run and agent."""
    await alice.create_thread("Launch", thread_id="thr_1")
    prompt = await alice.post_message("thr_1", "go")
    started = await assistant.start_segment(segment(prompt.log_sequence))
    await assistant.record(CALLED)
    await assistant.ingest(await files.create(name, "plan_1", thread_id="thr_1"))
    await assistant.record(RETURNED)
    end = await assistant.end_segment(ending(started.boundary, reply="done"))
    recorded = await alice.read(after=prompt.log_sequence)
    assert [type(entry.event).__name__ for entry in recorded] == [
        "RunStarted",
        "ToolCalled",
        "ArtifactCreated",
        "ToolReturned",
        "MessagePosted",
        "RunEnded",
    ]
    assert recorded[-1].log_sequence == end
    assert recorded[-1].event == COMPLETED
    assert {entry.actor for entry in recorded} - {ALICE} == {assistant.actor}
    assert {(entry.run_id, entry.thread_id) for entry in recorded if not entry.change_sequence} == {("run_1", "thr_1")}


async def test_the_start_takes_its_message_and_no_other(alice: Workspace, assistant: Workspace) -> None:
    """TH-08, TH-09: the oldest is the prompt, what comes after it waits for whoever is next."""
    await alice.create_thread("Launch", thread_id="thr_1")
    first = await alice.post_message("thr_1", "one", message_id="msg_1")
    second = await alice.post_message("thr_1", "two", message_id="msg_2")
    turn = await alice.next_turn("thr_1")
    assert isinstance(turn, Prompt)
    assert (turn.message.id, turn.message.actor) == ("msg_1", ALICE)
    started = await assistant.start_segment(segment(first.log_sequence))
    assert started.boundary == first.log_sequence
    with pytest.raises(InvalidState):
        await assistant.start_segment(segment(first.log_sequence, run_id="run_2"))
    assert await alice.run_begun_by(first.log_sequence) == "run_1"
    assert await alice.run_begun_by(second.log_sequence) == ""
    await assistant.end_segment(ending(started.boundary, reply="done"))
    turn = await alice.next_turn("thr_1")
    assert isinstance(turn, Prompt)
    assert turn.message.id == "msg_2"


async def test_what_steered_a_run_is_taken_with_its_end(alice: Workspace, assistant: Workspace) -> None:
    """TH-09, TH-10: not before, so a lost run's steering goes to the next turn."""
    await alice.create_thread("Launch", thread_id="thr_1")
    prompt = await alice.post_message("thr_1", "go")
    await assistant.start_segment(segment(prompt.log_sequence))
    steering = await alice.post_message("thr_1", "shorter")
    assert (await alice.thread("thr_1")).taken == prompt.log_sequence
    await assistant.end_segment(ending(steering.log_sequence, taken=steering.log_sequence, reply="done"))
    thread = await alice.thread("thr_1")
    assert (thread.taken, thread.notes_through) == (steering.log_sequence, steering.log_sequence)
    assert await alice.next_turn("thr_1") is None


async def test_the_end_is_one_transaction(
    alice: Workspace, assistant: Workspace, agent_database: DatabaseAdministration
) -> None:
    """X-04, HI-02, AMB-20: killed before its commit, neither reply nor end nor history nor positions are seen."""
    await alice.create_thread("Launch", thread_id="thr_1")
    prompt = await alice.post_message("thr_1", "go")
    started = await assistant.start_segment(segment(prompt.log_sequence))
    before = await alice.thread("thr_1")
    end = ending(started.log_sequence, taken=prompt.log_sequence, reply="done")
    with agent_database.locked("runs"):
        closing = asyncio.create_task(assistant.end_segment(end))
        await agent_database.cut_off_waiting()
        with pytest.raises(PeerUnavailable):
            await closing
    assert await alice.head() == started.log_sequence
    assert await alice.history("thr_1") == []
    assert await alice.thread("thr_1") == before
    closed = await assistant.end_segment(end)
    [chunk] = await alice.history("thr_1")
    assert (chunk.data, chunk.log_sequence, chunk.notes_through) == (b"messages", closed, started.log_sequence)
    assert (await alice.run("run_1")).status is RunStatus.COMPLETED
    assert await kinds(alice, started.log_sequence) == ["MessagePosted", "RunEnded"]


async def test_a_blank_reply_is_not_posted(alice: Workspace, assistant: Workspace) -> None:
    """RN-06."""
    await alice.create_thread("Launch", thread_id="thr_1")
    started = await assistant.start_segment(segment())
    await assistant.end_segment(ending(0, reply=" \n"))
    assert await kinds(alice, started.log_sequence) == ["RunEnded"]


async def test_what_is_missed_is_told_from_where_history_ends(
    alice: Workspace, assistant: Workspace, files: ScriptedFiles, name: str
) -> None:
    """CN-11, CN-13, 29.4: a change committed after the last delivery and before the end is in the next briefing."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.ingest(await files.create(name, "plan_1"))
    await alice.follow("thr_1", "plan_1")
    started = await assistant.start_segment(segment())
    late = pb.ArtifactChanged(artifact_id="plan_1", kind="plan", version=2, summary="came late")
    await alice.ingest(await files.append(name, late))
    await assistant.end_segment(ending(started.boundary))
    prompt = await alice.post_message("thr_1", "go on")
    again = await assistant.start_segment(segment(prompt.log_sequence, run_id="run_2"))
    missed = [it for it in await alice.since(again.notes_after) if it.log_sequence <= again.log_sequence]
    noted = brief(await alice.viewpoint("thr_1"), missed)
    assert (again.notes_after, again.boundary) == (started.boundary, prompt.log_sequence)
    assert [note.text for note in noted.notes] == [
        "Alice created plan_1 (plan, v2): came late",
    ]


async def test_notes_never_run_ahead_of_the_log(alice: Workspace, assistant: Workspace) -> None:
    """CN-13: a position that nothing was judged up to would skip notes for ever."""
    await alice.create_thread("Launch", thread_id="thr_1")
    started = await assistant.start_segment(segment())
    with pytest.raises(InvalidState):
        await assistant.end_segment(ending(started.log_sequence + 1))
    assert await kinds(alice, started.log_sequence) == []


async def test_an_overtaken_claim_starts_nothing(alice: Workspace, assistant: Workspace) -> None:
    """MP-21, TH-10: the token is checked in the transaction that starts the run, and the message is not consumed."""
    await alice.create_thread("Launch", thread_id="thr_1")
    prompt = await alice.post_message("thr_1", "go")
    older = await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    await alice.claim_thread("thr_1", holder="claim_2")
    with pytest.raises(StaleClaim):
        await assistant.start_segment(segment(prompt.log_sequence, older))
    assert (await alice.thread("thr_1")).taken == 0
    assert await alice.runs() == []


async def test_a_takeover_closes_what_the_lost_run_left_open(
    alice: Workspace, bob: Workspace, assistant: Workspace
) -> None:
    """RN-13, HI-03, CN-14: open calls, a chunk made from the log, and the end, in one commit by the runner."""
    await alice.create_thread("Launch", thread_id="thr_1")
    prompt = await alice.post_message("thr_1", "go")
    lost = await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    await assistant.start_segment(segment(prompt.log_sequence, lost))
    await assistant.record(CALLED)
    await assistant.record(
        RETURNED, ToolCalled(run_id="run_1", thread_id="thr_1", tool_call_id="call_2", tool_name="edit")
    )
    head = await alice.head()
    claim = await bob.claim_thread("thr_1", holder="claim_2")
    assert await bob.abandon_runs(claim, told) == ["run_1"]
    assert await bob.abandon_runs(claim, told) == []
    returned, ended = await alice.read(after=head)
    assert isinstance(returned.event, ToolReturned)
    assert (returned.event.tool_call_id, returned.event.status) == ("call_2", ToolStatus.ERROR)
    assert isinstance(ended.event, RunEnded)
    assert (ended.event.status, ended.event.reason) == (RunStatus.FAILED, "abandoned")
    assert {entry.actor for entry in (returned, ended)} == {SystemActor(name="runner")}
    assert returned.commit == ended.commit
    [chunk] = await alice.history("thr_1")
    assert (chunk.data, chunk.notes_through) == (b"run_1:go:read_native=ok,edit=?", 0)
    run = await alice.run("run_1")
    assert (run.status, run.reason) == (RunStatus.FAILED, "abandoned")
    assert (await alice.thread("thr_1")).active_run_id == ""


async def test_a_run_that_was_given_up_records_nothing_more(alice: Workspace, assistant: Workspace) -> None:
    """RN-14: neither a new call, nor the return of one, nor its end."""
    await alice.create_thread("Launch", thread_id="thr_1")
    lost = await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    await assistant.start_segment(segment(claim=lost))
    await assistant.record(CALLED)
    await alice.abandon_runs(await alice.claim_thread("thr_1", holder="claim_2"), told)
    head = await alice.head()
    for late in (assistant.record(CALLED), assistant.record(RETURNED), assistant.end_segment(ending(0, reply="done"))):
        with pytest.raises(InvalidState):
            await late
    assert await alice.head() == head


async def test_a_takeover_leaves_live_runs_alone(alice: Workspace, assistant: Workspace) -> None:
    """RN-13: the run of the claim itself, and a direct run of which something was recorded lately."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.start_segment(segment(run_id="run_direct"))
    claim = await alice.claim_thread("thr_1", holder="claim_1")
    await assistant.start_segment(segment(claim=claim))
    assert await alice.abandon_runs(claim, told) == []
    assert [run.status for _, run in await alice.runs(thread_id="thr_1")] == [RunStatus.RUNNING] * 2


async def test_only_the_newest_claim_takes_over(alice: Workspace, assistant: Workspace) -> None:
    """MP-21: whoever was overtaken may not give up the run of the one who overtook it."""
    await alice.create_thread("Launch", thread_id="thr_1")
    older = await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    newer = await alice.claim_thread("thr_1", holder="claim_2")
    await assistant.start_segment(segment(claim=newer))
    with pytest.raises(StaleClaim):
        await alice.abandon_runs(older, told)
    assert (await alice.run("run_1")).status is RunStatus.RUNNING


async def test_nobody_else_records_a_run(alice: Workspace, assistant: Workspace) -> None:
    """RN-04, SE-03: neither a person nor the agent of another thread."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.start_segment(segment())
    head = await alice.head()
    for impostor in (alice, alice.acting_as(AgentActor(thread_id="thr_2")), alice.acting_as(UserActor(id="eve"))):
        with pytest.raises(Forbidden):
            await impostor.record(CALLED)
    assert await alice.head() == head


async def test_a_pause_keeps_its_requests_and_a_message_is_the_reply(alice: Workspace, assistant: Workspace) -> None:
    """PA-02, PA-06, HI-02: the pause is stored with its history, and nothing waits in memory."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.start_segment(segment())
    await assistant.end_segment(ending(0, PAUSED))
    thread = await alice.thread("thr_1")
    assert thread.active_run_id == "run_1"
    assert await alice.next_turn("thr_1") is None
    posted = await alice.post_message("thr_1", "Monday")
    turn = await alice.next_turn("thr_1")
    assert isinstance(turn, Reply)
    assert turn.message is not None
    assert (turn.run.pending, turn.message.log_sequence) == (PAUSED.requests, posted.log_sequence)
    assert len(await alice.history("thr_1")) == 1


async def test_what_an_agent_says_waits_for_nobody(alice: Workspace, assistant: Workspace) -> None:
    """TH-08: its replies are no prompts; another thread's agent's message is."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.post_message("thr_1", "done")
    assert await alice.next_turn("thr_1") is None
    helper = alice.acting_as(AgentActor(thread_id="thr_2"))
    await helper.post_message("thr_1", "have a look")
    assert isinstance(await alice.next_turn("thr_1"), Prompt)


async def test_overlapping_direct_runs_are_both_recorded(alice: Workspace, assistant: Workspace) -> None:
    """RN-18: a direct run takes no claim; each has its own end and history."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.start_segment(segment())
    await assistant.start_segment(segment(run_id="run_2"))
    await assistant.end_segment(ending(0))
    other = RunEnded(run_id="run_2", thread_id="thr_1", status=RunStatus.FAILED, error="ValueError: x")
    await assistant.end_segment(ending(0, other))
    assert [chunk.run_id for chunk in await alice.history("thr_1")] == ["run_1", "run_2"]
    assert [run.status for _, run in await alice.runs()] == [RunStatus.COMPLETED, RunStatus.FAILED]
    started = [entry for entry in await alice.read() if isinstance(entry.event, RunStarted)]
    assert [entry.event.trigger for entry in started] == [RunTrigger.API] * 2  # type: ignore[union-attr]
    assert MessagePosted not in {type(entry.event) for entry in await alice.read()}
