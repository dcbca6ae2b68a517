"""Artifacts of registered kinds: created, edited, archived and restored."""

import json

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import errors_pb2
from service.files.people import FAKEAPP, Administrator, Participant, append, detail, document, new_request_id, refused
from service.files.structured import archives, creates, data_of, json_patch, patches, replaces, restores, sets


def events_of(changes: list[changes_pb.Change]) -> list[str]:
    return [it.WhichOneof("event") or "" for it in changes]


async def test_an_artifact_is_created_at_version_1_with_its_data_as_they_were_written(
    alice: Participant, task: str
) -> None:
    """AT-03, AT-04, CM-02, CM-03, EV-01, SG-06: the order of keys and the whole numbers survive."""
    outcome = await creates(alice, task, {"steps": {"b": 2**70, "a": 1.5}, "name": "plan"}, artifact_id="plan")
    assert (outcome.applied.artifact_id, outcome.applied.version, outcome.change_sequence) == ("plan", 1, 1)
    found = await alice.sees("plan")
    assert found.data_json == json.dumps({"steps": {"b": 2**70, "a": 1.5}, "name": "plan"})
    assert (found.kind, found.version, found.archived) == (task, 1, False)
    assert found.updated_by == alice.actor
    (change,) = await alice.feed()
    assert change.artifact_created.data_json == found.data_json
    made = (await creates(alice, task, {"name": "x"})).applied.artifact_id
    assert made.startswith("art_")
    assert len(made) == 20


async def test_an_id_is_used_once_in_a_workspace(alice: Participant, bob: Participant, task: str) -> None:
    """ID-01, ID-02: also once what it named is archived."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    await archives(alice, "plan", 1)
    assert (await refused(creates(bob, task, {"name": "two"}, artifact_id="plan"))).reason == "INVALID_STATE"
    assert len(await alice.feed()) == 2


async def test_each_change_is_one_version_and_one_revision_for_ever(
    alice: Participant, bob: Participant, task: str
) -> None:
    """AT-04, AT-05, AT-08, AT-10, AT-13, AT-14: both kinds of patch, as they were submitted, with a summary of each."""
    await creates(alice, task, {"name": "one", "steps": {}}, artifact_id="plan")
    await patches(bob, "plan", 1, replaces("one", "two", field="name"))
    outcome = await patches(alice, "plan", 2, sets("/steps/a", "begin"), summary="adds a step")
    assert (outcome.applied.version, outcome.change_sequence) == (3, 3)
    first, second, third = await alice.revisions_of("plan")
    assert [it.artifact.version for it in (first, second, third)] == [1, 2, 3]
    assert [it.summary for it in (first, second, third)] == ["created", "name: 1 replacement", "adds a step"]
    assert not first.HasField("patch")
    assert second.patch.text_edits.edits[0].new == "two"
    assert json.loads(third.patch.json_patch) == [{"op": "add", "path": "/steps/a", "value": "begin"}]
    assert [it.artifact.updated_by.user.id for it in (first, second, third)] == ["alice", "bob", "alice"]
    assert json.loads(second.artifact.data_json) == {"name": "two", "steps": {}}
    request = artifacts_pb.GetRevisionRequest(name=f"{alice.name('plan')}/revisions/2")
    assert (await alice.artifacts.GetRevision(request)).revision == second
    assert not second.HasField("switch_revision")  # nothing governs the kind


async def test_a_change_of_another_version_is_refused_and_leaves_nothing(
    alice: Participant, bob: Participant, task: str
) -> None:
    """N-21, CM-07, WP-02: with base and head."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    await patches(alice, "plan", 1, sets("/name", "two"))
    for write in (
        patches(bob, "plan", 1, sets("/done", value=True)),
        archives(bob, "plan", 1),
        patches(bob, "plan", 3, sets("/done", value=True)),
        patches(bob, "plan", 1, sets("/done", value=True), must_propose=True),
    ):
        refusal = await refused(write)
        assert refusal.reason == "VERSION_CONFLICT"
        assert detail(refusal, errors_pb2.VersionConflict).head == 2
    assert len(await alice.feed()) == 2
    assert not await alice.pending_proposals()


