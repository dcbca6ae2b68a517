"""A backup of a deployment under writes, restored into a fresh place: the procedure of docs/operations.md, tried."""

import asyncio
import json
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import psycopg2
import pytest
from faults.keeping.stage import SETTINGS, Opened, furnish, lattice, positions
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice_chassis.postgres import embedded
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli import native_files
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.demo.stage import refused
from lattice_cli.suite import SERVICES, Suite, running_suite

pytestmark = pytest.mark.timeout(900)


async def rename(connection: Connection, artifact_id: str, title: str) -> artifacts_pb.Outcome:
    """A change that needs no app."""
    name = connection.person.artifact_name(artifact_id)
    head = (await connection.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=name))).artifact.version
    patch = artifacts_pb.Patch(json_patch=json.dumps([{"op": "replace", "path": "/name", "value": title}]))
    context = artifacts_pb.WriteContext(request_id=native_files.new_request_id())
    request = artifacts_pb.EditArtifactRequest(name=name, base_version=head, patch=patch, context=context)
    return (await connection.artifacts.EditArtifact(request)).outcome


@asynccontextmanager
async def renaming(connection: Connection, artifact_id: str) -> AsyncIterator[None]:
    """Somebody who writes without a pause."""

    async def write() -> None:
        number = 0
        while True:
            number += 1
            await rename(connection, artifact_id, f"draft-{number}.fake")

    writer = asyncio.create_task(write())
    try:
        yield
    finally:
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await writer


KEEPER = """
    CREATE ROLE lattice_keeper LOGIN BYPASSRLS;
    GRANT pg_read_all_data TO lattice_keeper;
    GRANT CONNECT ON DATABASE lattice_agent, lattice_files, lattice_integrations TO lattice_keeper;
"""
"""The role that docs/operations.md tells to make, for backups and for `lattice verify`."""


@pytest.fixture(scope="module")
def keeper(suite: Suite) -> str:
    """How the role connects, up to the name of the database."""
    server = EmbeddedPostgres(suite.folder / "postgres")
    with closing(psycopg2.connect(server.admin_dsn)) as connection, connection.cursor() as cursor:
        cursor.execute(KEEPER)
        connection.commit()
    return server.admin_dsn.replace("user=postgres", "user=lattice_keeper").replace("dbname=postgres", "dbname=")


def dump(keeper: str, service: str, into: Path) -> None:
    """Back one database up."""
    _run("pg_dump", f"--dbname={keeper}lattice_{service}", "--format=custom", f"--file={into}/{service}")


def restore(folder: Path, service: str, backup: Path) -> None:
    """Bring one database back, into an empty one with its roles."""
    with EmbeddedPostgres(folder / "postgres") as server:
        server.create_database(f"lattice_{service}")
        into = f"--dbname={server.admin_dsn} dbname=lattice_{service}"
        _run("pg_restore", into, "--exit-on-error", "--single-transaction", f"{backup}/{service}")


