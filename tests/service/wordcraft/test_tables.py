"""Commands on tables: what they find, what they track, and that Word can read the result."""

import re
from collections import Counter

import pytest
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from lattice_wordcraft.xml import W, parsed
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, parts_of, plan, text_of

pytestmark = pytest.mark.documents

ROWS = [["Task", "Owner"], ["Budget", "Mara"]]


def assert_sound(content: bytes) -> None:
    """Every cell ends in a paragraph, every row has cells, and no two marks of a kind share an id."""
    root = parsed("main", parts_of(content)["word/document.xml"])
    for cell in root.iter(f"{W}tc"):
        assert cell[-1].tag == f"{W}p"
    for row in root.iter(f"{W}tr"):
        assert row.find(f".//{W}tc") is not None
    for table in root.iter(f"{W}tbl"):
        following = table.getnext()
        assert following is not None
        assert following.tag == f"{W}p"
    ids = Counter(it.get(f"{W}id") for it in root.iter() if it.get(f"{W}author"))
    assert not [it for it, count in ids.items() if count > 1]


@pytest.mark.parametrize("command", ["insert_column", "delete_column"])
async def test_a_tracked_column_is_undone_by_a_rejection(app: WordCraft, edits: Edits, command: str) -> None:
    """F-09: in the name and at the time of who edits, cell by cell."""
    result = await edits(plan(), (command, {"quote": "Venue", "column": "Cost"}))
    assert_sound(result.content)
    changes = (await app.extract(result.content)).review
    assert {(it["author"], it["date"]) for it in changes} == {("assistant", "2026-01-02T12:00:00Z")}
    assert ("cell_insertion" if command == "insert_column" else "cell_deletion") in {it["state"] for it in changes}
    rejected = await edits(result.content, ("reject_all_changes", {}))
    assert text_of(rejected.content) == text_of(plan())
    accepted = await edits(result.content, ("accept_all_changes", {}))
    assert text_of(accepted.content) == text_of(result.content)
    assert ("1200" in text_of(accepted.content)) == (command == "insert_column")


async def test_a_column_whose_tracked_deletion_nobody_could_resolve_is_refused(edits: Edits) -> None:
    """F-09: a first column has no cell before it that would take its place on the grid."""
    with pytest.raises(AppRefused, match="could not be accepted or rejected"):
        await edits(plan(), ("delete_column", {"quote": "Venue"}))
    direct = await edits(plan(), ("delete_column", {"quote": "Venue"}), tracked=False)
    assert "Cost\n1200\n" in text_of(direct.content)


async def test_merging_is_made_directly_also_by_agents_and_can_be_taken_back(app: WordCraft, edits: Edits) -> None:
    """There is no tracked change for it; the words of all cells stay."""
    merged = await edits(plan(), ("merge_cells", {"quote": "Item", "rows": 2, "columns": 2}))
    assert (await app.extract(merged.content)).review == []
    assert_sound(merged.content)
    assert "Item Cost Venue 1200" in text_of(merged.content)
    apart = await edits(merged.content, ("unmerge_cells", {"quote": "Venue"}))
    assert_sound(apart.content)
    assert (await app.extract(apart.content)).review == []
    with pytest.raises(AppRefused, match="not merged"):
        await edits(apart.content, ("unmerge_cells", {"quote": "Venue"}))


async def test_a_cell_is_named_by_words_of_its_row_and_its_columns_heading(edits: Edits) -> None:
    """N-17: or by numbers; and a cell that is emptied keeps a paragraph."""
    for where in ({"quote": "Venue", "column": "cost"}, {"quote": "Item", "row": 2, "column": 2}, {"quote": "1200"}):
        result = await edits(plan(), ("set_cell_text", {**where, "text": "1,350\nnet"}))
        assert "Venue | 1,350 net\n" in text_of(result.content)
        assert_sound(result.content)
    for tracked in (True, False):
        emptied = await edits(plan(), ("set_cell_text", {"quote": "1200", "text": ""}), tracked=tracked)
        assert "Venue | \n" in text_of(emptied.content)
        assert_sound(emptied.content)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"quote": "Closing words"}, "stands in no table"),
        ({"quote": "Venues"}, r"occurs 0 times.*nearest|occurs 0 times"),
        ({"quote": "e"}, r"occurs \d+ times"),
        ({"quote": "Venue", "column": "Price"}, '0 columns are headed "Price"; the headings are "Item", "Cost"'),
        ({"quote": "Venue", "column": 3}, "has 2 columns, no column 3"),
        ({"quote": "Venue", "row": 3}, "has 2 rows, no row 3"),
    ],
)
async def test_a_cell_that_is_not_there_is_refused_with_what_is(
    edits: Edits, arguments: dict[str, object], why: str
) -> None:
    """R-06: with the count and the candidates."""
    with pytest.raises(AppRefused, match=why):
        await edits(plan(), ("set_cell_text", {**arguments, "text": "x"}))


