"""The suite as processes that show each other certificates: its main job, and who is kept out.

All other tests of the suite run on the same one, so that whatever its services ask of each other goes over mTLS.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.transport import ChannelTls
from lattice_cli import conversations, native_files
from lattice_cli.certificates import Certificates
from lattice_cli.connection import Addresses, Connection, Person, connect
from lattice_cli.demo.stage import refused
from lattice_cli.processes import free_address, serving
from lattice_cli.suite import SERVICES, Suite
from lattice_cli.switches import switch

pytestmark = [pytest.mark.xdist_group("suite"), pytest.mark.long]
"""One suite for all of them: a second one would cost more than it saves."""

DOCUMENT = Path(__file__).resolve().parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"
KEY = "files:wordcraft"
DEADLINE = 20.0


@pytest.fixture
async def second_replica(suite: Suite, tmp_path: Path) -> AsyncIterator[Addresses]:
    """The same suite, asked at another replica of agent, whose model takes its time."""
    address, first = free_address(), suite.programs["agent"]
    settings = {"LATTICE_AGENT_LISTEN": address, "LATTICE_AGENT_PACE": "300ms", "LATTICE_AGENT_NOTICE": "0ms"}
    program = replace(first, environment={**first.environment, **settings})
    async with serving(program, address, tmp_path / "agent.log"):
        yield replace(suite.addresses, agent=address)


async def test_the_main_job_goes_over_mtls_from_the_upload_to_the_switch(
    alice: Connection, admin: Connection, second_replica: Addresses
) -> None:
    """TL-01, A-09, I-08, RN-16: people, agent, files, integrations, and one replica that asks the other about a run."""
    artifact_id = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
    asked = f'In {artifact_id} replace "17 February" with "3 March" and comment "Legal asked."'
    async with connect(second_replica, alice.person) as elsewhere:
        thread = await conversations.create_thread(elsewhere, "Launch brief")
        sent = await conversations.send(elsewhere, thread.thread_id, asked)
    watch = runs_pb.WatchRunRequest(name=alice.person.run_name(sent.run_id))
    assert [frame async for frame in alice.runs.WatchRun(watch)]
    await conversations.entries_of_run(alice, sent.run_id, within=60)
    assert "3 March" in (await native_files.read_text(alice, artifact_id)).text

    await switch(admin, KEY, on=False, reason="audit")
    refusal = await refused(native_files.upload(alice, DOCUMENT))
    assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", KEY)


def plainly(_: Addresses, __: Path) -> ChannelTls | None:
    """Without TLS."""
    return None


def unnamed(of: Addresses, _: Path) -> ChannelTls | None:
    """Without a certificate of its own."""
    assert of.tls is not None
    return ChannelTls(ca=of.tls.ca)


def strange(of: Addresses, folder: Path) -> ChannelTls | None:
    """With a certificate of another CA."""
    assert of.tls is not None
    others = Certificates(folder)
    others.make()
    return replace(others.client, ca=of.tls.ca)


def misled(of: Addresses, folder: Path) -> ChannelTls | None:
    """With the suite's certificate, and in the belief of another CA."""
    assert of.tls is not None
    others = Certificates(folder)
    others.make()
    return replace(of.tls, ca=others.client.ca)


@pytest.mark.parametrize("calling", [plainly, unnamed, strange, misled])
async def test_no_service_is_reached_without_the_suites_certificates(
    suite: Suite, workspace: str, tmp_path: Path, calling: Callable[[Addresses, Path], ChannelTls | None]
) -> None:
    """TL-01, TL-02."""
    person = Person(tenant="acme", workspace=workspace, user="mallory")
    from_outside = replace(suite.addresses, tls=calling(suite.addresses, tmp_path / "others"))
    async with connect(from_outside, person) as connection:
        asking: dict[str, Awaitable[object]] = {
            "integrations": connection.integrations.ListIntegrations(
                integrations_pb.ListIntegrationsRequest(workspace=person.workspace_name), timeout=DEADLINE
            ),
            "files": native_files.upload(connection, DOCUMENT),
            "agent": conversations.create_thread(connection, "Mine"),
        }
        assert set(asking) == set(SERVICES)
        for call in asking.values():
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
