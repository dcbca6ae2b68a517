"""What is believed of a worker's answer: nothing that was not looked at."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.content import CHUNK_BYTES
from lattice_files.adapters.worker_answers import AnswerLimits, BrokenContract, ReceivedOutputs, derived, png_size
from lattice_files.domain.content import Content
from lattice_files.domain.rejections import FileTooLarge

TEXT, REVIEW, NATIVE = app_pb.OUTPUT_TEXT, app_pb.OUTPUT_REVIEW, app_pb.OUTPUT_NATIVE


def chunk(output: app_pb.Output.ValueType, content: bytes) -> app_pb.OutputChunk:
    return app_pb.OutputChunk(output=output, content=content)


def summary(output: app_pb.Output.ValueType, content: bytes) -> app_pb.OutputSummary:
    return app_pb.OutputSummary(output=output, size=len(content), sha256=hashlib.sha256(content).digest())


def receive(
    folder: Path, chunks: Sequence[app_pb.OutputChunk], summaries: Sequence[app_pb.OutputSummary]
) -> dict[app_pb.Output.ValueType, Content]:
    with ReceivedOutputs((TEXT, REVIEW), AnswerLimits(text=200_000, review=200_000), folder) as received:
        for each in chunks:
            received.take(each)
        return received.finish(summaries)


def test_outputs_may_come_in_any_order_and_one_of_them_may_be_empty(tmp_path: Path) -> None:
    """N-13: their chunks together, their summaries in whatever order."""
    outputs = receive(
        tmp_path, [chunk(REVIEW, b"[1"), chunk(REVIEW, b"]")], [summary(TEXT, b""), summary(REVIEW, b"[1]")]
    )
    assert outputs[REVIEW].path.read_bytes() == b"[1]"
    assert outputs[TEXT].size == 0


@pytest.mark.parametrize(
    ("chunks", "summaries"),
    [
        pytest.param([chunk(NATIVE, b"x")], [], id="an output that was not asked for"),
        pytest.param([chunk(TEXT, b"")], [], id="an empty chunk"),
        pytest.param([chunk(TEXT, bytes(CHUNK_BYTES + 1))], [], id="a chunk too large"),
        pytest.param([chunk(TEXT, b"a"), chunk(REVIEW, b"[]"), chunk(TEXT, b"b")], [], id="an output taken up again"),
        pytest.param([chunk(TEXT, b"a")], [summary(TEXT, b"a")], id="no summary of the review"),
        pytest.param([], [summary(TEXT, b""), summary(TEXT, b"")], id="one summary twice"),
        pytest.param([chunk(TEXT, b"a")], [summary(TEXT, b"b"), summary(REVIEW, b"")], id="another digest"),
        pytest.param([chunk(TEXT, b"a")], [summary(TEXT, b"aa"), summary(REVIEW, b"")], id="another size"),
        pytest.param([], [summary(it, b"") for it in (TEXT, REVIEW, NATIVE)], id="a summary too many"),
    ],
)
def test_outputs_other_than_agreed_break_the_contract(
    chunks: Sequence[app_pb.OutputChunk], summaries: Sequence[app_pb.OutputSummary], tmp_path: Path
) -> None:
    """R-07."""
    with pytest.raises(BrokenContract):
        receive(tmp_path, chunks, summaries)


def test_an_output_over_its_limit_is_refused_as_it_arrives(tmp_path: Path) -> None:
    """R-07: not when it ends, for it may never end."""
    with pytest.raises(FileTooLarge) as refused:
        receive(tmp_path, [chunk(TEXT, bytes(CHUNK_BYTES))] * 4, [])
    assert (refused.value.size, refused.value.limit) == (4 * CHUNK_BYTES, 200_000)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 200_000


def content_of(folder: Path, name: str, data: bytes) -> Content:
    path = folder / name
    path.write_bytes(data)
    return Content(path=path, size=len(data), digest=hashlib.sha256(data).hexdigest())


@given(text=st.text(max_size=50).map(lambda it: it * 3000))
def test_characters_are_code_points_wherever_chunks_are_cut(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """F-16."""
    folder = tmp_path_factory.mktemp("derived")
    outputs = {TEXT: content_of(folder, "text", text.encode()), REVIEW: content_of(folder, "review", b"[]")}
    assert derived(outputs, 0).text_chars == len(text)


def test_every_type_of_review_item_that_the_contract_has_is_believed(tmp_path: Path) -> None:
    """N-14, SE-09: comments, tracked changes and external targets."""
    types = [name.removeprefix("REVIEW_ITEM_TYPE_").lower() for name in native_pb.ReviewItemType.keys()[1:]]
    assert "external_target" in types
    items = json.dumps([{"id": name, "type": name} for name in types]).encode()
    outputs = {TEXT: content_of(tmp_path, "text", b""), REVIEW: content_of(tmp_path, "review", items)}
    assert derived(outputs, len(types)).review_count == len(types)


@pytest.mark.parametrize(
    "review",
    [
        b"",
        b"{}",
        b"[",
        b"[1]",
        b'[{"id": "a"}]',
        b'[{"id": "", "type": "comment"}]',
        b'[{"id": "a", "type": "remark"}]',
        b'[{"id": "a", "type": ["comment"]}]',
        b"\xff[]",
        b"[" * 100_000,
    ],
)
def test_a_review_that_is_no_list_of_items_breaks_the_contract(review: bytes, tmp_path: Path) -> None:
    """N-14."""
    outputs = {TEXT: content_of(tmp_path, "text", b""), REVIEW: content_of(tmp_path, "review", review)}
    with pytest.raises(BrokenContract):
        derived(outputs, 1)


@pytest.mark.parametrize("text", [b"\xff", b"ab\xc3", b"\xed\xa0\x80"])
def test_a_text_that_is_not_utf_8_breaks_the_contract(text: bytes, tmp_path: Path) -> None:
    """N-13: nor one that ends within a character, or holds half a surrogate pair."""
    outputs = {TEXT: content_of(tmp_path, "text", text), REVIEW: content_of(tmp_path, "review", b"[]")}
    with pytest.raises(BrokenContract):
        derived(outputs, 0)


@pytest.mark.parametrize("image", [b"", b"GIF89a" + bytes(30), b"\x89PNG\r\n\x1a\n" + bytes(4)])
def test_what_is_no_png_breaks_the_contract(image: bytes) -> None:
    """N-41."""
    with pytest.raises(BrokenContract):
        png_size(image)
