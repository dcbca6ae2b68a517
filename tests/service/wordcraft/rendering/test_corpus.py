"""Real documents in LibreOffice, each after one tracked replace."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.rendering.libreoffice import LibreOffice
from lattice_wordcraft.sandbox.rooms import Rooms
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import CORPUS
from service.wordcraft.corpus import NEW, replaced
from service.wordcraft.rendering.conftest import libreoffice_in
from service.wordcraft.rendering.test_libreoffice import words_of
from service.wordcraft.test_corpus import LARGE, NOT_EDITED, READABLE

pytestmark = pytest.mark.documents

EDITED = [it for it in READABLE if it not in NOT_EDITED and it != LARGE]
"""All that can be edited; the large one has a test of its own."""


@pytest.mark.parametrize("document", EDITED)
async def test_what_a_tracked_replace_makes_opens_in_libreoffice_and_shows_the_new_word(
    app: WordCraft, libreoffice: LibreOffice, document: str
) -> None:
    """F-08, N-15: another program than the engine reads it, and means the same."""
    assert NEW in await words_after_a_replace(app, libreoffice, document)


@pytest.mark.soak
@pytest.mark.timeout(400)
async def test_what_a_tracked_replace_makes_of_a_large_document_opens_in_libreoffice_in_the_end(
    app: WordCraft, rooms: Rooms, corpus: Path
) -> None:
    """F-08, N-15: 180 pages of tables take longer than a worker waits."""
    patient = await libreoffice_in(rooms, time_limit=timedelta(minutes=5))
    assert NEW in await words_after_a_replace(app, patient, LARGE)


async def words_after_a_replace(app: WordCraft, office: LibreOffice, document: str) -> str:
    """The words of a document after a tracked replace, as PDF; without spaces, since a narrow cell breaks any word."""
    original = await asyncio.to_thread((CORPUS / document).read_bytes)
    made = await replaced(app, original)
    return "".join(words_of(await office.pdf(made.content)).split())
