"""What people complain of in programs that edit Word files: fifteen things, none of which happens here."""

import re
import time
from collections import Counter
from collections.abc import Awaitable
from datetime import UTC, datetime

import pytest
from bench.wordcraft import document
from lattice_wordcraft import guards, package, reading
from lattice_wordcraft.reading import View
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from lattice_wordcraft.xml import W, parsed
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import digests_of, main_of, packed, parts_of, plan, text_of, with_body
from service.wordcraft.soundness import faults_of
from service.wordcraft.test_batches import REVISION
from service.wordcraft.test_reviewing import comments_of
from service.wordcraft.test_tables import ROWS, assert_sound

pytestmark = pytest.mark.documents


async def test_bold_is_not_lost_on_replace(edits: Edits) -> None:
    """F-08, F-09: the new words keep the old ones' formatting; the rest of the sentence is not touched."""
    original = plan()
    result = await edits(
        original, ("replace_text", {"quote": "The launch is on Monday", "replacement": "The launch is on Friday"})
    )
    assert result.changed_parts == ["word/document.xml"]
    before, after = digests_of(original), digests_of(result.content)
    assert {name for name in before if before[name] != after[name]} == {"word/document.xml"}
    assert list(before) == list(after)
    main = main_of(result.content)
    assert re.search(r"<w:del [^>]*><w:r><w:rPr><w:b/></w:rPr><w:delText[^>]*>Monday</w:delText>", main)
    assert re.search(r"<w:ins [^>]*><w:r><w:rPr><w:b/></w:rPr><w:t[^>]*>Friday</w:t>", main)


async def test_tracked_text_is_read_as_one_version_or_the_other() -> None:
    """N-13: deletions and moved-away words are gone, insertions are there, a deleted mark joins two paragraphs."""
    by = 'w:id="9" w:author="x" w:date="2026-01-01T00:00:00Z"'
    content = with_body(
        f"<w:p><w:pPr><w:rPr><w:del {by}/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r>"
        f"<w:del {by}><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
        f"<w:p><w:ins {by}><w:r><w:t> two</w:t></w:r></w:ins>"
        f"<w:moveFrom {by}><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"
    )
    assert text_of(content).startswith("one two\n[header]")
    original = reading.text_of(package.opened(content, guards.Limits()), View.ORIGINAL)
    assert original.startswith("onegone\nmoved\n[header]")


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_headers_cells_text_boxes_and_notes_are_read_and_edited_like_the_body(
    sound: Edits, tracked: bool
) -> None:
    """N-13, N-17: no place that holds words is skipped."""
    box = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>"
    main = main_of(plan()).replace("<w:sectPr", f"<w:p><w:r><w:pict>{box}</w:pict></w:r></w:p><w:sectPr", 1)
    content = packed({**parts_of(plan()), "word/document.xml": main.encode()})
    content = (
        await sound(content, ("add_footnote", {"quote": "1200", "text": "Prices of May."}), tracked=False)
    ).content
    words = ("by Acme", "Page footer", "Venue", "in the box", "of May", "Launch plan")
    assert all(text_of(content).count(it) == 1 for it in words)
    calls = [("replace_text", {"quote": it, "replacement": f"new{number}"}) for number, it in enumerate(words)]
    edited = text_of((await sound(content, *calls, tracked=tracked)).content)
    assert all(it not in edited and edited.count(f"new{number}") == 1 for number, it in enumerate(words))


async def test_a_comment_is_not_orphaned_when_its_text_is_replaced(app: WordCraft, edits: Edits) -> None:
    """One within another, and two beside each other; wherever else an edit begins, see `test_comment_anchors`."""
    content = with_body("<w:p><w:r><w:t>We pay in May, in June and in July.</w:t></w:r></w:p>")
    comments = [("add_comment", {"quote": it, "text": it}) for it in ("in May, in June", "May", "July")]
    commented = (await edits(content, *comments, author="Nadia")).content
    for tracked in (True, False):
        call = ("replace_text", {"quote": "pay in May, in June and in July", "replacement": "never pay"})
        edited = (await edits(commented, call, tracked=tracked)).content
        review = (await app.extract(edited)).review
        assert [it["anchored_text"] for it in review if it["type"] == "comment"] == ["never pay"] * 3


async def test_accepting_destroys_no_comment(app: WordCraft, edits: Edits) -> None:
    """Accepting must not orphan or destroy a comment."""
    marked = await edits(
        plan(),
        ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}),
        ("add_comment", {"quote": "Friday", "text": "Sure?"}),
    )
    accepted = await edits(marked.content, ("accept_all_changes", {}))
    (comment,) = (await app.extract(accepted.content)).review
    assert (comment["text"], comment["anchored_text"]) == ("Sure?", "Friday")
    assert not REVISION.search(main_of(accepted.content))


