"""The client of native files: what files offers, on behalf of one participant a call.

The seed's NativeFiles takes an Integrations; this one does not: files enforces the switch for every surface at once, so
no client could forget to ask [MP-02].
"""

from collections.abc import Sequence
from uuid import uuid4

import grpc
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice_chassis.content import Digest, sending

from artifactr.core.actors import Caller
from artifactr.core.outcomes import Applied, Outcome
from artifactr.files.calls import EDIT_TIMEOUT, artifact_name, calling_as, proposal_name, workspace_name
from artifactr.files.values import (
    App,
    CheckOut,
    Command,
    FoundCommand,
    PageImage,
    ReviewItem,
    ReviewPage,
    TextPage,
)
from artifactr.ports import Write
from artifactr.wire import writes


class NativeFiles:
    """Native files over a channel that forwards the current identity.

    Safe for concurrent use. Every method raises a `Rejection`, an `AppFailure` or `PeerUnavailable`, see `refusals`; a
    cancelled write may still have taken effect, which a repeat with its `request_id` tells [WP-07].
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._files = NativeFilesServiceStub(channel)

    async def apps(self, caller: Caller) -> tuple[App, ...]:
        """Every app of native files, and whether it is on in the caller's workspace."""
        with calling_as(caller):
            answer = await self._files.GetAppStatus(native_pb.GetAppStatusRequest(workspace=workspace_name(caller)))
        return tuple(
            App(integration=app.integration_key, enabled=app.enabled, kinds=frozenset(app.kinds)) for app in answer.apps
        )

    async def enabled(self, caller: Caller) -> bool:
        """Whether an app of native files is on in the caller's workspace [N-07]."""
        return any(app.enabled for app in await self.apps(caller))

    async def key_of(self, caller: Caller, kind: str) -> str | None:
        """The key of the integration that governs a kind; None for a kind that no app serves [I-10]."""
        return next((app.integration for app in await self.apps(caller) if kind in app.kinds), None)

    async def upload(
        self, caller: Caller, file_name: str, content: bytes, *, artifact_id: str = "", write: Write | None = None
    ) -> Outcome:
        """Make a new artifact from a file whose extension names its format [F-01]."""
        digest = Digest.of(content)
        header = native_pb.UploadHeader(
            workspace=workspace_name(caller),
            file_name=file_name,
            size=digest.size,
            sha256=digest.sha256,
            artifact_id=artifact_id,
            context=writes.context(write or Write(request_id=_request_id())),
        )
        parts = sending(
            native_pb.UploadFileRequest(header=header), content, lambda chunk: native_pb.UploadFileRequest(chunk=chunk)
        )
        with calling_as(caller):
            answer = await self._files.UploadFile(parts)
        return writes.outcome(answer.outcome)

    async def check_out(self, caller: Caller, artifact_id: str, *, request_id: str = "") -> CheckOut:
        """Lend a native file to a person, who alone may write it until the check-out ends [F-02]."""
        request = native_pb.CheckOutRequest(
            name=artifact_name(caller, artifact_id), request_id=request_id or _request_id()
        )
        with calling_as(caller):
            answer = await self._files.CheckOut(request)
        return CheckOut.of(artifact_id, answer.check_out)

    async def extend(self, caller: Caller, check_out: CheckOut, *, request_id: str = "") -> CheckOut:
        """Put off the end of a check-out [F-03]."""
        request = native_pb.ExtendCheckOutRequest(
            name=artifact_name(caller, check_out.artifact_id),
            token=check_out.token,
            request_id=request_id or _request_id(),
        )
        with calling_as(caller):
            answer = await self._files.ExtendCheckOut(request)
        return CheckOut.of(check_out.artifact_id, answer.check_out)

    async def check_in(
        self, caller: Caller, check_out: CheckOut, content: bytes, *, summary: str = "", request_id: str = ""
    ) -> Applied:
        """Make the person's copy the newest version and end the check-out in the same commit [F-04, F-05]."""
        digest = Digest.of(content)
        header = native_pb.CheckInHeader(
            name=artifact_name(caller, check_out.artifact_id),
            token=check_out.token,
            size=digest.size,
            sha256=digest.sha256,
            summary=summary,
            request_id=request_id or _request_id(),
        )
        parts = sending(
            native_pb.CheckInRequest(header=header), content, lambda chunk: native_pb.CheckInRequest(chunk=chunk)
        )
        with calling_as(caller):
            answer = await self._files.CheckIn(parts)
        outcome = writes.outcome(answer.outcome)
        if not isinstance(outcome, Applied):
            raise TypeError("a check-in applies, it is never proposed [F-04]")
        return outcome

    async def release(self, caller: Caller, check_out: CheckOut) -> bool:
        """End one's own check-out without a new version; tells whether it was live [F-06]."""
        request = native_pb.ReleaseCheckOutRequest(
            name=artifact_name(caller, check_out.artifact_id), token=check_out.token
        )
        with calling_as(caller):
            return (await self._files.ReleaseCheckOut(request)).released

    async def edit(
        self,
        caller: Caller,
        artifact_id: str,
        base_version: int,
        commands: Sequence[Command],
        summary: str,
        *,
        base_proposal: str = "",
        write: Write | None = None,
    ) -> Outcome:
        """Apply a batch of app commands to the current version, all or nothing; tracked for agents [F-07].

        `base_proposal` is one's own pending proposal to build on instead, whose place the new one takes [F-11].
        """
        request = native_pb.EditRequest(
            name=artifact_name(caller, artifact_id),
            base_version=base_version,
            commands=[native_pb.AppCommand(command=it.id, arguments_json=it.arguments) for it in commands],
            summary=summary,
            base_proposal=proposal_name(caller, base_proposal) if base_proposal else "",
            context=writes.context(write or Write(request_id=_request_id())),
        )
        with calling_as(caller):
            answer = await self._files.Edit(request, timeout=EDIT_TIMEOUT.total_seconds())
        return writes.outcome(answer.outcome)

    async def read_text(self, caller: Caller, artifact_id: str, *, start: int, max_chars: int) -> TextPage:
        """Some of the current version's words, from a character on."""
        request = native_pb.ReadTextRequest(name=artifact_name(caller, artifact_id), start=start, max_chars=max_chars)
        with calling_as(caller):
            answer = await self._files.ReadText(request)
        return TextPage(
            version=answer.version,
            text=answer.text,
            next_start=answer.next_start or None,
            total_chars=answer.total_chars,
        )

    async def read_review(self, caller: Caller, artifact_id: str, *, start: int, max_items: int) -> ReviewPage:
        """Some of the current version's comments and tracked changes, from an item on."""
        request = native_pb.ReadReviewRequest(name=artifact_name(caller, artifact_id), start=start, max_items=max_items)
        with calling_as(caller):
            answer = await self._files.ReadReview(request)
        return ReviewPage(
            version=answer.version,
            items=tuple(map(ReviewItem.of, answer.items)),
            next_start=answer.next_start or None,
            total_items=answer.total_items,
        )

    async def find_commands(self, caller: Caller, query: str, *, limit: int) -> tuple[FoundCommand, ...]:
        """Commands that fit plain words, best first; an empty query lists the first ones [F-17]."""
        request = native_pb.FindCommandsRequest(workspace=workspace_name(caller), query=query, limit=limit)
        with calling_as(caller):
            answer = await self._files.FindCommands(request)
        return tuple(map(FoundCommand.of, answer.commands))

    async def render(self, caller: Caller, artifact_id: str, page: int) -> PageImage:
        """One page of the current version as an image; pages count from 1 [F-13, F-14]."""
        request = native_pb.RenderPageRequest(name=artifact_name(caller, artifact_id), page=page)
        with calling_as(caller):
            answer = await self._files.RenderPage(request)
        return PageImage(
            version=answer.version,
            page=page,
            page_count=answer.page_count,
            png=answer.png,
            width=answer.width,
            height=answer.height,
        )


def _request_id() -> str:
    return str(uuid4())
