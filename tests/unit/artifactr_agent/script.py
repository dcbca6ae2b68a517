"""A model that answers what a test wrote, and remembers what it was asked."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequestPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition

Answer = str | Sequence[ToolCallPart] | Callable[[], Awaitable["str | Sequence[ToolCallPart]"]]


def call(tool: str, /, **arguments: object) -> list[ToolCallPart]:
    """One tool call, as an answer of the model."""
    return [ToolCallPart(tool_name=tool, args=dict(arguments))]


@dataclass
class Asked:
    """One request as the model got it."""

    definitions: Sequence[ToolDefinition]
    """The tools on offer."""
    instructions: str
    parts: Sequence[ModelRequestPart]
    """The parts of everything since its last answer."""

    @property
    def tools(self) -> frozenset[str]:
        """The names of the tools on offer."""
        return frozenset(tool.name for tool in self.definitions)

    @property
    def prompts(self) -> list[str]:
        """What people and notes said."""
        return [str(part.content) for part in self.parts if isinstance(part, UserPromptPart)]

    @property
    def returns(self) -> list["Returned"]:
        """What the tools answered."""
        return [
            Returned(outcome=part.outcome, text=part.model_response_str(wrap_if_error=False), content=part.content)
            for part in self.parts
            if isinstance(part, ToolReturnPart)
        ]


@dataclass
class Returned:
    """What one tool answered, as the model reads it; `content` is what came of it in Python."""

    outcome: str
    text: str
    content: Any


@dataclass
class Script:
    """The answers in order; one that is a function is called when its turn comes."""

    answers: Sequence[Answer]
    asked: list[Asked] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """Each request whole, as text."""

    @property
    def model(self) -> FunctionModel:
        """The model."""
        return FunctionModel(self._answer)

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        since = next((n for n in range(len(messages), 0, -1) if isinstance(messages[n - 1], ModelResponse)), 0)
        self.heard.append(str(messages))
        self.asked.append(
            Asked(
                definitions=info.function_tools,
                instructions=info.instructions or "",
                parts=[part for message in messages[since:] for part in message.parts],  # type: ignore[misc]
            )
        )
        answer = self.answers[len(self.asked) - 1]
        if callable(answer):
            answer = await answer()
        return ModelResponse(parts=[TextPart(content=answer)] if isinstance(answer, str) else list(answer))
