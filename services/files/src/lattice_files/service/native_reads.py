"""Reading native files: bytes, words, review, commands and pages; while the app is off, too [N-05, AMB-05]."""

import codecs
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final

from lattice_chassis.content import chunks_of

from lattice_files.domain.apps import App, CatalogueCommand, PageImage, TextView
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.content import Content
from lattice_files.domain.native import NativeFile, native_file
from lattice_files.domain.rejections import BlobMissing, PeerUnavailable, QuotaExceeded, UnknownIntegration
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service import contents
from lattice_files.service.reads import require_artifact
from lattice_files.service.resources import Resources
from lattice_files.store import blobs, pages
from lattice_files.store.blobs import BlobKind, NewBlob
from lattice_files.store.pages import CachedPage, PageKey

_RETOUCHES: Final = 24
"""How many times within the grace the use of a cached page is noted at the most; once an hour of a day."""


@dataclass(frozen=True, kw_only=True)
class FileVersion:
    """A native file at one version."""

    artifact: Artifact
    file: NativeFile

    @property
    def version(self) -> int:
        """The version."""
        return self.artifact.version


@dataclass(frozen=True, kw_only=True)
class TextPiece:
    """Some of a file's words; offsets hold for the version [F-16]."""

    version: int
    text: str
    next_start: int
    """Where to read on; 0 at the end."""
    total_chars: int


@dataclass(frozen=True, kw_only=True)
class ReviewPiece:
    """Some of a file's review."""

    version: int
    items: Sequence[Mapping[str, Any]]
    next_start: int
    """Where to read on; 0 at the end."""
    total_items: int


@dataclass(frozen=True, kw_only=True)
class AppStatus:
    """Whether an app is on in a workspace."""

    app: App
    enabled: bool


async def open_version(resources: Resources, scope: WorkspaceKey, artifact_id: str, version: int | None) -> FileVersion:
    """A native file at its current version, or at a named one."""
    async with resources.unit.reading(scope) as reading:
        artifact = (await require_artifact(reading, artifact_id, version)).artifact
    return FileVersion(artifact=artifact, file=native_file(artifact))


def download(resources: Resources, scope: WorkspaceKey, file: NativeFile) -> AsyncGenerator[bytes, None]:
    """The file's bytes in chunks of at most 64 KiB."""
    return resources.blobs.read(scope, file.digest)


async def read_text(
    resources: Resources,
    scope: WorkspaceKey,
    artifact_id: str,
    version: int | None,
    *,
    view: TextView,
    start: int,
    limit: int,
) -> TextPiece:
    """At most `limit` characters from `start` on; none from the end on [F-15, F-16].

    The final view is stored with the version; the original one is derived by the app for each call.
    """
    opened = await open_version(resources, scope, artifact_id, version)
    if view is TextView.ORIGINAL:
        text, total = await _original(resources, scope, opened, start, limit)
    else:
        total = opened.file.text_chars
        stored = resources.blobs.read(scope, opened.file.text_digest)
        text = "" if start >= total else await _piece(stored, start, limit)
    end = start + len(text)
    return TextPiece(version=opened.version, text=text, next_start=end if end < total else 0, total_chars=total)


async def read_review(
    resources: Resources, scope: WorkspaceKey, artifact_id: str, version: int | None, *, start: int, limit: int
) -> ReviewPiece:
    """At most `limit` comments and tracked changes from `start` on, in the document's order [N-14]."""
    opened = await open_version(resources, scope, artifact_id, version)
    chunks = [chunk async for chunk in resources.blobs.read(scope, opened.file.review_digest)]
    items: list[Mapping[str, Any]] = json.loads(b"".join(chunks))
    end = start + limit
    return ReviewPiece(
        version=opened.version,
        items=items[start:end],
        next_start=end if end < len(items) else 0,
        total_items=len(items),
    )


async def app_status(resources: Resources, scope: WorkspaceKey) -> Sequence[AppStatus]:
    """Whether each app is on, asked now: the one way in which that reaches the agent [MP-01, N-07].

    Raises:
        PeerUnavailable: integrations cannot be reached [AMB-04].
    """
    return [
        AppStatus(app=app, enabled=(await resources.switches.check(scope, app.integration_key)).enabled)
        for app in resources.workers.apps
    ]


