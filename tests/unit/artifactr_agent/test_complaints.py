"""What people complain of in other agent servers: fourteen things, none of which happens here."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import timedelta
from itertools import chain
from uuid import uuid4

import grpc
import pytest
from artifactr import Workspace, Workspaces, open_workspaces
from artifactr.agent import load_history
from artifactr.core import AnswerDeferred
from artifactr.core.events import MessagePosted, RunEnded, RunStarted, RunStatus
from artifactr.core.rejections import InvalidState, Rejection
from artifactr.testing import Log, Script, call
from artifactr.workspace import Request
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from psycopg2.extensions import make_dsn
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from service.agent.database_administration import DatabaseAdministration
from sqlalchemy import make_url
from unit.artifactr_agent.conversation import Asking, Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT
from unit.artifactr_agent.test_native_file_tools import NATIVE
from unit.house.named_tests import missing

TURNS = 200 if os.environ.get("LATTICE_SOAK") else 8

HERE = "tests/unit/artifactr_agent/test_complaints.py"
RUNS = "tests/unit/artifactr_agent/test_runs.py"
PAUSES = "tests/unit/artifactr_agent/test_pauses.py"
RECOVERY = "tests/unit/artifactr_agent/across_tenants/test_recovery.py"
STEERING = "tests/unit/artifactr_agent/test_notes_and_steering.py"
KILLS = "tests/faults/agent/test_killed_at_every_step.py"

COMPLAINTS = {
    "a crash replays tools": [
        f"{KILLS}::test_whatever_step_a_process_dies_at_nothing_is_lost_or_done_twice",
        f"{RUNS}::test_a_run_whose_process_died_is_told_of_in_the_history_of_the_next",
    ],
    "a resume reruns effects": [
        f"{PAUSES}::test_calls_beside_the_one_that_waits_run_at_once_and_only_once",
        f"{PAUSES}::test_a_run_that_dies_after_it_was_resumed_is_taken_over_with_what_is_known",
    ],
    "parallel approvals collide": [
        f"{HERE}::test_approvals_given_at_once_in_two_processes_each_count_once",
        f"{PAUSES}::test_answers_given_at_once_resume_the_run_once",
    ],
    "a dangling call bricks the thread": [
        f"{PAUSES}::test_a_resumed_run_that_fails_leaves_a_thread_that_goes_on",
        f"{RUNS}::test_a_stopped_run_is_recorded_with_its_open_calls_closed",
    ],
    "a cancel leaves an approval open": [f"{PAUSES}::test_a_paused_run_can_be_stopped_and_the_thread_goes_on"],
    "a cancel says success while work goes on": [
        f"{HERE}::test_a_stop_is_true_only_once_the_work_has_ended",
        f"{RECOVERY}::test_a_stop_of_a_run_that_cannot_hear_is_requested_for_good",
    ],
    "a run is stuck as running": [f"{RECOVERY}::test_a_run_whose_process_died_ends_by_itself"],
    "a stream is lost at a reconnect": [
        "tests/service/agent/test_log.py::test_a_stream_goes_on_from_a_position",
        "tests/service/agent/test_log.py::test_a_stream_has_no_seam_between_stored_and_live",
        "tests/service/agent/test_server.py::test_a_reader_that_falls_behind_is_cut_off_and_goes_on_from_its_cursor",
        "tests/service/agent/test_run_watches.py::test_a_watch_that_was_cut_off_is_taken_up_again",
    ],
    "the session write fails after the tool ran": [
        f"{HERE}::test_where_the_end_of_a_run_cannot_be_written_its_effects_are_remembered_and_not_repeated",
    ],
    "the approver saw other arguments": [
        f"{PAUSES}::test_a_call_runs_with_the_arguments_that_were_approved_or_not_at_all",
    ],
    "no idempotent start": [
        f"{HERE}::test_a_message_repeated_in_another_process_starts_one_run",
        f"{RUNS}::test_a_message_sent_twice_at_once_starts_one_run",
        "tests/service/agent/test_server.py::test_a_repeated_message_is_answered_as_the_first_was",
    ],
    "no safe steering": [
        f"{STEERING}::test_a_message_while_a_run_lasts_steers_it",
        f"{RUNS}::test_a_message_right_after_the_end_starts_the_next_run",
        "tests/suite/agent/test_guide_in_prose.py::test_a_message_sent_to_another_process_steers_the_run_where_it_is",
    ],
    "storage grows per pass": [f"{HERE}::test_what_is_stored_of_a_turn_does_not_grow_with_their_number"],
    "hidden tools leak through a retry's text": [
        f"{HERE}::test_a_hidden_tool_is_answered_as_one_that_never_was",
    ],
}
"""Each complaint, and the tests that prove it unfounded."""


def test_each_complaint_has_its_tests() -> None:
    assert all(COMPLAINTS.values())
    assert list(missing(chain.from_iterable(COMPLAINTS.values()))) == []


@pytest.fixture(scope="module")
async def replica(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    """Another process of the service."""
    async with open_workspaces(agent_urls.service, files_channel) as opened:
        yield opened


@pytest.fixture
def elsewhere(replica: Workspaces, alice: Workspace) -> Workspace:
    """Alice, at the other process."""
    return replica.open(alice.tenant, alice.workspace, alice.actor)


@pytest.fixture(scope="session")
def agent_database(postgres: EmbeddedPostgres, agent_urls: DatabaseUrls) -> DatabaseAdministration:
    """The administrator of the database."""
    return DatabaseAdministration(make_dsn(postgres.admin_dsn, dbname=make_url(agent_urls.owner).database))


async def test_approvals_given_at_once_in_two_processes_each_count_once(
    conversation: Conversation, elsewhere: Workspace
) -> None:
    """PA-03, PA-05, PA-07: of two answers to one request the first stands; each approved call runs once."""
    channels = ["a", "b", "c", "d"]
    agent = Asking(conversation, Script([[part for it in channels for part in call("publish", channel=it)], "Done."]))
    run = await agent.pause()
    commands = [
        AnswerDeferred(run_id=run.id, tool_call_id=it.tool_call_id, approved=it is not run.pending[-1])
        for it in run.pending
    ]
    async with agent.runner() as here, agent.runner() as there:
        sent = await asyncio.gather(
            *(here.answer(conversation.alice, it) for it in commands),
            *(there.answer(elsewhere, it) for it in reversed(commands)),
            return_exceptions=True,
        )
        answered = [it for it in sent if not isinstance(it, BaseException)]
        assert len(answered) == len(commands)
        assert all(isinstance(it, InvalidState) for it in sent if isinstance(it, BaseException))
        assert [it.outcome.resumes for it in answered].count(True) == 1
        (resumed,) = [it.run for it in answered if it.run is not None]
        await resumed.wait()
    assert sorted(agent.published) == ["a", "b", "c"]
    assert len(await Log(conversation.alice).events(RunStarted)) == 2


async def test_a_stop_is_true_only_once_the_work_has_ended(conversation: Conversation) -> None:
    """RN-16, RN-17: until then it is false; nothing of the run comes after its end."""
    working, finish, done = asyncio.Event(), asyncio.Event(), []

    async def work_on() -> str:
        """Work, and tidy up when cancelled."""
        try:
            working.set()
            await asyncio.Event().wait()
        finally:
            await finish.wait()
            done.append("tidied up")
        return "never"

    alice = conversation.alice
    async with conversation.runner(Script([call("work_on"), "Never said."]), work_on) as runner:
        try:
            run = await conversation.say(runner)
            await working.wait()
            assert not await runner.stop(alice, run.run_id, patience=timedelta(milliseconds=200))
            assert (await alice.run(run.run_id)).status is RunStatus.RUNNING
            asyncio.get_running_loop().call_later(0.1, finish.set)
            assert await runner.stop(alice, run.run_id, patience=timedelta(seconds=30))
            assert done == ["tidied up"]
        finally:
            finish.set()
    assert (await conversation.ended()).status is RunStatus.STOPPED


async def test_a_tool_that_never_ends_does_not_keep_its_run_from_ending(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RN-16, HI-03: after some seconds; what became of the call is unknown then."""
    monkeypatch.setattr("artifactr.agent.capability.TOOL_PATIENCE", timedelta(milliseconds=50))
    working, finish = asyncio.Event(), asyncio.Event()

    async def hang() -> str:
        """Hang, whoever cancels it."""
        try:
            working.set()
            await asyncio.Event().wait()
        finally:
            await finish.wait()
        return "never"

    async with conversation.runner(Script([call("hang"), "Never said."]), hang) as runner:
        try:
            run = await conversation.say(runner)
            await working.wait()
            assert await runner.stop(conversation.alice, run.run_id, patience=timedelta(seconds=30))
        finally:
            finish.set()
    assert [it.answer for it in await Log(conversation.alice).calls()] == ["cut off: its outcome is unknown"]


