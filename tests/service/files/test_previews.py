"""Dry runs: what a batch would change is told, and nothing of it is stored or held."""

from collections.abc import Awaitable

from lattice.files.v1 import native_files_service_pb2 as native_pb
from service.files.blob_rows import BlobRows
from service.files.people import FAKEAPP, Administrator, Command, Participant, append, refused, replace


def previews(
    who: Participant, artifact_id: str, base_version: int, *commands: Command, base_proposal: str = ""
) -> Awaitable[native_pb.PreviewEditResponse]:
    edit = who.edit_request(artifact_id, base_version, *commands)
    return who.native.PreviewEdit(
        native_pb.PreviewEditRequest(
            name=edit.name, base_version=base_version, commands=edit.commands, base_proposal=base_proposal
        )
    )


async def test_a_dry_run_tells_what_the_edit_then_does_and_leaves_nothing_behind(
    alice: Participant, assistant: Participant, rows: BlobRows
) -> None:
    """F-07, F-08: no version, no proposal, no feed row, no blob, and no lease was ever taken."""
    artifact_id = await alice.has_file("One now.\nTwo.")
    batch = (replace("now", "soon"), append("Three."))
    before = rows.touched()
    told = await previews(assistant, artifact_id, 1, *batch)
    assert [(it.before, it.after) for it in told.text_changes] == [("One now.", "One soon."), ("", "Three.")]
    assert (told.total_text_changes, told.review_count) == (2, 3)
    assert rows.touched() == before
    assert (len(await alice.feed()), await alice.pending_proposals()) == (1, [])
    lease = await alice.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 0)
    assert (await assistant.edits(artifact_id, 1, *batch)).changed_parts == told.changed_parts
    assert await alice.reads(artifact_id) == "One soon.\nTwo.\nThree."


async def test_a_dry_run_is_refused_as_the_edit_would_be(
    alice: Participant, assistant: Participant, viewer: Participant, admin: Administrator
) -> None:
    """F-07, N-01, L-08, WP-03: by the app with the command's place, by a lease, a version, a role and the switch."""
    artifact_id = await alice.has_file("One.")
    refusal = await refused(previews(assistant, artifact_id, 1, append("Two."), replace("absent", "x")))
    assert (refusal.reason, refusal.metadata["index"]) == ("APP_REFUSED", "1")
    assert (await refused(previews(alice, artifact_id, 1, replace("One", "One")))).reason == "APP_REFUSED"
    assert (await refused(previews(assistant, artifact_id, 2, append("x")))).reason == "VERSION_CONFLICT"
    assert (await refused(previews(assistant, artifact_id, 1))).reason == "VALIDATION_FAILED"
    assert (await refused(previews(viewer, artifact_id, 1, append("x")))).reason == "FORBIDDEN"
    assert (await refused(previews(alice, "none", 1, append("x")))).reason == "NOT_FOUND"
    await alice.checks_out(artifact_id)
    assert (await refused(previews(assistant, artifact_id, 1, append("x")))).reason == "ARTIFACT_BUSY"
    await admin.switches(FAKEAPP, on=False)
    for who in (alice, viewer):
        refusal = await refused(previews(who, artifact_id, 1, append("x")))
        assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", FAKEAPP)


async def test_a_dry_run_may_build_on_ones_own_proposal_which_stays(alice: Participant, assistant: Participant) -> None:
    """F-11."""
    artifact_id = await alice.has_file("One.")
    proposed = await assistant.edits(artifact_id, 1, append("Two."), must_propose=True)
    draft = proposed.outcome.proposed.proposal_id
    told = await previews(assistant, artifact_id, 1, replace("Two", "Three"), base_proposal=draft)
    assert [(it.before, it.after) for it in told.text_changes] == [("Two.", "Three.")]
    assert (await refused(previews(alice, artifact_id, 1, append("x"), base_proposal=draft))).reason == "FORBIDDEN"
    assert [it.proposal_id for it in await alice.pending_proposals()] == [draft]


async def test_a_long_list_of_changes_is_cut_and_counted(alice: Participant) -> None:
    """R-06: nobody reads a thousand of them."""
    artifact_id = await alice.has_file("\n".join(f"Line {number} a.\nKept {number}." for number in range(120)))
    told = await previews(alice, artifact_id, 1, *(replace(f"Line {it} a", "x" * 3_000) for it in range(120)))
    assert (len(told.text_changes), told.total_text_changes) == (100, 120)
    assert {len(it.after) for it in told.text_changes} == {2_000}
