"""What crosses the edge and what the store keeps, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import Identity, acting_as, participant_key
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import ChangeMode, CommandCall
from lattice_files.domain.changes import (
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    Event,
    ProposalCreated,
    ProposalResolved,
)
from lattice_files.domain.patches import JsonPatch, TextEdit, TextEdits
from lattice_files.domain.proposals import (
    Answer,
    ProposalState,
    ProposedArchiving,
    ProposedBatch,
    ProposedCreation,
    ProposedEdit,
)
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Fence
from lattice_files.grpc import commands_from_proto, from_proto, to_proto
from lattice_files.store import stored

REQUEST_ID = "c9d3b0a4-6f1e-4f0a-9a55-0d6f5c0e7b1a"

_words = st.text(max_size=8)
_ids = st.text(min_size=1, max_size=8)
_actors = st.one_of(
    st.builds(Actor, kind=st.just(ActorKind.USER), id=_ids, name=_words),
    st.builds(Actor, kind=st.just(ActorKind.AGENT), id=_ids, name=_words, run_id=_words),
    st.builds(Actor, kind=st.just(ActorKind.EXTERNAL_AGENT), id=_ids, name=_words),
    st.builds(Actor, kind=st.just(ActorKind.SYSTEM), id=_ids),
)
_numbers = st.integers(min_value=1, max_value=2**40)
_data = st.dictionaries(_words, st.integers() | _words | st.lists(_words, max_size=2), max_size=3)
_batches = st.builds(
    ProposedBatch,
    artifact_id=_ids,
    base_version=_numbers,
    base_digest=_words,
    commands=st.lists(st.builds(CommandCall, command=_words, arguments_json=st.just("{}")), max_size=2).map(tuple),
    mode=st.sampled_from(ChangeMode),
    summary=_words,
    result=_data,
)
_patches = st.one_of(
    st.builds(JsonPatch, operations=st.lists(_data, max_size=2).map(tuple)),
    st.builds(
        TextEdits,
        field=_words,
        edits=st.lists(st.builds(TextEdit, old=_words, new=_words), min_size=1, max_size=2).map(tuple),
    ),
)
_changes = st.one_of(
    _batches,
    st.builds(ProposedCreation, artifact_id=_ids, kind=_words, data=_data),
    st.builds(ProposedEdit, artifact_id=_ids, base_version=_numbers, patch=_patches, summary=_words),
    st.builds(ProposedArchiving, artifact_id=_ids, base_version=_numbers),
)
_events = st.one_of(
    st.builds(ArtifactCreated, artifact_id=_ids, kind=_words, data=_data, proposal_id=_words),
    st.builds(
        ArtifactChanged,
        artifact_id=_ids,
        kind=_words,
        version=_numbers,
        patch=_patches,
        summary=_words,
    ),
    st.builds(ArtifactArchived, artifact_id=_ids, kind=_words, version=_numbers, proposal_id=_words),
    st.builds(ProposalCreated, proposal_id=_ids, change=_changes, rationale=_words),
    st.builds(
        ProposalResolved,
        proposal_id=_ids,
        answer=st.sampled_from(Answer),
        proposer=_actors,
        artifact_id=_ids,
        changes=st.none() | _patches,
        reason=_words,
        version=st.integers(0, 2**40),
    ),
)


@given(actor=_actors)
def test_a_participant_comes_back_as_it_went(actor: Actor) -> None:
    """AC-01, AC-02: over the wire and out of the database."""
    assert from_proto.actor(to_proto.actor(actor)) == actor
    assert stored.ACTOR.validate_python(stored.dump(stored.ACTOR, actor)) == actor


@given(event=_events)
def test_an_event_comes_out_of_the_database_as_it_went_in(event: Event) -> None:
    """SG-06: whichever of the union it is."""
    assert stored.EVENT.validate_python(stored.dump(stored.EVENT, event)) == event


@pytest.mark.parametrize("state", ProposalState)
def test_every_state_can_be_asked_for(state: ProposalState) -> None:
    """PR-01."""
    wire = proposals_pb.ProposalState.Value(f"PROPOSAL_STATE_{state.name}")
    assert from_proto.proposal_state(wire) is state


def test_what_a_write_says_is_checked_for_size_and_storability() -> None:
    """VO-08: an id has no slash; no text has a NUL, which no database keeps."""
    good = artifacts_pb.WriteContext(
        thread_id="thr_1", proposal_id="p", must_propose=True, fence=names_pb2.Fence(scope="thr_1", token=3)
    )
    context = from_proto.write_context(good)
    assert (context.fence, context.must_propose) == (Fence(scope="thr_1", token=3), True)
    for bad in (
        artifacts_pb.WriteContext(thread_id="x" * 201),
        artifacts_pb.WriteContext(proposal_id="a/b"),
        artifacts_pb.WriteContext(rationale="a\0b"),
        artifacts_pb.WriteContext(fence=names_pb2.Fence(scope="s", token=-1)),
    ):
        with pytest.raises(ValidationFailed):
            from_proto.write_context(bad)


@pytest.mark.parametrize(
    "body",
    [
        native_pb.UploadHeader(context=artifacts_pb.WriteContext(request_id=REQUEST_ID)),
        native_pb.EditRequest(context=artifacts_pb.WriteContext(request_id=REQUEST_ID)),
        native_pb.CheckOutRequest(request_id=REQUEST_ID),
        native_pb.ExtendCheckOutRequest(request_id=REQUEST_ID),
        native_pb.CheckInHeader(request_id=REQUEST_ID),
    ],
    ids=lambda body: type(body).__name__,
)
def test_a_request_id_is_the_same_however_it_is_spelled(
    body: native_pb.UploadHeader
    | native_pb.EditRequest
    | native_pb.CheckOutRequest
    | native_pb.ExtendCheckOutRequest
    | native_pb.CheckInHeader,
) -> None:
    """ID-03: a UUID's letters have no case; what is no UUID is refused."""
    ada = Identity(tenant="t", actor=to_proto.actor(Actor(kind=ActorKind.USER, id="ada")))
    scope = WorkspaceKey(tenant="t", workspace="w")
    with acting_as(ada):
        first = from_proto.call(scope, "Write", body)
        assert first.request_id == REQUEST_ID
        identified = body.context if isinstance(body, native_pb.UploadHeader | native_pb.EditRequest) else body
        identified.request_id = REQUEST_ID.upper()
        assert from_proto.call(scope, "Write", body) == first
        identified.request_id = REQUEST_ID[:-1]
        with pytest.raises(ValidationFailed):
            from_proto.call(scope, "Write", body)


