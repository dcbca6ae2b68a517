"""Every call has a verified caller, or it is refused before anything of it is read [SE-01, AC-03]."""

from opentelemetry import trace

from lattice_chassis.identity import Authenticator, acting_as
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall


class Authenticate(Interceptor):
    """Make the caller's verified identity the current one. Health and reflection need none."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the handler as the caller; `Unauthenticated` passes through."""
        if call.is_infrastructure:
            return await proceed()
        call.identity = await self._authenticator.authenticate(call.metadata, call.context.peer())
        trace.get_current_span().set_attribute("lattice.tenant", call.identity.tenant)
        with acting_as(call.identity):
            return await proceed()
