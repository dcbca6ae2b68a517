"""Runs the agent of each thread: a message means one thing wherever it comes from [TH-04].

One run is active in a thread, by a claim in storage, whatever the process [RN-08]. A run is a task of the process that
started it and outlives whoever asked for it [RN-19].
"""

import asyncio
import logging
from contextvars import Context
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from lattice_chassis.errors import ShuttingDown
from lattice_chassis.telemetry import current_traceparent, span
from pydantic_ai import AgentRunResult, CancellationToken, RunCancelled
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings

from artifactr.agent.history import cut_off, load_history
from artifactr.agent.session import AppT, Session
from artifactr.core.actors import AgentActor
from artifactr.core.commands import PostMessage, Recorded
from artifactr.core.events import RunTrigger
from artifactr.core.ids import new_id
from artifactr.core.rejections import ThreadBusy
from artifactr.core.threads import Claim, Message, Prompt
from artifactr.workspace import Request, Workspace

OutputT = TypeVar("OutputT")

_log = logging.getLogger(__name__)


class RunHandle(Generic[OutputT]):
    """A run that this process executes."""

    def __init__(self, run_id: str, message: Message) -> None:
        self.run_id = run_id
        self.message = message
        """The message that is its prompt."""
        self.token = CancellationToken()
        self.ended: asyncio.Future[AgentRunResult[OutputT]] = asyncio.get_running_loop().create_future()
        self.ended.add_done_callback(_seen)

    async def wait(self) -> AgentRunResult[OutputT]:
        """The result, once the run finished or paused; cancelling the waiter leaves the run alone [RN-19, RN-21].

        Raises:
            RunCancelled: the run was stopped.
            Exception: what failed it.
        """
        return await asyncio.shield(self.ended)


@dataclass(frozen=True, kw_only=True)
class Sent(Generic[OutputT]):
    """A recorded message and the run that it started; none is no failure: the message steers a running one [TH-06]."""

    outcome: Recorded
    run: RunHandle[OutputT] | None


