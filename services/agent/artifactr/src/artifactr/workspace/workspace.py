"""The handle on a workspace: one actor in one workspace of one tenant [TN-01, AC-03].

Everything that agent's database holds is read and written through it, and nothing below it takes a tenant or an actor.
Two handles of one participant are alike; a handle is cheap and does no I/O by itself.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import replace
from datetime import timedelta
from typing import overload

from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import Identity
from lattice_chassis.paging import Cursor

from artifactr.core.actors import Actor, Caller, Principal
from artifactr.core.changes import Change, ProposalAnswer, ProposeChange
from artifactr.core.commands import Command, CreateThread, PostMessage, Recorded, SetFocus
from artifactr.core.events import Batch, Envelope, RunFact
from artifactr.core.ids import new_id
from artifactr.core.notes import Viewpoint
from artifactr.core.outcomes import Outcome, Proposed, Resolved
from artifactr.core.rejections import NotFound
from artifactr.core.runs import Run
from artifactr.core.segments import HistoryChunk, SegmentEnd, SegmentStart, StartedSegment
from artifactr.core.threads import Claim, Message, Prompt, Reply, Thread, Turn, next_turn
from artifactr.ports import Fence
from artifactr.store import log
from artifactr.store import runs as runs_store
from artifactr.store import threads as threads_store
from artifactr.store import turns as turns_store
from artifactr.store.request_memory import Request, first_answer
from artifactr.wire.identities import identity_of
from artifactr.workspace import claims, commands, executions, pauses, reading, segments, takeover
from artifactr.workspace.artifacts import ArtifactCommand, ArtifactHandle
from artifactr.workspace.claims import CLAIM_TTL
from artifactr.workspace.executions import Execution
from artifactr.workspace.recording import RUNNER
from artifactr.workspace.threads import require_thread


class Workspace(ArtifactHandle):
    """A handle. Made by `Workspaces.open`."""

    @property
    def tenant(self) -> str:
        """The tenant's id."""
        return self._caller.tenant

    @property
    def workspace(self) -> str:
        """The workspace's id within the tenant."""
        return self._caller.workspace

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self._caller.actor

    @property
    def caller(self) -> Caller:
        """Tenant, workspace and actor, as ports take them."""
        return self._caller

    @property
    def identity(self) -> Identity:
        """The identity under which this actor calls files, for `lattice_chassis.identity.acting_as`."""
        return identity_of(self._caller)

    def acting_as(self, actor: Actor, claim: Claim | None = None, *, principal: Principal | None = None) -> "Workspace":
        """A handle for another actor in the same workspace; for trusted code alone [AC-04].

        An agent's may edit in this workspace and nowhere else, and no more than the principal may, who is whoever this
        handle acts for unless given [SE-08]. Under the claim that a run holds, whatever the handle writes is refused
        once that was overtaken [MP-21].
        """
        return Workspace(self._caller.as_actor(actor, principal), self._with, claim)

    # Commands

    @overload
    async def commit(self, command: Command, *, request: Request | None = None) -> Recorded: ...
    @overload
    async def commit(self, command: Change, *, request_id: str = "") -> Outcome: ...
    @overload
    async def commit(self, command: ProposeChange, *, request_id: str = "") -> Proposed: ...
    @overload
    async def commit(self, command: ProposalAnswer, *, request_id: str = "") -> Resolved: ...

    async def commit(
        self,
        command: Command | ArtifactCommand,
        *,
        request: Request | None = None,
        request_id: str = "",
    ) -> Recorded | Outcome | Resolved:
        """Carry out a command; a repeat under the same request is answered as the first was [ID-03].

        Commands on threads are agent's own; those on artifacts and proposals go to files. What files did is on the log
        when this returns [MP-14]. A focus is checked with files: NotFound for what does not exist there [CM-04, MP-30].

        Args:
            command: what to do.
            request: of a command on a thread: what tells a repeat from another call.
            request_id: of a command on artifacts: a UUID; unset, one is made, for an agent's tool always the same.

        Raises:
            Rejection: the command is refused, and nothing was changed.
            PeerUnavailable: files cannot be reached; what it was asked to do may have taken effect.
        """
        if isinstance(command, ArtifactCommand):
            return await self._committed_by_files(command, request_id)
        if isinstance(command, SetFocus):
            answered = await self._require_artifacts(command, request)
            if answered is not None:
                return answered
        return await commands.commit(self._with.unit, self._caller, command, request)

    async def propose(self, change: Change, rationale: str = "") -> Proposed:
        """Propose a change whatever its type's policy says, for somebody else to accept [PR-03, PR-12]."""
        return await self.commit(ProposeChange(change=replace(change, rationale=rationale or change.rationale)))

    async def remembered(self, request: Request) -> Recorded | None:
        """What a call that is no command recorded under this request before; None for a first call [ID-03]."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await first_answer(connection, self._caller, request)

    async def create_thread(self, title: str, *, thread_id: str = "", agent_name: str = "") -> Thread:
        """Create a thread, of a named agent or of whichever is the default [TH-13]."""
        return (await self.commit(CreateThread(title=title, thread_id=thread_id, agent_name=agent_name))).thread

    async def post_message(self, thread_id: str, content: str, *, message_id: str = "") -> Recorded:
        """Post a message that starts nothing by itself; the thread's next turn takes it [TH-07]."""
        return await self.commit(PostMessage(thread_id=thread_id, content=content, message_id=message_id))

    async def follow(self, thread_id: str, artifact_id: str) -> None:
        """Make a thread follow an artifact, which has just been seen at files [TH-03]."""
        await commands.follow(self._with.unit, self._caller, thread_id, artifact_id)

    # Threads and runs

    async def thread(self, thread_id: str) -> Thread:
        """The thread; NotFound where there is none."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await require_thread(connection, self._caller.key, thread_id)

    async def threads(self, *, after: int = 0, limit: int = 100) -> list[tuple[int, Thread]]:
        """Threads created after a log position, oldest first, each with its own position to go on from."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await threads_store.list_threads(connection, self._caller.key, after=after, limit=limit)

    async def run(self, run_id: str) -> Run:
        """The run; NotFound where there is none."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            found = await runs_store.find_run(connection, self._caller.key, run_id)
        if found is None:
            raise NotFound(entity="run", id=run_id)
        return found.run

    async def runs(self, *, thread_id: str = "", after: int = 0, limit: int = 100) -> list[tuple[int, Run]]:
        """Runs first started after a log position, oldest first, each with its own position to go on from."""
        key = self._caller.key
        async with self._with.unit.unlocked(key) as connection:
            found = await runs_store.list_runs(connection, key, thread_id=thread_id, after=after, limit=limit)
        return [(recording.position, recording.run) for recording in found]

    async def running_in_tenant(self, *, besides: str) -> int:
        """How many runs are running now in all workspaces of this tenant, besides those of a thread of this one."""
        key = self._caller.key
        async with self._with.unit.unlocked(key) as connection:
            return await runs_store.count_running(connection, key, besides=besides, silence=takeover.DIRECT_RUN_SILENCE)

    async def run_begun_by(self, log_sequence: int) -> str:
        """The id of the run that the message at this log position started or resumed; empty where it did neither."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await threads_store.run_begun_by(connection, self._caller.key, log_sequence)

    async def message(self, log_sequence: int) -> Message:
        """The message at a log position; LookupError where none stands there."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await threads_store.message_at(connection, self._caller.key, log_sequence)

    async def history(self, thread_id: str) -> Sequence[HistoryChunk]:
        """The saved model history of a thread, oldest first [HI-05]."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await runs_store.read_history(connection, self._caller.key, thread_id)

    # The log

    async def cursor(self) -> Cursor:
        """The head of the log in its epoch; position 0 for a workspace never written to [TN-02]."""
        return await reading.position(self._with.unit, self._caller.key)

    async def head(self) -> int:
        """The number of the log's last entry; 0 for an empty one."""
        return (await self.cursor()).sequence

    async def read(
        self,
        *,
        after: int = 0,
        before: int | None = None,
        thread_ids: Sequence[str] = (),
        limit: int | None = None,
        last: int | None = None,
    ) -> list[Envelope]:
        """A window of the log, oldest first, at most 500 entries of it [SB-01, SB-03]."""
        return await reading.read(
            self._with.unit,
            self._caller.key,
            after=after,
            before=before,
            thread_ids=thread_ids,
            limit=limit,
            last=last,
        )

    async def since(self, after: int, *, thread_id: str = "") -> list[Envelope]:
        """All that came after a position, oldest first; of a thread, what its followers hear of [29.4 step 2, SB-03].

        Up to its last entry a run has judged what concerns it: the record of other threads' runs, most of the log of
        a busy workspace, is not read.
        """
        return await reading.since(self._with.unit, self._caller.key, after, thread_id)

    async def watch(self, after: int) -> AsyncGenerator[Batch, None]:
        """What comes after a position, stored and then live; an empty batch whenever all of it was yielded [SB-02].

        It takes files' feed up while it lasts, as far as files can be reached [MP-16].
        """
        key = self._caller.key
        stream = reading.batches(self._with.unit, self._with.listener, key, after)
        async with self._with.follower.following(key), aclosing(stream) as batches:
            async for batch in batches:
                yield batch

    async def subscribe(self, after: int) -> AsyncGenerator[Batch, None]:
        """What comes after a position, stored and then live, in whole commits; never ends [SB-02]."""
        async with aclosing(self.watch(after)) as batches:
            async for batch in batches:
                if batch:
                    yield batch

    async def viewpoint(self, thread_id: str) -> Viewpoint:
        """What the agent of a thread hears of now [CN-03]."""
        key = self._caller.key
        async with self._with.unit.unlocked(key) as connection:
            thread = await require_thread(connection, key, thread_id)
            created = await log.artifacts_created_in(connection, key, thread_id)
        return Viewpoint(thread_id=thread_id, focus=frozenset(thread.focus), created_here=created)

    # Files

    async def barrier(self, claim: Claim | None = None) -> int:
        """Take up all that files has committed, and answer the number of its last change [MP-15].

        Under a claim, nothing that an overtaken run still sends to files commits afterwards [MP-21]; StaleClaim where
        this claim itself was overtaken. PeerUnavailable where files cannot be reached.
        """
        fence = None if claim is None else Fence(scope=claim.thread_id, token=claim.token)
        position = await self._with.feed.barrier(self._caller.key, fence)
        await self.ingest(position.sequence)
        return position.sequence

    # Claims

    async def claim_thread(self, thread_id: str, *, holder: str, ttl: timedelta = CLAIM_TTL) -> Claim:
        """Claim a thread for a holder until `ttl` from now; ThreadBusy while another holder's claim lives [RN-10]."""
        await self.thread(thread_id)
        return await claims.take(
            self._with.unit,
            self._caller.key,
            thread_id,
            holder=holder,
            ttl=ttl,
            address=self._with.replica.address,
        )

    async def renew_claim(self, claim: Claim, *, ttl: timedelta = CLAIM_TTL) -> Claim:
        """Extend a claim; ThreadBusy once the thread is someone else's."""
        return await claims.renew(self._with.unit, self._caller.key, claim, ttl=ttl)

    async def release_claim(self, claim: Claim) -> None:
        """Free the thread; a no-op for a claim that is no longer held."""
        await claims.release(self._with.unit, self._caller.key, claim)

    def holding_thread(self, thread_id: str, *, ttl: timedelta = CLAIM_TTL) -> AbstractAsyncContextManager[Claim]:
        """Hold a thread for the length of a block, renewing the claim at every third of `ttl` [RN-09, RN-12].

        Raises ThreadBusy at once, or ClaimLost after cancelling a block whose claim was lost.
        """
        holder = new_id("claim")  # never the run's id: a resuming segment must not renew the pausing one's [RN-11]
        return claims.held(
            self._with.unit,
            self._caller.key,
            thread_id,
            holder=holder,
            ttl=ttl,
            address=self._with.replica.address,
        )

    # Executions

    async def execution(self, run_id: str) -> Execution:
        """Where a run stands, and which replica executes it; NotFound where there is no such run [RN-16]."""
        return await executions.execution(self._with.unit, self._caller.key, run_id)

    def executions(self, run_id: str) -> AsyncGenerator[Execution, None]:
        """The same, now and whenever it may have changed, until the run has ended."""
        return executions.executions(self._with.unit, self._with.listener, self._caller.key, run_id)

    # Stops

    async def request_stop(self, run_id: str, request: Request | None = None) -> None:
        """Ask whoever executes a run to stop it; durable, and heard within milliseconds [RN-16].

        A `request` is remembered with it: whoever repeats it asks for no other stop [ID-03].
        """
        await commands.request_stop(self._with.unit, self._caller, run_id, request)
        self._with.unit.signal(self._caller.key, run_id)

    async def stop_requested(self, run_id: str) -> bool:
        """Whether a run was asked to stop."""
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return await turns_store.stop_requested(connection, self._caller.key, run_id)

    async def end_of(self, run_id: str) -> Run:
        """The run once it has ended; NotFound where there is none."""
        async with aclosing(self.executions(run_id)) as looks:
            async for now in looks:
                if now.ended:
                    return now.run
        raise AssertionError("they end with the run's end")

    async def stop_of(self, run_id: str, *, look: timedelta) -> None:
        """Return once a run was asked to stop: at its signal, or within `look` where that was lost [RN-16].

        A database that is away for a while only puts it off.
        """
        with self._with.unit.hearing(self._caller.key, run_id) as asked:
            while True:
                with contextlib.suppress(PeerUnavailable):
                    if await self.stop_requested(run_id):
                        return
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(look.total_seconds()):
                        await asked.wait()
                asked.clear()

    # Turns

    async def count_automatic_turn(self, turn: Turn) -> bool:
        """Count a turn that begins without anybody asking; false where there were enough of its kind [RN-15, TH-10].

        Not counted is the end of a run that was asked to stop.
        """
        key = self._caller.key
        async with self._with.unit.unlocked(key) as connection:
            match turn:
                case Prompt(message=Message(log_sequence=position)) | Reply(message=Message(log_sequence=position)):
                    return await turns_store.count_turn_of_message(connection, key, position)
                case Reply(run=run):
                    return await turns_store.count_turn_of_run(connection, key, run.id)
                case _:
                    return True

    async def abandon_runs(self, claim: Claim, chunk: takeover.WriteChunk) -> list[str]:
        """Record the runs of a claimed thread whose process died as failed, and answer their ids [RN-13, HI-03]."""
        return await takeover.abandon(self._with.unit, self._caller, claim, chunk)

    async def next_turn(self, thread_id: str) -> Turn | None:
        """What the holder of the thread's claim has to do next, None for nothing [TH-08]."""
        key = self._caller.key
        async with self._with.unit.unlocked(key) as connection:
            thread = await require_thread(connection, key, thread_id)
            paused = await runs_store.paused_run(connection, key, thread_id)
            waiting = await threads_store.oldest_waiting(connection, key, thread)
        if paused is None:
            return next_turn(None, waiting)
        return next_turn(paused.run, waiting, stop=paused.stop_requested)

    async def reply(self, claim: Claim, run_id: str, message: Message) -> Run:
        """Take a message as the reply to a paused run of a claimed thread [TH-04, TH-09]."""
        return await pauses.reply(self._with.unit, self._caller, claim, run_id, message)

    async def traces_of_pause(self, run_id: str) -> list[str]:
        """The traceparents of a run's last pause and of each answer to it, in their order [TR-03]."""
        return await pauses.traces(self._with.unit, self._caller.key, run_id)

    async def stop_paused(self, claim: Claim, run_id: str, chunk: pauses.CloseCalls) -> None:
        """End a paused run of a claimed thread as stopped, its open calls answered in the history [RN-02, HI-06]."""
        await pauses.stop(self._with.unit, self._caller, claim, run_id, chunk)

    async def start_segment(self, segment: SegmentStart) -> StartedSegment:
        """Record run_started and what the segment takes; this handle is the thread's agent [RN-04, TH-09]."""
        return await segments.start(self._with.unit, self._caller, segment)

    async def record(self, *facts: RunFact) -> int:
        """Record facts of a run, in one transaction, and answer the number of the last one."""
        return await segments.record(self._with.unit, self._caller, facts)

    async def end_segment(self, segment: SegmentEnd) -> int:
        """Record the end of a segment with its reply, history and positions, in one transaction [X-04]."""
        return await segments.end(self._with.unit, self._caller, segment)

    async def _require_artifacts(self, command: SetFocus, request: Request | None) -> Recorded | None:
        """Ask files for what the thread does not follow yet; the first answer where this is a repeat.

        Agent asks by itself: who may edit the thread may see its workspace, and agent vouches for no person [MP-32].
        """
        key, looking = self._caller.key, self.acting_as(RUNNER)
        async with self._with.unit.unlocked(key) as connection:
            first = await first_answer(connection, self._caller, request)
            thread = await require_thread(connection, key, command.thread_id)
        if first is None:
            for artifact_id in dict.fromkeys(command.artifact_ids):
                if artifact_id not in thread.focus:
                    await looking.artifact(artifact_id)
        return first
