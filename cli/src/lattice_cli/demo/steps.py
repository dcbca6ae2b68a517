"""The steps of the main job, (a) to (g), each with what it must see."""

import asyncio
import zipfile
from contextlib import aclosing
from pathlib import Path
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.identity import display_name

from lattice_cli import conversations, native_files
from lattice_cli.demo.stage import Seen, Stage, Step, expect, refused
from lattice_cli.paging import pages
from lattice_cli.trace_command import trace_ids_of
from lattice_cli.traces import Trace

RUN_WITHIN: Final = 60.0
SPANS_WITHIN: Final = 10.0
PNG: Final = b"\x89PNG\r\n\x1a\n"
KEY: Final = "files:wordcraft"

FIRST_EDIT: Final = ("17 February", "3 March", "Legal asked for two more weeks.")
SECOND_EDIT: Final = ("EUR 48,000", "EUR 52,000", "The print run grew.")
ALICES_EDIT: Final = (b"Who does what", b"Who does what, and by when")

EDIT_SPANS: Final = (
    "run",
    "execute_tool edit_native",
    "lattice.files.v1.NativeFilesService/Edit",
    "lattice.integrations.v1.IntegrationsService/CheckEnabled",
    "lease.acquire",
    "lattice.app.v1.AppService/ApplyBatch",
    "commit",
)
"""What the trace of an edit holds at least."""


async def upload(stage: Stage) -> Seen:
    """Alice uploads the document."""
    outcome = await native_files.upload(stage.alice, stage.document)
    stage.artifact_id = outcome.applied.artifact_id
    expect(outcome.applied.version == 1, "an upload makes version 1")
    review = await _review(stage)
    expect(review, "the document's comments and tracked changes are read")
    text = await _text(stage)
    expect(FIRST_EDIT[0] in text, "the document's words are read")
    return {
        "artifact": stage.artifact_id,
        "version": outcome.applied.version,
        "characters": len(text),
        "review items": len(review),
    }


async def tracked_edit(stage: Stage) -> Seen:
    """A message makes the agent read the document, find commands and make a tracked edit with a comment."""
    stage.thread_id = (await conversations.create_thread(stage.alice, "Launch brief")).thread_id
    entries = await _run(stage, _edit_request(stage, FIRST_EDIT))
    stage.edit_run_id = entries[0].run_id
    tools = _tools(entries)
    expect(set(tools) >= {"read_native", "read_review", "find_commands", "edit_native"}, f"the tools called: {tools}")
    version = await _version(stage)
    expect(version == 2, "the edit makes version 2")
    review = await _review(stage)
    changes = [it for it in review if it.type == native_pb.REVIEW_ITEM_TYPE_TRACKED_CHANGE and FIRST_EDIT[1] in it.text]
    comments = [it for it in review if it.type == native_pb.REVIEW_ITEM_TYPE_COMMENT and FIRST_EDIT[2] in it.text]
    expect(changes and {it.author for it in changes} == {"assistant"}, "the tracked change names the agent")
    expect(comments and {it.author for it in comments} == {"assistant"}, "the comment names the agent")
    by = changes[0].author
    return {"run": stage.edit_run_id, "tools": tools, "version": version, "by": by, "reply": _reply(entries)}


async def busy(stage: Stage) -> Seen:
    """Alice checks the document out; the agent's next edit is answered, not queued."""
    lent = await _check_out(stage)
    entries = await _run(stage, _edit_request(stage, SECOND_EDIT))
    answers = [it.tool_returned for it in entries if it.WhichOneof("event") == "tool_returned"]
    answer = next((it for it in answers if it.tool_name == "edit_native"), None)
    expect(answer is not None and answer.status == log_pb.TOOL_STATUS_OK, "a check-out is an answer, not a retry")
    expect(answer is not None and "Alice" in answer.summary, "the answer names who has the file")
    expect(_tools(entries).count("edit_native") == 1, "the agent does not try again")
    version = await _version(stage)
    expect(version == 2, "nothing is changed")
    pending = await _pending(stage)
    expect(not pending, "nothing is queued")
    lease = (await _lease(stage)).lease
    holder = display_name(lease.holder) if lease.HasField("holder") else "nobody"
    expect(holder == stage.alice.person.name, f"the file is lent to {holder}")
    expect(lease.expire_time == lent.expire_time, "the lease ends when its holder was told")
    return {
        "holder": holder,
        "until": lease.expire_time.ToJsonString(),
        "version": version,
        "queued": len(pending),
        "reply": _reply(entries),
    }


