"""The scripted model of the test kit: what it answers, and what it remembers."""

from collections.abc import AsyncIterable

import pytest
from artifactr.testing import Script, ScriptEnded, call
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import AgentStreamEvent, FunctionToolCallEvent, PartDeltaEvent, PartStartEvent, TextPartDelta

SHARED = Script()
"""Of an agent that stands in a module, as an application's does."""

agent = Agent(SHARED.model)


@agent.tool_plain
async def look(at: str) -> str:
    """Look at something."""
    return f"I see {at}."


async def test_it_answers_in_order_and_remembers_each_request() -> None:
    script = Script(["Hello.", [*call("look", at="one"), *call("look", at="two")], "Both."])
    with script.plays(agent):
        first = await agent.run("Hi.")
        await agent.run("Look.", message_history=first.all_messages())
    assert [asked.prompts for asked in script.asked] == [["Hi."], ["Look."], []]
    assert [it.text for it in script.asked[2].returns] == ["I see one.", "I see two."]
    assert script.asked[0].tools == {"look"}
    assert len(script.asked[2].messages) == 5
    assert not SHARED.asked


async def test_an_answer_is_made_when_its_turn_comes_and_more_are_added() -> None:
    script = Script()

    async def later() -> str:
        return f"Request {len(script.asked)}."

    script.add("At once.")
    script.add(later)
    with script.plays(agent):
        assert [(await agent.run("?")).output for _ in range(2)] == ["At once.", "Request 2."]


async def test_a_script_that_is_over_says_what_it_was_asked() -> None:
    with Script().plays(agent), pytest.raises(ScriptEnded, match=r"request 1: .*Anybody there\?"):
        await agent.run("Anybody there?")


async def test_the_agent_has_its_own_model_again_whatever_happened() -> None:
    own = agent.model
    with pytest.raises(ScriptEnded), Script().plays(agent):
        await agent.run("?")
    assert agent.model is own


@pytest.mark.parametrize("words", ["", " ", "One", "One, two\n\nthree ", " spaced  out"])
async def test_it_streams_the_same_answers(words: str) -> None:
    script = Script([call("look", at="this"), words or "."])
    heard, called = [], []

    async def listen(_: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in events:
            match event:
                case PartStartEvent(part=part) if part.part_kind == "text":
                    heard.append(part.content)
                case PartDeltaEvent(delta=TextPartDelta(content_delta=delta)):
                    heard.append(delta)
                case FunctionToolCallEvent(part=part):
                    called.append(part.args_as_dict())

    with script.plays(agent):
        result = await agent.run("Look.", event_stream_handler=listen)
    assert called == [{"at": "this"}]
    assert "".join(heard) == result.output == (words or ".")
