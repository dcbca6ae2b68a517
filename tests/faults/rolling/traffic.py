"""People at work while replicas come and go: whoever writes never repeats a call, whoever watches resumes.

Nobody here catches a failed unary call: retrying is the business of the service config that channels ship with.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, TypeAlias

import grpc
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.errors import refusal_of
from lattice_cli.connection import Connection
from service.files.people import Participant, append, new_request_id

PAUSE: Final = 0.05
"""Seconds between two calls of one writer: replicas have to start beside them, on two cores."""

Watch: TypeAlias = AsyncIterable[Any]
"""A call that streams positions with what happened."""


@dataclass(kw_only=True)
class Traffic:
    """What goes on until it is told that it is over, and what came of it."""

    over: asyncio.Event = field(default_factory=asyncio.Event)
    calls: Counter[str] = field(default_factory=Counter)

    async def edits(self, who: Participant) -> None:
        """Add a numbered line to a file of one's own, again and again: each is there once, in its order."""
        artifact_id = await who.has_file("start")
        version, lines = 1, ["start"]
        for number in count(1):
            if self.over.is_set():
                break
            line = f"line {number}"
            answer = await who.edits(artifact_id, version, append(line))
            version += 1
            lines.append(line)
            assert answer.outcome.applied.version == version
            self.calls["edit"] += 1
            await asyncio.sleep(PAUSE)
        assert (await who.reads(artifact_id)).splitlines() == lines

    async def borrows(self, who: Participant) -> None:
        """Check a file out and give it back, again and again."""
        artifact_id = await who.has_file("lent")
        while not self.over.is_set():
            lent = await who.checks_out(artifact_id)
            assert await who.releases(artifact_id, lent.token)
            self.calls["borrow"] += 1
            await asyncio.sleep(PAUSE)

    async def switches(self, ada: Connection, key: str) -> None:
        """Switch an integration off and on: each switch is the next revision."""
        workspace = ada.person.workspace_name
        for revision in count():
            if self.over.is_set():
                return
            request = integrations_pb.SetEnabledRequest(
                workspace=workspace,
                key=key,
                enabled=bool(revision % 2),
                expected_revision=revision,
                request_id=new_request_id(),
            )
            assert (await ada.integrations.SetEnabled(request)).switch.revision == revision + 1
            self.calls["switch"] += 1
            await asyncio.sleep(PAUSE)

    async def talks(self, who: Connection, thread_id: str) -> None:
        """Say something, wait for the run that takes it, and say the next."""
        await who.threads.CreateThread(
            threads_pb.CreateThreadRequest(
                workspace=who.person.workspace_name, thread_id=thread_id, title="Talk", request_id=new_request_id()
            )
        )
        for number in count(1):
            if self.over.is_set():
                return
            request = threads_pb.SendMessageRequest(
                name=who.person.thread_name(thread_id), content=f"message {number}", request_id=new_request_id()
            )
            sent = await who.threads.SendMessage(request)
            self.calls["message"] += 1
            await self._answered(who, thread_id, sent.run_id)

    async def _answered(self, who: Connection, thread_id: str, run_id: str) -> None:
        while True:
            request = runs_pb.ListRunsRequest(workspace=who.person.workspace_name, thread_id=thread_id)
            listed = (await who.runs.ListRuns(request)).runs
            self.calls["list"] += 1
            if not [it for it in listed if it.status == runs_pb.RUN_STATUS_RUNNING] and (
                not run_id or any(it.run_id == run_id for it in listed)
            ):
                return
            await asyncio.sleep(PAUSE)


@dataclass(kw_only=True)
class Watched:
    """What a watch of each service has told, by its numbers, and how often each had to be resumed."""

    changes: list[int] = field(default_factory=list)
    log: list[int] = field(default_factory=list)
    switches: list[int] = field(default_factory=list)
    resumed: Counter[str] = field(default_factory=Counter)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the watch of switches has told how they stood: it tells of no change before that."""

    def all_of(self, who: Connection) -> Sequence[Coroutine[None, None, None]]:
        """One watch of each service; they never end by themselves."""
        return [self._changes(who), self._log(who), self._switches(who)]

    async def has_all(self, who: Connection) -> bool:
        """Whether the watches of the feed and of the log have told as much as there is."""
        workspace = who.person.workspace_name
        head = (await who.changes.ListChanges(changes_pb.ListChangesRequest(workspace=workspace))).head_sequence
        newest = (await who.log.ReadLog(log_pb.ReadLogRequest(workspace=workspace, last=1))).head
        return self.changes[-1:] == [head] and self.log[-1:] == [newest.sequence]

    async def _changes(self, who: Connection) -> None:
        def begun(cursor: names_pb2.Cursor | None) -> Watch:
            request = changes_pb.WatchChangesRequest(workspace=who.person.workspace_name, cursor=cursor)
            return who.changes.WatchChanges(request)

        async for told in self._resumed(begun):
            self.changes.extend(it.change_sequence for commit in told.commits for it in commit.changes)

    async def _log(self, who: Connection) -> None:
        def begun(cursor: names_pb2.Cursor | None) -> Watch:
            return who.log.WatchLog(log_pb.WatchLogRequest(workspace=who.person.workspace_name, cursor=cursor))

        async for told in self._resumed(begun):
            if told.HasField("entry"):
                self.log.append(told.entry.log_sequence)

    async def _switches(self, who: Connection) -> None:
        def begun(cursor: names_pb2.Cursor | None) -> Watch:
            request = integrations_pb.WatchIntegrationsRequest(workspace=who.person.workspace_name, cursor=cursor)
            return who.integrations.WatchIntegrations(request)

        async for told in self._resumed(begun):
            self.begun.set()
            if told.HasField("change"):
                self.switches.append(told.change.revision)

    async def _resumed(self, begun: Callable[[names_pb2.Cursor | None], Watch]) -> AsyncIterator[Any]:
        """What a watch tells, resumed from its last cursor wherever a server ends it."""
        cursor = None
        while True:
            try:
                async for told in begun(cursor):
                    cursor = told.cursor
                    yield told
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                if refusal is None or error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                self.resumed[refusal.reason] += 1
