"""Watching a run over gRPC, at the replica that executes it and at another."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import grpc
import pytest
from artifactr import ArtifactWorkspace, Runner, Session
from google.rpc.error_details_pb2 import RetryInfo
from lattice.agent.v1 import runs_service_pb2 as pb
from lattice_agent.grpc.run_watches import RELAYED
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.interceptors.rate import Rate
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_chassis.telemetry import span
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import SecretStr
from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, RunContext
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from service.agent.agent_people import DEADLINE, Person, fresh, person, refused

Watch = grpc.aio.UnaryStreamCall[pb.WatchRunRequest, pb.WatchRunResponse]
Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
NOISE = "x" * 4_000
NOISES = 2_500


@dataclass
class Script:
    """A model that says a word, waits for the test, and says another; or asks; or has a tool make noise before that."""

    told: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the first word is said."""
    go: asyncio.Event = field(default_factory=asyncio.Event)
    """Lets it go on."""

    async def answer(self, messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        """Answer as the words say that the model has heard last."""
        heard = str(messages[-1])
        if "ask me" in heard:
            yield {0: DeltaToolCall(name="ask_user", json_args='{"question": ')}
            if "slowly" in heard:
                self.told.set()
                await self.go.wait()
            yield {0: DeltaToolCall(json_args='"When?"}')}
            return
        if "be loud" in heard:
            yield {0: DeltaToolCall(name="shout", json_args="{}")}
            return
        yield "One, "
        self.told.set()
        await self.go.wait()
        yield "two."


async def shout(ctx: RunContext[Session[None]]) -> str:
    """Show more than anybody reads."""
    for number in range(NOISES):
        ctx.deps.live.app(str(number), NOISE)
        await asyncio.sleep(0)
    return "Said."


@dataclass(frozen=True, kw_only=True)
class Replica:
    """One of the servers that share a database, and what its model says."""

    server: BoundServer
    script: Script


@asynccontextmanager
async def replica(
    urls: DatabaseUrls, files: BoundServer, address: str = "", rate: Rate | None = None
) -> AsyncIterator[Replica]:
    """A replica that others reach at an address, unless said otherwise the one at which it listens."""
    script = Script()
    agent = Agent(
        FunctionModel(stream_function=script.answer),
        deps_type=Session[None],
        output_type=[str, DeferredToolRequests],
        tools=[shout],
        capabilities=[ArtifactWorkspace(ask=True)],
    )
    settings = AgentSettings(
        database_url=SecretStr(urls.service),
        files=files.address,
        address=address,
        rate=rate,
        notice=timedelta(0),
        grace=timedelta(seconds=2),
        run_grace=timedelta(0),
    )
    async with running(settings, lambda _settings, _files: Runner(agent, app=None)) as server:
        yield Replica(server=server, script=script)


@pytest.fixture(scope="module")
async def first(agent_urls: DatabaseUrls, files_server: BoundServer) -> AsyncIterator[Replica]:
    """The replica that is asked to execute runs."""
    async with replica(agent_urls, files_server) as made:
        yield made


@pytest.fixture(scope="module")
async def second(agent_urls: DatabaseUrls, files_server: BoundServer) -> AsyncIterator[Replica]:
    """Another replica."""
    async with replica(agent_urls, files_server) as made:
        yield made


@pytest.fixture(autouse=True)
def _from_the_start(first: Replica, second: Replica) -> Iterator[None]:
    yield
    for it in (first, second):
        it.script.told.clear()
        it.script.go.clear()


@pytest.fixture
async def ann(first: Replica, tenant: str) -> AsyncIterator[Person]:
    """Somebody who talks to the first replica."""
    async with person(first.server.address, tenant, "ann") as editor:
        await editor.creates_thread()
        yield editor


@pytest.fixture
async def vera(second: Replica, tenant: str) -> AsyncIterator[Person]:
    """Somebody who may only look, at the second replica."""
    async with person(second.server.address, tenant, "vera", role="viewer") as viewer:
        yield viewer


def watch(who: Person, run_id: str) -> Watch:
    """A watch of a run of theirs."""
    call: Watch = who.runs.WatchRun(pb.WatchRunRequest(name=f"{who.workspace}/runs/{run_id}"))
    return call


async def some(call: Watch, count: int) -> list[str]:
    """The next frames, each as a word; an error that ends the watch is raised."""
    async with asyncio.timeout(DEADLINE):
        return [_told(await call.read()) for _ in range(count)]


async def rest(call: Watch) -> list[str]:
    """The frames until the end."""
    async with asyncio.timeout(DEADLINE):
        return [_told(message) async for message in call]


def _told(message: object) -> str:
    assert isinstance(message, pb.WatchRunResponse), "the watch has ended"
    match message.WhichOneof("frame"):
        case "part_started":
            return f"{message.part_started.index}: {message.part_started.kind} {message.part_started.tool_name}".strip()
        case "part_ended":
            return f"{message.part_ended.index}."
        case "text_delta":
            return message.text_delta
        case "tool_arguments_delta":
            return message.tool_arguments_delta
        case "app_live":
            return message.app_live.name
        case other:
            raise AssertionError(f"a frame that no script makes: {other}")


ASKED = ["0: tool-call ask_user", '{"question": ', '"When?"}', "0."]
COUNTED = ["0: text", "One, ", "two.", "0."]


async def test_a_run_is_watched_at_any_replica_by_whoever_may_look(ann: Person, vera: Person, first: Replica) -> None:
    """RN-16, LO-01, LO-02, LO-04: at each by several; who comes later gets what there was, and all get the rest."""
    sent = await ann.sends("count")
    await first.script.told.wait()
    watches = [watch(who, sent.run_id) for who in (ann, vera, ann, vera)]
    assert [await some(call, 2) for call in watches] == [COUNTED[:2]] * 4
    first.script.go.set()
    assert [await rest(call) for call in watches] == [COUNTED[2:]] * 4
    assert [await call.code() for call in watches] == [grpc.StatusCode.OK] * 4


async def test_watching_a_run_that_has_ended_ends_at_once_at_any_replica(
    ann: Person, vera: Person, first: Replica, eventually: Eventually
) -> None:
    """LO-02, EV-05: the log tells of it, without a single piece of it."""
    first.script.go.set()
    sent = await ann.sends("count")
    await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_COMPLETED))
    assert [await rest(watch(who, sent.run_id)) for who in (ann, vera)] == [[], []]
    said = [entry.message_posted.content for entry in await vera.reads() if "two" in str(entry)]
    assert said == ["One, two."]


