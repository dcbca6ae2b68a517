"""Everything that can be damaged is damaged in turn, and named."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import lattice_agent.keeping
import lattice_files.keeping
import lattice_integrations.keeping
import psycopg2
import pytest
from faults.keeping.stage import Opened, files_in, furnish, lattice, positions
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_chassis.postgres.erasure import Extent, erase
from lattice_chassis.postgres.inspection import BoundRole, Fault
from lattice_cli import native_files
from lattice_cli.suite import Suite
from lattice_files.adapters.blob_store import FolderBlobs, open_blob_store
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.keeping import StoredContent
from sqlalchemy import make_url

pytestmark = pytest.mark.timeout(900)

IN_MAIN: Final = " AND (tenant, workspace) = ('acme', 'main')"


@dataclass(frozen=True)
class Damage:
    """What is done to a store, and which fault has to be found then; others may follow from it."""

    kind: str
    service: str
    statement: str = ""
    to_blob: Callable[[Path], object] | None = None


def flipped(blob: Path) -> None:
    content = bytearray(blob.read_bytes())
    content[len(content) // 2] ^= 1
    blob.write_bytes(content)


def cut_off(blob: Path) -> None:
    blob.write_bytes(blob.read_bytes()[:-1])


DAMAGES: Final = (
    Damage("FEED_DIVERGED", "agent", "UPDATE log SET entry_id = 'x' WHERE change_sequence = 1"),
    Damage("BLOB_DAMAGED", "files", to_blob=flipped),
    Damage("BLOB_DAMAGED", "files", to_blob=cut_off),
    Damage("BLOB_MISSING", "files", to_blob=Path.unlink),
    Damage("BLOB_STRAY", "files", to_blob=lambda it: it.with_name("0" * 64).write_bytes(b"nobody's")),
    Damage("BLOB_UNKNOWN", "files", "DELETE FROM blobs WHERE kind = 'text'"),
    Damage("STORAGE_MISCOUNTED", "files", "UPDATE storage SET bytes = bytes + 1 WHERE true"),
    Damage("LEASE_MALFORMED", "files", "UPDATE leases SET expires_at = acquired_at WHERE true"),
    Damage("LEASE_TOKEN_REUSED", "files", "UPDATE broken_check_outs SET token = token + 100 WHERE true"),
    Damage("COMMIT_SPLIT", "files", "UPDATE changes SET commit_end = 9 WHERE change_sequence = 1"),
    Damage("FEED_GAP", "files", "DELETE FROM changes WHERE change_sequence = 2"),
    Damage("REVISION_UNTOLD", "files", "DELETE FROM changes WHERE change_sequence = 1"),
    Damage("REVISION_BEYOND_HEAD", "files", "UPDATE revisions SET version = version + 5 WHERE true"),
    Damage("REVISION_MISSING", "files", "UPDATE artifacts SET version = version + 9 WHERE true"),
    Damage("ORPHAN", "files", "DELETE FROM artifacts WHERE true"),
    Damage("CHANGE_MISSING", "agent", "UPDATE log SET change_sequence = NULL WHERE change_sequence = 1"),
    Damage("CLAIM_TOKEN_REUSED", "agent", "UPDATE claims SET token = 0 WHERE true"),
    Damage(
        "TWO_RUNS_AT_ONCE",
        "agent",
        "INSERT INTO runs (tenant, workspace, run_id, thread_id, position, status, claim_token, entity)"
        " SELECT tenant, workspace, run_id || n, thread_id, position, 'running', 1, entity"
        " FROM runs, generate_series(1, 2) n WHERE true",
    ),
    Damage("LOG_GAP", "agent", "DELETE FROM log WHERE event = 'run_ended'"),
    Damage("ORPHAN", "agent", "DELETE FROM threads WHERE true"),
    Damage("SWITCH_GAP", "integrations", "DELETE FROM switch_changes WHERE true"),
    Damage("ORPHAN", "integrations", "DELETE FROM workspaces WHERE true"),
)


def others(document: Path) -> Iterator[Path]:
    for number in range(2):
        other = document.with_name(f"{number}.fake")
        other.write_text(document.read_text().replace("plan", f"plan {number}"))
        yield other


def texts_of(suite: Suite, workspace: str) -> list[Path]:
    """The blobs that versions name and that are long enough: rendered pages may be missing."""
    blobs = [it for it in files_in(suite, workspace) if it.is_file() and it.stat().st_size > 1000]
    return [it for it in blobs if not it.read_bytes().startswith(b"\x89PNG")]


def administrator_url(suite: Suite, service: str) -> str:
    return EmbeddedPostgres(suite.folder / "postgres").administrator_url(f"lattice_{service}")


async def found_in(suite: Suite) -> set[tuple[str, Fault]]:
    """What the three services find, as `lattice verify` asks them."""
    faults, taken_up = await lattice_agent.keeping.verify(administrator_url(suite, "agent"))
    blobs = open_blob_store(str(suite.folder / "blobs"))
    of_files = await lattice_files.keeping.verify(administrator_url(suite, "files"), blobs, taken_up)
    of_integrations = await lattice_integrations.keeping.verify(administrator_url(suite, "integrations"))
    every = {"agent": faults, "files": of_files, "integrations": of_integrations}
    return {(service, fault) for service, found in every.items() for fault in found}


async def test_each_damage_is_named_where_nothing_was_wrong_before(
    suite: Suite, opened: Opened, document: Path
) -> None:
    """ER-05, B-03, EV-01, MP-10, X-02, SG-03: one damage after the other, and the command that tells of all."""
    for workspace in ("main", "well"):
        async with opened("acme", workspace) as connection:
            await furnish(connection, document)
            for other in others(document):  # so that each damage meets something that is well
                await native_files.upload(connection, other)
            await positions(connection)  # agent has taken all of it up
    assert await found_in(suite) == set()
    before: set[tuple[str, Fault]] = set()
    for damage in DAMAGES:
        if damage.to_blob is not None:
            damage.to_blob(next(it for it in texts_of(suite, "main") if it.name not in {at.about for _, at in before}))
        else:
            url = make_url(administrator_url(suite, damage.service))
            with closing(psycopg2.connect(**connection_parameters(url))) as connection, connection.cursor() as cursor:
                cursor.execute(damage.statement + IN_MAIN)
                assert cursor.rowcount > 0, damage
                connection.commit()
        found = await found_in(suite)
        named = {fault.kind for _, fault in found - before}
        assert damage.kind in named, (damage, found - before)
        before = found
    assert {fault.workspace for _, fault in before} <= {"tenants/acme/workspaces/main", ""}
    told = lattice(suite.folder, "verify")
    assert told.status == 1
    assert {(it["service"], it["kind"], it["about"]) for it in told.lines} == {
        (service, fault.kind, fault.about) for service, fault in before
    }


class Erasing(FolderBlobs):
    """Blobs of which a workspace is erased for good while they are read, and another one while they are listed."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite.folder / "blobs")
        self._owner_url = suite.databases["files"].owner
        self._remaining = ["leaving", "left"]

    async def read(self, scope: WorkspaceKey, digest: str) -> AsyncGenerator[bytes, None]:
        await self._erase("leaving")
        async for chunk in super().read(scope, digest):
            yield chunk

    async def stored(self, folder: str) -> AsyncGenerator[tuple[str, int], None]:
        listed = [it async for it in super().stored(folder)]
        await self._erase("left")
        for it in listed:
            yield it

    async def _erase(self, workspace: str) -> None:
        if workspace in self._remaining:
            self._remaining.remove(workspace)
            report = await erase(self._owner_url, Extent(tenant="acme", workspace=workspace), StoredContent(self))
            assert report.clean
            assert report.erased["objects"]


async def test_what_is_erased_while_it_looks_is_no_fault(suite: Suite, opened: Opened, document: Path) -> None:
    """ER-05: it reads the database before the content, and the content takes its time."""
    before = await found_in(suite)
    for workspace in ("leaving", "left"):
        async with opened("acme", workspace) as connection:
            await native_files.upload(connection, document)
    found = await lattice_files.keeping.verify(administrator_url(suite, "files"), Erasing(suite), [])
    assert {it for it in found if it.kind != "FEED_DIVERGED"} == {
        fault for service, fault in before if service == "files" and fault.kind != "FEED_DIVERGED"
    }


async def test_a_role_that_sees_one_tenant_verifies_nothing(suite: Suite) -> None:
    """ER-05: to its eyes everything would be well."""
    with pytest.raises(BoundRole):
        await lattice_integrations.keeping.verify(suite.databases["integrations"].owner)
