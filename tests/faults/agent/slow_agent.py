"""What the program serves in these tests: an agent that waits for a minute before it answers, unless it was cut off."""

import asyncio
from datetime import timedelta

from artifactr import ArtifactWorkspace, Runner, Session
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel


async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Take a minute over a message with the word "slowly"; else answer at once, with all that was ever said."""
    if "slowly" in str(messages[-1].parts):
        await asyncio.sleep(60)
    heard = [part.content for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    return ModelResponse(parts=[TextPart(content=f"I remember: {heard}")])


agent = Agent(FunctionModel(answer), deps_type=Session[None], capabilities=[ArtifactWorkspace()])


def make_runner(_settings: object, _files: object) -> Runner[None, str]:
    """The runner; its claims lapse soon after a kill, and not before a loaded machine has renewed them."""
    return Runner(agent, app=None, claim_ttl=timedelta(seconds=4))


def make_writer(_settings: object, _files: object) -> Runner[None, str]:
    """The same agent by another name."""
    return Runner(agent, app=None, agent_name="writer", claim_ttl=timedelta(seconds=4))
