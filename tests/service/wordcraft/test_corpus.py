"""Real documents: text, review, one tracked replace, and the packages that nobody should open."""

import re
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import FileRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import CORPUS, Edits
from service.wordcraft.documents import digests_of, text_of

pytestmark = pytest.mark.documents

READABLE = sorted(path.name for path in CORPUS.glob("[ctsi]*.docx"))
BROKEN = {
    "h01-truncated.docx": "not_a_package",
    "h02-password-ole.docx": "encrypted",
    "h03-agile-encrypted.docx": "encrypted",
    "h04-external-entity.docx": "doctype",
    "h06-fuzz-b.docx": "not_a_package",
    "h11-legacy-doc-as-docm.docm": "legacy_format",
}
NO_WORD_OCCURS_ONCE = {"t08-deleted-fieldcode.docx", "i02-ruby-cjk.docx"}
"""Nothing in them can be replaced by quoting it: one word twice; ruby text."""


def words_that_occur_once(text: str) -> list[str]:
    """The longest first."""
    words = set(re.findall(r"\w+", text))
    return sorted((word for word in words if text.count(word) == 1), key=lambda word: (-len(word), word))


def test_the_corpus_is_there(corpus: Path) -> None:
    """Without it the claims below are empty: here it skips or, in CI, fails."""
    assert READABLE == sorted(path.name for path in corpus.glob("[ctsi]*.docx")) != []


@pytest.mark.parametrize("document", READABLE)
async def test_a_document_gives_text_and_review_and_one_tracked_replace_touches_its_part_alone(
    app: WordCraft, edits: Edits, document: str
) -> None:
    """N-13, N-14, F-08, F-09: the result opens again, says what it should, and every other part keeps its bytes."""
    original = (CORPUS / document).read_bytes()
    before = await app.extract(original)
    assert before.text.strip()
    words = words_that_occur_once(before.text)
    if document in NO_WORD_OCCURS_ONCE:
        assert words == [] or document.startswith("i02")
        return
    result = await edits(original, ("replace_text", {"quote": words[0], "replacement": "LATTICE"}))
    after = await app.extract(result.content)
    assert after.text == before.text.replace(words[0], "LATTICE")
    ours = [item for item in after.review if item["author"] == "assistant"]
    assert {item["state"] for item in ours} >= {"insertion"}
    assert {item["date"] for item in ours} == {"2026-01-02T12:00:00Z"}
    kept = digests_of(original)
    changed = {name for name, digest in digests_of(result.content).items() if kept.get(name) != digest}
    assert changed == set(result.changed_parts)
    assert len(changed) == 1
    assert kept.keys() == digests_of(result.content).keys()
    assert [item for item in after.review if item["type"] == "comment"] == [
        item | {"anchored_text": item["anchored_text"].replace(words[0], "LATTICE")}
        for item in before.review
        if item["type"] == "comment"
    ]
    print(f"{document}: {sorted(changed)} changed of {len(kept)} parts")


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
        await app.extract((corpus / "o03-docm-macros.docm").read_bytes())
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
