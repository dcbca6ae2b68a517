"""The agent of a turn: its model does what the schedule says while it thinks, and its tools while they work."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifactr import ArtifactWorkspace, RunHandle, Runner, Session
from pydantic_ai import (
    Agent,
    AgentRunResult,
    DeferredToolRequests,
    ModelMessage,
    ModelResponse,
    RunContext,
    TextPart,
    Tool,
)
from pydantic_ai.capabilities import AbstractCapability, AgentNode, NodeResult, WrapNodeRunHandler, WrapRunHandler
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import UsageLimits
from pydantic_graph import End as Ended
from service.agent.notes.schedules import Deed, End, Turn

if TYPE_CHECKING:
    from service.agent.notes.playing import Play

AnyRunner = Runner[None, str | DeferredToolRequests]
AnyRun = RunHandle[str | DeferredToolRequests]

BEFORE_THE_MODEL = {End.STOPPED_BEFORE_THE_MODEL, End.LOST_BEFORE_THE_MODEL}
IN_THE_MODEL = {End.STOPPED_IN_THE_MODEL, End.LOST_IN_THE_MODEL}
STOPPED = {End.STOPPED_BEFORE_THE_MODEL, End.STOPPED_IN_THE_MODEL, End.STOPPED_IN_A_TOOL}


class ItFails(Exception):
    """What the schedule has fail."""


@dataclass
class Acting:
    """The agent in one turn."""

    play: "Play"
    turn: Turn
    lost: bool = False
    """Whether its process hangs for good."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the segment has ended, or is lost."""
    _requests: int = 0
    _late: Sequence[Deed] = field(init=False)
    _run_id: str = ""
    _runner: AnyRunner | None = None
    _stopping: list[asyncio.Task[bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._late = self.turn.late

    def runner(self, limits: UsageLimits) -> AnyRunner:
        """The process that takes the turn."""
        agent = Agent(
            FunctionModel(self._answer),
            deps_type=Session[None],
            output_type=[str, DeferredToolRequests],
            tools=[
                Tool(self._work, name="work"),
                Tool(self._end_in_a_tool, name="end_in_a_tool"),
                Tool(self._publish, name="publish", requires_approval=True),
            ],
            capabilities=[Lateness(self), ArtifactWorkspace(ask=True), Reluctance(self)],
        )
        self._runner = Runner(agent, app=None, limits=limits)
        return self._runner

    @property
    def is_at_its_end(self) -> bool:
        """Whether the request under way is the one at which the schedule has the segment end."""
        return self._requests == len(self.turn.steps)

    async def listened(self, ctx: RunContext[Session[None]]) -> None:
        """A request is about to be sent to the model, with everything that is on the log."""
        self._run_id = ctx.deps.run_id
        self.play.heads.append((self._run_id, await self.play.alice.head()))
        if not self.is_at_its_end:
            return
        if self.turn.end is End.REQUEST_FAILS:
            self._requests += 1
            raise ItFails
        if self.turn.end in BEFORE_THE_MODEL:
            await self._never_goes_on()

    async def ends(self) -> None:
        """Do what is late, once: the segment has listened for the last time."""
        late, self._late = self._late, ()
        await self.play.do(late, self._run_id)

    async def _answer(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        number, self._requests = self._requests, self._requests + 1
        self.play.feed.lag(away=self.turn.lagging)
        if number < len(self.turn.steps):
            await self.play.do(self.turn.steps[number].thinking, self._run_id)
            return _calls("work", number=number)
        if number > len(self.turn.steps):
            return ModelResponse(parts=[TextPart(content="Nothing else.")])
        await self.play.do(self.turn.thinking, self._run_id)
        return await self._final_answer()

    async def _final_answer(self) -> ModelResponse:
        match self.turn.end:
            case End.ASKS:
                return _calls("ask_user", question="When?")
            case End.ASKS_FOR_LEAVE:
                return _calls("publish")
            case End.ASKS_BOTH_WHILE_WORKING:
                calls = [_calls("ask_user", question="When?"), _calls("end_in_a_tool"), _calls("publish")]
                return ModelResponse(parts=[part for call in calls for part in call.parts])
            case End.MODEL_FAILS:
                raise ItFails
            case End.TOOL_FAILS | End.STOPPED_IN_A_TOOL | End.LOST_IN_A_TOOL:
                return _calls("end_in_a_tool")
            case End.STOPPED_IN_THE_MODEL | End.LOST_IN_THE_MODEL:
                await self._never_goes_on()
        return ModelResponse(parts=[TextPart(content="Done.")])

    async def _work(self, number: int) -> str:
        """Work on it."""
        await self.play.do(self.turn.steps[number].working, self._run_id)
        return "Worked."

    async def _end_in_a_tool(self) -> str:
        """Come to whatever end."""
        await self.ends()
        if self.turn.end is End.TOOL_FAILS:
            raise ItFails
        if self.turn.end is not End.ASKS_BOTH_WHILE_WORKING:
            await self._never_goes_on()
        return "Worked."

    async def _publish(self) -> str:
        """Publish it."""
        return "Published."

    async def _never_goes_on(self) -> None:
        await self.ends()
        if self.turn.end in STOPPED:
            assert self._runner is not None
            stop = self._runner.stop(self.play.alice, self._run_id)
            self._stopping.append(asyncio.create_task(stop))
        else:
            self.lost = True
            self.play.feed.lag(away=False)
            self.over.set()
        await asyncio.Event().wait()


@dataclass
class Lateness(AbstractCapability[Session[None]]):
    """What happens between the last time that a segment listens and its end, and right after it."""

    acting: Acting

    async def wrap_run(self, ctx: RunContext[Session[None]], *, handler: "WrapRunHandler") -> AgentRunResult[Any]:
        try:
            return await handler()
        finally:
            self.acting.play.feed.lag(away=False)  # the barrier of the next turn has to be answered

    async def wrap_node_run(
        self,
        ctx: RunContext[Session[None]],
        *,
        node: "AgentNode[Session[None]]",
        handler: "WrapNodeRunHandler[Session[None]]",
    ) -> "NodeResult[Session[None]]":
        result = await handler(node)
        if isinstance(result, Ended):
            await self.acting.ends()
        return result


@dataclass
class Reluctance(AbstractCapability[Session[None]]):
    """What an application's own capability does to a request after the notes were put into it."""

    acting: Acting

    async def before_model_request(
        self, ctx: RunContext[Session[None]], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        await self.acting.listened(ctx)
        return request_context


def _calls(tool: str, **arguments: Any) -> ModelResponse:  # noqa: ANN401 - whatever the tool takes
    return ModelResponse(parts=[ToolCallPart(tool_name=tool, args=arguments)])
