"""The worker as files starts it: a program on a unix socket, spoken to by the contract."""

import asyncio
import json
import os
from typing import Any

import jsonschema_rs
import pytest
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.type.v1 import text_pb2
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_wordcraft.rendering.png import size_of
from service.wordcraft.documents import digests_of, plan, text_of
from service.wordcraft.worker import ASSISTANT, Worker, refused

pytestmark = pytest.mark.long

ALICE = Actor(user=UserActor(id="alice", name="Alice"))


async def test_the_original_view_is_answered_on_request(worker: Worker) -> None:
    """N-13: and a view that is none is refused."""
    tracked = await worker.apply(plan(), ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}))
    native = tracked[app_pb.OUTPUT_NATIVE]
    assert (await worker.extract(native, text_pb2.TEXT_VIEW_ORIGINAL))[0] == text_of(plan())
    assert "on Friday" in (await worker.extract(native))[0]
    assert (await refused(worker.extract(native, text_pb2.TextView.ValueType(9)))).reason == "VALIDATION_FAILED"


async def test_it_says_what_it_is(worker: Worker) -> None:
    """I-03, N-40: name, key, format; the version names the renderer."""
    described = await worker.stub.Describe(app_pb.DescribeRequest())
    assert (described.name, described.integration_key) == ("wordcraft", "files:wordcraft")
    assert [it.extension for it in described.formats] == ["docx"]
    assert "+rdocx-" in described.version or "+libreoffice-" in described.version


async def test_the_catalogues_examples_fit_its_schemas_in_any_language(worker: Worker) -> None:
    """N-16: the schema on the wire is the whole truth."""
    commands = (await worker.stub.ListCommands(app_pb.ListCommandsRequest())).commands
    assert len(commands) >= 14
    for command in commands:
        schema = json.loads(command.arguments_schema_json)
        jsonschema_rs.validate(schema, json.loads(command.example_json))
        assert not jsonschema_rs.is_valid(schema, {"no such argument": 1})
        assert command.changed_parts
    found = (await worker.stub.FindCommands(app_pb.FindCommandsRequest(query="make this bold", limit=1))).commands
    assert found == [it for it in commands if it.id == "format_text"]


async def test_an_agents_batch_is_tracked_and_a_persons_is_direct_unless_they_ask(worker: Worker) -> None:
    """AC-05, F-09: in the name of who edits."""
    command = ("replace_text", {"quote": "on Monday", "replacement": "on Friday"})
    for author, mode, expected in (
        (ASSISTANT, app_pb.CHANGE_MODE_UNSPECIFIED, {"assistant"}),
        (ASSISTANT, app_pb.CHANGE_MODE_DIRECT, set()),
        (ALICE, app_pb.CHANGE_MODE_UNSPECIFIED, set()),
        (ALICE, app_pb.CHANGE_MODE_TRACKED, {"Alice"}),
    ):
        outputs = await worker.apply(plan(), command, author=author, mode=mode)
        review = json.loads(outputs[app_pb.OUTPUT_REVIEW])
        assert {item["author"] for item in review} == expected
        assert {item["date"] for item in review} <= {"2026-01-02T12:00:00Z"}
        assert outputs[app_pb.OUTPUT_TEXT].decode() == text_of(outputs[app_pb.OUTPUT_NATIVE])
        before, after = digests_of(plan()), digests_of(outputs[app_pb.OUTPUT_NATIVE])
        assert {name for name in before if before[name] != after[name]} == {"word/document.xml"}


async def test_a_refusal_names_index_command_and_why(worker: Worker) -> None:
    """R-06: as metadata, not as text to parse."""
    refusal = await refused(
        worker.apply(
            plan(),
            ("add_comment", {"quote": "in Berlin", "text": "?"}),
            ("replace_text", {"quote": "Acme", "replacement": "Apex"}),
        )
    )
    assert (refusal.reason, refusal.metadata["index"], refusal.metadata["command"]) == (
        "APP_REFUSED", "1", "replace_text",
    )  # fmt: skip
    assert "occurs 4 times" in refusal.metadata["why"]


