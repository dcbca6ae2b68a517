"""What the database keeps, and what it refuses."""

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.workspaces import lock_workspace
from lattice_files.domain.content import Content
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.store import blobs
from lattice_files.store.blobs import BlobKind, NewBlob
from lattice_files.store.tables import metadata
from lattice_files.store.unit_of_work import Reading, Work
from service.files.people import Participant, append, document, refused
from sqlalchemy import Connection, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


def _differences(connection: Connection) -> list[object]:
    chassis = {"workspaces", "requests", "erasures", "alembic_version"}
    context = MigrationContext.configure(
        connection,
        opts={"include_name": lambda name, kind, _parents: kind != "table" or name not in chassis},
    )
    found: list[object] = compare_metadata(context, metadata)
    return [it for it in found if not (isinstance(it, tuple) and (it[0] == "remove_index" or _of_a_release_before(it)))]


def _of_a_release_before(difference: tuple[Any, ...]) -> bool:
    """Columns that no query of this release names, and that replicas of the one before still read."""
    return difference[0] == "remove_column" and (difference[2], difference[3].name) == ("proposals", "proposer_key")


async def test_the_tables_that_queries_name_are_those_that_the_migrations_make(files_urls: DatabaseUrls) -> None:
    """SG-06: or a query would fail in production first; indexes are the migrations' own affair."""
    engine = create_async_engine(files_urls.owner)
    async with engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    await engine.dispose()


async def test_what_is_for_ever_the_service_cannot_delete(files_urls: DatabaseUrls, tenant: str) -> None:
    """AT-05, B-07, EV-07, L-01: revisions, changes and leases."""
    async with open_database(files_urls.service, application="test") as database:
        for name in ("revisions", "changes", "leases", "artifacts"):
            with pytest.raises(Exception, match="permission denied"):
                async with database.transaction(tenant) as connection:
                    await connection.execute(text(f"DELETE FROM {name}"))  # noqa: S608 - our names


async def test_a_writer_waits_for_a_blob_that_is_being_deleted_and_stores_it_again(
    files_urls: DatabaseUrls, alice: Participant, tenant: str, eventually: Eventually
) -> None:
    """B-06: the write side of collection; only `deleting` makes it wait."""
    content = document("Collected.")
    digest = hashlib.sha256(content).hexdigest()
    connection = psycopg2.connect(**connection_parameters(make_url(files_urls.service)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
        cursor.execute(
            "INSERT INTO blobs (tenant, workspace, digest, kind, size, state, touched_at)"
            " VALUES (%s, 'main', %s, 'native', 1, 'deleting', clock_timestamp())",
            (tenant, digest),
        )
        upload = asyncio.ensure_future(alice.uploads(content))

        async def others_touched() -> bool:
            cursor.execute("SELECT count(*) FROM blobs WHERE state = 'present'")
            row = cursor.fetchone()
            return row is not None and row[0] > 0

        await eventually(others_touched)
        assert not upload.done()
        cursor.execute("DELETE FROM blobs WHERE digest = %s", (digest,))
        outcome = await upload
    connection.close()
    assert (await alice.downloads(outcome.applied.artifact_id))[1] == content


async def test_a_blob_that_stays_in_deletion_refuses_its_writer_in_the_end(
    files_urls: DatabaseUrls, alice: Participant, tenant: str
) -> None:
    """B-06, R-11: and nothing is committed."""
    content = document("Stuck.")
    connection = psycopg2.connect(**connection_parameters(make_url(files_urls.service)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
        cursor.execute(
            "INSERT INTO blobs (tenant, workspace, digest, kind, size, state, touched_at)"
            " VALUES (%s, 'main', %s, 'native', 1, 'deleting', clock_timestamp())",
            (tenant, hashlib.sha256(content).hexdigest()),
        )
    connection.close()
    refusal = await refused(alice.uploads(content))
    assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "blobs")
    assert await alice.feed() == []


@pytest.mark.parametrize(
    ("kept", "released"), [("abcd", ""), ("c", "abd")], ids=["one kind of use", "two kinds in one commit"]
)
async def test_a_commit_and_a_writer_that_name_the_same_blobs_never_wait_for_each_other(
    files_urls: DatabaseUrls, tenant: str, eventually: Eventually, kept: str, released: str
) -> None:
    """B-06, WP-02: both lock rows in the order of digests; a third holds one in the middle until both wait."""
    scope = WorkspaceKey(tenant=tenant, workspace="main")
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(files_urls.service, application="test"))

        async def settles() -> None:
            async with database.transaction(tenant) as connection:
                workspace = await lock_workspace(connection, tenant, "main")
                work = Work(connection=connection, scope=scope, workspace=workspace)
                await blobs.settle(work, kept=frozenset(kept), pending=frozenset(), released=frozenset(released))

        async def touches(digests: str) -> None:
            async with database.transaction(tenant) as connection:
                new = [
                    NewBlob(kind=BlobKind.NATIVE, content=Content(digest=it, size=1, path=Path("none")))
                    for it in digests
                ]
                assert (await blobs.touch(Reading(connection=connection, scope=scope), new)).present

        for digest in "dcba":  # where they lie in the table is not their order
            await touches(digest)
        holder = stack.enter_context(
            contextlib.closing(psycopg2.connect(**connection_parameters(make_url(files_urls.service))))
        )
        cursor = stack.enter_context(holder.cursor())
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
        cursor.execute("SELECT 1 FROM blobs WHERE digest = 'c' FOR UPDATE")

        async def waiting(count: int) -> bool:
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            row = cursor.fetchone()
            return row is not None and row[0] == count

        async with asyncio.TaskGroup() as group:
            group.create_task(settles())
            await eventually(partial(waiting, 1))
            group.create_task(touches("abcd"))
            await eventually(partial(waiting, 2))
            holder.rollback()


async def test_a_page_of_large_changes_is_cut_before_it_outgrows_a_message(
    alice: Participant, assistant: Participant
) -> None:
    """MP-11: whoever lists on misses nothing, however large proposals are."""
    artifact_id = await alice.has_file("One.")
    for _ in range(5):
        await assistant.edits(artifact_id, 1, append("x" * 900_000), must_propose=True)
    seen: list[int] = []
    cursor = names_pb2.Cursor(epoch="new")
    while len(seen) < 6:
        request = changes_pb.ListChangesRequest(workspace=alice.scope, cursor=cursor)
        page = await alice.changes.ListChanges(request)
        assert page.commits
        seen += [it.change_sequence for commit in page.commits for it in commit.changes]
        assert page.cursor.sequence == seen[-1]
        cursor = page.cursor
    assert seen == [1, 2, 3, 4, 5, 6]
    refusal = await refused(assistant.edits(artifact_id, 1, append("x" * 1_100_000)))
    assert refusal.reason == "VALIDATION_FAILED"
