"""A real collector and backend: Jaeger takes the suite's spans, and tells a write's way as the suite itself would."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from lattice_cli import conversations, native_files
from lattice_cli.connection import Connection
from lattice_cli.main import app
from lattice_cli.processes import free_address
from lattice_cli.suite import Suite, running_suite
from lattice_cli.trace_command import trace_ids_of
from lattice_cli.trace_tree import short
from typer.testing import CliRunner

BUILD: Final = Path(__file__).resolve().parents[2] / ".build"
JAEGER: Final = next(BUILD.glob("jaeger-v*"), None)

pytestmark = [
    pytest.mark.skipif(JAEGER is None, reason="NO JAEGER HERE: `make jaeger` builds it where Go is, and runs this"),
    pytest.mark.skipif(
        shutil.which("bwrap") is None,
        reason="NO BUBBLEWRAP HERE: an app worker that confines itself reaches no port, and so no Jaeger",
    ),
    pytest.mark.timeout(240),
]

EDGES: Final = {
    ("lattice-agent", "lattice-files"),
    ("lattice-files", "lattice-integrations"),
    ("lattice-files", "lattice-wordcraft"),
}
"""Who calls whom in the write of an agent; nothing calls upward."""

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


def configuration(otlp: str, query: str, grpc: str) -> str:
    """OTLP in, memory, and the query API, on loopback alone."""
    return json.dumps({
        "service": {
            "extensions": ["jaeger_storage", "jaeger_query"],
            "pipelines": {"traces": {"receivers": ["otlp"], "exporters": ["jaeger_storage_exporter"]}},
            "telemetry": {"metrics": {"level": "none"}},
        },
        "extensions": {
            "jaeger_storage": {"backends": {"memory": {"memory": {"max_traces": 10_000}}}},
            "jaeger_query": {"storage": {"traces": "memory"}, "http": {"endpoint": query}, "grpc": {"endpoint": grpc}},
        },
        "receivers": {"otlp": {"protocols": {"grpc": {"endpoint": otlp}}}},
        "exporters": {"jaeger_storage_exporter": {"trace_storage": "memory"}},
    })  # fmt: skip


def asked(url: str) -> Any:  # noqa: ANN401 - JSON
    """What Jaeger answers; None where it does not, or knows nothing."""
    try:
        with urlopen(url, timeout=10) as answer:  # noqa: S310 - on loopback
            return json.load(answer)
    except (URLError, ConnectionError):
        return None


@pytest.fixture
async def query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, eventually: Eventually) -> AsyncIterator[str]:
    """Where Jaeger is asked; what is started meanwhile sends its spans there, by the standard variables."""
    assert JAEGER is not None
    otlp, query, grpc = (free_address() for _ in range(3))
    (tmp_path / "jaeger.yaml").write_text(configuration(otlp, query, grpc))
    with (tmp_path / "jaeger.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            JAEGER, "--config", tmp_path / "jaeger.yaml", stdout=log, stderr=log
        )
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://{otlp}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    try:

        async def answers() -> bool:
            assert process.returncode is None, (tmp_path / "jaeger.log").read_text()
            return await asyncio.to_thread(asked, f"http://{query}/api/services") is not None

        await eventually(answers)
        yield f"http://{query}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.fixture
async def suite(query: str) -> AsyncIterator[Suite]:
    """The suite, which sends its spans to Jaeger."""
    assert query
    folder = Path(tempfile.mkdtemp(prefix="lattice-jaeger-"))
    try:
        async with running_suite(folder, keeps_spans=False) as running:
            yield running
    finally:
        shutil.rmtree(folder)


def parents_of(trace: Mapping[str, Any]) -> dict[str, str]:
    """The parent of each span of a trace as Jaeger's own page is told of it."""
    return {
        span["spanID"]: reference["spanID"]
        for span in trace["spans"]
        for reference in span["references"]
        if reference["refType"] == "CHILD_OF" and reference["traceID"] == trace["traceID"]
    }


def lines_of(nodes: Sequence[Mapping[str, Any]], above: str = "") -> Iterator[tuple[str, str, str]]:
    """Each span that `lattice trace` tells of: the name above it, its name, its service."""
    for node in nodes:
        yield above, node["name"], node["service"]
        yield from lines_of(node["children"], node["name"])


async def test_a_write_is_found_in_jaeger_and_lattice_trace_tells_of_it_the_same(
    suite: Suite, alice: Connection, document: Path, query: str, eventually: Eventually
) -> None:
    """TR-02, TR-03: a revision names the trace by which a real backend knows its write, through all services."""
    artifact_id = (await native_files.upload(alice, document)).applied.artifact_id
    thread = await conversations.create_thread(alice, "Launch brief")
    content = f'In {artifact_id} replace "17 February" with "3 March" and comment "Legal asked for it."'
    sent = await conversations.send(alice, thread.thread_id, content)
    await conversations.entries_of_run(alice, sent.run_id, within=120)
    (trace_id,) = await trace_ids_of(alice, f"{artifact_id}@2")
    assert list(await trace_ids_of(alice, sent.run_id)) == [trace_id]
    assert not list(suite.spans.all()), "the suite keeps none itself"

    trace: dict[str, Any] = {}

    async def whole() -> bool:
        answer = await asyncio.to_thread(asked, f"{query}/api/traces/{trace_id}")
        trace.update(answer["data"][0] if answer else {})
        services = {it["serviceName"] for it in trace.get("processes", {}).values()}
        roots = [it for it in trace.get("spans", ()) if it["spanID"] not in parents_of(trace)]
        return [it["operationName"] for it in roots] == ["turn"] and services >= {it for edge in EDGES for it in edge}

    await eventually(whole)
    services = {it["spanID"]: trace["processes"][it["processID"]]["serviceName"] for it in trace["spans"]}
    calls = {(services[parent], services[child]) for child, parent in parents_of(trace).items()}
    assert {(one, other) for one, other in calls if one != other} == EDGES

    options = ["--data", str(suite.folder), "--tenant", "acme", "--as", "alice", "--json"]
    result = await asyncio.to_thread(CliRunner().invoke, app, [*options, "trace", sent.run_id, "--backend", query])
    assert result.exit_code == 0, result.output
    told = {it["trace_id"]: it for it in json.loads(result.stdout)["traces"]}
    names = {it["spanID"]: it["operationName"] for it in trace["spans"]}
    parents = parents_of(trace)
    expected = [(names.get(parents.get(it, ""), ""), names[it], services[it]) for it in names]
    assert sorted(lines_of(told[trace_id]["roots"])) == sorted(expected)
    begun = {root["name"] for it in told.values() for root in it["roots"]}
    assert "agent.SendMessage" in {short(it) for it in begun}, "what posted the message is told, too"
