"""Renderers to draw with, and what is seen of their work."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.ports import Renderer
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.libreoffice import LibreOffice, NoLibreOffice
from lattice_wordcraft.rendering.rdocx import Rdocx
from lattice_wordcraft.sandbox.rooms import Room, Rooms

PATIENCE = timedelta(seconds=60)


async def libreoffice_in(
    rooms: Rooms, *, time_limit: timedelta = PATIENCE, tenant: Callable[[], str] = lambda: "acme"
) -> LibreOffice:
    """A LibreOffice in some rooms, with a cache of its own; where it is missing the test is skipped."""
    try:
        return await LibreOffice.found(
            Jobs(rooms, size=2, time_limit=time_limit), Cache(len, tenant=tenant, max_bytes=2**24)
        )
    except NoLibreOffice as error:
        pytest.skip(f"LibreOffice draws nothing on this machine: {error}")


@pytest.fixture(scope="session")
async def libreoffice(rooms: Rooms) -> LibreOffice:
    """LibreOffice, confined as this machine allows."""
    return await libreoffice_in(rooms)


@pytest.fixture(params=["rdocx", "libreoffice"])
def drawing(request: pytest.FixtureRequest, rooms: Rooms) -> Renderer:
    """Each renderer, confined as this machine allows."""
    if request.param == "rdocx":
        return Rdocx(Jobs(rooms, size=2, time_limit=PATIENCE))
    found: Renderer = request.getfixturevalue("libreoffice")
    return found


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a file of each name was laid into a room: a document once for each conversion."""
    counted: Counter[str] = Counter()
    put = Room.put

    def counting(room: Room, name: str, content: bytes) -> Path:
        counted[name] += 1
        return put(room, name, content)

    monkeypatch.setattr(Room, "put", counting)
    return counted
