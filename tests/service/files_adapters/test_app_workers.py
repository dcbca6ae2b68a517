"""What an app worker is asked for, and how its answers and refusals arrive."""

import json
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_chassis.telemetry import TRACE_FILE_VARIABLE
from lattice_files.adapters.app_workers import AppPrograms, open_app_workers
from lattice_files.adapters.worker_client import WorkerClient
from lattice_files.adapters.worker_pool import PoolLimits
from lattice_files.adapters.worker_process import AppProgram
from lattice_files.domain.apps import App, TextView
from lattice_files.domain.rejections import AppRefused, FileRefused, PageOutOfRange, ValidationFailed
from opentelemetry import context, trace
from service.files_adapters.workbench import (
    ALICE,
    APPEND,
    FAKE_APP,
    FAKE_FORMAT,
    OpenWorkers,
    Workbench,
    batch,
    fake_app,
    is_left,
)

SOON = timedelta(seconds=60)


def only_app(workers: AppPrograms) -> App:
    (app,) = workers.apps
    return app


@pytest.fixture(scope="module")
async def workers(open_workers: OpenWorkers) -> AsyncIterator[AppPrograms]:
    async with open_workers() as opened:
        yield opened


@pytest.fixture
async def worker(workers: AppPrograms) -> AsyncIterator[WorkerClient]:
    async with workers.slot(only_app(workers), within=SOON) as taken:
        yield taken


async def test_an_app_says_itself_which_kinds_it_serves_and_which_key_governs_it(workers: AppPrograms) -> None:
    """I-03, I-10, N-40: the description decides, not the configuration."""
    app = only_app(workers)
    assert (app.name, app.integration_key, app.kinds) == ("fakeapp", "files:fakeapp", ("native_fake",))
    assert workers.apps.key_of("native_fake") == "files:fakeapp"
    assert workers.apps.format_of_file("Report.FAKE") == FAKE_FORMAT


async def test_text_and_review_are_derived_and_counted(worker: WorkerClient, bench: Workbench) -> None:
    """N-13, N-14, B-04."""
    comment = {"id": "fk-1", "author": "Alice", "date": "", "text": "Why?", "anchored_text": "Zwei"}
    document = bench.document("Eins: ä", "Zwei", comments=[comment])
    derived = await worker.extract(document, FAKE_FORMAT, bench.into())
    assert derived.text.path.read_text("utf-8") == "Eins: ä\nZwei"
    assert (derived.text_chars, derived.review_count) == (12, 1)
    assert json.loads(derived.review.path.read_bytes())[0]["id"] == "fk-1"


async def test_an_empty_text_is_a_text(worker: WorkerClient, bench: Workbench) -> None:
    """N-13: a document without words has one of no characters."""
    derived = await worker.extract(bench.document(), FAKE_FORMAT, bench.into())
    assert (derived.text.size, derived.text_chars) == (0, 0)
    assert derived.text.path.read_bytes() == b""


async def test_what_an_agent_changes_is_tracked_under_its_name_with_the_apps_ids(
    worker: WorkerClient, bench: Workbench
) -> None:
    """F-09, N-26."""
    commands = batch(("append_paragraph", {"text": "Two."}), ("add_comment", {"anchor": "One", "text": "Sure?"}))
    made = await worker.apply_batch(bench.document("One."), FAKE_FORMAT, commands, bench.into())
    review = json.loads(made.derived.review.path.read_bytes())
    assert [(it["id"], it["type"], it["author"]) for it in review] == [
        ("fk-2", "comment", "Assistant"),
        ("fk-1", "tracked_change", "Assistant"),
    ]
    assert made.changed_parts == ("changes", "comments", "paragraphs")
    assert json.loads(made.native.path.read_bytes())["paragraphs"] == ["One.", "Two."]


async def test_the_text_before_all_tracked_changes_is_derived_on_request(
    worker: WorkerClient, bench: Workbench
) -> None:
    """N-13: the review lists the changes in either view."""
    made = await worker.apply_batch(
        bench.document("One."), FAKE_FORMAT, batch(("append_paragraph", {"text": "Two."})), bench.into()
    )
    derived = await worker.extract(made.native, FAKE_FORMAT, bench.into(), TextView.ORIGINAL)
    assert derived.text.path.read_text("utf-8") == "One."
    assert (derived.text_chars, derived.review_count) == (4, 1)


async def test_what_a_person_changes_is_not_tracked(worker: WorkerClient, bench: Workbench) -> None:
    """F-09: by default only agents' changes are."""
    commands = batch(("append_paragraph", {"text": "Two."}), author=ALICE)
    made = await worker.apply_batch(bench.document("One."), FAKE_FORMAT, commands, bench.into())
    assert made.derived.review_count == 0


async def test_a_refused_command_is_named_with_its_place_and_the_apps_words(
    worker: WorkerClient, bench: Workbench
) -> None:
    """F-08, R-06: the batch is refused as a whole."""
    commands = batch(("append_paragraph", {"text": "Two."}), ("replace_text", {"old": "absent", "new": "x"}))
    with pytest.raises(AppRefused) as refused:
        await worker.apply_batch(bench.document("One."), FAKE_FORMAT, commands, bench.into())
    assert (refused.value.index, refused.value.command) == (1, "replace_text")
    assert refused.value.why == "'absent' occurs 0 times"


async def test_a_batch_that_changes_nothing_is_refused(worker: WorkerClient, bench: Workbench) -> None:
    """F-10."""
    same = batch(("replace_text", {"old": "One", "new": "One"}), author=ALICE)
    with pytest.raises(AppRefused, match="changes nothing"):
        await worker.apply_batch(bench.document("One."), FAKE_FORMAT, same, bench.into())


