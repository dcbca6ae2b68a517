"""Pages: their setup, sections, breaks, headers, footers and numbers."""

import re
from typing import Any

import pytest
from lattice_wordcraft.refusals import AppRefused
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, packed, parts_of, plan, text_of, with_body

pytestmark = pytest.mark.documents


def sections(content: bytes) -> list[str]:
    """The properties of each section, in order, without the older ones of tracked changes."""
    main = re.sub(r"<w:sectPrChange.*?</w:sectPrChange>", "", main_of(content)).replace(" />", "/>")
    return re.findall(r"<w:sectPr[ >].*?</w:sectPr>", main)


def size(section: str) -> tuple[int, int, bool]:
    """Width, height and whether the section says that it lies across."""
    found = re.search(r'<w:pgSz w:w="(\d+)" w:h="(\d+)"', section)
    assert found
    return int(found[1]), int(found[2]), 'w:orient="landscape"' in section


async def two_sections(sound: Edits) -> bytes:
    """The plan with its closing words on a section of their own."""
    return (await sound(plan(), ("insert_section_break", {"quote": "Closing words"}), tracked=False)).content


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_page_is_turned_and_back_with_its_size(sound: Edits, tracked: bool) -> None:
    """Width and height change places; a size by name keeps how the page lies."""
    across = await sound(plan(), ("set_orientation", {"orientation": "landscape"}), tracked=tracked)
    assert size(sections(across.content)[0]) == (15840, 12240, True)
    a4 = await sound(across.content, ("set_page_size", {"size": "A4"}), tracked=tracked)
    assert size(sections(a4.content)[0]) == (16838, 11906, True)
    back = await sound(a4.content, ("set_orientation", {"orientation": "portrait"}), tracked=tracked)
    assert size(sections(back.content)[0]) == (11906, 16838, False)
    if tracked:
        rejected = await sound(back.content, ("reject_all_changes", {}))
        assert size(sections(rejected.content)[0]) == (12240, 15840, False)


async def test_only_the_section_of_the_quote_changes(sound: Edits) -> None:
    """Without a quote every section does."""
    content = await two_sections(sound)
    one = await sound(content, ("set_orientation", {"orientation": "landscape", "quote": "Closing words"}))
    assert [size(it)[2] for it in sections(one.content)] == [False, True]
    cell = await sound(content, ("set_orientation", {"orientation": "landscape", "quote": "Venue"}))
    assert [size(it)[2] for it in sections(cell.content)] == [True, False]
    both = await sound(content, ("set_columns", {"count": 3, "line": True}))
    assert [re.findall("<w:cols [^>]*>", it) for it in sections(both.content)] == [
        ['<w:cols w:num="3" w:space="720" w:sep="1"/>']
    ] * 2
    with pytest.raises(AppRefused, match="quote words of the body"):
        await sound(content, ("set_columns", {"count": 3, "quote": "Page footer"}))


async def test_margins_that_are_named_change_and_the_others_stay(sound: Edits) -> None:
    """In millimeters."""
    result = await sound(plan(), ("set_margins", {"left": 25.4, "header": 10, "gutter": 5}), tracked=False)
    margins = re.search("<w:pgMar ([^>]*)/>", sections(result.content)[0])
    assert margins
    assert dict(re.findall(r'w:(\w+)="(\d+)"', margins[1])) == {
        "top": "1440", "right": "1800", "bottom": "1440", "left": "1440", "header": "567", "footer": "720",
        "gutter": "283",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("command", "arguments", "why"),
    [
        ("set_margins", {"left": 150, "right": 100}, "no room"),
        ("set_margins", {}, "name at least one margin"),
        ("set_page_size", {"width": 60, "height": 200}, "no room"),
        ("set_page_size", {"size": "A4", "width": 60, "height": 200}, "name either size"),
        ("set_page_size", {"size": "Letter"}, "stay unchanged"),
        ("set_orientation", {"orientation": "portrait"}, "stay unchanged"),
        ("set_columns", {"count": 1}, "stay unchanged"),
        ("set_different_first_page", {"different": False}, "stay unchanged"),
        ("set_different_odd_and_even", {"different": False}, "so already"),
        ("set_page_numbering", {}, "name at least one"),
        ("set_page_numbering", {"restart": False}, "stay unchanged"),
        ("insert_page_break", {"quote": "Venue"}, "paragraphs of the body itself"),
        ("insert_page_break", {"quote": "Page footer"}, "paragraphs of the body itself"),
        ("insert_section_break", {"quote": "Venue"}, "paragraphs of the body itself"),
    ],
)
async def test_what_cannot_be_or_is_so_already_is_refused(
    sound: Edits, command: str, arguments: dict[str, Any], why: str
) -> None:
    """R-06, F-10."""
    for tracked in (True, False):
        with pytest.raises(AppRefused, match=why):
            await sound(plan(), (command, arguments), tracked=tracked)


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_section_break_parts_the_text_and_keeps_the_setup_of_both(sound: Edits, tracked: bool) -> None:
    """The first part ends with a copy; the second says how it begins."""
    result = await sound(
        plan(), ("insert_section_break", {"quote": "Closing words", "kind": "continuous"}), tracked=tracked
    )
    first, second = sections(result.content)
    assert size(first) == size(second) == (12240, 15840, False)
    assert '<w:type w:val="continuous"/>' in second
    assert "<w:type" not in first
    assert re.findall("r:id=[^>]*", first) == re.findall("r:id=[^>]*", second)
    main = main_of(result.content)
    assert main.index("Acme again") < main.index("<w:sectPr") < main.index("Closing words")


