"""A gRPC server from a listen address and servicers to a port that answers, and down again gracefully.

Every server has the interceptors of `interceptors`, health, and unless switched off reflection. An
admin port, on this machine's loopback only, answers channelz; a health port answers probes that
cannot do TLS.
"""

import asyncio
import ipaddress
import logging
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor
from grpc_channelz.v1 import channelz
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from lattice_chassis.authorization import Authorizer, RolesAuthorizer
from lattice_chassis.health import SERVICE_NAME as HEALTH
from lattice_chassis.health import Health
from lattice_chassis.identity import Authenticator
from lattice_chassis.interceptors import server_chain
from lattice_chassis.interceptors.admission import AdmitUntilClosed
from lattice_chassis.interceptors.chain import Chain, Interceptor
from lattice_chassis.interceptors.foreign import ForeignContract
from lattice_chassis.interceptors.patience import Patience
from lattice_chassis.interceptors.rate import Rate
from lattice_chassis.interceptors.shape import prepare
from lattice_chassis.interceptors.streams import StreamQuotas
from lattice_chassis.interceptors.tracing import TraceCallers
from lattice_chassis.readiness import Look, telling_ready

if TYPE_CHECKING:
    from lattice_chassis.transport import ServerTls

_log: Final = logging.getLogger("lattice.server")

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""The largest message either way; larger content travels in chunks."""

MAX_METADATA_BYTES: Final = 32 * 1024
"""The most that a call's headers or trailers may come to; the default of 8 KiB is tight for typed errors."""

AHEAD_BYTES: Final = 1024 * 1024
"""What a client may send ahead of the handler on one stream: 20 MiB a second where a round trip takes 50 ms."""

WAITING_CALLS: Final = 20_000
"""How many calls may wait to be taken before gRPC cancels them."""

WAITING_SECONDS: Final = 300
"""How long one may."""

_LOOKED_AFTER_SECONDS: Final = 0.1
_LAST_CALLS_SECONDS: Final = 3600.0

DEFAULT_GRACE: Final = timedelta(seconds=10)
DEFAULT_NOTICE: Final = timedelta(milliseconds=200)
DEFAULT_PATIENCE: Final = Patience()
DEFAULT_STREAMS: Final = StreamQuotas()
ROLES_AUTHORIZER: Final = RolesAuthorizer()

_Servicer = TypeVar("_Servicer")


class CannotServe(RuntimeError):
    """A server or a channel does not start; the text says why.

    Its address is taken, malformed, or not allowed with its authenticator; or a file of its TLS is of no use.
    """


@dataclass(frozen=True)
class Service(Generic[_Servicer]):
    """A servicer and the generated function that adds it to a server."""

    add: Callable[[_Servicer, grpc.aio.Server], None]
    servicer: _Servicer
    foreign: ForeignContract | None = None
    """How its calls are to be understood where its contract is not ours."""

    @property
    def descriptor(self) -> ServiceDescriptor:
        """The service of the contract, read off the handlers that the generated function registers."""
        names = _ServiceNames()
        self.add(self.servicer, names)  # type: ignore[arg-type]  # the two methods that generated code calls
        return descriptor_pool.Default().FindServiceByName(names.found[0])


@dataclass(frozen=True, kw_only=True)
class BoundServer:
    """A server that answers."""

    address: str
    """What clients on this machine dial: host and port, or `unix:` and a path."""
    port: int
    """The port; 0 on a unix socket."""
    admin_address: str | None
    """What to dial for channelz, where there is an admin port."""
    health_address: str | None = None
    """What to dial for health without TLS, where there is a port for it."""