async def find_commands(
    resources: Resources, scope: WorkspaceKey, kind: str, query: str, limit: int
) -> Sequence[tuple[CatalogueCommand, bool]]:
    """At most `limit` commands, best first, each with whether its app is on; of every app without a kind [F-17].

    An app of which nobody can tell now is told as off: that is how its writes are answered.
    """
    apps = [contents.app_of(resources, kind)[0]] if kind else list(resources.workers.apps)
    found = []
    for app in apps:
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            commands = await worker.find_commands(query, limit)
        enabled = await _is_on(resources, scope, app)
        found.append([(command, enabled) for command in commands])
    ranked = chain.from_iterable(zip_longest(*found))  # no rank across apps: the best of each, then the next ones
    return [it for it in ranked if it is not None][:limit]


async def render_page(
    resources: Resources, scope: WorkspaceKey, artifact_id: str, version: int | None, *, page: int, long_side: int
) -> tuple[int, PageImage]:
    """The version that was rendered, and a page of it; the app renders what is not in the cache [F-13, F-14]."""
    opened = await open_version(resources, scope, artifact_id, version)
    app, file_format = contents.app_of(resources, opened.artifact.kind)
    digest = opened.file.digest
    key = PageKey(digest=digest, app=app.name, app_version=app.version, page=page, long_side=long_side)
    cached = await _cached(resources, scope, key)
    if cached is not None:
        return opened.version, cached
    async with resources.spool.folder(scope, opened.file.size) as folder:
        content = await resources.blobs.fetch(scope, digest, folder)
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            image = await worker.render_page(content, file_format, page, long_side, folder)
        png = contents.written(image.png, folder / "page")
        await _cache(resources, scope, key, png, image)
    return opened.version, image


async def _original(
    resources: Resources, scope: WorkspaceKey, opened: FileVersion, start: int, limit: int
) -> tuple[str, int]:
    """A piece of the text before all tracked changes, and how many characters that has."""
    app, file_format = contents.app_of(resources, opened.artifact.kind)
    async with resources.spool.folder(scope, opened.file.size) as folder:
        content = await resources.blobs.fetch(scope, opened.file.digest, folder)
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            derived = await worker.extract(content, file_format, folder, TextView.ORIGINAL)
        return await _piece(_chunks_of(derived.text.path), start, limit), derived.text_chars


async def _chunks_of(path: Path) -> AsyncGenerator[bytes, None]:
    with path.open("rb") as file:
        for chunk in chunks_of(file):
            yield chunk


async def _piece(blob: AsyncGenerator[bytes, None], start: int, limit: int) -> str:
    """Characters of a text, decoded as it streams: offsets are characters, and the blob has bytes."""
    decoder, pieces, wanted = codecs.getincrementaldecoder("utf-8")(), [], limit
    async with aclosing(blob) as chunks:
        async for chunk in chunks:
            text = decoder.decode(chunk)
            piece = text[start : start + wanted]
            start = max(0, start - len(text))
            wanted -= len(piece)
            pieces.append(piece)
            if not wanted:
                break
    return "".join(pieces)


async def _is_on(resources: Resources, scope: WorkspaceKey, app: App) -> bool:
    try:
        return (await resources.switches.check(scope, app.integration_key)).enabled
    except (PeerUnavailable, UnknownIntegration):
        return False


async def _cached(resources: Resources, scope: WorkspaceKey, key: PageKey) -> PageImage | None:
    """The page from the cache, whose use keeps its image for another grace; None where it is not, or no more, there."""
    async with resources.unit.reading(scope) as reading:
        page = await pages.load(reading, key)
        if page is None:
            return None
        await blobs.retouch(reading, page.image_digest, every=resources.limits.collection_grace / _RETOUCHES)
    try:
        chunks = [chunk async for chunk in resources.blobs.read(scope, page.image_digest)]
    except BlobMissing:
        return None  # a page can be made again, so unlike a file's blob it may go at any time [B-05]
    return PageImage(png=b"".join(chunks), page_count=page.page_count, width=page.width, height=page.height)


async def _cache(resources: Resources, scope: WorkspaceKey, key: PageKey, png: Content, image: PageImage) -> None:
    try:
        await contents.store_blobs(resources, scope, [NewBlob(kind=BlobKind.PAGE, content=png)])
    except QuotaExceeded:
        return  # reading needs no room: the page is rendered again the next time
    async with resources.unit.reading(scope) as reading:
        page = CachedPage(image_digest=png.digest, page_count=image.page_count, width=image.width, height=image.height)
        await pages.save(reading, key, page)
