"""What is read of tracked changes before they were made, of hidden words, and of notes that nothing refers to."""

from pathlib import Path

import pytest
from lattice_wordcraft import guards, package, reading
from lattice_wordcraft.reading import View
from lattice_wordcraft.refusals import AppRefused
from lxml import etree
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import packed, parts_of, plan, text_of, with_body

pytestmark = pytest.mark.documents

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
BY = 'w:id="9" w:author="x" w:date="2026-01-01T00:00:00Z"'
REVIEWED = (
    "c04-comment-overlapping-tracked.docx",
    "o07-docx4j-from-template-dirty.docx",
    "t01-delins.docx",
    "t02-moves-and-tables.docx",
    "t04-deleted-paramark.docx",
    "t05-inserted-table-rows.docx",
    "t06-cell-ins-del.docx",
    "t08-deleted-fieldcode.docx",
    "t09-numbering-change.docx",
)
RESOLVED = [
    (document, command)
    for document in REVIEWED
    for command in ("accept_all_changes", "reject_all_changes")
    if (document, command) != ("t02-moves-and-tables.docx", "reject_all_changes")
]


def original_of(content: bytes) -> str:
    """The text before every tracked change."""
    return reading.text_of(package.opened(content, guards.Limits()), View.ORIGINAL)


@pytest.mark.parametrize(("document", "command"), RESOLVED)
async def test_each_view_reads_as_the_document_does_once_all_changes_are_resolved(
    edits: Edits, corpus: Path, document: str, command: str
) -> None:
    """N-13: the engine resolves them in the file, we in what is read; they were written by different people."""
    content = (corpus / document).read_bytes()
    resolved = text_of((await edits(content, (command, {}))).content)
    assert resolved == (text_of(content) if command == "accept_all_changes" else original_of(content))


async def test_resolving_everything_is_refused_where_the_engine_would_lose_words_by_it(
    edits: Edits, corpus: Path
) -> None:
    """N-13: words that were moved and then deleted are in the original view, and the engine would drop them."""
    with pytest.raises(AppRefused, match="one by one"):
        await edits((corpus / "t02-moves-and-tables.docx").read_bytes(), ("reject_all_changes", {}))


@pytest.mark.parametrize(
    ("command", "golden"),
    [
        ("accept_all_changes", "t04a-deleted-paramark-ACCEPTED.docx"),
        ("reject_all_changes", "t04r-deleted-paramark-REJECTED.docx"),
    ],
)
async def test_resolving_everything_gives_the_golden_paragraphs_runs_text_and_properties(
    edits: Edits, corpus: Path, command: str, golden: str
) -> None:
    """Beyond the words; ids of saving sessions apart, which no reader sees."""
    result = await edits((corpus / "t04-deleted-paramark.docx").read_bytes(), (command, {}))
    assert paragraphs_of(result.content) == paragraphs_of((corpus / golden).read_bytes()) != []


async def test_the_original_view_has_what_was_deleted_and_moved_away_and_nothing_that_was_added() -> None:
    """N-13: words, paragraph marks, rows and cells."""
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>".format
    content = with_body(
        f"<w:p><w:pPr><w:rPr><w:ins {BY}/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r>"
        f"<w:del {BY}><w:r><w:delText> gone</w:delText></w:r></w:del></w:p>"
        f"<w:p><w:ins {BY}><w:r><w:t> new</w:t></w:r></w:ins><w:r><w:t> two</w:t></w:r></w:p>"
        f"<w:p><w:pPr><w:rPr><w:del {BY}/></w:rPr></w:pPr><w:r><w:t>three</w:t></w:r></w:p>"
        f"<w:p><w:moveFrom {BY}><w:r><w:t>from here</w:t></w:r></w:moveFrom></w:p>"
        f"<w:p><w:moveTo {BY}><w:r><w:t>to there</w:t></w:r></w:moveTo></w:p>"
        f"<w:tbl><w:tr><w:trPr><w:ins {BY}/></w:trPr>{cell('', 'added row')}</w:tr>"
        f"<w:tr><w:trPr><w:del {BY}/></w:trPr>{cell('', 'deleted row')}</w:tr>"
        f"<w:tr>{cell(f'<w:cellIns {BY}/>', 'added')}{cell(f'<w:cellDel {BY}/>', 'deleted')}</w:tr></w:tbl>"
    )
    assert original_of(content).splitlines()[:6] == ["one gone two", "three", "from here", "", "deleted row", "deleted"]
    assert text_of(content).splitlines()[:6] == ["one", " new two", "three", "to there", "added row", "added"]


