"""Walking the table: every row called by somebody, and what each was told."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from suite.security.calling import Metadata, Suite, Told, package_of
from suite.security.rows import ROWS, Row, Stage

Cells = Mapping[str, Told]
"""What was told, by row."""

OF_FILES = [row for row in ROWS if package_of(row.method) == "lattice.files.v1"]
"""Where agents call, by their delegations [MP-32]."""
ELSEWHERE = [row for row in ROWS if row not in OF_FILES]


async def cells(suite: Suite, stage: Stage, shown: Metadata, rows: Sequence[Row] = tuple(ROWS)) -> Cells:
    """What the caller that these metadata stand for is told by each row's good call."""
    told = await asyncio.gather(
        *(suite.tells(row.method, row.requests(stage), [*shown, *row.metadata(stage)]) for row in rows)
    )
    return dict(zip(map(str, rows), told, strict=True))


def wrong(found: Cells, expected: Callable[[Row], str], rows: Sequence[Row] = tuple(ROWS)) -> Mapping[str, str]:
    """The cells with another reason than expected, each with the one that it has."""
    return {str(row): told for row in rows if (told := found[str(row)].reason) != expected(row)}