def test_names_and_headers_are_read_with_their_workspace() -> None:
    """TN-01: and a base proposal is one of the same workspace."""
    ada = Identity(tenant="t", actor=to_proto.actor(Actor(kind=ActorKind.USER, id="ada")))
    scope = WorkspaceKey(tenant="t", workspace="w")
    with acting_as(ada):
        assert from_proto.revision("tenants/t/workspaces/w/artifacts/a/revisions/12") == (scope, "a", 12)
        for version in ("x", "0x1", "-1", "²", "99999999999999999999"):
            with pytest.raises(ValidationFailed):
                from_proto.revision(f"tenants/t/workspaces/w/artifacts/a/revisions/{version}")
        request = native_pb.EditRequest(name="tenants/t/workspaces/w/artifacts/a", base_version=1, summary="s")
        request.base_proposal = "tenants/t/workspaces/w/proposals/p"
        assert commands_from_proto.edit(request).base_proposal == "p"
        request.base_proposal = "tenants/t/workspaces/other/proposals/p"
        with pytest.raises(ValidationFailed):
            commands_from_proto.edit(request)


@given(_actors)
def test_an_actor_has_the_key_that_it_has_everywhere(actor: Actor) -> None:
    """AC-02: the key of the contract, which tells the kind."""
    assert participant_key(to_proto.actor(actor)) == actor.participant
