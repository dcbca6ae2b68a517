"""What tracing costs a gated write, in interleaved rounds: `python -m bench.tracing`.

The same write goes by turns to suites that differ in their environment alone: no tracing at all, sampling off, and
every span sampled, exported by OTLP to a collector that reads and forgets, or kept by the suite as `lattice up` does.
Nothing is asserted here; the limits are printed beside what was measured, with their spread over ten parts of the run.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Final

import grpc
import psutil
from bench.measure import Call, milliseconds
from bench.stage import PERSON
from bench.writers import renaming
from lattice_cli.connection import connect
from lattice_cli.processes import free_address
from lattice_cli.suite import Suite, running_suite

ROUNDS: Final = int(os.environ.get("LATTICE_BENCH_TRACED_WRITES", "2000"))
WARM_UP: Final = 50
PARTS: Final = 10

NONE, OFF, OTLP, KEPT = "no tracing", "sampling off", "all sampled, by OTLP", "as `lattice up` keeps them"
LIMITS: Final = {OFF: 1.02, OTLP: 1.25, KEPT: 1.25}
"""What the median of a write may come to, as a ratio to no tracing."""

TESTS: Final = Path(__file__).resolve().parents[1]
EXPORT: Final = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"


@dataclass
class Lane:
    """A suite with one kind of tracing, and how long its writes took."""

    write: Call
    suite: Suite
    times: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    """Milliseconds that the services computed for each write: what others do on the machine disturbs that less."""
    _computed: float = 0.0

    async def measured(self) -> None:
        """Write once."""
        self.times.append(await milliseconds(self.write))
        before, self._computed = self._computed, self.computed()
        self.processor.append(self._computed - before)

    def computed(self) -> float:
        """Milliseconds that the services have computed so far."""
        times = [psutil.Process(it.process.pid).cpu_times() for it in self.suite.running.values()]
        return sum(it.user + it.system for it in times) * 1000


async def measure_tracing() -> None:
    """Measure, and print a line for each kind of tracing."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lattice-bench-")))
        collector = await stack.enter_async_context(_collector())
        lanes = {
            name: await stack.enter_async_context(_lane(folder / str(number), environment))
            for number, (name, environment) in enumerate(_environments(collector).items())
        }
        await _write(list(lanes.values()))
        kept = lanes[KEPT].suite.spans
        await asyncio.sleep(1)  # the last spans of a write end after its answer, and are sent later
        spans = len(list(kept.all()))
        await lanes[KEPT].write()
        await asyncio.sleep(1)
        spans = len(list(kept.all())) - spans
    _tell(lanes, spans)


async def _write(lanes: Sequence[Lane]) -> None:
    """Write in all lanes, round after round, each round beginning with another lane."""
    for number in range(WARM_UP + ROUNDS):
        first = number % len(lanes)
        for lane in (*lanes[first:], *lanes[:first]):
            await lane.measured()
    for lane in lanes:
        del lane.times[:WARM_UP], lane.processor[:WARM_UP]


def _tell(lanes: Mapping[str, Lane], spans: int) -> None:
    times = {name: lane.times for name, lane in lanes.items()}
    computed = {name: mean(lane.processor) for name, lane in lanes.items()}
    base = times[NONE]
    print(f"a gated write, {len(base)} rounds; p50 {median(base):.3f} ms without tracing, {spans} spans a write")
    for name, limit in LIMITS.items():
        ratio = _ratio(times[name], base)
        parts = [_ratio(times[name][part::PARTS], base[part::PARTS]) for part in range(PARTS)]
        pairs = _more(times[name], base)
        verdict = "within" if ratio <= limit else "OVER"
        more = (computed[name] - computed[NONE]) * 1000
        cost = f", {pairs * 1000 / spans:.0f} µs a span" if name != OFF else ""
        computing = f"; computed {computed[name] / computed[NONE]:.3f} times as long, {more:+.0f} µs a write"
        computing += f", {more / spans:.0f} µs a span" if name != OFF else ""
        print(
            f"{name:<24} p50 {median(times[name]):>7.3f} ms  ratio {ratio:.3f} ({min(parts):.3f} to {max(parts):.3f}), "
            f"{verdict} its limit {limit:.2f}; {pairs * 1000:+.0f} µs a write{cost}{computing}"
        )


def _more(ours: Sequence[float], floor: Sequence[float]) -> float:
    """What is spent more, pair by pair: what disturbs the machine for a while disturbs both."""
    return median(it - other for it, other in zip(ours, floor, strict=True))


def _ratio(ours: Sequence[float], floor: Sequence[float]) -> float:
    return 1 + _more(ours, floor) / median(floor)


def _environments(collector: str) -> Mapping[str, Mapping[str, str]]:
    otlp = {
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"http://{collector}",
        "OTEL_EXPORTER_OTLP_INSECURE": "true",
    }
    return {
        NONE: {"OTEL_SDK_DISABLED": "true"},
        OFF: {"OTEL_TRACES_SAMPLER": "always_off"},
        OTLP: otlp,
        KEPT: {},
    }


@asynccontextmanager
async def _lane(folder: Path, environment: Mapping[str, str]) -> AsyncIterator[Lane]:
    async with (
        running_suite(folder, services=("integrations", "files"), settings=environment) as suite,
        connect(suite.addresses, PERSON) as alice,
    ):
        yield Lane(write=await renaming(alice), suite=suite)


@asynccontextmanager
async def _collector() -> AsyncIterator[str]:
    address = free_address()
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.tracing", address, cwd=TESTS)
    try:
        async with asyncio.timeout(60), grpc.aio.insecure_channel(address) as probe:
            await probe.channel_ready()
        yield address
    finally:
        process.kill()
        await process.wait()


async def _collect(address: str) -> None:
    """Take whatever is exported to this address, and forget it."""

    async def export(_spans: bytes, _context: object) -> bytes:
        return b""

    class Exports(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
            return grpc.unary_unary_rpc_method_handler(export) if details.method == EXPORT else None

    server = grpc.aio.server()
    server.add_generic_rpc_handlers([Exports()])
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_collect(sys.argv[1]) if len(sys.argv) > 1 else measure_tracing())