@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        (sets("/surprise", 1), "VALIDATION_FAILED"),
        (sets("/name", 1), "VALIDATION_FAILED"),
        (json_patch({"op": "remove", "path": "/name"}), "VALIDATION_FAILED"),
        (json_patch({"op": "replace", "path": "", "value": [1]}), "VALIDATION_FAILED"),
        (json_patch({"op": "explode", "path": "/name"}), "VALIDATION_FAILED"),
        (json_patch({"op": "add", "path": "/name"}), "VALIDATION_FAILED"),
        (artifacts_pb.Patch(json_patch="[]"), "VALIDATION_FAILED"),
        (artifacts_pb.Patch(json_patch="no json"), "VALIDATION_FAILED"),
        (artifacts_pb.Patch(json_patch='[{"op":"add","path":"/done","value":1e999}]'), "VALIDATION_FAILED"),
        (artifacts_pb.Patch(), "VALIDATION_FAILED"),
        (artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits()), "VALIDATION_FAILED"),
        (json_patch({"op": "remove", "path": "/nothing"}), "PATCH_FAILED"),
        (json_patch({"op": "test", "path": "/name", "value": "two"}), "PATCH_FAILED"),
        (sets("/name", "one one"), "PATCH_FAILED"),  # changes nothing
        (replaces("three", "x", field="name"), "PATCH_FAILED"),
        (replaces("one", "x", field="name"), "PATCH_FAILED"),  # twice
        (replaces("x", "y"), "PATCH_FAILED"),  # no field of that name
    ],
)
async def test_a_patch_that_does_not_fit_is_refused_with_its_reason(
    alice: Participant, task: str, patch: artifacts_pb.Patch, reason: str
) -> None:
    """AT-02, AT-11, AT-12, CM-01: and nothing changes."""
    await creates(alice, task, {"name": "one one"}, artifact_id="plan")
    assert (await refused(patches(alice, "plan", 1, patch))).reason == reason
    assert (await alice.sees("plan")).version == 1
    assert len(await alice.feed()) == 1


@pytest.mark.parametrize(
    "data_json",
    [
        "",
        "{",
        "[]",
        '{"name":"a","name":"b"}',
        '{"name":"\\u0000"}',
        '{"name":"\\ud800"}',
        '{"name":NaN}',
        '{"named":1}',
    ],
)
async def test_data_that_nobody_could_read_back_are_refused(alice: Participant, task: str, data_json: str) -> None:
    """AT-02, CM-01."""
    request = artifacts_pb.CreateArtifactRequest(
        workspace=alice.scope,
        kind=task,
        data_json=data_json,
        context=artifacts_pb.WriteContext(request_id=new_request_id()),
    )
    assert (await refused(alice.artifacts.CreateArtifact(request))).reason == "VALIDATION_FAILED"
    assert not await alice.feed()


