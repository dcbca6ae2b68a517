"""Makes the document of `lattice demo`: a launch brief with a table, comments and tracked changes.

`python tools/make_launch_brief.py` writes it below `cli`. The words come from python-docx, the
comments and tracked changes from WordCraft's own commands, in the names of the people who made them.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import docx
from docx.document import Document
from docx.shared import Cm, Pt
from lattice_wordcraft.batch import Batch, Call
from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.confinement import confinement
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.rendering import renderer
from lattice_wordcraft.wordcraft import WordCraft

TARGET = Path(__file__).resolve().parents[1] / "cli/src/lattice_cli/demo/launch-brief.docx"
TIME_LIMIT = timedelta(seconds=60)

TASKS = (
    ("Task", "Owner", "Due"),
    ("Final product photos", "Mara Lindqvist", "20 January"),
    ("Press release, three languages", "Tomasz Wrona", "27 January"),
    ("Reseller kit and price list", "Nadia Haddad", "30 January"),
    ("Support articles", "Jun Sato", "6 February"),
    ("Launch-day rota", "Nadia Haddad", "10 February"),
)
BUDGET = (
    ("Item", "Amount"),
    ("Print and packaging", "EUR 48,000"),
    ("Photography", "EUR 6,500"),
    ("Launch event, Rotterdam", "EUR 21,000"),
    ("Paid media, first four weeks", "EUR 34,000"),
)

NADIA = ("Nadia Haddad", datetime(2026, 1, 12, 9, 30, tzinfo=UTC))
TOMASZ = ("Tomasz Wrona", datetime(2026, 1, 12, 14, 5, tzinfo=UTC))
NADIA_LATER = ("Nadia Haddad", datetime(2026, 1, 13, 8, 15, tzinfo=UTC))


def words() -> bytes:
    """The brief before anybody reviewed it."""
    document = docx.Document()
    _page(document)
    document.add_heading("Launch brief: Harbor Lamp", level=0)
    document.add_paragraph(
        "Harbor Lamp is a rechargeable table lamp for balconies, boats and power cuts. This brief says what we launch, "
        "when, with what money and who does what. It is the one place where those answers are kept up to date."
    )
    document.add_heading("Goal", level=1)
    document.add_paragraph(
        "Sell 12,000 lamps in the first quarter, half of them through resellers, and be the lamp that reviewers "
        "name first when they write about light without a socket."
    )
    document.add_heading("Dates", level=1)
    paragraph = document.add_paragraph("The launch date is ")
    paragraph.add_run("17 February").bold = True
    paragraph.add_run(". Resellers get stock a week before. Press samples leave the warehouse on 26 January.")
    document.add_heading("Message", level=1)
    for point in (
        "Forty hours of warm light from one charge.",
        "Salt water does not harm it: the housing is sealed and the charging port is magnetic.",
        "Every part can be replaced with one screwdriver; spare parts are promised for ten years.",
    ):
        document.add_paragraph(point, style="List Bullet")
    document.add_heading("Who does what", level=1)
    _table(document, TASKS, (Cm(7.5), Cm(5), Cm(3.5)))
    document.add_heading("Budget", level=1)
    document.add_paragraph("All amounts are without tax and were approved on 8 January.")
    _table(document, BUDGET, (Cm(10), Cm(6)))
    document.add_heading("Risks", level=1)
    document.add_paragraph(
        "The batteries are certified for sea freight only. If the ship is late, we fly the first 800 lamps without "
        "batteries and have them fitted in Rotterdam, which costs about EUR 4 a lamp."
    )
    document.add_paragraph(
        "Two resellers have asked for exclusive colors. We say no until the first quarter is over.", style="List Bullet"
    )
    section = document.sections[0]
    section.header.paragraphs[0].text = "Harbor Lamp \u2013 launch brief, internal"
    section.footer.paragraphs[0].text = "Owner: Nadia Haddad. Ask before you forward it."
    content = BytesIO()
    document.save(content)
    return content.getvalue()


async def reviewed(content: bytes) -> bytes:
    """The brief with what Nadia and Tomasz did to it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        program = await confinement(folder)
        hosts = EngineHosts(size=1, time_limit=TIME_LIMIT, jobs_per_host=50, confinement=program, folder=folder)
        drawing = renderer(time_limit=TIME_LIMIT, confinement=program, folder=folder)
        app = WordCraft(hosts, drawing, Limits())
        try:
            for (author, time), commands in (
                (
                    NADIA,
                    [
                        ("replace_text", {"quote": "Sell 12,000 lamps", "replacement": "Sell 10,000 lamps"}),
                        (
                            "replace_text",
                            {"quote": "Forty hours of warm light", "replacement": "36 hours of warm light"},
                        ),
                        (
                            "insert_paragraph",
                            {
                                "quote": "spare parts are promised for ten years",
                                "text": "It floats, light up.",
                                "style": "List Bullet",
                            },
                        ),
                        (
                            "add_comment",
                            {"quote": "half of them through resellers", "text": "Is half still right after December?"},
                        ),
                    ],
                ),
                (
                    TOMASZ,
                    [
                        ("delete_paragraph", {"quote": "Two resellers have asked for exclusive colors"}),
                        (
                            "reply_to_comment",
                            {"comment_id": "comment-1", "text": "Yes: 5,400 are ordered, 600 more are promised."},
                        ),
                    ],
                ),
                (
                    NADIA_LATER,
                    [
                        (
                            "add_comment",
                            {
                                "quote": "about EUR 4 a lamp",
                                "text": "Please get a second quote from the yard in Rotterdam.",
                            },
                        )
                    ],
                ),
            ):
                content = (await app.apply(_batch(author, time, commands), content))[0].content
        finally:
            await hosts.close()
    return content


def _batch(author: str, time: datetime, commands: Sequence[tuple[str, dict[str, Any]]]) -> Batch:
    calls = [
        Call(command=command, arguments_json=CATALOGUE[command](**arguments).model_dump_json(exclude_unset=True))
        for command, arguments in commands
    ]
    return Batch(calls=calls, author=author, time=time, tracked=True)


def _page(document: Document) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.2)
    document.styles["Normal"].font.name = "Calibri"
    document.styles["Normal"].font.size = Pt(11)


def _table(document: Document, rows: Sequence[Sequence[str]], widths: Sequence[Cm]) -> None:
    table = document.add_table(rows=0, cols=len(widths), style="Light Grid Accent 1")
    for row in rows:
        cells = table.add_row().cells
        for cell, text, width in zip(cells, row, widths, strict=True):
            cell.text = text
            cell.width = width


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(asyncio.run(reviewed(words())))
