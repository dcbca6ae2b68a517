"""The capability that makes a pydantic-ai agent a participant in a workspace.

It works in any pydantic-ai run whose dependencies are a `Session`, with a runner or without: the run is on the record,
the agent sees what the thread follows, hears what others do, and its history is saved with the end [RN-24].
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final

from lattice_chassis.failpoints import failpoint
from pydantic import ValidationError
from pydantic_ai import (
    AgentRunResult,
    ApprovalRequired,
    CallDeferred,
    CallToolsNode,
    DeferredToolRequests,
    FunctionToolset,
    ModelRequestNode,
    ModelRetry,
    RunContext,
    ToolFailed,
    UsageLimitExceeded,
)
from pydantic_ai.capabilities import (
    AbstractCapability,
    AgentNode,
    NodeResult,
    RawToolArgs,
    ValidatedToolArgs,
    WrapNodeRunHandler,
    WrapRunHandler,
    WrapToolExecuteHandler,
)
from pydantic_ai.exceptions import ToolRetryError
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import SystemPromptFunc, ToolApproved, ToolDefinition
from pydantic_graph import End

from artifactr.agent.budget import Measured, within_budget
from artifactr.agent.deferred import asked
from artifactr.agent.instructions import Instructions
from artifactr.agent.record import RunRecord, SegmentTold
from artifactr.agent.rendering import Rendering
from artifactr.agent.results import as_answer, reason_of, summary_of
from artifactr.agent.session import Session
from artifactr.agent.tools import artifact_tools, ask_user, offered_tools
from artifactr.agent.watcher import Watcher
from artifactr.core.artifacts import Artifact
from artifactr.core.events import RunStatus, ToolStatus
from artifactr.workspace.write_ids import during_tool_call

MAX_REDIRECTS: Final = 3
"""How often news puts off the end of a run; later news belong to the next turn [29.4 step 5]."""

TOOL_PATIENCE: Final = timedelta(seconds=10)
"""How long the end of a run waits for tools that go on although they were cancelled; their outcome is unknown then."""


@dataclass
class ArtifactWorkspace(AbstractCapability[Session[Any]]):
    """Instructions, generic tools, notes and the record of a run in a workspace.

    An agent that asks, or whose tools defer or need approval, has DeferredToolRequests in its output type [PA-01].
    """

    types: Sequence[type[Artifact]] = ()
    """The artifact types that the agent may create, and sees as they say [GT-01, AT-07]; files has to know them too."""
    ask: bool = False
    """Whether the agent can ask people questions, which pauses its run [PA-01]."""
    max_render_chars: int = 4_000
    """How many characters of each followed artifact the instructions show [IN-03]."""
    max_summary_chars: int = 200
    """How many characters of each call's arguments and result are recorded [RE-02]."""
    max_history_tokens: int = 100_000
    """About how many tokens of the thread's history each request carries; what is stored stays whole [HI-01]."""

    def __post_init__(self) -> None:
        kinds = self._rendering.kinds
        if len(kinds) != len(set(kinds)):
            raise ValueError(f"two types are of one kind among {', '.join(kinds)}")

    async def for_run(self, ctx: RunContext[Session[Any]]) -> "WorkspaceRun":
        """The same, with the state of one run."""
        return WorkspaceRun(
            types=self.types,
            ask=self.ask,
            max_render_chars=self.max_render_chars,
            max_summary_chars=self.max_summary_chars,
            max_history_tokens=self.max_history_tokens,
            id=self.id,
            record=RunRecord(ctx.deps, self.max_summary_chars),
        )

    def get_toolset(self) -> FunctionToolset[Session[Any]]:
        """The generic tools [GT-01]."""
        return _tools(self._rendering, ask=self.ask)

    @property
    def _rendering(self) -> Rendering:
        return Rendering(types=tuple(self.types), max_chars=self.max_render_chars)


@lru_cache(maxsize=64)
def _tools(rendering: Rendering, *, ask: bool) -> FunctionToolset[Session[Any]]:
    """The tools of an agent's set-up, made once: each run asks for them anew, and their schemas take tens of ms."""
    tools = artifact_tools(rendering)
    if ask:
        tools.add_function(ask_user)
    return tools


