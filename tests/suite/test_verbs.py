"""The command line against the whole suite, as people use it."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice_cli.connection import Person, connect
from lattice_cli.main import app
from lattice_cli.native_files import new_request_id
from lattice_cli.suite import ADDRESSES_FILE, Suite
from typer.testing import CliRunner, Result

pytestmark = pytest.mark.xdist_group("suite")
"""One suite for all of them: a second one would cost more than it saves."""

Lattice = Callable[..., Awaitable[Result]]

DOCUMENT = Path(__file__).resolve().parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "done": {"type": "boolean"}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.fixture
def lattice(suite: Suite, workspace: str, tmp_path: Path) -> Lattice:
    """Runs `lattice --json` in a workspace of this test; a refusal is an exit status of 1."""
    suite.addresses.save(tmp_path / ADDRESSES_FILE)
    options = ["--data", str(tmp_path), "--tenant", "acme", "--workspace", workspace]

    async def run(*arguments: str, user: str = "alice", admin: bool = False) -> Result:
        who = ["--as", user, *(["--admin"] if admin else [])]
        return await asyncio.to_thread(CliRunner().invoke, app, [*options, *who, "--json", *arguments])

    return run


def answers(result: Result) -> list[dict[str, object]]:
    """The objects that a verb printed, one a line."""
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


async def test_a_type_is_registered_and_its_artifacts_live_a_whole_life(
    lattice: Lattice, workspace: str, tmp_path: Path
) -> None:
    """AT-01, AT-04, AT-15, F-18: create, patch, restore, archive, and the history of it."""
    kind = f"task_{workspace.removeprefix('w-')}"
    schema = tmp_path / "task.json"
    schema.write_text(json.dumps(SCHEMA))
    assert (await lattice("artifacts", "register", kind, str(schema))).exit_code == 1
    answers(await lattice("artifacts", "register", kind, str(schema), admin=True))
    assert kind in [it["kind"] for it in answers(await lattice("artifacts", "types"))]
    answers(await lattice("artifacts", "create", kind, '{"name": "plan"}', "--id", "art_plan"))
    patch = json.dumps([{"op": "add", "path": "/done", "value": True}])
    answers(await lattice("artifacts", "patch", "plan", patch))
    [shown] = answers(await lattice("artifacts", "show", "art_plan"))
    assert json.loads(str(shown["data_json"])) == {"name": "plan", "done": True}
    answers(await lattice("artifacts", "restore", "plan", "1"))
    answers(await lattice("artifacts", "archive", "plan"))
    history = answers(await lattice("artifacts", "history", "art_plan"))
    assert [it["summary"] for it in history] == ["created", "add /done", "restored version 1", "archived"]
    refused = await lattice("artifacts", "patch", "art_plan", patch)
    assert (refused.exit_code, json.loads(refused.stdout)["reason"]) == (1, "INVALID_STATE")


async def test_a_check_out_is_seen_broken_and_on_record(lattice: Lattice, tmp_path: Path) -> None:
    """F-18: and its copy is not checked in any more."""
    source = Path(__file__).parents[2] / "cli" / "src" / "lattice_cli" / "demo" / "launch-brief.docx"
    answers(await lattice("files", "upload", str(source), "--id", "art_brief"))
    copy = tmp_path / "copy.docx"
    answers(await lattice("files", "checkout", "art_brief", "--to", str(copy)))
    [held] = answers(await lattice("files", "checkouts", user="bob"))
    assert str(held["name"]).endswith("art_brief")
    assert (await lattice("files", "break", "art_brief", "--reason", "mine now", user="bob")).exit_code == 1
    answers(await lattice("files", "break", "art_brief", "--reason", "on holiday", user="bob", admin=True))
    assert answers(await lattice("files", "checkouts")) == []
    [record] = answers(await lattice("files", "broken", user="bob", admin=True))
    assert record["reason"] == "on holiday"
    late = await lattice("files", "checkin", str(copy))
    assert (late.exit_code, json.loads(late.stdout)["reason"]) == (1, "LEASE_EXPIRED")


async def test_a_thread_is_created_with_an_agent_that_is_there(lattice: Lattice) -> None:
    """TH-13: the default one, one that is named, and none that nobody serves."""
    [agent] = answers(await lattice("agent", "agents"))
    assert agent["agent_name"] == "assistant"
    answers(await lattice("agent", "thread", "Launch", "--id", "thr_1"))
    answers(await lattice("agent", "thread", "Launch", "--id", "thr_2", "--agent", "assistant"))
    refused = await lattice("agent", "thread", "Launch", "--agent", "writer")
    assert (refused.exit_code, json.loads(refused.stdout)["reason"]) == (1, "NOT_FOUND")
    listed = answers(await lattice("agent", "threads"))
    assert [(it["thread_id"], it["agent_name"]) for it in listed] == [("thr_1", "assistant"), ("thr_2", "assistant")]


async def test_a_proposal_is_listed_and_answered(lattice: Lattice, workspace: str, suite: Suite) -> None:
    """PR-06, PR-09, AMB-06: accepted with a change of one's own, rejected, withdrawn."""
    source = Path(__file__).parents[2] / "cli" / "src" / "lattice_cli" / "demo" / "launch-brief.docx"
    answers(await lattice("files", "upload", str(source), "--id", "art_brief"))
    first, second, third = [await proposed(suite, workspace, f"{word}.docx") for word in ("one", "two", "three")]
    listed = answers(await lattice("proposals", "list"))
    assert [it["proposal_id"] for it in listed] == [first, second, third]
    patch = json.dumps([{"op": "replace", "path": "/name", "value": "final.docx"}])
    [accepted] = answers(await lattice("proposals", "accept", first, "--changes", patch))
    assert accepted["change_sequence"]
    [artifact] = answers(await lattice("artifacts", "show", "art_brief"))
    assert json.loads(str(artifact["data_json"]))["name"] == "final.docx"
    answers(await lattice("proposals", "reject", second, "--reason", "no"))
    assert (await lattice("proposals", "withdraw", third)).exit_code == 1
    answers(await lattice("proposals", "withdraw", third, user="bob"))
    assert answers(await lattice("proposals", "list")) == []
    states = [it["state"] for it in answers(await lattice("proposals", "list", "--all"))]
    assert states == ["PROPOSAL_STATE_ACCEPTED", "PROPOSAL_STATE_REJECTED", "PROPOSAL_STATE_WITHDRAWN"]
    [shown] = answers(await lattice("proposals", "show", second))
    assert shown["reason"] == "no"


