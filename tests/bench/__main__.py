"""What our machinery costs, against floors measured in the same run: `python -m bench`.

The ratios hold better than the times, which depend on the machine and on whoever else uses it; its load is printed.
Nothing is asserted here. The services write all their spans to a file, as `lattice up` has them do.
"""

import asyncio
import itertools
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.agents import measure_agents
from bench.floor import CHECK_OUT, RENAMING
from bench.measure import Pair, milliseconds, pair
from bench.stage import PERSON, Stage, staged
from bench.streaming import measure_streaming
from bench.tracing import measure_tracing
from bench.watchers import measure_feed
from bench.wordcraft import measure_wordcraft
from bench.writers import floor_of, measure_neighbours, measure_writers, renaming
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.telemetry import TraceFile, span
from lattice_cli import demo, native_files
from lattice_cli.native_files import new_request_id
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, Sampler, SamplingResult
from opentelemetry.trace import Link, SpanKind, TraceState
from opentelemetry.util.types import Attributes

ROUNDS: Final = int(os.environ.get("LATTICE_BENCH_ROUNDS", "300"))
EDITS: Final = max(ROUNDS // 10, 3)
SPANS: Final = 200
"""Spans that are timed together, for the clock is coarse beside one."""

BATCH: Final = "lattice.app.v1.AppService/ApplyBatch"
DOCUMENT: Final = Path(demo.__file__).with_name("launch-brief.docx")
ASK: Final = integrations_pb.CheckEnabledRequest(workspace=PERSON.workspace_name, key="files:wordcraft")


async def main() -> None:
    """Measure pair after pair, and print each as it is done."""
    print(f"{os.cpu_count()} cores, load {_load()}; medians of {ROUNDS} calls, of {EDITS} for edits")
    print(f"{'':<34}{'ours':>12}{'floor':>12}{'ratio':>8}   the floor is")
    async with staged() as stage:
        print(await _chain(stage), flush=True)
        print(await _check_enabled(stage), flush=True)
        for line in await _check_out(stage), await _structured_edit(stage):
            print(*line, sep="\n", flush=True)
        print(await measure_writers(stage), flush=True)
        print(await measure_neighbours(stage), flush=True)
        print(await _edit(stage), flush=True)
        await measure_feed(stage.suite)
        await measure_agents(stage.suite)
    await measure_streaming()
    await measure_wordcraft()
    print(await _span())
    await measure_tracing()
    print(f"load {_load()}")


async def _chain(stage: Stage) -> Pair:
    return await pair(
        "an RPC through our chains",
        lambda: stage.chain.CheckEnabled(ASK),
        "the same RPC on bare grpc.aio",
        lambda: stage.echo.CheckEnabled(ASK),
        ROUNDS,
    )


async def _check_enabled(stage: Stage) -> Pair:
    return await pair(
        "CheckEnabled",
        lambda: stage.alice.integrations.CheckEnabled(ASK),
        "a bare RPC with one indexed select",
        lambda: stage.select.CheckEnabled(ASK),
        ROUNDS,
    )


async def _check_out(stage: Stage) -> Sequence[Pair]:
    name = PERSON.artifact_name((await native_files.upload(stage.alice, DOCUMENT)).applied.artifact_id)
    files = stage.alice.native_files
    return [
        await pair(
            "CheckOut, behind the gate",
            lambda: files.CheckOut(native_pb.CheckOutRequest(name=name, request_id=new_request_id())),
            floor_of(CHECK_OUT, way),
            partial(floor.CheckEnabled, ASK),
            ROUNDS,
            undo=lambda: files.ReleaseCheckOut(native_pb.ReleaseCheckOutRequest(name=name)),
        )
        for way, floor in stage.check_out.items()
    ]


async def _structured_edit(stage: Stage) -> Sequence[Pair]:
    rename = await renaming(stage.alice)
    return [
        await pair(
            "EditArtifact, behind the gate", rename, floor_of(RENAMING, way), partial(floor.CheckEnabled, ASK), ROUNDS
        )
        for way, floor in stage.renaming.items()
    ]


async def _edit(stage: Stage) -> Pair:
    artifact_id = (await native_files.upload(stage.alice, DOCUMENT)).applied.artifact_id
    wordings = itertools.cycle(itertools.pairwise(("17 February", "3 March", "17 February")))
    times = []
    for version, (quote, replacement) in zip(range(1, EDITS + 1), wordings, strict=False):
        command = native_pb.AppCommand(
            command="replace_text", arguments_json=json.dumps({"quote": quote, "replacement": replacement})
        )
        request = native_pb.EditRequest(
            name=PERSON.artifact_name(artifact_id),
            base_version=version,
            commands=[command],
            summary="moves the launch",
            context=artifacts_pb.WriteContext(request_id=new_request_id()),
        )
        times.append(await milliseconds(partial(stage.alice.native_files.Edit, request)))
    batches = [it for it in stage.suite.spans.all() if it.name == BATCH and it.kind == "CLIENT"]
    return Pair(
        what="Edit of the demo's document",
        floor_is="its call of the app worker",
        ours=median(times),
        floor=median(it.milliseconds for it in batches),
    )


class _Switchable(Sampler):
    """Samples all or nothing, by turns: a process has one provider of spans for its life."""

    on = False

    def should_sample(  # the signature is OpenTelemetry's
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        sampler = ALWAYS_ON if self.on else ALWAYS_OFF
        return sampler.should_sample(parent_context, trace_id, name, kind, attributes, links, trace_state)

    def get_description(self) -> str:
        return "switchable"


async def _span() -> Pair:
    sampler = _Switchable()
    provider = TracerProvider(sampler=sampler)
    trace.set_tracer_provider(provider)

    async def spans(*, on: bool) -> None:
        sampler.on = on
        for number in range(SPANS):
            with span("commit", artifact_id="art_0123456789abcdef", version=number):
                pass

    with TemporaryDirectory() as folder:
        provider.add_span_processor(SimpleSpanProcessor(TraceFile(Path(folder) / "traces.jsonl")))
        many = await pair(
            "a span, sampled to a file",
            partial(spans, on=True),
            "the same with sampling off",
            partial(spans, on=False),
            ROUNDS // 3,
        )
    return replace(many, ours=many.ours / SPANS, floor=many.floor / SPANS)


def _load() -> str:
    return " ".join(f"{it:.1f}" for it in os.getloadavg())


if __name__ == "__main__":
    asyncio.run(main())
