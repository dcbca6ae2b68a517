"""Real documents in LibreOffice, each after one tracked replace."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.rendering.libreoffice import LibreOffice
from lattice_wordcraft.sandbox.rooms import Rooms
from service.wordcraft.conftest import CORPUS, Edits
from service.wordcraft.documents import text_of
from service.wordcraft.rendering.conftest import libreoffice_in
from service.wordcraft.rendering.test_libreoffice import words_of
from service.wordcraft.test_corpus import NO_WORD_OCCURS_ONCE, words_that_occur_once

pytestmark = pytest.mark.documents

STRICT = "o01-strict.docx"
EDITED = sorted({path.name for path in CORPUS.glob("[ctsio]*.docx")} - NO_WORD_OCCURS_ONCE - {STRICT})
"""All that can be edited; the large one has a test of its own."""
LARGE = "l03-12MB-xml-tables.docx"


@pytest.mark.parametrize("document", EDITED)
async def test_what_a_tracked_replace_makes_opens_in_libreoffice_and_shows_the_new_word(
    edits: Edits, libreoffice: LibreOffice, document: str
) -> None:
    """F-08, N-15: another program than the engine reads it, and means the same."""
    assert "LATTICE" in await words_after_a_replace(edits, libreoffice, document)


@pytest.mark.timeout(400)
async def test_what_a_tracked_replace_makes_of_a_large_document_opens_in_libreoffice_in_the_end(
    edits: Edits, rooms: Rooms, corpus: Path
) -> None:
    """F-08, N-15: 180 pages of tables take longer than a worker waits."""
    patient = await libreoffice_in(rooms, time_limit=timedelta(minutes=5))
    assert "LATTICE" in await words_after_a_replace(edits, patient, LARGE)


async def words_after_a_replace(edits: Edits, office: LibreOffice, document: str) -> str:
    """The words of a document after a tracked replace, as PDF; without spaces, since a narrow cell breaks any word."""
    original = await asyncio.to_thread((CORPUS / document).read_bytes)
    word = words_that_occur_once(text_of(original))[0]
    result = await edits(original, ("replace_text", {"quote": word, "replacement": "LATTICE"}))
    return "".join(words_of(await office.pdf(result.content)).split())
