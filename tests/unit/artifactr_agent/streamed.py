"""A model that streams what a test wrote, piece by piece."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from pydantic_ai import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel

Delta = str | dict[int, DeltaToolCall] | dict[int, DeltaThinkingPart]
Piece = Delta | Exception | Callable[[], Awaitable[object]]
"""A piece of an answer, what breaks it off, or what is waited for before the next piece."""


def thought(words: str) -> dict[int, DeltaThinkingPart]:
    """A piece of thinking, as the first part of an answer."""
    return {0: DeltaThinkingPart(content=words)}


def call(tool: str, *pieces: str) -> list[Delta]:
    """A tool call whose arguments come in pieces of JSON."""
    first, *rest = pieces
    begun: Delta = {9: DeltaToolCall(name=tool, json_args=first, tool_call_id=f"call_{tool}")}
    return [begun, *({9: DeltaToolCall(json_args=piece)} for piece in rest)]


@dataclass
class StreamedScript:
    """The answers in order, each in pieces; `whole` are those given in one piece, where that is asked for."""

    answers: Sequence[Sequence[Piece]]
    whole: Sequence[str | Exception] = ()
    asked: list[str] = field(default_factory=list)
    """How each request was made: streamed, or whole."""

    @property
    def model(self) -> FunctionModel:
        """The model."""
        return FunctionModel(self._whole, stream_function=self._streamed)

    async def _streamed(self, _messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Delta]:
        answer = self.answers[self.asked.count("streamed")]
        self.asked.append("streamed")
        for piece in answer:
            if isinstance(piece, Exception):
                raise piece
            if callable(piece):
                await piece()
            else:
                yield piece

    async def _whole(self, _messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        answer = self.whole[self.asked.count("whole")]
        self.asked.append("whole")
        if isinstance(answer, Exception):
            raise answer
        return ModelResponse(parts=[TextPart(answer)])