async def test_where_the_end_of_a_run_cannot_be_written_its_effects_are_remembered_and_not_repeated(
    conversation: Conversation, agent_database: DatabaseAdministration
) -> None:
    """HI-02, HI-03, X-04, RN-13: the database is cut at the end; the next turn tells the model what the log knows."""
    edit = call("edit_native", artifact_id=ARTIFACT, base_version=1, commands=[{"command": "x"}], summary="moved it")
    with ExitStack() as held:

        async def answer() -> str:
            held.enter_context(agent_database.closed("history"))
            return "Moved."

        async with conversation.runner(Script([edit, answer])) as runner:
            run = await conversation.say(runner, "Move it.")
            await agent_database.cut_off_waiting()
            with pytest.raises(PeerUnavailable):
                await run.wait()
            assert not await Log(conversation.alice).events(RunEnded)
            assert "Moved." not in [it.content for it in await Log(conversation.alice).events(MessagePosted)]

    script = await conversation.ask("It is moved already.", words="Did you move it?")

    log = Log(conversation.alice)
    assert [(it.status, it.reason) for it in await log.events(RunEnded)] == [
        (RunStatus.FAILED, "abandoned"),
        (RunStatus.COMPLETED, ""),
    ]
    assert len(conversation.brief.edits) == 1
    told = [part for message in script.asked[0].messages for part in message.parts]
    assert ["Done." in str(part.content) for part in told if isinstance(part, ToolReturnPart)] == [True]
    assert [it.content for it in await log.events(MessagePosted)][-1] == "It is moved already."


