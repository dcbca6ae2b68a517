"""The trace of a run: its own, linked to its cause, from the run to the call of files, and without any content."""

from collections.abc import Sequence

import pytest
from artifactr.core import AnswerDeferred
from artifactr.core.events import RunStarted
from artifactr.testing import Script, call
from lattice_chassis.telemetry import span
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from unit.artifactr_agent.conversation import Asking, Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

WORDS = "Move the launch to 3 March."


@pytest.fixture(scope="session")
def exporter() -> InMemorySpanExporter:
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


async def traced_run(conversation: Conversation, exporter: InMemorySpanExporter) -> Sequence[ReadableSpan]:
    """The spans that a run leaves which reads the brief and answers, sent within a span `cause`."""
    exporter.clear()
    script = Script([call("read_native", artifact_id=ARTIFACT), "The launch is on 3 March."])
    async with conversation.runner(script) as runner:
        with span("cause"):
            run = await conversation.say(runner, WORDS)
        await run.wait()
    return exporter.get_finished_spans()


def one(spans: Sequence[ReadableSpan], name: str) -> ReadableSpan:
    (found,) = [it for it in spans if it.name == name]
    return found


def id_of(finished: ReadableSpan) -> int:
    assert finished.context is not None
    return int(finished.context.span_id)


def trace_of(finished: ReadableSpan) -> int:
    assert finished.context is not None
    return int(finished.context.trace_id)


def linked(finished: ReadableSpan) -> list[int]:
    return [int(link.context.span_id) for link in finished.links]


async def test_a_turn_is_a_trace_of_its_own_linked_to_what_caused_it(
    conversation: Conversation, exporter: InMemorySpanExporter
) -> None:
    """TR-01, TR-03."""
    spans = await traced_run(conversation, exporter)
    turn, run, posted = one(spans, "turn"), one(spans, "run"), one(spans, "commit")
    assert turn.parent is None
    assert posted.parent is not None
    assert posted.parent.span_id == id_of(one(spans, "cause"))
    assert linked(turn) == [id_of(posted)]
    assert run.context is not None
    assert run.parent is not None
    assert run.parent.span_id == id_of(turn)
    (started,) = [event for event in await conversation.events() if isinstance(event, RunStarted)]
    assert started.trace_id == trace.format_trace_id(run.context.trace_id)
    assert run.attributes is not None
    assert run.attributes["lattice.run_id"] == started.run_id


async def test_a_resumed_run_is_linked_to_its_pause_and_to_the_answers(
    conversation: Conversation, exporter: InMemorySpanExporter
) -> None:
    """TR-01, TR-04, PA-05: in a trace of its own, which the run names behind that of its first segment."""
    exporter.clear()
    agent = Asking(conversation, Script([call("ask_user", question="When?", choices=["Monday"]), "Monday it is."]))
    run = await agent.pause()
    (request,) = run.pending
    with span("answer"):
        await agent.answered(AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, answer="Monday"))
    spans = exporter.get_finished_spans()
    paused, resumed = (it for it in spans if it.name == "turn")
    answer = one(spans, "answer")
    (answered,) = [it for it in spans if it.name == "commit" and it.parent and it.parent.span_id == id_of(answer)]
    of_the_pause = {id_of(it) for it in spans if trace_of(it) == trace_of(paused)}
    before, after = linked(resumed)
    assert before in of_the_pause
    assert after == id_of(answered)
    traces = [trace.format_trace_id(trace_of(it)) for it in (paused, resumed)]
    assert list((await conversation.alice.run(run.id)).trace_ids) == traces


async def test_a_call_of_files_lies_below_its_tool_and_that_below_the_run(
    conversation: Conversation, exporter: InMemorySpanExporter
) -> None:
    """TR-03: run, the agent's invocation, then the model's steps and the tools, then what a tool calls."""
    spans = await traced_run(conversation, exporter)
    clients = [it for it in spans if it.name.endswith("/ReadText") and it.kind is trace.SpanKind.CLIENT]
    tool, invocation, run = one(spans, "execute_tool read_native"), one(spans, "invoke_agent agent"), one(spans, "run")
    parents = {it.parent.span_id for it in clients if it.parent is not None}
    assert id_of(tool) in parents
    assert [it.parent and it.parent.span_id for it in (tool, invocation)] == [id_of(invocation), id_of(run)]
    models = [it for it in spans if it.name.startswith("chat ")]
    assert [it.parent and it.parent.span_id for it in models] == [id_of(invocation)] * 2


async def test_spans_tell_nothing_that_people_or_models_said(
    conversation: Conversation, exporter: InMemorySpanExporter
) -> None:
    """TR-03: ids and counts, never content."""
    spans = await traced_run(conversation, exporter)
    told = " ".join(str(value) for it in spans for value in (it.attributes or {}).values())
    for secret in (WORDS, conversation.brief.text, "The launch is on 3 March."):
        assert secret not in told