@pytest.mark.parametrize("position", ["before", "after"])
async def test_a_page_break_stands_between_the_paragraphs(sound: Edits, position: str) -> None:
    """It reads as nothing, and is tracked as an insertion."""
    result = await sound(plan(), ("insert_page_break", {"quote": "Closing words", "position": position}))
    main = main_of(result.content).replace(" />", "/>")
    assert re.search(r'<w:ins [^>]*><w:r><w:br w:type="page"/></w:r></w:ins></w:p>', main)
    assert (main.index('w:type="page"') < main.index("Closing words")) == (position == "before")


async def test_a_rule_is_drawn_in_a_cell_and_in_a_header(sound: Edits) -> None:
    """N-17: one command for every place that holds words."""
    for quote in ("Venue", "Confidential"):
        result = await sound(plan(), ("insert_horizontal_rule", {"quote": quote, "position": "after"}))
        assert b"<w:pBdr><w:bottom" in parts_of(result.content)[result.changed_parts[0]]


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_header_is_replaced_and_a_missing_footer_made(sound: Edits, tracked: bool) -> None:
    """With the part, the relationship and the content type that a new one needs."""
    replaced = await sound(plan(), ("set_header", {"text": "*New* header\nof two lines"}), tracked=tracked)
    assert replaced.changed_parts == ["word/header1.xml"]
    assert "[header]\n*New* header\nof two lines\n" in text_of(replaced.content)
    assert "Confidential" not in text_of(replaced.content)
    made = await sound(plan(), ("set_footer", {"text": "Cover", "pages": "first"}), tracked=tracked)
    assert made.changed_parts == [
        "[Content_Types].xml",
        "word/_rels/document.xml.rels",
        "word/document.xml",
        "word/footer2.xml",
    ]
    assert "<w:titlePg/>" in sections(made.content)[0]


@pytest.mark.parametrize("tracked", [True, False])
async def test_that_even_pages_differ_is_switched_on_directly_also_for_agents(sound: Edits, tracked: bool) -> None:
    """It is a setting without a tracked form; the settings say nothing else that they did not say before."""
    for command in (
        ("set_different_odd_and_even", {"different": True}),
        ("set_header", {"text": "Even pages", "pages": "even"}),
        ("add_page_number", {"pages": "even"}),
    ):
        result = await sound(plan(), command, tracked=tracked)
        settings = parts_of(result.content)["word/settings.xml"].decode()
        assert "<w:evenAndOddHeaders" in settings
        assert "trackRevisions" not in settings
    on = await sound(plan(), ("set_different_odd_and_even", {"different": True}), tracked=tracked)
    off = await sound(on.content, ("set_different_odd_and_even", {"different": False}), tracked=tracked)
    assert off.changed_parts == ["word/settings.xml"]
    assert b"evenAndOddHeaders" not in parts_of(off.content)["word/settings.xml"]


async def test_a_document_that_tracks_what_people_type_still_does(sound: Edits) -> None:
    """Whether Word tracks is theirs to say."""
    parts = parts_of(plan())
    parts["word/settings.xml"] = parts["word/settings.xml"].replace(
        b"<w:defaultTabStop", b"<w:trackRevisions/><w:defaultTabStop"
    )
    assert b"trackRevisions" in parts["word/settings.xml"]
    result = await sound(packed(parts), ("set_different_odd_and_even", {"different": True}), tracked=False)
    assert b"trackRevisions" in parts_of(result.content)["word/settings.xml"]


