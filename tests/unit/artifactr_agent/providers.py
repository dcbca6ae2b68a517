"""What providers are sent for a conversation, and what their interfaces refuse. Nothing leaves this machine.

The requests are made by the model library's own adapters and the providers' own clients; the transport keeps each body
and refuses it. The demands are those that the interfaces answer with status 400.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpx2
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai import ModelHTTPError, ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

Body = dict[str, Any]
Demands = Callable[[Body], None]
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class Providers:
    """Anthropic's Messages, OpenAI's Chat Completions and OpenAI's Responses, asked one after another."""

    def __init__(self) -> None:
        self._asked: list[tuple[Demands, list[Body]]] = []
        anthropic = AsyncAnthropic(api_key="none", http_client=self._client(_anthropic_takes), max_retries=0)
        chat = AsyncOpenAI(api_key="none", http_client=self._client(_openai_chat_takes), max_retries=0)
        responses = AsyncOpenAI(api_key="none", http_client=self._client(_openai_responses_takes), max_retries=0)
        self.model = FallbackModel(
            AnthropicModel("claude-opus-4-6", provider=AnthropicProvider(anthropic_client=anthropic)),
            OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=chat)),
            OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(openai_client=responses)),
            FunctionModel(_answer),
            fallback_on=(ModelHTTPError,),
        )
        """A model that asks each of them, and answers by itself once all have refused."""

    def require_that_they_take_it(self) -> None:
        """Each was asked as often as all others, and nothing that it would refuse."""
        assert len({len(bodies) for _, bodies in self._asked}) == 1
        for takes, bodies in self._asked:
            assert bodies
            while bodies:
                takes(bodies.pop())

    def _client(self, takes: Demands) -> httpx2.AsyncClient:
        bodies: list[Body] = []
        self._asked.append((takes, bodies))

        async def refuse(request: httpx2.Request) -> httpx2.Response:
            bodies.append(json.loads(await request.aread()))
            return httpx2.Response(400, json={"error": {"message": "this is a test"}})

        return httpx2.AsyncClient(transport=httpx2.MockTransport(refuse))


async def _answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
    return ModelResponse(parts=[TextPart(content="Gone on.")])


def _anthropic_takes(body: Body) -> None:
    """Turns alternate, a user's first; uses of tools are answered first thing in the next one; no text is blank."""
    messages = body["messages"]
    assert [it["role"] for it in messages] == ["user", "assistant"] * (len(messages) // 2) + ["user"]
    used: list[str] = []
    for message in messages:
        blocks = message["content"]
        assert isinstance(blocks, list)
        assert blocks
        kinds = [block["type"] for block in blocks]
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert kinds[: len(answered)] == ["tool_result"] * len(answered)
        assert sorted(answered) == sorted(used)
        used = [block["id"] for block in blocks if block["type"] == "tool_use"]
        for block in blocks:
            _require_anthropic_block(block)
    assert all(block["text"].strip() for block in body.get("system", []) if isinstance(block, dict))
    _require_unique(block["id"] for message in messages for block in message["content"] if block["type"] == "tool_use")


def _openai_chat_takes(body: Body) -> None:
    """Calls are answered right after them, each once, by nothing else; no message is empty."""
    waiting: set[str] = set()
    ids = []
    for message in body["messages"]:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            assert isinstance(message["content"], str | list)
            continue
        assert not waiting
        calls = message.get("tool_calls", [])
        assert calls or message["content"]
        for call in calls:
            _require_name(call["function"]["name"])
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
        waiting = {call["id"] for call in calls}
        ids += [call["id"] for call in calls]
    assert not waiting
    assert all(len(it) <= 40 for it in ids)
    _require_unique(ids)


def _openai_responses_takes(body: Body) -> None:
    """Each call has one output after it, and each output a call; no message is empty."""
    called: list[str] = []
    returned: list[str] = []
    for item in body["input"]:
        match item.get("type"):
            case "function_call":
                _require_name(item["name"])
                assert isinstance(json.loads(item["arguments"]), dict)
                called.append(item["call_id"])
            case "function_call_output":
                assert item["call_id"] in called
                returned.append(item["call_id"])
            case _:
                assert item["content"]
    assert sorted(called) == sorted(returned)
    assert all(len(it) <= 64 for it in called)
    _require_unique(called)


def _require_anthropic_block(block: dict[str, Any]) -> None:
    match block["type"]:
        case "text":
            assert block["text"].strip()
        case "tool_use":
            _require_name(block["name"])
            assert re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"])
            assert isinstance(block["input"], dict)
        case "tool_result":
            content = block.get("content") or []
            assert all(it["text"].strip() for it in content if isinstance(it, dict) and it["type"] == "text")


def _require_name(name: str) -> None:
    assert _NAME.fullmatch(name), name


def _require_unique(ids: Iterable[str]) -> None:
    listed: Sequence[str] = list(ids)
    assert len(set(listed)) == len(listed)
