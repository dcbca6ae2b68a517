"""What one run of an agent stands on: its dependencies, as pydantic-ai hands them to every tool."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

from artifactr.agent.live_output import LiveOutput, nowhere
from artifactr.core.actors import AgentActor
from artifactr.core.events import RunTrigger
from artifactr.core.ids import new_id
from artifactr.core.runs import Run
from artifactr.core.threads import Claim
from artifactr.workspace import Workspace

AppT = TypeVar("AppT")


@dataclass(frozen=True, kw_only=True)
class Session(Generic[AppT]):
    """The dependencies of a run: a handle that acts as the thread's agent, where it runs, and the application's own.

    The runner makes one for each run; `start` makes one for a run without a runner [RN-18, RN-22].
    """

    workspace: Workspace
    """Acts as the agent of this thread and run, so every change is attributed to it [AC-06]."""
    thread_id: str
    run_id: str
    app: AppT
    """The application's own dependencies."""
    live: LiveOutput = field(default_factory=nowhere, repr=False)
    """What tools may show to whoever watches the run; without a runner nobody does [LO-01]."""
    trigger: RunTrigger = RunTrigger.API
    taken: int = 0
    """The log position of the message that is the run's prompt; 0 for a run that no message started."""
    resumed: Run | None = None
    """The paused run that this segment goes on with, with its answers; None for the first segment of a run."""
    claim: Claim | None = None
    """The run's right to the thread; a run without a runner has none."""
    on_started: Callable[[], None] = field(default=lambda: None, repr=False)
    """Told once the start of the run is recorded."""
    on_ending: Callable[[], None] = field(default=lambda: None, repr=False)
    """Told when the run hears no more, before its end is recorded."""
    why_stopped: Callable[[], str] = field(default=str, repr=False)
    """Asked where the run is cancelled: the short code that its end has as reason, empty where a person stopped it."""

    @classmethod
    def start(cls, workspace: Workspace, thread_id: str, *, app: AppT, agent_name: str = "assistant") -> Self:
        """A session for a run without a runner: recorded with trigger `api`, in no claim [RN-18].

        Args:
            workspace: any handle of the workspace; the run acts as the thread's agent, on behalf of whoever the
                handle acts for [SE-08].
            thread_id: the thread whose agent runs.
            app: the application's own dependencies.
            agent_name: how the agent is named in the workspace.
        """
        run_id = new_id("run")
        agent = AgentActor(thread_id=thread_id, run_id=run_id, name=agent_name)
        return cls(workspace=workspace.acting_as(agent), thread_id=thread_id, run_id=run_id, app=app)

    async def follow(self, artifact_id: str) -> None:
        """Add an artifact to the thread's focus; again is harmless [TH-03]."""
        await self.workspace.follow(self.thread_id, artifact_id)
