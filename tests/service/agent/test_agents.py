"""Several agents by name in one agent service: each thread has one of them for good."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from artifactr import ArtifactWorkspace, Runner, Session, Workspace
from artifactr.core.commands import PostMessage
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic import SecretStr
from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from service.agent.agent_people import Person, fresh, person, refused

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
Replica = Callable[..., Awaitable[Person]]

SOON = timedelta(milliseconds=50)
SEVERAL_LOOKS = 0.2


@dataclass
class Named:
    """An agent of one name. It says it, asks where it is told to, and waits where it is told to until released."""

    name: str
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def runner(self) -> Runner[None, str | DeferredToolRequests]:
        """A runner of it, as each process has its own."""
        agent = Agent(
            FunctionModel(self._answer, stream_function=self._speak),
            description=f"Knows how to be the {self.name}.",
            deps_type=Session[None],
            output_type=[str, DeferredToolRequests],
            capabilities=[ArtifactWorkspace(ask=True)],
        )
        return Runner(agent, app=None, agent_name=self.name)

    async def _answer(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        heard = str(messages[-1])
        if "ask me" in heard:
            return ModelResponse(parts=[ToolCallPart(tool_name="ask_user", args={"question": "When?"})])
        if "wait" in heard and not self.released.is_set():
            self.waiting.set()
            await self.released.wait()
        return ModelResponse(parts=[TextPart(content=f"The {self.name} heard.")])

    async def _speak(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        for part in (await self._answer(messages, info)).parts:
            if isinstance(part, ToolCallPart):
                yield {0: DeltaToolCall(name=part.tool_name, json_args=part.args_as_json_str())}
            elif isinstance(part, TextPart):
                yield part.content


@pytest.fixture
def planner() -> Named:
    return Named("planner")


@pytest.fixture
def writer() -> Named:
    return Named("writer")


@pytest.fixture
async def replica(agent_urls: DatabaseUrls, files_server: BoundServer, tenant: str) -> AsyncIterator[Replica]:
    """Starts a replica that serves these agents, and answers a person who talks to it."""
    async with AsyncExitStack() as started:

        async def start(*served: Named) -> Person:
            return await started.enter_async_context(serving(agent_urls, files_server, tenant, *served))

        yield start


@asynccontextmanager
async def serving(urls: DatabaseUrls, files: BoundServer, tenant: str, *served: Named) -> AsyncIterator[Person]:
    settings = AgentSettings(
        database_url=SecretStr(urls.service),
        follower_database_url=SecretStr(urls.follower),
        files=files.address,
        look_every=SOON,
        notice=timedelta(0),
        grace=timedelta(seconds=2),
        run_grace=timedelta(0),
    )
    makers = [lambda _settings, _files, runner=it.runner: runner for it in served]
    async with running(settings, *makers) as server, person(server.address, tenant, "ann") as ann:
        yield ann


async def told(who: Person, thread_id: str, kind: str) -> list[log_pb.LogEntry]:
    """What the log holds of a kind in a thread."""
    return [it for it in await who.reads() if it.thread_id == thread_id and it.WhichOneof("event") == kind]


async def replies(who: Person, thread_id: str) -> list[str]:
    """What agents said in a thread, each with the name under which it did."""
    posted = [it for it in await told(who, thread_id, "message_posted") if it.actor.HasField("agent")]
    return [f"{it.actor.agent.name}: {it.message_posted.content}" for it in posted]


def answered(who: Person, thread_id: str, *, times: int = 1) -> Callable[[], Awaitable[bool]]:
    async def check() -> bool:
        return len(await replies(who, thread_id)) == times and not (await thread(who, thread_id)).active_run_id

    return check


async def thread(who: Person, thread_id: str) -> pb.Thread:
    response: pb.GetThreadResponse = await who.threads.GetThread(
        pb.GetThreadRequest(name=f"{who.workspace}/threads/{thread_id}")
    )
    return response.thread


async def test_each_message_is_answered_by_the_agent_of_its_thread(
    replica: Replica, planner: Named, writer: Named, eventually: Eventually
) -> None:
    """TH-13, TH-14, AC-06: the first for who names none; the thread and the log say whose it is."""
    ann = await replica(planner, writer)
    await ann.creates_thread("thr_1")
    made = await ann.creates_thread("thr_2", agent_name="writer")
    assert made.thread.agent_name == "writer"
    for thread_id in ("thr_1", "thr_2"):
        await ann.sends("hello", thread_id=thread_id)
        await eventually(answered(ann, thread_id))
    assert await replies(ann, "thr_1") == ["planner: The planner heard."]
    assert await replies(ann, "thr_2") == ["writer: The writer heard."]
    created = [it for thread_id in ("thr_1", "thr_2") for it in await told(ann, thread_id, "thread_created")]
    assert [it.thread_created.agent_name for it in created] == ["planner", "writer"]
    listed: pb.ListThreadsResponse = await ann.threads.ListThreads(pb.ListThreadsRequest(workspace=ann.workspace))
    assert [it.agent_name for it in listed.threads] == ["planner", "writer"]


async def test_a_thread_keeps_its_agent(
    replica: Replica, planner: Named, writer: Named, eventually: Eventually
) -> None:
    """TH-13: whatever else changes in it, and whichever agent is the default later."""
    ann = await replica(planner, writer)
    await ann.creates_thread("thr_1")
    name = f"{ann.workspace}/threads/thr_1"
    await ann.threads.SetThreadMode(pb.SetThreadModeRequest(name=name, mode=pb.THREAD_MODE_SUGGEST, request_id=fresh()))
    later = await replica(writer, planner)
    await later.sends("hello")
    await eventually(answered(later, "thr_1"))
    assert await replies(later, "thr_1") == ["planner: The planner heard."]


async def test_clients_can_list_the_agents(replica: Replica, planner: Named, writer: Named) -> None:
    """TH-13: the default first."""
    ann = await replica(planner, writer)
    listed: pb.ListAgentsResponse = await ann.threads.ListAgents(pb.ListAgentsRequest(workspace=ann.workspace))
    assert [(it.agent_name, it.description) for it in listed.agents] == [
        ("planner", "Knows how to be the planner."),
        ("writer", "Knows how to be the writer."),
    ]
    foreign = pb.ListAgentsRequest(workspace="tenants/another/workspaces/main")
    assert (await refused(ann.threads.ListAgents(foreign))).reason == "FORBIDDEN"


async def test_a_thread_of_an_agent_that_is_not_served_is_refused_and_a_repeat_is_not(
    replica: Replica, planner: Named, writer: Named
) -> None:
    """TH-13, ID-03, RJ-01: what another replica created is answered as it was there."""
    ann, there = await replica(planner), await replica(planner, writer)
    request_id = fresh()
    refusal = await refused(ann.creates_thread("thr_2", agent_name="writer", request_id=request_id))
    assert refusal.reason == "NOT_FOUND"
    assert (refusal.metadata["entity"], refusal.metadata["id"]) == ("agent", "writer")
    endless = await refused(ann.creates_thread("thr_2", agent_name="x" * 100_000))
    assert endless.reason == "VALIDATION_FAILED"
    assert await ann.reads() == []
    made = await there.creates_thread("thr_2", agent_name="writer", request_id=request_id)
    assert await ann.creates_thread("thr_2", agent_name="writer", request_id=request_id) == made


async def test_what_a_crash_left_behind_is_taken_up_by_the_agent_of_its_thread(
    replica: Replica, alice: Workspace, planner: Named, writer: Named, eventually: Eventually
) -> None:
    """TH-14, RN-15: a replica that serves one agent leaves the other's threads alone, for whoever serves that."""
    for thread_id, agent_name in (("thr_1", "planner"), ("thr_2", "writer"), ("thr_3", "")):
        await alice.create_thread("Launch", thread_id=thread_id, agent_name=agent_name)
        await alice.commit(PostMessage(thread_id=thread_id, content="hello", through_runner=True))
    ann = await replica(planner)
    await eventually(answered(ann, "thr_1"))
    await eventually(answered(ann, "thr_3"))
    await asyncio.sleep(SEVERAL_LOOKS)
    assert await told(ann, "thr_2", "run_started") == []
    await replica(planner, writer)
    await eventually(answered(ann, "thr_2"))
    found = [await replies(ann, thread_id) for thread_id in ("thr_1", "thr_2", "thr_3")]
    assert found == [["planner: The planner heard."], ["writer: The writer heard."], ["planner: The planner heard."]]


