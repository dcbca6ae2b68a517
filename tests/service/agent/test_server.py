"""The agent service over gRPC: threads, runs and the log as clients see them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import grpc
import pytest
from artifactr import ArtifactWorkspace, Runner, Session, Workspaces
from artifactr.core.actors import Principal, UserActor
from google.rpc.error_details_pb2 import BadRequest
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.errors import RefusedByPeer
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic import SecretStr
from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from service.agent.agent_people import Person, fresh, person, refused
from service.agent.scripted_files import ALICE, ScriptedFiles
from service.conftest import AuditRecord

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@dataclass
class Script:
    """A model that answers at once, or waits where a message says so until the test lets it go on."""

    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        """Answer, ask or wait, as the words say that the model has heard last."""
        if "wait" in str(messages[-1]) and not self.released.is_set():
            self.waiting.set()
            await self.released.wait()
        if "ask me" in str(messages[-1]):
            return ModelResponse(parts=[ToolCallPart(tool_name="ask_user", args={"question": "When?"})])
        return ModelResponse(parts=[TextPart(content="done")])


@pytest.fixture(scope="module")
def script() -> Script:
    """The model's script."""
    return Script()


@pytest.fixture(autouse=True)
def _from_the_start(script: Script) -> None:
    script.waiting.clear()
    script.released.clear()


@pytest.fixture(scope="module")
async def server(agent_urls: DatabaseUrls, files_server: BoundServer, script: Script) -> AsyncIterator[BoundServer]:
    """The service with a scripted model, beside files whose feed the test writes."""
    settings = AgentSettings(
        database_url=SecretStr(agent_urls.service),
        files=files_server.address,
        notice=timedelta(0),
        grace=timedelta(seconds=2),
        run_grace=timedelta(0),
        watch_progress=timedelta(milliseconds=100),
        watch_backlog=20,
    )
    agent = Agent(
        FunctionModel(script.answer),
        deps_type=Session[None],
        output_type=[str, DeferredToolRequests],
        capabilities=[ArtifactWorkspace(ask=True)],
    )
    async with running(settings, lambda _settings, _files: Runner(agent, app=None)) as bound:
        yield bound


@pytest.fixture
async def ann(server: BoundServer, tenant: str) -> AsyncIterator[Person]:
    """An editor."""
    async with person(server.address, tenant, "ann") as editor:
        yield editor


@pytest.fixture
async def vera(server: BoundServer, tenant: str) -> AsyncIterator[Person]:
    """A person who may only look."""
    async with person(server.address, tenant, "vera", role="viewer") as viewer:
        yield viewer


async def ended(who: Person, run_id: str, eventually: Eventually) -> runs_pb.Run:
    """The run, once it has ended."""

    async def over() -> bool:
        return (await who.run(run_id)).status not in {runs_pb.RUN_STATUS_RUNNING, runs_pb.RUN_STATUS_UNSPECIFIED}

    await eventually(over)
    return await who.run(run_id)


def kinds(entries: list[log_pb.LogEntry]) -> list[str | None]:
    return [entry.WhichOneof("event") for entry in entries]


async def test_a_message_in_an_idle_thread_starts_a_run_that_answers_it(ann: Person, eventually: Eventually) -> None:
    """TH-04, TH-06, RN-05: message, start, reply, end, all on the log under one run id."""
    await ann.creates_thread()
    sent = await ann.sends("hello")
    run = await ended(ann, sent.run_id, eventually)
    assert (run.status, run.thread_id) == (runs_pb.RUN_STATUS_COMPLETED, "thr_1")
    entries = await ann.reads()
    assert kinds(entries) == ["thread_created", "message_posted", "run_started", "message_posted", "run_ended"]
    assert entries[3].message_posted.content == "done"
    assert {entry.run_id for entry in entries[2:]} == {sent.run_id}
    assert entries[1].log_sequence == sent.log_sequence
    listed: runs_pb.ListRunsResponse = await ann.runs.ListRuns(
        runs_pb.ListRunsRequest(workspace=ann.workspace, thread_id="thr_1")
    )
    assert [listed_run.name for listed_run in listed.runs] == [f"{ann.workspace}/runs/{sent.run_id}"]


