"""The trace of an edit: one tree through all services, in the order of the write path."""

import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_cli import conversations, native_files, traces
from lattice_cli.connection import Connection
from lattice_cli.suite import Suite
from lattice_cli.traces import Node, Span

pytestmark = pytest.mark.xdist_group("suite")
"""One suite for all of them: a second one would cost more than it saves."""

DOCUMENT = Path(__file__).resolve().parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"
EDIT = "lattice.files.v1.NativeFilesService/Edit"
CHECK = "lattice.integrations.v1.IntegrationsService/CheckEnabled"
BATCH = "lattice.app.v1.AppService/ApplyBatch"
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

    def spans() -> list[Span]:
        return [it for it in traces.read_spans(suite.trace_file) if it.trace_id == revision.trace_id]

    async def ended() -> bool:
        return any(it.name == "run" for it in spans())

    await eventually(ended)
    return traces.tree_of(spans(), revision.trace_id)


def found(roots: Sequence[Node], name: str, kind: str) -> Node:
    """The one span of this name and kind."""
    everything = list(roots)
    for node in everything:
        everything.extend(node.children)
    matching = [node for node in everything if (node.span.name, node.span.kind) == (name, kind)]
    assert len(matching) == 1, f"{len(matching)} spans are {kind} {name}"
    return matching[0]


def test_an_edit_by_an_agent_is_one_tree_from_the_run_to_the_commit(edit_trace: list[Node]) -> None:
    """TR-02, TR-03, AC-06: run, model step, tool, files.Edit, then what files does, each below the one before."""
    assert [root.span.name for root in edit_trace] == ["run"]
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
    spans = traces.read_spans(suite.trace_file)
    transactions = [span for span in spans if span.name in TRANSACTIONS]
    assert transactions
    for span in transactions:
        [tree] = [node for node in traces.tree_of([span, *_below(spans, span)], span.trace_id) if node.span == span]
        assert [it.name for it in tree.walk() if it.kind == "CLIENT"] == []


def _below(spans: Sequence[Span], parent: Span) -> list[Span]:
    children = [span for span in spans if span.parent_id == parent.span_id]
    return [*children, *(deeper for child in children for deeper in _below(spans, child))]


async def test_a_persons_edit_names_its_trace_on_the_revision_and_on_the_feed(
    suite: Suite, alice: Connection, eventually: Eventually
) -> None:
    """TR-02, AT-05, MP-10."""
    artifact_id = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
    name = alice.person.artifact_name(artifact_id)
    arguments = {"quote": "17 February", "replacement": "3 March"}
    await alice.native_files.Edit(
        native_pb.EditRequest(
            name=name,
            base_version=1,
            commands=[native_pb.AppCommand(command="replace_text", arguments_json=json.dumps(arguments))],
            summary="moves the launch",
            context=artifacts_pb.WriteContext(request_id=native_files.new_request_id()),
        )
    )
    listed = await alice.artifacts.ListRevisions(artifacts_pb.ListRevisionsRequest(name=name))
    trace_id = listed.revisions[1].trace_id

    async def kept() -> bool:
        return any(it.name == EDIT and it.trace_id == trace_id for it in traces.read_spans(suite.trace_file))

    await eventually(kept)
    assert len({it.trace_id for it in listed.revisions}) == 2
