"""Clients that hold the spool's disk, or a blob, as long as they like: real ones, on servers of their own."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.content import CHUNK_BYTES
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import (
    Participant,
    append,
    document,
    new_request_id,
    participant,
    refused,
    user,
    write_context,
)
from service.files.program import files_program

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

CONTENT: Final = document("One.", padding="x" * 150_000)
LARGEST: Final = 400_000


@dataclass(frozen=True)
class Hall:
    """A server with a spool of its own, and alice there."""

    address: str
    spool: Path
    alice: Participant

    def spooled(self) -> list[Path]:
        """What calls have on its disk."""
        return [path for path in self.spool.glob("p-*/call-*/*") if path.stat().st_size]

    async def spools(self) -> bool:
        return bool(self.spooled())

    async def is_clear(self) -> bool:
        return not list(self.spool.glob("p-*/call-*"))


@asynccontextmanager
async def hall(make_settings: MakeSettings, alice: Participant, folder: Path, **limits: object) -> AsyncIterator[Hall]:
    """Serve with these limits."""
    settings = make_settings(spool=folder / "spool", app_slots=1, file_bytes=LARGEST, spool_quota=LARGEST, **limits)
    async with (
        running(settings) as bound,
        participant(bound.address, alice.identity, alice.workspace) as her,
    ):
        yield Hall(bound.address, settings.spool, her)


async def begins_upload(person: Participant, content: bytes = CONTENT, *, chunks: int = 1) -> Any:  # noqa: ANN401 - gRPC's
    """Send the header of an upload and so many of its chunks; nothing says when it is to end."""
    header = native_pb.UploadHeader(
        workspace=person.scope,
        file_name="a.fake",
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        context=write_context(),
    )
    call = person.native.UploadFile()
    await call.write(native_pb.UploadFileRequest(header=header))
    for number in range(chunks):
        await call.write(native_pb.UploadFileRequest(chunk=content[number * CHUNK_BYTES :][:CHUNK_BYTES]))
    return call


async def test_an_upload_whose_client_sends_no_more_ends_and_leaves_nothing_on_disk(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """SE-11, B-03: without a deadline of the client's; what it sent is gone, and so is its place."""
    async with hall(make_settings, alice, tmp_path, stalled="2s", uploads=1) as place:
        call = await begins_upload(place.alice, chunks=2)
        await eventually(place.spools)
        refusal = await refused(call)
        assert (refusal.reason, refusal.metadata) == ("SLOW_PRODUCER", {"limit": "2s"})
        assert await place.is_clear()
        assert await place.alice.feed() == []
        assert await place.alice.reads(await place.alice.has_file("One.")) == "One."


async def test_a_check_in_that_trickles_ends_and_the_check_out_stays(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path
) -> None:
    """SE-11, F-04: a byte at a time, just often enough; the person checks in again."""
    async with hall(make_settings, alice, tmp_path, transfer="2s") as place:
        lent = await place.alice.checks_out(await place.alice.has_file("One."))
        header = native_pb.CheckInHeader(
            name=lent.name,
            token=lent.token,
            size=len(CONTENT),
            sha256=hashlib.sha256(CONTENT).digest(),
            request_id=new_request_id(),
        )
        sent = 0

        async def trickle() -> AsyncIterator[native_pb.CheckInRequest]:
            nonlocal sent
            yield native_pb.CheckInRequest(header=header)
            while True:
                yield native_pb.CheckInRequest(chunk=CONTENT[sent : sent + 1])
                sent += 1
                await asyncio.sleep(0.05)

        refusal = await refused(place.alice.native.CheckIn(trickle()))
        assert (refusal.reason, refusal.metadata) == ("SLOW_PRODUCER", {"limit": "2s"})
        assert sent > 0
        assert await place.is_clear()
        assert (await place.alice.checks_in(lent, document("Two."))).applied.version == 2


