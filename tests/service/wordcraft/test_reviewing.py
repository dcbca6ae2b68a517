"""Commands on comments and tracked changes: what a reviewer must never lose."""

from collections import Counter
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.review import Item
from lattice_wordcraft.wordcraft import WordCraft
from lattice_wordcraft.xml import W, parsed
from lxml import etree
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, parts_of, plan, text_of

pytestmark = pytest.mark.documents

CHANGE = ("replace_text", {"quote": "on Monday", "replacement": "on Friday"})


async def comments_of(app: WordCraft, content: bytes) -> list[Item]:
    return [it for it in (await app.extract(content)).review if it["type"] == "comment"]


async def changes_of(app: WordCraft, content: bytes) -> list[Item]:
    return [it for it in (await app.extract(content)).review if it["type"] == "tracked_change"]


@pytest.fixture(scope="module")
async def discussed(edits: Edits) -> bytes:
    """Nadia's thread on the date, resolved, with a reply of Jun's; her open comment on Berlin; Mara's change."""
    began = await edits(
        plan(),
        ("add_comment", {"quote": "on Monday", "text": "Why\nMonday?"}),
        ("add_comment", {"quote": "in Berlin", "text": "Is it booked?"}),
        author="Nadia",
    )
    replied = await edits(
        began.content,
        ("reply_to_comment", {"comment_id": "comment-1", "text": "Because."}),
        ("resolve_comment", {"comment_id": "comment-1"}),
        author="Jun",
    )
    return (await edits(replied.content, CHANGE, author="Mara")).content


@pytest.mark.parametrize("how", ["accept_all_changes", "reject_all_changes"])
async def test_resolving_changes_keeps_comments_replies_states_and_their_words(
    app: WordCraft, edits: Edits, discussed: bytes, how: str
) -> None:
    """A comment on words that were replaced stands at the new words, or at the old ones again."""
    result = await edits(discussed, (how, {}))
    date = "on Friday" if how == "accept_all_changes" else "on Monday"
    assert [(it["text"], it["state"], it["anchored_text"]) for it in await comments_of(app, result.content)] == [
        ("Why Monday?", "resolved", date),
        ("Is it booked?", "open", "in Berlin"),
        ("Because.", "resolved", date),
    ]
    assert await changes_of(app, result.content) == []


async def test_an_edited_comment_keeps_its_place_replies_and_state(
    app: WordCraft, edits: Edits, discussed: bytes
) -> None:
    """And nobody puts words into another's mouth."""
    with pytest.raises(AppRefused, match="the comment is by Nadia; reply to it instead"):
        await edits(discussed, ("edit_comment", {"comment_id": "comment-1", "text": "x"}))
    edit = ("edit_comment", {"comment_id": "comment-1", "text": "Why Friday?\nSure?"})
    result = await edits(discussed, edit, author="Nadia")
    before, after = await comments_of(app, discussed), await comments_of(app, result.content)
    assert after[0]["text"] == "Why Friday? Sure?"
    assert [it | {"text": ""} for it in after] == [it | {"text": ""} for it in before]


async def test_a_comment_on_a_change_outlives_it(app: WordCraft, edits: Edits, discussed: bytes) -> None:
    """F-09: signed by who edits, at the time of the batch."""
    change = next(it for it in await changes_of(app, discussed) if it["state"] == "insertion")
    result = await edits(discussed, ("comment_on_change", {"change_id": change["id"], "text": "As agreed."}))
    ours = (await comments_of(app, result.content))[-1]
    assert (ours["author"], ours["date"], ours["anchored_text"]) == ("assistant", "2026-01-02T12:00:00Z", "Friday")
    for how in ("accept_all_changes", "reject_all_changes"):
        resolved = await edits(result.content, (how, {}))
        assert "As agreed." in [it["text"] for it in await comments_of(app, resolved.content)]
    with pytest.raises(AppRefused, match="not found"):
        await edits(discussed, ("comment_on_change", {"change_id": "rev2-00000000000000000000", "text": "x"}))


async def test_all_open_comments_are_resolved_or_those_of_one_author(
    app: WordCraft, edits: Edits, discussed: bytes
) -> None:
    """A thread is resolved by its first comment."""
    more = await edits(discussed, ("add_comment", {"quote": "Closing", "text": "Short."}), author="Jun")
    one = await edits(more.content, ("resolve_all_comments", {"author": "Nadia"}))
    states = {it["text"]: it["state"] for it in await comments_of(app, one.content)}
    assert states == {"Why Monday?": "resolved", "Is it booked?": "resolved", "Because.": "resolved", "Short.": "open"}
    all_of_them = await edits(more.content, ("resolve_all_comments", {}))
    assert {it["state"] for it in await comments_of(app, all_of_them.content)} == {"resolved"}
    with pytest.raises(AppRefused, match="no open comments by Nadia"):
        await edits(one.content, ("resolve_all_comments", {"author": "Nadia"}))


