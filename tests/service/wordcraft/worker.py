"""A worker's program on a unix socket, and a client of it that speaks the contract."""

import asyncio
import hashlib
import json
import os
import signal
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1.app_service_pb2_grpc import AppServiceStub
from lattice.type.v1 import text_pb2
from lattice.type.v1.actor_pb2 import Actor, AgentActor, SystemActor
from lattice_chassis.channels import channel
from lattice_chassis.content import chunks_of
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity, development_metadata

FILES = development_metadata(Identity(tenant="apps", actor=Actor(system=SystemActor(name="files"))))
ASSISTANT = Actor(agent=AgentActor(thread_id="thr_1", name="assistant"))
NOON = Timestamp(seconds=1_767_355_200)


class Worker:
    """A running worker's program and a client of it."""

    def __init__(self, process: asyncio.subprocess.Process, connected: grpc.aio.Channel, trace_file: Path) -> None:
        self.process = process
        self.stub = AppServiceStub(connected)
        self.trace_file = trace_file

    async def extract(
        self,
        content: bytes,
        view: text_pb2.TextView.ValueType = text_pb2.TEXT_VIEW_UNSPECIFIED,
        **declared: Any,  # noqa: ANN401
    ) -> tuple[str, list[dict[str, Any]]]:
        header = app_pb.ExtractHeader(file=header_of(content, **declared), view=view)
        requests = [app_pb.ExtractRequest(header=header)]
        requests += [app_pb.ExtractRequest(chunk=chunk) for chunk in chunks_of(content)]
        outputs = await received(self.stub.Extract(iter(requests)))
        return outputs[app_pb.OUTPUT_TEXT].decode(), json.loads(outputs[app_pb.OUTPUT_REVIEW])

    async def apply(
        self,
        content: bytes,
        *commands: tuple[str, dict[str, Any]],
        author: Actor = ASSISTANT,
        mode: app_pb.ChangeMode.ValueType = app_pb.CHANGE_MODE_UNSPECIFIED,
    ) -> dict[int, bytes]:
        header = app_pb.BatchHeader(
            file=header_of(content),
            commands=[app_pb.CommandCall(command=name, arguments_json=json.dumps(it)) for name, it in commands],
            author=author,
            time=NOON,
            mode=mode,
        )
        requests = [app_pb.ApplyBatchRequest(header=header)]
        requests += [app_pb.ApplyBatchRequest(chunk=chunk) for chunk in chunks_of(content)]
        return await received(self.stub.ApplyBatch(iter(requests)))

    async def page(self, content: bytes, page: int, long_side: int = 0) -> bytes:
        header = app_pb.PageHeader(file=header_of(content), page=page, long_side=long_side)
        requests = [app_pb.RenderPageRequest(header=header)]
        requests += [app_pb.RenderPageRequest(chunk=chunk) for chunk in chunks_of(content)]
        return (await received(self.stub.RenderPage(iter(requests))))[app_pb.OUTPUT_PAGE]


def header_of(content: bytes, *, format: str = "docx", **declared: Any) -> app_pb.FileHeader:  # noqa: A002, ANN401
    told = {"size": len(content), "sha256": hashlib.sha256(content).digest(), **declared}
    return app_pb.FileHeader(format=format, **told)


async def received(call: AsyncIterable[Any]) -> dict[int, bytes]:
    """The outputs of a call, once they are what its end says they are."""
    outputs: dict[int, bytes] = {}
    async for message in call:
        if message.HasField("chunk"):
            outputs[message.chunk.output] = outputs.get(message.chunk.output, b"") + message.chunk.content
        else:
            for summary in message.end.outputs:
                content = outputs.setdefault(summary.output, b"")  # of an empty one no chunk is sent
                assert (summary.size, summary.sha256) == (len(content), hashlib.sha256(content).digest())
    return outputs


def left_in(folder: str | Path) -> set[str]:
    """What a folder holds."""
    return {entry.name for entry in Path(folder).iterdir()}


async def refused(call: Awaitable[object]) -> RefusedByPeer:
    """The refusal that a call ends with."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    refusal = refusal_of(error.value)
    assert refusal is not None
    return refusal


@asynccontextmanager
async def running_worker(command: Sequence[str], **settings: str) -> AsyncIterator[Worker]:
    """A worker that answers; at the end it stops when told to, and leaves nothing behind."""
    with TemporaryDirectory(prefix="worker-") as name:
        socket, traces = Path(name) / "app.sock", Path(name) / "spans.jsonl"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": name,
            "TMPDIR": name,
            "LATTICE_TRACE_FILE": str(traces),
            "LATTICE_WORDCRAFT_UNCONFINED": "true",  # what is not about the sandbox holds on a machine without one
        }
        process = await asyncio.create_subprocess_exec(
            *command, "--socket", str(socket), env=environment | settings, cwd=name
        )
        try:
            async with (
                asyncio.timeout(60),
                channel(f"unix:{socket}", [app_pb.DESCRIPTOR], identity=lambda: FILES) as open_,
            ):
                stub = AppServiceStub(open_)
                await stub.Describe(app_pb.DescribeRequest(), wait_for_ready=True)
            async with channel(f"unix:{socket}", [app_pb.DESCRIPTOR], identity=lambda: FILES) as connected:
                yield Worker(process, connected, traces)
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(20):
                assert await process.wait() == 0
        finally:
            if process.returncode is None:  # the test failed, and nobody waits for an orderly end
                process.kill()
                await process.wait()
        assert left_in(name) <= {"app.sock", "spans.jsonl"}
