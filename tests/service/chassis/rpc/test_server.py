"""A server from its address to the port that answers, and down again."""

import asyncio
import signal
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, development_metadata
from lattice_chassis.readiness import READY
from lattice_chassis.server import BoundServer, CannotServe, Service, is_loopback, serving

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Eventually, Probe, ProbeFactory, Refused

SERVICE = "lattice.probe.v1.ProbeService"


@asynccontextmanager
async def anybody(address: str | None) -> AsyncIterator[Any]:
    """A bare channel without any identity, as probes and tools have."""
    assert address is not None
    async with grpc.aio.insecure_channel(address) as bare:
        yield bare


async def health_of(probe: "Probe", service: str) -> str:
    """The health of a service, as a probe asks."""
    async with anybody(probe.bound.address) as bare:
        stub: Any = health_pb2_grpc.HealthStub(bare)
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


async def test_a_server_takes_a_free_port_and_says_which(probe: "Probe") -> None:
    assert probe.bound.port > 0
    assert probe.bound.address == f"127.0.0.1:{probe.bound.port}"


async def test_a_server_answers_on_a_unix_socket(probing: "ProbeFactory", tmp_path: Path) -> None:
    async with probing(f"unix:{tmp_path}/socket") as probe:
        assert (probe.bound.address, probe.bound.port) == (f"unix:{tmp_path}/socket", 0)
        assert await probe.ask("hello") == "hello"


async def test_health_answers_for_the_whole_and_for_each_service(probe: "Probe") -> None:
    assert [await health_of(probe, name) for name in ("", SERVICE)] == ["SERVING", "SERVING"]


async def test_a_server_that_cannot_work_is_alive_but_not_ready_until_it_can(
    probing: "ProbeFactory", eventually: "Eventually"
) -> None:
    """RO-01."""
    away = True

    async def look() -> None:
        if away:
            raise ConnectionError("the database is away")

    async with probing(ready=look) as probe:
        assert [await health_of(probe, name) for name in ("", SERVICE, READY)] == ["SERVING", "SERVING", "NOT_SERVING"]
        away = False

        async def ready() -> bool:
            return await health_of(probe, READY) == "SERVING"

        await eventually(ready)
        away = True

        async def unready() -> bool:
            return await health_of(probe, READY) == "NOT_SERVING"

        await eventually(unready)
        assert await health_of(probe, "") == "SERVING"


async def test_reflection_lists_the_services_without_an_identity(probe: "Probe") -> None:
    async with anybody(probe.bound.address) as bare:
        ask: Any = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo
        (answer,) = [it async for it in ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))]
    assert SERVICE in {it.name for it in answer.list_services_response.service}


async def test_reflection_can_be_switched_off(probing: "ProbeFactory", refused: "Refused") -> None:
    async with probing(reflection_enabled=False) as probe, anybody(probe.bound.address) as bare:
        ask: Any = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo
        call = ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        assert (await refused(call.read())).reason == "NOT_IMPLEMENTED"


async def test_channelz_answers_on_the_admin_port_alone(probing: "ProbeFactory", refused: "Refused") -> None:
    async with probing(admin="127.0.0.1:0") as probe:
        async with anybody(probe.bound.admin_address) as admin:
            servers = await channelz_pb2_grpc.ChannelzStub(admin).GetServers(channelz_pb2.GetServersRequest())
        assert servers.server
        stub = channelz_pb2_grpc.ChannelzStub(probe.channel)
        assert (await refused(stub.GetServers(channelz_pb2.GetServersRequest()))).reason == "NOT_IMPLEMENTED"


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "10.1.2.3:0", "example.org:0", ":0"])
async def test_an_authenticator_that_believes_callers_never_listens_to_other_machines(
    probing: "ProbeFactory", listen: str
) -> None:
    """SE-01: the development authenticator is for one machine."""
    assert not is_loopback(listen)
    with pytest.raises(CannotServe, match="believes every caller"):
        async with probing(listen):
            pytest.fail("it listens")


@pytest.mark.parametrize("listen", ["127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1", "unix:/run/x"])
def test_addresses_of_this_machine_alone_are_known(listen: str) -> None:
    assert is_loopback(listen)


async def test_the_admin_port_never_listens_to_other_machines(probing: "ProbeFactory") -> None:
    with pytest.raises(CannotServe, match="admin port"):
        async with probing(admin="0.0.0.0:0"):
            pytest.fail("it listens")


async def test_a_second_server_on_the_same_port_is_refused_and_the_first_goes_on(
    probe: "Probe", probing: "ProbeFactory"
) -> None:
    """Without so_reuseport=0 it would bind, and take half of the calls."""
    with pytest.raises(CannotServe, match="taken"):
        async with probing(probe.bound.address):
            pytest.fail("it listens")
    assert await probe.ask("hello") == "hello"


