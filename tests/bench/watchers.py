"""The change feed: how soon a commit is told, and how many can be told of all of them.

`python -m bench.watchers ADDRESS COUNT COMMITS` is one of the client processes: so many watches from the head, which it
reports with a line once they stand, and with another once each has been told so many commits.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final, TypeAlias

import grpc
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as pb
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice_chassis.identity import development_metadata
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.native_files import new_request_id
from lattice_cli.processes import Program, free_address, serving
from lattice_cli.suite import Suite

if TYPE_CHECKING:
    from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceAsyncStub

WATCHERS: Final = int(os.environ.get("LATTICE_BENCH_WATCHERS", "1000"))
COMMITS: Final = int(os.environ.get("LATTICE_BENCH_COMMITS", "1000"))
CLIENTS: Final = 4
WRITERS: Final = 4
TIMED: Final = 200
"""Commits whose way to a watcher is timed, one after the other."""

PERSON: Final = Person(tenant="bench", workspace="feed", user="alice", name="Alice", administrator=True)
WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[pb.WatchChangesRequest, pb.WatchChangesResponse]"

TESTS: Final = Path(__file__).resolve().parents[1]
METADATA: Final = development_metadata(PERSON.identity)

_HANG_UP: Final = 10
"""Of so many watchers one hangs up in the middle, and resumes from its cursor."""

_READY_WITHIN: Final = 120
_TOLD_WITHIN: Final = 600
_SAMPLED: Final = 0.1
"""Seconds between looks at the memory of files."""


@dataclass(kw_only=True)
class Tally:
    """What the watchers of one or more client processes were told."""

    twice: int = 0
    missing: int = 0
    resumed: int = 0
    messages: int = 0

    def add(self, other: "Tally") -> None:
        """Count another's in."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


async def measure_feed(suite: Suite) -> None:
    """Print both figures; the second with a line of what it cost."""
    async with connect(suite.addresses, PERSON) as alice:
        artifacts = await _artifacts(alice)
        for where, times in (await _commit_to_watcher(suite, alice, artifacts[0])).items():
            print(
                f"{f'commit to watcher, {where}':<34}{median(times):>9.3f} ms"
                f"   p95 {quantiles(times, n=20)[-1]:.3f} ms, of {len(times)} commits",
                flush=True,
            )
        print(await _all_told(suite, alice, artifacts), flush=True)


async def _artifacts(alice: Connection) -> list["_Edited"]:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    given = artifacts_pb.ArtifactType(
        kind="bench_task", schema_json=json.dumps(schema), write_policy=artifacts_pb.WRITE_POLICY_DIRECT
    )
    register = artifacts_pb.RegisterTypeRequest(type=given, expected_revision=0, request_id=new_request_id())
    await alice.artifacts.RegisterType(register)
    created = []
    for _ in range(WRITERS):
        request = artifacts_pb.CreateArtifactRequest(
            workspace=PERSON.workspace_name, kind="bench_task", data_json='{"n": 0}', context=_context()
        )
        outcome = (await alice.artifacts.CreateArtifact(request)).outcome
        created.append(_Edited(alice, outcome.applied.artifact_id))
    return created


class _Edited:
    """An artifact that one writer edits again and again."""

    def __init__(self, alice: Connection, artifact_id: str) -> None:
        self._alice = alice
        self._name = PERSON.artifact_name(artifact_id)
        self._version = 1

    async def edit(self) -> int:
        """Commit one change, and answer its number."""
        patch = artifacts_pb.Patch(json_patch=json.dumps([{"op": "add", "path": "/n", "value": self._version}]))
        request = artifacts_pb.EditArtifactRequest(
            name=self._name, base_version=self._version, patch=patch, summary="counts on", context=_context()
        )
        outcome = (await self._alice.artifacts.EditArtifact(request)).outcome
        self._version += 1
        return outcome.change_sequence


def _context() -> artifacts_pb.WriteContext:
    return artifacts_pb.WriteContext(request_id=new_request_id())


async def _commit_to_watcher(suite: Suite, alice: Connection, artifact: _Edited) -> dict[str, list[float]]:
    """Milliseconds from the end of the span `commit` in the process that commits, by where the watcher is."""
    async with AsyncExitStack() as stack:
        second = await stack.enter_async_context(_second_files(suite))
        watches = {
            "same process": await stack.enter_async_context(_watch(suite.addresses.files)),
            "another process": await stack.enter_async_context(_watch(second)),
        }
        for watch in watches.values():
            await watch.read()
        arrived: dict[str, dict[str, int]] = {where: {} for where in watches}

        async def hear(where: str) -> None:
            message = await watches[where].read()
            now = time.time_ns()
            assert isinstance(message, pb.WatchChangesResponse)
            for change in message.commits[0].changes:
                arrived[where][change.traceparent.split("-")[1]] = now

        for _ in range(TIMED):
            await asyncio.gather(artifact.edit(), *(hear(where) for where in watches))
    committed = {it.trace_id: it.end for it in suite.spans.all() if it.name == "commit"}
    return {
        where: [(time - committed[trace_id]) / 1e6 for trace_id, time in times.items()]
        for where, times in arrived.items()
    }


