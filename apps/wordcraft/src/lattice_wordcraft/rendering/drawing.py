"""Drawing one page, as a program of its own: a hostile document may take it down, or never let it end.

`python -m lattice_wordcraft.rendering.drawing docx|pdf FILE PAGE LONG_SIDE` writes a line of JSON with
`page_count`, `width` and `height`, then the PNG; without an image where there is no such page.
"""

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lattice_wordcraft.rendering.png import png_of, size_of

MAX_IMAGE_BYTES: Final = 2**20
"""The most bytes of a page image. [N-41]"""

_MEMORY_LIMIT: Final = 3 * 2**30
_POINTS_PER_INCH: Final = 72.0
_SMALL: Final = 18.0
"""Dots per inch at which a page is drawn only to learn its size."""

_LESS: Final = 0.8
"""By how much an image that has too many bytes shrinks before it is tried again."""

Draw = Callable[[float], bytes]
"""Draws the page at a resolution in dots per inch."""


def main(kind: str, file: str, page: int, long_side: int) -> None:
    """Draw the page and write it to standard output."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
    page_count, draw = {"docx": _docx, "pdf": _pdf}[kind](Path(file), page)
    png = _fitting(draw, long_side) if 1 <= page <= page_count else b""
    width, height = size_of(png) if png else (0, 0)
    answer = {"page_count": page_count, "width": width, "height": height}
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + png)


def _docx(file: Path, page: int) -> tuple[int, Draw]:
    from rdocx import Document  # noqa: PLC0415  not needed where LibreOffice draws

    document = Document.from_bytes(file.read_bytes())

    def draw(dpi: float) -> bytes:
        drawn: bytes | None = document.render_page_to_png(
            page - 1, dpi=dpi, revision_view="tracked", revision_style="legal"
        )
        if drawn is None:
            raise ValueError(f"page {page} cannot be drawn")
        return drawn

    return document.page_count(), draw


def _pdf(file: Path, page: int) -> tuple[int, Draw]:
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]  # noqa: PLC0415  not needed where rdocx draws

    document = PdfDocument(file)

    def draw(dpi: float) -> bytes:
        bitmap = document[page - 1].render(scale=dpi / _POINTS_PER_INCH, rev_byteorder=True)
        return png_of(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride)

    return len(document), draw


def _fitting(draw: Draw, long_side: int) -> bytes:
    """The page as large as its long side and its bytes allow."""
    dpi = long_side * _SMALL / max(size_of(draw(_SMALL)))
    while True:
        png = draw(dpi)
        drawn = max(size_of(png))
        if drawn > long_side:
            # A page of 18 dots an inch is measured to a whole pixel only.
            dpi *= (long_side - 0.5) / drawn
        elif len(png) > MAX_IMAGE_BYTES:
            dpi *= _LESS
        else:
            return png


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