async def proposed(suite: Suite, workspace: str, name: str) -> str:
    """Bob proposes a new name for the file; the proposal's id."""
    bob = Person(tenant="acme", workspace=workspace, user="bob", name="Bob")
    async with connect(suite.addresses, bob) as connection:
        patch = artifacts_pb.Patch(json_patch=json.dumps([{"op": "replace", "path": "/name", "value": name}]))
        edit = proposals_pb.ProposedEdit(artifact_id="art_brief", base_version=1, patch=patch)
        request = proposals_pb.ProposeChangeRequest(
            workspace=bob.workspace_name,
            change=proposals_pb.ProposedChange(edit=edit),
            context=artifacts_pb.WriteContext(request_id=new_request_id()),
        )
        return (await connection.proposals.ProposeChange(request)).outcome.proposed.proposal_id


async def test_a_file_whose_name_is_as_long_as_may_be_comes_back_under_it(lattice: Lattice, tmp_path: Path) -> None:
    """In 255 bytes, which leave no room for an ending while it is on its way."""
    name = "ä" * 125 + ".docx"
    original = tmp_path / name
    shutil.copyfile(DOCUMENT, original)
    answers(await lattice("files", "upload", str(original)))
    original.unlink()
    answers(await lattice("files", "download", name, "--to", str(original)))
    assert original.read_bytes() == DOCUMENT.read_bytes()
    assert await asyncio.to_thread(lambda: list(tmp_path.glob(".*.part"))) == []
