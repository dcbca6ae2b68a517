"""A workspace or a tenant erased from all stores: nothing of it is left, and nobody else's is touched."""

from pathlib import Path

import pytest
from faults.keeping.stage import Opened, digest_of, files_in, furnish, lattice, rows_of
from lattice_cli import native_files
from lattice_cli.demo.stage import refused
from lattice_cli.suite import Suite

pytestmark = pytest.mark.timeout(900)  # each command is a few programs, which start slowly on a busy machine


async def test_a_workspace_is_gone_from_every_table_and_the_blobs_and_no_other_is_touched(
    suite: Suite, opened: Opened, document: Path
) -> None:
    """ER-01, ER-02, ER-03: the same document in three places, and one of them erased."""
    for tenant, workspace in (("acme", "doomed"), ("acme", "spared"), ("initech", "doomed")):
        async with opened(tenant, workspace) as connection:
            await furnish(connection, document)
    before = digest_of(suite, "acme", "spared"), digest_of(suite, "initech")
    others = files_in(suite, "spared"), files_in(suite, "initech")
    assert len(rows_of(suite, "'acme'", "'doomed'")) > 15

    unconfirmed = lattice(suite.folder, "erase", "doomed")
    assert unconfirmed.status == 1
    assert len(rows_of(suite, "'acme'", "'doomed'")) > 15

    ran = lattice(suite.folder, "erase", "doomed", "--yes", "doomed")
    assert ran.status == 0, ran
    assert [it["service"] for it in ran.lines] == ["agent", "files", "integrations"]
    assert all(set(it["left"].values()) == {0} for it in ran.lines)
    assert all(sum(it["erased"].values()) for it in ran.lines)
    assert [ran.errors.count(f"outcome '{it}'") for it in ("begun", "succeeded")] == [3, 3]

    assert rows_of(suite, "acme", "doomed") == {}
    assert [it for it in files_in(suite, "doomed") if "acme" in it.parts] == []
    assert (digest_of(suite, "acme", "spared"), digest_of(suite, "initech")) == before
    assert (files_in(suite, "spared"), files_in(suite, "initech")) == others
    assert lattice(suite.folder, "verify").lines == []

    again = lattice(suite.folder, "erase", "doomed", "--yes", "doomed")
    assert again.status == 0
    assert all(set(it["erased"].values()) == {0} for it in again.lines)

    async with opened("acme", "doomed") as connection:
        refusal = await refused(native_files.upload(connection, document))
        assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "workspace")
    assert rows_of(suite, "acme", "doomed") == {}
    assert [it for it in files_in(suite, "doomed") if "acme" in it.parts] == []


async def test_a_tenant_is_gone_with_all_its_workspaces_and_gets_no_new_one(
    suite: Suite, opened: Opened, document: Path
) -> None:
    """ER-01, ER-02."""
    for tenant, workspace in (("hooli", "one"), ("hooli", "two"), ("initech", "one")):
        async with opened(tenant, workspace) as connection:
            await furnish(connection, document)
    before = digest_of(suite, "initech")
    ran = lattice(suite.folder, "erase", "hooli", "--whole-tenant", "--yes", "hooli")
    assert ran.status == 0, ran
    assert rows_of(suite, "'hooli'") == {}
    assert files_in(suite, "hooli") == []
    assert digest_of(suite, "initech") == before
    async with opened("hooli", "three") as connection:
        assert (await refused(native_files.upload(connection, document))).reason == "NOT_FOUND"
    assert rows_of(suite, "'hooli'") == {}
    assert files_in(suite, "hooli") == []


async def test_a_store_that_has_none_of_the_blobs_is_taken_for_another_one(
    suite: Suite, opened: Opened, document: Path
) -> None:
    """ER-01, ER-03: the rows that tell of them would be gone, and their content left wherever it is."""
    async with opened("acme", "-kept") as connection:
        await furnish(connection, document)
    named = ("--yes=-kept", "--", "-kept")  # a name may begin as an option does
    blobs, away = suite.folder / "blobs", suite.folder / "elsewhere"
    blobs.rename(away)
    assert "there is no folder" in lattice(suite.folder, "erase", *named).errors
    blobs.mkdir()
    ran = lattice(suite.folder, "erase", *named)
    assert ran.status == 1
    assert "is it that of the service?" in ran.errors
    assert "outcome 'failed'" in ran.errors
    assert [it for it in rows_of(suite, "'acme'", "'-kept'") if it == "files.blobs"]
    assert lattice(suite.folder, "erase", "--blobs-lost", *named).status == 0
    assert rows_of(suite, "'acme'", "'-kept'") == {}
    blobs.rmdir()
    away.rename(blobs)
    assert lattice(suite.folder, "erase", *named).status == 0
    assert [it for it in files_in(suite, "-kept") if "acme" in it.parts] == []
