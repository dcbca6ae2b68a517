"""What the program serves in tests of live output: an agent that says a word, and a minute later another."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

from artifactr import ArtifactWorkspace, Runner, Session
from pydantic_ai import Agent, ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel


async def answer(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[str]:
    """Take a minute over a message with the word "slowly"."""
    yield "One, "
    if "slowly" in str(messages[-1].parts):
        await asyncio.sleep(60)
    yield "two."


agent = Agent(FunctionModel(stream_function=answer), deps_type=Session[None], capabilities=[ArtifactWorkspace()])


def make_runner(_settings: object, _files: object) -> Runner[None, str]:
    """The runner; its claims lapse soon after a kill, and not before a loaded machine has renewed them."""
    return Runner(agent, app=None, claim_ttl=timedelta(seconds=4))
