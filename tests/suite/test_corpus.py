"""Real documents through the whole way: upload, text, review, one tracked replace, check-in of the result."""

import fnmatch
import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_cli import native_files
from lattice_cli.connection import Connection
from lattice_cli.demo.stage import refused

pytestmark = [pytest.mark.documents, pytest.mark.xdist_group("suite")]

READABLE = (
    "c01-comment-thread-reply-resolved.docx",
    "c04-comment-overlapping-tracked.docx",
    "c05-comments-simple-word.docx",
    "t01-delins.docx",
    "t02-moves-and-tables.docx",
    "t09-numbering-change.docx",
    "t12-multi-author.docx",
    "s02-complicated-table-merge.docx",
    "s08-ole-object.docx",
    "s10-pictures-various.docx",
)
BROKEN = (
    "h01-truncated.docx",
    "h02-password-ole.docx",
    "h03-agile-encrypted.docx",
    "h04-external-entity.docx",
    "h06-fuzz-b.docx",
    "h11-legacy-doc-as-docm.docm",
)
DECLARED = ("word/document.xml", "word/header*.xml", "word/footer*.xml", "word/footnotes.xml", "word/endnotes.xml")
"""What replace_text may change: where words stand."""


def parts_of(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as package:
        return {name: hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()}


def a_word_that_occurs_once(text: str) -> str:
    """A word to replace: plain, and only once in the document."""
    words: list[str] = re.findall(r"\b[A-Za-z]{3,}\b", text)
    return next(word for word in words if text.count(word) == 1)


@pytest.mark.parametrize("document", READABLE)
async def test_a_tracked_replace_changes_no_part_that_it_does_not_declare(
    alice: Connection, corpus: Path, tmp_path: Path, document: str
) -> None:
    """F-01, F-04, F-07, F-08, N-13, N-14: every other part keeps its bytes."""
    original = corpus / document
    artifact_id = (await native_files.upload(alice, original)).applied.artifact_id
    name = alice.person.artifact_name(artifact_id)
    text = (await alice.native_files.ReadText(native_pb.ReadTextRequest(name=name, max_chars=100_000))).text
    before = await alice.native_files.ReadReview(native_pb.ReadReviewRequest(name=name, max_items=500))
    word = a_word_that_occurs_once(text)
    request = native_pb.EditRequest(
        name=name,
        base_version=1,
        commands=[
            native_pb.AppCommand(
                command="replace_text", arguments_json=json.dumps({"quote": word, "replacement": f"{word}X"})
            )
        ],
        summary=f"replaces {word}",
        mode=native_pb.EDIT_MODE_TRACKED,
        context=artifacts_pb.WriteContext(request_id=native_files.new_request_id()),
    )
    answer = await alice.native_files.Edit(request)
    assert answer.outcome.applied.version == 2

    edited = tmp_path / document
    await native_files.download(alice, artifact_id, edited)
    kept, made = parts_of(original), parts_of(edited)
    changed = {part for part in kept.keys() | made.keys() if kept.get(part) != made.get(part)}
    assert changed == set(answer.changed_parts)
    assert len(changed) == 1, "one word stands in one part"
    assert all(any(fnmatch.fnmatch(part, pattern) for pattern in DECLARED) for part in changed)
    after = await alice.native_files.ReadReview(native_pb.ReadReviewRequest(name=name, max_items=500))
    assert after.total_items > before.total_items

    lent = await alice.native_files.CheckOut(
        native_pb.CheckOutRequest(name=name, request_id=native_files.new_request_id())
    )
    # An archive comment makes other bytes of the same document: what a person's program may do.
    with zipfile.ZipFile(edited, "a") as package:
        package.comment = b"checked in"
    outcome = await native_files.check_in(alice, artifact_id, lent.check_out.token, edited, "as it is")
    assert outcome.applied.version == 3
    print(f"{document}: {sorted(changed)} changed, {len(kept) - len(changed)} parts kept byte for byte")


@pytest.mark.parametrize("document", BROKEN)
async def test_a_broken_file_is_refused_with_a_guard_and_the_worker_goes_on(
    alice: Connection, corpus: Path, document: str
) -> None:
    """N-25, SE-07: no parser sees it, nothing is kept of it."""
    refusal = await refused(native_files.upload(alice, corpus / document))
    assert refusal.reason in {"FILE_REFUSED", "NOT_FOUND"}
    if refusal.reason == "FILE_REFUSED":
        assert refusal.metadata["guard"]
    listed = await alice.artifacts.ListArtifacts(
        artifacts_pb.ListArtifactsRequest(workspace=alice.person.workspace_name)
    )
    assert list(listed.artifacts) == []
    alive = await native_files.upload(alice, corpus / "c05-comments-simple-word.docx")
    assert alive.applied.version == 1


async def test_a_file_that_is_only_odd_is_taken(alice: Connection, corpus: Path) -> None:
    """SE-07: h09 is a whole package with an empty body, which no guard has cause to refuse."""
    outcome = await native_files.upload(alice, corpus / "h09-zero-length.docx")
    name = alice.person.artifact_name(outcome.applied.artifact_id)
    review = await alice.native_files.ReadReview(native_pb.ReadReviewRequest(name=name))
    assert review.total_items == 0
