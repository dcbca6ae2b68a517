"""A small service of all four kinds of RPC on a real port, whose handlers do what each test tells them to."""
# ruff: noqa: N802 - the methods carry the names of the contract

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import grpc
import pytest
from fakes.issuers import agents, authenticator, clock, people, people_file
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.authorization import current_permissions
from lattice_chassis.channels import channel
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, development_metadata
from lattice_chassis.server import BoundServer, Service, serving
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

__all__ = ["agents", "authenticator", "clock", "people", "people_file"]

sys.path.append(str(Path(__file__).parent))  # where the compiler looks for probe.proto
pb: Any
rpc: Any
pb, rpc = grpc.protos_and_services("probe.proto")  # compiled now, so no type checker knows them

Context = grpc.aio.ServicerContext[Any, Any]
Act = Callable[[Context], Awaitable[str]]
Compiled = Any
"""A module or message of the contract, which is compiled as the tests run."""

Begun = Any
"""A call of any kind that has begun."""

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
Refused = Callable[[Awaitable[object]], Awaitable[RefusedByPeer]]


class Asked(Protocol):
    """What all requests of the service have."""

    act: str


class Answer(Protocol):
    """What all its responses have."""

    told: str


@dataclass
class Handlers:
    """The service: a request names an act, and the test has said what that does."""

    acts: dict[str, Act] = field(default_factory=dict)

    async def _answer(self, request: Asked, context: Context) -> Answer:
        act = self.acts.get(request.act)
        answer: Answer = pb.AskResponse(told=request.act if act is None else await act(context))
        return answer

    Ask = Act = Record = _answer

    async def Check(self, _request: object, _context: Context) -> Answer:
        answer: Answer = pb.AskResponse(told=" ".join(sorted(current_permissions())))
        return answer

    async def Tell(self, request: Asked, context: Context) -> AsyncIterator[Answer]:
        for word in request.act.split():
            yield await self._answer(pb.AskRequest(act=word), context)

    async def Collect(self, requests: AsyncIterator[Asked], context: Context) -> Answer:
        words = [(await self._answer(it, context)).told async for it in requests]
        answer: Answer = pb.AskResponse(told=" ".join(words))
        return answer

    async def Echo(self, requests: AsyncIterator[Asked], context: Context) -> AsyncIterator[Answer]:
        async for request in requests:
            yield await self._answer(request, context)

    async def EchoByHand(self, requests: AsyncIterator[Asked], context: Context) -> None:
        async for request in requests:
            await context.write(await self._answer(request, context))

    async def WatchProbe(self, request: Asked, context: Context) -> AsyncIterator[Answer]:
        try:
            yield pb.AskResponse(told="snapshot")
            while True:
                yield await self._answer(request, context)
        finally:
            if closing := self.acts.get("closing"):
                await closing(context)

    async def WatchWorkspace(self, _request: object, _context: Context) -> AsyncIterator[Answer]:
        yield pb.AskResponse(told="snapshot")
        await asyncio.Event().wait()

    def Unserved(self, request: Asked, context: Context) -> Answer:
        answer: Answer = rpc.ProbeServiceServicer.Unserved(self, request, context)
        return answer


@dataclass(frozen=True)
class Probe:
    """The service as it runs, and a caller's way to it."""

    pb: Any
    acts: dict[str, Act]
    bound: BoundServer
    stub: Any
    channel: Any
    """A `grpc.aio.Channel`, for calls that no stub makes."""

    async def ask(self, act: str, **options: Any) -> str:  # noqa: ANN401 - gRPC's
        """What the service tells to one act."""
        told: str = (await self.stub.Ask(pb.AskRequest(act=act), **options)).told
        return told


ProbeFactory = Callable[..., AbstractAsyncContextManager[Probe]]


@pytest.fixture(scope="session")
def alice() -> Identity:
    """A person of the tenant acme."""
    return Identity(tenant="acme", actor=Actor(user=UserActor(id="alice", name="Alice")))