class Draining:
    """A server that drains on demand, for tests that look at it from outside meanwhile."""

    def __init__(self, service: Service[Any], *, notice: timedelta = timedelta(0), grace: timedelta) -> None:
        self._stop = asyncio.Event()
        self._bound: asyncio.Future[BoundServer] = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._serve(service, notice, grace))

    async def _serve(self, service: Service[Any], notice: timedelta, grace: timedelta) -> None:
        believing = DevelopmentAuthenticator()
        async with serving("127.0.0.1:0", [service], believing, notice=notice, grace=grace) as bound:
            self._bound.set_result(bound)
            await self._stop.wait()

    async def bound(self) -> BoundServer:
        return await self._bound

    def begin(self) -> None:
        self._stop.set()

    async def end(self) -> None:
        async with asyncio.timeout(30):
            await self._life


async def test_while_it_drains_it_says_so_and_serves_whoever_calls_all_the_same(
    service: Service[Any], alice: Identity, connecting: "ProbeFactory", eventually: "Eventually"
) -> None:
    """RO-02, RJ-03: who looks at its health calls another replica; who does not is served."""
    reached, release = asyncio.Event(), asyncio.Event()

    async def slow(_: object) -> str:
        reached.set()
        await release.wait()
        return "done"

    server = Draining(service, notice=timedelta(seconds=3), grace=timedelta(seconds=30))
    bound = await server.bound()
    async with connecting(bound) as probe, grpc.aio.insecure_channel(bound.address) as unaware:
        probe.acts["slow"] = slow
        running = asyncio.ensure_future(probe.ask("slow"))
        await reached.wait()
        server.begin()

        async def unhealthy() -> bool:
            return await health_of(probe, SERVICE) == "NOT_SERVING"

        await eventually(unhealthy)
        act = unaware.unary_unary(
            f"/{SERVICE}/Act", probe.pb.AskRequest.SerializeToString, probe.pb.AskResponse.FromString
        )
        assert (await act(probe.pb.AskRequest(act="late"), metadata=development_metadata(alice))).told == "late"
        release.set()
        assert await running == "done"
        await server.end()


async def test_no_call_fails_while_one_of_two_replicas_drains_and_closes(
    service: Service[Any], connecting: "ProbeFactory"
) -> None:
    """RO-02, RJ-03: not even one that may not be repeated; by the service config, clients heed a replica's health."""
    replicas = [Draining(service, notice=timedelta(seconds=1), grace=timedelta(seconds=30)) for _ in range(2)]
    addresses = [(await it.bound()).address for it in replicas]
    both = replace(await replicas[0].bound(), address=f"ipv4:{','.join(addresses)}")
    async with connecting(both) as probe:
        ended = 0

        async def call_until_one_has_closed() -> None:
            nonlocal ended
            while not closed.done():
                await probe.stub.Act(probe.pb.AskRequest(act="once"))
                ended += 1

        await probe.ask("hello")
        replicas[0].begin()
        closed = asyncio.ensure_future(replicas[0].end())
        await asyncio.gather(closed, *(call_until_one_has_closed() for _ in range(8)))
        assert ended > 0
        assert await probe.ask("hello") == "hello"
    replicas[1].begin()
    await replicas[1].end()


async def test_a_watch_is_ended_by_draining_so_that_its_client_resumes_elsewhere(
    service: Service[Any], connecting: "ProbeFactory", refused: "Refused"
) -> None:
    """RO-02, SB-04: it would never end by itself, and hold the server up to its grace."""

    async def forever(_: object) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    server = Draining(service, grace=timedelta(seconds=30))
    async with connecting(await server.bound()) as probe:
        probe.acts["forever"] = forever
        watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="forever"))
        assert (await watch.read()).told == "snapshot"
        server.begin()
        assert (await refused(watch.read())).reason == "SHUTTING_DOWN"
        await server.end()


async def test_a_call_that_does_not_end_within_the_grace_is_cancelled(
    service: Service[Any], connecting: "ProbeFactory"
) -> None:
    """RO-03."""
    reached, cancelled = asyncio.Event(), asyncio.Event()

    async def hang(_: object) -> str:
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    server = Draining(service, grace=timedelta(milliseconds=50))
    async with connecting(await server.bound()) as probe:
        probe.acts["hang"] = hang
        running = asyncio.ensure_future(probe.stub.Act(probe.pb.AskRequest(act="hang")))
        await reached.wait()
        server.begin()
        await server.end()
        assert cancelled.is_set()
        with pytest.raises(grpc.aio.AioRpcError):
            await running


