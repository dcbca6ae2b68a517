"""Splitting, merging, moving, deleting and styling paragraphs, one or several at once."""

import re
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, plan, text_of, with_body

pytestmark = pytest.mark.documents

CELL = (
    "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w='4000'/></w:tblGrid>"
    "<w:tr><w:tc><w:tcPr><w:tcW w:w='4000' w:type='dxa'/></w:tcPr>{}</w:tc></w:tr></w:tbl><w:p/>"
)


def paragraphs(*texts: str) -> str:
    return "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in texts)


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_paragraph_is_split_where_it_says(sound: Edits, tracked: bool) -> None:
    """Beside a tab of the same run, in a cell and in a header, too."""
    for quote, position, lines in (
        ("Acme again", "before", "Name:\tMara. \nAcme again: the Acme Group."),
        ("Mara.", "after", "Name:\tMara.\n Acme again: the Acme Group."),
        ("Confidential,", "after", "Confidential,\n by Acme"),
    ):
        result = await sound(plan(), ("split_paragraph", {"quote": quote, "position": position}), tracked=tracked)
        assert lines in text_of(result.content)
    with pytest.raises(AppRefused, match="a tab, a line break"):
        await sound(plan(), ("split_paragraph", {"quote": "Mara"}), tracked=tracked)
    cell = await sound(plan(), ("split_paragraph", {"quote": "nue"}), tracked=tracked)
    assert "Ve nue | 1200" in text_of(cell.content)


async def test_a_split_that_leaves_an_empty_paragraph_is_refused(sound: Edits) -> None:
    """To insert a paragraph is another command."""
    with pytest.raises(AppRefused, match="would be empty"):
        await sound(plan(), ("split_paragraph", {"quote": "Closing"}))
    with pytest.raises(AppRefused, match="would be empty"):
        await sound(plan(), ("split_paragraph", {"quote": "words.", "position": "after"}))


async def test_a_text_box_is_split_in_both_of_its_forms(sound: Edits, corpus: Path) -> None:
    """And is found again once by what stands in it."""
    content = (corpus / "s07-textbox-altcontent.docx").read_bytes()
    result = await sound(
        content,
        ("split_paragraph", {"quote": "text box"}),
        ("replace_text", {"quote": "text box", "replacement": "frame"}),
        tracked=False,
    )
    assert main_of(result.content).count("frame.") == 2


async def test_paragraphs_are_merged_with_the_next_or_through_another(sound: Edits) -> None:
    """With a space between, and never over the edge of a cell."""
    result = await sound(plan(), ("merge_paragraphs", {"quote": "First point"}), tracked=False)
    assert "First point Second point\n" in text_of(result.content)
    content = with_body(paragraphs("One", "Two", "Three", "Four"))
    merged = await sound(content, ("merge_paragraphs", {"quote": "One", "through": "Three"}), tracked=False)
    assert text_of(merged.content).startswith("One Two Three\nFour\n")
    with pytest.raises(AppRefused, match="no paragraph after it"):
        await sound(plan(), ("merge_paragraphs", {"quote": "Venue"}))
    with pytest.raises(AppRefused, match="no paragraph after it"):
        await sound(plan(), ("merge_paragraphs", {"quote": "Second point"}))


async def test_paragraphs_are_moved_in_their_order(sound: Edits) -> None:
    """Up and down, one and several; a tracked move reads as if made."""
    content = with_body(paragraphs("One", "Two", "Three", "Four"))
    for tracked in (True, False):
        down = await sound(
            content, ("move_paragraph", {"quote": "One", "through": "Two", "target": "Four"}), tracked=tracked
        )
        assert text_of(down.content).startswith("Three\nFour\nOne\nTwo\n")
        up = await sound(
            content,
            ("move_paragraph", {"quote": "Three", "through": "Four", "target": "One", "position": "before"}),
            tracked=tracked,
        )
        assert text_of(up.content).startswith("Three\nFour\nOne\nTwo\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"quote": "Closing", "target": "Venue"}, "different places"),
        ({"quote": "First point", "through": "Second point", "target": "Second point"}, "one of the paragraphs"),
        ({"quote": "Second point", "target": "First point"}, "stand there already"),
        ({"quote": "Second point", "through": "First point", "target": "Closing"}, "comes before the first"),
        ({"quote": "Second point", "through": "Closing", "target": "First point"}, "a table"),
    ],
)
async def test_a_move_that_cannot_be_made_is_refused(sound: Edits, arguments: dict[str, str], why: str) -> None:
    """R-06: the agent learns why."""
    with pytest.raises(AppRefused, match=why):
        await sound(plan(), ("move_paragraph", arguments))


