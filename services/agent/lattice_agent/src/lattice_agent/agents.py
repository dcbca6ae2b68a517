"""The agents that a replica serves: what is said in a thread goes to the agent that the thread names [TH-13, TH-14]."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from types import TracebackType
from typing import Any, Final, Self

from artifactr import Artifact, Runner, Sent, Workspace, Workspaces
from artifactr.agent.live import Live
from artifactr.agent.recovery import recovering
from artifactr.core.commands import AnswerDeferred, CreateThread, PostMessage, Recorded
from artifactr.core.rejections import NotFound
from artifactr.workspace import Request

_log: Final = logging.getLogger("lattice.agent")


class AgentsRefused(Exception):
    """Two runners cannot be served side by side: they share a name, or declare one kind of artifact differently."""


class Agents:
    """Runners by the names of their agents, the first one the default.

    As an async context manager it closes them, and gives what runs then `grace` to end by itself [RN-20].

    Raises AgentsRefused where two of them cannot be served side by side.
    """

    def __init__(self, runners: Sequence[Runner[Any, Any]], *, grace: timedelta = timedelta(0)) -> None:
        self._runners = {it.agent_name: it for it in runners}
        if len(self._runners) < len(runners):
            names = ", ".join(it.agent_name for it in runners)
            raise AgentsRefused(f"two agents have one name among {names}: give each Runner an agent_name of its own")
        self._default = runners[0]
        self._grace = grace
        self._types = _types_of(runners)

    @property
    def runners(self) -> Sequence[Runner[Any, Any]]:
        """Each agent's, the default's first."""
        return tuple(self._runners.values())

    @property
    def types(self) -> Collection[type[Artifact]]:
        """The artifact types that any of the agents may create, one of each kind."""
        return self._types

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await asyncio.gather(*(runner.aclose(grace=self._grace) for runner in self.runners))

    @asynccontextmanager
    async def recovering(self, workspaces: Workspaces, *, every: timedelta) -> AsyncIterator[None]:
        """Have each agent take up what was left behind in its own threads, until the block is left [RN-15]."""
        async with AsyncExitStack() as looks:
            for runner in self.runners:
                look = recovering(runner, workspaces, every=every, unnamed=runner is self._default)
                await looks.enter_async_context(look)
            yield

    async def create_thread(self, workspace: Workspace, command: CreateThread, request: Request) -> Recorded:
        """Create a thread of a served agent, the default where the command names none; NotFound for any other.

        A repeat is answered as the first call was, also where another replica answered that [ID-03].
        """
        named = replace(command, agent_name=command.agent_name or self._default.agent_name)
        if named.agent_name not in self._runners and await workspace.remembered(request) is None:
            raise NotFound(entity="agent", id=named.agent_name)
        return await workspace.commit(named, request=request)

    async def send(
        self, workspace: Workspace, thread_id: str, content: str, *, message_id: str, request: Request
    ) -> Sent[Any]:
        """Post a message, as `Runner.send` does; where the thread's agent is served elsewhere it is recorded."""
        runner = await self.runner_of(workspace, thread_id)
        if runner is not None:
            return await runner.send(workspace, thread_id, content, message_id=message_id, request=request)
        command = PostMessage(thread_id=thread_id, content=content, message_id=message_id, through_runner=True)
        return await _recorded(workspace, command, request)

    async def answer(self, workspace: Workspace, command: AnswerDeferred, *, request: Request) -> Sent[Any]:
        """Answer a paused run, as `Runner.answer` does; where its agent is served elsewhere the answer is recorded."""
        runner = await self.runner_of(workspace, (await workspace.run(command.run_id)).thread_id)
        if runner is not None:
            return await runner.answer(workspace, command, request=request)
        return await _recorded(workspace, command, request)

    async def stop(self, workspace: Workspace, run_id: str, *, request: Request) -> bool:
        """Stop a run, whichever process executes it, as `Runner.stop` does."""
        runner = await self.runner_of(workspace, (await workspace.run(run_id)).thread_id)
        return await (runner or self._default).stop(workspace, run_id, request=request)

    async def live_of(self, workspace: Workspace, run_id: str) -> Live:
        """Where the live output of a run goes here; NotFound where there is no such run."""
        runner = await self.runner_of(workspace, (await workspace.run(run_id)).thread_id)
        return (runner or self._default).live

    async def runner_of(self, workspace: Workspace, thread_id: str) -> Runner[Any, Any] | None:
        """The runner of a thread's agent, the default's where it names none; None where that is not served here.

        Raises NotFound where there is no such thread.
        """
        return self._runners.get((await workspace.thread(thread_id)).agent_name or self._default.agent_name)


async def _recorded(workspace: Workspace, command: PostMessage | AnswerDeferred, request: Request) -> Sent[Any]:
    """Record what a replica that serves the agent hears at once if it runs there, or takes up later [TH-14]."""
    outcome = await workspace.commit(command, request=request)
    thread = outcome.thread
    _log.warning("a thread's agent %s is not served here", thread.agent_name, extra={"thread_id": thread.id})
    return Sent(outcome=outcome, run=None)


def _types_of(runners: Sequence[Runner[Any, Any]]) -> Collection[type[Artifact]]:
    """The types of all runners, one of each kind; AgentsRefused where files would be told two things about a kind."""
    found: dict[str, type[Artifact]] = {}
    for runner in runners:
        for declared in runner.types:
            first = found.setdefault(declared.kind, declared)
            if (first.json_schema(), first.write_policy) != (declared.json_schema(), declared.write_policy):
                raise AgentsRefused(f"{runner.agent_name} declares the kind {declared.kind} otherwise than another")
    return found.values()
