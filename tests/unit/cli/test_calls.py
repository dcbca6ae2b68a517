"""The verbs against services that are played here: what they ask for, and what they leave where one fails."""

import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.agent.v1.log_service_pb2_grpc import LogServiceServicer, add_LogServiceServicer_to_server
from lattice.agent.v1.runs_service_pb2_grpc import RunsServiceServicer, add_RunsServiceServicer_to_server
from lattice.agent.v1.threads_service_pb2_grpc import ThreadsServiceServicer, add_ThreadsServiceServicer_to_server
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceServicer, add_ArtifactsServiceServicer_to_server
from lattice.files.v1.native_files_service_pb2_grpc import (
    NativeFilesServiceServicer,
    add_NativeFilesServiceServicer_to_server,
)
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice.type.v1.names_pb2 import Cursor
from typer.testing import Result

Lattice = Callable[..., Result]

CONTENT = b"words"
SOMEBODY = Actor(user=UserActor(id="alice"))


@dataclass(kw_only=True)
class Played:
    """What the services answer, and what they were asked."""

    digest: bytes = hashlib.sha256(CONTENT).digest()
    asked: list[str] = field(default_factory=list)
    sent_to: str = ""
    watched_from: Cursor | None = None


class Artifacts(ArtifactsServiceServicer):
    """Two pages, with the file that is asked for on the second."""

    def ListArtifacts(  # noqa: N802
        self, request: artifacts_pb.ListArtifactsRequest, context: grpc.ServicerContext
    ) -> artifacts_pb.ListArtifactsResponse:
        first = not request.page_token
        name = "other.docx" if first else "plan.docx"
        artifact = artifacts_pb.Artifact(
            artifact_id=f"art_{name}", data_json=json.dumps({"name": name}), version=1, updated_by=SOMEBODY
        )
        return artifacts_pb.ListArtifactsResponse(artifacts=[artifact], next_page_token="more" if first else "")


class NativeFiles(NativeFilesServiceServicer):
    """One file of five characters and three comments, read in pieces."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def CheckOut(  # noqa: N802
        self, request: native_pb.CheckOutRequest, context: grpc.ServicerContext
    ) -> native_pb.CheckOutResponse:
        self._played.asked.append("CheckOut")
        return native_pb.CheckOutResponse(check_out=native_pb.CheckOut(token=7, base_version=1))

    def ReleaseCheckOut(  # noqa: N802
        self, request: native_pb.ReleaseCheckOutRequest, context: grpc.ServicerContext
    ) -> native_pb.ReleaseCheckOutResponse:
        self._played.asked.append("ReleaseCheckOut")
        return native_pb.ReleaseCheckOutResponse(released=True)

    def DownloadFile(  # noqa: N802
        self, request: native_pb.DownloadFileRequest, context: grpc.ServicerContext
    ) -> Iterator[native_pb.DownloadFileResponse]:
        yield native_pb.DownloadFileResponse(header=native_pb.DownloadHeader(version=1, sha256=self._played.digest))
        yield native_pb.DownloadFileResponse(chunk=CONTENT)

    def GetLease(  # noqa: N802
        self, request: native_pb.GetLeaseRequest, context: grpc.ServicerContext
    ) -> native_pb.GetLeaseResponse:
        held = native_pb.GetLeaseResponse(lease=native_pb.Lease(holder=SOMEBODY))
        return held if "CheckOut" in self._played.asked else native_pb.GetLeaseResponse()

    def ReadText(  # noqa: N802
        self, request: native_pb.ReadTextRequest, context: grpc.ServicerContext
    ) -> native_pb.ReadTextResponse:
        end = request.start + 2
        text = CONTENT.decode()
        return native_pb.ReadTextResponse(
            version=1, text=text[request.start : end], next_start=end if end < len(text) else 0
        )

    def ReadReview(  # noqa: N802
        self, request: native_pb.ReadReviewRequest, context: grpc.ServicerContext
    ) -> native_pb.ReadReviewResponse:
        item = native_pb.ReviewItem(id=f"comment-{request.start}")
        return native_pb.ReadReviewResponse(
            version=1, items=[item], next_start=request.start + 1 if request.start < 2 else 0
        )

    def PreviewEdit(  # noqa: N802
        self, request: native_pb.PreviewEditRequest, context: grpc.ServicerContext
    ) -> native_pb.PreviewEditResponse:
        self._played.asked.append(f"PreviewEdit {request.base_version} {request.commands[0].command}")
        changes = [native_pb.TextChange(before="One now.", after="One soon."), native_pb.TextChange(after="Two.")]
        return native_pb.PreviewEditResponse(changed_parts=["word/document.xml"], text_changes=changes, review_count=3)

    def CollectBlobs(  # noqa: N802
        self, request: native_pb.CollectBlobsRequest, context: grpc.ServicerContext
    ) -> native_pb.CollectBlobsResponse:
        self._played.asked.append(f"CollectBlobs dry_run={request.dry_run}")
        return native_pb.CollectBlobsResponse(blobs=1_234, bytes=5_767_168)


class Threads(ThreadsServiceServicer):
    """Two threads on two pages; a message starts a run."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def ListThreads(  # noqa: N802
        self, request: threads_pb.ListThreadsRequest, context: grpc.ServicerContext
    ) -> threads_pb.ListThreadsResponse:
        first = not request.page_token
        thread = threads_pb.Thread(thread_id="older" if first else "newest", title="[/x]")
        return threads_pb.ListThreadsResponse(threads=[thread], next_page_token="more" if first else "")

    def SendMessage(  # noqa: N802
        self, request: threads_pb.SendMessageRequest, context: grpc.ServicerContext
    ) -> threads_pb.SendMessageResponse:
        self._played.sent_to = request.name
        return threads_pb.SendMessageResponse(log_sequence=41, run_id="run_1")


