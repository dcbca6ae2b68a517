"""Inserting, deleting and recasing words: at the right place, in the right look, wherever they stand."""

import re
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, plan, text_of, with_body

pytestmark = pytest.mark.documents


async def test_words_are_inserted_after_and_before_a_quote(sound: Edits) -> None:
    """F-09: as an insertion alone; nothing around it is marked."""
    result = await sound(
        plan(),
        ("insert_text", {"quote": "on Monday", "text": " at noon"}),
        ("insert_text", {"quote": "in Berlin", "text": "again ", "position": "before"}),
    )
    assert "The launch is on Monday at noon again in Berlin" in text_of(result.content)
    main = main_of(result.content)
    assert re.search(r"<w:ins [^>]*><w:r><w:rPr><w:b/></w:rPr><w:t[^>]*> at noon</w:t></w:r></w:ins>", main)
    assert "<w:del " not in main


@pytest.mark.parametrize("tracked", [True, False])
async def test_words_go_where_they_belong_beside_a_tab(sound: Edits, tracked: bool) -> None:
    """The engine counts no tab; what is inserted before one must not land behind it."""
    for quote, position, line in (
        ("Name:", "after", "Name: full\tMara."),
        ("Mara.", "before", "Name:\t fullMara."),
        ("Mara", "after", "Name:\tMara full."),
    ):
        command = ("insert_text", {"quote": quote, "text": " full", "position": position})
        assert line in text_of((await sound(plan(), command, tracked=tracked)).content)


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_words_within_another_authors_insertion_are_not_theirs(
    app: WordCraft, sound: Edits, tracked: bool
) -> None:
    """F-09: their insertion stands around ours in two pieces, and goes without it."""
    theirs = ("insert_text", {"quote": "on Monday", "text": " at high noon"})
    ours = ("insert_text", {"quote": "at high", "text": " and bright"})
    content = (await sound((await sound(plan(), theirs, author="Mara")).content, ours, tracked=tracked)).content
    assert "on Monday at high and bright noon in Berlin" in text_of(content)
    marked = [(it["author"], it["text"]) for it in (await app.extract(content)).review]
    assert marked == [("Mara", " at high"), *([("assistant", " and bright")] if tracked else []), ("Mara", " noon")]
    rejected = await sound(content, ("reject_all_changes", {"author": "Mara"}))
    assert "on Monday and bright in Berlin" in text_of(rejected.content)


async def test_words_within_ones_own_insertion_are_part_of_it(app: WordCraft, sound: Edits) -> None:
    """F-09: a reviewer decides once."""
    steps = (
        ("insert_text", {"quote": "on Monday", "text": " at noon"}),
        ("insert_text", {"quote": "at", "text": " high", "within": "Monday at noon"}),
    )
    content = (await sound(plan(), *steps)).content
    assert [it["text"] for it in (await app.extract(content)).review] == [" at high noon"]
    rejected = await sound(content, ("reject_all_changes", {}))
    assert text_of(rejected.content) == text_of(plan())


@pytest.mark.parametrize("quote", ["Venue", "by Acme", "Page footer", "Launch plan"])
async def test_words_are_inserted_and_deleted_in_cells_headers_footers_and_headings(sound: Edits, quote: str) -> None:
    """N-17: one command for every place that holds words."""
    inserted = await sound(plan(), ("insert_text", {"quote": quote, "text": " X"}))
    assert f"{quote} X" in text_of(inserted.content)
    deleted = await sound(plan(), ("delete_text", {"quote": quote}))
    assert quote not in text_of(deleted.content)


async def test_a_text_box_gets_words_in_both_of_its_forms(sound: Edits, corpus: Path) -> None:
    """Older programs show the same as newer ones."""
    content = (corpus / "s07-textbox-altcontent.docx").read_bytes()
    result = await sound(content, ("insert_text", {"quote": "text box", "text": " here"}), tracked=False)
    assert re.sub("<[^>]*>", "", main_of(result.content)).count("text box here") == 2
    assert text_of(result.content).count("Here is a text box here.") == 1


async def test_deleting_all_words_leaves_the_paragraph(sound: Edits) -> None:
    """To delete the paragraph is another command."""
    result = await sound(plan(), ("delete_text", {"quote": "Closing words."}), tracked=False)
    assert len(re.findall("<w:p[ >]", main_of(result.content))) == len(re.findall("<w:p[ >]", main_of(plan())))
    with pytest.raises(AppRefused, match="hold a tab"):
        await sound(plan(), ("delete_text", {"quote": "Name:\tMara"}))


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ("upper", "THE LAUNCH IS ON MONDAY IN BERLIN"),
        ("lower", "the launch is on monday in berlin"),
        ("title", "The Launch Is On Monday In Berlin"),
        ("sentence", "The launch is on monday in berlin"),
    ],
)
async def test_each_word_keeps_its_formatting_in_another_case(sound: Edits, case: str, line: str) -> None:
    """Bold is not lost on a replace."""
    command = ("change_case", {"quote": "The launch is on Monday in Berlin", "case": case})
    result = await sound(plan(), command, tracked=False)
    assert line in text_of(result.content)
    bold = "".join(re.findall(r"<w:b ?/></w:rPr><w:t[^>]*>([^<]*)<", main_of(result.content)))
    assert bold.casefold() == "on monday"


async def test_words_of_that_case_are_refused(sound: Edits) -> None:
    """F-10: no empty change."""
    with pytest.raises(AppRefused, match="in that case already"):
        await sound(plan(), ("change_case", {"quote": "and", "case": "lower"}))


async def test_words_of_other_scripts_change_case_or_are_refused(sound: Edits) -> None:
    """Right-to-left and East Asian text has none; letters beyond the basic plane count as one."""
    arabic = "\u0645\u0631\u062d\u0628\u0627"
    lines = (f"{arabic} \U0001f600 straße", "漢字")
    content = with_body("".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines))
    result = await sound(content, ("change_case", {"quote": "\U0001f600 straße", "case": "upper"}))
    assert f"{arabic} \U0001f600 STRASSE" in text_of(result.content)
    with pytest.raises(AppRefused, match="in that case already"):
        await sound(content, ("change_case", {"quote": "漢字", "case": "upper"}))
