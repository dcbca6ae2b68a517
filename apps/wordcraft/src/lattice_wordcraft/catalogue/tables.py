"""Commands on tables, their rows and columns."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field, model_validator

from lattice_wordcraft import package, xml
from lattice_wordcraft.blocks import ENGINE_ID
from lattice_wordcraft.catalogue.command import WITH_COMMENTS, Command, Job, Line, Quote, literal
from lattice_wordcraft.catalogue.markup import element_of, put_back
from lattice_wordcraft.grids import Cell, Grid
from lattice_wordcraft.package import TEXT_ROLES, Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

TableQuote = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="Words that stand in the table and not outside of it; they also name the row and the column "
        "where those are not given.",
    ),
]
Row = Annotated[int | None, Field(ge=1, le=10_000, description="The row's number as the table reads, from 1.")]
Column = Annotated[
    Annotated[int, Field(ge=1, le=63)] | Annotated[str, Field(min_length=1, max_length=2_000)] | None,
    Field(description="The column's number from 1, or the words of its cell in the first row."),
]
Cells = Annotated[
    list[Line], Field(max_length=500, description="The words of the new cells in order; those left out are empty.")
]


class InsertTable(Command):
    """Insert a table beside a quoted paragraph."""

    id: ClassVar[str] = "insert_table"
    label: ClassVar[str] = "Insert table"
    description: ClassVar[str] = (
        "Inserts a table with these rows of words after (or before) the paragraph that holds the quoted words. "
        "Refused outside of the body, inside of a table, and right beside another table, since the two would become "
        "one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "add a table", "table of five rows", "make a grid", "put the figures into a table", "draw a table",
        "create a table",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {
        "quote": "Closing words", "rows": [["Task", "Owner"], ["Budget", "Mara"]], "position": "before",
    }  # fmt: skip
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    quote: Quote
    rows: list[Annotated[list[Line], Field(min_length=1, max_length=63)]] = Field(
        min_length=1, max_length=500, description="The words of each cell, row by row; every row has as many."
    )
    position: Literal["after", "before"] = "after"
    borders: bool = Field(default=True, description="Whether lines are drawn around the cells.")

    @model_validator(mode="after")
    def _is_a_grid(self) -> "InsertTable":
        if len({len(row) for row in self.rows}) != 1:
            raise ValueError("every row needs as many cells as the first")
        return self

    async def apply(self, job: Job) -> None:
        """Insert it row by row: the engine tracks rows, but no table, so the first, untracked row goes again."""
        anchor = await self._place(job)
        made = await job.edit_directly(
            "insert_table",
            anchorId=anchor,
            position=self.position,
            rows=1,
            columns=len(self.rows[0]),
            options={"borderless": not self.borders},
        )
        first = last = made.created[0]
        for row in self.rows:
            last = await _insert_row(job, last, "after", row)
        await job.edit_directly("delete_table_row", cellAnchorId=first)
        job.quotes.forget()

    async def _place(self, job: Job) -> str:
        """The paragraph beside which the table goes; at the end of the body another one is made behind it."""
        block = await job.quotes.paragraph(self.quote)
        if block.cell is not None:
            raise CommandRefused("the quoted words stand in a table, where no other is inserted")
        anchors = list((await job.document.ask("project"))["anchorIndex"])
        at = anchors.index(block.anchor) if block.anchor in anchors else -1
        if at < 0 or block.anchor.split(":")[1] != "body":
            raise CommandRefused("tables are inserted into the body, not into headers, footers, notes or text boxes")
        following = anchors[at + 1].partition(":")[0] if at + 1 < len(anchors) else "sec"
        if following == "tbl" if self.position == "after" else at and await job.quotes.is_in_cell(anchors[at - 1]):
            raise CommandRefused("another table stands there; the two would become one")
        if self.position == "after" and following == "sec":
            # Word wants a paragraph behind a table, at the end of the body too; the engine makes none without words.
            made = await job.edit("insert_paragraph", anchorId=block.anchor, position="after", markdown="x")
            await job.edit("replace_text_at_span", anchorId=made.created[0], spanStart=0, spanLength=1, replace="")
        return block.anchor


class DeleteTable(Command):
    """Delete a table."""

    id: ClassVar[str] = "delete_table"
    label: ClassVar[str] = "Delete table"
    description: ClassVar[str] = "Deletes the whole table that holds the quoted words."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove the table", "throw a table out", "get rid of a table", "drop the whole table", "erase the grid",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue"}
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS

    quote: TableQuote

    async def apply(self, job: Job) -> None:
        """Delete it."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit("delete_block", anchorId=grid.anchor)
        job.quotes.forget()


class InsertRow(Command):
    """Insert a row into a table."""

    id: ClassVar[str] = "insert_row"
    label: ClassVar[str] = "Insert table row"
    description: ClassVar[str] = (
        "Inserts a row into the table that holds the quoted words, below (or above) their row or the one named, "
        "with these words in its cells. Refused when there are more words than cells."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "new table row", "add a row", "another line in the table", "append a table entry", "row above",
        "row below",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "position": "below", "cells": ["Catering", "800"]}

    quote: TableQuote
    row: Row = None
    position: Literal["below", "above"] = "below"
    cells: Cells = Field(default_factory=list)

    async def apply(self, job: Job) -> None:
        """Insert it."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        position = "after" if self.position == "below" else "before"
        await _insert_row(job, grid.in_row(self.row).anchor, position, self.cells)
        job.quotes.forget()


class DeleteRow(Command):
    """Delete a row of a table."""

    id: ClassVar[str] = "delete_row"
    label: ClassVar[str] = "Delete table row"
    description: ClassVar[str] = (
        "Deletes the row of the quoted words, or the one named, from their table. With its only row a table is gone."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove a row", "take out a table line", "drop the row", "delete a table entry", "cut the last row",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue"}
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS

    quote: TableQuote
    row: Row = None

    async def apply(self, job: Job) -> None:
        """Delete it."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit("delete_table_row", cellAnchorId=grid.in_row(self.row).anchor)
        job.quotes.forget()