def _run(program: str, *arguments: str) -> None:
    command = [str(embedded._programs() / program), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 0, ended.stderr


async def test_a_backup_under_writes_comes_back_whole_and_old_positions_are_reset(
    suite: Suite, keeper: str, opened: Opened, document: Path
) -> None:
    """MP-22, ER-05, ER-06: agent, files, then blobs; agent takes up by their ids the changes that its backup lacks."""
    with tempfile.TemporaryDirectory(prefix="lattice-backup-") as kept:
        backup = Path(kept)
        async with opened("acme", "main") as connection:
            await furnish(connection, document)
            artifact_id = (await native_files.upload(connection, document)).applied.artifact_id
            await positions(connection)
            await _backed_up(keeper, backup, connection, artifact_id, ("agent", "files", "integrations"))
            shutil.copytree(suite.folder / "blobs", backup / "blobs")
            await rename(connection, artifact_id, "lost.fake")
            feed, log = await positions(connection)
        async with _restored(backup) as restored:
            reconciled = {it["service"]: it for it in lattice(restored.folder, "reconcile").lines}
            assert reconciled["agent"]["lost"] == 0
            assert reconciled["agent"]["taken_up"] > 0
            await restored.start("agent")
            assert lattice(restored.folder, "verify").lines == []
            await _goes_on(restored, artifact_id, feed=feed, log=log)


@pytest.mark.soak
async def test_a_feed_that_lost_changes_goes_on_beside_a_log_that_has_them(
    suite: Suite, keeper: str, opened: Opened, document: Path
) -> None:
    """MP-22, X-02: a backup of files that is older than that of agent; what was lost stays told."""
    with tempfile.TemporaryDirectory(prefix="lattice-backup-") as kept:
        backup = Path(kept)
        async with opened("acme", "other") as connection:
            artifact_id = (await native_files.upload(connection, document)).applied.artifact_id
            await positions(connection)
            await _backed_up(keeper, backup, connection, artifact_id, ("files", "agent", "integrations"))
            shutil.copytree(suite.folder / "blobs", backup / "blobs")
            feed, log = await positions(connection)
        async with _restored(backup) as restored:
            reconciled = {it["service"]: it for it in lattice(restored.folder, "reconcile").lines}
            assert reconciled["agent"]["lost"] > 0
            await restored.start("agent")
            assert lattice(restored.folder, "verify").lines == []
            await _goes_on(restored, artifact_id, feed=feed, log=log, workspace="other")


async def _backed_up(keeper: str, backup: Path, connection: Connection, artifact_id: str, order: Sequence[str]) -> None:
    """Dump the databases in this order, while somebody writes and agent takes it up."""
    async with renaming(connection, artifact_id):
        for service in order:
            await positions(connection)
            await asyncio.to_thread(dump, keeper, service, backup)
            await _two_more(connection)


async def _two_more(connection: Connection) -> None:
    """Wait for two more changes, and for agent to take them up."""
    name = connection.person.workspace_name
    watch = connection.changes.WatchChanges(changes_pb.WatchChangesRequest(workspace=name, from_head=True))
    count = 0
    async for message in watch:
        count += len(message.commits)
        if count >= 2:
            break
    watch.cancel()
    await positions(connection)


@asynccontextmanager
async def _restored(backup: Path) -> AsyncIterator[Suite]:
    """A suite in a fresh place on what was backed up; agent does not run yet."""
    folder = Path(tempfile.mkdtemp(prefix="lattice-restored-"))
    try:
        for service in SERVICES:
            await asyncio.to_thread(restore, folder, service, backup)
        shutil.copytree(backup / "blobs", folder / "blobs")
        below = tuple(it for it in SERVICES if it != "agent")
        async with running_suite(
            folder, services=below, settings=SETTINGS, postgres_settings={"fsync": "off"}
        ) as running:
            yield running
    finally:
        shutil.rmtree(folder)


async def _goes_on(restored: Suite, artifact_id: str, *, feed: object, log: object, workspace: str = "main") -> None:
    """Old positions are reset, a new change is on the log once, and every change of the feed is."""
    person = Person(tenant="acme", workspace=workspace, user="ada", administrator=True)
    async with connect(restored.addresses, person) as connection:
        name = person.workspace_name
        old_feed = changes_pb.ListChangesRequest(workspace=name, cursor=feed)  # type: ignore[arg-type]
        assert (await refused(connection.changes.ListChanges(old_feed))).reason == "CURSOR_RESET"
        watch = connection.log.WatchLog(log_pb.WatchLogRequest(workspace=name, cursor=log))  # type: ignore[arg-type]
        assert (await refused(anext(aiter(watch)))).reason == "CURSOR_RESET"
        outcome = await rename(connection, artifact_id, "after.fake")
        told = await _log_of(connection, outcome.change_sequence)
        listed = await connection.changes.ListChanges(changes_pb.ListChangesRequest(workspace=name))
        changes = [it for commit in listed.commits for it in commit.changes]
        taken = {it.entry_id: it.change_sequence for it in told if it.change_sequence}
        assert taken == {it.change_id: it.change_sequence for it in changes}
        assert [it.log_sequence for it in told] == list(range(1, len(told) + 1))


async def _log_of(connection: Connection, change_sequence: int) -> list[log_pb.LogEntry]:
    found: list[log_pb.LogEntry] = []
    while True:
        request = log_pb.ReadLogRequest(
            workspace=connection.person.workspace_name,
            after_sequence=found[-1].log_sequence if found else 0,
            min_change_sequence=change_sequence,
        )
        page = (await connection.log.ReadLog(request)).entries
        if not page:
            return found
        found += page
