"""A span for every call that the server answers, in its caller's trace where that may be joined, and its duration.

Names and attributes follow OpenTelemetry's RPC conventions as they now stand. No message content
and no text of an exception goes into a span.
"""

import time
from functools import partial
from typing import Final, Literal

import grpc
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from lattice_chassis import metrics
from lattice_chassis.identity import Identity
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall
from lattice_chassis.telemetry import PROPAGATOR

TraceCallers = Literal["adopt", "link"]
"""Whether the span of a verified caller's call joins the trace that the caller names, or is linked to it."""

RPC_SYSTEM_NAME: Final = "rpc.system.name"
RPC_METHOD: Final = "rpc.method"
RPC_RESPONSE_STATUS_CODE: Final = "rpc.response.status_code"
REASON: Final = "lattice.reason"
"""The reason of a refusal, as ErrorInfo names it."""

# The conventions' list: what a client did wrong is no error of a server's span.
_SERVER_ERRORS: Final = frozenset(
    {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    }
)


class TraceCalls(Interceptor):
    """Run the call in a span of its own. Health and reflection get none: probes would drown the rest.

    The span has the whole time of the call, but begins once it is known who calls [TR-03]. A service of ours is always
    joined, and so is a verified caller unless strangers are to be linked; whoever is refused before that joins nothing.
    """

    def __init__(self, callers: TraceCallers = "adopt") -> None:
        self._callers = callers
        self._tracer = trace.get_tracer("lattice.rpc")

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest inside the span, and end it with the status that the client sees."""
        if call.is_infrastructure:
            return await proceed()
        began = time.time_ns()
        call.begin_span = partial(self._begin, call, began)
        ended_by: BaseException | None = None
        try:
            return await proceed()
        except BaseException as error:
            ended_by = error
            raise
        finally:
            _end(call, call.code(ended_by), began)

    def _begin(self, call: ServerCall, began: int, caller: Identity | None) -> None:
        if call.span is not None:
            return
        named = PROPAGATOR.extract({key: value for key, value in call.metadata if key in PROPAGATOR.fields}, Context())
        joined = caller is not None and (self._callers == "adopt" or not call.is_from_outside)
        stranger = trace.get_current_span(named).get_span_context()
        attributes = {RPC_SYSTEM_NAME: "grpc", RPC_METHOD: call.method}
        if caller is not None:
            attributes["lattice.tenant"] = caller.tenant
        call.span = self._tracer.start_span(
            call.method,
            context=named if joined else Context(),
            kind=SpanKind.SERVER,
            attributes=attributes,
            links=[Link(stranger)] if stranger.is_valid and not joined else (),
            start_time=began,
        )
        # Not detached: the task is the call's, and what tells of its end in lines of log is further out.
        contexts.attach(trace.set_span_in_context(call.span))


class TraceRefused(Interceptor):
    """Begin the span of a call that is refused before it is known who calls, so that its refusal names a trace."""

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest; what it raises passes through."""
        try:
            return await proceed()
        except BaseException:
            call.begin_span(None)
            raise


def _end(call: ServerCall, code: grpc.StatusCode, began: int) -> None:
    attributes = {RPC_SYSTEM_NAME: "grpc", RPC_METHOD: call.method, RPC_RESPONSE_STATUS_CODE: code.name}
    if code in _SERVER_ERRORS:
        attributes[ERROR_TYPE] = code.name
    # A method that nobody serves is named by strangers as they like: measured by name, it would fill the memory.
    if call.is_served:
        metrics.SERVER_DURATION.record((time.time_ns() - began) / 1e9, attributes)
    span = call.span
    if span is None:
        return
    if span.is_recording():
        span.set_attribute(RPC_RESPONSE_STATUS_CODE, code.name)
        if call.reason is not None:
            span.set_attribute(REASON, call.reason)
        if code in _SERVER_ERRORS:
            span.set_attribute(ERROR_TYPE, code.name)
            span.set_status(Status(StatusCode.ERROR))
    span.end()
