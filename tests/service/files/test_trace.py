"""The order of writes, read off their traces."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import pairwise

import pytest
from lattice_chassis.telemetry import context_of
from opentelemetry import context
from service.files.conftest import MakeSettings
from service.files.people import FAKEAPP, Administrator, Participant, append, participant, refused
from service.files.program import FilesProgram, Span, files_program

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

EDIT = "lattice.files.v1.NativeFilesService/Edit"
CHECK_OUT = "lattice.files.v1.NativeFilesService/CheckOut"
CHECK = "lattice.integrations.v1.IntegrationsService/CheckEnabled"
APPLY = "lattice.app.v1.AppService/ApplyBatch"

WRITE_PATH = [CHECK, "lease.acquire", APPLY, "blobs.put", CHECK, "commit"]
"""What an edit does that a peer or another writer can tell, in the order of the contract."""


@pytest.fixture(scope="module")
async def program(make_settings: MakeSettings, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FilesProgram]:
    """Files in a process of its own, which writes its spans down."""
    async with files_program(make_settings(), tmp_path_factory.mktemp("program")) as running:
        yield running


@pytest.fixture
async def carol(program: FilesProgram, alice: Participant) -> AsyncIterator[Participant]:
    """Alice, as she calls the program."""
    async with participant(program.address, alice.identity, alice.workspace) as person:
        yield person


async def traced(work: Callable[[], Awaitable[object]]) -> str:
    """Run the work in a trace of its own, and answer the trace's id."""
    trace_id = uuid.uuid4().hex
    token = context.attach(context_of(f"00-{trace_id}-00f067aa0ba902b7-01"))
    try:
        await work()
    finally:
        context.detach(token)
    return trace_id


async def steps_of(program: FilesProgram, trace_id: str, method: str, eventually: Eventually) -> Sequence[Span]:
    """The spans right below the server's span of a method, by their start; read once that has ended."""

    def roots() -> Sequence[Span]:
        return [it for it in program.spans_of(trace_id) if (it.name, it.kind) == (method, "SERVER")]

    async def ended() -> bool:
        return bool(roots())

    await eventually(ended)
    (root,) = roots()
    return [it for it in program.spans_of(trace_id) if it.parent_id == root.span_id]


async def test_an_edit_asks_then_leases_then_runs_the_app_then_stores_then_asks_again_then_commits(
    program: FilesProgram, carol: Participant, eventually: Eventually
) -> None:
    """F-07, N-04, B-03, X-06: each step ends before the next begins, and its revision names the trace [TR-02]."""
    artifact_id = await carol.has_file("One.")
    trace_id = await traced(lambda: carol.edits(artifact_id, 1, append("Two.")))
    steps = [it for it in await steps_of(program, trace_id, EDIT, eventually) if it.name in WRITE_PATH]
    assert [it.name for it in steps] == WRITE_PATH
    for earlier, later in pairwise(steps):
        assert earlier.end <= later.start, (earlier.name, later.name)
    assert (await carol.revisions_of(artifact_id))[-1].trace_id == trace_id
    assert (await carol.feed())[-1].traceparent.split("-")[1] == trace_id


async def test_no_call_to_a_peer_lies_inside_a_transaction(
    program: FilesProgram, carol: Participant, eventually: Eventually
) -> None:
    """WP-02: the spans around transactions have no client's span below them, or beside them at the same time."""
    artifact_id = await carol.has_file("One.")
    trace_id = await traced(lambda: carol.edits(artifact_id, 1, append("Two.")))
    await steps_of(program, trace_id, EDIT, eventually)
    spans = program.spans_of(trace_id)
    transactions = [it for it in spans if it.name in ("lease.acquire", "lease.release", "commit")]
    assert len(transactions) == 2
    for call in (it for it in spans if it.kind == "CLIENT"):
        for transaction in transactions:
            assert call.end <= transaction.start or call.start >= transaction.end


async def test_a_refused_check_out_asked_and_took_nothing(
    program: FilesProgram, carol: Participant, admin: Administrator, eventually: Eventually
) -> None:
    """N-04: the trace ends with the answer of integrations, and the lease's row is as it was."""
    artifact_id = await carol.has_file("One.")
    await admin.switches(FAKEAPP, on=False)
    trace_id = await traced(lambda: refused(carol.checks_out(artifact_id)))
    assert [it.name for it in await steps_of(program, trace_id, CHECK_OUT, eventually)] == [CHECK]
    lease = await carol.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 0)
