"""files killed under a write, and what a repeat finds."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest
from faults.held_back import proxy_to
from lattice.type.v1 import errors_pb2
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import Participant, append, participant
from service.files.program import files_program

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_an_edit_killed_between_its_commit_and_its_answer_is_answered_again_and_stands_once(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """ID-03, WP-07: the repeat reads the first result from another server; one revision, no lease."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, append("Two."))

    async def committed() -> bool:
        return len(await alice.revisions_of(artifact_id)) == 2

    async with (
        files_program(make_settings(), tmp_path) as program,
        proxy_to(program.address) as proxy,
        participant(proxy.address, alice.identity, alice.workspace) as held,
    ):
        await held.lease_of(artifact_id)  # the connection stands
        proxy.hold()
        lost = asyncio.ensure_future(held.native.Edit(request))
        await eventually(committed)
        program.service.kill()
        lost.cancel()
        with pytest.raises((grpc.aio.AioRpcError, asyncio.CancelledError)):
            await lost
    repeated = await alice.native.Edit(request)
    assert (repeated.outcome.applied.version, repeated.outcome.change_sequence) == (2, 2)
    assert list(repeated.changed_parts) == ["paragraphs"]
    assert (len(await alice.revisions_of(artifact_id)), len(await alice.feed())) == (2, 2)
    assert not (await alice.lease_of(artifact_id)).HasField("lease")


async def test_an_edit_killed_while_its_app_runs_leaves_a_lease_that_its_repeat_takes_again(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """ID-03, N-18, MP-31: the dead server released nothing, and the repeat need not wait for the end."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, ("hang", {}))

    async def holding() -> bool:
        return (await alice.lease_of(artifact_id)).lease.kind == errors_pb2.LEASE_KIND_EDIT

    async with (
        files_program(make_settings(), tmp_path) as program,
        participant(program.address, alice.identity, alice.workspace) as held,
    ):
        lost = asyncio.ensure_future(held.native.Edit(request))
        await eventually(holding)
        program.service.kill()
        with pytest.raises(grpc.aio.AioRpcError):
            await lost
    assert await holding()
    repeat = asyncio.ensure_future(alice.native.Edit(request))

    async def taken_again() -> bool:
        return (await alice.lease_of(artifact_id)).token_counter == 2

    await eventually(taken_again)
    with pytest.raises(grpc.aio.AioRpcError):  # its batch hangs here, too
        await repeat
    assert not (await alice.lease_of(artifact_id)).HasField("lease")


async def test_what_a_killed_server_spooled_is_gone_once_the_next_one_serves(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """B-06: documents lie there; a server that still runs keeps its own."""
    settings = make_settings(spool=tmp_path / "data" / "spool")
    artifact_id = await alice.has_file("One.")

    def spooled() -> set[Path]:
        return {path for path in settings.spool.rglob("blob-*") if path.is_file()}

    async def editing() -> bool:
        return bool(spooled())

    async with (
        files_program(settings, tmp_path) as program,
        participant(program.address, alice.identity, alice.workspace) as held,
    ):
        lost = asyncio.ensure_future(held.native.Edit(alice.edit_request(artifact_id, 1, ("hang", {}))))
        await eventually(editing)
        program.service.kill()
        with pytest.raises(grpc.aio.AioRpcError):
            await lost
    assert spooled()
    async with running(settings), running(settings):
        assert not spooled()
        assert len(list(settings.spool.glob("p-*"))) == 2
    assert not list(settings.spool.glob("p-*"))