async def test_what_is_archived_is_read_and_listed_on_request_and_changed_no_more(
    alice: Participant, task: str
) -> None:
    """AT-04, AT-15: archiving is a version with the same data and no patch."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    await creates(alice, task, {"name": "two"}, artifact_id="other")
    outcome = await archives(alice, "plan", 1)
    assert outcome.applied.version == 2
    found = await alice.sees("plan")
    assert (found.archived, json.loads(found.data_json)) == (True, {"name": "one"})
    archived = (await alice.revisions_of("plan"))[-1]
    assert (archived.summary, archived.HasField("patch")) == ("archived", False)
    change = (await alice.feed())[-1]
    assert (change.artifact_archived.artifact_id, change.artifact_archived.version) == ("plan", 2)
    for show, ids in ((False, ["other"]), (True, ["plan", "other"])):
        request = artifacts_pb.ListArtifactsRequest(workspace=alice.scope, show_archived=show)
        assert [it.artifact_id for it in (await alice.artifacts.ListArtifacts(request)).artifacts] == ids
    for write in (
        patches(alice, "plan", 2, sets("/name", "x")),
        archives(alice, "plan", 2),
        restores(alice, "plan", 1, 2),
        patches(alice, "plan", 2, sets("/name", "x"), must_propose=True),
    ):
        assert (await refused(write)).reason == "INVALID_STATE"


async def test_restoring_makes_earlier_data_the_newest_version(alice: Participant, task: str) -> None:
    """AT-04, F-18: history goes on, it never goes back."""
    await creates(alice, task, {"name": "one", "steps": {"a": [1, 2]}}, artifact_id="plan")
    await patches(alice, "plan", 1, json_patch({"op": "remove", "path": "/steps"}))
    outcome = await restores(alice, "plan", 1, 2)
    assert outcome.applied.version == 3
    assert await data_of(alice, "plan") == {"name": "one", "steps": {"a": [1, 2]}}
    assert (await alice.revisions_of("plan"))[-1].summary == "restored version 1"
    assert (await refused(restores(alice, "plan", 1, 3))).reason == "PATCH_FAILED"
    assert (await refused(restores(alice, "plan", 1, 2))).reason == "VERSION_CONFLICT"
    assert (await refused(restores(alice, "plan", 9, 3))).metadata["entity"] == "revision"


async def test_artifacts_are_found_by_a_part_of_their_name(alice: Participant, task: str) -> None:
    """F-18: in any case, and never by a pattern."""
    for name in ("Q3 Plan", "q3 report", "100%", "1000"):
        await creates(alice, task, {"name": name})
    for part, found in (("Q3", 2), ("PLAN", 1), ("100%", 1), ("%", 1), ("", 4)):
        request = artifacts_pb.ListArtifactsRequest(workspace=alice.scope, name_contains=part)
        assert len((await alice.artifacts.ListArtifacts(request)).artifacts) == found, part


async def test_of_a_native_file_a_patch_changes_the_name_and_nothing_else(alice: Participant) -> None:
    """N-44: the name goes on saying the format."""
    plan = await alice.has_file("One.")
    outcome = await patches(alice, plan, 1, sets("/name", "better plan.fake"))
    assert outcome.applied.version == 2
    assert (await alice.downloads(plan))[0].file_name == "better plan.fake"
    digest = (await data_of(alice, plan))["native"]["digest"]
    for patch in (
        sets("/native/digest", "0" * 64),
        sets("/native/size", 5),
        json_patch({"op": "remove", "path": "/text"}),
        sets("/surprise", 1),
        sets("/name", "plan.docx"),
        sets("/name", "a/b.fake"),
        sets("/name", 5),
    ):
        assert (await refused(patches(alice, plan, 2, patch))).reason == "VALIDATION_FAILED"
    assert (await data_of(alice, plan))["native"]["digest"] == digest
    assert await alice.reads(plan) == "One."


async def test_a_native_file_is_not_created_by_its_data(alice: Participant, task: str) -> None:
    """N-41: whoever could name blobs could read those that were kept from them."""
    plan = await alice.has_file("One.")
    refusal = await refused(creates(alice, "native_fake", await data_of(alice, plan)))
    assert refusal.reason == "VALIDATION_FAILED"
    assert (await creates(alice, task, {"name": "native_fake"})).applied.version == 1


async def test_restoring_a_native_file_brings_its_content_back_under_its_name_of_today(alice: Participant) -> None:
    """F-18, N-43: readable as any version; the blobs are those of the revision."""
    plan = await alice.has_file("One.")
    await alice.edits(plan, 1, append("Two."))
    await patches(alice, plan, 2, sets("/name", "renamed.fake"))
    outcome = await restores(alice, plan, 1, 3)
    assert outcome.applied.version == 4
    header, content = await alice.downloads(plan)
    assert (header.file_name, content) == ("renamed.fake", document("One."))
    assert await alice.reads(plan) == "One."
    assert (await refused(restores(alice, plan, 1, 4))).reason == "PATCH_FAILED"


async def test_while_a_file_is_checked_out_nothing_else_writes_it(alice: Participant, bob: Participant) -> None:
    """L-08, AMB-08, N-22: a patch, an archiving, a restore and a proposal neither, the holder's own too."""
    plan = await alice.has_file("One.")
    await alice.edits(plan, 1, append("Two."))
    await alice.checks_out(plan)
    for person in (alice, bob):
        for write in (
            patches(person, plan, 2, sets("/name", "x.fake")),
            archives(person, plan, 2),
            restores(person, plan, 1, 2),
            patches(person, plan, 2, sets("/name", "x.fake"), must_propose=True),
        ):
            refusal = await refused(write)
            assert refusal.reason == "ARTIFACT_BUSY"
            assert detail(refusal, errors_pb2.ArtifactBusy).holder == alice.actor
    assert (await alice.sees(plan)).version == 2
    await alice.releases(plan)
    assert (await archives(bob, plan, 2)).applied.version == 3


