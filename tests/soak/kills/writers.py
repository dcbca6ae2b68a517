"""Who writes while services die: people, an administrator, and somebody who asks the agent."""

import asyncio
import itertools
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_cli import native_files
from lattice_cli.connection import Connection
from lattice_cli.native_files import new_request_id
from soak.kills import calls, documents
from soak.kills.journal import Journal, Kind, Write

POINTS: Final = 600
"""Points of a document: more than a play can settle."""

ENDED: Final = (runs_pb.RUN_STATUS_COMPLETED, runs_pb.RUN_STATUS_STOPPED, runs_pb.RUN_STATUS_FAILED)

_PATIENCE: Final = 5.0
"""Seconds that whoever asked waits for the run before saying the next thing; longer than a claim lasts."""


@dataclass(kw_only=True)
class Scene:
    """What the writers share: the journal, the documents with their points, and the end of it all."""

    journal: Journal
    thread_id: str
    points: dict[str, Iterator[int]] = field(default_factory=dict)
    """The next open point of each document."""
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def add_document(self, artifact_id: str) -> None:
        """Let the writers have a document."""
        self.points[artifact_id] = iter(range(POINTS))

    async def pause(self, seconds: float) -> None:
        """Wait so long, or until it is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()


@dataclass(kw_only=True)
class Writer(ABC):
    """Somebody who writes, by a plan of their own."""

    scene: Scene
    me: Connection
    random: Random
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @abstractmethod
    async def write(self) -> None:
        """Until it is over."""

    def new_write(self, kind: Kind, artifact_id: str = "") -> Write:
        """A write with a mark that no other has."""
        who = self.me.person.user
        return Write(who=who, kind=kind, mark=f"{who}-{next(self._numbers):04}", artifact_id=artifact_id)

    def a_document(self) -> str:
        """One of the documents."""
        return self.random.choice(list(self.scene.points))


class Author(Writer):
    """A person who edits, checks out and in, and now and then brings a new document."""

    async def write(self) -> None:
        """Until it is over."""
        while not self.scene.over.is_set():
            [act] = self.random.choices((self.edit, self.borrow, self.upload), (8, 4, 1))
            await act()
            await self.scene.pause(self.random.uniform(0, 0.3))

    async def upload(self) -> None:
        """Bring a document; it is everybody's once it is there."""
        write = self.new_write("upload")
        write.artifact_id = f"doc-{write.mark}"
        content = documents.of_points(POINTS)
        header = calls.upload_header(self.me, write.artifact_id, content)
        if await self.scene.journal.write(write, lambda: calls.upload(self.me, header, content)):
            self.scene.add_document(write.artifact_id)

    async def edit(self) -> None:
        """Settle a point on the version that is the current one now."""
        artifact_id = self.a_document()
        get = artifacts_pb.GetArtifactRequest(name=self.me.person.artifact_name(artifact_id))
        base = (await self.scene.journal.read(lambda: self.me.artifacts.GetArtifact(get))).artifact.version
        write = self.new_write("edit", artifact_id)
        point = next(self.scene.points[artifact_id])
        old, new = documents.open_point(point), documents.settled_point(point, write.mark)
        request = calls.edit_request(self.me, artifact_id, base, old, new)
        await self.scene.journal.write(write, lambda: self.me.native_files.Edit(request))

    async def borrow(self) -> None:
        """Check a document out, settle a point in the copy, and check it in; or give it back as it was."""
        artifact_id = self.a_document()
        request = native_pb.CheckOutRequest(name=self.me.person.artifact_name(artifact_id), request_id=new_request_id())
        write = self.new_write("check_out", artifact_id)
        answer = await self.scene.journal.write(write, lambda: self.me.native_files.CheckOut(request))
        if answer is None:
            return
        await self.scene.pause(self.random.uniform(0, 0.5))
        if self.random.random() < 0.3:
            await self._extend(artifact_id, answer.check_out)
        if self.random.random() < 0.2 or not await self._check_in(artifact_id, answer.check_out):
            await self._release(artifact_id, answer.check_out)

    async def _extend(self, artifact_id: str, lent: native_pb.CheckOut) -> None:
        request = native_pb.ExtendCheckOutRequest(name=lent.name, token=lent.token, request_id=new_request_id())
        write = self.new_write("extend", artifact_id)
        await self.scene.journal.write(write, lambda: self.me.native_files.ExtendCheckOut(request))

    async def _check_in(self, artifact_id: str, lent: native_pb.CheckOut) -> bool:
        write = self.new_write("check_in", artifact_id)
        point = next(self.scene.points[artifact_id])
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.docx"
            await self.scene.journal.read(lambda: native_files.download(self.me, artifact_id, copy))
            documents.settle_by_hand(copy, point, write.mark)
            content = copy.read_bytes()
        header = calls.check_in_header(self.me, lent, content, documents.settled_point(point, write.mark))
        answer = await self.scene.journal.write(write, lambda: calls.check_in(self.me, header, content))
        return answer is not None

    async def _release(self, artifact_id: str, lent: native_pb.CheckOut) -> None:
        request = native_pb.ReleaseCheckOutRequest(name=lent.name, token=lent.token)
        write = self.new_write("release", artifact_id)
        await self.scene.journal.write(write, lambda: self.me.native_files.ReleaseCheckOut(request))


