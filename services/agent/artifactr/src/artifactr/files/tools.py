"""The agent's tools for native files, offered only while their app is on [A-01, A-02].

The only module of native files that knows agents: files and its client must not depend on them [N-28].
"""

import asyncio
import json
import logging
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final

from lattice_chassis.errors import PeerUnavailable
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import BinaryContent, FunctionToolset, RunContext, ToolFailed
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from artifactr.agent.results import describe_outcome
from artifactr.agent.session import Session
from artifactr.agent.tools import RETRIES
from artifactr.core import marks
from artifactr.core.rejections import ArtifactBusy
from artifactr.files.client import NativeFiles
from artifactr.files.refusals import AppFailure
from artifactr.files.values import Command, FoundCommand

MAX_CHARS: Final = 8_000
MAX_ITEMS: Final = 50
MAX_COMMANDS: Final = 10
STATUS_PATIENCE: Final = timedelta(seconds=2)
"""How long a step waits to learn whether the app is on before it goes without these tools [AMB-04]."""
STATUS_PAUSE: Final = timedelta(milliseconds=250)

_log = logging.getLogger(__name__)


class AppCommand(BaseModel):
    """One command of the file's app."""

    model_config = ConfigDict(extra="forbid")

    command: str = Field(description="The command's id, as find_commands gives it.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Its arguments, by the command's schema.")


def native_file_tools(files: NativeFiles, *, view: bool = False) -> AbstractToolset[Session[Any]]:
    """The toolset over a run's session; `view` adds the look of pages, for models that read images [A-08].

    The switch is read once for each request to the model and decides for that request alone [A-02, AMB-21]. Where
    nobody can tell, the request goes without these tools [AMB-04]. Whether a write goes through is files' to decide.
    """
    tools = _NativeFileTools(files)
    toolset = FunctionToolset[Session[Any]](
        [tools.read_native, tools.read_review, tools.find_commands, tools.edit_native],
        max_retries=RETRIES,
        id="native-files",
    )
    if view:
        toolset.add_function(tools.view_page)
    return _AppFailuresFailTheCall(toolset).prepared(tools.while_the_app_is_on)