async def test_a_quote_in_two_tables_or_two_cells_is_refused(edits: Edits) -> None:
    """R-06: an ambiguous table or cell is not guessed at."""
    twice = await edits(plan(), ("insert_table", {"quote": "Closing words", "rows": [["Venue", "Venue"]]}))
    with pytest.raises(AppRefused, match="occurs in 2 tables"):
        await edits(twice.content, ("delete_row", {"quote": "Venue"}))
    rows = [["Task", "Owner"], ["Task", "Mara"]]
    other = await edits(plan(), ("insert_table", {"quote": "Closing words", "rows": rows}))
    with pytest.raises(AppRefused, match="stand in the rows 1, 2 of the table"):
        await edits(other.content, ("delete_row", {"quote": "Task"}))


async def test_a_table_is_not_put_where_word_would_join_or_miss_something(edits: Edits) -> None:
    """Two tables in a row are one to Word, and a table ends neither a cell nor the body."""
    for quote, position, why in (
        ("Second point", "after", "another table"),
        ("Name:", "before", "another table"),
        ("Venue", "after", "stand in a table"),
        ("Confidential", "after", "inserted into the body"),
    ):
        with pytest.raises(AppRefused, match=why):
            await edits(plan(), ("insert_table", {"quote": quote, "position": position, "rows": ROWS}))


async def test_commands_of_one_batch_see_the_rows_that_earlier_ones_made(edits: Edits) -> None:
    """F-08: deleted rows do not count, new ones do."""
    result = await edits(
        plan(),
        ("insert_row", {"quote": "Venue", "cells": ["Food"]}),
        ("delete_row", {"quote": "Venue"}),
        ("set_cell_text", {"quote": "Food", "row": 2, "column": "Cost", "text": "800"}),
        ("insert_column", {"quote": "Food", "column": 2, "cells": ["Paid", "no"]}),
        ("set_cell_text", {"quote": "Food", "column": "Paid", "text": "yes"}),
        ("shade_cells", {"quote": "Food", "row": 1, "extent": "row", "fill": "D9D9D9"}),
    )
    assert "Item | Cost | Paid\nFood | 800 | yes\n" in text_of(result.content)
    assert_sound(result.content)
    assert len(re.findall('w:fill="D9D9D9"', main_of(result.content))) == 3


async def test_another_authors_changes_in_a_cell_are_not_wiped(app: WordCraft, edits: Edits) -> None:
    """F-09: their insertion is marked as deleted, and stays theirs."""
    mara = await edits(plan(), ("replace_text", {"quote": "1200", "replacement": "1300"}), author="Mara")
    for command in (
        ("set_cell_text", {"quote": "1300", "text": "1400"}),
        ("delete_row", {"quote": "Venue"}),
        ("delete_column", {"quote": "1300"}),
        ("delete_table", {"quote": "Venue"}),
    ):
        result = await edits(mara.content, command)
        assert_sound(result.content)
        theirs = {it["text"] for it in (await app.extract(result.content)).review if it["author"] == "Mara"}
        assert theirs == {"1200", "1300"}, command
        restored = await edits(result.content, ("reject_all_changes", {"author": "assistant"}))
        assert text_of(restored.content) == text_of(mara.content), command


@pytest.mark.parametrize(
    "command",
    [
        ("shade_cells", {"quote": "Venue", "extent": "table", "fill": "FFFF00"}),
        ("set_table_borders", {"quote": "Venue", "style": "double", "width": 1}),
        ("set_column_widths", {"quote": "Venue", "widths": [200, 100]}),
        ("repeat_header_row", {"quote": "Venue"}),
        ("set_row_options", {"quote": "Venue", "height": 30, "exact": True}),
    ],
    ids=lambda it: it[0],
)
async def test_how_a_table_looks_is_tracked_and_a_rejection_restores_it(
    app: WordCraft, edits: Edits, command: tuple[str, dict[str, object]]
) -> None:
    """F-09: properties have tracked changes, too."""
    result = await edits(plan(), command)
    review = (await app.extract(result.content)).review
    assert review
    assert {(it["author"], it["date"]) for it in review} <= {("assistant", "2026-01-02T12:00:00Z"), ("", "")}
    rejected = await edits(result.content, ("reject_all_changes", {}))
    assert "FFFF00" not in main_of(rejected.content)
    for gone in ("w:tblBorders", "w:tblHeader", "w:trHeight", 'w:w="4000"'):
        assert gone not in main_of(rejected.content)
