"""The trace of an edit: one tree through all services, in the order of the write path."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice_cli import conversations, native_files
from lattice_cli.connection import Connection, connect
from lattice_cli.processes import free_address, serving
from lattice_cli.suite import Suite
from lattice_cli.trace_backend import TraceBackend
from lattice_cli.trace_command import trace_ids_of
from lattice_cli.traces import Node, Span, tree_of

pytestmark = pytest.mark.xdist_group("suite")
"""One suite for all of them: a second one would cost more than it saves."""

DOCUMENT = Path(__file__).resolve().parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"
EDIT = "lattice.files.v1.NativeFilesService/Edit"
CHECK = "lattice.integrations.v1.IntegrationsService/CheckEnabled"
BATCH = "lattice.app.v1.AppService/ApplyBatch"
LAST_SPANS = {("turn", "INTERNAL"), (EDIT, "SERVER"), (BATCH, "SERVER"), (CHECK, "SERVER")}
"""The last to end of each process: what has told of them has told of all its others."""
TRANSACTIONS = ("lease.acquire", "commit", "lease.release")

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture
async def edit_trace(suite: Suite, alice: Connection, eventually: Eventually) -> list[Node]:
    """The trace of an edit that an agent made for Alice, complete."""
    artifact_id = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
    thread = await conversations.create_thread(alice, "Launch brief")
    content = f'In {artifact_id} replace "17 February" with "3 March" and comment "Legal asked for it."'
    sent = await conversations.send(alice, thread.thread_id, content)
    await conversations.entries_of_run(alice, sent.run_id, within=60)
    name = f"{alice.person.artifact_name(artifact_id)}/revisions/2"
    revision = (await alice.artifacts.GetRevision(artifacts_pb.GetRevisionRequest(name=name))).revision

    async def ended() -> bool:
        return {(it.name, it.kind) for it in suite.spans.of(revision.trace_id)} >= LAST_SPANS

    await eventually(ended)
    return tree_of(suite.spans.of(revision.trace_id), revision.trace_id)


def found(roots: Sequence[Node], name: str, kind: str) -> Node:
    """The one span of this name and kind."""
    everything = list(roots)
    for node in everything:
        everything.extend(node.children)
    matching = [node for node in everything if (node.span.name, node.span.kind) == (name, kind)]
    assert len(matching) == 1, f"{len(matching)} spans are {kind} {name}"
    return matching[0]


def test_an_edit_by_an_agent_is_one_tree_from_the_turn_to_the_commit(edit_trace: list[Node]) -> None:
    """TR-02, TR-03, AC-06: turn, run, model step, tool, files.Edit, then what files does, each below the one before."""
    assert [root.span.name for root in edit_trace] == ["turn"]
    client = found(edit_trace, EDIT, "CLIENT")
    server = found(edit_trace, EDIT, "SERVER")
    tool = found(edit_trace, "execute_tool edit_native", "INTERNAL")
    assert client in tool.children
    assert list(client.children) == [server]
    below = [node.span.name for node in server.children]
    assert [name for name in below if not name.startswith("blob.")] == [
        CHECK,
        "lease.acquire",
        BATCH,
        "blobs.put",
        CHECK,
        "commit",
    ]
    services = {span.service for root in edit_trace for span in root.walk()}
    assert services == {"lattice-agent", "lattice-files", "lattice-integrations", "lattice-wordcraft"}


def test_the_switch_is_asked_before_the_lease_is_taken_and_again_before_the_commit(edit_trace: list[Node]) -> None:
    """N-04, X-06, F-07: the order of the write path, read off its trace."""
    steps = [node.span for node in found(edit_trace, EDIT, "SERVER").children if not node.span.name.startswith("blob.")]
    for before, after in itertools.pairwise(steps):
        assert before.end <= after.start, f"{before.name} had not ended when {after.name} began"


def test_no_client_span_lies_inside_a_transaction(suite: Suite, edit_trace: list[Node]) -> None:
    """MP-11, L-05: no RPC, worker call or model call while a transaction is open, in any trace of the suite."""
    assert edit_trace
    spans = list(suite.spans.all())
    transactions = [span for span in spans if span.name in TRANSACTIONS]
    assert transactions
    for span in transactions:
        [tree] = [node for node in tree_of([span, *_below(spans, span)], span.trace_id) if node.span == span]
        assert [it.name for it in tree.walk() if it.kind == "CLIENT"] == []


def _below(spans: Sequence[Span], parent: Span) -> list[Span]:
    children = [span for span in spans if span.parent_id == parent.span_id]
    return [*children, *(deeper for child in children for deeper in _below(spans, child))]


async def test_the_trace_of_a_change_is_asked_for_by_its_revision_and_shows_who_caused_it(
    suite: Suite, alice: Connection, edit_trace: list[Node]
) -> None:
    """TR-02, TR-03: the run follows the call that posted the message; the suite answers as a tracing backend does."""
    [artifact] = (
        await alice.artifacts.ListArtifacts(
            artifacts_pb.ListArtifactsRequest(workspace=alice.person.workspace_name, page_size=10)
        )
    ).artifacts
    (trace_id,) = await trace_ids_of(alice, f"{artifact.artifact_id}@2")
    assert list(await trace_ids_of(alice, f"{DOCUMENT.name}@2")) == [trace_id]
    run_id = found(edit_trace, "run", "INTERNAL").span.attributes["lattice.run_id"]
    assert list(await trace_ids_of(alice, run_id)) == [trace_id]
    backend = TraceBackend(url=suite.addresses.traces)
    *causes, run = await asyncio.to_thread(backend.with_linked, [trace_id])
    assert (run.trace_id, set(run.follows)) == (trace_id, {it.trace_id for it in causes})
    assert "lattice.agent.v1.ThreadsService/SendMessage" in {root.span.name for it in causes for root in it.roots}
    assert {it.span_id for it in run.walk()} >= {it.span_id for root in edit_trace for it in root.walk()}


async def test_taking_a_change_up_is_linked_to_what_committed_it(
    suite: Suite, alice: Connection, eventually: Eventually
) -> None:
    """TR-04, MP-11: whoever reads the log finds the write's trace from there."""
    change_sequence = (await native_files.upload(alice, DOCUMENT)).change_sequence
    request = log_pb.ReadLogRequest(workspace=alice.person.workspace_name, min_change_sequence=change_sequence)
    (entry,) = (await alice.log.ReadLog(request)).entries
    trace_id = entry.traceparent.split("-")[1]

    async def ingested() -> bool:
        links = [link for span in suite.spans.all() if span.name == "ingest" for link in span.links]
        return trace_id in {it.trace_id for it in links}

    await eventually(ingested)