class Administrator(Writer):
    """Somebody who switches the app off for a moment, again and again."""

    async def write(self) -> None:
        """Until it is over; at the end it is on."""
        revision = 0
        while not self.scene.over.is_set():
            await self.scene.pause(self.random.uniform(2, 6))
            revision = await self._switch(revision, enabled=False)
            await self.scene.pause(self.random.uniform(0.2, 0.6))
            revision = await self._switch(revision, enabled=True)

    async def _switch(self, revision: int, *, enabled: bool) -> int:
        write = self.new_write("switch_on" if enabled else "switch_off")
        request = calls.switch_request(self.me, enabled=enabled, expected_revision=revision, reason=write.mark)
        answer = await self.scene.journal.write(write, lambda: self.me.integrations.SetEnabled(request))
        return revision if answer is None else answer.switch.revision


class Asker(Writer):
    """Somebody who asks the agent to settle points, one after the other."""

    async def write(self) -> None:
        """Until it is over."""
        while not self.scene.over.is_set():
            artifact_id = self.a_document()
            write = self.new_write("send", artifact_id)
            point = next(self.scene.points[artifact_id])
            old, new = documents.open_point(point), documents.settled_point(point, write.mark)
            await self.say(write, f'In {artifact_id} replace "{old}" with "{new}" and comment "{write.mark}"')
            await self.scene.pause(self.random.uniform(0, 0.3))

    async def say(self, write: Write, content: str) -> None:
        """Send a message and wait for the run that it starts or steers; a dead one lasts until its claim lapses."""
        name = self.me.person.thread_name(self.scene.thread_id)
        request = threads_pb.SendMessageRequest(name=name, content=content, request_id=new_request_id())
        sent = await self.scene.journal.write(write, lambda: self.me.threads.SendMessage(request))
        if sent is None:
            return
        get = threads_pb.GetThreadRequest(name=name)
        thread = (await self.scene.journal.read(lambda: self.me.threads.GetThread(get))).thread
        run_id = sent.run_id or thread.active_run_id
        if run_id:
            await self._wait_for(run_id)

    async def _wait_for(self, run_id: str) -> None:
        request = runs_pb.GetRunRequest(name=self.me.person.run_name(run_id))
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while (await self.scene.journal.read(lambda: self.me.runs.GetRun(request))).run.status not in ENDED:  # noqa: ASYNC110  # the service ends it
                    await asyncio.sleep(0.1)