async def test_a_paragraph_that_ends_a_section_is_not_moved_or_merged(sound: Edits) -> None:
    """Its page setup would go with it."""
    content = (await sound(plan(), ("insert_section_break", {"quote": "Closing words"}), tracked=False)).content
    ending = with_body(
        "<w:p><w:pPr><w:sectPr><w:pgSz w:w='12240' w:h='15840'/></w:sectPr></w:pPr><w:r><w:t>End</w:t></w:r></w:p>"
        + paragraphs("One", "Two")
    )
    assert content
    for command in (("move_paragraph", {"quote": "End", "target": "Two"}), ("merge_paragraphs", {"quote": "End"})):
        with pytest.raises(AppRefused, match="a section ends"):
            await sound(ending, command)


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_cell_keeps_a_paragraph_whatever_is_deleted(sound: Edits, tracked: bool) -> None:
    """A cell without a paragraph is what Word calls unreadable; also once the deletions are accepted."""
    content = with_body(CELL.format(paragraphs("One", "Two", "Three")))
    at_once = await sound(content, ("delete_paragraph", {"quote": "One", "through": "Three"}), tracked=tracked)
    one_by_one = await sound(
        content, *(("delete_paragraph", {"quote": quote}) for quote in ("One", "Two", "Three")), tracked=tracked
    )
    for result in (at_once, one_by_one):
        assert "One" not in text_of(result.content)
        if tracked:
            accepted = await sound(result.content, ("accept_all_changes", {}))
            assert main_of(accepted.content).count("</w:tc>") == 1


async def test_the_last_paragraph_of_a_header_stays(sound: Edits) -> None:
    """A header needs one as a cell does."""
    result = await sound(plan(), ("delete_paragraph", {"quote": "Confidential"}), tracked=False)
    assert "[header]" not in text_of(result.content)


async def test_paragraphs_are_inserted_at_once_in_their_order(sound: Edits) -> None:
    """And in a style that is no change of its own."""
    texts = ["1. *One*", "  Two", "Three"]
    for position in ("after", "before"):
        result = await sound(
            plan(),
            ("insert_paragraphs", {"quote": "Name:", "texts": texts, "position": position, "style": "Heading 2"}),
        )
        assert "1. *One*\n  Two\nThree\n" in text_of(result.content)
        assert "pPrChange" not in main_of(result.content)
    with pytest.raises(AppRefused, match="takes no tab and no line break"):
        await sound(plan(), ("insert_paragraphs", {"quote": "Name:", "texts": ["a\nb"]}))


async def test_a_paragraph_is_rewritten_with_only_what_differs_marked(sound: Edits) -> None:
    """F-09: a reviewer sees what changed."""
    result = await sound(
        plan(),
        ("replace_paragraph", {"quote": "The launch", "text": "The launch is on Friday in Berlin, and Acme pays."}),
    )
    main = main_of(result.content)
    assert re.findall(r"<w:delText[^>]*>([^<]*)<", main) == ["Monday"]


async def test_a_paragraph_takes_several_tracked_changes_and_keeps_where_it_began(sound: Edits) -> None:
    """The engine alone refuses a second one; rejected, the paragraph is as it was."""
    result = await sound(
        plan(),
        ("set_style", {"quote": "Closing", "style": "Heading 2"}),
        ("align_paragraph", {"quote": "Closing", "alignment": "center"}),
        ("indent_paragraph", {"quote": "Closing", "left": 36}),
    )
    main = main_of(result.content)
    assert main.count("<w:pPrChange ") == 1
    assert re.search(r'<w:pStyle w:val="Heading2"/><w:ind w:left="720"/><w:jc w:val="center"/><w:pPrChange', main)
    rejected = await sound(result.content, ("reject_all_changes", {}))
    assert "Heading2" not in main_of(rejected.content)
    assert 'w:jc w:val="center"' not in main_of(rejected.content)


async def test_another_authors_pending_change_of_a_paragraph_is_not_taken_over(sound: Edits) -> None:
    """F-09: another author's changes are not wiped."""
    first = await sound(plan(), ("align_paragraph", {"quote": "Closing", "alignment": "center"}), author="Mara")
    for command in (
        ("align_paragraph", {"quote": "Closing", "alignment": "right"}),
        ("set_style", {"quote": "Closing", "style": "Heading 2"}),
    ):
        with pytest.raises(AppRefused, match="changed by Mara; accept or reject"):
            await sound(first.content, command)
    direct = await sound(first.content, ("space_paragraph", {"quote": "Closing", "after": 6}), tracked=False)
    assert 'w:author="Mara"' in main_of(direct.content)


async def test_several_paragraphs_are_styled_at_once(sound: Edits) -> None:
    """From the first through the last; those that have the style already stay unmarked."""
    result = await sound(plan(), ("set_style", {"quote": "Name:", "through": "Step two", "style": "List Number"}))
    assert main_of(result.content).count("<w:pPrChange ") == 2
