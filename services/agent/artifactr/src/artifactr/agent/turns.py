"""The turns of one thread, one after another, as far as this process takes them [TH-08, RN-08, RN-20]."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from contextvars import Context
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic

from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.failpoints import failpoint
from lattice_chassis.telemetry import link_to, span
from pydantic_ai import AgentRunResult, DeferredToolRequests, RunCancelled
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.usage import RunUsage, UsageLimits

from artifactr.agent.deferred import results
from artifactr.agent.history import cut_off, load_history, stopped
from artifactr.agent.live import Live
from artifactr.agent.live_output import output_of
from artifactr.agent.record import RUN_STATUS, RUNS_ENDED
from artifactr.agent.run_handle import OutputT, RunHandle
from artifactr.agent.session import AppT, Session
from artifactr.agent.streaming import LiveAnswers
from artifactr.core.actors import AgentActor, Principal
from artifactr.core.events import RunStatus, RunTrigger
from artifactr.core.frames import RunKey
from artifactr.core.ids import new_id
from artifactr.core.rejections import ThreadBusy
from artifactr.core.runs import Run
from artifactr.core.threads import Claim, Reply, Stop
from artifactr.workspace import Workspace

SHUTDOWN: Final = "shutdown"
"""The reason of a run that was stopped since its process ends [RN-17]."""

_log: Final = logging.getLogger("artifactr.runs")


@dataclass(frozen=True, kw_only=True)
class AgentSetup(Generic[AppT, OutputT]):
    """What is the same for every turn of a runner."""

    agent: AbstractAgent[Session[AppT], OutputT]
    app: AppT
    agent_name: str
    claim_ttl: timedelta
    limits: UsageLimits
    max_running: int | None
    live: Live
    instrumentation: Instrumentation


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """A segment that is about to start: that of a new run, or of a paused one which goes on with its answers.

    `principal` is for whom it works, whoever had this process take the turn [SE-08]. `taken` is the log position of its
    prompt, 0 where it is resumed; `wished` are the keys under which whoever caused it waits for it, `causes` the
    traceparents of what led to it.
    """

    run_id: str
    principal: Principal
    prompt: str | None
    wished: Collection[str]
    causes: Collection[str]
    taken: int = 0
    resumed: Run | None = None

    @property
    def usage(self) -> RunUsage:
        """What the run has used of the model so far."""
        used = None if self.resumed is None else self.resumed.usage
        if used is None:
            return RunUsage()
        return RunUsage(requests=used.requests, input_tokens=used.input_tokens, output_tokens=used.output_tokens)


def traced_without_content() -> Instrumentation:
    """pydantic-ai's own spans, with ids and counts alone [TR-03]."""
    return Instrumentation(
        InstrumentationSettings(
            include_content=False, include_binary_content=False, include_model_request_parameters=False
        )
    )


