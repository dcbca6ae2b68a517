"""What the program serves in these tests: an agent that acts, asks twice, spends with leave, and reports.

Its model goes by the history alone, so that any process can go on where another died. Every effect of a tool is a line
in the file that LATTICE_TEST_EFFECTS names: the id of the call. What it does is noted in an artifact, too.
"""

import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from artifactr import ArtifactWorkspace, Runner, Session
from artifactr.core import CreateArtifact
from pydantic_ai import (
    Agent,
    DeferredToolRequests,
    ModelMessage,
    ModelResponse,
    RunContext,
    TextPart,
    Tool,
    ToolCallPart,
)
from pydantic_ai.messages import ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

STEPS: Sequence[tuple[str, dict[str, object]]] = (
    ("act", {"what": "clean up"}),
    ("ask_user", {"question": "When?"}),
    ("ask_user", {"question": "Where?"}),
    ("spend", {"euros": 500}),
)
EFFECTS = "LATTICE_TEST_EFFECTS"


async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Take the first step that was not taken since somebody said "go"."""
    parts = [part for message in messages for part in message.parts]
    asked = max(
        place for place, it in enumerate(parts) if isinstance(it, UserPromptPart) and str(it.content).startswith("go")
    )
    taken = sum(isinstance(it, ToolReturnPart) and it.outcome == "success" for it in parts[asked:])
    if taken == len(STEPS):
        return ModelResponse(parts=[TextPart(content="All done.")])
    tool, arguments = STEPS[taken]
    return ModelResponse(parts=[ToolCallPart(tool_name=tool, args=dict(arguments))])


async def act(ctx: RunContext[Session[None]], what: str) -> str:
    """Do something."""
    await _take_effect(ctx)
    return f"did {what}"


async def spend(ctx: RunContext[Session[None]], euros: int) -> str:
    """Spend money."""
    await _take_effect(ctx)
    return f"spent {euros}"


async def _take_effect(ctx: RunContext[Session[None]]) -> None:
    _write_down(f"{ctx.tool_call_id}\n")
    await ctx.deps.workspace.commit(CreateArtifact(kind="note", data={"call": ctx.tool_call_id}))


def _write_down(line: str) -> None:
    with Path(os.environ[EFFECTS]).open("a") as effects:
        effects.write(line)


agent = Agent(
    FunctionModel(answer),
    tools=[Tool(act), Tool(spend, requires_approval=True)],
    deps_type=Session[None],
    output_type=[str, DeferredToolRequests],
    capabilities=[ArtifactWorkspace(ask=True)],
)


def make_runner(_settings: object, _files: object) -> Runner[None, str | DeferredToolRequests]:
    """The runner; its claims lapse soon after a kill, and not before a loaded machine has renewed them."""
    return Runner(agent, app=None, claim_ttl=timedelta(seconds=3))