@asynccontextmanager
async def serving(  # noqa: PLR0913 - keyword-only settings of one server, each with its default
    listen: str,
    services: Sequence[Service[Any]],
    authenticator: Authenticator,
    authorizer: Authorizer = ROLES_AUTHORIZER,
    *,
    tls: "ServerTls | None" = None,
    admin: str | None = None,
    health_port: str | None = None,
    reflection_enabled: bool = True,
    grace: timedelta = DEFAULT_GRACE,
    notice: timedelta = DEFAULT_NOTICE,
    max_connection_age: timedelta | None = None,
    rate: Rate | None = None,
    patience: Patience = DEFAULT_PATIENCE,
    streams: StreamQuotas = DEFAULT_STREAMS,
    trace_callers: TraceCallers = "adopt",
    interceptors: Sequence[Interceptor] = (),
    ready: Look | None = None,
) -> AsyncIterator[BoundServer]:
    """Serve until the block is left, then drain.

    Draining: for the time of `notice` health answers NOT_SERVING, so that balancers and clients with our service
    config turn elsewhere, and whoever calls all the same is served; then watches end, the server closes its listener
    and gives the calls that still run `grace` before it cancels them.

    Args:
        listen: `host:port` (port 0 takes a free one) or `unix:/path`.
        services: what is served beside health and reflection.
        authenticator: verifies every caller.
        authorizer: says what each may do in the workspace that it names; unless given, by its roles.
        tls: how the server shows who it is, and whose clients it takes; None for no encryption.
        admin: `host:port` on the loopback for channelz, or None for no admin port.
        health_port: `host:port` where health alone answers everybody, without TLS; None for nowhere but at `listen`.
        reflection_enabled: whether clients may ask for the contracts.
        grace: how long running calls may take to end.
        notice: how long the server says that it will close before it does.
        max_connection_age: after which clients are made to look up addresses again; None for never.
        rate: the calls of each tenant that are taken; None for any number.
        patience: how long the client of a stream is waited for.
        streams: how many streams of each tenant are open at once.
        trace_callers: whether the trace that a verified caller names is joined or linked to; a service's always is.
        interceptors: further ones, next to the handlers.
        ready: what is looked at for the health of `ready`; None for no such name.

    Raises:
        CannotServe: the address is taken, malformed, or open to others with an authenticator that
            believes what callers say, with TLS or without; or a file of `tls` is missing or malformed.
    """
    if authenticator.loopback_only and not is_loopback(listen):
        raise CannotServe(f"{type(authenticator).__name__} believes every caller, so it cannot listen on {listen}")
    if admin is not None and not is_loopback(admin):
        raise CannotServe(f"the admin port answers everybody, so it cannot listen on {admin}")
    descriptors = [service.descriptor for service in services]
    for descriptor in descriptors:
        prepare(descriptor)
    admission = AdmitUntilClosed()
    links = server_chain(authenticator, authorizer, admission, rate, streams, interceptors, trace_callers)
    foreign = {service.descriptor.full_name: service.foreign for service in services if service.foreign is not None}
    chain = Chain(links, patience, foreign)
    names = [descriptor.full_name for descriptor in descriptors]
    health = Health()
    reflected = [*names, HEALTH, reflection.SERVICE_NAME] if reflection_enabled else []
    options = _options(max_connection_age)
    made = partial(_made, chain, services, health, reflected, options)
    server = _Standing(made, listen, (lambda: None) if tls is None else tls.credentials)
    address, port = server.address, server.port
    async with AsyncExitStack() as stack:
        admin_address = health_address = None
        if admin is not None:
            admin_address = await stack.enter_async_context(_beside(admin, channelz.add_channelz_servicer))
        if health_port is not None:
            add = partial(health_pb2_grpc.add_HealthServicer_to_server, health)
            health_address = await stack.enter_async_context(_beside(health_port, add))
        if tls is None and not is_loopback(listen):
            _log.warning("NOTHING IS ENCRYPTED at %s: no certificate is configured", address)
        if ready is not None:
            await stack.enter_async_context(telling_ready(health, ready))
        await server.start()
        for name in names:
            health.set(name, serving=True)
        _log.info("listening on %s", address, extra={"address": address, "services": names})
        try:
            # The generator's frame keeps the server: a collected one stops without a word.
            yield BoundServer(address=address, port=port, admin_address=admin_address, health_address=health_address)
        finally:
            _log.info("draining")
            health.drain()
            await asyncio.sleep(notice.total_seconds())
            admission.close()
            await server.stop(grace.total_seconds())


def is_loopback(listen: str) -> bool:
    """Whether only programs of this machine can reach an address; a name other than localhost may be anywhere."""
    if listen.startswith(("unix:", "unix-abstract:")):
        return True
    host = listen.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def until_stopped(running: AbstractAsyncContextManager[object]) -> None:
    """Enter a service, wait for SIGTERM or SIGINT, leave it. A second signal kills, as without us."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    signals = (signal.SIGTERM, signal.SIGINT)
    for number in signals:
        loop.add_signal_handler(number, stopped.set)
    async with running:
        await stopped.wait()
        for number in signals:
            loop.remove_signal_handler(number)


def run_until_stopped(running: AbstractAsyncContextManager[object]) -> None:
    """The whole life of a main program: `until_stopped` on an event loop of its own; what cannot serve says why."""
    try:
        asyncio.run(until_stopped(running))
    except CannotServe as error:
        _log.critical("%s", error)
        raise SystemExit(1) from error


class _ServiceNames:
    """Takes the place of a server in a generated function and notes the service's name."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.ServiceRpcHandler]) -> None:
        self.found.extend(handler.service_name() for handler in handlers)

    def add_registered_method_handlers(self, service_name: str, handlers: object) -> None:
        """Asked for the same service a second time; the name is known already."""