class Log(LogServiceServicer):
    """A long log, in which the run comes after its message."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def ReadLog(  # noqa: N802
        self, request: log_pb.ReadLogRequest, context: grpc.ServicerContext
    ) -> log_pb.ReadLogResponse:
        return log_pb.ReadLogResponse(head=Cursor(epoch="e1", sequence=50))

    def WatchLog(  # noqa: N802
        self, request: log_pb.WatchLogRequest, context: grpc.ServicerContext
    ) -> Iterator[log_pb.WatchLogResponse]:
        self._played.watched_from = request.cursor
        entry = log_pb.LogEntry(log_sequence=42, run_id="run_1", actor=SOMEBODY, run_ended=log_pb.RunEnded())
        yield log_pb.WatchLogResponse(entry=entry)


class Runs(RunsServiceServicer):
    """One paused run, which asks a question and for leave."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def GetRun(  # noqa: N802
        self, request: runs_pb.GetRunRequest, context: grpc.ServicerContext
    ) -> runs_pb.GetRunResponse:
        asked = {"q": runs_pb.DEFERRED_KIND_QUESTION, "a": runs_pb.DEFERRED_KIND_APPROVAL}
        pending = [
            runs_pb.DeferredRequest(tool_call_id=call, tool_name=f"tool_{call}", kind=kind, arguments_json="{}")
            for call, kind in asked.items()
        ]
        return runs_pb.GetRunResponse(run=runs_pb.Run(status=runs_pb.RUN_STATUS_PAUSED, pending=pending))

    def WatchRun(  # noqa: N802
        self, request: runs_pb.WatchRunRequest, context: grpc.ServicerContext
    ) -> Iterator[runs_pb.WatchRunResponse]:
        yield runs_pb.WatchRunResponse(part_started=runs_pb.PartStarted(index=0, kind="tool-call", tool_name="add"))
        yield runs_pb.WatchRunResponse(tool_arguments_delta='{"title": ')
        yield runs_pb.WatchRunResponse(tool_arguments_delta='"x"}')
        yield runs_pb.WatchRunResponse(part_ended=runs_pb.PartEnded(index=0))
        yield runs_pb.WatchRunResponse(draft=runs_pb.Draft(kind="plan", data_json="{}"))
        yield runs_pb.WatchRunResponse(app_live=runs_pb.AppLive(name="counted", data_json="3"))
        yield runs_pb.WatchRunResponse(part_started=runs_pb.PartStarted(index=1, kind="text"))
        yield runs_pb.WatchRunResponse(text_delta="It [is] ")
        yield runs_pb.WatchRunResponse(text_delta="done.")
        yield runs_pb.WatchRunResponse(part_ended=runs_pb.PartEnded(index=1))

    def AnswerDeferred(  # noqa: N802
        self, request: runs_pb.AnswerDeferredRequest, context: grpc.ServicerContext
    ) -> runs_pb.AnswerDeferredResponse:
        approved = request.approved if request.HasField("approved") else None
        self._played.asked.append(
            f"{request.name.rpartition('/')[2]} {request.tool_call_id} {request.answer} {approved}"
        )
        return runs_pb.AnswerDeferredResponse(resumed=request.tool_call_id == "a")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    """The services, where `lattice` looks for them."""
    known = Played()
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    add_ArtifactsServiceServicer_to_server(Artifacts(), server)  # type: ignore[abstract]  # the rest is not asked
    add_NativeFilesServiceServicer_to_server(NativeFiles(known), server)  # type: ignore[abstract]  # the rest is not asked
    add_ThreadsServiceServicer_to_server(Threads(known), server)  # type: ignore[abstract]  # the rest is not asked
    add_RunsServiceServicer_to_server(Runs(known), server)  # type: ignore[abstract]  # the rest is not asked
    add_LogServiceServicer_to_server(Log(known), server)  # type: ignore[abstract]  # the rest is not asked
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    addresses = dict.fromkeys(("integrations", "files", "agent", "spans"), address)
    (tmp_path / "suite.json").write_text(json.dumps(addresses))
    yield known
    server.stop(None).wait()