class Runner(Generic[AppT, OutputT]):
    """Runs one pydantic-ai agent in threads. Close it, or use it as an async context manager; that stops its runs.

    Args:
        agent: an agent whose dependencies are a `Session` and which has the capability `ArtifactWorkspace`.
        app: the application's own dependencies, handed to every run as `ctx.deps.app`.
        agent_name: how the agent is named in the workspace.
        claim_ttl: how long the claim on a thread survives a dead process; it is renewed every third of it [RN-09].
    """

    def __init__(
        self,
        agent: AbstractAgent[Session[AppT], OutputT],
        *,
        app: AppT,
        agent_name: str = "assistant",
        claim_ttl: timedelta = timedelta(seconds=30),
    ) -> None:
        self._agent = agent
        self._app = app
        self._agent_name = agent_name
        self._claim_ttl = claim_ttl
        self._instrumentation = Instrumentation(
            InstrumentationSettings(
                include_content=False, include_binary_content=False, include_model_request_parameters=False
            )
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._runs: dict[tuple[str, str, str], RunHandle[OutputT]] = {}
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def send(
        self,
        workspace: Workspace,
        thread_id: str,
        content: str,
        *,
        message_id: str = "",
        request: Request | None = None,
    ) -> Sent[OutputT]:
        """Post a message as the handle's actor and act on it [TH-04, TH-06].

        In an idle thread it starts a run; where the thread is claimed, here or elsewhere, it steers the run there
        [TH-05]. It is recorded even if no run can start, and then taken by the next turn [TH-08].

        Raises:
            Rejection: the message is refused; nothing is recorded.
            ShuttingDown: the runner is closed.
        """
        if self._closed:
            raise ShuttingDown
        outcome = await workspace.commit(
            PostMessage(thread_id=thread_id, content=content, message_id=message_id, through_runner=True),
            request=request,
        )
        started = await self._next_run(workspace, thread_id)
        return Sent(outcome=outcome, run=started if started and started.message.id == outcome.id else None)

    async def stop(self, workspace: Workspace, run_id: str) -> bool:
        """Stop a run of this process; true once its end is recorded, false when it runs elsewhere or not at all."""
        handle = self._runs.get((workspace.tenant, workspace.workspace, run_id))
        if handle is None:
            return False
        handle.token.cancel()
        await asyncio.wait({handle.ended})
        return True

    async def aclose(self) -> None:
        """Stop every run and start none; returns once their ends are recorded [RN-20]."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _next_run(self, workspace: Workspace, thread_id: str) -> RunHandle[OutputT] | None:
        """The run that the thread's next turn starts, once its start is recorded; None where none starts here."""
        started: asyncio.Future[RunHandle[OutputT] | None] = asyncio.get_running_loop().create_future()
        turns = self._turns(workspace, thread_id, started, current_traceparent())
        # A context of its own: neither the deadline nor the identity of whoever asked may reach into the run.
        task = asyncio.get_running_loop().create_task(turns, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(started)

    async def _turns(
        self,
        workspace: Workspace,
        thread_id: str,
        started: asyncio.Future[RunHandle[OutputT] | None],
        cause: str | None,
    ) -> None:
        """Turn after turn, until no message waits that this process may take [RN-20]."""
        try:
            waiting = True
            while waiting:
                async with workspace.holding_thread(thread_id, ttl=self._claim_ttl) as claim:
                    await self._turn(workspace, claim, started, cause)
                # Looked at after the release: a message that came while the claim was held found the thread busy.
                waiting = isinstance(await workspace.next_turn(thread_id), Prompt)
        except ThreadBusy:
            pass  # whoever holds the thread takes the message, now or after its release
        except Exception:  # noqa: BLE001 - nobody awaits this task; the message waits for the next turn [TH-10]
            _log.exception("a turn did not start or was overtaken", extra={"thread_id": thread_id})
        finally:
            if not started.done():
                started.set_result(None)

    async def _turn(
        self,
        workspace: Workspace,
        claim: Claim,
        started: asyncio.Future[RunHandle[OutputT] | None],
        cause: str | None,
    ) -> None:
        """One turn under a claim, in the order that keeps overtaken runs out [MP-21, 29.4 step 1].

        What fails before the run's start is recorded propagates; what fails the run is its handle's to tell.
        """
        await workspace.barrier(claim)
        await workspace.abandon_runs(claim, cut_off)
        turn = await workspace.next_turn(claim.thread_id)
        if not isinstance(turn, Prompt):
            return
        handle: RunHandle[OutputT] = RunHandle(new_id("run"), turn.message)
        begun = asyncio.Event()

        def on_started() -> None:
            begun.set()
            if not started.done():
                started.set_result(handle)

        agent = AgentActor(thread_id=claim.thread_id, run_id=handle.run_id, name=self._agent_name)
        session = Session(
            workspace=workspace.acting_as(agent),
            thread_id=claim.thread_id,
            run_id=handle.run_id,
            app=self._app,
            trigger=RunTrigger.MESSAGE,
            taken=turn.message.log_sequence,
            claim=claim,
            on_started=on_started,
        )
        key = (workspace.tenant, workspace.workspace, handle.run_id)
        self._runs[key] = handle
        try:
            await self._run(session, handle, cause)
        except Exception:
            if not begun.is_set():
                raise
        finally:
            del self._runs[key]

    async def _run(self, session: Session[AppT], handle: RunHandle[OutputT], cause: str | None) -> None:
        """The run in a trace of its own, linked to what caused it [TR-03]; its handle learns how it ended."""
        links = [] if cause is None else [cause]
        try:
            with span("run", links=links, run_id=session.run_id, thread_id=session.thread_id):
                result = await self._agent.run(
                    handle.message.content,
                    deps=session,
                    message_history=await load_history(session.workspace, session.thread_id),
                    conversation_id=session.thread_id,
                    cancellation_token=handle.token,
                    capabilities=[self._instrumentation],
                )
        except asyncio.CancelledError as error:
            handle.ended.set_exception(RunCancelled.from_cancellation(error) or RunCancelled("the run was stopped"))
            raise
        except Exception as error:
            handle.ended.set_exception(error)
            raise
        handle.ended.set_result(result)


def _seen(ended: asyncio.Future[AgentRunResult[Any]]) -> None:
    """Nobody has to wait for a run: an error that nobody fetched is on the record all the same."""
    if not ended.cancelled():
        ended.exception()