async def test_a_message_to_a_running_thread_steers_it(ann: Person, script: Script, eventually: Eventually) -> None:
    """TH-04, TH-05: no second run, and no run id in the answer, which is no failure."""
    await ann.creates_thread()
    first = await ann.sends("wait")
    await script.waiting.wait()
    thread: pb.GetThreadResponse = await ann.threads.GetThread(pb.GetThreadRequest(name=ann.thread))
    assert thread.thread.active_run_id == first.run_id
    steering = await ann.sends("and be brief")
    assert steering.run_id == ""
    script.released.set()
    await ended(ann, first.run_id, eventually)
    assert kinds(await ann.reads()).count("run_started") == 1


async def test_a_thread_with_a_persons_id_does_not_silence_them(
    server: BoundServer, tenant: str, script: Script, eventually: Eventually
) -> None:
    """AC-02, TH-04, TH-08: their messages start runs and steer them; the run tells whom it works for [SE-08]."""
    async with person(server.address, tenant, "thr_1") as namesake:
        await namesake.creates_thread("thr_1")
        first = await namesake.sends("wait")
        await script.waiting.wait()
        steering = await namesake.sends("and be brief")
        script.released.set()
        assert (await ended(namesake, first.run_id, eventually)).status == runs_pb.RUN_STATUS_COMPLETED
        second = await namesake.sends("hello again")
        run = await ended(namesake, second.run_id, eventually)
        thread = await namesake.threads.GetThread(pb.GetThreadRequest(name=namesake.thread))
    assert [bool(it.run_id) for it in (first, steering, second)] == [True, False, True]
    assert run.principal == actor_pb2.Actor(user=actor_pb2.UserActor(id="thr_1", name="Thr_1"))
    assert thread.thread.active_run_id == ""


async def test_a_repeated_message_is_answered_as_the_first_was(ann: Person, eventually: Eventually) -> None:
    """ID-03, CM-08: the same number and the same run, one message, one run."""
    await ann.creates_thread()
    request_id = fresh()
    first = await ann.sends("hello", request_id=request_id)
    await ended(ann, first.run_id, eventually)
    assert await ann.sends("hello", request_id=request_id) == first
    assert (await refused(ann.sends("other", request_id=request_id))).reason == "IDEMPOTENCY_MISMATCH"
    assert kinds(await ann.reads()).count("run_started") == 1


async def test_a_message_or_answer_of_more_than_100000_characters_is_refused(ann: Person) -> None:
    """SE-06, TH-04: by the name of its field; nothing is recorded."""
    await ann.creates_thread()
    before = await ann.reads()
    refusals = [
        await refused(ann.sends("x" * 100_001)),
        await refused(
            ann.runs.AnswerDeferred(
                runs_pb.AnswerDeferredRequest(
                    name=f"{ann.workspace}/runs/run_1", tool_call_id="call", answer="x" * 100_001, request_id=fresh()
                )
            )
        ),
        await refused(
            ann.threads.SetFocus(
                pb.SetFocusRequest(name=ann.thread, artifact_ids=map(str, range(1_001)), request_id=fresh())
            )
        ),
    ]
    assert [it.reason for it in refusals] == ["VALIDATION_FAILED"] * 3
    assert [_fields(it) for it in refusals] == [["content"], ["answer"], ["artifact_ids"]]
    assert await ann.reads() == before


def _fields(refusal: RefusedByPeer) -> list[str]:
    (detail,) = refusal.details
    assert isinstance(detail, BadRequest)
    return [it.field for it in detail.field_violations]


async def test_a_used_message_id_is_refused(ann: Person, eventually: Eventually) -> None:
    """ID-01, RJ-03."""
    await ann.creates_thread()
    sent = await ann.sends("hello", message_id="msg_1")
    await ended(ann, sent.run_id, eventually)
    refusal = await refused(ann.sends("hello", message_id="msg_1"))
    assert (refusal.reason, refusal.status) == ("INVALID_STATE", grpc.StatusCode.FAILED_PRECONDITION)


async def test_a_stopped_run_is_recorded_as_stopped(ann: Person, script: Script) -> None:
    """RN-16, RN-17: the answer comes once the end is recorded, and a repeat is answered as the first was."""
    await ann.creates_thread()
    sent = await ann.sends("wait")
    await script.waiting.wait()
    stop = runs_pb.StopRunRequest(name=f"{ann.workspace}/runs/{sent.run_id}", request_id=fresh())
    stopped: runs_pb.StopRunResponse = await ann.runs.StopRun(stop)
    assert (stopped.ended, stopped.run.status) == (True, runs_pb.RUN_STATUS_STOPPED)
    assert await ann.runs.StopRun(stop) == stopped
    stop.request_id = fresh()
    assert (await refused(ann.runs.StopRun(stop))).reason == "INVALID_STATE"


