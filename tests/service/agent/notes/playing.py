"""One thread, its people and its agent, with whom schedules are played."""

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from artifactr import Workspace
from artifactr.core import AnswerDeferred
from artifactr.core.actors import Actor, AgentActor, UserActor
from artifactr.core.commands import SetFocus
from artifactr.core.events import DeferredKind, RunStatus
from artifactr.core.runs import Run
from pydantic_ai.usage import UsageLimits
from service.agent.database_administration import DatabaseAdministration
from service.agent.notes.acting import Acting, AnyRun, AnyRunner
from service.agent.notes.feed_writer import Proposed
from service.agent.notes.schedules import Deed, End, Resumption, Turn, What, Who

Wait = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


class Writer(Protocol):
    """Somebody at files, who does there what deeds say as far as they can be done."""

    open_proposals: list[Proposed]

    @property
    def head(self) -> int:
        """The number of the last change."""
        ...

    def lag(self, *, away: bool) -> None:
        """Be out of reach for those who ask how far the changes go, or no longer; as far as that can be done."""
        ...

    def existing(self, ids: Sequence[str]) -> list[str]:
        """Those of the artifacts that there are."""
        ...

    async def edit(self, by: Actor, artifact_id: str, *, thread_id: str = "") -> None:
        """Change an artifact, or create it, in that thread, where it is missing; nothing where it is archived."""
        ...

    async def archive(self, by: Actor, artifact_id: str) -> None:
        """Archive an artifact, where there is one to archive."""
        ...

    async def propose(self, by: Actor, artifact_id: str) -> None:
        """Propose a change of an artifact, or its creation where it is missing."""
        ...

    async def decide(self, by: Actor, proposed: Proposed, *, accept: bool) -> None:
        """Accept or reject a proposal; its author withdraws it instead."""
        ...


@dataclass
class Play:
    """A thread, and what was said and heard in it so far."""

    alice: Workspace
    thread_id: str
    feed: Writer
    database: DatabaseAdministration
    eventually: Wait
    heads: list[tuple[str, int]] = field(default_factory=list)
    """The head of the log at each request to the model, with the run that makes it."""
    said: list[str] = field(default_factory=list)
    """Each message, in words of its own."""
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _lost: list[AnyRunner] = field(default_factory=list)
    """Processes that stalled for longer than their claim."""

    async def take(self, turn: Turn) -> None:
        """Play a turn until the thread is idle or paused, or the process that takes it is lost."""
        await self.do(turn.before)
        paused = await self._paused()
        used = 0 if paused is None or paused.usage is None else paused.usage.requests
        acting = Acting(self, turn)
        left = {End.OUT_OF_REQUESTS: len(turn.steps) + 1, End.ONE_REQUEST_TOO_MANY: len(turn.steps)}.get(turn.end)
        runner = acting.runner(UsageLimits(request_limit=None if left is None else used + left))
        run = await self._begin(runner, turn, paused)
        if run is not None:
            run.ended.add_done_callback(lambda _: acting.over.set())
            await acting.over.wait()
        await self.eventually(lambda: self._at_rest(acting))
        if acting.lost:
            self.database.lapse_claims(self.alice.tenant)
            self._lost.append(runner)
            return
        await runner.aclose()
        while self._lost:  # what was lost wakes, once another process has taken over
            await self._lost.pop().aclose()

    async def settle(self) -> None:
        """Let the agent hear of everything."""
        while self._lost or await self._paused() is not None:
            await self.take(Turn())
        await self.take(Turn())

    async def do(self, deeds: Sequence[Deed], run_id: str = "run_earlier") -> None:
        """Do these deeds, the agent's own in that run."""
        for deed in deeds:
            await self._do(deed, self._actor(deed.who, run_id))

    def words(self) -> str:
        """The words of a new message."""
        self.said.append(f"words {next(self._numbers)}.")
        return self.said[-1]

    async def _do(self, deed: Deed, actor: Actor) -> None:
        artifact_id = f"art_{deed.which}"
        match deed.what:
            case What.EDIT:
                named = self.thread_id if deed.odd else "thr_other"
                own = actor.thread_id if isinstance(actor, AgentActor) else named  # no other may an agent name [CM-06]
                await self.feed.edit(actor, artifact_id, thread_id=own)
            case What.ARCHIVE:
                await self.feed.archive(actor, artifact_id)
            case What.PROPOSE:
                await self.feed.propose(actor, artifact_id)
            case What.DECIDE if self.feed.open_proposals:
                proposed = self.feed.open_proposals[deed.which % len(self.feed.open_proposals)]
                await self.feed.decide(actor, proposed, accept=deed.odd)
            case What.FOCUS:
                followed = [f"art_{deed.which}", *(["art_1"] if deed.odd else [])]
                await self.alice.acting_as(actor).commit(
                    SetFocus(thread_id=self.thread_id, artifact_ids=tuple(self.feed.existing(followed)))
                )
            case What.INGEST:
                await self.alice.ingest(self.feed.head)
            case What.SAY:
                await self.alice.post_message(self.thread_id, self.words())
            case _:
                pass

    def _actor(self, who: Who, run_id: str) -> Actor:
        match who:
            case Who.ALICE:
                return self.alice.actor
            case Who.BOB:
                return UserActor(id="bob", name="Bob")
            case Who.AGENT:
                return AgentActor(thread_id=self.thread_id, run_id=run_id)
            case Who.OTHER_AGENT:
                return AgentActor(thread_id="thr_other", run_id="run_other", name="other agent")

    async def _begin(self, runner: AnyRunner, turn: Turn, paused: Run | None) -> AnyRun | None:
        """Do what makes the thread's next turn start, and answer the run that it is of."""
        if paused is None or turn.resumption is Resumption.MESSAGE:
            return (await runner.send(self.alice, self.thread_id, self.words())).run
        if turn.resumption is Resumption.STOP:
            await runner.stop(self.alice, paused.id)
            return None
        run = None
        for request in paused.open_requests:
            question, yes = request.kind is DeferredKind.QUESTION, turn.resumption is Resumption.ANSWERS
            answer = AnswerDeferred(
                run_id=paused.id,
                tool_call_id=request.tool_call_id,
                answer="On Monday." if question else "",
                approved=None if question else yes,
            )
            run = (await runner.answer(self.alice, answer)).run
        return run

    async def _at_rest(self, acting: Acting) -> bool:
        """Whether nothing is to do, or whoever should do it is lost."""
        if acting.lost:
            return True
        if await self.alice.next_turn(self.thread_id) is not None:
            return False  # asked before whether one runs: a turn that starts meanwhile is seen then
        runs = [run for _, run in await self.alice.runs(thread_id=self.thread_id)]
        return not [run for run in runs if run.status is RunStatus.RUNNING]

    async def _paused(self) -> Run | None:
        runs = [run for _, run in await self.alice.runs(thread_id=self.thread_id)]
        return runs[-1] if runs and runs[-1].status is RunStatus.PAUSED else None
