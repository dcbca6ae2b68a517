"""How files asks for a switch: of a real server that answers as each test needs it, or of nobody."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

import grpc
import pytest
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as integrations_grpc
from lattice_chassis.errors import NotImplementedYet, RefusedByPeer
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, current_identity
from lattice_chassis.server import Service, serving
from lattice_files.adapters.integrations import CHECK_LIMIT, open_switches
from lattice_files.domain.rejections import PeerUnavailable, UnknownIntegration
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.ports import SwitchState

MAIN = WorkspaceKey(tenant="acme", workspace="main")
KEY = "files:fakeapp"

Request = integrations_pb.CheckEnabledRequest
Response = integrations_pb.CheckEnabledResponse
Answer = Callable[[Request], Awaitable[Response]]


class Integrations(integrations_grpc.IntegrationsServiceServicer):
    """Answers a check with what the test gave it; nothing else of the service is asked here."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def CheckEnabled(self, request: Request, context: grpc.aio.ServicerContext[Any, Any]) -> Response:  # noqa: N802
        return await self._answer(request)

    def _other(self, *_: object) -> Any:  # noqa: ANN401 - whatever the method would answer
        raise NotImplementedYet(method="another than CheckEnabled")

    ListIntegrations: Any = _other
    SetEnabled: Any = _other
    ListSwitchChanges: Any = _other
    WatchIntegrations: Any = _other


@asynccontextmanager
async def answering(answer: Answer, listen: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """A server that answers; its address."""
    service = Service(integrations_grpc.add_IntegrationsServiceServicer_to_server, Integrations(answer))
    quickly = timedelta()
    async with serving(listen, [service], DevelopmentAuthenticator(), notice=quickly, grace=quickly) as bound:
        yield bound.address


@dataclass(kw_only=True, eq=False)
class Refused(Exception):
    """What integrations refuses with when it does not know a key."""

    reason: ClassVar[str] = "UNKNOWN_INTEGRATION"
    key: str


async def test_the_answer_is_that_of_the_switch_at_its_revision() -> None:
    """I-01, X-06: asked as files, a part of the tenant's system, for the workspace that is written."""
    asked: list[tuple[Request, Identity]] = []

    async def off(request: Request) -> Response:
        asked.append((request, current_identity()))
        return Response(enabled=False, source=integrations_pb.SWITCH_SOURCE_SETTING, revision=7)

    async with answering(off) as address, open_switches(address) as switches:
        assert await switches.check(MAIN, KEY) == SwitchState(enabled=False, revision=7)
    ((request, identity),) = asked
    assert (request.workspace, request.key) == ("tenants/acme/workspaces/main", KEY)
    assert (identity.tenant, identity.actor.system.name) == ("acme", "files")


async def test_a_key_that_nobody_declared_is_an_error_and_never_on() -> None:
    """I-17."""

    async def unknown(request: Request) -> Response:
        raise Refused(key=request.key)

    async with answering(unknown) as address, open_switches(address) as switches:
        with pytest.raises(UnknownIntegration) as refused:
            await switches.check(MAIN, KEY)
    assert refused.value.key == KEY


async def test_integrations_that_are_down_are_a_peer_that_is_unavailable_until_they_are_back() -> None:
    """AMB-04: closed, and open again without a restart of files."""

    async def on(_request: Request) -> Response:
        return Response(enabled=True, source=integrations_pb.SWITCH_SOURCE_DEFAULT)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    async with open_switches(address) as switches:
        with pytest.raises(PeerUnavailable) as refused:
            await switches.check(MAIN, KEY)
        assert refused.value.peer == "integrations"
        async with answering(on, address), asyncio.timeout(60):
            while True:
                try:
                    state = await switches.check(MAIN, KEY)
                    break
                except PeerUnavailable:
                    continue  # gRPC waits before it connects again
            assert state == SwitchState(enabled=True, revision=0)


async def test_an_answer_that_is_late_is_none() -> None:
    """MP-33, AMB-04: after a second the write is refused."""

    async def late(_request: Request) -> Response:
        await asyncio.sleep(60)
        return Response(enabled=True)

    async with answering(late) as address, open_switches(address) as switches:
        began = asyncio.get_running_loop().time()
        with pytest.raises(PeerUnavailable):
            await switches.check(MAIN, KEY)
        assert asyncio.get_running_loop().time() - began >= CHECK_LIMIT.total_seconds() * 0.9


async def test_integrations_that_fail_are_not_taken_for_on() -> None:
    """MP-35: configured but failing is closed."""

    async def broken(_request: Request) -> Response:
        raise ValueError("a fault of integrations")

    async with answering(broken) as address, open_switches(address) as switches:
        with pytest.raises(RefusedByPeer) as refused:
            await switches.check(MAIN, KEY)
    assert refused.value.reason == "INTERNAL"


async def test_a_deployment_without_integrations_has_everything_on_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """I-05, MP-35: loudly, and once."""
    with caplog.at_level(logging.WARNING):
        async with open_switches(None) as switches:
            for key in (KEY, "files:other"):
                assert await switches.check(MAIN, key) == SwitchState(enabled=True, revision=0)
    warnings = [record.getMessage() for record in caplog.records if record.name == "lattice.files.integrations"]
    assert len(warnings) == 1
    assert "NO INTEGRATIONS" in warnings[0]