async def check_in(stage: Stage) -> Seen:
    """Alice checks her copy in; the agent hears of it as a note and makes its edit."""
    copy = stage.folder / "copy.docx"
    await native_files.download(stage.alice, stage.artifact_id, copy)
    _edit_by_hand(copy)
    lease = await _lease(stage)
    outcome = await native_files.check_in(stage.alice, stage.artifact_id, lease.token_counter, copy, "dated the tasks")
    expect(outcome.applied.version == 3, "the check-in makes version 3")
    entries = await _run(stage, "Go on.")
    version = await _version(stage)
    expect(version == 4, "the agent's edit makes version 4")
    text = await _text(stage)
    expect(ALICES_EDIT[1].decode() in text and SECOND_EDIT[1] in text, "both people's and agent's words stand")
    reply = _reply(entries)
    expect("Alice" in reply, "the agent heard who checked it in")
    return {"checked in": outcome.applied.version, "version": version, "tools": _tools(entries), "reply": reply}


async def switch_off(stage: Stage) -> Seen:
    """Adam switches the app off in the middle of a run: the tools go, a check-out is refused, reading goes on."""
    sent = await conversations.send(stage.alice, stage.thread_id, f"Read {stage.artifact_id} slowly.")
    await _first_tool_returned(stage, sent)
    revision = await _switch_off(stage)
    entries = await _entries(stage, sent)
    ended = entries[-1].run_ended
    expect(ended.status == runs_pb.RUN_STATUS_COMPLETED, f"the run goes on without the tools: {ended.error}")
    before = await _lease(stage)
    request = native_pb.CheckOutRequest(name=_name(stage), request_id=native_files.new_request_id())
    refusal = await refused(stage.alice.native_files.CheckOut(request))
    expect(refusal.reason == "NOT_ENABLED", f"the check-out is refused with {refusal.reason}")
    after = await _lease(stage)
    expect(not after.HasField("lease") and after.token_counter == before.token_counter, "no lease was taken")
    text = await _text(stage)
    expect(text, "reading goes on")
    return {
        "switch revision": revision,
        "tools": _tools(entries),
        "reply": _reply(entries),
        "check-out": refusal.reason,
        "leases": int(after.HasField("lease")),
        "characters still read": len(text),
    }


async def page(stage: Stage) -> Seen:
    """Alice opens page 1 as an image, though the app is off: rendering is a read."""
    request = native_pb.RenderPageRequest(name=_name(stage), page=1)
    answer = await stage.alice.native_files.RenderPage(request)
    expect(answer.png.startswith(PNG), "the page is a PNG")
    (stage.folder / "page-1.png").write_bytes(answer.png)
    return {
        "page": request.page,
        "of": answer.page_count,
        "width": answer.width,
        "height": answer.height,
        "bytes": len(answer.png),
    }


async def trace(stage: Stage) -> Seen:
    """The trace of the edit holds every part of its way."""
    async with asyncio.timeout(SPANS_WITHIN):
        stage.edit_trace = await _complete_trace(stage)
    roots = stage.edit_trace.roots
    expect(len(roots) == 1, f"the trace is one tree, not {len(roots)}")
    return {
        "spans": sum(1 for _ in stage.edit_trace.walk()),
        "services": sorted({it.service for it in stage.edit_trace.walk()}),
    }


STEPS: Final = (
    Step(letter="a", title="Alice uploads the launch brief", act=upload),
    Step(
        letter="b", title="A message makes the agent read it and make a tracked edit with a comment", act=tracked_edit
    ),
    Step(letter="c", title="Alice checks it out; the agent is told who has it and until when", act=busy),
    Step(letter="d", title="Alice checks it in; the agent hears of it and makes its edit", act=check_in),
    Step(letter="e", title="Adam switches the app off in the middle of a run", act=switch_off),
    Step(letter="f", title="Alice opens page 1", act=page),
    Step(letter="g", title="One trace through all services", act=trace),
)