async def test_the_first_comment_makes_a_sound_comments_part(app: WordCraft, sound: Edits) -> None:
    """N-14: well-formed, with a type and a relationship, and every mark in the text refers to it."""
    assert "word/comments.xml" not in parts_of(plan())
    text = "Is it <booked> & paid?\nAsk \u4f60\u597d."
    parts = parts_of((await sound(plan(), ("add_comment", {"quote": "in Berlin", "text": text}))).content)
    (comment,) = parsed("comments", parts["word/comments.xml"]).iter(f"{W}comment")
    assert [it.get(f"{W}author") for it in (comment,)] == ["assistant"]
    assert ["".join(map(str, it.itertext())).strip() for it in comment.iter(f"{W}p")] == text.splitlines()
    assert b'PartName="/word/comments.xml"' in parts["[Content_Types].xml"]
    assert b"comments.xml" in parts["word/_rels/document.xml.rels"]
    main = parsed("main", parts["word/document.xml"])
    for mark in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert [it.get(f"{W}id") for it in main.iter(W + mark)] == [comment.get(f"{W}id")], mark


@pytest.mark.parametrize("how", ["accept_all_changes", "reject_all_changes"])
async def test_replies_and_resolution_are_not_lost(app: WordCraft, edits: Edits, how: str) -> None:
    """N-14: by an edit of the words that a thread is about, or by resolving that edit."""
    steps = (
        ("add_comment", {"quote": "on Monday", "text": "Why?"}),
        ("reply_to_comment", {"comment_id": "comment-1", "text": "Because."}),
        ("resolve_comment", {"comment_id": "comment-1"}),
    )
    content = (await edits(plan(), *steps, author="Nadia")).content
    thread = [(it["text"], it["state"], it.get("parent_id")) for it in await comments_of(app, content)]
    assert thread == [("Why?", "resolved", None), ("Because.", "resolved", "comment-1")]
    for command in (("replace_text", {"quote": "on Monday", "replacement": "on Friday"}), (how, {})):
        content = (await edits(content, command)).content
        assert [(it["text"], it["state"], it.get("parent_id")) for it in await comments_of(app, content)] == thread


async def test_no_id_is_given_twice(sound: Edits) -> None:
    """Of changes, comments, bookmarks and their paragraphs; also not by the next batch."""
    content = plan()
    for name in ("First", "Second"):
        steps = (
            ("replace_text", {"quote": f"{name} point", "replacement": f"{name} item"}),
            ("insert_row", {"quote": "Venue", "cells": [name, "1"]}),
            ("add_comment", {"quote": f"{name} item", "text": "One\ntwo."}),
            ("add_bookmark", {"quote": f"{name} item", "name": name}),
            ("add_footnote", {"quote": f"{name} item", "text": name}),
            ("format_text", {"quote": "Closing", "bold": name == "First", "italic": True}),
        )
        content = (await sound(content, *steps)).content
    parts = parts_of(content)
    main = parsed("main", parts["word/document.xml"])
    for kind in (("ins", "del", "rPrChange", "pPrChange"), ("bookmarkStart",), ("commentRangeStart",)):
        ids = [it.get(f"{W}id") for it in main.iter(*(W + name for name in kind))]
        assert len(ids) == len(set(ids)) > 1, kind
    paragraphs = Counter(re.findall(r'paraId="([^"]*)"', parts["word/comments.xml"].decode()))
    assert set(paragraphs.values()) <= {1}


async def test_a_batch_is_not_half_applied(edits: Edits) -> None:
    """F-08, R-06: the refusal names index, command and why."""
    with pytest.raises(AppRefused) as refused:
        await edits(
            plan(),
            ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}),
            ("add_comment", {"quote": "in Berlin", "text": "Why?"}),
            ("delete_paragraph", {"quote": "no such words here"}),
        )
    assert (refused.value.index, refused.value.command) == (2, "delete_paragraph")
    assert "occurs 0 times" in refused.value.why


async def test_another_authors_changes_are_not_wiped(edits: Edits) -> None:
    """F-09: another author's changes are not wiped, and one's own are not dated anew."""
    first = await edits(plan(), ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}), author="Mara")
    second = await edits(
        first.content,
        ("replace_text", {"quote": "in Berlin", "replacement": "in Turin"}),
        author="Mara",
        time=datetime(2026, 3, 4, tzinfo=UTC),
    )
    third = await edits(second.content, ("replace_text", {"quote": "Closing", "replacement": "Last"}), author="Jun")
    assert set(REVISION.findall(main_of(third.content))) == {
        ("Mara", "2026-01-02T12:00:00Z"),
        ("Mara", "2026-03-04T00:00:00Z"),
        ("Jun", "2026-01-02T12:00:00Z"),
    }