async def test_while_its_app_is_off_a_native_file_is_not_patched_archived_or_restored(
    alice: Participant, viewer: Participant, admin: Administrator, task: str
) -> None:
    """I-08, I-12, WP-03, WP-04, AMB-01: asked before who may write; other kinds go on."""
    plan = await alice.has_file("One.")
    await alice.edits(plan, 1, append("Two."))
    await admin.switches(FAKEAPP, on=False)
    for person in (alice, viewer):
        for write in (
            patches(person, plan, 2, sets("/name", "x.fake")),
            archives(person, plan, 2),
            restores(person, plan, 1, 2),
            creates(person, "native_fake", {}),
        ):
            refusal = await refused(write)
            assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", FAKEAPP)
    assert (await refused(creates(viewer, task, {"name": "x"}))).reason == "FORBIDDEN"
    assert (await creates(alice, task, {"name": "x"})).applied.version == 1
    revision = await admin.switches(FAKEAPP, on=True)
    await patches(alice, plan, 2, sets("/name", "x.fake"))
    assert (await alice.revisions_of(plan))[-1].switch_revision == revision


async def test_an_overtaken_agent_changes_nothing(assistant: Participant, task: str) -> None:
    """MP-21: whatever the write."""
    await creates(assistant, task, {"name": "one"}, artifact_id="plan", fence=("thr_1", 2))
    for write in (
        creates(assistant, task, {"name": "two"}, fence=("thr_1", 1)),
        patches(assistant, "plan", 1, sets("/name", "two"), fence=("thr_1", 1)),
        archives(assistant, "plan", 1, fence=("thr_1", 1)),
    ):
        assert (await refused(write)).reason == "STALE_CLAIM"
    await patches(assistant, "plan", 1, sets("/name", "two"), fence=("thr_1", 2))
    change = (await assistant.feed())[-1]
    assert (change.thread_id, change.run_id) == ("thr_1", "run_1")


async def test_an_agents_write_waits_for_review_where_its_kind_or_its_thread_says_so(
    assistant: Participant, alice: Participant, note: str, task: str
) -> None:
    """AT-06, CM-06, AC-05, EV-04: people's writes apply; a proposed edit has a summary from the first."""
    await creates(alice, note, {"text": "one"}, artifact_id="memo")
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    by_policy = await patches(assistant, "memo", 1, replaces("one", "two"), rationale="it is two")
    assert by_policy.proposed.artifact_id == "memo"
    asked = await patches(assistant, "plan", 1, sets("/name", "two"), must_propose=True, proposal_id="prp_mine")
    assert asked.proposed.proposal_id == "prp_mine"
    assert (await archives(assistant, "memo", 1)).HasField("proposed")
    assert (await creates(assistant, note, {"text": "x"})).HasField("proposed")
    assert (await patches(assistant, "plan", 1, sets("/name", "two"))).applied.version == 2
    assert (await patches(alice, "memo", 1, replaces("one", "three"))).applied.version == 2
    summaries = [it.change.edit.summary for it in await alice.pending_proposals()]
    assert summaries == ["text: 1 replacement", "add /name", "", ""]
    kinds = events_of(list(await alice.feed()))
    assert kinds.count("proposal_created") == 4