@pytest.mark.parametrize("how", ["accept", "reject"])
async def test_the_changes_of_a_passage_are_resolved_and_no_others(app: WordCraft, edits: Edits, how: str) -> None:
    """Those of one author, too; another author's are not wiped."""
    mara = await edits(plan(), CHANGE, ("replace_text", {"quote": "Closing", "replacement": "Last"}), author="Mara")
    jun = await edits(mara.content, ("replace_text", {"quote": "in Berlin", "replacement": "in Turin"}), author="Jun")
    command = f"{how}_changes_in_passage"
    both = await edits(jun.content, (command, {"quote": "The launch"}))
    assert {(it["author"], it["text"]) for it in await changes_of(app, both.content)} == {
        ("Mara", "Closing"),
        ("Mara", "Last"),
    }
    one = await edits(jun.content, (command, {"quote": "The launch", "author": "Jun"}))
    assert {it["author"] for it in await changes_of(app, one.content)} == {"Mara"}
    assert ("in Turin" if how == "accept" else "in Berlin") in text_of(one.content)
    assert "on Friday" in text_of(one.content)
    with pytest.raises(AppRefused, match="no tracked changes in that paragraph by Nadia"):
        await edits(jun.content, (command, {"quote": "The launch", "author": "Nadia"}))


async def test_changes_that_share_an_id_are_resolved_one_by_one_and_by_author(
    app: WordCraft, edits: Edits, corpus: Path
) -> None:
    """N-14: other programs write such files; the ids that the review lists hold for the whole batch."""
    content = (corpus / "t12-multi-author.docx").read_bytes()
    accepted = await edits(content, ("accept_all_changes", {"author": "Jane Doe"}))
    assert {it["author"] for it in await changes_of(app, accepted.content)} == {"Bob Smith", "Acme LLP"}
    shared = [it for it in await changes_of(app, content) if it["author"] == "Jane Doe" and "insert" in it["state"]][:2]
    assert [it["text"] for it in shared] == ["forty", "-five"]
    calls = [("accept_change", {"change_id": it["id"]}) for it in shared]
    left = await changes_of(app, (await edits(content, *calls)).content)
    assert [it["text"] for it in left if it["author"] == "Jane Doe"] == [
        "thirty",
        "30",
        "45",
        "ninety",
        "sixty",
        "90",
        "60",
    ]


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_a_moved_paragraph_takes_its_thread_along_whatever_becomes_of_the_move(
    app: WordCraft, sound: Edits, corpus: Path, tracked: bool
) -> None:
    """While the move is pending both places have the thread; then the place that stays."""
    content = (corpus / "c01-comment-thread-reply-resolved.docx").read_bytes()
    said = [(it["text"], it["anchored_text"]) for it in await comments_of(app, content)]
    call = ("move_paragraph", {"quote": "Discovery material", "target": "Notices are", "position": "after"})
    moved = (await sound(content, call, tracked=tracked)).content
    for how in ("accept_all_changes", "reject_all_changes") if tracked else ():
        resolved = (await sound(moved, (how, {}))).content
        assert sorted((it["text"], it["anchored_text"]) for it in await comments_of(app, resolved)) == sorted(said)
        assert len([it for it in await comments_of(app, resolved) if it.get("parent_id")]) == 2
    if not tracked:
        assert [(it["text"], it["anchored_text"]) for it in await comments_of(app, moved)] == said


async def test_comments_go_with_the_paragraph_that_they_are_about_and_not_before(
    app: WordCraft, sound: Edits, corpus: Path
) -> None:
    """As in Word: a comment that stands nowhere would be seen by nobody."""
    content = (corpus / "c01-comment-thread-reply-resolved.docx").read_bytes()
    call = ("delete_paragraph", {"quote": "Discovery material"})
    tracked = (await sound(content, call)).content
    assert len(await comments_of(app, tracked)) == 5
    rejected = (await sound(tracked, ("reject_all_changes", {}))).content
    assert await comments_of(app, rejected) == await comments_of(app, content)
    accepted = (await sound(tracked, ("accept_all_changes", {}))).content
    direct = (await sound(content, call, tracked=False)).content
    for result in (accepted, direct):
        assert [it["text"] for it in await comments_of(app, result)] == [
            it["text"] for it in await comments_of(app, content) if it["anchored_text"] != "within thirty days"
        ]


async def test_comment_parts_are_well_formed_and_agree_with_the_text(edits: Edits, discussed: bytes) -> None:
    """No malformed part, no id twice, and each comment has its three marks in the text."""
    result = await edits(
        discussed,
        ("add_comment", {"quote": "Second point", "text": "One & <two>\nlines"}),
        ("reply_to_comment", {"comment_id": "comment-2", "text": "Yes."}),
        ("delete_comment", {"comment_id": "comment-1"}),
        ("resolve_all_comments", {}),
    )
    parts = parts_of(result.content)
    comments = parsed("comments", parts["word/comments.xml"])
    ids = [it.get(f"{W}id") for it in comments.iter(f"{W}comment")]
    assert len(ids) == len(set(ids)) > 1
    assert all(it.find(f"{W}p") is not None for it in comments)
    main = parsed("main", parts["word/document.xml"])
    for mark in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert Counter(it.get(f"{W}id") for it in main.iter(f"{W}{mark}")) <= Counter(ids), mark
    assert {it.get(f"{W}id") for it in main.iter(f"{W}commentReference")} == set(ids)
    ids_of_paragraphs = _paragraph_ids(comments)
    assert len(ids_of_paragraphs) == len(set(ids_of_paragraphs))
    extended = _paragraph_ids(parsed("extended", parts["word/commentsExtended.xml"]))
    assert set(extended) <= set(ids_of_paragraphs)
    assert "commentsExtended" in parts["[Content_Types].xml"].decode()
    assert main_of(result.content).count("<w:commentReference ") == len(ids)


def _paragraph_ids(root: etree._Element) -> list[str]:
    return [str(value) for it in root.iter() for key, value in it.attrib.items() if str(key).endswith("}paraId")]
