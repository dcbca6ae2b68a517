"""Real documents: text, review, one tracked replace, and the packages that nobody should open."""

import re
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused, FileRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import CORPUS, Edits
from service.wordcraft.corpus import NEW, comments_of, parts_with, replaced, row
from service.wordcraft.documents import digests_of, text_of

pytestmark = pytest.mark.documents

BROKEN = {
    "h01-truncated.docx": "not_a_package",
    "h02-password-ole.docx": "encrypted",
    "h03-agile-encrypted.docx": "encrypted",
    "h04-external-entity.docx": "doctype",
    "h06-fuzz-b.docx": "not_a_package",
    "h11-legacy-doc-as-docm.docm": "legacy_format",
}
LARGE = "l03-12MB-xml-tables.docx"
LONG = 400
"""Seconds: the large one has 12 MB of markup."""

MACROS = "o03-docm-macros.docm"
NOT_EDITED = {
    "h09-zero-length.docx": "no word in it",
    "i02-ruby-cjk.docx": "ruby text",
    "o01-strict.docx": "Strict OOXML",
}
"""Read as any other; why no word of them is replaced."""

READABLE = sorted({path.name for path in CORPUS.glob("*.doc?")} - BROKEN.keys() - {MACROS})
TABLE = Path(__file__).resolve().parents[3] / "docs" / "wordcraft-corpus.md"


def test_the_corpus_is_there(corpus: Path) -> None:
    """Without it the claims below are empty: here it skips or, in CI, fails."""
    assert len(READABLE) > len(BROKEN)
    assert {*READABLE, *BROKEN, MACROS} == {path.name for path in corpus.glob("*.doc?")}


@pytest.mark.timeout(LONG)
@pytest.mark.parametrize(
    "document",
    [pytest.param(it, marks=[pytest.mark.soak] * (it == LARGE)) for it in READABLE if it not in NOT_EDITED],
)
async def test_one_word_replaced_changes_the_parts_that_hold_it_and_not_a_byte_of_others(
    app: WordCraft, document: str
) -> None:
    """N-13, N-14, F-08, F-09: text and review before and after, in the engine again; no part is lost or added."""
    it = await replaced(app, (CORPUS / document).read_bytes())
    assert it.after.text == it.before.text.replace(it.word, NEW)
    kept, now = digests_of(it.original), digests_of(it.content)
    changed = {name for name, digest in now.items() if kept.get(name) != digest}
    assert changed == set(it.changed_parts)
    assert kept.keys() == now.keys()
    assert 1 <= len(changed) <= it.count
    assert changed <= parts_with(it.original, it.word)
    ours = [item for item in it.after.review if item["author"] == "assistant"]
    assert {item["state"] for item in ours} >= {"insertion"}
    assert {item["date"] for item in ours} == {"2026-01-02T12:00:00Z"}
    assert comments_of(it.after) == [
        item | {"anchored_text": item["anchored_text"].replace(it.word, NEW)} for item in comments_of(it.before)
    ]


@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("document", READABLE)
async def test_a_change_of_nothing_cannot_be_saved(edits: Edits, document: str) -> None:
    """F-10, AT-12: no words are replaced by the same ones."""
    content = (CORPUS / document).read_bytes()
    words = re.findall(r"\w+", text_of(content)) or ["none"]
    with pytest.raises(AppRefused):
        await edits(content, ("replace_everywhere", {"quote": words[0], "replacement": words[0]}))


@pytest.mark.parametrize(("document", "why"), NOT_EDITED.items())
async def test_what_cannot_be_replaced_is_read_all_the_same(
    app: WordCraft, corpus: Path, document: str, why: str
) -> None:
    """N-13: and the table says so."""
    assert (await app.extract((corpus / document).read_bytes())).text
    assert why in await row(app, document, (corpus / document).read_bytes())


async def test_the_table_of_the_corpus_is_what_is_measured(app: WordCraft, corpus: Path) -> None:
    """The parts that differ, document by document; of each kind one is measured again here."""
    rows = {line.split("|")[1].strip(): line for line in TABLE.read_text().splitlines() if ".doc" in line}
    assert {*READABLE, *BROKEN, MACROS} == rows.keys()
    for document in (*BROKEN, MACROS, *NOT_EDITED, "c04-comment-overlapping-tracked.docx", "t12-multi-author.docx"):
        assert await row(app, document, (corpus / document).read_bytes()) == rows[document]


@pytest.mark.parametrize(("document", "guard"), BROKEN.items())
async def test_a_broken_file_is_refused_with_its_guard_and_the_app_goes_on(
    app: WordCraft, corpus: Path, document: str, guard: str
) -> None:
    """N-25, SE-07: no parser sees it."""
    with pytest.raises(FileRefused) as refused:
        await app.extract((corpus / document).read_bytes())
    assert refused.value.guard == guard
    assert (await app.extract((corpus / "c05-comments-simple-word.docx").read_bytes())).review


async def test_macros_are_refused(app: WordCraft, corpus: Path) -> None:
    """SE-07: a macro project is no document of ours."""
    with pytest.raises(FileRefused) as refused:
        await app.extract((corpus / MACROS).read_bytes())
    assert refused.value.guard == "macros"


async def test_a_document_without_words_is_read_as_such(app: WordCraft, corpus: Path) -> None:
    """h09 is whole: it has one empty paragraph and a header with a picture."""
    extract = await app.extract((corpus / "h09-zero-length.docx").read_bytes())
    assert (extract.text, extract.review) == ("\n", [])


@pytest.mark.parametrize(
    ("command", "golden"),
    [
        ("accept_all_changes", "t04a-deleted-paramark-ACCEPTED.docx"),
        ("reject_all_changes", "t04r-deleted-paramark-REJECTED.docx"),
    ],
)
async def test_resolving_everything_gives_the_golden_words(
    edits: Edits, corpus: Path, command: str, golden: str
) -> None:
    """Deleted paragraph marks merge paragraphs when accepted, and part them when rejected."""
    result = await edits((corpus / "t04-deleted-paramark.docx").read_bytes(), (command, {}))
    assert text_of(result.content) == text_of((corpus / golden).read_bytes())


async def test_the_final_view_equals_what_accepting_gives(corpus: Path) -> None:
    """N-13: the text of a marked document is the text of the accepted one."""
    marked, accepted = "t04-deleted-paramark.docx", "t04a-deleted-paramark-ACCEPTED.docx"
    assert text_of((corpus / marked).read_bytes()) == text_of((corpus / accepted).read_bytes())