def _made(
    chain: Chain,
    services: Sequence[Service[Any]],
    health: Health,
    reflected: Sequence[str],
    options: Sequence[tuple[str, int]],
) -> grpc.aio.Server:
    """A server that answers for all of it, once it is bound and started."""
    server = grpc.aio.server(interceptors=[chain], options=options)
    for service in services:
        service.add(service.servicer, server)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    if reflected:
        reflection.enable_server_reflection(reflected, server)
    return server


@asynccontextmanager
async def _beside(listen: str, add: Callable[[grpc.aio.Server], None]) -> AsyncIterator[str]:
    """A server of one small thing beside the one of the services, for whoever runs them."""

    def made() -> grpc.aio.Server:
        server = grpc.aio.server(options=_options(None))
        add(server)
        return server

    server = _Standing(made, listen)
    await server.start()
    try:
        yield server.address
    finally:
        await server.stop(None)


class _Standing:
    """A server at one address. Where gRPC ends it by itself, another one takes its place at once.

    gRPC stops taking calls, for good and without an end of the program, once anybody names a method in bytes that are
    no UTF-8 (1.85.3, `_server_main_loop`), and nothing of ours is asked before. Calls that run then go on to their end.
    """

    def __init__(
        self,
        make: Callable[[], grpc.aio.Server],
        listen: str,
        credentials: Callable[[], grpc.ServerCredentials | None] = lambda: None,
    ) -> None:
        self._make = make
        self._credentials = credentials  # made for each server: gRPC takes those that change for one only
        self._server = make()
        self.address, self.port = _bind(self._server, listen, credentials())
        self._standing: asyncio.Task[None] | None = None
        self._before: dict[asyncio.Task[None], grpc.aio.Server] = {}
        """Those that take no more calls and still have some."""

    async def start(self) -> None:
        await self._server.start()
        self._standing = asyncio.create_task(self._stand())

    async def stop(self, grace: float | None) -> None:
        if self._standing is not None:
            self._standing.cancel()
            await asyncio.wait([self._standing])
        await asyncio.gather(*(it.stop(grace) for it in (self._server, *self._before.values())))
        await asyncio.gather(*self._before)

    async def _stand(self) -> None:
        while True:
            try:
                # It is told after a time alone, and who cancels it without one cancels what `stop` waits for.
                while await self._server.wait_for_termination(_LOOKED_AFTER_SECONDS):
                    pass
            except Exception as error:  # noqa: BLE001 - whatever ended it
                _log.error("gRPC ended the server at %s, which begins anew: %s", self.address, type(error).__name__)
            ending = asyncio.create_task(self._server.stop(_LAST_CALLS_SECONDS))
            self._before[ending] = self._server
            ending.add_done_callback(lambda ended: self._before.pop(ended, None))
            await self._begin_anew()

    async def _begin_anew(self) -> None:
        for attempt in count():
            server = self._make()
            try:
                _bind(server, self.address, self._credentials())
            except CannotServe as error:
                if attempt == 1:  # the first may come before the address is free again
                    _log.error("%s; trying again", error)
                await asyncio.sleep(_LOOKED_AFTER_SECONDS)
            else:
                self._server = server
                await server.start()
                return


def _bind(server: grpc.aio.Server, listen: str, credentials: grpc.ServerCredentials | None = None) -> tuple[str, int]:
    try:
        port = server.add_insecure_port(listen) if credentials is None else server.add_secure_port(listen, credentials)
    except RuntimeError as error:
        raise CannotServe(f"cannot listen on {listen}: it is taken or no address of this machine") from error
    if listen.startswith("unix"):
        return listen, 0
    return f"{listen.rpartition(':')[0]}:{port}", port


def _options(max_connection_age: timedelta | None) -> list[tuple[str, int]]:
    options = [
        ("grpc.so_reuseport", 0),  # else a second server on the same port binds without a word
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        # gRPC's own estimate grows with the network, and with it the memory of uploads whose handler is behind.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", AHEAD_BYTES),
        # Clients ping every 30 s; the default answers a ping before 5 min with too_many_pings.
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        # Of more than a thousand calls that wait to be taken, as when all watchers come back after a restart, gRPC
        # cancels some at random, and those that have waited for 30 s, without a reason. How much a tenant may ask at
        # once our own quotas say, and how long a caller waits its deadline.
        ("grpc.server.max_pending_requests", WAITING_CALLS),
        ("grpc.server.max_pending_requests_hard_limit", WAITING_CALLS),
        ("grpc.server_max_unrequested_time_in_server", WAITING_SECONDS),
    ]
    if max_connection_age is not None:
        options.append(("grpc.max_connection_age_ms", round(max_connection_age.total_seconds() * 1000)))
    return options
