"""Services killed under a write, and what stands afterwards."""

import asyncio
import dataclasses
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest
from faults.held_back import proxy_to
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_cli import native_files
from lattice_cli.connection import Connection, connect
from lattice_cli.demo.stage import refused
from lattice_cli.suite import Suite

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


def edit_request(alice: Connection, artifact_id: str, base_version: int, request_id: str) -> native_pb.EditRequest:
    command = native_pb.AppCommand(
        command="replace_text", arguments_json=json.dumps({"quote": "17 February", "replacement": "3 March"})
    )
    return native_pb.EditRequest(
        name=alice.person.artifact_name(artifact_id),
        base_version=base_version,
        commands=[command],
        summary="moves the launch",
        context=artifacts_pb.WriteContext(request_id=request_id),
    )


def editing(alice: Connection, artifact_id: str) -> Awaitable[native_pb.EditResponse]:
    return alice.native_files.Edit(edit_request(alice, artifact_id, 1, native_files.new_request_id()))


def checking_out(alice: Connection, artifact_id: str) -> Awaitable[native_pb.CheckOutResponse]:
    name = alice.person.artifact_name(artifact_id)
    request_id = native_files.new_request_id()
    return alice.native_files.CheckOut(native_pb.CheckOutRequest(name=name, request_id=request_id))


async def lease_of(alice: Connection, artifact_id: str) -> native_pb.GetLeaseResponse:
    name = alice.person.artifact_name(artifact_id)
    return await alice.native_files.GetLease(native_pb.GetLeaseRequest(name=name))


async def versions_of(alice: Connection, artifact_id: str) -> list[int]:
    name = alice.person.artifact_name(artifact_id)
    listed = await alice.artifacts.ListRevisions(artifacts_pb.ListRevisionsRequest(name=name))
    return [it.artifact.version for it in listed.revisions]


async def test_while_integrations_is_down_writes_are_refused_without_a_lease_and_reads_go_on(
    suite: Suite, alice: Connection, document: Path, eventually: Eventually
) -> None:
    """AMB-04, MP-33, N-04, N-05: fail closed, and open again once it is back."""
    artifact_id = (await native_files.upload(alice, document)).applied.artifact_id
    before = await lease_of(alice, artifact_id)
    await suite.kill("integrations")
    for write in (editing, checking_out):
        refusal = await refused(write(alice, artifact_id))
        assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "integrations")
    during = await lease_of(alice, artifact_id)
    assert not during.HasField("lease")
    assert during.token_counter == before.token_counter
    name = alice.person.artifact_name(artifact_id)
    assert (await alice.native_files.ReadText(native_pb.ReadTextRequest(name=name))).total_chars > 0

    await suite.start("integrations")

    async def reached() -> bool:
        request = native_pb.GetAppStatusRequest(workspace=alice.person.workspace_name)
        try:
            return bool((await alice.native_files.GetAppStatus(request)).apps)
        except grpc.aio.AioRpcError:
            return False

    await eventually(reached)  # files dials again within a second or two
    edited = await editing(alice, artifact_id)
    assert edited.outcome.applied.version == 2
    lent = await checking_out(alice, artifact_id)
    assert lent.check_out.base_version == 2


async def test_an_edit_whose_answer_was_lost_with_the_server_is_answered_again_and_applied_once(
    suite: Suite, alice: Connection, document: Path, eventually: Eventually
) -> None:
    """ID-03, WP-07, AT-04: killed between the commit and the answer."""
    artifact_id = (await native_files.upload(alice, document)).applied.artifact_id
    request = edit_request(alice, artifact_id, 1, native_files.new_request_id())
    async with proxy_to(suite.addresses.files) as proxy:
        through = dataclasses.replace(suite.addresses, files=proxy.address)
        async with connect(through, alice.person) as held:
            name = alice.person.artifact_name(artifact_id)
            await held.native_files.GetLease(native_pb.GetLeaseRequest(name=name))  # the connection stands
            proxy.hold()
            lost = asyncio.ensure_future(held.native_files.Edit(request))

            async def committed() -> bool:
                return await versions_of(alice, artifact_id) == [1, 2]

            await eventually(committed)
            assert not lost.done()
            await suite.kill("files")
            lost.cancel()
            with pytest.raises((grpc.aio.AioRpcError, asyncio.CancelledError)):
                await lost
    await suite.start("files")
    repeated = await alice.native_files.Edit(request, wait_for_ready=True)  # she dials again within a second
    assert repeated.outcome.applied.version == 2
    assert await versions_of(alice, artifact_id) == [1, 2]
    assert not (await lease_of(alice, artifact_id)).HasField("lease")
