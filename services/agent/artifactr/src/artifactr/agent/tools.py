"""The generic tools: what every agent can do with artifacts of any type [GT-01]."""

from typing import Any

from pydantic_ai import CallDeferred, FunctionToolset, RunContext

from artifactr.agent.rendering import header_of, rendering
from artifactr.agent.session import Session


def offered_tools(ctx: RunContext[Session[Any]]) -> frozenset[str]:
    """The names of the tools that the model has in this step."""
    manager = ctx.tool_manager
    return frozenset() if manager is None else frozenset(definition.name for definition in manager.tool_defs)


def artifact_tools(max_render_chars: int) -> FunctionToolset[Session[Any]]:
    """The toolset over a run's session. Its definitions never change between requests [IN-04]."""
    tools = FunctionToolset[Session[Any]](id="artifacts")

    @tools.tool
    async def list_artifacts(ctx: RunContext[Session[Any]], kind: str = "") -> str:
        """List the artifacts of the workspace: id, kind, version.

        Args:
            ctx: The run.
            kind: Only artifacts of this kind; all when empty.
        """
        artifacts = await ctx.deps.workspace.artifacts(kind)
        return "\n".join(map(header_of, artifacts)) or "There are no artifacts."

    @tools.tool
    async def read_artifact(ctx: RunContext[Session[Any]], artifact_id: str) -> str:
        """Read an artifact as it is now, and follow it: you are told of later changes.

        Args:
            ctx: The run.
            artifact_id: The artifact's id.
        """
        workspace = ctx.deps.workspace
        artifact = await workspace.artifact(artifact_id)
        text = await rendering(workspace, artifact, max_render_chars, offered_tools(ctx))
        await ctx.deps.follow(artifact_id)
        return f"{header_of(artifact)}\n\n{text}"

    return tools


async def ask_user(question: str, choices: list[str] | None = None) -> str:  # noqa: ARG001 - the model's arguments
    """Ask the people of this thread what only they can answer. You go on once they have.

    Args:
        question: What you need to know, in one sentence.
        choices: The answers to choose from, where there are only these.
    """
    raise CallDeferred(kind="question")
