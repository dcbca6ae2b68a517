"""How much of a thread's history a request to the model carries; what is stored stays whole.

What is left out is the oldest of what came before, in pieces that can be left out: a call and its return go together,
and what the present turn was asked always stays. It goes in large steps, so that the start of the request stays the
same over many requests, which is what a provider's prompt cache lives by.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from pydantic_ai import BinaryContent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponsePart,
    RetryPromptPart,
    ToolReturnPart,
    UserPromptPart,
)

CHARACTERS_PER_TOKEN: Final = 4
"""What a token holds of English on average; of other languages it holds less, so the budget is no exact limit."""
TOKENS_PER_IMAGE: Final = 1_500
TOKENS_PER_PART: Final = 8
"""What wraps a part."""
LEFT_OUT: Final = "[Earlier messages of this thread are left out here.]"


def tokens_of(message: ModelMessage) -> int:
    """About how many tokens a message takes."""
    return sum(_tokens_of_part(part) + TOKENS_PER_PART for part in message.parts)


class Measured:
    """`tokens_of` for one run, whose requests carry the same messages again and again: each is measured once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ModelMessage, int]] = {}
        """By identity; a message that is held keeps its own."""

    def __call__(self, message: ModelMessage) -> int:
        """About how many tokens the message takes."""
        known = self._known.get(id(message))
        if known is None:
            known = self._known[id(message)] = (message, tokens_of(message))
        return known[1]


def within_budget(
    messages: Sequence[ModelMessage], budget: int, measure: Callable[[ModelMessage], int] = tokens_of
) -> Sequence[ModelMessage]:
    """The messages of a request of about `budget` tokens at the most; all of them where they fit.

    A turn that is longer than the budget by itself keeps what it was asked and its newest steps.
    """
    excess = sum(map(measure, messages)) - budget
    if excess <= 0:
        return messages
    pieces = list(_pieces(messages))
    step = max(budget // 2, 1)
    to_leave_out = math.ceil(excess / step) * step
    asked = max((number for number, piece in enumerate(pieces) if _asks(piece[0])), default=0)
    kept: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(content=LEFT_OUT)])]
    for number, piece in enumerate(pieces):
        if to_leave_out > 0 and number not in {asked, len(pieces) - 1}:
            to_leave_out -= sum(map(measure, piece))
        else:
            kept.extend(piece)
    return kept


def _pieces(messages: Sequence[ModelMessage]) -> Iterator[list[ModelMessage]]:
    """The messages in the smallest pieces that can be left out: an answer goes with what it answers."""
    piece: list[ModelMessage] = []
    for message in messages:
        if piece and not _answers(message):
            yield piece
            piece = []
        piece.append(message)
    if piece:
        yield piece


def _answers(message: ModelMessage) -> bool:
    """Whether it holds the outcome of a call."""
    return isinstance(message, ModelRequest) and any(
        isinstance(part, ToolReturnPart) or (isinstance(part, RetryPromptPart) and part.tool_name is not None)
        for part in message.parts
    )


def _asks(message: ModelMessage) -> bool:
    return isinstance(message, ModelRequest) and any(isinstance(part, UserPromptPart) for part in message.parts)


def _tokens_of_part(part: ModelRequestPart | ModelResponsePart) -> int:
    match part:
        case ToolReturnPart() | RetryPromptPart():
            return _tokens_of(part.content)
        case UserPromptPart(content=str() as text):
            return _tokens_of(text)
        case UserPromptPart(content=items):
            return sum(map(_tokens_of, items))
        case _:
            return _tokens_of(getattr(part, "content", "")) + _tokens_of(getattr(part, "args", ""))


def _tokens_of(content: object) -> int:
    if isinstance(content, BinaryContent):
        return TOKENS_PER_IMAGE
    return math.ceil(len(content if isinstance(content, str) else str(content)) / CHARACTERS_PER_TOKEN)
