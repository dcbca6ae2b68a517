"""Types of artifacts: who registers them, what may follow what, and which may be created."""

import asyncio
import json
from collections.abc import AsyncIterator

import grpc
import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.type.v1 import errors_pb2
from lattice_chassis.errors import refusal_of
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import Participant, detail, document, new_request_id, participant, refused
from service.files.structured import NOTE, TASK, creates, registers

WIDER = {**TASK, "properties": {**TASK["properties"], "owner": {"type": "string"}}}
NARROWER = {**TASK, "required": ["name", "done"]}


def own_kind(person: Participant) -> str:
    return f"brief_{person.identity.tenant.replace('-', '_')}"


async def types_of(person: Participant, page_size: int = 500) -> list[artifacts_pb.ArtifactType]:
    found: list[artifacts_pb.ArtifactType] = []
    request = artifacts_pb.ListTypesRequest(page_size=page_size)
    while True:
        page = await person.artifacts.ListTypes(request)
        found.extend(page.types)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def test_a_type_is_registered_once_and_followed_by_what_accepts_as_much(operator: Participant) -> None:
    """AT-01: a schema that may refuse what the last one accepts wants force; what stands is answered as it stands."""
    kind = own_kind(operator)
    assert (await registers(operator, kind, TASK)).schema_revision == 1
    assert (await registers(operator, kind, TASK)).schema_revision == 1
    conflict = await refused(registers(operator, kind, WIDER))
    assert conflict.reason == "VERSION_CONFLICT"
    assert detail(conflict, errors_pb2.VersionConflict).head == 1
    assert (await registers(operator, kind, WIDER, follows=1)).schema_revision == 2
    narrower = await refused(registers(operator, kind, NARROWER, follows=2))
    assert narrower.reason == "INVALID_STATE"
    assert "owner" in narrower.metadata["why"]
    assert (await registers(operator, kind, NARROWER, follows=2, force=True)).schema_revision == 3


async def test_of_two_registrations_that_follow_the_same_one_a_single_one_is_taken(operator: Participant) -> None:
    """AT-01: two at once."""
    kind = own_kind(operator)
    both = [registers(operator, kind, {**TASK, "description": word}) for word in ("one", "two")]
    done = await asyncio.gather(*both, return_exceptions=True)
    assert sum(isinstance(it, artifacts_pb.ArtifactType) for it in done) == 1
    (failed,) = [it for it in done if isinstance(it, grpc.RpcError)]
    refusal = refusal_of(failed)
    assert refusal is not None
    assert refusal.reason == "VERSION_CONFLICT"


async def test_stored_data_are_not_judged_again_but_new_ones_are(operator: Participant, alice: Participant) -> None:
    """AT-01, AT-02: the newest schema is the one of record for every write."""
    kind = own_kind(operator)
    await registers(operator, kind, TASK)
    old = (await creates(alice, kind, {"name": "old"})).applied.artifact_id
    await registers(operator, kind, NARROWER, follows=1, force=True)
    assert (await alice.sees(old)).version == 1
    assert (await refused(creates(alice, kind, {"name": "new"}))).reason == "VALIDATION_FAILED"
    assert (await creates(alice, kind, {"name": "new", "done": False})).applied.version == 1


async def test_administrators_alone_register_types(alice: Participant, assistant: Participant) -> None:
    """AT-01, AC-03."""
    for person in (alice, assistant):
        assert (await refused(registers(person, own_kind(person), TASK))).reason == "FORBIDDEN"


@pytest.mark.parametrize("kind", ["native_pdf", "Brief", "2fast", "with space", "x" * 101])
async def test_a_kind_has_a_name_of_its_own(operator: Participant, kind: str) -> None:
    """AT-01, N-40: native kinds are made by apps."""
    assert (await refused(registers(operator, kind, TASK))).reason == "VALIDATION_FAILED"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {"name": {"type": "string"}}},  # lets unknown fields through
        {**TASK, "properties": {"name": {"$ref": "http://127.0.0.1:1/elsewhere"}}},
        {**TASK, "properties": {"name": {"type": "strong"}}},
    ],
)
async def test_a_schema_is_closed_sound_and_whole(operator: Participant, schema: dict[str, object]) -> None:
    """AT-02."""
    assert (await refused(registers(operator, own_kind(operator), schema))).reason == "VALIDATION_FAILED"


async def test_types_are_listed_by_kind_with_those_of_apps_among_them(
    operator: Participant, alice: Participant
) -> None:
    """AT-01, AT-09, N-40: page by page."""
    tenant = operator.identity.tenant.replace("-", "_")
    text, structured = f"a_text_{tenant}", f"z_task_{tenant}"
    await registers(operator, text, NOTE, policy=artifacts_pb.WRITE_POLICY_PROPOSE)
    await registers(operator, structured, TASK)
    listed = {it.kind: it for it in await types_of(alice, page_size=2)}
    assert list(listed) == sorted(listed)
    assert listed.keys() >= {text, structured, "native_fake"}
    assert (listed[text].is_text, listed[structured].is_text) == (True, False)
    assert listed[text].write_policy == artifacts_pb.WRITE_POLICY_PROPOSE
    assert json.loads(listed[structured].schema_json) == TASK
    native = listed["native_fake"]
    assert (native.schema_revision, native.is_text) == (0, False)
    assert json.loads(native.schema_json)["additionalProperties"] is False


async def test_a_repeated_registration_is_answered_as_the_first_was(operator: Participant) -> None:
    """ID-03: though the type has moved on since."""
    kind, request_id = own_kind(operator), new_request_id()
    first = await registers(operator, kind, TASK, request_id=request_id)
    await registers(operator, kind, WIDER, follows=1)
    assert await registers(operator, kind, TASK, request_id=request_id) == first
    other = await refused(registers(operator, kind, WIDER, request_id=request_id))
    assert other.reason == "IDEMPOTENCY_MISMATCH"


@pytest.fixture
async def choosy(make_settings: MakeSettings, alice: Participant, task: str) -> AsyncIterator[Participant]:
    """Alice at a deployment that allows only one kind."""
    async with (
        running(make_settings(kinds=[task])) as server,
        participant(server.address, alice.identity, alice.workspace) as person,
    ):
        yield person


async def test_a_kind_outside_the_allow_list_cannot_be_created_though_it_is_registered(
    choosy: Participant, task: str, note: str
) -> None:
    """TN-05: nor proposed, nor uploaded; it is as if there were no such type."""
    assert (await creates(choosy, task, {"name": "one"})).applied.version == 1
    for write in (
        creates(choosy, note, {"text": "x"}),
        creates(choosy, note, {"text": "x"}, must_propose=True),
        choosy.uploads(document("x")),
        creates(choosy, "never_registered", {}),
    ):
        refusal = await refused(write)
        assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "artifact type")