@asynccontextmanager
async def _second_files(suite: Suite) -> AsyncIterator[str]:
    """The address of another process of files on the same database."""
    first, address = suite.programs["files"], free_address()
    environment = {**first.environment, "LATTICE_FILES_LISTEN": address}
    program = Program(name=first.name, arguments=first.arguments, environment=environment)
    async with serving(program, address, suite.log_of("files-2")):
        yield address


@asynccontextmanager
async def _watch(
    address: str,
) -> AsyncIterator[WatchCall]:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: ChangesServiceAsyncStub = ChangesServiceStub(channel)
        request = pb.WatchChangesRequest(workspace=PERSON.workspace_name, from_head=True)
        call = stub.WatchChanges(request, metadata=METADATA)
        yield call
        call.cancel()


async def _all_told(suite: Suite, alice: Connection, artifacts: list[_Edited]) -> str:
    """Have writers commit while many watch, each in one of the client processes."""
    pid = suite.running["files"].pid
    idle = _resident(pid)
    highest = [idle]

    async def sample() -> None:
        while True:
            highest[0] = max(highest[0], _resident(pid))
            await asyncio.sleep(_SAMPLED)

    sampling = asyncio.create_task(sample())
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(_client(suite.addresses.files, WATCHERS // CLIENTS)) for _ in range(CLIENTS)
        ]
        async with asyncio.timeout(_READY_WITHIN):
            for client in clients:
                await client.line()
        watched = _resident(pid) - idle
        began = time.monotonic()
        await asyncio.gather(*(_edit(it, COMMITS // WRITERS) for it in artifacts))
        written = time.monotonic() - began
        tally = Tally()
        async with asyncio.timeout(_TOLD_WITHIN):
            for client in clients:
                tally.add(Tally(**json.loads(await client.line())))
        told = time.monotonic() - began
    sampling.cancel()
    return (
        f"{f'{WATCHERS} watchers told {COMMITS} commits':<34}{told:>9.3f} s "
        f"   written within {written:.1f} s; {tally.missing} missing, {tally.twice} twice, {tally.resumed} resumed;"
        f" {WATCHERS * COMMITS / tally.messages:.0f} commits a message\n"
        f"{'memory of files above idle':<34}{(highest[0] - idle) / 2**20:>9.0f} MiB"
        f"   of these {watched / 2**20:.0f} MiB for {WATCHERS} idle watchers"
    )


async def _edit(artifact: _Edited, times: int) -> None:
    for _ in range(times):
        await artifact.edit()


@dataclass(frozen=True)
class _Client:
    process: asyncio.subprocess.Process

    async def line(self) -> str:
        """The next line that it says."""
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise ChildProcessError("a client process of the bench ended early")
        return line.decode()


@asynccontextmanager
async def _client(address: str, watchers: int) -> AsyncIterator[_Client]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bench.watchers", address, str(watchers), str(COMMITS)),
        cwd=TESTS,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield _Client(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


async def _watch_all(address: str, watchers: int, commits: int) -> None:
    """Be a client process."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub: ChangesServiceAsyncStub = ChangesServiceStub(channel)
        tally, stand = Tally(), asyncio.Semaphore(0)
        watches = [
            asyncio.create_task(_follow(stub, tally, stand, commits, hangs_up=number % _HANG_UP == 0))
            for number in range(watchers)
        ]
        for _ in watches:
            await stand.acquire()
        print("ready", flush=True)
        await asyncio.gather(*watches)
        print(json.dumps(asdict(tally)), flush=True)


async def _follow(
    stub: "ChangesServiceAsyncStub", tally: Tally, stand: asyncio.Semaphore, commits: int, *, hangs_up: bool
) -> None:
    """Watch from the head, resuming wherever it is cut, until so many commits of one change each were told."""
    request = pb.WatchChangesRequest(workspace=PERSON.workspace_name, from_head=True)
    first, last = 0, None
    while last is None or last < first + commits:
        call = stub.WatchChanges(request, metadata=METADATA)
        try:
            async for message in call:
                tally.messages += 1
                if last is None:
                    first = last = message.cursor.sequence
                    stand.release()
                for change in (change for commit in message.commits for change in commit.changes):
                    tally.twice += change.change_sequence <= last
                    tally.missing += max(change.change_sequence - last - 1, 0)
                    last = change.change_sequence
                request = pb.WatchChangesRequest(workspace=PERSON.workspace_name, cursor=message.cursor)
                if last >= first + commits:
                    break
                if hangs_up and last > first + commits // 2:
                    hangs_up = False
                    tally.resumed += 1
                    break
        except grpc.aio.AioRpcError:  # cut off as too slow, or by its connection
            tally.resumed += 1
        call.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("watchers", type=int)
    parser.add_argument("commits", type=int)
    given = parser.parse_args()
    asyncio.run(_watch_all(given.address, given.watchers, given.commits))
