"""Runs the agent of each thread: a message means one thing wherever it comes from [TH-04].

One run is active in a thread, by a claim in storage, whatever the process [RN-08]. A run is a task of the process that
started it and outlives whoever asked for it [RN-19].
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Final, Generic, Self

from lattice_chassis.errors import ShuttingDown
from lattice_chassis.failpoints import failpoint
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.usage import UsageLimits

from artifactr.agent.capability import ArtifactWorkspace
from artifactr.agent.live import Live, LiveBuffers, until
from artifactr.agent.run_handle import OutputT, RunHandle
from artifactr.agent.session import AppT, Session
from artifactr.agent.turns import AgentSetup, ThreadTurns, traced_without_content
from artifactr.core.artifacts import Artifact
from artifactr.core.commands import AnswerDeferred, PostMessage, Recorded
from artifactr.core.frames import Frame, RunKey
from artifactr.core.rejections import InvalidState
from artifactr.core.runs import ENDS
from artifactr.core.threads import Thread, can_name_an_agent
from artifactr.workspace import Request, Workspace

STOP_PATIENCE: Final = timedelta(seconds=5)
"""How long a stop waits for the end of the run, unless said otherwise."""

_ThreadKey = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class Sent(Generic[OutputT]):
    """A recorded message or answer, and the run that it started or resumed [CM-08].

    None is no failure: a message steers a running run, an answer waits for the others [TH-06, PA-07].
    """

    outcome: Recorded
    run: RunHandle[OutputT] | None


class Runner(Generic[AppT, OutputT]):
    """Runs one pydantic-ai agent in threads. Close it, or use it as an async context manager; that stops its runs.

    A program that runs one without `lattice-agent` has its types registered by `Workspaces.registering`.

    Args:
        agent: an agent whose dependencies are a `Session` and which has the capability `ArtifactWorkspace`.
        app: the application's own dependencies, handed to every run as `ctx.deps.app`.
        agent_name: how the agent is named in the workspace; threads that name another are not its own [TH-15].
        claim_ttl: how long the claim on a thread survives a dead process; it is renewed every third of it [RN-09].
        limits: what one run may use of the model, its pauses included; a run that passes them fails. 50 requests
            unless said otherwise.
        max_running: how many runs of a tenant may run at once, in all processes; None for any number. What is more
            waits, and is taken up by the look for what was left behind. Runs that start at one moment may pass it.
        live: where live output goes; buffers of its own unless given [LO-02].
    """

    def __init__(
        self,
        agent: AbstractAgent[Session[AppT], OutputT],
        *,
        app: AppT,
        agent_name: str = "assistant",
        claim_ttl: timedelta = timedelta(seconds=30),
        limits: UsageLimits | None = None,
        max_running: int | None = None,
        live: Live | None = None,
    ) -> None:
        if not can_name_an_agent(agent_name):
            raise ValueError(f"no agent can be named {agent_name!r}")
        self.live: Final = LiveBuffers() if live is None else live
        """Where the live output of its runs goes."""
        self._setup = AgentSetup(
            agent=agent,
            app=app,
            agent_name=agent_name,
            claim_ttl=claim_ttl,
            limits=limits or UsageLimits(request_limit=50),
            max_running=max_running,
            live=self.live,
            instrumentation=traced_without_content(),
        )
        self._threads: dict[_ThreadKey, ThreadTurns[AppT, OutputT]] = {}
        self._closed = False

    @property
    def agent_name(self) -> str:
        """The name by which threads know its agent."""
        return self._setup.agent_name

    @property
    def description(self) -> str:
        """What its agent is for, as its `description` says; empty where it has none."""
        return self._setup.agent.description or ""

    @property
    def types(self) -> tuple[type[Artifact], ...]:
        """The artifact types that its agent may create, which files has to know: see `Workspaces.registering`."""
        found: list[type[Artifact]] = []

        def visit(capability: object) -> None:
            if isinstance(capability, ArtifactWorkspace):
                found.extend(capability.types)

        self._setup.agent.root_capability.apply(visit)
        return tuple(found)

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

        In an idle thread it starts a run. Where one runs, here or elsewhere, it steers that run [TH-05]. Where one is
        paused it is the reply, and resumes it [PA-06]. It is recorded even if no run can start, and then taken by the
        next turn [TH-08, TH-10].

        Raises:
            InvalidState: the thread names another agent; nothing is recorded [TH-15].
            Rejection: the message is refused; nothing is recorded.
            ShuttingDown: the runner is closed.
        """
        if self._closed:
            raise ShuttingDown
        await self._require_own(workspace, thread_id)
        outcome = await workspace.commit(
            PostMessage(thread_id=thread_id, content=content, message_id=message_id, through_runner=True),
            request=request,
        )
        failpoint("message.committed")
        if self._closed:  # meanwhile: nobody would end what began now
            return Sent(outcome=outcome, run=None)
        turns = self._turns_of(workspace, thread_id)
        return Sent(outcome=outcome, run=await turns.run_of(outcome.id) if turns.running is None else None)

    async def answer(
        self, workspace: Workspace, command: AnswerDeferred, *, request: Request | None = None
    ) -> Sent[OutputT]:
        """Answer an open request of a paused run as the handle's actor; the last answer resumes the run [PA-03, PA-05].

        Raises:
            NotFound: there is no such run, or no such request in it.
            InvalidState: the run is not paused, the request is answered, or the answer is of the wrong kind [PA-04];
                or the run's thread names another agent [TH-15].
            Forbidden: the actor may not answer it [AMB-28].
            ShuttingDown: the runner is closed.
        """
        if self._closed:
            raise ShuttingDown
        await self._require_own(workspace, (await workspace.run(command.run_id)).thread_id)
        outcome = await workspace.commit(command, request=request)
        failpoint("answer.committed")
        resumes = outcome.resumes and not self._closed
        turns = self._turns_of(workspace, outcome.thread.id) if resumes else None
        return Sent(outcome=outcome, run=None if turns is None else await turns.run_of(command.run_id))

    def take_up(self, workspace: Workspace, thread_id: str) -> None:
        """Take up what waits in a thread of its agent that nobody asked about [RN-15]."""
        if not self._closed:
            self._turns_of(workspace, thread_id, automatic=True).look_again()

    async def stop(
        self,
        workspace: Workspace,
        run_id: str,
        *,
        patience: timedelta = STOP_PATIENCE,
        request: Request | None = None,
    ) -> bool:
        """Stop a run that is running or paused, whichever process executes it [RN-02, RN-16].

        True once its end is recorded; false where that takes longer than `patience`: it is asked to stop for good. A
        `request` is remembered with the wish, whether or not its end is waited for [ID-03].

        Raises:
            NotFound: there is no such run.
            InvalidState: it has ended.
        """
        run = await workspace.run(run_id)
        if run.status in ENDS:
            raise InvalidState(why=f"run {run_id} is {run.status}")
        await workspace.request_stop(run_id, request)
        if self._is_own(await workspace.thread(run.thread_id)):
            self.take_up(workspace, run.thread_id)  # what nobody holds, as a paused run, is ended by a turn of its own
        try:
            async with asyncio.timeout(patience.total_seconds()):
                await workspace.end_of(run_id)
        except TimeoutError:
            return False
        return True

    async def watch(self, workspace: Workspace, run_id: str) -> AsyncGenerator[Frame, None]:
        """What a run produces while this process executes it: first what there was, then the rest [LO-01, LO-04].

        It lasts until the run's end, through pauses, and tells nothing of what another process executes. A slow reader
        loses the oldest frames; for a run that has ended it ends at once [LO-02]. Close it, as by
        `contextlib.aclosing`, where it is left before its end.

        Raises:
            NotFound: there is no such run.
        """
        if (await workspace.run(run_id)).status in ENDS:
            return
        ended = asyncio.create_task(workspace.end_of(run_id))
        frames = self.live.watch(RunKey(workspace=workspace.caller.key, run_id=run_id))
        try:
            async with aclosing(frames), aclosing(until(ended, frames)) as shown:
                async for frame in shown:
                    yield frame
        finally:
            ended.cancel()

    async def aclose(self, *, grace: timedelta = timedelta(0)) -> None:
        """Start no run, and stop those that have not ended within the grace [RN-20].

        It returns once all ends are recorded. What is stopped so has the reason "shutdown" [RN-17]; its thread goes on
        elsewhere.
        """
        self._closed = True
        await asyncio.gather(*(turns.close(grace) for turns in self._threads.values()))

    async def _require_own(self, workspace: Workspace, thread_id: str) -> None:
        thread = await workspace.thread(thread_id)
        if not self._is_own(thread):
            raise InvalidState(why=f"thread {thread_id} is the agent {thread.agent_name}'s, not {self.agent_name}'s")

    def _is_own(self, thread: Thread) -> bool:
        return thread.agent_name in {self.agent_name, ""}

    def _turns_of(self, workspace: Workspace, thread_id: str, *, automatic: bool = False) -> ThreadTurns[AppT, OutputT]:
        """The turns of a thread that this process takes, begun where there are none."""
        key = (workspace.tenant, workspace.workspace, thread_id)
        known = self._threads.get(key)
        if known is not None:
            return known

        def forget() -> None:
            if self._threads.get(key) is turns:
                del self._threads[key]

        turns = self._threads[key] = ThreadTurns(self._setup, workspace, thread_id, forget, automatic=automatic)
        return turns
