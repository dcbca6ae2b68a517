"""Commands on the cells of tables and on how tables look."""

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import WITH_COMMENTS, Command, Job, Lines, literal
from lattice_wordcraft.catalogue.tables import Column, Row, TableQuote
from lattice_wordcraft.grids import Grid
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused

_TWIPS: Final = 20
"""Twentieths of a point, in which documents measure tables."""

Color = Annotated[str, Field(pattern="^[0-9A-Fa-f]{6}$", description="Red, green and blue as six hex digits.")]


class SetCellText(Command):
    """Write words into a cell."""

    id: ClassVar[str] = "set_cell_text"
    label: ClassVar[str] = "Set cell text"
    description: ClassVar[str] = (
        "Replaces all words of one cell, that of the quoted words or the one at the row and column named, by these; "
        "each line becomes a paragraph, and an empty text leaves the cell empty. To change a word within a cell, "
        "replace text instead, which keeps its formatting."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "fill a cell", "write into the table", "change a cell", "update a table value", "empty a cell",
        "clear a cell", "enter a value in the table",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "column": "Cost", "text": "1,350"}
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS

    quote: TableQuote
    row: Row = None
    column: Column = None
    text: Lines | Literal[""]

    async def apply(self, job: Job) -> None:
        """Replace the cell's words."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        cell = grid.cell(self.row, self.column)
        if cell.text == " ".join(self.text.splitlines()):
            raise CommandRefused("the cell says that already")
        words = literal(self.text) if self.text.strip() else ""
        await job.edit("replace_cell_content", cellAnchorId=cell.anchor, markdown=words)
        job.quotes.forget()


class MergeCells(Command):
    """Merge neighboring cells into one."""

    id: ClassVar[str] = "merge_cells"
    label: ClassVar[str] = "Merge cells"
    description: ClassVar[str] = (
        "Merges a cell, that of the quoted words or the one at the row and column named, with those right of it and "
        "below it into one that holds all their paragraphs. Made directly, also by agents: documents have no tracked "
        "change for it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "combine cells", "join two cells", "one cell across both columns", "span columns", "cell over several rows",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "columns": 2}

    quote: TableQuote
    row: Row = None
    column: Column = None
    rows: int = Field(default=1, ge=1, le=500, description="How many rows the merged cell covers.")
    columns: int = Field(default=1, ge=1, le=63, description="How many columns the merged cell covers.")

    @model_validator(mode="after")
    def _covers_several(self) -> "MergeCells":
        if self.rows * self.columns == 1:
            raise ValueError("name how many rows or columns the merged cell covers")
        return self

    async def apply(self, job: Job) -> None:
        """Merge them."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit_directly(
            "merge_cells",
            cellAnchorId=grid.cell(self.row, self.column).anchor,
            rowSpan=self.rows,
            colSpan=self.columns,
            mergeContent="append",
        )
        job.quotes.forget()


class UnmergeCells(Command):
    """Take a merged cell apart."""

    id: ClassVar[str] = "unmerge_cells"
    label: ClassVar[str] = "Split merged cell"
    description: ClassVar[str] = (
        "Takes a merged cell apart into the cells it covers; its words stay in the first. Refused when it is not "
        "merged. Made directly, also by agents: documents have no tracked change for it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "unmerge", "separate merged cells", "undo merging cells", "divide a cell", "split a cell",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Total"}

    quote: TableQuote
    row: Row = None
    column: Column = None

    async def apply(self, job: Job) -> None:
        """Take it apart."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit_directly("unmerge_cells", cellAnchorId=grid.cell(self.row, self.column).anchor)
        job.quotes.forget()


class ShadeCells(Command):
    """Give cells a background."""

    id: ClassVar[str] = "shade_cells"
    label: ClassVar[str] = "Shade cells"
    description: ClassVar[str] = (
        "Gives a cell a background color, or its whole row, column or table; `none` takes it away. The cell is that "
        "of the quoted words or the one at the row and column named."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "background color of a cell", "grey header row", "fill color", "color the row", "highlight a table row",
        "shading",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "row": 1, "extent": "row", "fill": "D9D9D9"}

    quote: TableQuote
    row: Row = None
    column: Column = None
    extent: Literal["cell", "row", "column", "table"] = "cell"
    fill: Color | Literal["none"]

    async def apply(self, job: Job) -> None:
        """Shade them one by one."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        fill = None if self.fill == "none" else self.fill.upper()
        for anchor in self._anchors(grid):
            await job.edit("set_cell_shading", cellAnchorId=anchor, fill=fill)
        job.quotes.forget()

    def _anchors(self, grid: Grid) -> list[str]:
        if self.extent == "table":
            return [cell.anchor for row in grid.rows for cell in row]
        if self.extent == "row":
            return [cell.anchor for cell in grid.rows[grid.in_row(self.row).row - 1]]
        if self.extent == "column":
            return [cell.anchor for cell in grid.column(grid.in_column(self.column).column)]
        return [grid.cell(self.row, self.column).anchor]