async def test_a_collection_is_one_trace_to_each_blob_that_it_deletes(
    suite: Suite, alice: Connection, admin: Connection, eventually: Eventually
) -> None:
    """TR-03, B-05: what a withdrawn proposal named goes, by a replica that gives it no time."""
    made = await alice.native_files.Edit(moves_the_launch(await uploaded(alice), must_propose=True))
    name = f"{alice.person.workspace_name}/proposals/{made.outcome.proposed.proposal_id}"
    context = artifacts_pb.WriteContext(request_id=native_files.new_request_id())
    await alice.proposals.WithdrawProposal(proposals_pb.WithdrawProposalRequest(name=name, context=context))
    address = free_address()
    program = suite.programs["files"]
    hasty = {"LATTICE_FILES_LISTEN": address, "LATTICE_FILES_COLLECTION_GRACE": "1ms", "LATTICE_FILES_APPS": "[]"}
    other = replace(program, environment={**program.environment, **hasty})
    async with (
        serving(other, address, suite.log_of("collector")),
        connect(replace(suite.addresses, files=address), admin.person) as collector,
    ):
        workspace = native_pb.CollectBlobsRequest(workspace=admin.person.workspace_name)
        assert (await collector.native_files.CollectBlobs(workspace)).blobs

    async def deleted() -> bool:
        return any(it.name == "blobs.delete" for it in suite.spans.all())

    await eventually(deleted)


async def uploaded(person: Connection) -> str:
    """The name of the demo's document, once it is uploaded."""
    return person.person.artifact_name((await native_files.upload(person, DOCUMENT)).applied.artifact_id)


def moves_the_launch(name: str, *, must_propose: bool = False) -> native_pb.EditRequest:
    """An edit of the demo's document."""
    arguments = {"quote": "17 February", "replacement": "3 March"}
    return native_pb.EditRequest(
        name=name,
        base_version=1,
        commands=[native_pb.AppCommand(command="replace_text", arguments_json=json.dumps(arguments))],
        summary="moves the launch",
        context=artifacts_pb.WriteContext(request_id=native_files.new_request_id(), must_propose=must_propose),
    )


async def test_a_persons_edit_names_its_trace_on_the_revision_and_on_the_feed(
    suite: Suite, alice: Connection, eventually: Eventually
) -> None:
    """TR-02, AT-05, MP-10."""
    name = await uploaded(alice)
    await alice.native_files.Edit(moves_the_launch(name))
    listed = await alice.artifacts.ListRevisions(artifacts_pb.ListRevisionsRequest(name=name))
    trace_id = listed.revisions[1].trace_id

    async def kept() -> bool:
        return any(it.name == EDIT for it in suite.spans.of(trace_id))

    await eventually(kept)
    assert len({it.trace_id for it in listed.revisions}) == 2
