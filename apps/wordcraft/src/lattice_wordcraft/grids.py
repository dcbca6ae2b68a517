"""Tables as people address them: by words that stand in them, and rows and columns by number or by their heading.

Rows and columns are counted from 1, as the text of the document shows them: deleted rows and cells do
not count, and a cell over several columns counts for each of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from lxml import etree

from lattice_wordcraft import reading, xml
from lattice_wordcraft.blocks import ENGINE_ID
from lattice_wordcraft.ports import Document
from lattice_wordcraft.quotes import Quotes, clipped
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

_MANY: Final = 12
"""So many headings a refusal lists at most."""


@dataclass(frozen=True)
class Cell:
    """One cell of a table, its upper left corner at `row` and `column`; `width` is in columns."""

    anchor: str
    row: int
    column: int
    width: int
    text: str
    continues: bool
    """Whether it only carries on the cell above, with which it is merged."""

    def covers(self, column: int) -> bool:
        """Whether it stands in this column, alone or among others."""
        return self.column <= column < self.column + self.width


@dataclass(frozen=True)
class Grid:
    """A table as it reads now, and those of its cells that hold the quoted words."""

    anchor: str
    rows: tuple[tuple[Cell, ...], ...]
    quoted: tuple[Cell, ...]

    @classmethod
    async def around(cls, quote: str, document: Document, quotes: Quotes) -> Self:
        """The one table that holds the quoted words.

        Raises:
            CommandRefused: no table holds them, or they occur elsewhere too.
        """
        found = await _cells_with(quote, quotes)
        tables = {anchor: await _table_of(document, anchor) for anchor in found}
        if len(set(tables.values())) != 1:
            raise CommandRefused(
                f"the quote {clipped(quote)} occurs in {len(set(tables.values()))} tables; quote words of one alone"
            )
        table = tables[found[0]]
        source = await document.ask("raw_get_xml", anchorId=table)
        rows = tuple(_rows(xml.parsed(table, source.encode()), scope=table.split(":")[1]))
        quoted = tuple(cell for row in rows for cell in row if cell.anchor in found)
        return cls(table, rows, quoted)

    @property
    def width(self) -> int:
        """How many columns the widest row has."""
        return max(row[-1].column + row[-1].width - 1 for row in self.rows if row)

    def cell(self, row: int | None = None, column: int | str | None = None) -> Cell:
        """The cell at a row and a column, which are those of the quoted words where not named.

        Raises:
            CommandRefused: there is no such row, column or heading, or the quoted words stand in several.
        """
        return self._at(self._row(row), self._column(column))

    def in_row(self, row: int | None) -> Cell:
        """Some cell of this row, which is that of the quoted words where not named; refused as in `cell`."""
        return self.rows[self._row(row) - 1][0]

    def in_column(self, column: int | str | None) -> Cell:
        """Some cell of this column alone, which is that of the quoted words where not named; refused as in `cell`."""
        number = self._column(column)
        alone = [it for row in self.rows for it in row if it.column == number and it.width == 1 and not it.continues]
        if not alone:
            raise CommandRefused(f"column {number} has no cell of its own; take its merged cells apart first")
        return alone[0]

    def column(self, number: int) -> list[Cell]:
        """The cells that stand in a column."""
        return [cell for row in self.rows for cell in row if cell.covers(number)]

    def _at(self, row: int, column: int) -> Cell:
        cell = next((it for it in self.rows[row - 1] if it.covers(column)), None)
        if cell is None:
            raise CommandRefused(f"row {row} has no cell in column {column}")
        return self._at(row - 1, column) if cell.continues and row > 1 else cell

    def _row(self, row: int | None) -> int:
        if row is None:
            rows = sorted({cell.row for cell in self.quoted})
            if len(rows) != 1:
                raise CommandRefused(f"the quoted words stand in the rows {_listed(rows)} of the table; name one")
            return rows[0]
        if row > len(self.rows):
            raise CommandRefused(f"the table has {len(self.rows)} rows, no row {row}")
        return row

    def _column(self, column: int | str | None) -> int:
        if column is None:
            columns = sorted({cell.column for cell in self.quoted})
            if len(columns) != 1:
                raise CommandRefused(f"the quoted words stand in the columns {_listed(columns)} of the table; name one")
            return columns[0]
        if isinstance(column, str):
            return self._under(column)
        if column > self.width:
            raise CommandRefused(f"the table has {self.width} columns, no column {column}")
        return column

    def _under(self, heading: str) -> int:
        """The column whose cell in the first row reads so."""
        found = [cell.column for cell in self.rows[0] if cell.text.strip().casefold() == heading.strip().casefold()]
        if len(found) != 1:
            headings = ", ".join(clipped(cell.text) for cell in self.rows[0][:_MANY])
            raise CommandRefused(
                f"{len(found)} columns are headed {clipped(heading)}; the headings are {headings}; name it by number"
            )
        return found[0]


async def _cells_with(quote: str, quotes: Quotes) -> list[str]:
    """The cells in which a quote stands; refused where it stands outside of tables, too, or nowhere."""
    places = await quotes.every(quote)
    if any(place.block.cell is None for place in places):
        # A paragraph that was made since the document was read does not know its cell.
        quotes.forget()
        places = await quotes.every(quote)
    outside = [place for place in places if place.block.cell is None]
    if len(places) == 0 or len(places) > len(outside) > 0:
        await quotes.only(quote)  # refuses with the count and the candidates
    if outside:
        raise CommandRefused(f"the quote {clipped(quote)} stands in no table; quote words of one of its cells")
    return list(dict.fromkeys(place.block.cell for place in places if place.block.cell is not None))


async def _table_of(document: Document, cell: str) -> str:
    resolved = await document.ask("resolve_table_cell_anchor", cellAnchorId=cell)
    if not resolved.get("success"):
        raise CommandRefused("the engine does not know the table of these words")
    anchor: str = resolved["cell"]["tableAnchorId"]
    return anchor


def _rows(table: etree._Element, scope: str) -> Iterator[tuple[Cell, ...]]:
    for number, row in enumerate(reading.shown_rows(table), start=1):
        yield tuple(_cells(row, number, scope))


def _cells(row: etree._Element, number: int, scope: str) -> Iterator[Cell]:
    column = 1 + _number(row.find(f"{W}trPr/{W}gridBefore"), 0)
    for cell in reading.shown_cells(row):
        width = _number(cell.find(f"{W}tcPr/{W}gridSpan"), 1)
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        yield Cell(
            anchor=f"tc:{scope}:{cell.get(ENGINE_ID, '')}",
            row=number,
            column=column,
            width=width,
            text=reading.cell_text(cell),
            continues=merge is not None and merge.get(f"{W}val", "continue") == "continue",
        )
        column += width


def _number(element: etree._Element | None, otherwise: int) -> int:
    return otherwise if element is None else int(element.get(f"{W}val", str(otherwise)))


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:_MANY]))
