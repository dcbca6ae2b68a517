"""Workspaces with something of everything, the command as an operator runs it, and a look at all that there is."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg2
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli import conversations, native_files, switches
from lattice_cli.connection import Connection
from lattice_cli.suite import SERVICES, Suite
from psycopg2 import sql
from service.files.people import FAKEAPP
from sqlalchemy import make_url

FAKE_APP = {"name": "fakeapp", "command": [sys.executable, str(Path(__file__).parents[2] / "fakes" / "fake_app")]}
SETTINGS = {
    "LATTICE_FILES_APPS": json.dumps([FAKE_APP]),
    "LATTICE_INTEGRATIONS_REGISTRY": json.dumps([{"key": FAKEAPP, "title": "Fake app", "enabled_by_default": True}]),
}
"""What the services are told: an app that answers at once, however busy the machine is."""
LATTICE = str(Path(sys.executable).with_name("lattice"))
TABLES = """
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema')
"""


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    status: int
    lines: Sequence[Any]
    """What it printed, line by line, read as JSON."""
    errors: str


def lattice(folder: Path, *arguments: str, tenant: str = "acme", environment: Mapping[str, str] | None = None) -> Ran:
    """Run the command on the suite in a folder."""
    command = [LATTICE, "--data", str(folder), "--tenant", tenant, "--json", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=600)
    return Ran(ended.returncode, [json.loads(it) for it in ended.stdout.splitlines() if it], ended.stderr)


def everything(suite: Suite) -> dict[str, list[str]]:
    """Every row of every table of all services, as text with all its columns; bytes as the text that they are."""
    found = {}
    for service in SERVICES:
        postgres = EmbeddedPostgres(suite.folder / "postgres")
        url = make_url(postgres.administrator_url(f"lattice_{service}"))
        with closing(psycopg2.connect(**connection_parameters(url))) as connection, connection.cursor() as cursor:
            cursor.execute(TABLES)
            for (table,) in cursor.fetchall():
                cursor.execute(sql.SQL("SELECT t.* FROM {} t").format(sql.Identifier(table)))
                found[f"{service}.{table}"] = [repr(tuple(map(_readable, row))) for row in cursor.fetchall()]
    return found


def _readable(value: object) -> object:
    return bytes(value).decode(errors="replace") if isinstance(value, memoryview) else value


def rows_of(suite: Suite, *words: str) -> dict[str, int]:
    """How many rows there are, by table, with all of these words anywhere in them."""
    counted = {name: sum(all(it in row for it in words) for row in rows) for name, rows in everything(suite).items()}
    return {name: count for name, count in counted.items() if count}


def digest_of(suite: Suite, *words: str) -> str:
    """Tells one state of all rows with these words from another."""
    rows = [(name, row) for name, all_rows in everything(suite).items() for row in all_rows]
    kept = sorted(it for it in rows if all(word in it[1] for word in words))
    assert kept
    return hashlib.sha256(repr(kept).encode()).hexdigest()


def files_in(suite: Suite, part: str) -> list[Path]:
    """The files of the blob store below a folder, and the folders."""
    return sorted(path for path in (suite.folder / "blobs").rglob("*") if part in path.relative_to(suite.folder).parts)


@dataclass(frozen=True, kw_only=True)
class Furnished:
    """What a workspace was given."""

    artifact_id: str
    run_id: str


async def furnish(connection: Connection, document: Path) -> Furnished:
    """Give a workspace something of everything that people and agents make."""
    person = connection.person
    artifact_id = (await native_files.upload(connection, document)).applied.artifact_id
    name = person.artifact_name(artifact_id)
    thread = await conversations.create_thread(connection, f"Launch in {person.workspace}")
    sent = await conversations.send(connection, thread.thread_id, f"Fix the date of {artifact_id}, {person.workspace}.")
    await conversations.entries_of_run(connection, sent.run_id, within=60)
    rename = artifacts_pb.Patch(json_patch=json.dumps([{"op": "replace", "path": "/name", "value": "renamed.fake"}]))
    head = (await connection.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=name))).artifact.version
    edit = proposals_pb.ProposedEdit(artifact_id=artifact_id, base_version=head, patch=rename)
    context = artifacts_pb.WriteContext(request_id=native_files.new_request_id(), rationale=f"of {person.workspace}")
    change = proposals_pb.ProposedChange(edit=edit)
    request = proposals_pb.ProposeChangeRequest(workspace=person.workspace_name, change=change, context=context)
    await connection.proposals.ProposeChange(request)
    await connection.native_files.RenderPage(native_pb.RenderPageRequest(name=name, page=1))
    lent = native_pb.CheckOutRequest(name=name, request_id=native_files.new_request_id())
    await connection.native_files.CheckOut(lent)
    broken = native_pb.BreakCheckOutRequest(name=name, reason="needed", request_id=native_files.new_request_id())
    await connection.native_files.BreakCheckOut(broken)
    lent.request_id = native_files.new_request_id()
    await connection.native_files.CheckOut(lent)
    await switches.switch(connection, FAKEAPP, on=True, reason=f"for {person.workspace}")
    event = log_pb.AppEvent(name="told", data_json=json.dumps(person.workspace))
    recorded = log_pb.RecordAppEventRequest(
        workspace=person.workspace_name, event=event, request_id=native_files.new_request_id()
    )
    await connection.log.RecordAppEvent(recorded)
    return Furnished(artifact_id=artifact_id, run_id=sent.run_id)


Opened = Callable[..., AbstractAsyncContextManager[Connection]]


async def positions(connection: Connection) -> tuple[names_pb2.Cursor, names_pb2.Cursor]:
    """Where the feed and the log stand."""
    workspace = connection.person.workspace_name
    barrier = await connection.changes.ListChanges(changes_pb.ListChangesRequest(workspace=workspace))
    feed = names_pb2.Cursor(epoch=barrier.cursor.epoch, sequence=barrier.head_sequence)
    read = log_pb.ReadLogRequest(workspace=workspace, last=1, min_change_sequence=feed.sequence)
    return feed, (await connection.log.ReadLog(read)).head
