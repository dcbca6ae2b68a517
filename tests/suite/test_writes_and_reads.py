"""A person's writes through the whole suite, and what a refusal leaves behind."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_cli import native_files
from lattice_cli.connection import Connection
from lattice_cli.demo.stage import refused
from lattice_cli.switches import switch

pytestmark = pytest.mark.xdist_group("suite")
"""One suite for all of them: a second one would cost more than it saves."""

KEY = "files:wordcraft"


@pytest.fixture
async def contract(alice: Connection, corpus: Path) -> str:
    """A document of Alice's, at version 1."""
    return (await native_files.upload(alice, corpus / "c05-comments-simple-word.docx")).applied.artifact_id


async def lease_of(person: Connection, artifact_id: str) -> native_pb.GetLeaseResponse:
    name = person.person.artifact_name(artifact_id)
    return await person.native_files.GetLease(native_pb.GetLeaseRequest(name=name))


def checking_out(person: Connection, artifact_id: str) -> Awaitable[native_pb.CheckOutResponse]:
    name = person.person.artifact_name(artifact_id)
    return person.native_files.CheckOut(native_pb.CheckOutRequest(name=name, request_id=native_files.new_request_id()))


COMMAND = native_pb.AppCommand(
    command="add_comment", arguments_json=json.dumps({"quote": "document", "text": "Please check."})
)


def previewing(person: Connection, artifact_id: str) -> Awaitable[native_pb.PreviewEditResponse]:
    return person.native_files.PreviewEdit(
        native_pb.PreviewEditRequest(name=person.person.artifact_name(artifact_id), base_version=1, commands=[COMMAND])
    )


def editing(person: Connection, artifact_id: str) -> Awaitable[native_pb.EditResponse]:
    return person.native_files.Edit(
        native_pb.EditRequest(
            name=person.person.artifact_name(artifact_id),
            base_version=1,
            commands=[COMMAND],
            summary="asks for a check",
            context=artifacts_pb.WriteContext(request_id=native_files.new_request_id()),
        )
    )


@pytest.mark.parametrize("write", [checking_out, previewing, editing])
async def test_a_write_refused_while_the_app_is_off_leaves_no_lease_and_the_token_counter_unchanged(
    alice: Connection, admin: Connection, contract: str, write: Callable[[Connection, str], Awaitable[object]]
) -> None:
    """N-02, N-03, N-04, I-08, I-16."""
    before = await lease_of(alice, contract)
    await switch(admin, KEY, on=False, reason="audit")
    refusal = await refused(write(alice, contract))
    after = await lease_of(alice, contract)
    assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", KEY)
    assert not after.HasField("lease")
    assert after.token_counter == before.token_counter


async def test_reading_goes_on_while_the_app_is_off(alice: Connection, admin: Connection, contract: str) -> None:
    """N-05, N-08, F-13, I-09."""
    await switch(admin, KEY, on=False, reason="audit")
    name = alice.person.artifact_name(contract)
    text = await alice.native_files.ReadText(native_pb.ReadTextRequest(name=name))
    review = await alice.native_files.ReadReview(native_pb.ReadReviewRequest(name=name))
    page = await alice.native_files.RenderPage(native_pb.RenderPageRequest(name=name, page=1))
    revisions = await alice.artifacts.ListRevisions(artifacts_pb.ListRevisionsRequest(name=name))
    assert text.total_chars > 0
    assert review.total_items == 1
    assert page.png.startswith(b"\x89PNG")
    assert [it.artifact.version for it in revisions.revisions] == [1]


async def test_a_dry_run_tells_what_word_files_would_say_and_takes_no_lease(alice: Connection, contract: str) -> None:
    """F-07, F-08: and the edit that follows makes the next version."""
    before = await lease_of(alice, contract)
    told = await previewing(alice, contract)
    assert "word/comments.xml" in told.changed_parts
    assert (told.total_text_changes, told.review_count) == (0, 2)
    assert await lease_of(alice, contract) == before
    edited = await editing(alice, contract)
    assert (edited.outcome.applied.version, edited.changed_parts) == (2, told.changed_parts)
