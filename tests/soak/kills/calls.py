"""The requests of the writers. Each is made once and sent as often as it takes."""

import hashlib
import json
from collections.abc import AsyncIterator

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.content import chunks_of
from lattice_cli.connection import Connection
from lattice_cli.native_files import new_request_id

KEY = "files:wordcraft"


async def upload(me: Connection, header: native_pb.UploadHeader, content: bytes) -> native_pb.UploadFileResponse:
    """Upload a file under a header."""

    async def parts() -> AsyncIterator[native_pb.UploadFileRequest]:
        yield native_pb.UploadFileRequest(header=header)
        for chunk in chunks_of(content):
            yield native_pb.UploadFileRequest(chunk=chunk)

    return await me.native_files.UploadFile(parts())


async def check_in(me: Connection, header: native_pb.CheckInHeader, content: bytes) -> native_pb.CheckInResponse:
    """Check a copy in under a header."""

    async def parts() -> AsyncIterator[native_pb.CheckInRequest]:
        yield native_pb.CheckInRequest(header=header)
        for chunk in chunks_of(content):
            yield native_pb.CheckInRequest(chunk=chunk)

    return await me.native_files.CheckIn(parts())


def upload_header(me: Connection, artifact_id: str, content: bytes) -> native_pb.UploadHeader:
    """The header of a new file."""
    return native_pb.UploadHeader(
        workspace=me.person.workspace_name,
        file_name=f"{artifact_id}.docx",
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        artifact_id=artifact_id,
        context=artifacts_pb.WriteContext(request_id=new_request_id()),
    )


def check_in_header(me: Connection, lent: native_pb.CheckOut, content: bytes, summary: str) -> native_pb.CheckInHeader:
    """The header of a copy."""
    return native_pb.CheckInHeader(
        name=lent.name,
        token=lent.token,
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        summary=summary,
        request_id=new_request_id(),
    )


def edit_request(me: Connection, artifact_id: str, base: int, old: str, new: str) -> native_pb.EditRequest:
    """Replace words; the summary is what stands there afterwards."""
    command = native_pb.AppCommand(
        command="replace_text", arguments_json=json.dumps({"quote": old, "replacement": new})
    )
    return native_pb.EditRequest(
        name=me.person.artifact_name(artifact_id),
        base_version=base,
        commands=[command],
        summary=new,
        context=artifacts_pb.WriteContext(request_id=new_request_id()),
    )


def switch_request(
    me: Connection, *, enabled: bool, expected_revision: int, reason: str
) -> integrations_pb.SetEnabledRequest:
    """Switch the app on or off."""
    return integrations_pb.SetEnabledRequest(
        workspace=me.person.workspace_name,
        key=KEY,
        enabled=enabled,
        expected_revision=expected_revision,
        reason=reason,
        request_id=new_request_id(),
    )
