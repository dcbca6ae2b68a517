"""Documents that tests make, and ways to look into packages."""

import base64
import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO

import docx
from lattice_wordcraft import guards, package, reading


def plan() -> bytes:
    """A launch plan: headings, a bold date, a list, a table, a header and a footer; no review."""
    document = docx.Document()
    document.add_heading("Launch plan", level=1)
    paragraph = document.add_paragraph("The launch is ")
    paragraph.add_run("on Monday").bold = True
    paragraph.add_run(" in Berlin, and Acme pays.")
    document.add_paragraph("First point", style="List Bullet")
    document.add_paragraph("Second point", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ("Item", "Cost", "Venue", "1200"), strict=True):
        cell.text = text
    document.add_paragraph("Name:\tMara. Acme again: the Acme Group.")
    document.add_paragraph("Closing words.")
    document.add_paragraph("Step one", style="List Number")
    document.add_paragraph("Step two", style="List Number")
    document.add_paragraph("Other step", style="List Number 2")
    document.sections[0].header.paragraphs[0].text = "Confidential, by Acme"
    document.sections[0].footer.paragraphs[0].text = "Page footer"
    content = BytesIO()
    document.save(content)
    return content.getvalue()


def form() -> bytes:
    """The plan with one content control of each kind that commands fill: text, check box, list and date."""
    items = "".join(f'<w:listItem w:value="{color}"/>' for color in ("Red", "Blue"))
    controls = (
        '<w:alias w:val="Full name"/><w:tag w:val="name"/><w:id w:val="11"/><w:showingPlcHdr/><w:text/>|Click here',
        '<w:alias w:val="Agreed"/><w:id w:val="12"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>|\u2610',
        f'<w:alias w:val="Color"/><w:id w:val="13"/><w:dropDownList>{items}</w:dropDownList>|Red',
        '<w:alias w:val="Due"/><w:id w:val="14"/><w:date><w:dateFormat w:val="d MMMM yyyy"/></w:date>|1 May 2026',
    )
    inner = "".join(
        f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent><w:r><w:t>{words}</w:t></w:r></w:sdtContent></w:sdt>"
        for properties, _, words in (control.partition("|") for control in controls)
    )
    parts = parts_of(plan())
    main = parts["word/document.xml"].decode()
    namespace = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    field = f"<w:p {namespace}><w:r><w:t>Form: </w:t></w:r>{inner}</w:p>"
    parts["word/document.xml"] = main.replace("<w:sectPr", f"{field}<w:sectPr", 1).encode()
    return packed(parts)


def png(color: tuple[int, int, int], width: int, height: int) -> str:
    """An image of one color, as base64."""
    rows = (b"\x00" + bytes(color) * width) * height
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    body = (struct.pack(">I", len(it)) + kind + it + struct.pack(">I", zlib.crc32(kind + it)) for kind, it in chunks)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(body)).decode()


def parts_of(content: bytes) -> dict[str, bytes]:
    """The parts of a package by name."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def digests_of(content: bytes) -> dict[str, str]:
    """The digest of each part."""
    return {name: hashlib.sha256(part).hexdigest() for name, part in parts_of(content).items()}


def packed(parts: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A package of these parts."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


def with_body(inner: str) -> bytes:
    """A document whose body is this WordprocessingML; `w`, `wp`, `mc` and the like are declared."""
    parts = parts_of(plan())
    main = parts["word/document.xml"].decode()
    section = main[main.index("<w:sectPr") : main.index("</w:body>")]
    parts["word/document.xml"] = re.sub(
        "<w:body>.*</w:body>", lambda _: f"<w:body>{inner}{section}</w:body>", main, flags=re.DOTALL
    ).encode()
    return packed(parts)


def text_of(content: bytes) -> str:
    """The text that the app reads."""
    return reading.text_of(package.opened(content, guards.Limits()))


def main_of(content: bytes) -> str:
    """The main part as text."""
    return parts_of(content)["word/document.xml"].decode()