async def test_who_answers_an_agent_or_may_not_is_on_record(
    ann: Person, vera: Person, eventually: Eventually, audit: AuditRecord
) -> None:
    """SE-02, SE-08: but not what is answered."""
    await ann.creates_thread()
    run = await ended(ann, (await ann.sends("ask me")).run_id, eventually)
    (request,) = run.pending
    answer = runs_pb.AnswerDeferredRequest(
        name=run.name, tool_call_id=request.tool_call_id, answer="Monday", request_id=fresh()
    )
    await refused(vera.runs.AnswerDeferred(answer))
    await ann.runs.AnswerDeferred(answer)
    assert [(it["participant"], it["resource"], it["outcome"]) for it in audit.of("AnswerDeferred")] == [
        ("user:vera", run.name, "refused"),
        ("user:ann", run.name, "succeeded"),
    ]
    assert "Monday" not in "".join(audit.texts)


async def test_a_run_works_for_its_sender_with_the_roles_that_were_verified_whoever_answers_it(
    server: BoundServer, workspaces: Workspaces, tenant: str, eventually: Eventually
) -> None:
    """SE-08, SE-01: a reviewer may answer it, and start none."""
    async with (
        person(server.address, tenant, "ann", role="main/editor") as ann,
        person(server.address, tenant, "rita", role="reviewer") as rita,
    ):
        await ann.creates_thread()
        assert (await refused(rita.sends("ask me"))).reason == "FORBIDDEN"
        run = await ended(ann, (await ann.sends("ask me")).run_id, eventually)
        answer = runs_pb.AnswerDeferredRequest(
            name=run.name, tool_call_id=run.pending[0].tool_call_id, answer="Monday", request_id=fresh()
        )
        await rita.runs.AnswerDeferred(answer)
        await ended(ann, run.run_id, eventually)
    kept = (await workspaces.open(tenant, "main", ALICE).run(run.run_id)).principal
    assert kept == Principal(actor=UserActor(id="ann", name="Ann"), roles=frozenset({"main/editor"}))


async def test_an_answer_resumes_the_run_and_a_repeat_is_answered_as_the_first_was(
    ann: Person, vera: Person, eventually: Eventually
) -> None:
    """PA-03, PA-05, ID-03, SE-08."""
    await ann.creates_thread()
    sent = await ann.sends("ask me")
    run = await ended(ann, sent.run_id, eventually)
    (request,) = run.pending
    assert (run.status, request.tool_name, request.kind) == (
        runs_pb.RUN_STATUS_PAUSED,
        "ask_user",
        runs_pb.DEFERRED_KIND_QUESTION,
    )
    answer = runs_pb.AnswerDeferredRequest(
        name=run.name, tool_call_id=request.tool_call_id, answer="Monday", request_id=fresh()
    )
    assert (await refused(vera.runs.AnswerDeferred(answer))).reason == "FORBIDDEN"
    first: runs_pb.AnswerDeferredResponse = await ann.runs.AnswerDeferred(answer)
    assert first.resumed
    done = await ended(ann, sent.run_id, eventually)
    assert (done.status, list(done.pending)) == (runs_pb.RUN_STATUS_COMPLETED, [])
    assert await ann.runs.AnswerDeferred(answer) == first
    answered = (await ann.reads())[first.log_sequence - 1]
    assert answered.deferred_answered.answer == "Monday"
    answer.request_id = fresh()
    assert (await refused(ann.runs.AnswerDeferred(answer))).reason == "INVALID_STATE"


async def test_the_mode_and_the_focus_of_a_thread_are_set(ann: Person, files: ScriptedFiles) -> None:
    """CM-04, CM-05: setting what is set appends nothing, and what files does not know is NOT_FOUND."""
    await ann.creates_thread()
    await files.create(ann.workspace, "plan_1")
    focus = pb.SetFocusRequest(name=ann.thread, artifact_ids=["plan_1"], request_id=fresh())
    set_: pb.SetFocusResponse = await ann.threads.SetFocus(focus)
    assert (list(set_.thread.focus), set_.log_sequence) == (["plan_1"], 2)
    focus.request_id = fresh()
    assert (await ann.threads.SetFocus(focus)).log_sequence == 0
    unknown = pb.SetFocusRequest(name=ann.thread, artifact_ids=["plan_2"], request_id=fresh())
    refusal = await refused(ann.threads.SetFocus(unknown))
    assert (refusal.reason, refusal.metadata["id"]) == ("NOT_FOUND", "plan_2")
    mode = pb.SetThreadModeRequest(name=ann.thread, mode=pb.THREAD_MODE_SUGGEST, request_id=fresh())
    moded: pb.SetThreadModeResponse = await ann.threads.SetThreadMode(mode)
    assert (moded.thread.mode, moded.log_sequence) == (pb.THREAD_MODE_SUGGEST, 3)


