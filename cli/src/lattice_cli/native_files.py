"""What a person does with native files, as calls: the verbs and the demo share them."""

import hashlib
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import text_pb2
from lattice_chassis.content import chunks_of

from lattice_cli.connection import Connection


class DamagedContentError(Exception):
    """The content that arrived is not what its header says."""


def new_request_id() -> str:
    """An id for one mutation; a retry of the same call repeats it."""
    return str(uuid.uuid4())


async def upload(connection: Connection, path: Path, artifact_id: str = "") -> artifacts_pb.Outcome:
    """Upload a file as a new artifact."""
    header = native_pb.UploadHeader(
        workspace=connection.person.workspace_name,
        file_name=path.name,
        size=path.stat().st_size,
        sha256=_sha256(path),
        artifact_id=artifact_id,
        context=artifacts_pb.WriteContext(request_id=new_request_id()),
    )

    async def parts() -> AsyncIterator[native_pb.UploadFileRequest]:
        yield native_pb.UploadFileRequest(header=header)
        with path.open("rb") as content:
            for chunk in chunks_of(content):
                yield native_pb.UploadFileRequest(chunk=chunk)

    return (await connection.native_files.UploadFile(parts())).outcome


async def check_in(
    connection: Connection, artifact_id: str, token: int, path: Path, summary: str
) -> artifacts_pb.Outcome:
    """Check a person's copy in."""
    header = native_pb.CheckInHeader(
        name=connection.person.artifact_name(artifact_id),
        token=token,
        size=path.stat().st_size,
        sha256=_sha256(path),
        summary=summary,
        request_id=new_request_id(),
    )

    async def parts() -> AsyncIterator[native_pb.CheckInRequest]:
        yield native_pb.CheckInRequest(header=header)
        with path.open("rb") as content:
            for chunk in chunks_of(content):
                yield native_pb.CheckInRequest(chunk=chunk)

    return (await connection.native_files.CheckIn(parts())).outcome


async def download(connection: Connection, artifact_id: str, path: Path, version: int = 0) -> native_pb.DownloadHeader:
    """Download a version, the current one unless named; nothing is kept unless it arrives whole.

    Raises:
        DamagedContentError: the content that arrived is not what the header says.
    """
    request = native_pb.DownloadFileRequest(name=connection.person.artifact_name(artifact_id), version=version)
    header, hashed = native_pb.DownloadHeader(), hashlib.sha256()
    partial = path.with_name(f".{uuid.uuid4().hex}.part")  # the name itself may be as long as names may be
    try:
        with partial.open("wb") as file:
            async for response in connection.native_files.DownloadFile(request):
                if response.WhichOneof("part") == "header":
                    header = response.header
                    continue
                hashed.update(response.chunk)
                file.write(response.chunk)
        if hashed.digest() != header.sha256:
            raise DamagedContentError(f"{path.name} arrived damaged")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return header


async def read_text(
    connection: Connection, artifact_id: str, *, version: int = 0, start: int = 0, original: bool = False
) -> native_pb.ReadTextResponse:
    """All the words of one version from `start` on, in one answer; as before every tracked change where `original`."""
    request = native_pb.ReadTextRequest(
        name=connection.person.artifact_name(artifact_id),
        version=version,
        start=start,
        max_chars=100_000,
        view=text_pb2.TEXT_VIEW_ORIGINAL if original else text_pb2.TEXT_VIEW_FINAL,
    )
    whole = await connection.native_files.ReadText(request)
    request.version = whole.version
    while whole.next_start:
        request.start = whole.next_start
        more = await connection.native_files.ReadText(request)
        whole.text += more.text
        whole.next_start = more.next_start
    return whole


async def read_review(connection: Connection, artifact_id: str, *, version: int = 0) -> list[native_pb.ReviewItem]:
    """All comments and tracked changes of one version."""
    request = native_pb.ReadReviewRequest(
        name=connection.person.artifact_name(artifact_id), version=version, max_items=500
    )
    answer = await connection.native_files.ReadReview(request)
    found = list(answer.items)
    request.version = answer.version
    while answer.next_start:
        request.start = answer.next_start
        answer = await connection.native_files.ReadReview(request)
        found.extend(answer.items)
    return found


def _sha256(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
