"""Reading text, review, commands and pages."""

import json

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import text_pb2
from lattice_chassis.server import BoundServer
from service.files.people import Participant, append, document, participant, refused, user


async def test_text_is_read_by_characters_and_says_where_to_read_on(alice: Participant) -> None:
    """F-15, F-16: offsets are code points, however many bytes they take; past the end there is nothing."""
    words = "aé漢😀" * 20_000
    artifact_id = await alice.has_file(words)

    async def read(start: int, limit: int) -> native_pb.ReadTextResponse:
        request = native_pb.ReadTextRequest(name=alice.name(artifact_id), start=start, max_chars=limit)
        return await alice.native.ReadText(request)

    piece = await read(70_001, 5)
    assert (piece.text, piece.next_start, piece.total_chars, piece.version) == ("é漢😀aé", 70_006, 80_000, 1)
    last = await read(79_998, 5)
    assert (last.text, last.next_start) == ("漢😀", 0)
    beyond = await read(90_000, 5)
    assert (beyond.text, beyond.next_start, beyond.total_chars) == ("", 0, 80_000)
    assert (await read(0, 0)).text == words[:8_000]
    assert (await refused(read(-1, 5))).reason == "VALIDATION_FAILED"


async def test_the_review_labels_comments_and_tracked_changes_and_pages(
    alice: Participant, assistant: Participant
) -> None:
    """N-14, AMB-24, F-09: ids are the app's own; an agent's changes are tracked under its name."""
    artifact_id = await alice.has_file("One.")
    comment = ("add_comment", {"anchor": "One", "text": "Why?"})
    await assistant.edits(artifact_id, 1, comment, append("Two."))
    request = native_pb.ReadReviewRequest(name=alice.name(artifact_id), max_items=1)
    first = await alice.native.ReadReview(request)
    assert (first.version, first.total_items, first.next_start) == (2, 2, 1)
    (item,) = first.items
    assert (item.id, item.type, item.anchored_text) == ("fk-1", native_pb.REVIEW_ITEM_TYPE_COMMENT, "One")
    request.start = first.next_start
    second = await alice.native.ReadReview(request)
    (item,) = second.items
    assert (item.type, item.author, item.state, second.next_start) == (
        native_pb.REVIEW_ITEM_TYPE_TRACKED_CHANGE,
        "Assistant",
        "insertion",
        0,
    )
    request.start = 7
    assert list((await alice.native.ReadReview(request)).items) == []


async def test_the_words_before_all_tracked_changes_are_read_on_request(
    alice: Participant, assistant: Participant
) -> None:
    """N-13, F-15: with offsets of their own; the stored text stays the final view."""
    artifact_id = await alice.has_file("One.")
    await assistant.edits(artifact_id, 1, append("Two."))

    async def original(**asked: int) -> native_pb.ReadTextResponse:
        request = native_pb.ReadTextRequest(name=alice.name(artifact_id), view=text_pb2.TEXT_VIEW_ORIGINAL, **asked)
        return await alice.native.ReadText(request)

    whole = await original()
    assert (whole.text, whole.total_chars, whole.next_start, whole.version) == ("One.", 4, 0, 2)
    piece = await original(start=1, max_chars=2)
    assert (piece.text, piece.next_start) == ("ne", 3)
    assert (await original(start=9)).text == ""
    assert await alice.reads(artifact_id) == "One.\nTwo."


async def test_every_version_stays_readable(alice: Participant) -> None:
    """N-43: text, bytes and data at a version, whatever came after it."""
    artifact_id = await alice.has_file("One.")
    await alice.edits(artifact_id, 1, append("Two."))
    assert (await alice.reads(artifact_id, 1), await alice.reads(artifact_id)) == ("One.", "One.\nTwo.")
    header, content = await alice.downloads(artifact_id, 1)
    assert (header.version, content) == (1, document("One."))
    refusal = await refused(alice.reads(artifact_id, 3))
    assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "revision")
    name = f"{alice.name(artifact_id)}/revisions/1"
    revision = (await alice.artifacts.GetRevision(artifacts_pb.GetRevisionRequest(name=name))).revision
    assert (revision.artifact.version, revision.summary) == (1, "uploaded plan.fake")


