"""Documents of numbered points: each write settles a point of its own, so that any one that is lost shows."""

import zipfile
from io import BytesIO
from pathlib import Path

from docx import Document


def of_points(count: int) -> bytes:
    """A Word file with that many points, all open."""
    document, content = Document(), BytesIO()
    for number in range(count):
        document.add_paragraph(f"{open_point(number)}.")
    document.save(content)
    return content.getvalue()


def open_point(number: int) -> str:
    """The words of a point that nobody settled; they occur once in the document."""
    return f"Point {number:04} is open"


def settled_point(number: int, mark: str) -> str:
    """The words of a point that the write with this mark settled."""
    return f"Point {number:04} is settled by {mark}"


def settle_by_hand(copy: Path, number: int, mark: str) -> None:
    """Settle a point in a person's copy: its words in the main part, all else as it is."""
    old, new = open_point(number).encode(), settled_point(number, mark).encode()
    edited = copy.with_suffix(".edited")
    with zipfile.ZipFile(copy) as before, zipfile.ZipFile(edited, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            content = before.read(part)
            after.writestr(part, content.replace(old, new) if part.filename == "word/document.xml" else content)
    edited.replace(copy)
