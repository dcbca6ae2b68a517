"""Between the domain's values and the contract of app workers."""

import hashlib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.errors import STATUS_OF_REASON, to_status
from lattice_files.adapters import worker_translation as translation
from lattice_files.adapters.worker_answers import BrokenContract
from lattice_files.domain import rejections
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import Batch, ChangeMode, CommandCall, Format
from lattice_files.domain.content import Content
from lattice_files.domain.rejections import Rejection

FAKE = Format(name="fake", media_type="application/x-fake", extension="fake")
CONTENT = Content(path=Path("unread"), size=3, digest=hashlib.sha256(b"abc").hexdigest())


def failed_call(error: BaseException) -> grpc.aio.AioRpcError:
    """How a call ends whose handler raised this."""
    return ended_with(to_status(error))


def ended_with(status: Status) -> grpc.aio.AioRpcError:
    """How a call ends that is answered with this status."""
    (code,) = [it for it in grpc.StatusCode if it.value[0] == status.code]
    trailing = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, status.message)


@pytest.mark.parametrize(
    "refusal",
    [
        rejections.FileRefused(guard="doctype"),
        rejections.AppRefused(why="no such words", command="replace_text", index=3),
        rejections.FileTooLarge(size=10, limit=5),
        rejections.PageOutOfRange(count=2),
        rejections.ValidationFailed(errors=[("header.size", "is required")]),
    ],
    ids=lambda it: it.reason,
)
def test_a_refusal_of_the_contract_arrives_as_it_was(refusal: Rejection) -> None:
    """R-06, F-14: with every field, and the worker may be used again."""
    arrived = translation.failure_of(failed_call(refusal))
    assert (type(arrived), vars(arrived)) == (type(refusal), vars(refusal))
    assert isinstance(arrived, translation.REFUSALS)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (rejections.AppTimeout(), rejections.AppTimeout),
        (rejections.AppCrashed(), rejections.AppCrashed),
        (rejections.NotFound(entity="artifact", id="art_1"), rejections.AppCrashed),
        (ZeroDivisionError("a fault of the app"), rejections.AppCrashed),
    ],
)
def test_anything_else_is_a_failure_of_the_worker(error: BaseException, expected: type[Rejection]) -> None:
    """R-07: a reason that the contract lacks is not passed on."""
    arrived = translation.failure_of(failed_call(error))
    assert type(arrived) is expected
    assert not isinstance(arrived, translation.REFUSALS)


@pytest.mark.parametrize("code", list(grpc.StatusCode))
def test_a_call_that_ends_without_a_reason_is_a_crash_unless_it_was_late(code: grpc.StatusCode) -> None:
    """R-07."""
    ended = grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "gone")
    late = code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert type(translation.failure_of(ended)) is (rejections.AppTimeout if late else rejections.AppCrashed)


def test_a_workers_words_are_passed_on_only_so_far() -> None:
    """SE-05: what an app says is untrusted, and ends in front of a model."""
    info = ErrorInfo(reason="APP_REFUSED", domain="lattice", metadata={"why": "x" * 5000, "command": "c" * 5000})
    status = Status(code=STATUS_OF_REASON["APP_REFUSED"].value[0])
    status.details.add().Pack(info)
    refused = translation.failure_of(ended_with(status))
    assert isinstance(refused, rejections.AppRefused)
    assert refused.command is not None
    assert (len(refused.why), len(refused.command)) == (translation.MAX_REASON_CHARS, translation.MAX_REASON_CHARS)


def test_a_page_out_of_range_without_a_count_breaks_the_contract() -> None:
    """F-14: the count is what the refusal is for."""

    class Uncounted(Exception):
        reason = "PAGE_OUT_OF_RANGE"

    assert type(translation.failure_of(failed_call(Uncounted()))) is rejections.AppCrashed


@pytest.mark.parametrize(
    ("actor", "kind"),
    [
        (Actor(kind=ActorKind.USER, id="alice", name="Alice"), "user"),
        (Actor(kind=ActorKind.AGENT, id="thr_1", run_id="run_1"), "agent"),
        (Actor(kind=ActorKind.EXTERNAL_AGENT, id="bot"), "external_agent"),
        (Actor(kind=ActorKind.SYSTEM, id="runner"), "system"),
    ],
)
def test_a_batch_says_who_edits_when_and_how(actor: Actor, kind: str) -> None:
    """F-09, N-17."""
    batch = Batch(
        commands=[CommandCall(command="append_paragraph", arguments_json='{"text": "x"}')],
        author=actor,
        time=datetime(2026, 11, 30, 13, tzinfo=timezone(timedelta(hours=1))),
        mode=ChangeMode.TRACKED,
    )
    header = translation.batch_header(CONTENT, FAKE, batch)
    assert header.author.WhichOneof("kind") == kind
    assert header.time.ToDatetime(UTC) == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert header.mode == app_pb.CHANGE_MODE_TRACKED
    assert (header.file.format, header.file.size, header.file.sha256.hex()) == ("fake", 3, CONTENT.digest)
    assert [(it.command, it.arguments_json) for it in header.commands] == [("append_paragraph", '{"text": "x"}')]


def description(**changed: object) -> app_pb.DescribeResponse:
    served = app_pb.Format(name="fake", media_type="application/x-fake", extension="FAKE")
    parts = {"name": "fakeapp", "integration_key": "files:fakeapp", "version": "1", "formats": [served], **changed}
    return app_pb.DescribeResponse(**parts)  # type: ignore[arg-type]  # the test's to fit


def test_extensions_are_compared_in_lower_case() -> None:
    """N-40."""
    assert translation.app(description()).formats == (FAKE,)


@pytest.mark.parametrize(
    "missing",
    [{"name": ""}, {"integration_key": ""}, {"version": ""}, {"formats": []}, {"formats": [app_pb.Format(name="x")]}],
)
def test_an_app_that_leaves_something_of_itself_out_is_none(missing: dict[str, object]) -> None:
    """I-03, N-40."""
    with pytest.raises(BrokenContract):
        translation.app(description(**missing))


def test_a_command_whose_schema_is_no_json_breaks_the_contract() -> None:
    """F-17: it would break whoever reads the catalogue."""
    with pytest.raises(BrokenContract):
        translation.catalogue_command(app_pb.Command(id="x", arguments_schema_json="{", example_json="{}"))