@pytest.mark.parametrize(
    ("properties", "hidden"),
    [
        ("<w:vanish/>", True),
        ('<w:vanish w:val="false"/>', False),
        ('<w:rStyle w:val="Hiding"/>', True),
        ('<w:rStyle w:val="BasedOnHiding"/>', True),
        ('<w:rStyle w:val="ShowingAgain"/>', False),
        ('<w:rStyle w:val="Hiding"/><w:vanish w:val="0"/>', False),
        ("<w:b/>", False),
    ],
)
async def test_hidden_words_are_marked_as_hidden(properties: str, hidden: bool) -> None:
    """N-13: by the run itself, or by its style; nobody sees them on a page."""
    parts = parts_of(
        with_body(f"<w:p><w:r><w:t>seen </w:t></w:r><w:r><w:rPr>{properties}</w:rPr><w:t>words</w:t></w:r></w:p>")
    )
    styles = (
        '<w:style w:type="character" w:styleId="Hiding"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="BasedOnHiding"><w:basedOn w:val="Hiding"/></w:style>'
        '<w:style w:type="character" w:styleId="ShowingAgain"><w:basedOn w:val="Hiding"/>'
        '<w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>'
    )
    parts["word/styles.xml"] = parts["word/styles.xml"].replace(b"</w:styles>", styles.encode())
    assert text_of(packed(parts)).splitlines()[0] == ("seen [hidden: words]" if hidden else "seen words")


async def test_words_of_a_hiding_paragraph_style_are_marked_and_can_be_quoted_without_the_mark(edits: Edits) -> None:
    """N-13: the mark is the reader's, not the document's."""
    parts = parts_of(
        with_body('<w:p><w:pPr><w:pStyle w:val="Hidden"/></w:pPr><w:r><w:t>not to be seen</w:t></w:r></w:p>')
    )
    style = '<w:style w:type="paragraph" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    parts["word/styles.xml"] = parts["word/styles.xml"].replace(b"</w:styles>", style.encode())
    assert text_of(packed(parts)).startswith("[hidden: not to be seen]\n")
    result = await edits(packed(parts), ("replace_text", {"quote": "to be", "replacement": "ever"}))
    assert text_of(result.content).startswith("[hidden: not ever seen]\n")


async def test_a_note_that_nothing_refers_to_is_not_read() -> None:
    """N-13: nobody sees it on a page either; its reference was deleted or is in another view."""
    parts = parts_of(plan())
    note = '<w:footnote w:id="{0}"><w:p><w:r><w:t>note {0}</w:t></w:r></w:p></w:footnote>'.format
    namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts["word/footnotes.xml"] = f"<w:footnotes {namespace}>{note(2)}{note(3)}{note(4)}</w:footnotes>".encode()
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    override = f'<Override PartName="/word/footnotes.xml" ContentType="{kind}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", override.encode())
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'.format
    body = f"<w:p>{reference(2)}<w:del {BY}>{reference(3)}</w:del></w:p>"
    parts["word/document.xml"] = parts["word/document.xml"].replace(b"<w:body>", f"<w:body>{body}".encode())
    content = packed(parts)
    assert [line for line in text_of(content).splitlines() if line.startswith("note")] == ["note 2"]
    assert [line for line in original_of(content).splitlines() if line.startswith("note")] == ["note 2", "note 3"]


def paragraphs_of(content: bytes) -> list[tuple[str, list[tuple[str, str]]]]:
    """The properties of each paragraph, and the properties and content of its runs; equal neighbours are one run."""
    root = etree.fromstring(parts_of(content)["word/document.xml"])
    for element in root.iter():
        for name in [it for it in element.attrib if "rsid" in str(it)]:
            del element.attrib[name]
    return [(_properties(it, "pPr"), _runs(it)) for it in root.iter(f"{W}p")]


def _runs(paragraph: etree._Element) -> list[tuple[str, str]]:
    runs: list[tuple[str, str]] = []
    for run in paragraph.iter(f"{W}r"):
        properties = _properties(run, "rPr")
        unseen = (f"{W}rPr", f"{W}lastRenderedPageBreak")
        words = "".join(it.text or f"<{it.tag}>" for it in run if it.tag not in unseen)
        if runs and runs[-1][0] == properties:
            words = runs.pop()[1] + words
        runs.append((properties, words))
    return [it for it in runs if it[1]]


def _properties(element: etree._Element, name: str) -> str:
    found = element.find(f"{W}{name}")
    return "" if found is None or not len(found) else etree.tostring(found, method="c14n").decode()
