"""What stands between the wire and a handler, and between an adapter and the wire."""

from collections.abc import Sequence

from lattice_chassis.authorization import Authorizer
from lattice_chassis.identity import Authenticator
from lattice_chassis.interceptors.admission import AdmitUntilClosed
from lattice_chassis.interceptors.audit import Audit
from lattice_chassis.interceptors.authentication import Authenticate
from lattice_chassis.interceptors.authorization import Authorize
from lattice_chassis.interceptors.chain import Interceptor
from lattice_chassis.interceptors.deadlines import BoundDeadline
from lattice_chassis.interceptors.rate import LimitRate, Rate
from lattice_chassis.interceptors.refusals import MapErrors
from lattice_chassis.interceptors.request_log import LogRequests
from lattice_chassis.interceptors.shape import CheckShape
from lattice_chassis.interceptors.streams import LimitStreams, StreamQuotas
from lattice_chassis.interceptors.tracing import TraceCallers, TraceCalls, TraceRefused


def server_chain(
    authenticator: Authenticator,
    authorizer: Authorizer,
    admission: AdmitUntilClosed,
    rate: Rate | None,
    streams: StreamQuotas,
    extra: Sequence[Interceptor] = (),
    trace_callers: TraceCallers = "adopt",
) -> tuple[Interceptor, ...]:
    """The interceptors of every server, outermost first; `extra` ones of a service stand nearest to its handlers."""
    return (
        TraceCalls(trace_callers),  # a refusal by any of those below still has its span
        LogRequests(),  # inside the span, so that its line carries the trace; outside all that can refuse
        MapErrors(),  # nothing below may reach a client as UNKNOWN, or with an exception's text
        Audit(),  # outside all that can refuse, so that strangers are on record too
        TraceRefused(),  # outside all that can refuse a caller who is not known yet
        admission,  # a server that closes does no work for a call, not even to verify its caller
        BoundDeadline(),  # before the authenticator, whose own calls must not outlive the caller either
        Authenticate(authenticator),  # before the shape is checked: a stranger learns no rule of ours
        *([] if rate is None else [LimitRate(rate)]),  # before any work that a flood could pile up
        LimitStreams(streams),
        Authorize(authorizer),
        CheckShape(),
        *extra,
    )
