"""The look of words and paragraphs: what is set, where the schema wants it, and what it began from."""

import re
from pathlib import Path
from typing import Any

import pytest
from lattice_wordcraft.refusals import AppRefused
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, parts_of, plan, text_of, with_body

pytestmark = pytest.mark.documents


def said(content: bytes) -> str:
    """The main part with one way to write what can be written in two."""
    main = re.sub(r"(?<=<w:p) xmlns:w=[^>]*", "", main_of(content))
    return main.replace(" />", "/>").replace(' xml:space="preserve"', "")


def looks(content: bytes) -> dict[str, str]:
    """The properties of each run of the main part by its words, without the older ones of tracked changes."""
    main = re.sub(r"<w:rPrChange.*?</w:rPrChange>", "", said(content))
    runs = re.findall(r"<w:r>(?:<w:rPr>((?:(?!</w:rPr>).)*)</w:rPr>)?<w:t>([^<]*)</w:t>", main)
    return {text: look for look, text in runs}


@pytest.mark.parametrize(
    ("command", "arguments", "look"),
    [
        ("format_text", {"bold": True, "size": 10.5}, '<w:b/><w:bCs/><w:sz w:val="21"/><w:szCs w:val="21"/>'),
        ("format_text", {"italic": True, "highlight": "yellow"}, '<w:i/><w:iCs/><w:highlight w:val="yellow"/>'),
        ("format_text", {"color": "ff0000", "strike": True}, '<w:strike/><w:color w:val="FF0000"/>'),
        ("format_text", {"underline": True}, '<w:u w:val="single"/>'),
        (
            "set_font",
            {"font": "A & B"},
            "<w:rFonts {}/>".format(" ".join(f'w:{it}="A &amp; B"' for it in ("ascii", "hAnsi", "eastAsia", "cs"))),
        ),
        ("set_script", {"script": "subscript"}, '<w:vertAlign w:val="subscript"/>'),
        ("set_capitals", {"capitals": "all"}, "<w:caps/>"),
        ("underline_text", {"style": "wave", "color": "00ff00"}, '<w:u w:val="wave" w:color="00FF00"/>'),
        ("set_character_style", {"style": "strong"}, '<w:rStyle w:val="Strong"/>'),
    ],
)
@pytest.mark.parametrize("tracked", [True, False])
async def test_just_the_quoted_words_get_the_look(
    sound: Edits, command: str, arguments: dict[str, Any], look: str, tracked: bool
) -> None:
    """F-09: and a reviewer sees the look they had."""
    result = await sound(plan(), (command, {"quote": "Closing", **arguments}), tracked=tracked)
    assert looks(result.content)["Closing"] == look
    assert looks(result.content)[" words."] == ""
    assert main_of(result.content).count("<w:rPrChange ") == tracked
    assert result.changed_parts == ["word/document.xml"]


async def test_what_a_style_turns_on_is_turned_off_by_saying_so(sound: Edits) -> None:
    """To take bold from a heading is a change; to take it from plain words is none."""
    result = await sound(plan(), ("format_text", {"quote": "Launch plan", "bold": False}))
    assert looks(result.content)["Launch plan"] == '<w:b w:val="0"/><w:bCs w:val="0"/>'
    for arguments in ({"quote": "Closing", "bold": False}, {"quote": "on Monday", "bold": True}):
        with pytest.raises(AppRefused, match="stay unchanged"):
            await sound(plan(), ("format_text", arguments), tracked=False)


async def test_words_beside_a_tab_are_formatted_and_the_tab_stays(sound: Edits) -> None:
    """The engine alone moves the tab to the front."""
    result = await sound(plan(), ("format_text", {"quote": "Name:", "bold": True}))
    assert "Name:\tMara. Acme again" in text_of(result.content)
    assert looks(result.content)["Name:"] == "<w:b/><w:bCs/>"
    over = await sound(plan(), ("format_text", {"quote": "Name:\tMara", "bold": True}))
    assert "Name:\tMara. Acme again" in text_of(over.content)
    assert looks(over.content)["Mara"] == "<w:b/><w:bCs/>"


async def test_words_over_runs_of_other_looks_keep_the_rest_of_them(sound: Edits) -> None:
    """What is not named stays."""
    result = await sound(plan(), ("format_text", {"quote": "is on Monday in", "italic": True}))
    assert looks(result.content)["on Monday"] == "<w:b/><w:i/><w:iCs/>"
    assert looks(result.content)["is "] == "<w:i/><w:iCs/>"


async def test_words_take_several_tracked_looks_and_keep_where_they_began(sound: Edits) -> None:
    """Rejected, they look as they did before the first."""
    result = await sound(
        plan(),
        ("format_text", {"quote": "on Monday", "bold": False}),
        ("format_text", {"quote": "on Monday", "italic": True}),
        ("clear_formatting", {"quote": "Monday"}),
    )
    rejected = await sound(result.content, ("reject_all_changes", {}))
    assert "".join(text for text, look in looks(rejected.content).items() if look == "<w:b/>") == "on Monday"


async def test_another_authors_pending_look_is_not_taken_over(sound: Edits) -> None:
    """F-09: another author's changes are not wiped."""
    first = await sound(plan(), ("format_text", {"quote": "Closing", "bold": True}), author="Mara")
    with pytest.raises(AppRefused, match="changed by Mara; accept or reject"):
        await sound(first.content, ("set_font", {"quote": "Closing words", "font": "Georgia"}))