async def test_a_thread_that_names_no_agent_is_left_to_the_default(
    replica: Replica, alice: Workspace, writer: Named, planner: Named, eventually: Eventually
) -> None:
    """TH-13: made by the library, or before agents had names to choose from."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.commit(PostMessage(thread_id="thr_1", content="hello", through_runner=True))
    ann = await replica(writer, planner)
    await eventually(answered(ann, "thr_1"))
    await ann.sends("hello again")
    await eventually(answered(ann, "thr_1", times=2))
    assert await replies(ann, "thr_1") == ["writer: The writer heard."] * 2


async def test_a_message_to_an_agent_that_is_not_served_here_is_recorded_and_waits(
    replica: Replica,
    alice: Workspace,
    planner: Named,
    writer: Named,
    eventually: Eventually,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """TH-14, TH-10: as at an older replica during a roll-out; nothing is lost, and no other agent answers it."""
    await alice.create_thread("Launch", thread_id="thr_1", agent_name="writer")
    ann = await replica(planner)
    sent = await ann.sends("hello")
    assert (sent.run_id, sent.log_sequence) == ("", 2)
    assert "agent writer is not served here" in caplog.text
    await asyncio.sleep(SEVERAL_LOOKS)
    assert await replies(ann, "thr_1") == []
    await replica(writer)
    await eventually(answered(ann, "thr_1"))
    assert await replies(ann, "thr_1") == ["writer: The writer heard."]


async def test_a_run_is_steered_and_stopped_by_way_of_a_replica_that_does_not_serve_its_agent(
    replica: Replica, planner: Named, writer: Named, eventually: Eventually
) -> None:
    """TH-05, TH-14, RN-16: it hears at once, wherever it is said."""
    ann, there = await replica(planner), await replica(writer)
    await there.creates_thread("thr_1")
    run_id = (await there.sends("wait")).run_id
    await writer.waiting.wait()
    assert (await ann.sends("and be brief")).run_id == ""
    writer.released.set()
    await eventually(answered(ann, "thr_1"))
    assert len(await told(ann, "thr_1", "run_started")) == 1

    writer.waiting.clear()
    writer.released.clear()
    run_id = (await there.sends("wait")).run_id
    await writer.waiting.wait()
    stopped: runs_pb.StopRunResponse = await ann.runs.StopRun(stop_of(ann, run_id))
    assert (stopped.ended, stopped.run.status) == (True, runs_pb.RUN_STATUS_STOPPED)


async def test_a_run_is_watched_where_its_agent_is_served_and_where_it_is_not(
    replica: Replica, planner: Named, writer: Named
) -> None:
    """TH-14, RN-16: of the default and of any other agent."""
    ann, there = await replica(planner), await replica(planner, writer)
    for agent_name, named in (("writer", writer), ("planner", planner)):
        thread_id = f"thr_{agent_name}"
        await there.creates_thread(thread_id, agent_name=agent_name)
        run_id = (await there.sends("wait", thread_id=thread_id)).run_id
        await named.waiting.wait()
        watches = [asyncio.create_task(_watched(who, run_id)) for who in (ann, there)]
        await asyncio.sleep(SEVERAL_LOOKS)  # so that both watch before there is anything to see
        named.released.set()
        assert await asyncio.gather(*watches) == [f"The {agent_name} heard."] * 2


async def _watched(who: Person, run_id: str) -> str:
    """What a run is seen to say until its end."""
    watch = who.runs.WatchRun(runs_pb.WatchRunRequest(name=f"{who.workspace}/runs/{run_id}"))
    return "".join([frame.text_delta async for frame in watch])


async def test_an_answer_given_where_the_agent_is_not_served_is_taken_up_where_it_is(
    replica: Replica, planner: Named, writer: Named, eventually: Eventually
) -> None:
    """TH-14, RN-15, PA-07: at its next look; a paused run is stopped the same way."""
    ann, there = await replica(planner), await replica(writer)
    await there.creates_thread("thr_1")
    run = await paused_by(there, "ask me", eventually)
    answer = runs_pb.AnswerDeferredRequest(
        name=run.name, tool_call_id=run.pending[0].tool_call_id, answer="Monday", request_id=fresh()
    )
    response: runs_pb.AnswerDeferredResponse = await ann.runs.AnswerDeferred(answer)
    assert response.resumed
    await eventually(answered(ann, "thr_1"))
    assert (await ann.run(run.run_id)).status == runs_pb.RUN_STATUS_COMPLETED

    run = await paused_by(there, "ask me again", eventually)
    stopped: runs_pb.StopRunResponse = await ann.runs.StopRun(stop_of(ann, run.run_id))
    assert (stopped.ended, stopped.run.status) == (True, runs_pb.RUN_STATUS_STOPPED)
    assert {it.actor.agent.name for it in await told(ann, "thr_1", "run_started")} == {"writer"}


def stop_of(who: Person, run_id: str) -> runs_pb.StopRunRequest:
    return runs_pb.StopRunRequest(name=f"{who.workspace}/runs/{run_id}", request_id=fresh())


async def paused_by(who: Person, words: str, eventually: Eventually) -> runs_pb.Run:
    """The run that a message starts and that then waits for people."""
    run_id = (await who.sends(words)).run_id

    async def is_paused() -> bool:
        return (await who.run(run_id)).status == runs_pb.RUN_STATUS_PAUSED

    await eventually(is_paused)
    return await who.run(run_id)
