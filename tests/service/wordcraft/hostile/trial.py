"""One hostile package before the real worker, and what must come of it."""

import asyncio
import time

import grpc
from lattice_chassis.errors import refusal_of
from lattice_wordcraft import package
from service.wordcraft.hostile.case import Case
from service.wordcraft.watching import Listener, watched_memory
from service.wordcraft.worker import Worker, refused

SECONDS = 20.0
MEMORY = 2**30
"""Bytes of the worker and all that it starts, at one time."""

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_RELATIONS = "http://schemas.openxmlformats.org/{}/2006/relationships"
HONEST = package.packed(
    {
        "[Content_Types].xml": (
            b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels"'
            b' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            + f'<Override PartName="/word/document.xml" ContentType="{_TYPE}"/></Types>'.encode()
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{_RELATIONS.format("package")}"><Relationship Id="rId1" Target="word/document.xml"'
            f' Type="{_RELATIONS.format("officeDocument")}/officeDocument"/></Relationships>'
        ).encode(),
        "word/document.xml": (
            f'<w:document xmlns:w="{_WORD}"><w:body><w:p><w:r><w:t>An honest word.</w:t></w:r></w:p></w:body>'
            "</w:document>"
        ).encode(),
    }
)
"""The smallest document, since it is read after each hostile one."""


async def tried(case: Case, worker: Worker, listener: Listener) -> str:
    """What came of a package: refused by its guard or handled, nothing fetched, and the next job succeeded.

    Answers a line with the time it took and the most memory that the worker and its programs held.
    """
    content = await asyncio.to_thread(case.made, listener.address)
    with watched_memory(worker.process.pid) as memory:
        began = time.monotonic()
        async with asyncio.timeout(SECONDS):
            if case.guard is None:
                assert "Closing words." in (await worker.extract(content))[0]
            else:
                refusal = await refused(worker.extract(content))
                assert (refusal.reason, refusal.metadata["guard"]) == ("FILE_REFUSED", case.guard)
                assert refusal.metadata["why"]
        took = time.monotonic() - began
        if case.is_drawn:
            async with asyncio.timeout(SECONDS):
                await _drawn_or_refused(worker, content)
        assert (await worker.extract(HONEST))[0] == "An honest word.\n"
    assert memory.peak < MEMORY
    assert listener.heard == []
    return f"{case.name}: {case.guard or 'handled'} in {took * 1000:.0f} ms, {memory.peak / 2**20:.0f} MiB at the most"


async def _drawn_or_refused(worker: Worker, content: bytes) -> None:
    """A page of the document, or a refusal of the renderer, which may not be able to draw everything, or not soon."""
    try:
        assert await worker.page(content, 1, 400)
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        assert refusal is not None
        assert (refusal.reason, refusal.metadata.get("guard")) in {("FILE_REFUSED", "renderer"), ("APP_TIMEOUT", None)}
