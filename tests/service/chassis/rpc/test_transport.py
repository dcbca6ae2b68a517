"""TLS on real servers: who is refused, what an exchange of certificates takes, and what stops the start."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from lattice_chassis.channels import channel
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.server import BoundServer, CannotServe, Service, run_until_stopped, serving
from lattice_chassis.transport import ChannelTls, ServerTls
from service.chassis.rpc.party import EXPIRED, HERE, NOT_YET, Party, Validity
from service.chassis.rpc.test_server import call_by_bytes

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Probe, ProbeFactory

DEADLINE = 20.0
"""Seconds that a call may take; what cannot come about is told long before."""


@pytest.fixture
def server(tmp_path: Path) -> Party:
    return Party(tmp_path / "server")


@pytest.fixture
def client(tmp_path: Path, server: Party) -> Party:
    """Somebody whom the server believes, and who believes it."""
    known = Party(tmp_path / "client")
    known.trust(server)
    server.trust(known)
    return known


@pytest.fixture
def stranger(tmp_path: Path, server: Party) -> Party:
    """Somebody with a certificate of a CA that the server does not know."""
    unknown = Party(tmp_path / "stranger")
    unknown.trust(server)
    return unknown


Reaching = Callable[["Probe", ChannelTls | None], Any]


@pytest.fixture
def reaching(connecting: "ProbeFactory") -> Reaching:
    """Calls a server over a connection of its own."""

    @asynccontextmanager
    async def reach(probe: "Probe", tls: ChannelTls | None) -> AsyncIterator["Probe"]:
        async with connecting(probe.bound, tls=tls) as reached:
            yield reached

    return reach


async def require_out_of_reach(probe: "Probe") -> None:
    """A call ends as UNAVAILABLE, long before its deadline."""
    began = asyncio.get_running_loop().time()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await probe.stub.Act(probe.pb.AskRequest(act="hello"), timeout=DEADLINE)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert asyncio.get_running_loop().time() - began < DEADLINE / 2


async def test_who_shows_a_certificate_of_the_clients_ca_is_served(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-01: in every kind of call."""
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        assert await reached.ask("hello") == "hello"
        assert [it.told async for it in reached.stub.Tell(reached.pb.AskRequest(act="a b"))] == ["a", "b"]
        asked = iter([reached.pb.AskRequest(act="a"), reached.pb.AskRequest(act="b")])
        assert (await reached.stub.Collect(asked)).told == "a b"
        asked = iter([reached.pb.AskRequest(act="a"), reached.pb.AskRequest(act="b")])
        assert [it.told async for it in reached.stub.Echo(asked)] == ["a", "b"]


async def test_without_a_clients_ca_clients_show_no_certificate(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-01."""
    encrypted = server.serving(mutual=False)
    async with probing(tls=encrypted) as probe, reaching(probe, client.calling_unnamed()) as reached:
        assert await reached.ask("hello") == "hello"


async def test_a_client_without_a_certificate_is_out(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-01, TL-02."""
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling_unnamed()) as reached:
        await require_out_of_reach(reached)


async def test_a_client_with_a_certificate_of_another_ca_is_out(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, stranger: Party
) -> None:
    """TL-01, TL-02."""
    async with probing(tls=server.serving()) as probe, reaching(probe, stranger.calling()) as reached:
        await require_out_of_reach(reached)


async def test_a_server_of_another_ca_is_not_believed(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, stranger: Party
) -> None:
    """TL-02."""
    client.trust(stranger)
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)


@pytest.mark.parametrize("when", [EXPIRED, NOT_YET], ids=["expired", "not yet valid"])
@pytest.mark.parametrize("whose", ["server", "client"])
async def test_a_certificate_counts_in_its_time_alone(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, whose: str, when: Validity
) -> None:
    """TL-01, TL-02."""
    (server if whose == "server" else client).show(HERE, when=when)
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)