async def test_a_watch_that_was_cut_off_is_taken_up_again(ann: Person, vera: Person, first: Replica) -> None:
    """LO-02, RN-19: it begins with what there is, and the run knows nothing of it."""
    sent = await ann.sends("count")
    await first.script.told.wait()
    for who in (ann, vera):
        cut = watch(who, sent.run_id)
        await some(cut, 1)
        cut.cancel()
    again = watch(vera, sent.run_id)
    assert await some(again, 2) == COUNTED[:2]
    first.script.go.set()
    assert await rest(again) == COUNTED[2:]


async def test_a_watch_follows_its_run_over_pauses_to_other_replicas_and_back(
    ann: Person, vera: Person, first: Replica, second: Replica, tenant: str, eventually: Eventually
) -> None:
    """LO-05, PA-05, RN-16: each frame comes once, whichever replica was asked; who comes later gets what came since."""
    sent = await ann.sends("ask me")
    await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_PAUSED))
    watches = [watch(who, sent.run_id) for who in (ann, vera)]
    async with person(second.server.address, tenant, "bob") as bob:
        await answers(bob, sent.run_id, "ask me slowly")
        assert [await some(call, 2) for call in watches] == [ASKED[:2]] * 2
        second.script.go.set()
        assert [await some(call, 2) for call in watches] == [ASKED[2:]] * 2
        await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_PAUSED))
    await answers(ann, sent.run_id, "count")
    await first.script.told.wait()
    later = watch(vera, sent.run_id)
    assert [await some(call, 2) for call in (*watches, later)] == [COUNTED[:2]] * 3
    first.script.go.set()
    assert [await rest(call) for call in (*watches, later)] == [COUNTED[2:]] * 3


async def test_what_ends_a_paused_run_ends_its_watches(ann: Person, vera: Person, eventually: Eventually) -> None:
    """LO-05, RN-02: wherever they are."""
    sent = await ann.sends("ask me")
    await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_PAUSED))
    watches = [watch(who, sent.run_id) for who in (ann, vera)]
    await ann.runs.StopRun(pb.StopRunRequest(name=f"{ann.workspace}/runs/{sent.run_id}", request_id=fresh()))
    assert [await rest(call) for call in watches] == [[], []]


async def test_a_reader_that_is_slow_loses_the_oldest_frames(
    ann: Person, vera: Person, first: Replica, eventually: Eventually
) -> None:
    """LO-02: at either replica; the run waits for nobody, and the newest words are there."""
    sent = await ann.sends("be loud")
    watches = [watch(who, sent.run_id) for who in (ann, vera)]
    begun = [await some(call, 1) for call in watches]
    await first.script.told.wait()
    first.script.go.set()
    await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_COMPLETED))
    for call, earliest in zip(watches, begun, strict=True):
        seen = [*earliest, *await rest(call)]
        noises = [int(name) for name in seen if name.isdecimal()]
        assert noises == sorted(set(noises))
        assert len(noises) < NOISES
        assert seen[-5:] == [str(NOISES - 1), "1: text", "One, ", "two.", "1."]


