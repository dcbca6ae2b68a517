"""A model that answers what a test wrote, and remembers what it was asked; pydantic-ai's FunctionModel below."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequestPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.tools import ToolDefinition

Said = str | Sequence[ToolCallPart]
"""One answer of a model: words, or the tools it calls."""
Answer = Said | Callable[[], Awaitable[Said]]
"""What a script holds: an answer, or a function that makes it when its turn comes, having acted as a person first."""

_NOTES: Final = "<workspace-changes>"


class ScriptEnded(Exception):
    """The model was asked once more than its script has answers; the run fails of it."""


def call(tool: str, /, **arguments: object) -> list[ToolCallPart]:
    """One tool call, as an answer of the model; several at once are a list of all their parts."""
    return [ToolCallPart(tool_name=tool, args=dict(arguments))]


def notes_in(prompts: Sequence[str]) -> list[str]:
    """The change notes in what a model was told, one a line, as people would read them."""
    changes = [prompt for prompt in prompts if prompt.startswith(_NOTES)]
    return [unescape(line[2:]) for prompt in changes for line in prompt.splitlines() if line.startswith("- ")]


@dataclass(frozen=True, kw_only=True)
class Returned:
    """What one tool answered, as the model reads it; `content` is what came of it in Python."""

    outcome: str
    """`success`, `retried`, `failed`, `denied` or `interrupted`, as pydantic-ai has it."""
    text: str
    content: Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request as the model got it."""

    messages: Sequence[ModelMessage]
    """All of it, what the thread remembers included."""
    definitions: Sequence[ToolDefinition]
    """The tools on offer."""
    instructions: str

    @property
    def tools(self) -> frozenset[str]:
        """The names of the tools on offer."""
        return frozenset(tool.name for tool in self.definitions)

    @property
    def parts(self) -> Sequence[ModelRequestPart]:
        """The parts of everything since the model's last answer."""
        said = [number for number, message in enumerate(self.messages, 1) if isinstance(message, ModelResponse)]
        since = self.messages[said[-1] if said else 0 :]
        return [part for message in since if not isinstance(message, ModelResponse) for part in message.parts]

    @property
    def prompts(self) -> list[str]:
        """What people and notes said since then."""
        return [str(part.content) for part in self.parts if isinstance(part, UserPromptPart)]

    @property
    def notes(self) -> list[str]:
        """What the model was told since then of the changes of others, a note a line."""
        return notes_in(self.prompts)

    @property
    def returns(self) -> list[Returned]:
        """What the tools answered since then."""
        return [
            Returned(outcome=part.outcome, text=part.model_response_str(wrap_if_error=False), content=part.content)
            for part in self.parts
            if isinstance(part, ToolReturnPart)
        ]


@dataclass
class Script:
    """The answers of a model in their order, and the requests it got; it streams them where the run asks for that."""

    answers: Sequence[Answer] = ()
    """All of them, those that were given included."""
    asked: list[Asked] = field(default_factory=list)

    @property
    def model(self) -> FunctionModel:
        """The model."""
        return FunctionModel(self._answer, stream_function=self._stream, model_name="script")

    def add(self, *answers: Answer) -> None:
        """Have it answer these after all that it has already."""
        self.answers = [*self.answers, *answers]

    @contextmanager
    def plays(self, agent: Agent[Any, Any]) -> Iterator["Script"]:
        """Put it in the place of an agent's model for the length of a block.

        pydantic-ai's own `Agent.override` does not reach into runs: each is a task with a context of its own.
        """
        model = agent.model
        agent.model = self.model
        try:
            yield self
        finally:
            agent.model = model

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = await self._next(messages, info)
        return ModelResponse(parts=[TextPart(content=said)] if isinstance(said, str) else list(said))

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        said = await self._next(messages, info)
        if isinstance(said, str):
            for word in re.findall(r"\s*\S+|\s+$", said) or [said]:
                yield word
            return
        for number, part in enumerate(said):
            arguments = part.args_as_json_str()
            yield {number: DeltaToolCall(name=part.tool_name, json_args=arguments, tool_call_id=part.tool_call_id)}

    async def _next(self, messages: list[ModelMessage], info: AgentInfo) -> Said:
        self.asked.append(
            Asked(messages=list(messages), definitions=info.function_tools, instructions=info.instructions or "")
        )
        if len(self.asked) > len(self.answers):
            raise ScriptEnded(f"the script has no answer to request {len(self.asked)}: {self.asked[-1].parts}")
        answer = self.answers[len(self.asked) - 1]
        return await answer() if callable(answer) else answer