async def test_threads_are_listed_page_by_page(ann: Person) -> None:
    """SG-03: oldest first; a token is for its own arguments."""
    for number in range(3):
        await ann.creates_thread(f"thr_{number}")
    request = pb.ListThreadsRequest(workspace=ann.workspace, page_size=2)
    first: pb.ListThreadsResponse = await ann.threads.ListThreads(request)
    assert [thread.thread_id for thread in first.threads] == ["thr_0", "thr_1"]
    request.page_token = first.next_page_token
    last: pb.ListThreadsResponse = await ann.threads.ListThreads(request)
    assert ([thread.thread_id for thread in last.threads], last.next_page_token) == (["thr_2"], "")
    request.min_change_sequence = 1
    assert (await refused(ann.threads.ListThreads(request))).reason == "PAGE_TOKEN_INVALID"


async def test_a_read_includes_the_change_that_it_names(ann: Person, files: ScriptedFiles) -> None:
    """MP-18: read your own write across services; entries carry both numbers."""
    await ann.creates_thread()
    head = await files.create(ann.workspace, "plan_1")
    [created] = await ann.reads(after_sequence=1, min_change_sequence=head)
    assert (created.log_sequence, created.change_sequence) == (2, head)
    assert created.artifact_created.data_json == "{}"
    assert (await refused(ann.reads(min_change_sequence=head + 1))).reason == "VALIDATION_FAILED"


async def test_a_window_that_makes_no_sense_is_refused(ann: Person) -> None:
    """SB-01, RJ-03."""
    assert (await refused(ann.reads(limit=1, last=1))).reason == "VALIDATION_FAILED"
    assert (await refused(ann.reads(last=-1))).reason == "VALIDATION_FAILED"


async def test_a_watch_sends_what_is_stored_then_a_mark_then_what_comes(ann: Person, files: ScriptedFiles) -> None:
    """SB-02, SB-06, MP-16: files' changes too, though nobody asked for them."""
    await ann.creates_thread()
    call = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace))
    stored: log_pb.WatchLogResponse = await call.read()
    assert (stored.entry.WhichOneof("event"), stored.cursor.sequence) == ("thread_created", 1)
    mark: log_pb.WatchLogResponse = await call.read()
    assert (mark.HasField("entry"), mark.cursor) == (False, stored.cursor)
    await files.create(ann.workspace, "plan_1")
    live = mark
    while not live.HasField("entry"):
        live = await call.read()
    assert (live.entry.WhichOneof("event"), live.cursor.sequence) == ("artifact_created", 2)
    call.cancel()
    resumed = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, cursor=stored.cursor))
    assert (await resumed.read()).entry == live.entry
    resumed.cancel()


async def test_a_watch_of_threads_marks_what_it_passes_over(ann: Person) -> None:
    """SB-03, SB-06: the position moves on though the threads hear of nothing."""
    await ann.creates_thread("thr_1")
    await ann.creates_thread("thr_2")
    call = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, thread_ids=["thr_1"]))
    assert (await call.read()).entry.thread_id == "thr_1"
    mark: log_pb.WatchLogResponse = await call.read()
    assert (mark.HasField("entry"), mark.cursor.sequence) == (False, 2)
    call.cancel()


async def test_a_watch_from_the_head_of_an_empty_workspace_misses_nothing(ann: Person) -> None:
    """SB-04, TN-02: its first cursor has no epoch yet, and is good for resuming all the same."""
    call = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, from_head=True))
    mark: log_pb.WatchLogResponse = await call.read()
    assert mark.cursor.sequence == 0
    await ann.creates_thread()
    live = mark
    while not live.HasField("entry"):
        live = await call.read()
    assert (live.cursor.sequence, live.cursor.epoch != mark.cursor.epoch) == (1, True)
    call.cancel()
    resumed = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, cursor=mark.cursor))
    assert (await resumed.read()).entry == live.entry
    resumed.cancel()


