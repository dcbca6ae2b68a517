"""A gRPC server from a listen address and servicers to a port that answers, and down again gracefully.

Every server has the interceptors of `interceptors`, health, and unless switched off reflection. An
admin port, on this machine's loopback only, answers channelz.
"""

import asyncio
import ipaddress
import logging
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Generic, TypeVar

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor
from grpc_channelz.v1 import channelz
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from lattice_chassis.identity import Authenticator
from lattice_chassis.interceptors import server_chain
from lattice_chassis.interceptors.admission import AdmitUntilDrained
from lattice_chassis.interceptors.chain import Chain, Interceptor
from lattice_chassis.interceptors.shape import prepare

_log: Final = logging.getLogger("lattice.server")

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""The largest message either way; larger content travels in chunks."""

MAX_METADATA_BYTES: Final = 32 * 1024
"""The most that a call's headers or trailers may come to; the default of 8 KiB is tight for typed errors."""

AHEAD_BYTES: Final = 1024 * 1024
"""What a client may send ahead of the handler on one stream: 20 MiB a second where a round trip takes 50 ms."""

DEFAULT_GRACE: Final = timedelta(seconds=10)
DEFAULT_NOTICE: Final = timedelta(milliseconds=200)

_Servicer = TypeVar("_Servicer")


class CannotServe(RuntimeError):
    """The server does not start: its address is taken, malformed, or not allowed with its authenticator."""


@dataclass(frozen=True)
class Service(Generic[_Servicer]):
    """A servicer and the generated function that adds it to a server."""

    add: Callable[[_Servicer, grpc.aio.Server], None]
    servicer: _Servicer

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


@asynccontextmanager
async def serving(  # noqa: PLR0913 - keyword-only settings of one server, each with its default
    listen: str,
    services: Sequence[Service[Any]],
    authenticator: Authenticator,
    *,
    admin: str | None = None,
    reflection_enabled: bool = True,
    grace: timedelta = DEFAULT_GRACE,
    notice: timedelta = DEFAULT_NOTICE,
    max_connection_age: timedelta | None = None,
    interceptors: Sequence[Interceptor] = (),
) -> AsyncIterator[BoundServer]:
    """Serve until the block is left, then drain.

    Draining: health answers NOT_SERVING and new calls are refused with SHUTTING_DOWN for the time of
    `notice`, so that balancers look elsewhere; watches end; then the server closes its listener and
    gives the calls that still run `grace` before it cancels them.

    Args:
        listen: `host:port` (port 0 takes a free one) or `unix:/path`.
        services: what is served beside health and reflection.
        authenticator: verifies every caller.
        admin: `host:port` on the loopback for channelz, or None for no admin port.
        reflection_enabled: whether clients may ask for the contracts.
        grace: how long running calls may take to end.
        notice: how long the server refuses before it closes.
        max_connection_age: after which clients are made to look up addresses again; None for never.
        interceptors: further ones, next to the handlers.

    Raises:
        CannotServe: the address is taken, malformed, or open to others with an authenticator that
            believes what callers say.
    """
    if authenticator.loopback_only and not is_loopback(listen):
        raise CannotServe(f"{type(authenticator).__name__} believes every caller, so it cannot listen on {listen}")
    if admin is not None and not is_loopback(admin):
        raise CannotServe(f"the admin port answers everybody, so it cannot listen on {admin}")
    descriptors = [service.descriptor for service in services]
    for descriptor in descriptors:
        prepare(descriptor)
    admission = AdmitUntilDrained()
    chain = Chain(server_chain(authenticator, admission, interceptors))
    server = grpc.aio.server(interceptors=[chain], options=_options(max_connection_age))
    for service in services:
        service.add(service.servicer, server)
    names = [descriptor.full_name for descriptor in descriptors]
    health_servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
    if reflection_enabled:
        reflection.enable_server_reflection([*names, health.SERVICE_NAME, reflection.SERVICE_NAME], server)
    address, port = _bind(server, listen)
    async with AsyncExitStack() as stack:
        admin_address = None if admin is None else await stack.enter_async_context(_administration(admin))
        await server.start()
        for name in names:
            await health_servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        _log.info("listening on %s", address, extra={"address": address, "services": names})
        try:
            # The generator's frame keeps the server: a collected one stops without a word.
            yield BoundServer(address=address, port=port, admin_address=admin_address)
        finally:
            _log.info("draining")
            admission.refuse_new_calls()
            await health_servicer.enter_graceful_shutdown()
            await asyncio.sleep(notice.total_seconds())
            admission.end_watches()
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
    """The whole life of a main program: `until_stopped` on an event loop of its own."""
    asyncio.run(until_stopped(running))


class _ServiceNames:
    """Takes the place of a server in a generated function and notes the service's name."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.ServiceRpcHandler]) -> None:
        self.found.extend(handler.service_name() for handler in handlers)

    def add_registered_method_handlers(self, service_name: str, handlers: object) -> None:
        """Asked for the same service a second time; the name is known already."""


@asynccontextmanager
async def _administration(listen: str) -> AsyncIterator[str]:
    server = grpc.aio.server(options=_options(None))
    channelz.add_channelz_servicer(server)
    address, _ = _bind(server, listen)
    await server.start()
    try:
        yield address
    finally:
        await server.stop(None)


def _bind(server: grpc.aio.Server, listen: str) -> tuple[str, int]:
    try:
        port = server.add_insecure_port(listen)
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
    ]
    if max_connection_age is not None:
        options.append(("grpc.max_connection_age_ms", round(max_connection_age.total_seconds() * 1000)))
    return options