@pytest.mark.parametrize(
    ("content", "guard"),
    [(b"PK\x03\x04 cut off", "not_a_package"), (bytes.fromhex("d0cf11e0a1b11ae1"), "legacy_format")],
)
async def test_a_refused_file_names_its_guard_and_the_worker_goes_on(
    worker: Worker, content: bytes, guard: str
) -> None:
    """SE-07, N-25: on every call that brings a file."""
    command: tuple[str, dict[str, Any]] = ("accept_all_changes", {})
    for call in (worker.extract(content), worker.apply(content, command), worker.page(content, 1)):
        refusal = await refused(call)
        assert (refusal.reason, refusal.metadata["guard"]) == ("FILE_REFUSED", guard)
    assert (await worker.extract(plan()))[0] == text_of(plan())


async def test_content_that_is_not_as_declared_is_refused(worker: Worker) -> None:
    """B-02: size, digest and format."""
    assert (await refused(worker.extract(plan(), sha256=bytes(32)))).reason == "DIGEST_MISMATCH"
    assert (await refused(worker.extract(plan(), size=10))).reason == "DIGEST_MISMATCH"
    assert (await refused(worker.extract(plan(), size=51 * 2**20))).reason == "FILE_TOO_LARGE"
    assert (await refused(worker.extract(plan(), format="odt"))).reason == "VALIDATION_FAILED"


@pytest.mark.documents
async def test_a_page_is_an_image_and_one_beyond_the_last_is_refused_with_the_count(worker: Worker) -> None:
    """N-15, F-14."""
    png = await worker.page(plan(), 1, 500)
    assert max(size_of(png)) <= 500
    refusal = await refused(worker.page(plan(), 2))
    assert (refusal.reason, refusal.metadata["count"]) == ("PAGE_OUT_OF_RANGE", "1")
    assert (await refused(worker.page(plan(), 1, 5000))).reason == "VALIDATION_FAILED"


async def test_a_client_that_still_sends_is_told_the_reason(worker: Worker) -> None:
    """RJ-03: gRPC's library would report its broken write instead, so the server reads on before it refuses."""
    large = os.urandom(2**20)
    for _ in range(20):
        assert (await refused(worker.extract(large, format="odt"))).reason == "VALIDATION_FAILED"


@pytest.mark.parametrize(
    ("author", "commands"),
    [(Actor(user=UserActor(id="a", name="bad\x07name")), 1), (ASSISTANT, 201), (ASSISTANT, 0)],
    ids=["an author in control characters", "too many commands", "no command"],
)
async def test_a_malformed_batch_is_refused(worker: Worker, author: Actor, commands: int) -> None:
    """L-06: before the file is opened."""
    batch = [("delete_paragraph", {"quote": "Closing"})] * commands
    assert (await refused(worker.apply(plan(), *batch, author=author))).reason == "VALIDATION_FAILED"


async def test_calls_side_by_side_do_not_mix(worker: Worker) -> None:
    """It keeps nothing between calls, and nothing across them."""
    names = ["Friday", "Tuesday", "Sunday", "Easter"]
    results = await asyncio.gather(
        *(worker.apply(plan(), ("replace_text", {"quote": "Monday", "replacement": name})) for name in names)
    )
    for name, outputs in zip(names, results, strict=True):
        assert f"on {name} in Berlin" in outputs[app_pb.OUTPUT_TEXT].decode()


async def test_each_call_is_a_span_of_the_callers_trace(worker: Worker) -> None:
    """TR-03: files' span is the parent, and no content is told."""
    await worker.extract(plan())
    spans = [json.loads(line) for line in worker.trace_file.read_text().splitlines()]
    assert any("AppService/Extract" in span["name"] for span in spans)
    assert not any("Berlin" in line for line in worker.trace_file.read_text().splitlines())