async def test_a_server_shows_the_name_that_was_dialled(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-02."""
    server.show("files.example.org", "127.0.0.2")
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)


async def test_a_plain_client_does_not_reach_a_server_with_tls(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-01."""
    async with probing(tls=server.serving(mutual=False)) as probe, reaching(probe, None) as reached:
        await require_out_of_reach(reached)


async def test_a_client_with_tls_does_not_reach_a_plain_server(
    probe: "Probe", reaching: Reaching, client: Party
) -> None:
    """TL-02."""
    async with reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)


async def test_who_answers_no_handshake_holds_a_call_up_to_its_deadline_at_most(
    connecting: "ProbeFactory", client: Party
) -> None:
    """TL-02: such as a peer that hangs."""

    async def say_nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        silent.append(writer)

    silent: list[asyncio.StreamWriter] = []
    listener = await asyncio.start_server(say_nothing, HERE, 0)
    port = listener.sockets[0].getsockname()[1]
    bound = BoundServer(address=f"{HERE}:{port}", port=port, admin_address=None)
    async with listener, connecting(bound, tls=client.calling()) as reached:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await reached.ask("hello", timeout=0.2)
        for writer in silent:
            writer.close()
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_new_certificate_of_the_server_is_shown_without_a_restart(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-03: and whoever is connected goes on."""
    server.show(HERE, when=EXPIRED)
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)
        server.show(HERE)
        async with reaching(probe, client.calling()) as anew:
            assert await anew.ask("hello") == "hello"
            server.show(HERE, when=EXPIRED)
            assert await anew.ask("hello") == "hello"


async def test_a_server_of_which_half_the_files_are_exchanged_goes_on_with_those_before(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, caplog: pytest.LogCaptureFixture
) -> None:
    """TL-03."""
    async with probing(tls=server.serving()) as probe:
        before = server.key.read_bytes()
        server.show(HERE)
        after = server.key.read_bytes()
        server.key.write_bytes(before)
        async with reaching(probe, client.calling()) as reached:
            assert await reached.ask("hello") == "hello"
        assert f"{server.key} is not the key of the certificate" in caplog.text
        server.key.write_bytes(after)
        async with reaching(probe, client.calling()) as reached:
            assert await reached.ask("hello") == "hello"


async def test_a_clients_ca_is_added_and_taken_away_without_a_restart(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, stranger: Party
) -> None:
    """TL-03."""
    async with probing(tls=server.serving()) as probe:
        async with reaching(probe, stranger.calling()) as reached:
            await require_out_of_reach(reached)
        server.trust(client, stranger)
        for party in (client, stranger):
            async with reaching(probe, party.calling()) as reached:
                assert await reached.ask("hello") == "hello"
        server.trust(stranger)
        async with reaching(probe, client.calling()) as reached:
            await require_out_of_reach(reached)


async def test_an_open_channel_takes_up_what_its_files_say_from_its_next_call_on(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-03: a new certificate of its own, and a new CA of the server; a stub that exists goes on being used."""
    client.show(HERE, when=EXPIRED)
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        await require_out_of_reach(reached)
        client.show(HERE)
        assert await reached.ask("hello") == "hello"
        client.trust(client)
        await require_out_of_reach(reached)
        client.trust(client, server)
        assert await reached.ask("hello") == "hello"


async def test_a_call_that_runs_outlives_the_exchange_of_its_channels_certificate(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-03."""
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        echo = reached.stub.Echo()
        await echo.write(reached.pb.AskRequest(act="before"))
        assert (await echo.read()).told == "before"
        client.show(HERE)
        assert await reached.ask("between") == "between"
        await echo.write(reached.pb.AskRequest(act="after"))
        assert (await echo.read()).told == "after"
        await echo.done_writing()
        assert await echo.read() is grpc.aio.EOF


async def test_no_call_fails_while_both_sides_exchange_their_certificates_again_and_again(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-03: over standing connections and new ones, though the server may look in the middle of an exchange."""
    exchanged = asyncio.Event()

    async def exchange() -> None:
        for party in [server, client] * 5:
            await asyncio.sleep(0.02)
            await asyncio.to_thread(party.show, HERE)
        exchanged.set()

    tls = client.calling()
    async with probing(tls=server.serving()) as probe, reaching(probe, tls) as standing:
        exchanging = asyncio.create_task(exchange())
        while not exchanged.is_set():
            assert await standing.ask("hello") == "hello"
            async with reaching(probe, tls) as anew:
                assert await anew.ask("hello") == "hello"
        await exchanging


async def test_a_closed_channel_ends_the_calls_of_all_its_certificates(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """TL-03: none of them is forgotten."""
    async with probing(tls=server.serving()) as probe:
        async with reaching(probe, client.calling()) as reached:
            calls = []
            for _ in range(2):
                calls.append(reached.stub.Echo())
                await calls[-1].write(reached.pb.AskRequest(act="hello"))
                assert (await calls[-1].read()).told == "hello"
                client.show(HERE)
        assert [await it.code() for it in calls] == [grpc.StatusCode.CANCELLED] * 2


async def test_a_channel_of_which_half_the_files_are_exchanged_goes_on_with_those_before(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party, caplog: pytest.LogCaptureFixture
) -> None:
    """TL-03."""
    async with probing(tls=server.serving()) as probe, reaching(probe, client.calling()) as reached:
        client.certificate.write_text("")
        assert await reached.ask("hello") == "hello"
        assert f"{client.certificate} holds no certificate" in caplog.text


def _gone(path: Path) -> None:
    path.unlink()


def _garbled(path: Path) -> None:
    path.write_bytes(path.read_bytes()[::-1])


@pytest.mark.parametrize("spoil", [_gone, _garbled])
@pytest.mark.parametrize("which", ["certificate", "key", "trusted"])
async def test_a_file_of_a_server_that_is_missing_or_no_pem_stops_the_start_and_is_named(
    probing: "ProbeFactory", server: Party, client: Party, which: str, spoil: Callable[[Path], None]
) -> None:
    """TL-04: and nothing that it holds is told."""
    path: Path = getattr(server, which)
    spoil(path)
    with pytest.raises(CannotServe) as caught:
        async with probing(tls=server.serving()):
            pytest.fail("it listens")
    assert str(path) in str(caught.value)
    assert "-----" not in str(caught.value)


@pytest.mark.parametrize("spoil", [_gone, _garbled])
@pytest.mark.parametrize("which", ["certificate", "key", "trusted"])
def test_a_file_of_a_client_that_is_missing_or_no_pem_opens_no_channel_and_is_named(
    client: Party, which: str, spoil: Callable[[Path], None]
) -> None:
    """TL-04."""
    path: Path = getattr(client, which)
    spoil(path)
    with pytest.raises(CannotServe) as caught:
        channel(f"{HERE}:1", [], tls=client.calling())
    assert str(path) in str(caught.value)
    assert "-----" not in str(caught.value)


async def test_a_key_of_another_certificate_stops_the_start(
    probing: "ProbeFactory", server: Party, client: Party
) -> None:
    """TL-04."""
    tls = ServerTls(certificate=server.certificate, key=client.key)
    with pytest.raises(CannotServe, match=f"{client.key} is not the key of the certificate in {server.certificate}"):
        async with probing(tls=tls):
            pytest.fail("it listens")


def test_a_program_that_cannot_serve_says_so_in_one_line(
    probing: "ProbeFactory", server: Party, client: Party, caplog: pytest.LogCaptureFixture
) -> None:
    """TL-04."""
    server.key.unlink()
    with pytest.raises(SystemExit) as ended:
        run_until_stopped(probing(tls=server.serving()))
    assert ended.value.code == 1
    [said] = [it for it in caplog.records if it.levelname == "CRITICAL"]
    assert said.getMessage() == f"{server.key} cannot be read: No such file or directory"
    assert said.exc_info is None


def test_a_client_has_a_certificate_with_its_key_or_neither(client: Party) -> None:
    """TL-04."""
    with pytest.raises(ValueError, match="needs its key"):
        ChannelTls(ca=client.trusted, certificate=client.certificate)


async def test_with_tls_an_authenticator_that_believes_callers_still_listens_to_this_machine_alone(
    probing: "ProbeFactory", server: Party, client: Party
) -> None:
    """SE-01, TL-01: a certificate says which program connects, and the metadata would still say who calls."""
    with pytest.raises(CannotServe, match="believes every caller"):
        async with probing("0.0.0.0:0", tls=server.serving()):
            pytest.fail("it listens")


class Trusting(DevelopmentAuthenticator):
    """Takes the place of an authenticator that may listen to others."""

    loopback_only = False


OTHERS = "0.0.0.0:0"
OURSELVES = f"{HERE}:0"


@pytest.mark.parametrize(
    ("listen", "encrypted", "warned"), [(OTHERS, False, True), (OTHERS, True, False), (OURSELVES, False, False)]
)
async def test_a_server_that_others_can_reach_says_loudly_where_nothing_is_encrypted(
    service: Service[Any],
    server: Party,
    client: Party,
    caplog: pytest.LogCaptureFixture,
    listen: str,
    encrypted: bool,
    warned: bool,
) -> None:
    """TL-01."""
    tls = server.serving() if encrypted else None
    async with serving(listen, [service], Trusting(), tls=tls, notice=timedelta(0)):
        assert ("NOTHING IS ENCRYPTED" in caplog.text) == warned


async def test_probes_without_tls_ask_the_health_port_and_it_answers_nothing_else(
    probing: "ProbeFactory", server: Party, client: Party
) -> None:
    """TL-05."""
    async with probing(tls=server.serving(), health_port="127.0.0.1:0") as probe:
        assert probe.bound.health_address is not None
        async with grpc.aio.insecure_channel(probe.bound.health_address) as bare:
            health: Any = health_pb2_grpc.HealthStub(bare)
            answer = await health.Check(health_pb2.HealthCheckRequest(service="lattice.probe.v1.ProbeService"))
            ask: Any = bare.unary_unary("/lattice.probe.v1.ProbeService/Ask")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask(b"")
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_the_health_port_tells_of_a_server_that_drains_until_it_is_gone(
    probing: "ProbeFactory", server: Party, client: Party
) -> None:
    """TL-05: so that a probe takes it out of service."""
    told: list[str] = []

    async def listen(address: str) -> None:
        async with grpc.aio.insecure_channel(address) as bare:
            health: Any = health_pb2_grpc.HealthStub(bare)
            with suppress(grpc.aio.AioRpcError):  # as the server goes
                async for answer in health.Watch(health_pb2.HealthCheckRequest()):
                    told.append(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
                    begun.set()

    begun = asyncio.Event()
    notice = timedelta(milliseconds=100)
    async with probing(tls=server.serving(), health_port="127.0.0.1:0", notice=notice) as probe:
        assert probe.bound.health_address is not None
        listening = asyncio.create_task(listen(probe.bound.health_address))
        await begun.wait()
    await listening
    assert told == ["SERVING", "NOT_SERVING"]


async def test_a_server_whose_place_another_one_takes_shows_its_certificate_as_before(
    probing: "ProbeFactory", reaching: Reaching, server: Party, client: Party
) -> None:
    """SE-06: gRPC ends its server over a method in bytes that are no text."""
    context = ssl.create_default_context(cafile=client.trusted)
    context.set_alpn_protocols(["h2"])
    async with probing(tls=server.serving(mutual=False)) as probe:
        for _ in range(2):
            await call_by_bytes(probe.bound.address, b"/a/\xff", context)
            await asyncio.sleep(0.5)
            async with reaching(probe, client.calling_unnamed()) as it:
                assert await it.ask("hello", wait_for_ready=True, timeout=DEADLINE) == "hello"
