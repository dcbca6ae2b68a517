"""Uploading, downloading and reading a file."""

import hashlib
import json

from lattice.files.v1 import native_files_service_pb2 as native_pb

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
