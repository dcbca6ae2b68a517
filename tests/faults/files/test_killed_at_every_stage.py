"""files killed at every stage of its long writes: what was acknowledged stands, nothing is half-written, repeats do."""

import ast
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import lattice_files
import pytest
from faults.files.flows import FLOWS, Flow, require_whole
from service.files.conftest import MakeSettings
from service.files.people import Participant, new_request_id, participant
from service.files.program import files_program

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

CASES = [pytest.param(flow, stage, id=f"{flow.name}-{stage}") for flow in FLOWS for stage in flow.stages]


@pytest.mark.parametrize(("flow", "stage"), CASES)
async def test_a_write_killed_at_a_stage_is_there_whole_or_not_at_all_and_its_repeat_is_answered(
    make_settings: MakeSettings,
    alice: Participant,
    assistant: Participant,
    tmp_path: Path,
    flow: Flow,
    stage: str,
) -> None:
    """B-03, B-06, ID-03, WP-02, WP-07, SG-02, MP-10, AT-04, L-01: the fault is a power cut for the process."""
    prepared = await flow.prepare(alice, assistant)
    request_id = new_request_id()
    settings = make_settings()
    async with (
        files_program(settings, tmp_path, dies_at=stage) as program,
        participant(program.address, alice.identity, alice.workspace) as hers,
    ):
        with pytest.raises(grpc.aio.AioRpcError):
            await prepared.write(hers, request_id)
        assert await program.service.process.wait() != 0, "it was to die at this stage"
    after = [*prepared.before, prepared.after]
    await require_whole(alice, prepared, after if stage == "commit.done" else prepared.before)
    outcome = await prepared.write(alice, request_id)
    await require_whole(alice, prepared, after)
    assert outcome.change_sequence == len(await alice.feed())
    assert not (await alice.lease_of(prepared.artifact_id)).HasField("lease")


async def test_a_lease_that_a_killed_server_left_ends_by_itself(
    make_settings: MakeSettings,
    alice: Participant,
    assistant: Participant,
    tmp_path: Path,
    eventually: Eventually,
) -> None:
    """MP-31, L-03, N-18: nobody repeats the edit, and the file is free within the lease's seconds."""
    [flow] = [it for it in FLOWS if it.name == "edit"]
    prepared = await flow.prepare(alice, assistant)
    settings = make_settings(edit="1s", edit_lease="2s")
    async with (
        files_program(settings, tmp_path, dies_at="batch.applied") as program,
        participant(program.address, alice.identity, alice.workspace) as hers,
    ):
        with pytest.raises(grpc.aio.AioRpcError):
            await prepared.write(hers, new_request_id())
    assert (await alice.lease_of(prepared.artifact_id)).HasField("lease")

    async def free() -> bool:
        return not (await alice.lease_of(prepared.artifact_id)).HasField("lease")

    await eventually(free)
    assert (await prepared.write(alice, new_request_id())).applied.version == 2


def test_every_stage_that_the_service_names_is_one_where_it_is_killed() -> None:
    """B-06: a new stage cannot be forgotten here."""
    named = set()
    for path in Path(lattice_files.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "failpoint":
                named.add(ast.literal_eval(node.args[0]))
    assert named == {stage for flow in FLOWS for stage in flow.stages}
