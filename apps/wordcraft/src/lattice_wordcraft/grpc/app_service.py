"""The servicer of `lattice.app.v1.AppService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any, Final, TypeAlias

import grpc
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice_chassis.content import opened, receiving
from lattice_chassis.errors import ValidationFailed

from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.finding import found
from lattice_wordcraft.grpc import translation
from lattice_wordcraft.wordcraft import WordCraft

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

NAME: Final = "wordcraft"
INTEGRATION_KEY: Final = "files:wordcraft"

_DEFAULT_FOUND: Final = 10
_MAX_FOUND: Final = 50
_MIN_LONG_SIDE: Final = 100
_MAX_LONG_SIDE: Final = 1600


class AppServicer(app_grpc.AppServiceServicer):
    """Answers one app's contract; keeps nothing of a call itself."""

    def __init__(self, app: WordCraft, max_file_bytes: int) -> None:
        self._app = app
        self._max_file_bytes = max_file_bytes

    async def Describe(self, _request: app_pb.DescribeRequest, _context: Context) -> app_pb.DescribeResponse:
        """See the contract. The renderer is part of the version, since its images are cached by it."""
        return app_pb.DescribeResponse(
            name=NAME,
            integration_key=INTEGRATION_KEY,
            version=f"{version('lattice-wordcraft')}+{self._app.renderer_name}",
            formats=[translation.FORMAT],
        )

    async def ListCommands(
        self, _request: app_pb.ListCommandsRequest, _context: Context
    ) -> app_pb.ListCommandsResponse:
        """See the contract."""
        return app_pb.ListCommandsResponse(commands=[translation.command(it) for it in CATALOGUE.values()])

    async def FindCommands(self, request: app_pb.FindCommandsRequest, _context: Context) -> app_pb.FindCommandsResponse:
        """See the contract."""
        if len(request.query) > translation.MAX_QUERY_CHARS:
            raise ValidationFailed(errors=[("query", f"takes at most {translation.MAX_QUERY_CHARS} characters")])
        limit = request.limit or _DEFAULT_FOUND
        if not 1 <= limit <= _MAX_FOUND:
            raise ValidationFailed(errors=[("limit", f"is from 1 to {_MAX_FOUND}")])
        return app_pb.FindCommandsResponse(commands=[translation.command(it) for it in found(request.query, limit)])

    async def Extract(
        self, request_iterator: AsyncIterator[app_pb.ExtractRequest], _context: Context
    ) -> AsyncIterator[app_pb.ExtractResponse]:
        """See the contract."""
        first, chunks = await opened(request_iterator)
        view = translation.view(first.header.view)
        extract = await self._app.extract(await self._content(first.header.file, chunks), view)
        outputs = translation.extract(extract)
        for chunk in translation.chunks(outputs):
            yield app_pb.ExtractResponse(chunk=chunk)
        end = app_pb.ExtractEnd(outputs=translation.summaries(outputs), review_count=len(extract.review))
        yield app_pb.ExtractResponse(end=end)

    async def ApplyBatch(
        self, request_iterator: AsyncIterator[app_pb.ApplyBatchRequest], _context: Context
    ) -> AsyncIterator[app_pb.ApplyBatchResponse]:
        """See the contract."""
        first, chunks = await opened(request_iterator)
        batch = translation.batch(first.header)
        applied, extract = await self._app.apply(batch, await self._content(first.header.file, chunks))
        outputs = {app_pb.OUTPUT_NATIVE: applied.content, **translation.extract(extract)}
        for chunk in translation.chunks(outputs):
            yield app_pb.ApplyBatchResponse(chunk=chunk)
        end = app_pb.ApplyBatchEnd(
            outputs=translation.summaries(outputs),
            review_count=len(extract.review),
            changed_parts=applied.changed_parts,
        )
        yield app_pb.ApplyBatchResponse(end=end)

    async def RenderPage(
        self, request_iterator: AsyncIterator[app_pb.RenderPageRequest], _context: Context
    ) -> AsyncIterator[app_pb.RenderPageResponse]:
        """See the contract."""
        first, chunks = await opened(request_iterator)
        header = first.header
        long_side = header.long_side or _MAX_LONG_SIDE
        if not _MIN_LONG_SIDE <= long_side <= _MAX_LONG_SIDE:
            raise ValidationFailed(errors=[("long_side", f"is from {_MIN_LONG_SIDE} to {_MAX_LONG_SIDE}")])
        page = await self._app.page(await self._content(header.file, chunks), header.page, long_side)
        outputs = {app_pb.OUTPUT_PAGE: page.png}
        for chunk in translation.chunks(outputs):
            yield app_pb.RenderPageResponse(chunk=chunk)
        end = app_pb.RenderPageEnd(
            outputs=translation.summaries(outputs), page_count=page.page_count, width=page.width, height=page.height
        )
        yield app_pb.RenderPageResponse(end=end)

    async def _content(self, header: app_pb.FileHeader, chunks: AsyncIterator[bytes]) -> bytes:
        """The file behind its header, which it has to match."""
        async with receiving(chunks, translation.declared(header), limit=self._max_file_bytes) as file:
            return file.read()