@dataclass(kw_only=True)
class WorkspaceRun(ArtifactWorkspace):
    """The capability within one run: what happens when."""

    record: RunRecord
    _watcher: Watcher = field(init=False, repr=False)
    _instructions: Instructions = field(init=False, repr=False)
    _look: asyncio.Future[bool] | None = field(default=None, init=False, repr=False)
    _measured: Measured = field(default_factory=Measured, init=False, repr=False)
    _messages: list[ModelMessage] = field(default_factory=list, init=False, repr=False)
    _executed: set[str] = field(default_factory=set, init=False, repr=False)
    _working: set[asyncio.Task[Any]] = field(default_factory=set, init=False, repr=False)
    """The tasks in which tools run now."""
    _redirects: int = field(default=0, init=False, repr=False)

    def get_instructions(self) -> SystemPromptFunc[Session[Any]]:
        """Instructions that are rendered anew for every request, after the run took up what files committed [IN-01]."""

        async def workspace_as_it_is(ctx: RunContext[Session[Any]]) -> str:
            complete = await self._looked()
            return await self._instructions.render(self._watcher.thread, offered_tools(ctx), current=complete)

        return workspace_as_it_is

    async def wrap_run(self, ctx: RunContext[Session[Any]], *, handler: "WrapRunHandler") -> AgentRunResult[Any]:
        """Record the start, then the end: completed, paused, stopped by a cancellation, or failed [RN-07, RN-17]."""
        session = ctx.deps
        view = await session.workspace.viewpoint(session.thread_id)
        started = await self.record.start()
        self._instructions = Instructions(session.workspace, self._rendering)
        view = replace(view, focus=frozenset(started.focus))
        self._watcher = Watcher(session, started, view, self._instructions.outdate)
        try:
            result = await handler()
        except asyncio.CancelledError:
            await self._end(ctx, RunStatus.STOPPED, reason=session.why_stopped())
            raise
        except Exception as error:
            await self._end(ctx, RunStatus.FAILED, error=str(error) or type(error).__name__, reason=reason_of(error))
            raise
        if isinstance(result.output, DeferredToolRequests):
            await self.record.pause(asked(result.output), self._so_far(ctx))
        else:
            await self._end(ctx, RunStatus.COMPLETED, reply=result.output if isinstance(result.output, str) else "")
        return result

    async def before_model_request(
        self, ctx: RunContext[Session[Any]], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Put what was heard into the request that is about to be sent [29.4 step 4]."""
        self._messages = ctx.messages
        if self._look is not None:  # nobody asked for instructions
            await self._looked()
        await self.record.settle()
        # A list of the request's own: what the run keeps, and saves at its end, is all of it.
        carried = within_budget(request_context.messages, self.max_history_tokens, self._measured)
        request_context.messages = list(carried)
        prompts = self._watcher.tell()
        if prompts:
            # Not enqueued: what waits in a queue is lost where the request fails or is stopped before it is sent.
            told = ModelRequest(
                parts=[UserPromptPart(content=prompt) for prompt in prompts],
                run_id=ctx.run_id,
                conversation_id=ctx.conversation_id,
            )
            ctx.messages.append(told)
            request_context.messages.append(told)
        failpoint("model.asked")
        return request_context

    async def wrap_node_run(
        self,
        ctx: RunContext[Session[Any]],
        *,
        node: "AgentNode[Session[Any]]",  # aliases in strings: they exist for type checkers alone
        handler: "WrapNodeRunHandler[Session[Any]]",
    ) -> "NodeResult[Session[Any]]":
        """Record the calls of a step that no tool ran, and let news put off the end [RE-01, 29.4 step 5]."""
        self._messages = ctx.messages
        if isinstance(node, ModelRequestNode):
            self._look = asyncio.ensure_future(self._watcher.look())  # beside the tools' own question to files
            try:
                return await handler(node)
            finally:
                if self._look is not None:  # it failed before it came to the instructions
                    self._look.cancel()
        if not isinstance(node, CallToolsNode):
            return await handler(node)
        self._executed.clear()
        try:
            result = await handler(node)
        except Exception:
            await self._record_unexecuted(ctx, node, {}, ())
            raise
        answered = result.request.parts if isinstance(result, ModelRequestNode) else ctx.messages[-1].parts
        answers = {part.tool_call_id: part for part in answered if isinstance(part, ToolReturnPart)}
        output = result.data.output if isinstance(result, End) else None
        waiting = {call.tool_call_id for call in asked(output)} if isinstance(output, DeferredToolRequests) else set()
        await self._record_unexecuted(ctx, node, answers, waiting)
        if isinstance(result, End) and not waiting and await self._hears_more(ctx):
            return ModelRequestNode(request=ModelRequest(parts=[]))  # what was heard joins it before it is sent
        return result  # at a pause, what is new waits for the resumed segment

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Session[Any]],  # noqa: ARG002 - the hook's signature
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,  # noqa: ARG002
        args: ValidatedToolArgs,
        handler: WrapToolExecuteHandler,
    ) -> Any:  # noqa: ANN401 - a tool returns anything
        """Record the call before it runs and how it went after [RE-01, RE-03]. One that is cut off stays open."""
        self._executed.add(call.tool_call_id)
        await self.record.called(call)
        try:
            with self._at_work(), during_tool_call(call.tool_call_id):
                result = await handler(args)
        except (CallDeferred, ApprovalRequired):
            raise
        except (ModelRetry, ToolRetryError) as retry:
            self.record.returned(call.tool_call_id, ToolStatus.RETRY, str(retry))
            raise
        except Exception as error:
            text = str(error) if isinstance(error, ToolFailed) else f"{type(error).__name__}: {error}"
            self.record.returned(call.tool_call_id, ToolStatus.ERROR, text)
            raise
        self.record.returned(call.tool_call_id, ToolStatus.OK, summary_of(result))
        return result

    async def on_tool_execute_error(
        self,
        ctx: RunContext[Session[Any]],
        *,
        call: ToolCallPart,  # noqa: ARG002
        tool_def: ToolDefinition,  # noqa: ARG002
        args: ValidatedToolArgs,  # noqa: ARG002
        error: Exception,
    ) -> Any:  # noqa: ANN401
        """Turn a rejection into a retry, and what only this call should fail of into its failure [GT-03, GT-04]."""
        raise as_answer(error, last_attempt=ctx.last_attempt) from error

    async def on_tool_validate_error(
        self,
        ctx: RunContext[Session[Any]],
        *,
        call: ToolCallPart,  # noqa: ARG002
        tool_def: ToolDefinition,  # noqa: ARG002
        args: RawToolArgs,  # noqa: ARG002
        error: ValidationError | ModelRetry,
    ) -> ValidatedToolArgs:
        """Arguments that do not fit ask for a retry; where those are used up the call fails, not the run [AMB-18]."""
        raise ToolFailed(str(error)) if ctx.last_attempt else error

    async def _looked(self) -> bool:
        """What the look answers that began with this step, or one that begins now."""
        begun, self._look = self._look, None
        return await (begun or self._watcher.look())

    async def _hears_more(self, ctx: RunContext[Session[Any]]) -> bool:
        """Whether there is news that puts off the end; where no request is left for it, it waits for the next turn."""
        if self._redirects == MAX_REDIRECTS or not _may_ask_again(ctx):
            return False
        await self._watcher.look()
        if not self._watcher.has_news:
            return False
        self._redirects += 1
        return True

    async def _record_unexecuted(
        self,
        ctx: RunContext[Session[Any]],
        node: CallToolsNode[Session[Any], Any],
        answers: Mapping[str, ToolReturnPart],
        waiting: Collection[str],
    ) -> None:
        """Calls of unknown tools or with arguments that do not fit run no tool, and are on the record all the same."""
        for call in _calls_of(ctx, node):
            if call.tool_call_id in self._executed or call.tool_call_id in waiting:
                continue
            answer = answers.get(call.tool_call_id)
            status, text = (ToolStatus.ERROR, "not run") if answer is None else _answer(answer)
            await self.record.called(call)
            self.record.returned(call.tool_call_id, status, text)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a tool is called in one
        self._working.add(task)
        try:
            yield
        finally:
            self._working.discard(task)

    async def _stop_working(self) -> None:
        """Cancel the tools that run, and wait for them: pydantic-ai does so only after the end has been told."""
        for task in self._working:
            if not task.cancelling():
                task.cancel()
        if self._working:
            await asyncio.wait(self._working, timeout=TOOL_PATIENCE.total_seconds())

    async def _end(
        self, ctx: RunContext[Session[Any]], status: RunStatus, *, reply: str = "", error: str = "", reason: str = ""
    ) -> None:
        await self._stop_working()
        await self.record.end(status, self._so_far(ctx), reply=reply, error=error, reason=reason)

    def _so_far(self, ctx: RunContext[Session[Any]]) -> SegmentTold:
        own = [message for message in self._messages if message.run_id == ctx.run_id]
        if not own and ctx.prompt is not None:  # it ended before it came to a request, and its prompt is taken
            prompt = UserPromptPart(content=ctx.prompt)
            own = [ModelRequest(parts=[prompt], run_id=ctx.run_id, conversation_id=ctx.conversation_id)]
        return SegmentTold(
            messages=own,
            usage=ctx.usage,
            notes_through=self._watcher.delivered,
            taken=self._watcher.taken,
        )


def _answer(part: ToolReturnPart) -> tuple[ToolStatus, str]:
    status = {"success": ToolStatus.OK, "retried": ToolStatus.RETRY}.get(part.outcome, ToolStatus.ERROR)
    return status, part.model_response_str(wrap_if_error=False)


def _may_ask_again(ctx: RunContext[Session[Any]]) -> bool:
    """Whether the run's limits leave it another request."""
    try:
        if ctx.usage_limits is not None:
            ctx.usage_limits.check_before_request(ctx.usage)
    except UsageLimitExceeded:
        return False
    return True


def _calls_of(ctx: RunContext[Session[Any]], node: CallToolsNode[Session[Any], Any]) -> Sequence[ToolCallPart]:
    """The calls of a step that are tools'; of those that a resumed segment finds in its history, what was approved."""
    calls = node.model_response.tool_calls
    answered = node.tool_call_results
    if answered is not None:
        return [call for call in calls if isinstance(answered.get(call.tool_call_id), ToolApproved)]
    tools = ctx.tool_manager
    defined = [(call, None if tools is None else tools.get_tool_def(call.tool_name)) for call in calls]
    return [call for call, definition in defined if definition is None or definition.kind != "output"]