class _AppFailuresFailTheCall(WrapperToolset[Session[Any]]):
    """A timeout, a crash or a file too large fails the call and asks for no retry, since that will not help [R-07]."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Session[Any]], tool: ToolsetTool[Session[Any]]
    ) -> Any:  # noqa: ANN401 - a tool returns anything
        try:
            return await super().call_tool(name, tool_args, ctx, tool)
        except AppFailure as failure:
            why = marks.inert(str(failure))
            raise ToolFailed(f"{why}. Nothing was changed; the same call will fail again.") from failure


class _NativeFileTools:
    def __init__(self, files: NativeFiles) -> None:
        self._files = files

    async def while_the_app_is_on(
        self, ctx: RunContext[Session[Any]], definitions: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """All of the tools or none, for a request to the model.

        Before a run's first request there is none: then calls are carried out that people approved during a pause, and
        whether the app is on by now is for files to say [R-09].
        """
        if ctx.run_step == 0:
            return definitions
        loop = asyncio.get_running_loop()
        deadline = loop.time() + STATUS_PATIENCE.total_seconds()
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    return definitions if await self._files.enabled(ctx.deps.workspace.caller) else []
            except (PeerUnavailable, TimeoutError) as error:
                if loop.time() + STATUS_PAUSE.total_seconds() >= deadline:
                    _log.warning("a step goes without native-file tools, since nobody can tell: %s", error)
                    return []
            await asyncio.sleep(STATUS_PAUSE.total_seconds())

    async def read_native(self, ctx: RunContext[Session[Any]], artifact_id: str, start: int = 0) -> str:
        """Read the words of a native file as plain text, 8,000 characters a call, and follow the file.

        Args:
            ctx: The run.
            artifact_id: The file's id.
            start: The first character to read, from 0; the answer says where to read on.
        """
        page = await self._files.read_text(ctx.deps.workspace.caller, artifact_id, start=start, max_chars=MAX_CHARS)
        await ctx.deps.follow(artifact_id)
        head = f"{artifact_id}, version {page.version}, from character {start} of {page.total_chars}:"
        return f"{marks.line(head)}\n{_marked(artifact_id, page.version, page.text)}\n{_read_on(page.next_start)}"

    async def read_review(self, ctx: RunContext[Session[Any]], artifact_id: str, start: int = 0) -> str:
        """Read comments and tracked changes of a native file, 50 a call, one JSON object a line, and follow the file.

        What the file names outside itself, such as a picture on a server, comes last, as external targets.

        Args:
            ctx: The run.
            artifact_id: The file's id.
            start: The first item to read, from 0; the answer says where to read on.
        """
        page = await self._files.read_review(ctx.deps.workspace.caller, artifact_id, start=start, max_items=MAX_ITEMS)
        await ctx.deps.follow(artifact_id)
        head = f"{artifact_id}, version {page.version}, from item {start} of {page.total_items}:"
        items = (json.dumps({k: v for k, v in asdict(it).items() if v}, ensure_ascii=False) for it in page.items)
        marked = _marked(artifact_id, page.version, "\n".join(items))
        return f"{marks.line(head)}\n{marked}\n{_read_on(page.next_start)}"

    async def find_commands(self, ctx: RunContext[Session[Any]], query: str) -> str:
        """Find commands of the app of native files, ten at most, one JSON object a line.

        Args:
            ctx: The run.
            query: What the command should do, in plain words; empty lists the first ones.
        """
        found = await self._files.find_commands(ctx.deps.workspace.caller, query, limit=MAX_COMMANDS)
        return "\n".join(map(_line, found)) or "No command fits."

    async def edit_native(
        self,
        ctx: RunContext[Session[Any]],
        artifact_id: str,
        base_version: int,
        commands: list[AppCommand],
        summary: str,
        base_proposal: str = "",
    ) -> str:
        """Apply a batch of the app's commands to a native file, all or nothing, and follow the file.

        Args:
            ctx: The run.
            artifact_id: The file's id.
            base_version: The version that you read.
            commands: The commands in order, 1 to 200.
            summary: What the batch does, in a sentence for people.
            base_proposal: The id of your own pending proposal to build on; the new one takes its place.
        """
        session = ctx.deps
        thread = await session.workspace.thread(session.thread_id)
        if artifact_id not in thread.focus:
            await session.workspace.artifact(artifact_id)  # what does not exist is refused here, not followed
            # Before the edit: what changes after a refusal is then told, such as the check-in it waits for.
            await session.follow(artifact_id)
        batch = [Command(id=it.command, arguments=json.dumps(it.arguments)) for it in commands]
        write = await session.workspace.next_write()
        try:
            outcome = await self._files.edit(
                session.workspace.caller,
                artifact_id,
                base_version,
                batch,
                summary,
                base_proposal=base_proposal,
                write=write,
            )
        except ArtifactBusy as busy:
            if busy.lease_kind == "checkout":
                return _checked_out(busy)
            raise  # another edit holds it for seconds, or what held it has ended: trying again helps
        # On the log before the return of this call, also if files has gone down since it committed [MP-14].
        await session.workspace.ingest(outcome.change_sequence, patient=True)
        return describe_outcome(outcome)

    async def view_page(self, ctx: RunContext[Session[Any]], artifact_id: str, page: int) -> list[str | BinaryContent]:
        """Look at one page of a native file as an image, and follow the file.

        Args:
            ctx: The run.
            artifact_id: The file's id.
            page: The page, from 1.
        """
        image = await self._files.render(ctx.deps.workspace.caller, artifact_id, page)
        await ctx.deps.follow(artifact_id)
        caption = f"Page {page} of {image.page_count} of {artifact_id}, version {image.version}:"
        return [marks.line(caption), BinaryContent(image.png, media_type="image/png")]


def _marked(artifact_id: str, version: int, text: str) -> str:
    """What stands in a file, marked as such [SE-05]."""
    return marks.element(marks.ARTIFACT, text, id=artifact_id, version=str(version))


def _read_on(next_start: int | None) -> str:
    return "[This is the end.]" if next_start is None else f"[Read on with start={next_start}.]"


def _line(command: FoundCommand) -> str:
    return json.dumps(
        {
            "id": command.id,
            "label": command.label,
            "description": command.description,
            "arguments": json.loads(command.arguments_schema),
            "example": json.loads(command.example),
            "enabled": command.enabled,
        },
        ensure_ascii=False,
    )


def _checked_out(busy: ArtifactBusy) -> str:
    """The answer to an edit during a check-out: it is no retry, and nothing waits for the end of it [R-03, N-24]."""
    who = "somebody" if busy.holder is None else marks.line(busy.holder.display_name)
    until = "" if busy.until is None else f" until {busy.until.isoformat(timespec='seconds')}"
    return (
        f"{busy.artifact_id} is checked out by {who}{until}. Nothing was changed and nothing is queued. Do not try "
        "again now: you will be told when it is checked in; read it again then and plan the edit anew."
    )