async def test_clearing_takes_all_but_the_language(sound: Edits) -> None:
    """And is refused where there is nothing to clear."""
    content = with_body(
        '<w:p><w:r><w:rPr><w:rStyle w:val="Strong"/><w:b/><w:color w:val="FF0000"/><w:lang w:val="de-DE"/></w:rPr>'
        "<w:t>Bunt</w:t></w:r></w:p>"
    )
    result = await sound(content, ("clear_formatting", {"quote": "Bunt"}), tracked=False)
    assert looks(result.content)["Bunt"] == '<w:lang w:val="de-DE"/>'
    with pytest.raises(AppRefused, match="stay unchanged"):
        await sound(result.content, ("clear_formatting", {"quote": "Bunt"}))


@pytest.mark.parametrize(("quote", "part"), [("Acme", "word/header1.xml"), ("Venue", "word/document.xml")])
async def test_words_in_headers_and_cells_get_a_look(sound: Edits, quote: str, part: str) -> None:
    """N-17: one command for every place that holds words."""
    arguments = {"quote": quote, "within": "Confidential, by Acme" if quote == "Acme" else "Venue", "style": "double"}
    result = await sound(plan(), ("underline_text", arguments))
    assert result.changed_parts == [part]
    assert b'<w:u w:val="double"' in parts_of(result.content)[part]


async def test_a_text_box_gets_the_look_in_both_of_its_forms(sound: Edits, corpus: Path) -> None:
    """Older programs show the same as newer ones."""
    content = (corpus / "s07-textbox-altcontent.docx").read_bytes()
    result = await sound(
        content,
        ("format_text", {"quote": "text box", "bold": True}),
        ("align_paragraph", {"quote": "text box", "alignment": "right"}),
        tracked=False,
    )
    main = main_of(result.content).replace(" />", "/>")
    assert main.count("<w:b/><w:bCs/>") == 2
    assert main.count('<w:jc w:val="right"/>') == 2


@pytest.mark.parametrize(
    ("command", "arguments", "look"),
    [
        ("indent_paragraph", {"left": 36, "right": 18}, '<w:ind w:left="720" w:right="360"/>'),
        ("indent_paragraph", {"first_line": 18}, '<w:ind w:firstLine="360"/>'),
        ("space_paragraph", {"before": 6, "after": 0}, '<w:spacing w:before="120" w:after="0"/>'),
        ("set_line_spacing", {"multiple": 2}, '<w:spacing w:line="480" w:lineRule="auto"/>'),
        ("set_line_spacing", {"exactly": 14}, '<w:spacing w:line="280" w:lineRule="exact"/>'),
        ("set_line_spacing", {"at_least": 14}, '<w:spacing w:line="280" w:lineRule="atLeast"/>'),
        ("keep_paragraph", {"with_next": True, "lines": False}, '<w:keepNext/><w:keepLines w:val="0"/>'),
        ("keep_paragraph", {"new_page": True}, "<w:pageBreakBefore/>"),
        ("shade_paragraph", {"color": "eeeeee"}, '<w:shd w:val="clear" w:color="auto" w:fill="EEEEEE"/>'),
        (
            "border_paragraph",
            {"edges": ["bottom"], "width": 1, "color": "ff0000"},
            '<w:pBdr><w:bottom w:val="single" w:sz="8" w:space="1" w:color="FF0000"/></w:pBdr>',
        ),
        ("align_paragraph", {"alignment": "justify"}, '<w:jc w:val="both"/>'),
    ],
)
async def test_just_the_quoted_paragraph_gets_the_layout(
    sound: Edits, command: str, arguments: dict[str, Any], look: str
) -> None:
    """F-09: said as Word says it, and a reviewer sees what it was."""
    direct = await sound(plan(), (command, {"quote": "Closing", **arguments}), tracked=False)
    assert f"<w:p><w:pPr>{look}</w:pPr><w:r><w:t>Closing" in said(direct.content)
    tracked = await sound(plan(), (command, {"quote": "Closing", **arguments}))
    assert f"<w:pPr>{look}<w:pPrChange" in said(tracked.content)


async def test_layout_that_is_named_changes_and_the_other_stays(sound: Edits) -> None:
    """A hanging indent and a first line's are one place, as are a space before and after."""
    result = await sound(
        plan(),
        ("indent_paragraph", {"quote": "Closing", "left": 36, "first_line": -18}),
        ("indent_paragraph", {"quote": "Closing", "first_line": 9}),
        ("space_paragraph", {"quote": "Closing", "before": 6}),
        ("set_line_spacing", {"quote": "Closing", "multiple": 1.5}),
        ("border_paragraph", {"quote": "Closing"}),
        ("border_paragraph", {"quote": "Closing", "style": "none"}),
        tracked=False,
    )
    spacing, indent = (
        '<w:spacing w:before="120" w:line="360" w:lineRule="auto"/>',
        '<w:ind w:left="720" w:firstLine="180"/>',
    )
    assert f"<w:pPr>{spacing}{indent}</w:pPr>" in said(result.content)


async def test_layout_of_several_paragraphs_at_once_and_of_all_alike_refused(sound: Edits) -> None:
    """F-10: those that are so already are left; where all are, the command is refused."""
    command = ("align_paragraph", {"quote": "Closing", "through": "Step two", "alignment": "right"})
    result = await sound(plan(), command)
    assert said(result.content).count('<w:jc w:val="right"/>') == 3
    with pytest.raises(AppRefused, match="stay unchanged"):
        await sound(result.content, command)
    with pytest.raises(AppRefused, match="name at least one property"):
        await sound(plan(), ("indent_paragraph", {"quote": "Closing"}))
    with pytest.raises(AppRefused, match="name one of multiple, exactly, at_least"):
        await sound(plan(), ("set_line_spacing", {"quote": "Closing", "multiple": 2, "exactly": 12}))
