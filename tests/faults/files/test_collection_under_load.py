"""Collections in a loop, some of them killed, beside people who write: nothing that is named is lost, all else goes."""

import asyncio
import hashlib
import itertools
import random
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import Identity
from lattice_files.main import running
from lattice_files.settings import FilesSettings
from lattice_files.store.blobs import ABANDONED
from service.files.blob_rows import BlobRows
from service.files.conftest import MakeSettings
from service.files.people import Participant, append, document, new_request_id, participant, user
from service.files.program import files_program

COLLECTED: Final = 15
"""How many blobs have to go, beside all that is written, before the next thing happens."""

WRITES: Final = 20
"""How many steps each writer takes at the least, however fast the collections are."""

_Answer = TypeVar("_Answer")


async def test_under_collections_in_a_loop_no_named_blob_is_lost_and_in_the_end_all_others_go(
    make_settings: MakeSettings,
    alice: Participant,
    bob: Participant,
    assistant: Participant,
    rows: BlobRows,
    stored: Callable[[], frozenset[str]],
    tmp_path: Path,
) -> None:
    """B-05, B-06, B-07: with a grace so short that writers lose blobs before they commit, and store them again."""
    settings = make_settings(collection_grace="200ms")
    ada = user(alice.identity.tenant, "ada", role="administrator")
    over = asyncio.Event()
    async with running(settings) as server, participant(server.address, ada, "main") as keeper:
        people = enumerate((alice, bob, assistant))
        writers = asyncio.gather(*(_writes(person, seed, over) for seed, person in people))
        try:
            await _collects(keeper, writers)
            for moment in ("marked", "deleted"):
                await _collects_and_dies(settings, ada, moment, tmp_path)
                # Nothing collects now, so all marks are the dead one's. In a thread, for writers hold rows meanwhile.
                await asyncio.to_thread(rows.age, ABANDONED)
                await _collects(keeper, writers)
        finally:
            over.set()
            await writers
        rows.age(timedelta(hours=1))
        while (await keeper.collects())[0]:
            pass
    assert stored() == set(rows.states()) == rows.kept() | rows.pending()
    assert await _whole_revisions(alice) > WRITES


async def _writes(person: Participant, seed: int, over: asyncio.Event) -> None:
    """Upload, edit, propose and look at pages in an order of chance; contents recur, also between writers."""
    chance, version = random.Random(seed), 1  # noqa: S311 - not for secrets
    edited = await _uploaded(person, "Edited.")
    proposed = await _uploaded(person, "Proposed.")
    steps = itertools.count()
    while next(steps) < WRITES or not over.is_set():
        words = f"{chance.randrange(4)}."
        match chance.choice(["upload", "edit", "propose", "page"]):
            case "upload":
                await _uploaded(person, words)
            case "edit":
                edit = person.edit_request(edited, version, append(words))
                await _persistent(partial(person.native.Edit, edit))
                version += 1
            case "propose":
                await _persistent(partial(person.supersedes, proposed, words))
            case _:
                page = native_pb.RenderPageRequest(name=person.name(edited), page=1, long_side=100 + version % 3)
                await _persistent(partial(person.native.RenderPage, page))


async def _uploaded(person: Participant, words: str) -> str:
    upload = partial(person.uploads, document(words), request_id=new_request_id())
    return (await _persistent(upload)).applied.artifact_id


async def _persistent(call: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Repeat a call, under the same request id where it has one, until it is done or a repeat cannot mend it."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                if refusal is None or refusal.reason != "PEER_UNAVAILABLE":
                    raise


async def _collects(keeper: Participant, writers: "asyncio.Future[Any]") -> None:
    """Collect again and again, until enough is gone; a writer that fails ends it."""
    collected = 0
    async with asyncio.timeout(60):
        while collected < COLLECTED:
            collected += (await keeper.collects())[0]
            await asyncio.wait([writers], timeout=0.02)
            assert not writers.done()


async def _collects_and_dies(settings: FilesSettings, ada: Identity, moment: str, folder: Path) -> None:
    """Collect in a server that its first deletion kills, before or after it."""
    place = folder / moment
    place.mkdir()
    command = (sys.executable, "-m", "service.files.dying_collector", moment)
    async with (
        files_program(settings, place, command) as program,
        participant(program.address, ada, "main") as doomed,
        asyncio.timeout(60),
    ):
        while program.service.process.returncode is None:
            try:
                await doomed.collects()
            except grpc.aio.AioRpcError:
                await program.service.process.wait()


async def _whole_revisions(person: Participant) -> int:
    """Read every revision of every file in each of its ways; how many there are."""
    listing = artifacts_pb.ListArtifactsRequest(workspace=person.scope, page_size=500)
    count = 0
    for artifact in (await person.artifacts.ListArtifacts(listing)).artifacts:
        for version in range(1, artifact.version + 1):
            await _reads(person, artifact.artifact_id, version)
            count += 1
    return count


async def _reads(person: Participant, artifact_id: str, version: int) -> None:
    header, content = await person.downloads(artifact_id, version)
    assert hashlib.sha256(content).digest() == header.sha256
    request: dict[str, Any] = {"name": person.name(artifact_id), "version": version}
    text = await person.native.ReadText(native_pb.ReadTextRequest(**request))
    assert len(text.text) == text.total_chars
    review = await person.native.ReadReview(native_pb.ReadReviewRequest(**request))
    assert len(review.items) == review.total_items
