"""A launch checklist that people and an agent keep together: a whole application on Lattice.

Serve it with `LATTICE_MODEL=… lattice-agent serve checklist:runner`, and talk to it with `lattice agent send`.
Test it with `pytest examples/checklist`, as `conftest.py` and `test_checklist.py` show.
"""

import os
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from artifactr import Artifact, ArtifactWorkspace, Runner, Session
from artifactr.agent import describe_outcome, submit
from pydantic import BaseModel, Field, model_validator
from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset, ModelRetry, RunContext


class Item(BaseModel):
    """One thing to do."""

    owner: str = ""
    due: date | None = None
    done: bool = False


class Checklist(Artifact):
    """What has to be done before a launch, by title."""

    launch: date
    items: dict[str, Item] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _nothing_is_due_after_the_launch(self) -> Self:
        late = [title for title, item in self.items.items() if item.due is not None and item.due > self.launch]
        if late:
            raise ValueError(f"due after the launch on {self.launch}: {', '.join(late)}")
        return self

    def add(self, title: str, item: Item) -> None:
        """Add an item, or put it in the place of the one of that title."""
        self.items[title] = item

    def finish(self, title: str) -> None:
        """Mark an item as done; KeyError where there is none of that title."""
        self.items[title].done = True

    def render_for_agent(self) -> str:
        """The list as people read it, which takes fewer tokens than JSON."""
        lines = [f"Launch on {self.launch}."]
        for title, item in self.items.items():
            owner = f" ({item.owner})" if item.owner else ""
            due = f", due {item.due}" if item.due else ""
            lines.append(f"[{'x' if item.done else ' '}] {title}{owner}{due}")
        return "\n".join(lines)

    def describe_change(self, before: Self) -> str:
        """What notes and the history of the artifact say of a change."""
        added = [f"added {title}" for title in self.items.keys() - before.items.keys()]
        done = [
            f"finished {title}"
            for title, item in self.items.items()
            if item.done and title in before.items and not before.items[title].done
        ]
        return "; ".join([*added, *done])


@dataclass
class Announcements:
    """Where the application announces things; a real one would call some service."""

    sent: list[str] = field(default_factory=list)


tools = FunctionToolset[Session[Announcements]]()


@tools.tool
async def add_item(
    ctx: RunContext[Session[Announcements]], checklist_id: str, title: str, owner: str = "", due: date | None = None
) -> str:
    """Add an item to a checklist.

    Args:
        ctx: The run.
        checklist_id: The checklist's id.
        title: What is to be done.
        owner: Who does it.
        due: Until when, at the latest on the day of the launch.
    """
    checklist = await ctx.deps.workspace.get(Checklist, checklist_id)
    if title in checklist.items:
        raise ModelRetry(f"{title} is on the list already. Choose another title.")
    # Were it due after the launch, this would raise a rejection, which the model is told as it stands.
    change = checklist.edit(lambda it: it.add(title, Item(owner=owner, due=due)))
    return describe_outcome(await submit(ctx.deps.workspace, change))


@tools.tool(requires_approval=True)
async def announce(ctx: RunContext[Session[Announcements]], text: str) -> str:
    """Announce something to everybody; a person has to agree first.

    Args:
        ctx: The run.
        text: What to announce.
    """
    ctx.deps.app.sent.append(text)
    return "Announced."


agent: Agent[Session[Announcements], str | DeferredToolRequests] = Agent(
    os.environ.get("LATTICE_MODEL"),
    deps_type=Session[Announcements],
    output_type=[str, DeferredToolRequests],
    instructions="You keep the checklist of a launch. Ask who owns an item where nobody said so.",
    toolsets=[tools],
    capabilities=[ArtifactWorkspace(types=[Checklist], ask=True)],
)
runner = Runner(agent, app=Announcements(), agent_name="checklist keeper")