def _edit_request(stage: Stage, edit: tuple[str, str, str]) -> str:
    old, new, comment = edit
    return f'In {stage.artifact_id} replace "{old}" with "{new}" and comment "{comment}"'


async def _run(stage: Stage, content: str) -> list[log_pb.LogEntry]:
    """What the log tells of the run that a message started."""
    sent = await conversations.send(stage.alice, stage.thread_id, content)
    expect(sent.run_id, "the message starts a run")
    entries = await _entries(stage, sent)
    ended = entries[-1].run_ended
    expect(ended.status == runs_pb.RUN_STATUS_COMPLETED, f"the run completes: {ended.error}")
    return entries


async def _entries(stage: Stage, sent: threads_pb.SendMessageResponse) -> list[log_pb.LogEntry]:
    return await conversations.entries_of_run(stage.alice, sent.run_id, within=RUN_WITHIN, after=sent.log_sequence)


async def _first_tool_returned(stage: Stage, sent: threads_pb.SendMessageResponse) -> None:
    async with (
        asyncio.timeout(RUN_WITHIN),
        aclosing(conversations.entries_after(stage.alice, sent.log_sequence)) as entries,
    ):
        async for entry in entries:
            if entry.run_id == sent.run_id and entry.WhichOneof("event") == "tool_returned":
                break


async def _complete_trace(stage: Stage) -> Trace:
    """The edit's trace, once every span that must be there has ended."""
    (trace_id,) = await trace_ids_of(stage.alice, stage.edit_run_id)
    while True:
        found = Trace.of(trace_id, stage.suite.spans.of(trace_id))
        if {span.name for span in found.walk()} >= set(EDIT_SPANS):
            return found
        await asyncio.sleep(0.1)


async def _switch_off(stage: Stage) -> int:
    workspace = stage.adam.person.workspace_name
    now = await stage.adam.integrations.CheckEnabled(integrations_pb.CheckEnabledRequest(workspace=workspace, key=KEY))
    request = integrations_pb.SetEnabledRequest(
        workspace=workspace,
        key=KEY,
        enabled=False,
        expected_revision=now.revision,
        reason="audit week",
        request_id=native_files.new_request_id(),
    )
    return (await stage.adam.integrations.SetEnabled(request)).switch.revision


async def _check_out(stage: Stage) -> native_pb.CheckOut:
    request = native_pb.CheckOutRequest(name=_name(stage), request_id=native_files.new_request_id())
    return (await stage.alice.native_files.CheckOut(request)).check_out


async def _text(stage: Stage) -> str:
    return (await native_files.read_text(stage.alice, stage.artifact_id)).text


async def _review(stage: Stage) -> list[native_pb.ReviewItem]:
    return await native_files.read_review(stage.alice, stage.artifact_id)


async def _lease(stage: Stage) -> native_pb.GetLeaseResponse:
    return await stage.alice.native_files.GetLease(native_pb.GetLeaseRequest(name=_name(stage)))


async def _version(stage: Stage) -> int:
    answer = await stage.alice.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=_name(stage)))
    return answer.artifact.version


async def _pending(stage: Stage) -> list[proposals_pb.Proposal]:
    request = proposals_pb.ListProposalsRequest(
        workspace=stage.alice.person.workspace_name, state=proposals_pb.PROPOSAL_STATE_PENDING
    )
    return [it async for page in pages(stage.alice.proposals.ListProposals, request) for it in page.proposals]


def _name(stage: Stage) -> str:
    return stage.alice.person.artifact_name(stage.artifact_id)


def _tools(entries: list[log_pb.LogEntry]) -> list[str]:
    return [it.tool_called.tool_name for it in entries if it.WhichOneof("event") == "tool_called"]


def _reply(entries: list[log_pb.LogEntry]) -> str:
    return " ".join(it.message_posted.content for it in entries if it.WhichOneof("event") == "message_posted")


def _edit_by_hand(path: Path) -> None:
    """What Alice does in her copy: a few words in the document's main part, all else as it is."""
    edited = path.with_suffix(".edited")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(edited, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            content = old.read(part)
            new.writestr(part, content.replace(*ALICES_EDIT) if part.filename == "word/document.xml" else content)
    edited.replace(path)
