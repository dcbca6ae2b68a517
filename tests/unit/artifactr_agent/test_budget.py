"""What a request carries of a long history [HI-01]: pairs stay whole, the newest stays, the start stays the same."""

from collections.abc import Sequence

from artifactr.agent.budget import LEFT_OUT, tokens_of, within_budget
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import BinaryContent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)


def turn(number: int, calls: int, length: int) -> list[ModelMessage]:
    """A turn: a prompt, some calls one after another, and a reply."""
    said = f"{number} " + "x" * length
    messages: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(content=f"prompt {said}")])]
    for step in range(calls):
        call = f"call_{number}_{step}"
        messages.append(ModelResponse(parts=[ToolCallPart(tool_name="read", args={"n": said}, tool_call_id=call)]))
        returned = ToolReturnPart(tool_name="read", content=f"return {said}", tool_call_id=call)
        messages.append(ModelRequest(parts=[returned]))
    return [*messages, ModelResponse(parts=[TextPart(content=f"reply {said}")])]


def asked(turns: Sequence[tuple[int, int]]) -> list[ModelMessage]:
    """Turns of so many calls and characters each, the last of them still without its reply."""
    messages = [message for number, it in enumerate(turns) for message in turn(number, *it)]
    return messages[:-1]


TURNS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 400)), min_size=1, max_size=12)


@given(TURNS, st.integers(1, 3_000))
def test_whatever_is_left_out_leaves_a_history_that_providers_take(turns: list[tuple[int, int]], budget: int) -> None:
    messages = asked(turns)
    kept = list(within_budget(messages, budget))
    mended = [part for message in repair_messages(kept) for part in message.parts]
    assert mended == [part for message in kept for part in message.parts], "a call goes with its return"
    assert kept[-1] == messages[-1]
    prompt = next(it for it in reversed(messages) if isinstance(it.parts[0], UserPromptPart))
    assert any(prompt.parts[0] in message.parts for message in kept)
    parts = [part for message in messages for part in message.parts]
    order = [parts.index(part) for message in kept for part in message.parts if part in parts]
    assert order == sorted(order)


@given(TURNS, st.integers(200, 3_000))
def test_it_fits_unless_the_present_turn_alone_does_not(turns: list[tuple[int, int]], budget: int) -> None:
    messages = asked(turns)
    kept = within_budget(messages, budget)
    if sum(map(tokens_of, messages)) <= budget:
        assert kept == messages
        return
    allowance = tokens_of(ModelRequest(parts=[UserPromptPart(content=LEFT_OUT)]))
    at_least = sum(map(tokens_of, turn(len(turns) - 1, *turns[-1])[:-1]))
    assert sum(map(tokens_of, kept)) <= max(budget, at_least) + allowance


def test_the_start_of_a_request_stays_the_same_while_the_history_grows() -> None:
    """So that a provider's prompt cache is of use: it moves once for every half of the budget."""
    starts = set()
    for length in range(20, 60):
        kept = within_budget(asked([(1, 300)] * length), 3_000)
        starts.add(str(getattr(kept[1].parts[0], "content", kept[1].parts[0])))
    growth = sum(map(tokens_of, asked([(1, 300)] * 60))) - sum(map(tokens_of, asked([(1, 300)] * 20)))
    assert len(starts) <= growth // 1_500 + 2


def test_an_image_counts_as_one_and_not_as_its_bytes() -> None:
    image = BinaryContent(data=bytes(1_000_000), media_type="image/png")
    assert tokens_of(ModelRequest(parts=[UserPromptPart(content=["look", image])])) < 2_000
