"""What a client of Lattice needs in Python: the connection, refusals, and a watch that goes on where it was cut."""

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Final

import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status
from lattice.files.v1 import artifacts_service_pb2 as artifacts
from lattice.files.v1 import changes_service_pb2 as changes
from lattice.files.v1 import native_files_service_pb2 as native
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.type.v1.names_pb2 import Cursor

CHUNK: Final = 64 * 1024
DEADLINE: Final = 60.0
"""Seconds for one call, its repeats included."""

# region connect
RETRY_POLICY: Final = files("lattice").joinpath("service_config.json").read_text()


def connect(address: str, token: str, tls: Path) -> grpc.Channel:
    """A channel on which every call carries the token, and what may be repeated is, while a service is away."""
    transport = grpc.ssl_channel_credentials(
        root_certificates=(tls / "ca.pem").read_bytes(),
        private_key=(tls / "key.pem").read_bytes(),  # where the deployment asks clients for a certificate
        certificate_chain=(tls / "certificate.pem").read_bytes(),
    )
    caller = grpc.access_token_call_credentials(token)
    return grpc.secure_channel(
        address,
        grpc.composite_channel_credentials(transport, caller),
        options=[("grpc.service_config", RETRY_POLICY)],
    )


# endregion


# region upload
def upload(
    stub: NativeFilesServiceStub, workspace: str, file_name: str, content: bytes, request_id: str
) -> artifacts.Outcome:
    """Upload a file as a new artifact; whoever does not know how it ended calls again with the same `request_id`."""
    header = native.UploadHeader(
        workspace=workspace,
        file_name=file_name,
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        context=artifacts.WriteContext(request_id=request_id),
    )
    parts = [native.UploadFileRequest(header=header)]
    parts += [native.UploadFileRequest(chunk=it) for it in chunks(content)]
    return stub.UploadFile(iter(parts), timeout=DEADLINE).outcome


# endregion


def check_in(stub: NativeFilesServiceStub, header: native.CheckInHeader, content: bytes) -> artifacts.Outcome:
    """Check a file in; its header needs neither size nor digest."""
    header.size = len(content)
    header.sha256 = hashlib.sha256(content).digest()
    parts = [native.CheckInRequest(header=header)]
    parts += [native.CheckInRequest(chunk=it) for it in chunks(content)]
    return stub.CheckIn(iter(parts), timeout=DEADLINE).outcome


def chunks(content: bytes) -> Iterator[bytes]:
    """Content as it is sent."""
    return (content[start : start + CHUNK] for start in range(0, len(content), CHUNK))


# region error
@dataclass(frozen=True)
class Refusal:
    """Why a call was refused: a value of `lattice.type.v1.ErrorReason` without its prefix, with its values."""

    reason: str
    metadata: Mapping[str, str]


def refusal_of(error: grpc.RpcError) -> Refusal:
    """The reason that a service gave; UNKNOWN where no service answered."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # the error of a call is a call, too
    for detail in status.details if status else ():
        info = ErrorInfo()
        if detail.Unpack(info) and info.domain == "lattice":
            return Refusal(info.reason, dict(info.metadata))
    return Refusal("UNKNOWN", {})


# endregion


# region watch
@dataclass
class Watch:
    """The changes of a workspace, each exactly once, over connections that are cut."""

    stub: ChangesServiceStub
    workspace: str
    cursor: Cursor | None = None
    """Where it goes on. Keep it with what you made of the changes, and a restart repeats nothing either."""
    cuts: int = 0
    """How often it began anew."""
    _pause: float = field(default=0.1, repr=False)

    def changes(self) -> Iterator[changes.Change]:
        """Each change as it comes."""
        while True:
            try:
                for message in self.stub.WatchChanges(
                    changes.WatchChangesRequest(workspace=self.workspace, cursor=self.cursor)
                ):
                    self._pause = 0.1
                    for commit in message.commits:
                        yield from commit.changes
                    self.cursor = message.cursor
            except grpc.RpcError as error:
                away = error.code() is grpc.StatusCode.UNAVAILABLE
                if not away and refusal_of(error).reason != "SLOW_CONSUMER":
                    raise
                self.cuts += 1
                time.sleep(self._pause)
                self._pause = min(self._pause * 2, 5.0)


# endregion
