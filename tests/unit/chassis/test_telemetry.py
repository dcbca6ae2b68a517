"""Spans as lines of JSON and logs with a trace id; neither tells more than ids, counts and reasons."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_chassis.telemetry import HumanLines

WRITER = """
import sys
from lattice_chassis.telemetry import configure, current_traceparent, span

configure(sys.argv[1])
with span("outer", artifact_id="art_1", count=2, absent=None):
    here = current_traceparent()
    try:
        with span("inner"):
            raise ValueError("secret")
    except ValueError:
        pass
with span("resumed", parent=here), span("linked", links=[here, "nonsense"]):
    pass
for _ in range(int(sys.argv[2])):
    with span("many", text="x" * 2_000):
        pass
"""

LOGGER = """
import logging
from lattice_chassis.telemetry import configure, logging_setup, span

configure("probe")
logging_setup("json")
with span("outer"):
    logging.getLogger("lattice.probe").warning("%s is low", "paper", extra={"tray": 2, "nothing": None})
try:
    raise ValueError("jam")
except ValueError:
    logging.getLogger("lattice.probe").exception("failed")
"""


def run(program: str, *arguments: str, trace_file: Path | None = None) -> subprocess.Popen[str]:
    """Start a program in a process of its own: telemetry is set up once a process."""
    environment = {} if trace_file is None else {"LATTICE_TRACE_FILE": str(trace_file)}
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments], env=environment, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture(scope="module")
def spans(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    trace_file = tmp_path_factory.mktemp("telemetry") / "new" / "traces.jsonl"
    process = run(WRITER, "probe", "0", trace_file=trace_file)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return {line["name"]: line for line in map(json.loads, trace_file.read_text().splitlines())}


def test_a_span_is_a_line_with_its_parent_and_service(spans: dict[str, dict[str, object]]) -> None:
    outer, inner = spans["outer"], spans["inner"]
    assert outer["parent_id"] is None
    assert (inner["trace_id"], inner["parent_id"]) == (outer["trace_id"], outer["span_id"])
    assert (outer["service"], outer["kind"], outer["status"]) == ("probe", "INTERNAL", "UNSET")
    assert outer["attributes"] == {"lattice.artifact_id": "art_1", "lattice.count": 2}
    assert isinstance(outer["start_unix_nano"], int)
    assert isinstance(inner["end_unix_nano"], int)
    assert outer["start_unix_nano"] <= inner["end_unix_nano"]


def test_a_failed_span_names_the_error_and_not_its_text(spans: dict[str, dict[str, object]]) -> None:
    assert spans["inner"]["status"] == "ERROR"
    assert spans["inner"]["attributes"] == {"error.type": "ValueError"}
    assert "secret" not in json.dumps(spans)


def test_a_kept_traceparent_is_continued_or_linked_to(spans: dict[str, dict[str, object]]) -> None:
    outer, resumed, linked = spans["outer"], spans["resumed"], spans["linked"]
    assert (resumed["trace_id"], resumed["parent_id"]) == (outer["trace_id"], outer["span_id"])
    assert linked["links"] == [{"trace_id": outer["trace_id"], "span_id": outer["span_id"]}]


def test_processes_that_share_a_file_never_mix_their_lines(tmp_path: Path) -> None:
    trace_file = tmp_path / "traces.jsonl"
    processes = [run(WRITER, f"probe-{number}", "200", trace_file=trace_file) for number in range(3)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    lines = [json.loads(line) for line in trace_file.read_text().splitlines()]
    assert [sum(line["service"] == f"probe-{number}" for line in lines) for number in range(3)] == [204, 204, 204]


def test_a_line_of_the_log_carries_the_trace_and_the_extra_fields() -> None:
    process = run(LOGGER)
    _, written = process.communicate(timeout=60)
    warning, failure = map(json.loads, written.splitlines())
    assert (warning["level"], warning["logger"], warning["message"], warning["tray"]) == (
        "WARNING",
        "lattice.probe",
        "paper is low",
        2,
    )
    assert len(warning["trace_id"]) == 32
    assert "nothing" not in warning
    assert "ValueError: jam" in failure["exception"]


def test_a_line_for_people_begins_with_the_time_and_the_level() -> None:

    record = logging.makeLogRecord({"levelname": "INFO", "msg": "listening on %s", "args": ("unix:/x",)})
    assert HumanLines().format(record).endswith("INFO    listening on unix:/x")
