"""The generic tools: what every agent can do with artifacts of any type [GT-01]."""

import json
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field
from pydantic_ai import CallDeferred, FunctionToolset, RunContext

from artifactr.agent.rendering import Rendering, element, header_of
from artifactr.agent.results import describe_outcome
from artifactr.agent.session import Session
from artifactr.core.changes import ArchiveArtifact, Change, EditArtifact
from artifactr.core.outcomes import Applied, Outcome
from artifactr.core.patches import TextEdit, TextEdits
from artifactr.core.rejections import NotFound
from artifactr.workspace import Workspace

RETRIES: Final = 5
"""How often a tool may be refused in a row before its call fails [AMB-18]; after pydantic-ai's default of one the run
would."""

LISTED: Final = 500
"""Artifacts that `list_artifacts` tells of."""


async def submit(workspace: Workspace, change: Change, *, propose: bool = False, rationale: str = "") -> Outcome:
    """Commit a change, or propose it whatever policy says, as the generic tools do [GT-05].

    The rationale is for whoever reviews it, be it proposed here or by policy. Raises what `Workspace.commit` raises.
    """
    if propose:
        return await workspace.propose(change, rationale)
    return await workspace.commit(replace(change, rationale=rationale or change.rationale))


def offered_tools(ctx: RunContext[Session[Any]]) -> frozenset[str]:
    """The names of the tools that the model has in this step."""
    manager = ctx.tool_manager
    return frozenset() if manager is None else frozenset(definition.name for definition in manager.tool_defs)


def artifact_tools(rendering: Rendering) -> FunctionToolset[Session[Any]]:
    """The toolset over a run's session. Its definitions never change between requests [IN-04]."""
    tools = FunctionToolset[Session[Any]](max_retries=RETRIES, id="artifacts")

    @tools.tool
    async def list_artifacts(ctx: RunContext[Session[Any]], kind: str = "") -> str:
        """List the artifacts of the workspace: id, kind, version; the oldest 500.

        Args:
            ctx: The run.
            kind: Only artifacts of this kind; all when empty.
        """
        found = await ctx.deps.workspace.artifact_headers(kind, limit=LISTED + 1)
        more = ["There are more, which are not listed."] if len(found) > LISTED else []
        return "\n".join([*map(header_of, found[:LISTED]), *more]) or "There are no artifacts."

    @tools.tool
    async def read_artifact(ctx: RunContext[Session[Any]], artifact_id: str) -> str:
        """Read an artifact as it is now, and follow it: you are told of later changes.

        Args:
            ctx: The run.
            artifact_id: The artifact's id.
        """
        workspace = ctx.deps.workspace
        artifact = await workspace.artifact(artifact_id)
        text = await rendering.text(workspace, artifact, offered_tools(ctx))
        await ctx.deps.follow(artifact_id)
        return f"{header_of(artifact)}\n{element(artifact, text)}"

    tools.add_function(edit_text)
    tools.add_function(archive_artifact)
    if rendering.types:
        _add_create_artifact(tools, rendering)
    return tools


async def edit_text(  # noqa: PLR0913 - what the tool takes
    ctx: RunContext[Session[Any]],
    artifact_id: str,
    old: str,
    new: str,
    *,
    field: str = "text",
    summary: str = "",
    propose: bool = False,
    rationale: str = "",
) -> str:
    """Replace a passage in a text field of an artifact, on its version as it is now, and follow the artifact.

    Args:
        ctx: The run.
        artifact_id: The artifact's id.
        old: The passage, which must occur exactly once; empty only where the field is empty.
        new: What takes its place.
        field: The name of the field.
        summary: What the change does, in a sentence for people.
        propose: Whether to propose the change for review instead of applying it.
        rationale: Why the change is good, for whoever reviews it.
    """
    workspace = ctx.deps.workspace
    artifact = await workspace.artifact(artifact_id)
    edit = EditArtifact(
        artifact_id=artifact_id,
        base_version=artifact.version,
        patch=TextEdits(field=field, edits=[TextEdit(old=old, new=new)]),
        summary=summary,
    )
    outcome = await submit(workspace, edit, propose=propose, rationale=rationale)
    await ctx.deps.follow(artifact_id)
    return describe_outcome(outcome)


async def archive_artifact(ctx: RunContext[Session[Any]], artifact_id: str) -> str:
    """Archive an artifact: it stays readable, and is no longer listed or changed.

    Args:
        ctx: The run.
        artifact_id: The artifact's id.
    """
    workspace = ctx.deps.workspace
    artifact = await workspace.artifact(artifact_id)
    archiving = ArchiveArtifact(artifact_id=artifact_id, base_version=artifact.version)
    return describe_outcome(await submit(workspace, archiving))


async def ask_user(question: str, choices: list[str] | None = None) -> str:  # noqa: ARG001 - the model's arguments
    """Ask the people of this thread what only they can answer. You go on once they have.

    Args:
        question: What you need to know, in one sentence.
        choices: The answers to choose from, where there are only these.
    """
    raise CallDeferred(kind="question")


def _add_create_artifact(tools: FunctionToolset[Session[Any]], rendering: Rendering) -> None:
    """Only for an agent that may create something: a tool whose every call is refused would mislead it."""

    async def create_artifact(
        ctx: RunContext[Session[Any]],
        kind: Annotated[str, Field(json_schema_extra={"enum": list(rendering.kinds)})],
        data: dict[str, Any],
    ) -> str:
        """Create an artifact, and follow it unless it is only proposed."""
        artifact_type = rendering.type_of(kind)
        if artifact_type is None:
            raise NotFound(entity="artifact type", id=kind)
        outcome = await submit(ctx.deps.workspace, artifact_type.from_data(data).create())
        if isinstance(outcome, Applied):
            await ctx.deps.follow(outcome.artifact_id)
        return describe_outcome(outcome)

    schemas = [f"{it.kind}: {json.dumps(it.json_schema(), ensure_ascii=False)}" for it in rendering.types]
    fits = "Its data fit the JSON Schema of its kind:"
    tools.add_function(create_artifact, description="\n".join([f"{create_artifact.__doc__} {fits}", *schemas]))
