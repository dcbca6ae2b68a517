"""A span for every call that the server answers, in the caller's trace.

Names and attributes follow OpenTelemetry's RPC conventions as they now stand. No message content
and no text of an exception goes into a span.
"""

from typing import Final

import grpc
from opentelemetry import propagate, trace
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import SpanKind, Status, StatusCode

from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall

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
    """Run the call in a span of its own. Health and reflection get none: probes would drown the rest."""

    def __init__(self) -> None:
        self._tracer = trace.get_tracer("lattice.rpc")

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest inside the span, and end it with the status that the client sees."""
        if call.is_infrastructure:
            return await proceed()
        caller = propagate.extract({key: value for key, value in call.metadata if isinstance(value, str)})
        with self._tracer.start_as_current_span(
            call.method,
            context=caller,
            kind=SpanKind.SERVER,
            attributes={RPC_SYSTEM_NAME: "grpc", RPC_METHOD: call.method},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            ended_by: BaseException | None = None
            try:
                return await proceed()
            except BaseException as error:
                ended_by = error
                raise
            finally:
                code = call.code(ended_by)
                span.set_attribute(RPC_RESPONSE_STATUS_CODE, code.name)
                if call.reason is not None:
                    span.set_attribute(REASON, call.reason)
                if code in _SERVER_ERRORS:
                    span.set_attribute(ERROR_TYPE, code.name)
                    span.set_status(Status(StatusCode.ERROR))