async def test_an_untouched_part_is_not_rewritten(edits: Edits) -> None:
    """F-08: not one that the engine does not know, nor one that it would write in another way."""
    parts = parts_of(plan())
    styles = parts["word/styles.xml"].replace(b"<w:style ", b"\n  <w:style  ")
    types = parts["[Content_Types].xml"].replace(
        b"</Types>", b'<Default Extension="odd" ContentType="application/x-odd"/></Types>'
    )
    odd = {"customXml/item9.xml": b"<?xml version='1.0'?>\n<a  b='c'/>", "word/thing.odd": b"\x00\xff"}
    original = packed({**parts, **odd, "word/styles.xml": styles, "[Content_Types].xml": types})
    result = await edits(original, ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}))
    assert result.changed_parts == ["word/document.xml"]
    before, after = digests_of(original), digests_of(result.content)
    assert [name for name in before if before[name] != after.get(name)] == ["word/document.xml"]
    assert list(before) == list(after)


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_what_comes_out_is_not_what_word_calls_unreadable(sound: Edits, tracked: bool) -> None:
    """A line break or a tab in a text, properties out of their order, a cell without a paragraph."""
    steps = (
        ("set_cell_text", {"quote": "Venue", "text": "Hall\nBerlin"}),
        ("delete_paragraph", {"quote": "1200"}),
        ("set_style", {"quote": "Closing words", "style": "heading 1"}),
        ("align_paragraph", {"quote": "Closing words", "alignment": "center"}),
        ("format_text", {"quote": "Closing words", "size": 14, "bold": True, "color": "FF0000", "highlight": "yellow"}),
        ("make_list", {"quote": "Closing words"}),
        ("insert_row", {"quote": "Item"}),
    )
    result = await sound(plan(), *steps, tracked=tracked)
    assert faults_of(result.content) == []
    for text in ("two\nlines", "a\ttab", "a\x0bbreak", "\x01", "\ufffe"):
        with pytest.raises(AppRefused, match=r"takes no tab and no line break|cannot hold"):
            await sound(plan(), ("replace_text", {"quote": "Closing", "replacement": text}), tracked=tracked)


def assert_marked(content: bytes, mark: str) -> None:
    """In every row with this mark each run stands in a mark of the same kind."""
    root = parsed("main", parts_of(content)["word/document.xml"])
    rows = [row for row in root.iter(f"{W}tr") if row.find(f"{W}trPr/{W}{mark}") is not None]
    assert rows
    for row in rows:
        for run in row.iter(f"{W}r"):
            assert next(run.iterancestors(f"{W}{mark}"), None) is not None


@pytest.mark.parametrize(
    ("command", "mark"),
    [
        (("insert_table", {"quote": "Closing words", "rows": ROWS}), "ins"),
        (("insert_row", {"quote": "Venue", "cells": ["Food", "800"]}), "ins"),
        (("delete_row", {"quote": "Venue"}), "del"),
        (("delete_table", {"quote": "Venue"}), "del"),
    ],
    ids=lambda it: it[0] if isinstance(it, tuple) else it,
)
async def test_a_tracked_row_has_its_cells_runs_marked_and_a_rejection_undoes_it(
    edits: Edits, command: tuple[str, dict[str, object]], mark: str
) -> None:
    """F-09: a row alone marked is kept by Word when the change is rejected."""
    before = text_of(plan())
    tracked = await edits(plan(), command)
    assert_marked(tracked.content, mark)
    assert_sound(tracked.content)
    rejected = await edits(tracked.content, ("reject_all_changes", {}))
    accepted = await edits(tracked.content, ("accept_all_changes", {}))
    direct = await edits(plan(), command, tracked=False)
    assert text_of(rejected.content) == before
    assert text_of(accepted.content) == text_of(tracked.content) == text_of(direct.content)
    assert "w:author=" not in main_of(direct.content)
    for result in (rejected, accepted, direct):
        assert_sound(result.content)


async def test_300_pages_are_not_slow(app: WordCraft) -> None:
    """L-05: fifteen times the pages take no more than thirty times as long; `make bench` measures the seconds."""

    async def seconds(call: Awaitable[object]) -> float:
        began = time.perf_counter()
        await call
        return time.perf_counter() - began

    small, large = document(20), document(300)
    await app.extract(small)  # a host that is warm
    short = min([await seconds(app.extract(small)) for _ in range(3)])
    assert await seconds(app.extract(large)) <= 30 * short


async def test_an_anchor_that_is_stale_or_ambiguous_is_refused(edits: Edits) -> None:
    """R-06: the agent learns how to say it better, and can."""
    with pytest.raises(AppRefused) as refused:
        await edits(plan(), ("replace_text", {"quote": "Acme", "replacement": "Apex"}))
    assert "occurs 4 times" in refused.value.why
    assert "Acme pays" in refused.value.why
    result = await edits(plan(), ("replace_text", {"quote": "Acme", "replacement": "Apex", "within": "and Acme pays"}))
    assert "and Apex pays" in text_of(result.content)
    stale = ("delete_paragraph", {"quote": "on Monday"})
    with pytest.raises(AppRefused, match="occurs 0 times"):
        await edits(plan(), ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}), stale)
