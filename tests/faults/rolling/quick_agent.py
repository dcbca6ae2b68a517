"""What the replicas serve in these tests: an agent that answers after a moment, or is at it for minutes."""

import asyncio
from datetime import timedelta

from artifactr import ArtifactWorkspace, Runner, Session
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

SLOWLY = "slowly"


async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Answer with all that was ever said; never, where what was said last has the word "slowly"."""
    await asyncio.sleep(3600 if SLOWLY in str(messages[-1].parts[-1]) else 0.2)
    heard = [part.content for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    return ModelResponse(parts=[TextPart(content=f"I remember: {heard}")])


def make_runner(_settings: object, _files: object) -> Runner[None, str]:
    """The runner."""
    agent = Agent(FunctionModel(answer), deps_type=Session[None], capabilities=[ArtifactWorkspace()])
    return Runner(agent, app=None, claim_ttl=timedelta(seconds=10))