class InsertColumn(Command):
    """Insert a column into a table."""

    id: ClassVar[str] = "insert_column"
    label: ClassVar[str] = "Insert table column"
    description: ClassVar[str] = (
        "Inserts a column into the table that holds the quoted words, right (or left) of their column or the one "
        "named, with these words in its cells from the top. Refused when there are more words than cells."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "new column in the table", "add a column", "another column", "column to the left", "column to the right",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "column": "Cost", "cells": ["Paid", "no"]}

    quote: TableQuote
    column: Column = None
    position: Literal["right", "left"] = "right"
    cells: Cells = Field(default_factory=list)

    async def apply(self, job: Job) -> None:
        """Insert it."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        position = "after" if self.position == "right" else "before"
        made = await job.edit("insert_table_column", cellAnchorId=grid.in_column(self.column).anchor, position=position)
        await _fill(job, made.created, self.cells)
        job.quotes.forget()


class DeleteColumn(Command):
    """Delete a column of a table."""

    id: ClassVar[str] = "delete_column"
    label: ClassVar[str] = "Delete table column"
    description: ClassVar[str] = (
        "Deletes the column of the quoted words, or the one named, from their table. As a tracked change it is refused "
        "for the first column and for one with merged cells, since nobody could accept or reject it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove a column", "take a column out", "drop the column", "get rid of a column",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "column": "Cost"}
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS

    quote: TableQuote
    column: Column = None

    async def apply(self, job: Job) -> None:
        """Delete it; tracked, the engine deletes the words, and the cells are marked here."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        one = grid.in_column(self.column)
        if not job.tracked:
            await job.edit("delete_table_column", cellAnchorId=one.anchor)
        else:
            await _mark_deleted(job, grid, grid.column(one.column))
        job.quotes.forget()


COMMANDS: Final = (InsertTable, DeleteTable, InsertRow, DeleteRow, InsertColumn, DeleteColumn)
"""In the order of the catalogue."""


async def _insert_row(job: Job, beside: str, position: str, cells: list[str]) -> str:
    """Insert a row with words; the anchor of its first cell."""
    made = await job.edit("insert_table_row", cellAnchorId=beside, position=position)
    await _fill(job, made.created, cells)
    return made.created[0]


async def _fill(job: Job, anchors: tuple[str, ...], cells: list[str]) -> None:
    if len(cells) > len(anchors):
        raise CommandRefused(f"there are {len(anchors)} new cells, and words for {len(cells)}")
    for anchor, words in zip(anchors, cells, strict=False):
        if words.strip():
            await job.edit("replace_cell_content", cellAnchorId=anchor, markdown=literal(words))


async def _mark_deleted(job: Job, grid: Grid, cells: list[Cell]) -> None:
    """Delete the words of cells and mark the cells as deleted."""
    if any(cell.width > 1 or cell.continues for cell in cells):
        raise CommandRefused("the column has merged cells; take them apart first")
    for cell in cells:
        if cell.text:
            await job.edit("replace_cell_content", cellAnchorId=cell.anchor, markdown="")
    free = await _free_id(job)
    table = await element_of(job, grid.anchor)
    deleted = {cell.anchor.rpartition(":")[2] for cell in cells}
    marked = (it for it in table.iter(f"{W}tc") if it.get(ENGINE_ID) in deleted)
    for number, element in enumerate(marked, start=free):
        _mark_cell(element, {"id": str(number), "author": job.author, "date": job.time})
    await put_back(job, grid.anchor, table)
    revisions = await job.document.ask("list_revisions")
    if any(it["family"] == "cell_delete" and it["resolutionStatus"] != "supported" for it in revisions):
        raise CommandRefused("its deletion could not be accepted or rejected later; edit directly, or empty its cells")


def _mark_cell(cell: etree._Element, attributes: Mapping[str, str]) -> None:
    properties = cell.find(f"{W}tcPr")
    if properties is None:
        properties = etree.Element(f"{W}tcPr")
        cell.insert(0, properties)
    mark = etree.Element(f"{W}cellDel", {f"{W}{name}": value for name, value in attributes.items()})
    # Of all properties only the record of an earlier change stands behind the mark.
    earlier = properties.find(f"{W}tcPrChange")
    if earlier is None:
        properties.append(mark)
    else:
        earlier.addprevious(mark)


async def _free_id(job: Job) -> int:
    """A number from which on no mark of the document has its id."""
    read = package.reopened(await job.document.saved())
    ids = [
        int(it.get(f"{W}id", ""))
        for name in read.named(*TEXT_ROLES)
        for it in xml.parsed(name, read.parts[name]).iter()
        if it.get(f"{W}id", "").isdigit()
    ]
    return max(ids, default=0) + 1
