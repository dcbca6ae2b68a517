"""Uploading, downloading and reading a file."""

import hashlib
import json
from collections.abc import AsyncIterator

from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.content import CHUNK_BYTES
from service.files.people import Participant, document, new_request_id, refused, write_context


async def test_an_uploaded_file_is_an_artifact_whose_bytes_come_back_as_they_were(alice: Participant) -> None:
    """F-01, N-40, N-41, CM-03: the data name blobs by digest and hold no bytes."""
    content = document("One.", "Two.")
    outcome = await alice.uploads(content, file_name="Plan.fake")
    assert (outcome.applied.version, outcome.change_sequence) == (1, 1)
    artifact = await alice.sees(outcome.applied.artifact_id)
    assert (artifact.kind, artifact.version, artifact.updated_by) == ("native_fake", 1, alice.actor)
    data = json.loads(artifact.data_json)
    assert data == {
        "name": "Plan.fake",
        "format": "fake",
        "media_type": "application/x-fake",
        "native": {"digest": hashlib.sha256(content).hexdigest(), "size": len(content)},
        "text": {"digest": hashlib.sha256(b"One.\nTwo.").hexdigest(), "chars": 9},
        "review": {"digest": hashlib.sha256(b"[]").hexdigest(), "count": 0},
    }
    header, downloaded = await alice.downloads(artifact.artifact_id)
    assert downloaded == content
    assert (header.file_name, header.size, header.sha256) == (
        "Plan.fake",
        len(content),
        hashlib.sha256(content).digest(),
    )


async def test_content_that_is_not_what_its_header_declares_makes_no_artifact(alice: Participant) -> None:
    """F-01: size and digest are checked at the end of the stream."""
    content = document("One.")
    header = native_pb.UploadHeader(
        workspace=alice.scope, file_name="a.fake", size=len(content), sha256=b"x" * 32, context=write_context()
    )
    refusal = await refused(alice.uploads_as(header, content))
    actual = hashlib.sha256(content)
    assert (refusal.reason, refusal.metadata) == (
        "DIGEST_MISMATCH",
        {"what": "sha256", "declared": (b"x" * 32).hex(), "actual": actual.hexdigest()},
    )
    header.sha256 = actual.digest()
    for other in (content[:-1], content + b" "):
        refusal = await refused(alice.uploads_as(header, other))
        assert (refusal.reason, refusal.metadata["what"]) == ("DIGEST_MISMATCH", "size")
        assert (refusal.metadata["declared"], refusal.metadata["actual"]) == (str(len(content)), str(len(other)))
    assert await alice.feed() == []


async def test_a_chunk_over_64_kib_makes_no_artifact(alice: Participant) -> None:
    """F-01: the contract's limit of one message."""
    content = document("x" * CHUNK_BYTES)
    header = native_pb.UploadHeader(
        workspace=alice.scope,
        file_name="a.fake",
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        context=write_context(),
    )
    sent = [native_pb.UploadFileRequest(header=header), native_pb.UploadFileRequest(chunk=content)]

    async def whole() -> AsyncIterator[native_pb.UploadFileRequest]:
        for message in sent:
            yield message

    assert (await refused(alice.native.UploadFile(whole()))).reason == "VALIDATION_FAILED"
    assert await alice.feed() == []


async def test_a_file_over_the_limit_is_refused_before_its_content_is_read(alice: Participant) -> None:
    """L-06, R-07: 50 MiB."""
    header = native_pb.UploadHeader(
        workspace=alice.scope, file_name="a.fake", size=50 * 1024**2 + 1, sha256=b"x" * 32, context=write_context()
    )
    refusal = await refused(alice.uploads_as(header, b""))
    assert (refusal.reason, refusal.metadata["limit"]) == ("FILE_TOO_LARGE", str(50 * 1024**2))


async def test_a_file_that_a_guard_refuses_makes_no_artifact(alice: Participant) -> None:
    """F-01, N-25: the refusal names the guard."""
    refusal = await refused(alice.uploads(b"BAD file"))
    assert (refusal.reason, refusal.metadata["guard"]) == ("FILE_REFUSED", "prefix")
    assert await alice.feed() == []


async def test_a_file_that_crashes_its_app_makes_no_artifact(alice: Participant) -> None:
    """R-07, R-11: and the next file finds a worker."""
    refusal = await refused(alice.uploads(document("One.", fault="crash")))
    assert refusal.reason == "APP_CRASHED"
    assert await alice.has_file("One.")


async def test_a_format_that_no_app_serves_is_not_found(alice: Participant) -> None:
    """N-40: the extension names the format."""
    refusal = await refused(alice.uploads(b"text", file_name="plan.txt"))
    assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "format")


async def test_a_file_name_without_an_extension_names_no_format(alice: Participant) -> None:
    """N-40: the refusal tells the name, for there is no extension to tell."""
    for name in ("fake", ".fake", "fake."):
        refusal = await refused(alice.uploads(document("One."), file_name=name))
        assert (refusal.reason, refusal.metadata["id"]) == ("NOT_FOUND", name)


async def test_a_file_name_is_a_name_and_no_path(alice: Participant) -> None:
    """F-01: what people see as a name stays one."""
    for name in ("../plan.fake", "a\\b.fake", "a\n.fake", "a" * 252 + ".fake"):
        assert (await refused(alice.uploads(document("One."), file_name=name))).reason == "VALIDATION_FAILED"


async def test_an_artifact_id_is_used_once_in_a_workspace(alice: Participant) -> None:
    """ID-01: a repeat under another request id is INVALID_STATE and appends nothing."""
    outcome = await alice.uploads(document("One."), artifact_id="plan")
    assert outcome.applied.artifact_id == "plan"
    assert (await refused(alice.uploads(document("Two."), artifact_id="plan"))).reason == "INVALID_STATE"
    assert len(await alice.feed()) == 1


async def test_a_repeated_upload_is_answered_as_the_first_was(alice: Participant) -> None:
    """ID-03, CM-02: one artifact, though its id was made by the server."""
    request_id = new_request_id()
    first = await alice.uploads(document("One."), request_id=request_id)
    for spelled in (request_id, request_id.upper()):
        assert await alice.uploads(document("One."), request_id=spelled) == first
    assert len(await alice.feed()) == 1
    refusal = await refused(alice.uploads(document("Two."), request_id=request_id))
    assert (refusal.reason, refusal.metadata["request_id"]) == ("IDEMPOTENCY_MISMATCH", request_id)


async def test_an_upload_that_must_propose_awaits_an_answer(alice: Participant, assistant: Participant) -> None:
    """F-01, CM-06, MP-32: the artifact does not exist yet, its content is stored."""
    outcome = await assistant.uploads(document("One."), must_propose=True, rationale="a first draft")
    assert outcome.WhichOneof("result") == "proposed"
    (proposal,) = await alice.pending_proposals()
    assert (proposal.proposal_id, proposal.proposer) == (outcome.proposed.proposal_id, assistant.actor)
    assert (proposal.change.create.artifact_id, proposal.rationale) == (outcome.proposed.artifact_id, "a first draft")
    assert (await refused(alice.sees(outcome.proposed.artifact_id))).reason == "NOT_FOUND"
    (change,) = await alice.feed()
    assert change.proposal_created.proposal_id == outcome.proposed.proposal_id


async def test_a_member_who_may_not_write_cannot_upload(viewer: Participant) -> None:
    """WP-03: writing needs the role."""
    assert (await refused(viewer.uploads(document("One.")))).reason == "FORBIDDEN"