async def test_a_replica_that_cannot_be_reached_is_no_end_of_the_run(
    agent_urls: DatabaseUrls, files_server: BoundServer, vera: Person, tenant: str, eventually: Eventually
) -> None:
    """LO-07, RN-16: PEER_UNAVAILABLE while the run goes on there; once it has ended, its watch ends as any other."""
    nobody = "127.0.0.1:1"
    async with (
        replica(agent_urls, files_server, address=nobody) as remote,
        person(remote.server.address, tenant, "ann") as ann,
    ):
        await ann.creates_thread()
        sent = await ann.sends("count")
        await remote.script.told.wait()
        refusal = await refused(watch(vera, sent.run_id).read())
        assert (refusal.reason, refusal.status) == ("PEER_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
        here = watch(ann, sent.run_id)
        assert await some(here, 2) == COUNTED[:2]
        remote.script.go.set()
        assert await rest(here) == COUNTED[2:]
        await eventually(lambda: _has_status(ann, sent.run_id, pb.RUN_STATUS_COMPLETED))
        assert await rest(watch(vera, sent.run_id)) == []


async def test_a_replica_that_another_asks_tells_of_itself_alone(ann: Person, vera: Person, first: Replica) -> None:
    """LO-07: so that no question goes round in circles; the run goes on elsewhere all the same."""
    sent = await ann.sends("count")
    await first.script.told.wait()
    request = pb.WatchRunRequest(name=f"{ann.workspace}/runs/{sent.run_id}")
    assert await rest(vera.runs.WatchRun(request, metadata=[RELAYED])) == []
    asked = ann.runs.WatchRun(request, metadata=[RELAYED])
    assert await some(asked, 2) == COUNTED[:2]
    first.script.go.set()
    assert await rest(asked) == COUNTED[2:]


async def test_a_run_of_nobody_or_of_others_is_not_watched(ann: Person, vera: Person, second: Replica) -> None:
    """RJ-03, TN-01, TN-03, X-08: at any replica."""
    sent = await ann.sends("count")
    for who in (ann, vera):
        refusal = await refused(watch(who, "run_none").read())
        assert (refusal.reason, refusal.metadata["id"]) == ("NOT_FOUND", "run_none")
    async with person(second.server.address, "stranger", "eve") as eve:
        theirs = pb.WatchRunRequest(name=f"{ann.workspace}/runs/{sent.run_id}")
        assert (await refused(eve.runs.WatchRun(theirs).read())).reason == "FORBIDDEN"
        assert (await refused(watch(eve, sent.run_id).read())).reason == "NOT_FOUND"


async def test_one_trace_leads_from_who_watches_to_the_replica_that_executes(
    ann: Person, vera: Person, first: Replica, eventually: Eventually
) -> None:
    """TR-01, SE-01: which is asked in the name of whoever watches, or would not answer."""
    exporter = _exporter()
    sent = await ann.sends("count")
    await first.script.told.wait()
    with span("look"):
        call = watch(vera, sent.run_id)
    assert await some(call, 2) == COUNTED[:2]
    first.script.go.set()
    assert await rest(call) == COUNTED[2:]

    async def both_have_ended() -> bool:
        spans = {it.context.span_id: it for it in exporter.get_finished_spans() if it.context is not None}
        return ["SERVER", "CLIENT", "SERVER", "CLIENT", "look"] in [_line(spans, it) for it in spans.values()]

    await eventually(both_have_ended)


async def answers(who: Person, run_id: str, words: str) -> None:
    """Answer the one question of a paused run."""
    [request] = (await who.run(run_id)).pending
    await who.runs.AnswerDeferred(
        pb.AnswerDeferredRequest(
            name=f"{who.workspace}/runs/{run_id}",
            tool_call_id=request.tool_call_id,
            answer=words,
            request_id=fresh(),
        )
    )


async def _has_status(who: Person, run_id: str, status: pb.RunStatus.ValueType) -> bool:
    return (await who.run(run_id)).status == status


def _line(spans: Mapping[int, ReadableSpan], below: ReadableSpan) -> list[str]:
    """The calls from a span up to its root, and the root's name."""
    if below.parent is None:
        return [below.name]
    above = spans.get(below.parent.span_id)
    return [below.kind.name, *(_line(spans, above) if above else [])]


def _exporter() -> InMemorySpanExporter:
    """Where this process's spans are seen from now on."""
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


async def test_who_has_used_up_the_rate_of_the_replica_that_executes_is_told_so_by_every_other(
    agent_urls: DatabaseUrls, files_server: BoundServer, second: Replica, tenant: str
) -> None:
    """SE-06, RN-16: it is asked in the name of whoever watches, and its refusal is no fault of ours."""
    once = Rate(per_second=0.001, burst=2)
    async with (
        replica(agent_urls, files_server, rate=once) as busy,
        person(busy.server.address, tenant, "ann") as ann,
        person(second.server.address, tenant, "vera", role="viewer") as vera,
    ):
        await ann.creates_thread()
        sent = await ann.sends("hello")
        await busy.script.told.wait()
        refusal = await refused(watch(vera, sent.run_id).read())
        busy.script.go.set()
    assert refusal.reason == "RATE_LIMITED"
    (detail,) = refusal.details
    assert isinstance(detail, RetryInfo)
    assert detail.retry_delay.seconds > 900