@pytest.mark.parametrize("cursor", [{"sequence": 99}, {"epoch": "another", "sequence": 1}])
async def test_a_position_that_the_log_does_not_have_is_reset(ann: Person, cursor: dict[str, str | int]) -> None:
    """SB-05, MP-22: past the head, or of another epoch."""
    await ann.creates_thread()
    head: log_pb.ReadLogResponse = await ann.log.ReadLog(log_pb.ReadLogRequest(workspace=ann.workspace))
    position = names_pb2.Cursor(**{"epoch": head.head.epoch, **cursor})  # type: ignore[arg-type]  # the fields' types
    call = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, cursor=position))
    refusal = await refused(call.read())
    assert (refusal.reason, refusal.metadata["epoch"]) == ("CURSOR_RESET", head.head.epoch)


async def test_who_may_only_look_changes_nothing(ann: Person, vera: Person) -> None:
    """SE-08: neither threads nor runs; reading is free."""
    assert (await refused(vera.creates_thread())).reason == "FORBIDDEN"
    await ann.creates_thread()
    assert (await refused(vera.sends("hello"))).reason == "FORBIDDEN"
    assert kinds(await vera.reads()) == ["thread_created"]


async def test_another_tenants_names_are_forbidden(ann: Person, server: BoundServer) -> None:
    """TN-01, X-08: before anything is looked up."""
    await ann.creates_thread()
    async with person(server.address, "stranger", "eve") as eve:
        theirs = pb.GetThreadRequest(name=ann.thread)
        assert (await refused(eve.threads.GetThread(theirs))).reason == "FORBIDDEN"


async def test_an_application_puts_events_of_its_own_on_the_log(ann: Person, vera: Person) -> None:
    """EV-03, RN-04, ID-03, SE-08: in a thread or in none, once a request."""
    await ann.creates_thread()

    def request(event: log_pb.AppEvent, thread_id: str = "") -> log_pb.RecordAppEventRequest:
        return log_pb.RecordAppEventRequest(
            workspace=ann.workspace, event=event, thread_id=thread_id, request_id=fresh()
        )

    exported = request(log_pb.AppEvent(name="exported", data_json='{"pages": 3}'), "thr_1")
    first: log_pb.RecordAppEventResponse = await ann.log.RecordAppEvent(exported)
    assert await ann.log.RecordAppEvent(exported) == first
    await ann.log.RecordAppEvent(request(log_pb.AppEvent(name="opened")))
    told = [it for it in await ann.reads() if it.HasField("app_event")]
    assert [(it.app_event.name, it.app_event.data_json, it.thread_id) for it in told] == [
        ("exported", '{"pages": 3}', "thr_1"),
        ("opened", "null", ""),
    ]
    assert told[0].log_sequence == first.log_sequence
    refusals = [
        (vera, request(log_pb.AppEvent(name="x")), "FORBIDDEN"),
        (ann, request(log_pb.AppEvent(name="x"), "thr_none"), "NOT_FOUND"),
        (ann, request(log_pb.AppEvent(name="x" * 201)), "VALIDATION_FAILED"),
        (ann, request(log_pb.AppEvent(name="x", data_json="{")), "VALIDATION_FAILED"),
        (ann, request(log_pb.AppEvent(name="x", data_json=f'"{"y" * 100_000}"')), "VALIDATION_FAILED"),
    ]
    for who, asked, reason in refusals:
        assert (await refused(who.log.RecordAppEvent(asked))).reason == reason


async def test_a_reader_that_falls_behind_is_cut_off_and_goes_on_from_its_cursor(
    ann: Person, files: ScriptedFiles
) -> None:
    """SB-08: it had caught up, more than may wait has come meanwhile, and nothing is lost."""
    await ann.creates_thread()
    call = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, from_head=True))
    mark: log_pb.WatchLogResponse = await call.read()
    changes = [changes_pb.ArtifactChanged(artifact_id="plan_1", kind="plan", version=2, summary="x")] * 21
    head = await files.append(ann.workspace, *changes)
    refusal = await refused(anext(message async for message in call if message.HasField("entry")))
    assert (refusal.reason, refusal.metadata["waiting"]) == ("SLOW_CONSUMER", "21")
    resumed = ann.log.WatchLog(log_pb.WatchLogRequest(workspace=ann.workspace, cursor=mark.cursor))
    seen = [(await resumed.read()).entry.change_sequence for _ in changes]
    assert seen == list(range(1, head + 1))
    resumed.cancel()
