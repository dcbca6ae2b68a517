"""What every call of ours carries: the trace, the caller's deadline, an identity; and what it may not do.

The interceptors return the call without awaiting it, or cancelling a task would no longer reach the
server. gRPC wants one class for each kind of RPC, so four share one `Outgoing`.
"""

import asyncio
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

import grpc
from grpc_status import rpc_status
from opentelemetry import trace
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.semconv.attributes.server_attributes import SERVER_ADDRESS
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Status, StatusCode

from lattice_chassis import metrics
from lattice_chassis.errors import refusal_in
from lattice_chassis.interceptors.chain import INFRASTRUCTURE
from lattice_chassis.interceptors.deadlines import remaining_seconds
from lattice_chassis.interceptors.tracing import (
    REASON,
    RPC_METHOD,
    RPC_RESPONSE_STATUS_CODE,
    RPC_SYSTEM_NAME,
)
from lattice_chassis.telemetry import PROPAGATOR
from lattice_chassis.transactions import in_transaction

IdentitySource = Callable[[], Sequence[tuple[str, str]]]
"""Gives the metadata by which a server knows who calls; asked once a call."""

_Details = grpc.aio.ClientCallDetails
_Call = TypeVar("_Call", bound=grpc.aio.Call)
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Many = AsyncIterable[_Request] | Iterable[_Request]


@dataclass(kw_only=True, eq=False)
class Outgoing:
    """What the calls of one channel have in common."""

    target: str
    identity: IdentitySource
    default_timeout: timedelta
    """How long a call without streams may take where neither it nor the current deadline says less."""
    _tracer: trace.Tracer = field(default_factory=lambda: trace.get_tracer("lattice.rpc"))
    _endings: set[asyncio.Task[None]] = field(default_factory=set)

    async def unary(self, proceed: Callable[..., Awaitable[_Call]], details: _Details, request: object) -> _Call:
        """Begin a call without streams, which always has a deadline."""
        return await self._begin(proceed, details, request, self.default_timeout.total_seconds())

    async def streaming(self, proceed: Callable[..., Awaitable[_Call]], details: _Details, request: object) -> _Call:
        """Begin a call with a stream, which lasts as long as its caller's deadline allows."""
        return await self._begin(proceed, details, request, None)

    async def _begin(
        self,
        proceed: Callable[..., Awaitable[_Call]],
        details: _Details,
        request: object,
        default_timeout: float | None,
    ) -> _Call:
        if in_transaction():
            raise RuntimeError("no RPC while a transaction is open: a slow peer would hold the workspace's lock")
        method, began = _text(details.method).removeprefix("/"), time.time_ns()
        if method.startswith(INFRASTRUCTURE):
            return await proceed(self._completed(details, INVALID_SPAN, default_timeout), request)
        span = self._tracer.start_span(
            method,
            kind=SpanKind.CLIENT,
            attributes={RPC_SYSTEM_NAME: "grpc", RPC_METHOD: method, SERVER_ADDRESS: self.target},
        )
        try:
            call = await proceed(self._completed(details, span, default_timeout), request)
        except BaseException:  # nothing was sent, so no call will end the span
            span.end()
            raise
        call.add_done_callback(lambda ended: self._end(span, ended, method, began))
        return call

    def _completed(self, details: _Details, span: Span, default_timeout: float | None) -> _Details:
        timeout = default_timeout if details.timeout is None else details.timeout
        return _Details(
            details.method,
            _shortest(timeout, remaining_seconds()),
            self._metadata(details, span),
            details.credentials,
            details.wait_for_ready,
        )

    def _metadata(self, details: _Details, span: Span) -> grpc.aio.Metadata:
        given = tuple(details.metadata or ())
        named = {key for key, _ in given}
        carrier: dict[str, str] = {}
        PROPAGATOR.inject(carrier, context=trace.set_span_in_context(span))
        added = [(key, value) for key, value in (*self.identity(), *carrier.items()) if key not in named]
        return grpc.aio.Metadata(*given, *added)

    def _end(self, span: Span, call: grpc.aio.Call, method: str, began: int) -> None:
        # The status is a coroutine's to tell, but the span ends now: what follows the call must not precede its end.
        ending = asyncio.get_running_loop().create_task(_record_end(span, call, method, began, time.time_ns()))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)


async def _record_end(span: Span, call: grpc.aio.Call, method: str, began: int, ended: int) -> None:
    try:
        code = await call.code()
        attributes = {RPC_SYSTEM_NAME: "grpc", RPC_METHOD: method, RPC_RESPONSE_STATUS_CODE: code.name}
        if code is not grpc.StatusCode.OK:
            attributes[ERROR_TYPE] = code.name
        metrics.CLIENT_DURATION.record((ended - began) / 1e9, attributes)
        if not span.is_recording():
            return
        span.set_attribute(RPC_RESPONSE_STATUS_CODE, code.name)
        if code is not grpc.StatusCode.OK:
            span.set_attribute(ERROR_TYPE, code.name)
            span.set_status(Status(StatusCode.ERROR))
            status = await rpc_status.aio.from_call(call)
            refusal = None if status is None else refusal_in(status)
            if refusal is not None:
                span.set_attribute(REASON, refusal.reason)
    except ValueError:  # the status was rewritten on its way: there is no reason to tell
        pass
    finally:
        span.end(ended)


class _UnaryUnary(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_unary(
        self,
        continuation: Callable[[_Details, _Request], Awaitable[grpc.aio.UnaryUnaryCall[_Request, _Response]]],
        client_call_details: _Details,
        request: _Request,
    ) -> grpc.aio.UnaryUnaryCall[_Request, _Response]:
        return await self._outgoing.unary(continuation, client_call_details, request)


class _UnaryStream(grpc.aio.UnaryStreamClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_stream(
        self,
        continuation: Callable[[_Details, _Request], Awaitable[grpc.aio.UnaryStreamCall[_Request, _Response]]],
        client_call_details: _Details,
        request: _Request,
    ) -> grpc.aio.UnaryStreamCall[_Request, _Response]:
        return await self._outgoing.streaming(continuation, client_call_details, request)


class _StreamUnary(grpc.aio.StreamUnaryClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_stream_unary(
        self,
        continuation: Callable[[_Details, _Many[_Request]], Awaitable[grpc.aio.StreamUnaryCall[_Request, _Response]]],
        client_call_details: _Details,
        request_iterator: _Many[_Request],
    ) -> grpc.aio.StreamUnaryCall[_Request, _Response]:
        return await self._outgoing.streaming(continuation, client_call_details, request_iterator)


class _StreamStream(grpc.aio.StreamStreamClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_stream_stream(
        self,
        continuation: Callable[[_Details, _Many[_Request]], Awaitable[grpc.aio.StreamStreamCall[_Request, _Response]]],
        client_call_details: _Details,
        request_iterator: _Many[_Request],
    ) -> grpc.aio.StreamStreamCall[_Request, _Response]:
        return await self._outgoing.streaming(continuation, client_call_details, request_iterator)


def client_interceptors(outgoing: Outgoing) -> list[grpc.aio.ClientInterceptor]:
    """One interceptor for each kind of RPC: gRPC takes an object for the first kind it knows it by only."""
    return [_UnaryUnary(outgoing), _UnaryStream(outgoing), _StreamUnary(outgoing), _StreamStream(outgoing)]


def _shortest(*seconds: float | None) -> float | None:
    return min((it for it in seconds if it is not None), default=None)


def _text(method: str | bytes) -> str:
    return method.decode() if isinstance(method, bytes) else method
