"""The largest file, up and down: how long it takes beside a bare stream, and how much memory of files it takes.

`python -m bench.streaming` measures; `python -m bench.streaming LISTEN` serves the floor: the same messages on bare
grpc.aio, counted and forgotten. The app is the tests' own: its worker is another process, and opens any size.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import grpc
from bench.measure import Pair, milliseconds
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as pb
from lattice.files.v1 import native_files_service_pb2_grpc as pb_grpc
from lattice_chassis.channels import channel
from lattice_chassis.content import CHUNK_BYTES, chunks_of
from lattice_chassis.identity import development_metadata
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli.connection import Person
from lattice_cli.native_files import new_request_id
from lattice_cli.processes import Program, free_address, run_to_end, serving

if TYPE_CHECKING:
    from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceAsyncStub

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

MEBIBYTE: Final = 1024 * 1024
SIZE: Final = 50 * MEBIBYTE
ALLOWED: Final = 16 * MEBIBYTE
"""By how much the resident memory of files may grow while one such file passes."""
ROUNDS: Final = 5

PERSON: Final = Person(tenant="bench", workspace="main", user="alice", name="Alice")
TESTS: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, kw_only=True)
class Round:
    """One file up and down again, by both: milliseconds, and bytes of memory for files."""

    upload: float
    upload_floor: float
    upload_growth: int
    download: float
    download_floor: float
    download_growth: int


async def measure_streaming() -> None:
    """Print a line for each way, and one for the memory."""
    with tempfile.TemporaryDirectory(prefix="lattice-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder / "postgres") as postgres:
            async with _files(postgres, folder) as (ours, process_id), _floor() as floor:
                for number in range(3):  # what is imported, allocated and connected once is not what is measured
                    await _round(ours, floor, process_id, _file(MEBIBYTE, -number - 1))
                rounds = [await _round(ours, floor, process_id, _file(SIZE, number)) for number in range(ROUNDS)]
    print(_pair("upload of 50 MiB", [it.upload for it in rounds], [it.upload_floor for it in rounds]))
    print(_pair("download of 50 MiB", [it.download for it in rounds], [it.download_floor for it in rounds]))
    for what, growth in (
        ("memory of files, upload", max(it.upload_growth for it in rounds)),
        ("memory of files, download", max(it.download_growth for it in rounds)),
    ):
        figures = f"{growth / MEBIBYTE:>8.1f} MiB{ALLOWED / MEBIBYTE:>8.0f} MiB{growth / ALLOWED:>8.2f}"
        print(f"{what:<34}{figures}   the most it may grow above idle")


def _pair(what: str, ours: list[float], floor: list[float]) -> Pair:
    taken = median(ours)
    floor_is = f"the same stream on bare grpc.aio; ours moves {SIZE / MEBIBYTE / taken * 1000:.0f} MiB/s"
    return Pair(what=what, floor_is=floor_is, ours=taken, floor=median(floor))


async def _round(
    ours: "NativeFilesServiceAsyncStub", floor: "NativeFilesServiceAsyncStub", process_id: int, content: bytes
) -> Round:
    digest = hashlib.sha256(content).digest()
    artifact_id = f"art_{digest.hex()[:16]}"
    with _memory_of(process_id) as uploading:
        upload = await milliseconds(lambda: _upload(ours, artifact_id, content, digest))
    upload_floor = await milliseconds(lambda: _upload(floor, artifact_id, content, digest))
    with _memory_of(process_id) as downloading:
        download = await milliseconds(lambda: _download(ours, artifact_id, len(content)))
    download_floor = await milliseconds(lambda: _download(floor, artifact_id, len(content)))
    return Round(
        upload=upload,
        upload_floor=upload_floor,
        upload_growth=uploading.growth,
        download=download,
        download_floor=download_floor,
        download_growth=downloading.growth,
    )


def _file(size: int, number: int) -> bytes:
    """A file of the fake app of exactly that size; no two numbers give the same."""
    empty = json.dumps({"paragraphs": [str(number)], "padding": ""}).encode()
    return empty.replace(b'""', b'"' + b"x" * (size - len(empty)) + b'"')


async def _upload(stub: "NativeFilesServiceAsyncStub", artifact_id: str, content: bytes, digest: bytes) -> None:
    header = pb.UploadHeader(
        workspace=PERSON.workspace_name,
        file_name="large.fake",
        size=len(content),
        sha256=digest,
        artifact_id=artifact_id,
        context=artifacts_pb.WriteContext(request_id=new_request_id()),
    )

    async def parts() -> AsyncIterator[pb.UploadFileRequest]:
        yield pb.UploadFileRequest(header=header)
        for chunk in chunks_of(content):
            yield pb.UploadFileRequest(chunk=chunk)

    await stub.UploadFile(parts())


async def _download(stub: "NativeFilesServiceAsyncStub", artifact_id: str, size: int) -> None:
    request, received = pb.DownloadFileRequest(name=PERSON.artifact_name(artifact_id)), 0
    # The floor knows no file, so it is told how much to send.
    async for part in stub.DownloadFile(request, metadata=(("size", str(size)),)):
        received += len(part.chunk)
    if received != size:
        raise RuntimeError(f"{received} bytes arrived of {size}")


@dataclass(kw_only=True)
class Memory:
    """How much more resident memory a process had at its peak than before, in bytes."""

    growth: int = 0


@contextmanager
def _memory_of(process_id: int) -> Iterator[Memory]:
    """Measure a process while the block runs; the kernel keeps the peak, so no moment is missed."""
    Path(f"/proc/{process_id}/clear_refs").write_text("5")  # the peak begins anew
    before, memory = _kibibytes(process_id, "VmRSS"), Memory()
    yield memory
    memory.growth = max(0, _kibibytes(process_id, "VmHWM") - before) * 1024


def _kibibytes(process_id: int, field: str) -> int:
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    (found,) = [line.split()[1] for line in lines if line.startswith(f"{field}:")]
    return int(found)


@asynccontextmanager
async def _files(postgres: EmbeddedPostgres, folder: Path) -> AsyncIterator[tuple["NativeFilesServiceAsyncStub", int]]:
    """A files service with the fake app, on durable settings; its stub and its process id."""
    urls, address = postgres.create_database("files"), free_address()
    app = {"name": "fakeapp", "command": [sys.executable, str(TESTS / "fakes" / "fake_app")]}
    environment = {
        "LATTICE_FILES_LISTEN": address,
        "LATTICE_FILES_DATABASE_URL": urls.service,
        "LATTICE_FILES_BLOBS_URL": (folder / "blobs").as_uri(),
        "LATTICE_FILES_SPOOL": str(folder / "spool"),
        "LATTICE_FILES_APPS": json.dumps([app]),
        "LATTICE_FILES_APP_TIME_LIMIT": "120s",
    }
    as_owner = {**environment, "LATTICE_FILES_DATABASE_URL": urls.owner}
    migration = Program(name="lattice-files", arguments=["migrate"], environment=as_owner)
    await run_to_end(migration, folder / "files.log")
    program = Program(name="lattice-files", arguments=["serve"], environment=environment)
    metadata = development_metadata(PERSON.identity)
    async with (
        serving(program, address, folder / "files.log") as service,
        channel(address, [pb.DESCRIPTOR], identity=lambda: metadata) as connection,
    ):
        yield pb_grpc.NativeFilesServiceStub(connection), service.pid


@asynccontextmanager
async def _floor() -> AsyncIterator["NativeFilesServiceAsyncStub"]:
    """The floor in a process of its own."""
    address = free_address()
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.streaming", address, cwd=TESTS)
    try:
        async with grpc.aio.insecure_channel(address) as connection:
            await asyncio.wait_for(connection.channel_ready(), 60)
            yield pb_grpc.NativeFilesServiceStub(connection)
    finally:
        process.kill()
        await process.wait()


class Floor(pb_grpc.NativeFilesServiceServicer):
    """Takes any file and keeps none; sends as many bytes as the call's metadata say."""

    async def UploadFile(  # noqa: N802
        self, request_iterator: AsyncIterator[pb.UploadFileRequest], _context: Context
    ) -> pb.UploadFileResponse:
        """Read to the end."""
        async for _ in request_iterator:
            pass
        return pb.UploadFileResponse()

    async def DownloadFile(  # noqa: N802
        self, _request: pb.DownloadFileRequest, context: Context
    ) -> AsyncIterator[pb.DownloadFileResponse]:
        """Send so many bytes."""
        left = int(dict(context.invocation_metadata() or ())["size"])
        yield pb.DownloadFileResponse(header=pb.DownloadHeader(size=left))
        chunk = bytes(CHUNK_BYTES)
        while left > 0:
            yield pb.DownloadFileResponse(chunk=chunk[:left])
            left -= CHUNK_BYTES


async def serve_floor(listen: str) -> None:
    """Serve it until killed."""
    server = grpc.aio.server()
    pb_grpc.add_NativeFilesServiceServicer_to_server(Floor(), server)  # type: ignore[abstract]  # two calls are served
    server.add_insecure_port(listen)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve_floor(sys.argv[1]) if len(sys.argv) > 1 else measure_streaming())
