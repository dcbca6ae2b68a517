"""What stands between the wire and a handler, and between an adapter and the wire."""

from collections.abc import Sequence

from lattice_chassis.identity import Authenticator
from lattice_chassis.interceptors.admission import AdmitUntilDrained
from lattice_chassis.interceptors.authentication import Authenticate
from lattice_chassis.interceptors.chain import Interceptor
from lattice_chassis.interceptors.deadlines import BoundDeadline
from lattice_chassis.interceptors.refusals import MapErrors
from lattice_chassis.interceptors.request_log import LogRequests
from lattice_chassis.interceptors.shape import CheckShape
from lattice_chassis.interceptors.tracing import TraceCalls


def server_chain(
    authenticator: Authenticator, admission: AdmitUntilDrained, extra: Sequence[Interceptor] = ()
) -> tuple[Interceptor, ...]:
    """The interceptors of every server, outermost first; `extra` ones of a service stand nearest to its handlers."""
    return (
        TraceCalls(),  # a refusal by any of those below still has its span
        LogRequests(),  # inside the span, so that its line carries the trace; outside all that can refuse
        MapErrors(),  # nothing below may reach a client as UNKNOWN, or with an exception's text
        admission,  # a server that drains does no work for a call, not even to verify its caller
        BoundDeadline(),  # before the authenticator, whose own calls must not outlive the caller either
        Authenticate(authenticator),  # before the shape is checked: a stranger learns no rule of ours
        CheckShape(),
        *extra,
    )
