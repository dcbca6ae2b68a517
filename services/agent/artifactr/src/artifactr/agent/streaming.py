"""Asks the model for its answers word by word, and sends the words to whoever watches the run [LO-01].

It happens below everything that pydantic-ai does with a request: whoever asks gets a whole answer, or the error, as if
nothing had been streamed, so that a run with live output is recorded, limited and retried as any other.
"""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from pydantic_ai import ModelAPIError
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    ModelResponsePartDelta,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from artifactr.agent.live_output import LiveOutput
from artifactr.agent.session import Session
from artifactr.core.frames import Frame, PartEnded, PartStarted, TextDelta, ThinkingDelta, ToolArgsDelta

_log: Final = logging.getLogger("artifactr.live")


@dataclass
class LiveAnswers(AbstractCapability[Session[Any]]):
    """Sends the answers of the model to the live output of one run, word by word where `streams` and the model can."""

    output: LiveOutput
    streams: bool

    def __post_init__(self) -> None:
        self._parts = Parts(self.output)

    def get_wrapper_model(self, model: Model) -> Model:
        """The model that sends while it answers."""
        return _LiveModel(model, self._parts, streams=self.streams and _can_stream(model))


class Parts:
    """The frames of a run's answers: each part begins, has its words, and ends before the next begins, cut off or not.

    What comes of a part after the next has begun is left out.
    """

    def __init__(self, output: LiveOutput) -> None:
        self._output = output
        self._count = 0
        self._open: int | None = None
        """The index within the answer of the part that has begun and not ended."""

    def tell(self, event: ModelResponseStreamEvent) -> None:
        """Send what an event of the answer says."""
        match event:
            case PartStartEvent(index=index, part=part):
                self.close()
                self._begin(index, part)
            case PartDeltaEvent(index=index, delta=delta) if index == self._open:
                self._send(_words_of(delta))
            case PartEndEvent(index=index) if index == self._open:
                self.close()

    def close(self) -> None:
        """End the part that is open, if one is."""
        if self._open is not None:
            self._output.put(PartEnded(index=self._count - 1))
            self._open = None

    def _begin(self, index: int, part: ModelResponsePart) -> None:
        match part:
            case TextPart(content=content):
                self._output.put(PartStarted(index=self._count, kind="text"))
                words: Frame = TextDelta(content)
            case ThinkingPart(content=content):
                self._output.put(PartStarted(index=self._count, kind="thinking"))
                words = ThinkingDelta(content)
            case BaseToolCallPart(tool_name=name, args=args):
                self._output.put(PartStarted(index=self._count, kind="tool-call", tool_name=name))
                words = ToolArgsDelta(_json_of(args))
            case _:
                return  # files and the like: the log tells of them
        self._count += 1
        self._open = index
        self._send(words)

    def _send(self, words: Frame | None) -> None:
        if isinstance(words, TextDelta | ThinkingDelta | ToolArgsDelta) and words.text:
            self._output.put(words)


class _LiveModel(WrapperModel):
    """Answers as the model that it wraps, and sends what that says while it says it."""

    def __init__(self, wrapped: Model, parts: Parts, *, streams: bool) -> None:
        super().__init__(wrapped)
        self._parts = parts
        self._streams = streams

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The whole answer.

        One that breaks off after it began is asked for again in one piece: a plain request survives that by itself, as
        its client repeats it or another model steps in, so one with live output does as well.
        """
        if self._streams:
            with suppress(NotImplementedError):  # pydantic-ai's word for a model that cannot
                answer = await self._word_by_word(messages, model_settings, model_request_parameters)
                if answer is not None:
                    return answer
        return await self._in_one_piece(messages, model_settings, model_request_parameters)

    async def _word_by_word(
        self, messages: list[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
    ) -> ModelResponse | None:
        """The answer; None for one that broke off."""
        async with self.wrapped.request_stream(messages, settings, parameters) as stream:
            try:
                async for event in stream:
                    self._parts.tell(event)
            except ModelAPIError as error:
                _log.warning("an answer broke off and is asked for again: %s", type(error).__name__)
                return None
            finally:
                self._parts.close()
        return stream.get()

    async def _in_one_piece(
        self, messages: list[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
    ) -> ModelResponse:
        response = await self.wrapped.request(messages, settings, parameters)
        for index, part in enumerate(response.parts):
            self._parts.tell(PartStartEvent(index=index, part=part))
        self._parts.close()
        return response


def _can_stream(model: Model) -> bool:
    """Whether to try: most models say when they are asked; one made of functions fails where none of them streams."""
    match model:
        case WrapperModel(wrapped=wrapped):
            return _can_stream(wrapped)
        case FallbackModel(models=models):
            return all(map(_can_stream, models))
        case FunctionModel(stream_function=stream):
            return stream is not None
        case _:
            return True


def _words_of(delta: ModelResponsePartDelta) -> Frame | None:
    match delta:
        case TextPartDelta(content_delta=text):
            return TextDelta(text)
        case ThinkingPartDelta(content_delta=text):
            return ThinkingDelta(text or "")
        case ToolCallPartDelta(args_delta=arguments):
            return ToolArgsDelta(_json_of(arguments))
        case _:
            return None


def _json_of(arguments: str | Mapping[str, Any] | None) -> str:
    """A piece of a call's arguments as the model wrote it; where the client took it apart, as JSON again."""
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    return json.dumps(arguments)
