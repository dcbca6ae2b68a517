"""Calls to one worker: a time limit and checks around the contract of app workers.

Only a refusal that the contract has leaves the worker usable. After anything else it is killed: it
hangs, it died, it broke the contract, or nobody waits for its answer any more.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.content import sending

from lattice_files.adapters import worker_translation as translation
from lattice_files.adapters.worker_answers import AnswerLimits, BrokenContract, ReceivedOutputs, derived, png_size
from lattice_files.adapters.worker_process import WorkerProcess
from lattice_files.domain.apps import Batch, CatalogueCommand, Derived, Format, PageImage, Produced, TextView
from lattice_files.domain.content import Content
from lattice_files.domain.rejections import AppCrashed, AppTimeout

_log: Final = logging.getLogger("lattice.files.app_workers")

_EXTRACTED: Final = (app_pb.OUTPUT_TEXT, app_pb.OUTPUT_REVIEW)
_PRODUCED: Final = (app_pb.OUTPUT_NATIVE, *_EXTRACTED)
_RENDERED: Final = (app_pb.OUTPUT_PAGE,)

_Answer = TypeVar("_Answer", app_pb.ExtractResponse, app_pb.ApplyBatchResponse, app_pb.RenderPageResponse)


class WorkerClient:
    """The port `Worker` on a worker's process, for whoever holds its slot."""

    def __init__(self, process: WorkerProcess, *, time_limit: timedelta, limits: AnswerLimits) -> None:
        self._process = process
        self._stub = process.stub
        self._seconds = time_limit.total_seconds()
        self._limits = limits

    async def extract(
        self, content: Content, file_format: Format, into: Path, view: TextView = TextView.FINAL
    ) -> Derived:
        """The text and the review of a file; see the port."""
        extract_header = app_pb.ExtractHeader(
            file=translation.file_header(content, file_format), view=translation.VIEWS[view]
        )
        header = app_pb.ExtractRequest(header=extract_header)
        async with self._job():
            with content.path.open("rb") as file, ReceivedOutputs(_EXTRACTED, self._limits, into) as received:
                requests = sending(header, file, lambda chunk: app_pb.ExtractRequest(chunk=chunk))
                with _ending(self._stub.Extract(requests, timeout=self._seconds)) as call:
                    end = (await _last(call, received)).end
                outputs = received.finish(end.outputs)
            return await asyncio.to_thread(derived, outputs, end.review_count)

    async def apply_batch(self, content: Content, file_format: Format, batch: Batch, into: Path) -> Produced:
        """The file that a batch makes, with its text and review; see the port."""
        header = app_pb.ApplyBatchRequest(header=translation.batch_header(content, file_format, batch))
        async with self._job():
            with content.path.open("rb") as file, ReceivedOutputs(_PRODUCED, self._limits, into) as received:
                requests = sending(header, file, lambda chunk: app_pb.ApplyBatchRequest(chunk=chunk))
                with _ending(self._stub.ApplyBatch(requests, timeout=self._seconds)) as call:
                    end = (await _last(call, received)).end
                outputs = received.finish(end.outputs)
            return Produced(
                native=outputs[app_pb.OUTPUT_NATIVE],
                derived=await asyncio.to_thread(derived, outputs, end.review_count),
                changed_parts=tuple(sorted(set(end.changed_parts))),
            )

    async def render_page(
        self, content: Content, file_format: Format, page: int, long_side: int, into: Path
    ) -> PageImage:
        """A page as an image; see the port."""
        header = app_pb.PageHeader(file=translation.file_header(content, file_format), page=page, long_side=long_side)
        async with self._job():
            with content.path.open("rb") as file, ReceivedOutputs(_RENDERED, self._limits, into) as received:
                requests = sending(
                    app_pb.RenderPageRequest(header=header), file, lambda chunk: app_pb.RenderPageRequest(chunk=chunk)
                )
                with _ending(self._stub.RenderPage(requests, timeout=self._seconds)) as call:
                    end = (await _last(call, received)).end
                png = received.finish(end.outputs)[app_pb.OUTPUT_PAGE].path.read_bytes()
            if png_size(png) != (end.width, end.height) or max(end.width, end.height) > long_side:
                raise BrokenContract("the image has another size than was declared or asked for")
            if end.page_count < page:
                raise BrokenContract(f"page {page} is beyond the {end.page_count} that were declared")
            return PageImage(png=png, page_count=end.page_count, width=end.width, height=end.height)

    async def find_commands(self, query: str, limit: int) -> Sequence[CatalogueCommand]:
        """The commands that fit a query; see the port."""
        async with self._job():
            request = app_pb.FindCommandsRequest(query=query, limit=limit)
            found = (await self._stub.FindCommands(request, timeout=self._seconds)).commands
            if len(found) > limit:
                raise BrokenContract(f"{len(found)} commands were found, {limit} were asked for")
            return tuple(translation.catalogue_command(command) for command in found)

    @asynccontextmanager
    async def _job(self) -> AsyncIterator[None]:
        """Run one call within the time limit, make its failures the domain's, and kill the worker unless it behaved."""
        if not self._process.is_alive:
            raise AppCrashed
        behaved = False
        try:
            async with asyncio.timeout(self._seconds):
                yield
            behaved = True
        except grpc.aio.AioRpcError as error:
            failure = translation.failure_of(error)
            behaved = isinstance(failure, translation.REFUSALS)
            raise failure from error
        except TimeoutError as error:
            raise AppTimeout from error
        except BrokenContract as error:
            _log.warning("app worker %d broke its contract: %s", self._process.process_id, error)
            raise AppCrashed from error
        finally:
            if not behaved:
                self._process.kill()


@contextmanager
def _ending(call: grpc.aio.StreamStreamCall[Any, _Answer]) -> Iterator[grpc.aio.StreamStreamCall[Any, _Answer]]:
    """The call, cancelled where it is left before its end."""
    try:
        yield call
    finally:
        call.cancel()


async def _last(call: grpc.aio.StreamStreamCall[Any, _Answer], received: ReceivedOutputs) -> _Answer:
    """Receive everything; the answer that carries the end.

    Raises:
        BrokenContract: there is not exactly one end, as the last message.
    """
    last: _Answer | None = None
    async for answer in call:
        part = answer.WhichOneof("part")
        if last is not None or part is None:
            raise BrokenContract("a message without content, or after the end")
        if part == "chunk":
            received.take(answer.chunk)
        else:
            last = answer
    if last is None:
        raise BrokenContract("the answer has no end")
    return last