async def test_a_tenants_uploads_beyond_its_quota_are_refused_before_a_byte_is_spooled(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """SE-11: in number; another tenant's upload goes through meanwhile, and a cancel makes room."""
    async with (
        hall(make_settings, alice, tmp_path, uploads=2) as place,
        participant(place.address, user(f"{alice.identity.tenant}-other", "zoe"), "main") as neighbour,
    ):
        held = [await begins_upload(place.alice), place.alice.native.UploadFile()]
        await held[1].write(native_pb.UploadFileRequest(chunk=b""))  # refused, and room again
        assert (await refused(held.pop())).reason == "VALIDATION_FAILED"
        held.append(await begins_upload(place.alice))

        async def both_spool() -> bool:
            return len(place.spooled()) == 2

        await eventually(both_spool)
        refusal = await refused(place.alice.has_file("Two."))
        assert (refusal.reason, refusal.metadata) == ("QUOTA_EXCEEDED", {"quota": "uploads", "limit": "2"})
        assert await both_spool()
        await neighbour.has_file("One.")
        for call in held:
            call.cancel()
        await eventually(place.is_clear)
        await place.alice.has_file("Two.")


async def test_what_a_tenant_spools_at_once_is_bounded_whatever_spools_it(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """SE-11: what uploads declared counts before it is sent; edits and pages fetch into the same disk."""
    async with (
        hall(make_settings, alice, tmp_path) as place,
        participant(place.address, user(f"{alice.identity.tenant}-other", "zoe"), "main") as neighbour,
    ):
        plan = (await place.alice.uploads(CONTENT)).applied.artifact_id
        largest = document("Two.", padding="x" * (LARGEST - 200))
        call = await begins_upload(place.alice, largest)
        await eventually(place.spools)
        before = place.spooled()
        page = native_pb.RenderPageRequest(name=place.alice.name(plan), page=1)
        for work in (
            place.alice.uploads(CONTENT),
            place.alice.edits(plan, 1, append("Two.")),
            place.alice.native.RenderPage(page),
        ):
            refusal = await refused(work)
            assert (refusal.reason, refusal.metadata) == ("QUOTA_EXCEEDED", {"quota": "spool", "limit": str(LARGEST)})
        assert place.spooled() == before
        assert not (await place.alice.lease_of(plan)).HasField("lease")
        too_large = document("Three.", padding="x" * LARGEST)
        assert (await refused(place.alice.uploads(too_large))).reason == "FILE_TOO_LARGE"
        await neighbour.uploads(CONTENT)
        call.cancel()
        await eventually(place.is_clear)
        assert (await place.alice.native.RenderPage(page)).png
        assert (await place.alice.uploads(largest)).applied.version == 1


async def test_a_download_that_its_client_does_not_read_lets_its_blob_go(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """SE-11: it is told so once it reads again."""
    blobs = tmp_path / "blobs"
    content = document("One.", padding="x" * 20_000_000)
    settings = make_settings(blobs_url=str(blobs), stalled="2s", spool=tmp_path / "spool", app_slots=1)
    async with (
        running(settings) as bound,
        participant(bound.address, alice.identity, alice.workspace) as her,
    ):
        artifact_id = (await her.uploads(content)).applied.artifact_id

        def open_blobs() -> list[Path]:
            links = [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
            return [it for it in links if it.is_relative_to(blobs)]

        call = her.native.DownloadFile(native_pb.DownloadFileRequest(name=her.name(artifact_id)))

        async def is_open() -> bool:
            return bool(open_blobs())

        async def let_go() -> bool:
            return not open_blobs()

        await eventually(is_open)
        await eventually(let_go)

        async def read_on() -> None:
            while await call.read() is not grpc.aio.EOF:
                pass
            await call.code()

        assert (await refused(read_on())).reason == "SLOW_CONSUMER"


async def test_an_upload_of_a_killed_server_is_gone_once_the_next_one_serves(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path, eventually: Eventually
) -> None:
    """SE-11, B-06."""
    settings = make_settings(spool=tmp_path / "spool", app_slots=1)
    async with (
        files_program(settings, tmp_path) as program,
        participant(program.address, alice.identity, alice.workspace) as her,
    ):
        place = Hall(program.address, settings.spool, her)
        call = await begins_upload(her, chunks=2)
        await eventually(place.spools)
        program.service.kill()
        with pytest.raises(grpc.aio.AioRpcError):
            await call
    assert place.spooled()
    async with running(settings):
        assert await place.is_clear()