class ThreadTurns(Generic[AppT, OutputT]):
    """Takes the messages of a thread in log order, each turn under a claim, until none waits.

    `forget` is called in the step in which it stops: whoever asks later must start anew.
    """

    def __init__(
        self,
        setup: AgentSetup[AppT, OutputT],
        workspace: Workspace,
        thread_id: str,
        forget: Callable[[], None],
        *,
        automatic: bool = False,
    ) -> None:
        self._setup = setup
        self._workspace = workspace
        self._thread_id = thread_id
        self._forget = forget
        self._wishes: dict[str, asyncio.Future[RunHandle[OutputT] | None]] = {}
        """Those who wait to learn which run their message or answer starts."""
        self._automatic = automatic
        """Nobody asked for these turns, so each is counted [RN-15]."""
        self._exhausted = False
        """What waits has to wait longer; the look for what was left behind finds it again [RN-15]."""
        self._asked_again = False
        self._stopping = False
        self._cut_short = False
        """The run was stopped since this process ends, and nobody asked for it."""
        self._planning = False
        self.running: RunHandle[OutputT] | None = None
        """The run that listens now: a message that is posted reaches it [TH-04]."""
        # A context of its own: neither the deadline nor the identity of whoever asked may reach into a run.
        self._task = asyncio.get_running_loop().create_task(self._take(), context=Context())
        self._task.add_done_callback(lambda _: self._finish())

    async def run_of(self, cause: str) -> RunHandle[OutputT] | None:
        """The run that starts by a posted message, or goes on by the last answer to it; None where none does here.

        `cause` is the id of the message or of the answered run.
        """
        wish = self._wishes.get(cause)  # a repeat of the same sending waits for the same run
        if wish is None:
            wish = self._wishes[cause] = asyncio.get_running_loop().create_future()
        self._asked_again = True
        self._automatic = False
        return await asyncio.shield(wish)

    def look_again(self) -> None:
        """Plan once more before it ends: something may have come that no turn has seen."""
        self._asked_again = True

    async def close(self, grace: timedelta) -> None:
        """Begin no run, and stop the one that has not ended within the grace.

        Returns once its end is recorded and the thread is free.
        """
        self._stopping = True
        if self.running is not None:
            await asyncio.wait({self._task}, timeout=grace.total_seconds())
        if self.running is not None:
            self._cut_short = True
            self.running.token.cancel()
        elif self._planning:  # and nowhere else: neither the record of an end nor the release may be cut off
            self._task.cancel()
        await asyncio.wait({self._task})

    async def _take(self) -> None:
        """Turn after turn. What keeps a turn from starting is logged: its message waits for the next one [TH-10]."""
        try:
            waiting = True
            while waiting:
                self._asked_again = self._exhausted = False
                async with self._workspace.holding_thread(self._thread_id, ttl=self._setup.claim_ttl) as claim:
                    try:
                        await self._turn(claim)
                    finally:
                        self._planning = False
                # Looked at after the release: a message that came while the claim was held found the thread busy.
                turn = await self._workspace.next_turn(self._thread_id)
                to_do = turn is not None and not self._exhausted
                waiting = (to_do or self._asked_again) and not self._stopping
        except ThreadBusy:
            pass  # whoever holds the thread takes what waits, now or after its release
        except PeerUnavailable as away:
            _log.warning("a turn did not start: %s", away, extra={"thread_id": self._thread_id})
        except Exception:  # noqa: BLE001 - nobody awaits this task
            _log.exception("a turn did not start, or its claim was lost", extra={"thread_id": self._thread_id})
        finally:
            self._finish()

    def _finish(self) -> None:
        """Answer whoever still waits; for a task that was cancelled before it began, too."""
        self._forget()
        self._grant((), None)

    def _grant(self, wished: Collection[str], handle: RunHandle[OutputT] | None) -> None:
        """Tell those who wait: the run to whoever caused it; to all others that theirs starts none, but steers."""
        for cause, wish in self._wishes.items():
            wish.set_result(handle if cause in wished else None)
        self._wishes.clear()

    async def _turn(self, claim: Claim) -> None:
        """One turn, in the order that keeps overtaken runs out [MP-21, 29.4 step 1].

        What fails before the start of the run is recorded propagates; what fails the run is its handle's to tell.
        """
        if self._stopping:
            return
        self._planning = True
        self._exhausted = await self._has_to_wait()
        if self._exhausted:
            return
        with span("turn", thread_id=self._thread_id):
            await self._take_turn(claim)

    async def _take_turn(self, claim: Claim) -> None:
        """What the turn is about, once it need not wait; its span is the root of its trace [TR-03]."""
        workspace = self._workspace
        failpoint("turn.claimed")
        await workspace.barrier(claim)
        lost = await workspace.abandon_runs(claim, cut_off)
        RUNS_ENDED.add(len(lost), {RUN_STATUS: RunStatus.FAILED.value})
        failpoint("turn.abandoned")
        plan = await self._plan(claim)
        if plan is None:
            return
        handle: RunHandle[OutputT] = RunHandle(plan.run_id)
        link_to(plan.causes)
        started = False

        def on_started() -> None:
            nonlocal started
            started = True
            self._planning = False
            self.running = handle
            self._grant(plan.wished, handle)

        def on_ending() -> None:
            self.running = None

        live, run = self._setup.live, RunKey(workspace=workspace.caller.key, run_id=handle.run_id)
        agent = AgentActor(thread_id=self._thread_id, run_id=handle.run_id, name=self._setup.agent_name)
        session = Session(
            workspace=workspace.acting_as(agent, claim, principal=plan.principal),
            thread_id=self._thread_id,
            run_id=handle.run_id,
            app=self._setup.app,
            live=output_of(live, run),
            trigger=RunTrigger.MESSAGE if plan.resumed is None else RunTrigger.RESUME,
            taken=plan.taken,
            resumed=plan.resumed,
            claim=claim,
            on_started=on_started,
            on_ending=on_ending,
            why_stopped=lambda: SHUTDOWN if self._cut_short else "",
        )
        live.begin(run)
        paused = False
        try:
            result = await self._run(session, plan, handle)
            paused = isinstance(result.output, DeferredToolRequests)
        except Exception:
            if not started:
                raise
        finally:
            leave = live.pause if paused or not started else live.end
            leave(run)

    async def _plan(self, claim: Claim) -> _Plan | None:
        """What the thread has to do next; None for nothing, or for what has to wait."""
        workspace = self._workspace
        turn = await workspace.next_turn(self._thread_id)
        if isinstance(turn, Stop):
            await workspace.stop_paused(claim, turn.run.id, stopped)
            RUNS_ENDED.add(1, {RUN_STATUS: RunStatus.STOPPED.value})
            return None
        if turn is None:
            return None
        if isinstance(turn, Reply):
            return await self._resumption(claim, turn)
        message = turn.message
        return _Plan(
            run_id=new_id("run"),
            principal=message.principal,
            prompt=message.content,
            taken=message.log_sequence,
            wished=[message.id],
            causes=[message.traceparent],
        )

    async def _resumption(self, claim: Claim, turn: Reply) -> _Plan | None:
        """The paused run with its answers, to which the message is the reply, if there is one [TH-04]."""
        run, wished = turn.run, [turn.run.id]
        if turn.message is not None:
            run = await self._workspace.reply(claim, run.id, turn.message)
            failpoint("turn.replied")
            wished.append(turn.message.id)
        if run.open_requests:
            return None
        heard = [(await self._workspace.message(it)).content for it in run.heard]
        causes = await self._workspace.traces_of_pause(run.id)
        if turn.message is not None:
            causes.append(turn.message.traceparent)
        return _Plan(
            run_id=run.id,
            principal=run.principal,
            prompt="\n\n".join(heard) or None,
            resumed=run,
            wished=wished,
            causes=causes,
        )

    async def _has_to_wait(self) -> bool:
        """Whether the tenant has no room for another run, or this turn had all of those that nobody asks for [TH-10].

        Such a turn is counted before anything of it can fail.
        """
        limit = self._setup.max_running
        if limit is None and not self._automatic:
            return False
        turn = await self._workspace.next_turn(self._thread_id)
        if turn is None or isinstance(turn, Stop):
            return False
        # What this thread has running is nobody's any more: its claim is ours.
        if limit is not None and await self._workspace.running_in_tenant(besides=self._thread_id) >= limit:
            _log.warning("a turn waits: the tenant has %d runs running", limit, extra={"thread_id": self._thread_id})
            return True
        return self._automatic and not await self._workspace.count_automatic_turn(turn)

    @asynccontextmanager
    async def _heeding_stops(self, handle: RunHandle[OutputT]) -> AsyncIterator[None]:
        """Stop the run once anybody asks for it, in whichever process [RN-16]."""

        async def heed() -> None:
            await self._workspace.stop_of(handle.run_id, look=self._setup.claim_ttl / 3)
            handle.token.cancel()

        heeding = asyncio.create_task(heed(), name=f"stop of {handle.run_id}")
        try:
            yield
        finally:
            heeding.cancel()
            await asyncio.wait([heeding])

    async def _run(self, session: Session[AppT], plan: _Plan, handle: RunHandle[OutputT]) -> AgentRunResult[OutputT]:
        """The segment in the trace of its turn; its handle learns how it ended."""
        try:
            async with self._heeding_stops(handle):
                with span("run", run_id=session.run_id, thread_id=session.thread_id):
                    result = await self._setup.agent.run(
                        plan.prompt,
                        deferred_tool_results=None if plan.resumed is None else results(plan.resumed),
                        usage=plan.usage,
                        usage_limits=self._setup.limits,
                        deps=session,
                        message_history=await load_history(session.workspace, session.thread_id),
                        conversation_id=session.thread_id,
                        cancellation_token=handle.token,
                        capabilities=[
                            self._setup.instrumentation,
                            LiveAnswers(session.live, streams=self._setup.live.streams),
                        ],
                    )
        except asyncio.CancelledError as error:
            handle.ended.set_exception(RunCancelled.from_cancellation(error) or RunCancelled("the run was cut off"))
            raise
        except Exception as error:
            handle.ended.set_exception(error)
            raise
        handle.ended.set_result(result)
        return result