def checked_out(lattice: Lattice, copy: Path) -> Result:
    return lattice("files", "checkout", "plan.docx", "--to", str(copy))


def test_a_check_out_leaves_the_copy_and_its_ticket(lattice: Lattice, played: Played, tmp_path: Path) -> None:
    assert checked_out(lattice, tmp_path / "plan.docx").exit_code == 0
    assert (tmp_path / "plan.docx").read_bytes() == CONTENT
    ticket = json.loads((tmp_path / ".plan.docx.checkout.json").read_text())
    assert ticket == {"artifact_id": "art_plan.docx", "token": 7}


def test_a_check_out_whose_download_fails_is_released(lattice: Lattice, played: Played, tmp_path: Path) -> None:
    played.digest = b"another"
    result = checked_out(lattice, tmp_path / "plan.docx")
    assert result.exit_code == 1
    assert "arrived damaged" in result.output
    assert played.asked == ["CheckOut", "ReleaseCheckOut"]
    assert [it.name for it in tmp_path.iterdir()] == ["suite.json"]


def test_a_check_out_whose_ticket_cannot_be_written_is_released(
    lattice: Lattice, played: Played, tmp_path: Path
) -> None:
    result = checked_out(lattice, tmp_path / ("x" * 245))
    assert result.exit_code == 1
    assert "File name too long" in result.output
    assert played.asked == ["CheckOut", "ReleaseCheckOut"]


@pytest.mark.parametrize("place", ["nowhere/plan.docx", "suite.json", "suite.json/plan.docx"])
def test_nothing_is_checked_out_to_a_place_that_cannot_be_written(
    lattice: Lattice, played: Played, tmp_path: Path, place: str
) -> None:
    assert checked_out(lattice, tmp_path / place).exit_code == 1
    assert played.asked == []