PROGRAM = """
from datetime import timedelta
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, development_metadata
from lattice_chassis.server import run_until_stopped, serving
from lattice_chassis.telemetry import logging_setup

logging_setup()
run_until_stopped(serving("127.0.0.1:0", [], DevelopmentAuthenticator(), notice=timedelta(0)))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_main_program_drains_and_exits_with_success_when_told_to_stop(number: signal.Signals) -> None:
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, stderr=asyncio.subprocess.PIPE)
    assert program.stderr is not None
    try:
        async with asyncio.timeout(30):
            assert b"listening on 127.0.0.1:" in await program.stderr.readline()
            program.send_signal(number)
            assert b"draining" in await program.stderr.read()
            assert await program.wait() == 0
    finally:
        if program.returncode is None:
            program.kill()


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def _headers(method: bytes) -> bytes:
    headers = {b":method": b"POST", b":scheme": b"http", b":path": method, b":authority": b"x"}
    headers |= {b"te": b"trailers", b"content-type": b"application/grpc"}
    return b"".join(bytes([0, len(key)]) + key + bytes([len(it)]) + it for key, it in headers.items())


async def call_by_bytes(address: str, method: bytes, tls: ssl.SSLContext | None = None) -> None:
    """Call a method whose name no client of gRPC would send, until the server closes the connection or answers."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=tls)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(4, 0, 0, b"") + _frame(1, 5, 1, _headers(method)))
    async with asyncio.timeout(5):
        seen = b""
        while b"grpc-status" not in seen and (more := await reader.read(4096)):
            seen += more
    writer.close()


async def watching_health_without_taking_any(address: str, *names: str) -> asyncio.StreamWriter:
    """Open a watch of health for each name, on a connection whose client takes no byte of any answer."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    no_window = _frame(4, 0, 0, (4).to_bytes(2, "big") + (0).to_bytes(4, "big"))
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + no_window)
    for number, name in enumerate(names):
        asked = health_pb2.HealthCheckRequest(service=name).SerializeToString()
        message = b"\0" + len(asked).to_bytes(4, "big") + asked
        stream = 2 * number + 1
        writer.write(_frame(1, 4, stream, _headers(b"/grpc.health.v1.Health/Watch")) + _frame(0, 1, stream, message))
    await writer.drain()
    await reader.read(1)
    return writer


async def test_a_watcher_of_health_that_takes_nothing_holds_up_neither_news_nor_the_end(
    probing: "ProbeFactory", eventually: "Eventually"
) -> None:
    """SE-11: anybody may watch health, before they have shown who they are."""
    away = asyncio.Event()

    async def look() -> None:
        if away.is_set():
            raise LookupError("the database is away")

    async with asyncio.timeout(30), probing(ready=look, grace=timedelta(0)) as probe:

        async def told() -> str:
            return await health_of(probe, "ready")

        async def is_ready() -> bool:
            return await told() == "SERVING"

        await eventually(is_ready)
        stuck = await watching_health_without_taking_any(probe.bound.address, "", "ready", SERVICE)
        away.set()

        async def is_not_ready() -> bool:
            return await told() == "NOT_SERVING"

        await eventually(is_not_ready)
    stuck.close()


@pytest.mark.parametrize("where", ["services", "health"])
async def test_a_method_in_bytes_that_are_no_text_ends_neither_the_server_nor_a_call(
    probing: "ProbeFactory", where: str
) -> None:
    """SE-06: gRPC for Python takes no more calls after it, so another server takes its place."""
    begun, release = asyncio.Event(), asyncio.Event()

    async def last(_: object) -> str:
        begun.set()
        await release.wait()
        return "lasted"

    async with probing(health_port="127.0.0.1:0") as probe:
        address = probe.bound.address if where == "services" else probe.bound.health_address
        assert address is not None
        probe.acts["last"] = last
        running = asyncio.create_task(probe.ask("last"))
        await begun.wait()
        for _ in range(2):
            await call_by_bytes(address, b"/a/\xff")
            await asyncio.sleep(0.5)
            async with anybody(address) as bare:
                stub: Any = health_pb2_grpc.HealthStub(bare)
                await stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=5)
        release.set()
        assert await running == "lasted"
        assert await probe.ask("hello", wait_for_ready=True) == "hello"


@pytest.mark.long
async def test_a_burst_of_calls_is_answered_whole_however_far_the_server_is_behind(probe: "Probe") -> None:
    """RO-02: as after a restart, when all watchers come back at once; gRPC would cancel what exceeds a thousand."""

    async def answer(_context: object) -> str:
        await asyncio.sleep(0)
        return "told"

    probe.acts["wait"] = answer
    asked = [asyncio.ensure_future(probe.ask("wait")) for _ in range(2_500)]
    assert set(await asyncio.gather(*asked)) == {"told"}
