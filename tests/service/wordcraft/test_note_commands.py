"""Footnotes and endnotes."""

import re
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, parts_of, plan, text_of

pytestmark = pytest.mark.documents

BERLIN = ("add_footnote", {"quote": "in Berlin", "text": "The *capital*."})
VENUE = ("add_footnote", {"quote": "Venue", "text": "Not booked."})
MARA = ("add_endnote", {"quote": "Mara", "text": "Head of sales."})


def marks(content: bytes) -> list[str]:
    """The words before each reference to a note, in the order of the text."""
    main = re.sub(r"<(w:rPr|w:pPr)>.*?</\1>", "", main_of(content))
    return [re.sub("<[^>]*>", "", it)[-5:] for it in re.split("<w:(?:foot|end)noteReference", main)[:-1]]


@pytest.mark.parametrize("tracked", [True, False])
async def test_notes_stand_right_after_their_words(sound: Edits, tracked: bool) -> None:
    """Also in a cell and behind a tab; what is said in them is plain text."""
    result = await sound(plan(), BERLIN, VENUE, MARA, tracked=tracked)
    assert marks(result.content) == ["erlin", "Venue", ":Mara"]
    text = text_of(result.content)
    assert "[footnote]\n The *capital*.\n[footnote]\n Not booked.\n[endnote]\n Head of sales.\n" in text
    assert "Name:\tMara." in text
    assert b"trackRevisions" not in parts_of(result.content)["word/settings.xml"]


@pytest.mark.parametrize("tracked", [True, False])
async def test_the_note_that_is_meant_goes_with_its_mark(sound: Edits, tracked: bool) -> None:
    """And no other; rejected, both are there again."""
    noted = (await sound(plan(), BERLIN, VENUE, MARA, tracked=False)).content
    for quote, left in (("capital", ["Not booked", "Head of"]), ("Head of sales", ["capital", "Not booked"])):
        result = await sound(noted, ("delete_note", {"quote": quote}), tracked=tracked)
        assert quote not in text_of(result.content)
        assert all(it in text_of(result.content) for it in left)
        if tracked:
            assert len(marks(result.content)) == 3
            rejected = await sound(result.content, ("reject_all_changes", {}))
            assert text_of(rejected.content) == text_of(noted)
            result = await sound(result.content, ("accept_all_changes", {}))
        assert len(marks(result.content)) == 2


async def test_a_note_is_reworded_and_keeps_its_mark(sound: Edits) -> None:
    """Only what differs is changed."""
    noted = (await sound(plan(), BERLIN, tracked=False)).content
    result = await sound(noted, ("edit_note", {"quote": "capital", "text": "The *city*."}))
    assert result.changed_parts == ["word/footnotes.xml"]
    notes = parts_of(result.content)["word/footnotes.xml"].decode()
    assert "<w:footnoteRef" in notes
    assert re.findall("<w:delText[^>]*>([^<]*)<", notes) == ["capital"]


@pytest.mark.parametrize(
    ("command", "arguments", "why"),
    [
        ("add_footnote", {"quote": "Page footer", "text": "x"}, "quote words of the body"),
        ("add_endnote", {"quote": "Confidential", "text": "x"}, "quote words of the body"),
        ("add_footnote", {"quote": "Acme", "text": "x"}, "occurs 4 times"),
        ("edit_note", {"quote": "Closing", "text": "x"}, "in no footnote or endnote"),
        ("delete_note", {"quote": "Closing"}, "in no footnote or endnote"),
    ],
)
async def test_a_note_where_none_can_be_is_refused(
    sound: Edits, command: str, arguments: dict[str, str], why: str
) -> None:
    """R-06: the agent learns why."""
    with pytest.raises(AppRefused, match=why):
        await sound(plan(), (command, arguments))


async def test_a_text_box_takes_no_note(sound: Edits, corpus: Path) -> None:
    """Word has none there."""
    content = (corpus / "s07-textbox-altcontent.docx").read_bytes()
    with pytest.raises(AppRefused, match="a text box has no notes"):
        await sound(content, ("add_footnote", {"quote": "text box", "text": "x"}))


async def test_what_the_first_note_needs_is_made_directly_also_by_agents(sound: Edits) -> None:
    """Its words and its mark are tracked; the part and the styles stay when they are rejected."""
    noted = await sound(plan(), BERLIN)
    rejected = parts_of((await sound(noted.content, ("reject_all_changes", {}))).content)
    assert b"capital" not in rejected["word/footnotes.xml"]
    assert b"footnoteReference" not in rejected["word/document.xml"]
    assert b'w:styleId="FootnoteText"' in rejected["word/styles.xml"]