class SetTableBorders(Command):
    """Draw or remove the lines of a table."""

    id: ClassVar[str] = "set_table_borders"
    label: ClassVar[str] = "Set table borders"
    description: ClassVar[str] = (
        "Draws the lines of the table that holds the quoted words: all of them, those around it or those inside; "
        "the style `none` takes them away."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "lines of a table", "grid lines", "frame the table", "remove table lines", "thicker border", "outline",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "style": "single", "width": 0.5}

    quote: TableQuote
    where: Literal["all", "outside", "inside"] = "all"
    style: Literal["single", "double", "dotted", "dashed", "thick", "none"]
    width: float = Field(default=0.5, ge=0.25, le=6, description="Points.")
    color: Color | Literal["auto"] = "auto"

    async def apply(self, job: Job) -> None:
        """Draw them."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        spec: dict[str, Any] = {"scope": self.where, "style": self.style}
        if self.style != "none":
            spec |= {"size": round(self.width * 8), "color": self.color}
        await job.edit("set_table_borders", cellAnchorId=grid.rows[0][0].anchor, spec=spec)
        job.quotes.forget()


class SetColumnWidths(Command):
    """Set how wide the columns of a table are."""

    id: ClassVar[str] = "set_column_widths"
    label: ClassVar[str] = "Set column widths"
    description: ClassVar[str] = (
        "Sets the widths of all columns of the table that holds the quoted words. Refused when there are not as many "
        "widths as columns."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "make a column wider", "column is too wide", "resize columns", "same width for all columns",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "widths": [200, 100]}

    quote: TableQuote
    widths: list[Annotated[float, Field(ge=10, le=1584)]] = Field(
        min_length=1, max_length=63, description="Points, from the first column to the last."
    )

    async def apply(self, job: Job) -> None:
        """Set them."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        if len(self.widths) != grid.width:
            raise CommandRefused(f"the table has {grid.width} columns, and {len(self.widths)} widths are given")
        widths = [round(width * _TWIPS) for width in self.widths]
        await job.edit("set_column_widths", cellAnchorId=grid.rows[0][0].anchor, widths=widths)
        job.quotes.forget()


class RepeatHeaderRow(Command):
    """Repeat the first row of a table on each page."""

    id: ClassVar[str] = "repeat_header_row"
    label: ClassVar[str] = "Repeat header row"
    description: ClassVar[str] = (
        "Shows the first row of the table that holds the quoted words on each page that the table runs over, or no "
        "longer with false."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "header row on top of all pages", "repeat table headings", "heading row on every page", "table header again",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue"}

    quote: TableQuote
    repeat: bool = True

    async def apply(self, job: Job) -> None:
        """Mark the row, or take the mark away."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit("set_repeat_header_row", cellAnchorId=grid.rows[0][0].anchor, repeat=self.repeat)
        job.quotes.forget()


class SetRowOptions(Command):
    """Set the height of a row, and whether it may be parted by the end of a page."""

    id: ClassVar[str] = "set_row_options"
    label: ClassVar[str] = "Set row options"
    description: ClassVar[str] = (
        "Sets the height of the row of the quoted words, or of the one named, and whether it may break across pages. "
        "What is not named stays as it is."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "row height", "taller row", "keep the row on one page", "row must not split across pages",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Venue", "height": 24, "may_break": False}

    quote: TableQuote
    row: Row = None
    height: float | None = Field(default=None, ge=1, le=1584, description="Points.")
    exact: bool = Field(default=False, description="Whether the row keeps this height whatever it holds.")
    may_break: bool | None = Field(default=None, description="Whether the row may run over the end of a page.")

    @model_validator(mode="after")
    def _names_something(self) -> "SetRowOptions":
        if self.height is None and (self.exact or self.may_break is None):
            raise ValueError("name a height, or whether the row may break")
        return self

    async def apply(self, job: Job) -> None:
        """Set them."""
        grid = await Grid.around(self.quote, job.document, job.quotes)
        await job.edit(
            "set_table_row_options",
            cellAnchorId=grid.in_row(self.row).anchor,
            repeatHeader=None,
            allowBreakAcrossPages=self.may_break,
            heightTwips=None if self.height is None else round(self.height * _TWIPS),
            heightRule="exact" if self.exact else "atLeast",
        )
        job.quotes.forget()


COMMANDS: Final = (
    SetCellText,
    MergeCells,
    UnmergeCells,
    ShadeCells,
    SetTableBorders,
    SetColumnWidths,
    RepeatHeaderRow,
    SetRowOptions,
)
"""In the order of the catalogue."""
