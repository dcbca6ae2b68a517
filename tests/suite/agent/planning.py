"""Alice and the agent of her thread, at work on plans and briefs: types of an application's own."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from artifactr import Applied, Artifact, ArtifactWorkspace, Runner, Session, TextArtifact, Workspace
from artifactr.core import CreateArtifact
from artifactr.core.events import Envelope, Event, RunEnded, ToolReturned
from artifactr.core.threads import Thread
from artifactr.testing import Answer, Script
from pydantic import BaseModel, Field
from pydantic_ai import Agent


class Task(BaseModel):
    title: str
    done: bool = False


class Plan(Artifact):
    """What is to be done."""

    title: str
    tasks: dict[str, Task] = Field(default_factory=dict)

    def add_task(self, title: str) -> None:
        """Add a task under the next free key."""
        self.tasks[f"t{len(self.tasks) + 1}"] = Task(title=title)

    def describe_change(self, before: Self) -> str:
        """The tasks that are new."""
        return "; ".join(f"added {self.tasks[key].title}" for key in self.tasks.keys() - before.tasks.keys())


class Brief(TextArtifact):
    """What a launch is about."""


class ReleaseNotes(TextArtifact):
    """What people read of a release, so that somebody looks at every change."""

    write_policy = "propose"


TYPES = (Plan, Brief, ReleaseNotes)


@dataclass(frozen=True)
class Planning:
    """A thread, its agent and its person."""

    alice: Workspace
    thread: Thread

    async def creates(self, artifact: Artifact) -> str:
        """Alice creates an artifact; its id."""
        outcome = await self.alice.commit(artifact.create())
        assert isinstance(outcome, Applied)
        return outcome.artifact_id

    async def changes_text(self, artifact_id: str, text: str) -> int:
        """Alice writes a brief anew; its new version."""
        brief = await self.alice.get(Brief, artifact_id)
        outcome = await self.alice.commit(brief.edit(lambda it: setattr(it, "text", text)))
        assert isinstance(outcome, Applied)
        return outcome.version

    async def ask(self, *answers: Answer, words: str = "Please.", types: Sequence[type[Artifact]] = TYPES) -> Script:
        """Send one message to an agent that gives these answers, and wait until its run has ended in whatever way."""
        script = Script(answers)
        agent = Agent(
            script.model,
            deps_type=Session[None],
            capabilities=[ArtifactWorkspace(types=types)],
        )
        async with Runner(agent, app=None) as runner:
            sent = await runner.send(self.alice, self.thread.id, words)
            assert sent.run is not None
            await asyncio.wait({sent.run.ended})
        return script

    async def log(self) -> list[Envelope]:
        """Everything on the log, and who did it."""
        return await self.alice.read()

    async def events(self) -> list[Event]:
        """Everything on the log."""
        return [envelope.event for envelope in await self.log()]

    async def returned(self) -> list[ToolReturned]:
        """How each tool call went."""
        return [event for event in await self.events() if isinstance(event, ToolReturned)]

    async def ended(self) -> RunEnded:
        """How the last run ended."""
        return [event for event in await self.events() if isinstance(event, RunEnded)][-1]

    async def focus(self) -> tuple[str, ...]:
        """What the thread follows."""
        return (await self.alice.thread(self.thread.id)).focus


def creation(**data: Any) -> CreateArtifact:  # noqa: ANN401 - JSON
    """A plan as a client writes it that knows no Python."""
    return CreateArtifact(kind="plan", data=data)