async def test_later_sections_show_the_header_of_the_first_unless_they_have_their_own(sound: Edits) -> None:
    """Without a quote it is the header that pages show."""
    content = (await sound(await two_sections(sound), ("set_header", {"text": "Everywhere"}), tracked=False)).content
    assert text_of(content).count("Everywhere") == 1
    own = await sound(content, ("set_footer", {"text": "Second", "pages": "first", "quote": "Closing"}), tracked=False)
    assert ["<w:titlePg" in it for it in sections(own.content)] == [False, True]


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_page_number_is_a_field_at_the_end_of_the_footer(sound: Edits, tracked: bool) -> None:
    """Made where there is none; it reads as its last result."""
    there = await sound(plan(), ("add_page_number", {"form": "page_of_total"}), tracked=tracked)
    footer = parts_of(there.content)["word/footer1.xml"].decode()
    assert re.findall(r"<w:instrText[^>]*>\s*(\w+)", footer) == ["PAGE", "NUMPAGES"]
    assert "Page footerPage 1 of 1" in text_of(there.content)
    made = await sound(plan(), ("add_page_number", {"pages": "first", "place": "header"}), tracked=tracked)
    assert "PAGE" in parts_of(made.content)["word/header2.xml"].decode()


async def test_pages_are_numbered_from_a_number_in_a_form_and_on_again(sound: Edits) -> None:
    """What is not named stays."""
    result = await sound(
        plan(),
        ("set_page_numbering", {"start": 5}),
        ("set_page_numbering", {"format": "upperRoman"}),
        tracked=False,
    )
    assert '<w:pgNumType w:start="5" w:fmt="upperRoman"/>' in sections(result.content)[0]
    again = await sound(result.content, ("set_page_numbering", {"restart": False}))
    assert '<w:pgNumType w:fmt="upperRoman"/>' in sections(again.content)[0]


async def test_a_document_that_says_nothing_of_its_pages_gets_what_word_takes(sound: Edits) -> None:
    """A section without properties is one of letter paper."""
    parts = parts_of(with_body("<w:p><w:r><w:t>Bare</w:t></w:r></w:p>"))
    parts["word/document.xml"] = re.sub(rb"<w:sectPr.*?</w:sectPr>", b"<w:sectPr/>", parts["word/document.xml"])
    result = await sound(
        packed(parts), ("set_margins", {"left": 30}), ("set_orientation", {"orientation": "landscape"}), tracked=False
    )
    assert size(sections(result.content)[0]) == (15840, 12240, True)


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_document_without_any_section_gets_one(sound: Edits, tracked: bool) -> None:
    """Of letter paper, as Word shows it: made directly, also by agents, before what the command changes."""
    parts = parts_of(plan())
    parts["word/document.xml"] = re.sub(rb"<w:sectPr.*?</w:sectPr>", b"", parts["word/document.xml"], flags=re.DOTALL)
    for command in (
        ("set_orientation", {"orientation": "landscape"}),
        ("set_header", {"text": "New"}),
        ("insert_section_break", {"quote": "Closing words"}),
    ):
        result = await sound(packed(parts), command, tracked=tracked)
        assert size(sections(result.content)[0])[2] == (command[0] == "set_orientation")


async def test_a_header_that_reads_so_already_is_refused(sound: Edits) -> None:
    """F-10: no empty change."""
    for tracked in (True, False):
        with pytest.raises(AppRefused, match="the header reads so already"):
            await sound(plan(), ("set_header", {"text": "Confidential, by Acme"}), tracked=tracked)


async def test_a_footer_of_first_pages_shows_once_it_has_a_number(sound: Edits) -> None:
    """Word leaves a footer behind where "different first page" is switched off."""
    content = (await sound(plan(), ("set_footer", {"text": "Cover", "pages": "first"}), tracked=False)).content
    off = (await sound(content, ("set_different_first_page", {"different": False}), tracked=False)).content
    for tracked in (True, False):
        result = await sound(off, ("add_page_number", {"pages": "first"}), tracked=tracked)
        assert "<w:titlePg/>" in sections(result.content)[0]


async def test_a_section_takes_several_tracked_changes(sound: Edits) -> None:
    """And keeps where it began."""
    result = await sound(
        plan(),
        ("set_margins", {"left": 20}),
        ("set_header", {"text": "Cover", "pages": "first"}),
        ("set_columns", {"count": 2}),
        ("set_page_numbering", {"start": 2}),
    )
    assert main_of(result.content).count("<w:sectPrChange ") == 1
    rejected = await sound(result.content, ("reject_all_changes", {}))
    assert "<w:pgNumType" not in sections(rejected.content)[0]
    assert "<w:titlePg" not in sections(rejected.content)[0]
