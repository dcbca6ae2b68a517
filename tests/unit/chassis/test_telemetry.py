"""Spans as lines of JSON and logs with a trace id; neither tells more than ids, counts and reasons."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_chassis.telemetry import TRACE_FILE_VARIABLE, HumanLines, logging_setup

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

UNTRACED = """
import json
import os
from lattice_chassis.telemetry import configure, current_trace_id, current_traceparent, span, untraced

configure("probe")
with untraced(), span("hidden"):
    hidden = [current_traceparent(), current_trace_id()]
with span("seen"):
    print(json.dumps([*hidden, current_trace_id()]))
"""

AUDITOR = """
import logging
from lattice_chassis.telemetry import logging_setup

logging_setup("json", level="ERROR")
logging.getLogger("lattice.rpc").info("a call")
logging.getLogger("lattice.audit").info("an act")
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


@pytest.mark.parametrize("sampler", ["parentbased_always_on", "always_off"])
def test_what_is_not_kept_names_no_trace(tmp_path: Path, sampler: str) -> None:
    """TR-01, TR-02: what is on record leads to a trace, or to none."""
    trace_file = tmp_path / "traces.jsonl"
    environment = {TRACE_FILE_VARIABLE: str(trace_file), "OTEL_TRACES_SAMPLER": sampler}
    told = subprocess.run(
        [sys.executable, "-c", UNTRACED], env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    kept = {line["trace_id"] for line in map(json.loads, trace_file.read_text().splitlines())}
    assert {it for it in json.loads(told) if it is not None} == kept


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
    assert (len(warning["trace_id"]), len(warning["span_id"])) == (32, 16)
    assert "trace_id" not in failure
    assert "nothing" not in warning
    assert "ValueError: jam" in failure["exception"]


def test_a_line_for_people_carries_trace_and_span() -> None:
    """TR-03."""
    process = run(LOGGER.replace('"json"', '"human"'))
    _, written = process.communicate(timeout=60)
    assert re.search(r"paper is low \[[0-9a-f]{32} [0-9a-f]{16}\]\n", written)


def test_what_is_on_record_is_written_whatever_else_is_worth_a_line() -> None:
    """SE-02."""
    _, written = run(AUDITOR).communicate(timeout=60)
    assert [json.loads(line)["message"] for line in written.splitlines()] == ["an act"]


def test_a_line_for_people_begins_with_the_time_and_the_level() -> None:

    record = logging.makeLogRecord({"levelname": "INFO", "msg": "listening on %s", "args": ("unix:/x",)})
    assert HumanLines().format(record).endswith("INFO    listening on unix:/x")


def test_a_line_for_people_is_one_line_whatever_it_tells() -> None:
    """SE-02: a stranger names the method that it calls as it likes, and writes no line of the record by that."""
    named = "a/b\r\n12:00:00 INFO    audit: all is well\x1b[2K\u2028x"
    record = logging.makeLogRecord({"levelname": "INFO", "msg": "%s OK", "args": (named,)})
    line = HumanLines().format(record)
    assert line.endswith(r"a/b\r\n12:00:00 INFO    audit: all is well\x1b[2K\u2028x OK")
    assert len(line.splitlines()) == 1


def test_metadata_that_are_no_text_are_not_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    """SE-01: gRPC quotes them as it fails to read them, and one may be a credential with a byte too many."""
    before = logging.root.handlers[:], logging.root.level
    logger = logging.getLogger("grpc._cython.cygrpc")
    try:
        logging_setup()
        logger.error("Invalid encoding on %s", b"Bearer secret\xff")
        logger.error("something else")
    finally:
        logging.root.handlers[:], logging.root.level = before
        logger.filters.clear()
    assert [line.split("ERROR")[1].strip() for line in capsys.readouterr().err.splitlines()] == ["something else"]
