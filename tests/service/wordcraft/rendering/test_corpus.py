"""Real documents in LibreOffice, each after one tracked replace."""

import pytest
from lattice_wordcraft.rendering.libreoffice import LibreOffice
from service.wordcraft.conftest import CORPUS, Edits
from service.wordcraft.documents import text_of
from service.wordcraft.rendering.test_libreoffice import words_of
from service.wordcraft.test_corpus import NO_WORD_OCCURS_ONCE, READABLE, words_that_occur_once

pytestmark = pytest.mark.documents


@pytest.mark.parametrize("document", [it for it in READABLE if it not in NO_WORD_OCCURS_ONCE])
async def test_what_a_tracked_replace_makes_opens_in_libreoffice_and_shows_the_new_word(
    edits: Edits, libreoffice: LibreOffice, document: str
) -> None:
    """F-08, N-15: another program than the engine reads it, and means the same."""
    original = (CORPUS / document).read_bytes()
    word = words_that_occur_once(text_of(original))[0]
    result = await edits(original, ("replace_text", {"quote": word, "replacement": "LATTICE"}))
    words = words_of(await libreoffice.pdf(result.content))
    assert "LATTICE" in "".join(words.split())  # a narrow cell breaks any word