@pytest.fixture
def handlers() -> Handlers:
    """What this test's service does."""
    return Handlers()


@pytest.fixture
def service(handlers: Handlers) -> Service[Any]:
    """This test's service, to be served."""
    return Service(rpc.add_ProbeServiceServicer_to_server, handlers)


@pytest.fixture
def connecting(alice: Identity, handlers: Handlers) -> ProbeFactory:
    """Calls this test's service, once it is served, as alice; takes further arguments of `channel`."""

    @asynccontextmanager
    async def start(bound: BoundServer, **options: Any) -> AsyncIterator[Probe]:  # noqa: ANN401 - passed on
        settings = {"identity": lambda: development_metadata(alice), **options}
        async with channel(bound.address, [pb.DESCRIPTOR], **settings) as to_it:
            yield Probe(pb, handlers.acts, bound, rpc.ProbeServiceStub(to_it), to_it)

    return start


@pytest.fixture
def probing(service: Service[Any], connecting: ProbeFactory) -> ProbeFactory:
    """Starts the service and calls it as alice; takes the arguments of `serving`."""

    @asynccontextmanager
    async def start(listen: str = "127.0.0.1:0", **options: Any) -> AsyncIterator[Probe]:  # noqa: ANN401 - passed on
        settings = {"notice": timedelta(0), "grace": timedelta(seconds=5), **options}
        async with serving(listen, [service], DevelopmentAuthenticator(), **settings) as bound, connecting(bound) as it:
            yield it

    return start


@pytest.fixture
async def probe(probing: ProbeFactory) -> AsyncIterator[Probe]:
    """The service on a free port, with a channel of alice's."""
    async with probing() as running:
        yield running


async def refused(call: Awaitable[object]) -> RefusedByPeer:
    """The typed refusal that a call ends with."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    refusal = refusal_of(caught.value)
    assert refusal is not None, f"{caught.value.code()} carries no reason of ours"
    return refusal


@pytest.fixture(name="refused", scope="session")
def refused_fixture() -> Refused:
    """Awaits a call that must be refused, and reads why."""
    return refused


@pytest.fixture(scope="session")
def _exporter() -> InMemorySpanExporter:
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a test looks at in a span that ended."""

    name: str
    trace_id: int
    span_id: int
    parent_id: int | None
    attributes: dict[str, object]
    links: list[tuple[int, int]]
    """The ids of trace and span of each."""
    failed: bool
    events: int
    end_time: int


@dataclass(frozen=True)
class Spans:
    """The spans that ended since the test began."""

    exporter: InMemorySpanExporter
    eventually: Eventually

    async def named(self, name: str, kind: trace.SpanKind) -> Seen:
        """The one span of this name and kind, waited for: a client's ends just after its call."""

        async def ended() -> bool:
            return bool(self._found(name, kind))

        await self.eventually(ended)
        (span,) = self._found(name, kind)
        assert span.context is not None
        assert span.end_time is not None
        return Seen(
            name=span.name,
            trace_id=span.context.trace_id,
            span_id=span.context.span_id,
            parent_id=span.parent.span_id if span.parent else None,
            attributes=dict(span.attributes.items()) if span.attributes else {},
            links=[(it.context.trace_id, it.context.span_id) for it in span.links],
            failed=span.status.status_code is trace.StatusCode.ERROR,
            events=len(span.events),
            end_time=span.end_time,
        )

    def _found(self, name: str, kind: trace.SpanKind) -> list[ReadableSpan]:
        return [it for it in self.exporter.get_finished_spans() if it.name.endswith(name) and it.kind is kind]


@pytest.fixture
def spans(_exporter: InMemorySpanExporter, eventually: Eventually) -> Iterator[Spans]:
    """What this test's calls leave in traces."""
    _exporter.clear()
    yield Spans(_exporter, eventually)
    _exporter.clear()
