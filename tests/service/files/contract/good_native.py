"""Good calls of NativeFilesService."""

import hashlib
from collections.abc import Sequence
from typing import Final

from google.protobuf.message import Message
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import text_pb2
from service.files.contract.good_call import GoodCall, context, fenced_proposal, one
from service.files.contract.places import Place, broken, file, lent, proposed_batch
from service.files.people import document, new_request_id

CONTENT: Final = document("One.", "Two.")
"""What is uploaded and checked in."""


def _command() -> native_pb.AppCommand:
    return native_pb.AppCommand(command="append_paragraph", arguments_json='{"text": "New."}')


def _upload(place: Place) -> Sequence[Message]:
    header = native_pb.UploadHeader(
        workspace=place.name,
        file_name="plan.fake",
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).digest(),
        artifact_id="uploaded",
        context=context(),
    )
    return [native_pb.UploadFileRequest(header=header), native_pb.UploadFileRequest(chunk=CONTENT)]


def _check_in(place: Place) -> Sequence[Message]:
    header = native_pb.CheckInHeader(
        name=place.artifact("returned"),
        token=1,
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).digest(),
        summary="a second paragraph",
        request_id=new_request_id(),
    )
    return [native_pb.CheckInRequest(header=header), native_pb.CheckInRequest(chunk=CONTENT)]


NATIVE: Final = (
    GoodCall(method="NativeFilesService/UploadFile", requests=_upload),
    GoodCall(
        method="NativeFilesService/DownloadFile",
        requests=one(lambda place: native_pb.DownloadFileRequest(name=place.artifact("lent"), version=1)),
        needs=(file("lent"),),
    ),
    GoodCall(
        method="NativeFilesService/CheckOut",
        requests=one(lambda place: native_pb.CheckOutRequest(name=place.artifact("lent"), request_id=new_request_id())),
        needs=(file("lent"),),
    ),
    GoodCall(
        method="NativeFilesService/ExtendCheckOut",
        requests=one(
            lambda place: native_pb.ExtendCheckOutRequest(
                name=place.artifact("extended"), token=1, request_id=new_request_id()
            )
        ),
        needs=(lent("extended"),),
    ),
    GoodCall(method="NativeFilesService/CheckIn", requests=_check_in, needs=(lent("returned"),)),
    GoodCall(
        method="NativeFilesService/ReleaseCheckOut",
        requests=one(lambda place: native_pb.ReleaseCheckOutRequest(name=place.artifact("released"), token=1)),
        needs=(lent("released"),),
    ),
    GoodCall(
        method="NativeFilesService/BreakCheckOut",
        by="olga",
        requests=one(
            lambda place: native_pb.BreakCheckOutRequest(
                name=place.artifact("forgotten"), reason="it is needed", request_id=new_request_id()
            )
        ),
        needs=(lent("forgotten"),),
    ),
    GoodCall(
        method="NativeFilesService/ListBrokenCheckOuts",
        by="olga",
        requests=one(lambda place: native_pb.ListBrokenCheckOutsRequest(workspace=place.name, page_size=1)),
        needs=(broken("broken"),),
    ),
    GoodCall(
        method="NativeFilesService/GetLease",
        requests=one(lambda place: native_pb.GetLeaseRequest(name=place.artifact("extended"))),
        needs=(lent("extended"),),
    ),
    GoodCall(
        method="NativeFilesService/ListCheckOuts",
        requests=one(lambda place: native_pb.ListCheckOutsRequest(workspace=place.name, page_size=1)),
        needs=(lent("extended"),),
    ),
    GoodCall(
        method="NativeFilesService/Edit",
        requests=one(
            lambda place: native_pb.EditRequest(
                name=place.artifact("rewritten"),
                base_version=1,
                commands=[_command()],
                summary="one more paragraph",
                mode=native_pb.EDIT_MODE_TRACKED,
                context=context(),
            )
        ),
        needs=(file("rewritten"),),
    ),
    GoodCall(
        method="NativeFilesService/Edit",
        label="superseding",
        by="assistant",
        requests=one(
            lambda place: native_pb.EditRequest(
                name=place.artifact("drafted"),
                base_version=1,
                commands=[_command()],
                summary="one more paragraph",
                base_proposal="draft",
                context=fenced_proposal("next-draft"),
            )
        ),
        needs=(proposed_batch("draft", "drafted"),),
    ),
    GoodCall(
        method="NativeFilesService/PreviewEdit",
        requests=one(
            lambda place: native_pb.PreviewEditRequest(
                name=place.artifact("rewritten"),
                base_version=1,
                commands=[_command()],
                mode=native_pb.EDIT_MODE_TRACKED,
            )
        ),
        needs=(file("rewritten"),),
    ),
    GoodCall(
        method="NativeFilesService/PreviewEdit",
        label="superseding",
        by="assistant",
        requests=one(
            lambda place: native_pb.PreviewEditRequest(
                name=place.artifact("drafted"), base_version=1, commands=[_command()], base_proposal="draft"
            )
        ),
        needs=(proposed_batch("draft", "drafted"),),
    ),
    GoodCall(
        method="NativeFilesService/GetAppStatus",
        requests=one(lambda place: native_pb.GetAppStatusRequest(workspace=place.name)),
    ),
    GoodCall(
        method="NativeFilesService/ReadText",
        requests=one(
            lambda place: native_pb.ReadTextRequest(
                name=place.artifact("lent"), version=1, start=1, max_chars=2, view=text_pb2.TEXT_VIEW_ORIGINAL
            )
        ),
        needs=(file("lent"),),
    ),
    GoodCall(
        method="NativeFilesService/ReadReview",
        requests=one(
            lambda place: native_pb.ReadReviewRequest(name=place.artifact("lent"), version=1, start=1, max_items=2)
        ),
        needs=(file("lent"),),
    ),
    GoodCall(
        method="NativeFilesService/FindCommands",
        requests=one(
            lambda place: native_pb.FindCommandsRequest(
                workspace=place.name, kind="native_fake", query="paragraph", limit=2
            )
        ),
    ),
    GoodCall(
        method="NativeFilesService/RenderPage",
        requests=one(
            lambda place: native_pb.RenderPageRequest(name=place.artifact("lent"), version=1, page=1, long_side=200)
        ),
        needs=(file("lent"),),
    ),
    GoodCall(
        method="NativeFilesService/CollectBlobs",
        by="olga",
        requests=one(lambda place: native_pb.CollectBlobsRequest(workspace=place.name, dry_run=True)),
    ),
)
