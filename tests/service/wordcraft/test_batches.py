"""Batches: all or nothing, in somebody's name, and no part touched that need not be."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, plan, text_of

pytestmark = pytest.mark.documents

REVISION = re.compile(r'<w:(?:ins|del|rPrChange|pPrChange) [^>]*w:author="([^"]*)"[^>]*w:date="([^"]*)"')


async def test_every_tracked_change_carries_the_author_and_the_given_time(edits: Edits) -> None:
    """F-09: not the engine's own time."""
    result = await edits(
        plan(),
        ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}),
        ("insert_paragraph", {"quote": "Launch plan", "text": "A *draft*.", "style": "Heading 2"}),
        ("delete_paragraph", {"quote": "Second point"}),
        ("format_text", {"quote": "Closing", "italic": True}),
        ("set_style", {"quote": "First point", "style": "Heading 2"}),
        author='Nadia "N" Haddad',
        time=datetime(2025, 7, 1, 8, 0, 30, tzinfo=UTC),
    )
    revisions = REVISION.findall(main_of(result.content))
    assert len(revisions) >= 6
    assert set(revisions) == {("Nadia &quot;N&quot; Haddad", "2025-07-01T08:00:30Z")}
    assert "A *draft*." in text_of(result.content)


async def test_a_direct_change_leaves_no_mark(app: WordCraft, edits: Edits) -> None:
    """Direct is what people's edits are unless asked otherwise."""
    result = await edits(plan(), ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}), tracked=False)
    assert "on Friday in Berlin" in text_of(result.content)
    assert (await app.extract(result.content)).review == []


async def test_a_later_command_sees_what_an_earlier_one_wrote(edits: Edits) -> None:
    """F-08: a batch applies in order."""
    result = await edits(
        plan(),
        ("replace_text", {"quote": "on Monday", "replacement": "next Friday"}),
        ("add_comment", {"quote": "next Friday", "text": "Moved by a week."}),
        ("insert_paragraph", {"quote": "next Friday", "text": "  Rain or shine."}),
        ("replace_text", {"quote": "Rain or shine", "replacement": "Sun or shine"}),
    )
    assert "  Sun or shine.\n" in text_of(result.content)
    assert result.changed_parts == [
        "[Content_Types].xml",
        "word/_rels/document.xml.rels",
        "word/comments.xml",
        "word/document.xml",
        "word/styles.xml",
    ]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("replace_text", {"quote": "on Monday", "replacement": "on Monday"}),
        ("set_style", {"quote": "Launch plan", "style": "heading 1"}),
    ],
)
async def test_a_batch_that_changes_nothing_is_refused(edits: Edits, command: str, arguments: dict[str, str]) -> None:
    """F-10, AT-12: there is no empty change."""
    with pytest.raises(AppRefused, match=r"unchanged|equals what is there"):
        await edits(plan(), (command, arguments))


async def test_a_missing_quote_is_refused_with_the_nearest_paragraphs(edits: Edits) -> None:
    """R-06: a slip in the quote is answered by what stands there."""
    with pytest.raises(AppRefused, match=r"occurs 0 times.*The launch is on Monday in Berlin"):
        await edits(plan(), ("add_comment", {"quote": "The launch is on Tuesday in Berlin", "text": "?"}))


async def test_every_occurrence_is_replaced_in_body_and_header(edits: Edits) -> None:
    """N-17: one command, as many places as expected, in the parts that hold them."""
    command = ("replace_everywhere", {"quote": "Acme", "replacement": "Apex", "expected_count": 4})
    result = await edits(plan(), command)
    assert "Acme" not in text_of(result.content)
    assert result.changed_parts == ["word/document.xml", "word/header1.xml"]
    with pytest.raises(AppRefused, match="occur 4 times, not 3 times"):
        await edits(plan(), (command[0], command[1] | {"expected_count": 3}))


async def test_a_tab_stays_where_it_is(edits: Edits) -> None:
    """A quote may run over a tab, as the text shows it; what changes may not."""
    with pytest.raises(AppRefused, match="takes no tab"):
        await edits(plan(), ("replace_text", {"quote": "Name:\tMara", "replacement": "Name:\tJun"}))
    with pytest.raises(AppRefused, match="hold a tab"):
        await edits(plan(), ("replace_text", {"quote": "Name:\tMara", "replacement": "Jun"}))
    commented = await edits(plan(), ("add_comment", {"quote": "Name:\tMara", "text": "Who?"}))
    assert commented.content


