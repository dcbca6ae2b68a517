"""The servicer of `lattice.files.v1.NativeFilesService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

import grpc
from lattice.files.v1 import native_files_service_pb2 as pb
from lattice.files.v1 import native_files_service_pb2_grpc as pb_grpc
from lattice_chassis.content import Digest, opened, sending
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.paging import PageTokenInvalid, page_token, position_of

from lattice_files.grpc import commands_from_proto, from_proto, to_proto
from lattice_files.service import check_ins, check_outs, collection, edits, native_reads, previews, uploads
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

_SERVICE: Final = "lattice.files.v1.NativeFilesService"
_MAX_TEXT_CHANGES: Final = 100
_ITEM_TYPES: Final = {
    "comment": pb.REVIEW_ITEM_TYPE_COMMENT,
    "tracked_change": pb.REVIEW_ITEM_TYPE_TRACKED_CHANGE,
    "external_target": pb.REVIEW_ITEM_TYPE_EXTERNAL_TARGET,
}


class NativeFilesServicer(pb_grpc.NativeFilesServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def UploadFile(
        self, request_iterator: AsyncIterator[pb.UploadFileRequest], _context: Context
    ) -> pb.UploadFileResponse:
        """See the contract."""
        first, chunks = await opened(request_iterator)
        header = first.header
        scope, command = from_proto.workspace(header.workspace), commands_from_proto.upload(header)
        declared = Digest(size=header.size, sha256=header.sha256)
        call = from_proto.call(scope, f"{_SERVICE}/UploadFile", header)
        outcome = await uploads.upload(self._resources, call, command, declared, chunks)
        return pb.UploadFileResponse(outcome=to_proto.outcome(outcome))

    async def DownloadFile(
        self, request: pb.DownloadFileRequest, _context: Context
    ) -> AsyncIterator[pb.DownloadFileResponse]:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        version = from_proto.version(request.version)
        found = await native_reads.open_version(self._resources, scope, artifact_id, version)
        header = pb.DownloadHeader(
            version=found.version,
            file_name=found.file.name,
            media_type=found.file.media_type,
            size=found.file.size,
            sha256=bytes.fromhex(found.file.digest),
        )
        async with aclosing(native_reads.download(self._resources, scope, found.file)) as chunks:
            first = pb.DownloadFileResponse(header=header)
            async for message in sending(first, chunks, lambda chunk: pb.DownloadFileResponse(chunk=chunk)):
                yield message

    async def CheckOut(self, request: pb.CheckOutRequest, _context: Context) -> pb.CheckOutResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/CheckOut", request)
        lent = await check_outs.check_out(self._resources, call, artifact_id)
        return pb.CheckOutResponse(check_out=to_proto.check_out(scope, lent))

    async def ExtendCheckOut(self, request: pb.ExtendCheckOutRequest, _context: Context) -> pb.ExtendCheckOutResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/ExtendCheckOut", request)
        token = from_proto.token(request.token)
        lent = await check_outs.extend_check_out(self._resources, call, artifact_id, token)
        return pb.ExtendCheckOutResponse(check_out=to_proto.check_out(scope, lent))

    async def CheckIn(
        self, request_iterator: AsyncIterator[pb.CheckInRequest], _context: Context
    ) -> pb.CheckInResponse:
        """See the contract."""
        first, chunks = await opened(request_iterator)
        header = first.header
        scope, _ = from_proto.artifact(header.name)
        call = from_proto.call(scope, f"{_SERVICE}/CheckIn", header)
        command, declared = commands_from_proto.check_in(header), Digest(size=header.size, sha256=header.sha256)
        outcome = await check_ins.check_in(self._resources, call, command, declared, chunks)
        return pb.CheckInResponse(outcome=to_proto.outcome(outcome))

    async def ReleaseCheckOut(
        self, request: pb.ReleaseCheckOutRequest, _context: Context
    ) -> pb.ReleaseCheckOutResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        token = from_proto.token(request.token) if request.token else None
        caller = from_proto.caller()
        released = await check_outs.release_check_out(self._resources, scope, caller, artifact_id, token)
        return pb.ReleaseCheckOutResponse(released=released)

    async def BreakCheckOut(self, request: pb.BreakCheckOutRequest, _context: Context) -> pb.BreakCheckOutResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/BreakCheckOut", request)
        reason = from_proto.text("reason", request.reason, from_proto.MAX_REASON)
        answer = await check_outs.break_check_out(self._resources, call, artifact_id, reason)
        broken = answer.broken
        return pb.BreakCheckOutResponse(
            broken=None if broken is None else to_proto.lease(scope, artifact_id, broken.lease)
        )

    async def ListBrokenCheckOuts(
        self, request: pb.ListBrokenCheckOutsRequest, _context: Context
    ) -> pb.ListBrokenCheckOutsResponse:
        """See the contract."""
        scope, limit = from_proto.workspace(request.workspace), from_proto.page_size(request.page_size)
        found = await check_outs.list_broken_check_outs(
            self._resources, scope, from_proto.caller(), after=_place(request), limit=limit + 1
        )
        page = to_proto.fitting(to_proto.broken_check_out(scope, it) for it in found[:limit])
        token = ""
        if len(found) > len(page):
            last = found[len(page) - 1]
            token = page_token(request, [last.broken_at.isoformat(), last.artifact_id])
        return pb.ListBrokenCheckOutsResponse(broken_check_outs=page, next_page_token=token)

    async def GetLease(self, request: pb.GetLeaseRequest, _context: Context) -> pb.GetLeaseResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        lease, counter = await check_outs.read_lease(self._resources, scope, artifact_id)
        return pb.GetLeaseResponse(
            lease=None if lease is None else to_proto.lease(scope, artifact_id, lease), token_counter=counter
        )

    async def ListCheckOuts(self, request: pb.ListCheckOutsRequest, _context: Context) -> pb.ListCheckOutsResponse:
        """See the contract."""
        scope, limit = from_proto.workspace(request.workspace), from_proto.page_size(request.page_size)
        found = await check_outs.list_check_outs(self._resources, scope, after=_place(request), limit=limit + 1)
        page, more = found[:limit], len(found) > limit
        return pb.ListCheckOutsResponse(
            leases=[to_proto.lease(scope, artifact_id, lease) for artifact_id, lease in page],
            next_page_token=page_token(request, [page[-1][1].acquired_at.isoformat(), page[-1][0]]) if more else "",
        )

    async def Edit(self, request: pb.EditRequest, _context: Context) -> pb.EditResponse:
        """See the contract."""
        scope, _ = from_proto.artifact(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/Edit", request)
        answer = await edits.edit(self._resources, call, commands_from_proto.edit(request))
        return pb.EditResponse(outcome=to_proto.outcome(answer.outcome), changed_parts=answer.changed_parts)

    async def PreviewEdit(self, request: pb.PreviewEditRequest, _context: Context) -> pb.PreviewEditResponse:
        """See the contract."""
        scope, _ = from_proto.artifact(request.name)
        caller, command = from_proto.caller(), commands_from_proto.previewed_edit(request)
        told = await previews.preview_edit(self._resources, scope, caller, command)
        return pb.PreviewEditResponse(
            changed_parts=told.changed_parts,
            text_changes=[
                pb.TextChange(before=it.before, after=it.after) for it in told.text_changes[:_MAX_TEXT_CHANGES]
            ],
            total_text_changes=len(told.text_changes),
            review_count=told.review_count,
        )

    async def GetAppStatus(self, request: pb.GetAppStatusRequest, _context: Context) -> pb.GetAppStatusResponse:
        """See the contract."""
        statuses = await native_reads.app_status(self._resources, from_proto.workspace(request.workspace))
        apps = [
            pb.AppStatus(integration_key=it.app.integration_key, enabled=it.enabled, kinds=it.app.kinds)
            for it in sorted(statuses, key=lambda it: it.app.integration_key)
        ]
        return pb.GetAppStatusResponse(apps=apps)

    async def ReadText(self, request: pb.ReadTextRequest, _context: Context) -> pb.ReadTextResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        piece = await native_reads.read_text(
            self._resources,
            scope,
            artifact_id,
            from_proto.version(request.version),
            view=from_proto.text_view(request.view),
            start=from_proto.start(request.start),
            limit=from_proto.bounded("max_chars", request.max_chars, 1, 100_000, 8_000),
        )
        return pb.ReadTextResponse(
            version=piece.version, text=piece.text, next_start=piece.next_start, total_chars=piece.total_chars
        )

    async def ReadReview(self, request: pb.ReadReviewRequest, _context: Context) -> pb.ReadReviewResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        piece = await native_reads.read_review(
            self._resources,
            scope,
            artifact_id,
            from_proto.version(request.version),
            start=from_proto.start(request.start),
            limit=from_proto.bounded("max_items", request.max_items, 1, 500, 50),
        )
        return pb.ReadReviewResponse(
            version=piece.version,
            items=map(_review_item, piece.items),
            next_start=piece.next_start,
            total_items=piece.total_items,
        )

    async def FindCommands(self, request: pb.FindCommandsRequest, _context: Context) -> pb.FindCommandsResponse:
        """See the contract."""
        found = await native_reads.find_commands(
            self._resources,
            from_proto.workspace(request.workspace),
            from_proto.text("kind", request.kind, 200),
            from_proto.text("query", request.query, from_proto.MAX_QUERY),
            from_proto.bounded("limit", request.limit, 1, 50, 10),
        )
        commands = [
            pb.FoundCommand(
                id=command.id,
                label=command.label,
                description=command.description,
                arguments_schema_json=command.arguments_schema_json,
                example_json=command.example_json,
                enabled=enabled,
            )
            for command, enabled in found
        ]
        return pb.FindCommandsResponse(commands=commands)

    async def RenderPage(self, request: pb.RenderPageRequest, _context: Context) -> pb.RenderPageResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        if request.page < 1:
            raise ValidationFailed(errors=[("page", "is not 1 or more")])
        version, image = await native_reads.render_page(
            self._resources,
            scope,
            artifact_id,
            from_proto.version(request.version),
            page=request.page,
            long_side=from_proto.bounded("long_side", request.long_side, 100, 1_600, 1_600),
        )
        return pb.RenderPageResponse(
            version=version, png=image.png, page_count=image.page_count, width=image.width, height=image.height
        )

    async def CollectBlobs(self, request: pb.CollectBlobsRequest, _context: Context) -> pb.CollectBlobsResponse:
        """See the contract."""
        scope, caller = from_proto.workspace(request.workspace), from_proto.caller()
        collected = await collection.collect(self._resources, scope, caller, dry_run=request.dry_run)
        return pb.CollectBlobsResponse(blobs=collected.blobs, bytes=collected.size)


def _place(request: pb.ListCheckOutsRequest | pb.ListBrokenCheckOutsRequest) -> tuple[datetime, str] | None:
    """Where the page begins, in the order of the list."""
    position = position_of(request, str, str)
    if position is None:
        return None
    acquired, artifact_id = map(str, position)
    try:
        time = datetime.fromisoformat(acquired)
    except ValueError:
        raise PageTokenInvalid from None
    if time.utcoffset() != timedelta():
        raise PageTokenInvalid  # ours are UTC; other offsets may lie outside of what the database can hold
    return time, artifact_id


def _review_item(item: Mapping[str, Any]) -> pb.ReviewItem:
    """An item as the app gave it; fields that the contract does not have are left out."""
    named = ("author", "date", "text", "anchored_text", "state", "parent_id")
    texts = {name: item[name] for name in named if isinstance(item.get(name), str)}
    return pb.ReviewItem(id=item["id"], type=_ITEM_TYPES[item["type"]], **texts)
