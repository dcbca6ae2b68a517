"""Writes of files that pass many stages, each with what has to be there before it and what it makes."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from service.files.people import Participant, append, document
from service.files.structured import accepts, proposal

Write = Callable[[Participant, str], Awaitable[artifacts_pb.Outcome]]
"""Makes the call with a request id."""

RECEIVED: Final = ("content.received", "content.derived")
MADE: Final = ("lease.taken", "batch.applied")
STORED: Final = ("blobs.touched", "blobs.one_put", "blobs.put")
COMMITTED: Final = ("commit.revision_saved", "commit.feed_appended", "commit.answer_kept", "commit.done")


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A write that is about to be made."""

    artifact_id: str
    before: Sequence[str]
    """The words of the versions that stand."""
    after: str
    """The words of the version that it makes."""
    write: Write
    proposal_id: str = ""
    """What it answers, if anything."""


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A write, and the stages that it passes in order."""

    name: str
    stages: Sequence[str]
    prepare: Callable[[Participant, Participant], Awaitable[Prepared]]
    """Given a person and an agent."""


async def _upload(alice: Participant, _: Participant) -> Prepared:
    await alice.has_file("Another.")  # acknowledged before

    async def write(person: Participant, request_id: str) -> artifacts_pb.Outcome:
        return await person.uploads(document("One."), artifact_id="art_plan", request_id=request_id)

    return Prepared(artifact_id="art_plan", before=(), after="One.", write=write)


async def _check_in(alice: Participant, _: Participant) -> Prepared:
    plan = await alice.has_file("One.")
    lent = await alice.checks_out(plan)

    async def write(person: Participant, request_id: str) -> artifacts_pb.Outcome:
        return await person.checks_in(lent, document("Two."), request_id=request_id)

    return Prepared(artifact_id=plan, before=("One.",), after="Two.", write=write)


async def _edit(alice: Participant, _: Participant) -> Prepared:
    plan = await alice.has_file("One.")

    async def write(person: Participant, request_id: str) -> artifacts_pb.Outcome:
        return (await person.edits(plan, 1, append("Two."), request_id=request_id)).outcome

    return Prepared(artifact_id=plan, before=("One.",), after="One.\nTwo.", write=write)


async def _accept(alice: Participant, assistant: Participant) -> Prepared:
    plan = await alice.has_file("One.")
    proposed = (await assistant.edits(plan, 1, append("Two."), must_propose=True)).outcome.proposed.proposal_id

    async def write(person: Participant, request_id: str) -> artifacts_pb.Outcome:
        return await accepts(person, proposed, request_id=request_id)

    return Prepared(artifact_id=plan, before=("One.",), after="One.\nTwo.", write=write, proposal_id=proposed)


async def _accept_rebased(alice: Participant, assistant: Participant) -> Prepared:
    plan = await alice.has_file("One.")
    proposed = (await assistant.edits(plan, 1, append("Three."), must_propose=True)).outcome.proposed.proposal_id
    await alice.edits(plan, 1, append("Two."))

    async def write(person: Participant, request_id: str) -> artifacts_pb.Outcome:
        return await accepts(person, proposed, rebase=True, request_id=request_id)

    return Prepared(
        artifact_id=plan,
        before=("One.", "One.\nTwo."),
        after="One.\nTwo.\nThree.",
        write=write,
        proposal_id=proposed,
    )


FLOWS: Final = (
    Flow(name="upload", stages=(*RECEIVED, *STORED, *COMMITTED), prepare=_upload),
    Flow(name="check_in", stages=(*RECEIVED, *STORED, *COMMITTED), prepare=_check_in),
    Flow(name="edit", stages=(*MADE, *STORED, *COMMITTED), prepare=_edit),
    Flow(name="accept", stages=COMMITTED, prepare=_accept),
    Flow(name="accept_rebased", stages=(*MADE, *STORED, *COMMITTED), prepare=_accept_rebased),
)


async def require_whole(person: Participant, prepared: Prepared, words: Sequence[str]) -> None:
    """See that exactly these versions stand, whole: each with its blobs, its feed row, and nothing half-written."""
    revisions = [] if not words else await person.revisions_of(prepared.artifact_id)
    assert [it.artifact.version for it in revisions] == list(range(1, len(words) + 1))
    for revision, expected in zip(revisions, words, strict=True):
        version = revision.artifact.version
        assert await person.reads(prepared.artifact_id, version) == expected
        header, content = await person.downloads(prepared.artifact_id, version)
        assert hashlib.sha256(content).digest() == header.sha256
        data = json.loads(revision.artifact.data_json)
        assert data["native"]["digest"] == header.sha256.hex()
        request = native_pb.ReadReviewRequest(name=person.name(prepared.artifact_id), version=version)
        assert (await person.native.ReadReview(request)).total_items == data["review"]["count"]
    changes = await person.feed()
    assert [it.change_sequence for it in changes] == list(range(1, len(changes) + 1))
    told: list[Any] = [getattr(it, it.WhichOneof("event") or "") for it in changes]
    versions = [it.version for it in told if it.artifact_id == prepared.artifact_id and hasattr(it, "kind")]
    assert versions == list(range(1, len(words) + 1))
    if prepared.proposal_id:
        resolved = [it for it in changes if it.HasField("proposal_resolved")]
        done = len(words) > len(prepared.before)
        assert len(resolved) == int(done)
        assert ((await proposal(person, prepared.proposal_id)).resolver.WhichOneof("kind") is not None) == done
