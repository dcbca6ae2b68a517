"""Everything of a workspace in a folder, which is whole or not there."""

import asyncio
import contextlib
import hashlib
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from faults.keeping.stage import LATTICE, Opened, Ran, furnish, lattice, rows_of
from lattice_cli.suite import Suite

pytestmark = pytest.mark.timeout(900)


def lines_of(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(it) for it in (folder / f"{name}.jsonl").read_text().splitlines()]


def found(folder: Path, name: str) -> list[Path]:
    return list(folder.rglob(name))


def same(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


def exporting(suite: Suite, to: Path) -> Ran:
    return lattice(suite.folder, "--admin", "export", "main", "--to", str(to))


async def test_an_export_has_every_version_file_message_run_change_and_switch(
    suite: Suite, opened: Opened, document: Path, tmp_path: Path
) -> None:
    """ER-04: counted against the rows of the databases, and each file against its digest."""
    async with opened("acme", "main") as connection:
        made = await furnish(connection, document)
    async with opened("acme", "elsewhere") as connection:
        await furnish(connection, document)
    folder = tmp_path / "main"
    ran = exporting(suite, folder)
    assert ran.status == 0, ran
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["one_moment"]
    files = {str(it.relative_to(folder)) for it in folder.rglob("*") if it.is_file()} - {"manifest.json"}
    assert files == manifest["files"].keys()
    for name, told in manifest["files"].items():
        content = (folder / name).read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (told["sha256"], told["bytes"])

    rows = rows_of(suite, "'acme', 'main'")
    for name, table in {
        "artifacts": "files.artifacts",
        "revisions": "files.revisions",
        "proposals": "files.proposals",
        "check-outs": "files.leases",
        "broken-check-outs": "files.broken_check_outs",
        "changes": "files.changes",
        "threads": "agent.threads",
        "runs": "agent.runs",
        "log": "agent.log",
        "switch-changes": "integrations.switch_changes",
    }.items():
        assert len(lines_of(folder, name)) == rows[table], name
    assert same(folder / "files" / made.artifact_id / "1" / document.name, document)
    sequences = [int(it["log_sequence"]) for it in lines_of(folder, "log")]
    assert sequences == list(range(1, manifest["positions_after"]["log"]["sequence"] + 1))
    assert made.run_id in {it["run_id"] for it in lines_of(folder, "log")}
    assert [it["actor"]["user"]["id"] for it in lines_of(folder, "switch-changes")] == ["ada"]
    assert not any("elsewhere" in it.read_text(errors="replace") for it in folder.rglob("*") if it.is_file())

    assert exporting(suite, folder).status == 1  # what is there is not written over


async def test_an_export_that_is_killed_leaves_nothing_that_looks_whole(
    suite: Suite, opened: Opened, document: Path, tmp_path: Path
) -> None:
    """ER-04: and another one is made beside what it left."""
    async with opened("acme", "cut") as connection:
        await furnish(connection, document)
    arguments = [
        "--data",
        str(suite.folder),
        "--tenant",
        "acme",
        "--admin",
        "export",
        "cut",
        "--to",
        str(tmp_path / "it"),
    ]
    process = await asyncio.create_subprocess_exec(LATTICE, *arguments)
    while not (left := found(tmp_path, "revisions.jsonl")):
        assert process.returncode is None, "it was done before it was killed"
        await asyncio.sleep(0.001)
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGKILL)
    await process.wait()
    assert found(tmp_path, "manifest.json") == []
    assert not (tmp_path / "it").exists()
    assert lattice(suite.folder, *arguments).status == 0
    assert (tmp_path / "it" / "manifest.json").is_file()
    assert left[0].exists()


def test_a_workspace_in_which_nothing_was_done_is_not_exported(suite: Suite, tmp_path: Path) -> None:
    """ER-04: its name may be mistyped, and an erasure be next."""
    ran = lattice(suite.folder, "--admin", "export", "mane", "--to", str(tmp_path / "mane"))
    assert ran.status == 1
    assert "nothing was ever done" in ran.lines[0]["error"]
    assert list(tmp_path.iterdir()) == []