async def test_the_only_paragraph_of_a_cell_stays_when_its_words_are_deleted(edits: Edits) -> None:
    """A cell without a paragraph is what Word calls unreadable."""
    for tracked in (True, False):
        result = await edits(plan(), ("delete_paragraph", {"quote": "Venue"}), tracked=tracked)
        assert "\n | 1200\n" in text_of(result.content)
        assert not re.search(r"</w:tcPr></w:tc>", main_of(result.content))


async def test_a_text_box_is_changed_in_both_of_its_forms(edits: Edits, corpus: Path) -> None:
    """What older programs show says the same as what newer ones show."""
    content = (corpus / "s07-textbox-altcontent.docx").read_bytes()
    result = await edits(content, ("replace_text", {"quote": "text box", "replacement": "frame"}), tracked=False)
    assert main_of(result.content).count("frame") == 2
    assert text_of(result.content).count("Here is a frame.") == 1


async def test_words_beside_an_inserted_text_box_are_the_ones_that_change(
    app: WordCraft, edits: Edits, corpus: Path
) -> None:
    """The engine counts that box's words into the paragraph that anchors it; offsets must, too."""
    content = (corpus / "c04-comment-overlapping-tracked.docx").read_bytes()
    result = await edits(
        content,
        ("add_comment", {"quote": "test", "text": "Which test?"}),
        ("replace_text", {"quote": "test", "replacement": "trial"}),
    )
    assert text_of(result.content) == text_of(content).replace("test", "trial", 1)
    ours = [item for item in (await app.extract(result.content)).review if item["text"] == "Which test?"]
    assert [item["anchored_text"] for item in ours] == ["trial"]


async def test_one_authors_changes_are_rejected_and_the_others_stay(app: WordCraft, edits: Edits) -> None:
    """Resolving by author touches nobody else's."""
    mara = await edits(plan(), ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}), author="Mara")
    jun = await edits(mara.content, ("replace_text", {"quote": "in Berlin", "replacement": "in Turin"}), author="Jun")
    rejected = await edits(jun.content, ("reject_all_changes", {"author": "Jun"}))
    assert "on Friday in Berlin" in text_of(rejected.content)
    assert {item["author"] for item in (await app.extract(rejected.content)).review} == {"Mara"}


async def test_an_unknown_command_or_argument_is_refused_with_what_is_meant(edits: Edits) -> None:
    """CM-01: commands are closed and strict."""
    with pytest.raises(AppRefused, match="no such command; the nearest: replace_text"):
        await edits(plan(), ("replace_txt", {}))
    with pytest.raises(AppRefused, match="colour: Extra inputs are not permitted"):
        await edits(plan(), ("format_text", {"quote": "Closing", "colour": "FF0000", "bold": True}))
    with pytest.raises(AppRefused, match="there is no comment 'comment-7'"):
        await edits(plan(), ("resolve_comment", {"comment_id": "comment-7"}))
    with pytest.raises(AppRefused, match=r"it has: .*List Bullet"):
        await edits(plan(), ("set_style", {"quote": "Closing", "style": "No Such Style"}))


@pytest.mark.parametrize(
    "words", ["1. *a* _b_ `c` [d](e) <b>&amp; #h > {#p:body:1} \\", "# no heading", "- no item", "    x"]
)
async def test_words_are_taken_literally(app: WordCraft, edits: Edits, words: str) -> None:
    """What looks like Markdown or XML is text."""
    result = await edits(
        plan(),
        ("insert_paragraph", {"quote": "Launch plan", "text": words}),
        ("replace_text", {"quote": "Closing words.", "replacement": words}),
        ("add_comment", {"quote": "in Berlin", "text": words}),
    )
    assert text_of(result.content).splitlines().count(words) == 2
    (comment, *_) = (await app.extract(result.content)).review
    assert comment["text"].strip() == words.strip()


async def test_a_strict_document_is_read_but_not_edited(app: WordCraft, edits: Edits, corpus: Path) -> None:
    """The engine could only write it as another format."""
    content = (corpus / "o01-strict.docx").read_bytes()
    assert (await app.extract(content)).text == "Test\n"
    with pytest.raises(AppRefused, match="Strict OOXML"):
        await edits(content, ("replace_text", {"quote": "Test", "replacement": "Trial"}))