async def test_a_guards_refusal_names_the_guard(worker: WorkerClient, bench: Workbench) -> None:
    """RJ-03: FILE_REFUSED, before any parser sees the content."""
    with pytest.raises(FileRefused) as refused:
        await worker.extract(bench.content(b"BAD" + bytes(3_000_000)), FAKE_FORMAT, bench.into())
    assert refused.value.guard == "prefix"


async def test_a_request_that_does_not_fit_the_contract_is_a_rejection(worker: WorkerClient, bench: Workbench) -> None:
    """RJ-03: the worker's own shape check refuses a file without content."""
    with pytest.raises(ValidationFailed) as refused:
        await worker.extract(bench.content(b""), FAKE_FORMAT, bench.into())
    assert list(refused.value.errors) == [("header.file.size", "is required")]


async def test_after_a_refusal_the_same_worker_goes_on(workers: AppPrograms, bench: Workbench) -> None:
    """R-06: a refusal is no fault of the worker."""
    processes = set()
    for _ in range(3):
        async with workers.slot(only_app(workers), within=SOON) as worker:
            processes.add(worker._process.process_id)
            with pytest.raises(FileRefused):
                await worker.extract(bench.content(b"BAD"), FAKE_FORMAT, bench.into())
    assert len(processes) == 1


async def test_a_page_is_an_image_of_the_size_that_was_asked_for(worker: WorkerClient, bench: Workbench) -> None:
    """N-15, N-41."""
    page = await worker.render_page(bench.document("One."), FAKE_FORMAT, 1, 400, bench.into())
    assert (page.page_count, page.height, page.width) == (1, 400, 283)
    assert page.png.startswith(b"\x89PNG")


async def test_a_page_beyond_the_last_tells_how_many_there_are(worker: WorkerClient, bench: Workbench) -> None:
    """F-14."""
    document = bench.document(*[f"Paragraph {number}." for number in range(11)])
    with pytest.raises(PageOutOfRange) as refused:
        await worker.render_page(document, FAKE_FORMAT, 3, 400, bench.into())
    assert refused.value.count == 2


async def test_commands_are_found_by_words_and_listed_without_any(worker: WorkerClient) -> None:
    """N-16, F-17."""
    found = await worker.find_commands("comments on words", 2)
    assert found[0].id == "add_comment"
    assert json.loads(found[0].arguments_schema_json)["required"] == ["anchor", "text"]
    assert [it.id for it in await worker.find_commands("", 2)] == ["append_paragraph", "replace_text"]
    assert await worker.find_commands("xylophone", 2) == ()


async def test_two_apps_stand_beside_each_other(bench: Workbench) -> None:
    """I-11, N-40: each declares its formats, and gets the calls for them."""
    sketch = fake_app("--name", "sketch", "--integration-key", "files:sketch", "--format", "svgish")
    async with open_app_workers([fake_app(), sketch], PoolLimits(slots=1)) as workers:
        assert workers.apps.key_of("native_svgish") == "files:sketch"
        app, file_format = workers.apps.app_of("native_svgish"), workers.apps.format_of("native_svgish")
        assert app is not None
        assert file_format is not None
        async with workers.slot(app, within=SOON) as worker:
            assert (await worker.extract(bench.document("One."), file_format, bench.into())).text_chars == 4


async def test_two_apps_of_one_format_do_not_start() -> None:
    """I-11, N-40: which of them a file belonged to would be a guess."""
    programs = [fake_app(), fake_app("--name", "other", "--integration-key", "files:other")]
    with pytest.raises(ValueError, match="same format"):
        async with open_app_workers(programs, PoolLimits(slots=1)):
            pass


async def test_a_worker_sees_an_allow_list_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SE-07: a worker is told no secret of files, and has a home and temporary folder of its own."""
    monkeypatch.setenv("LATTICE_FILES_DATABASE_URL", "postgresql+aiopg://files:secret@db/files")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=secret")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=secret")
    seen = tmp_path / "environment"
    program = AppProgram(command=("sh", "-c", 'env > "$0"; exec "$@"', str(seen), *FAKE_APP))
    async with open_app_workers([program], PoolLimits(slots=1)):
        environment = dict(line.split("=", 1) for line in seen.read_text().splitlines())
    assert environment["OTEL_RESOURCE_ATTRIBUTES"] == "deployment.environment=test"
    assert environment["HOME"] == environment["TMPDIR"] != os.environ.get("HOME")
    assert not is_left(environment["HOME"])
    assert not any("secret" in value for value in environment.values())


async def test_the_trace_of_a_call_goes_on_in_the_worker(
    tmp_path: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TR-03: the worker's span belongs to the trace of whoever asked."""
    spans = tmp_path / "spans.jsonl"
    monkeypatch.setenv(TRACE_FILE_VARIABLE, str(spans))
    asked = trace.SpanContext(trace_id=0xABCDEF, span_id=0x12, is_remote=False, trace_flags=trace.TraceFlags(1))
    async with open_app_workers([fake_app()], PoolLimits(slots=1)) as workers:
        token = context.attach(trace.set_span_in_context(trace.NonRecordingSpan(asked)))
        try:
            async with workers.slot(only_app(workers), within=SOON) as worker:
                await worker.apply_batch(bench.document("One."), FAKE_FORMAT, APPEND, bench.into())
        finally:
            context.detach(token)
    lines = [json.loads(line) for line in spans.read_text().splitlines()]
    (applied,) = [it for it in lines if it["name"] == "lattice.app.v1.AppService/ApplyBatch"]
    assert (applied["trace_id"], applied["service"]) == (f"{asked.trace_id:032x}", "fakeapp")