@pytest.mark.parametrize("repeated", ["request", "message_id"])
async def test_a_message_repeated_in_another_process_starts_one_run(
    conversation: Conversation, elsewhere: Workspace, repeated: str
) -> None:
    """ID-01, ID-03: a request is answered as the first was, an id that is used is refused."""
    request = Request(id=str(uuid4()), method="send", digest=b"the same") if repeated == "request" else None
    message_id = "msg_mine" if repeated == "message_id" else ""
    script, thread_id = Script(["Once."]), conversation.thread.id
    async with conversation.runner(script) as here, conversation.runner(script) as there:
        sent = await asyncio.gather(
            here.send(conversation.alice, thread_id, "Hello.", message_id=message_id, request=request),
            there.send(elsewhere, thread_id, "Hello.", message_id=message_id, request=request),
            return_exceptions=True,
        )
        accepted = [it for it in sent if not isinstance(it, BaseException)]
        assert all(isinstance(it, Rejection) for it in sent if isinstance(it, BaseException))
        assert len({it.outcome.id for it in accepted}) == 1
        assert len(accepted) == (2 if request else 1)
        for run in {it.run for it in accepted if it.run is not None}:
            await run.wait()
    assert len(await Log(conversation.alice).events(RunStarted)) == 1
    assert len(script.asked) == 1


@pytest.mark.timeout(900)  # for the long form
async def test_what_is_stored_of_a_turn_does_not_grow_with_their_number(conversation: Conversation) -> None:
    """HI-01, AMB-20: each is a chunk of its own new messages; history and log grow by the same each time."""
    words = [f"Question {number:03}" for number in range(TURNS)]
    script = Script(list(chain.from_iterable((call("find_commands", query="x"), "Answer.") for _ in words)))
    async with conversation.runner(script) as runner:
        for it in words:
            await (await conversation.say(runner, it)).wait()
    chunks = [len(it.data) for it in await conversation.alice.history(conversation.thread.id)]
    entries = [len(it.wire) for it in await Log(conversation.alice).entries()]
    assert len(chunks) == TURNS
    assert max(chunks) - min(chunks) < 100
    each = (len(entries) - 1) // TURNS
    assert len(entries) == 1 + each * TURNS
    per_turn = [sum(entries[1 + each * number : 1 + each * (number + 1)]) for number in range(TURNS)]
    assert max(per_turn) - min(per_turn) < 100
    assert len(await load_history(conversation.alice, conversation.thread.id)) == 4 * TURNS


async def test_a_hidden_tool_is_answered_as_one_that_never_was(conversation: Conversation) -> None:
    """A-02: nothing that the model is told names a tool that is off, whatever it calls or gets wrong."""
    conversation.brief.enabled = False
    script = await conversation.ask(
        call("no_such_tool"), call("read_artifact"), call("edit_native", artifact_id=ARTIFACT), "I cannot."
    )
    invented, wrong, hidden = (asked.returns[0] for asked in script.asked[1:])
    assert hidden.text == invented.text.replace("no_such_tool", "edit_native")
    for asked in script.asked[:3]:
        requests = [part for message in asked.messages if isinstance(message, ModelRequest) for part in message.parts]
        told = f"{asked.instructions} {asked.definitions} {requests}"
        assert [name for name in NATIVE if name in told] == []
    assert invented.outcome == wrong.outcome == hidden.outcome == "retried"