def test_a_lease_names_its_holder_and_a_free_file_has_none(lattice: Lattice, played: Played, tmp_path: Path) -> None:
    assert "nobody holds it" in lattice("files", "lease", "plan.docx").output
    checked_out(lattice, tmp_path / "plan.docx")
    assert "alice until" in lattice("files", "lease", "plan.docx").output


def test_all_pages_are_listed(lattice: Lattice, played: Played) -> None:
    assert "art_other.docx" in (listed := lattice("files", "list").output)
    assert "art_plan.docx" in listed
    assert "newest" in lattice("agent", "threads").output


def test_a_text_is_printed_whole(lattice: Lattice, played: Played) -> None:
    assert lattice("files", "text", "plan.docx").output == "words\n"
    assert lattice("files", "text", "plan.docx", "--start", "3").output == "ds\n"


def test_a_review_is_listed_whole(lattice: Lattice, played: Played) -> None:
    output = lattice("files", "review", "plan.docx").output
    assert [number for number in range(4) if f"comment-{number}" in output] == [0, 1, 2]


def test_a_dry_run_of_an_edit_tells_which_lines_would_read_otherwise(lattice: Lattice, played: Played) -> None:
    """F-07: and asks for nothing else."""
    batch = json.dumps([{"command": "replace_text", "arguments": {"quote": "now", "replacement": "soon"}}])
    told = lattice("files", "edit", "plan.docx", batch, "a summary", "--base-version", "4", "--dry-run").output
    assert told == "would change word/document.xml; 3 review items then\n- One now.\n+ One soon.\n+ Two.\n"
    assert played.asked == ["PreviewEdit 4 replace_text"]


def test_a_collection_tells_how_much_it_freed_and_a_dry_run_how_much_it_would(lattice: Lattice, played: Played) -> None:
    """B-06."""
    assert lattice("files", "collect", "--dry-run").output == "1,234 blobs, 5.5 MiB, would be deleted\n"
    assert lattice("files", "collect").output == "1,234 blobs, 5.5 MiB, deleted\n"
    assert json.loads(lattice("--json", "files", "collect").output) == {"blobs": "1234", "bytes": "5767168"}
    assert played.asked == [f"CollectBlobs dry_run={it}" for it in (True, False, False)]


def test_a_message_goes_to_the_newest_thread_and_its_run_is_read_from_there_on(
    lattice: Lattice, played: Played
) -> None:
    result = lattice("agent", "send", "Go on.")
    assert result.exit_code == 0
    assert played.sent_to.endswith("/threads/newest")
    assert played.watched_from == Cursor(epoch="e1", sequence=41)
    assert "run_ended" in result.output


def test_what_a_paused_run_waits_for_is_told_and_answered(lattice: Lattice, played: Played) -> None:
    """PA-03: a question in words, a call that needs leave by yes or no, with a reason where it is no."""
    told = lattice("agent", "run", "run_1")
    assert told.stdout.splitlines() == ["paused", "question q: tool_q {}", "approval a: tool_a {}"]
    assert "waits for more" in lattice("agent", "answer", "run_1", "q", "Monday").stdout
    assert "goes on" in lattice("agent", "answer", "run_1", "a", "--approve").stdout
    lattice("agent", "answer", "run_1", "a", "not now", "--decline")
    assert played.asked == ["run_1 q Monday None", "run_1 a  True", "run_1 a not now False"]


def test_a_watched_run_is_printed_word_by_word(lattice: Lattice, played: Played) -> None:
    """LO-01: words as they are, calls and the rest a line each; for programs a frame a line."""
    lines = lattice("agent", "watch", "run_1").output.splitlines()
    assert lines == ['add {"title": "x"}', "draft of a new plan: {}", "counted 3", "It [is] done."]
    frames = [json.loads(line) for line in lattice("--json", "agent", "watch", "run_1").output.splitlines()]
    assert len(frames) == 10
    assert frames[-2] == {"text_delta": "done."}