async def test_commands_are_found_by_words_with_what_they_take(alice: Participant) -> None:
    """F-17, N-16: an empty query lists the first ones, no match is a plain answer."""

    async def find(query: str, limit: int = 0) -> list[native_pb.FoundCommand]:
        request = native_pb.FindCommandsRequest(workspace=alice.scope, query=query, limit=limit)
        return list((await alice.native.FindCommands(request)).commands)

    found = await find("append paragraph", 1)
    assert [(it.id, it.enabled) for it in found] == [("append_paragraph", True)]
    assert json.loads(found[0].arguments_schema_json)["required"] == ["text"]
    assert len(await find("")) == 10
    assert await find("xylophone") == []
    request = native_pb.FindCommandsRequest(workspace=alice.scope, kind="native_odt")
    assert (await refused(alice.native.FindCommands(request))).reason == "NOT_FOUND"


async def test_a_page_is_rendered_once_and_counted_from_one(alice: Participant) -> None:
    """F-13, F-14, B-01: the image is cached by content, page, size and app version."""
    artifact_id = await alice.has_file(*(f"Paragraph {number}." for number in range(15)))
    request = native_pb.RenderPageRequest(name=alice.name(artifact_id), page=2, long_side=200)
    first = await alice.native.RenderPage(request)
    assert (first.version, first.page_count, first.height) == (1, 2, 200)
    assert first.png.startswith(b"\x89PNG")
    assert await alice.native.RenderPage(request) == first
    request.page = 3
    refusal = await refused(alice.native.RenderPage(request))
    assert (refusal.reason, refusal.metadata["count"]) == ("PAGE_OUT_OF_RANGE", "2")
    request.page = -1
    assert (await refused(alice.native.RenderPage(request))).reason == "VALIDATION_FAILED"


async def test_artifacts_are_listed_oldest_first_and_found_by_name(alice: Participant) -> None:
    """SG-03, F-18: pages go on where the last one ended, other arguments are refused."""
    for number in range(3):
        await alice.uploads(document(f"{number}"), file_name=f"Plan_{number}.fake", artifact_id=f"plan-{number}")
    await alice.uploads(document("letter"), file_name="letter.fake", artifact_id="letter")
    request = artifacts_pb.ListArtifactsRequest(workspace=alice.scope, name_contains="plan_", page_size=2)
    page = await alice.artifacts.ListArtifacts(request)
    assert [it.artifact_id for it in page.artifacts] == ["plan-0", "plan-1"]
    request.page_token = page.next_page_token
    rest = await alice.artifacts.ListArtifacts(request)
    assert ([it.artifact_id for it in rest.artifacts], rest.next_page_token) == (["plan-2"], "")
    request.name_contains = "letter"
    assert (await refused(alice.artifacts.ListArtifacts(request))).reason == "PAGE_TOKEN_INVALID"
    everything = artifacts_pb.ListArtifactsRequest(workspace=alice.scope, kind="native_fake")
    assert len((await alice.artifacts.ListArtifacts(everything)).artifacts) == 4


async def test_another_tenant_sees_nothing_and_learns_nothing(server: BoundServer, alice: Participant) -> None:
    """X-08, TN-01, AMB-01: a name of another tenant is FORBIDDEN before anything is looked up."""
    artifact_id = await alice.has_file("Secret.")
    async with participant(server.address, user("strangers", "sam"), "main") as sam:
        for name in (alice.name(artifact_id), alice.name("none")):
            request = native_pb.ReadTextRequest(name=name)
            assert (await refused(sam.native.ReadText(request))).reason == "FORBIDDEN"
            checking_out = native_pb.CheckOutRequest(name=name, request_id="0b0e9d0e-7d2c-4a3e-9a55-0f5b8a7f4a11")
            assert (await refused(sam.native.CheckOut(checking_out))).reason == "FORBIDDEN"
        assert (await refused(sam.reads(artifact_id))).reason == "NOT_FOUND"
        assert await sam.feed() == []


async def test_two_workspaces_of_one_id_are_two(server: BoundServer, alice: Participant) -> None:
    """TN-03, B-02: the same artifact id and the same bytes stand in both, apart."""
    await alice.uploads(document("One."), artifact_id="plan")
    async with participant(server.address, user("other-tenant-of-main", "alice"), "main") as other:
        await other.uploads(document("One."), artifact_id="plan")
        await other.edits("plan", 1, append("Two."))
        assert await other.reads("plan") == "One.\nTwo."
    assert await alice.reads("plan") == "One."
