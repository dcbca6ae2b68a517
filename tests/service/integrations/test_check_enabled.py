"""Asking whether an integration is on."""

from dataclasses import replace

import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_integrations.main import running
from lattice_integrations.store import queries
from service.integrations.people import SKETCH, WORDCRAFT, MakeSettings, Person, person, refused
from sqlalchemy import text


@pytest.mark.parametrize(("key", "default"), [(WORDCRAFT, True), (SKETCH, False)])
async def test_a_switch_nobody_set_answers_its_declared_default(alice: Person, key: str, default: bool) -> None:
    """I-01, I-04, AMB-02, TN-02: in a workspace never written to."""
    assert await alice.asks(key) == pb.CheckEnabledResponse(
        enabled=default, source=pb.SWITCH_SOURCE_DEFAULT, revision=0
    )


async def test_a_switch_that_was_set_answers_its_setting(alice: Person, admin: Person) -> None:
    """I-01, I-16."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    assert await alice.asks() == pb.CheckEnabledResponse(enabled=False, source=pb.SWITCH_SOURCE_SETTING, revision=1)


async def test_a_switch_is_of_one_workspace(admin: Person, tenant: str) -> None:
    """I-06: off here says nothing about the workspace beside it."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    beside = replace(admin, workspace=f"tenants/{tenant}/workspaces/beside")
    assert (await beside.asks()).enabled is True


async def test_switching_takes_effect_at_once_on_every_server(
    make_settings: MakeSettings, admin: Person, tenant: str
) -> None:
    """I-16, X-06: whoever asks after the answer, on whichever replica, is told the new state."""
    async with running(make_settings()) as replica, person(replica.address, tenant, "bob") as bob:
        for revision, enabled in enumerate([False, True, False]):
            await admin.switches(WORDCRAFT, on=enabled, expected=revision)
            assert (await bob.asks()).enabled is enabled


async def test_an_unknown_key_is_an_error_and_never_on(alice: Person) -> None:
    """I-17."""
    refusal = await refused(alice.asks("files:nosuch"))
    assert (refusal.reason, refusal.metadata) == ("UNKNOWN_INTEGRATION", {"key": "files:nosuch"})


async def test_a_key_that_was_set_and_is_no_longer_declared_is_unknown(
    make_settings: MakeSettings, admin: Person, tenant: str
) -> None:
    """I-17: what was set in earlier times does not make it on, and it comes back with its declaration."""
    await admin.switches(SKETCH, on=True, expected=0)
    only_wordcraft = make_settings().registry[:1]
    async with (
        running(make_settings(registry=only_wordcraft)) as later,
        person(later.address, tenant, "ada", role="administrator") as ada,
    ):
        for call in (ada.asks(SKETCH), ada.switches(SKETCH, on=True, expected=1), ada.page_of_history(key=SKETCH)):
            assert (await refused(call)).reason == "UNKNOWN_INTEGRATION"
        listed = await ada.lists()
        assert [state.integration.key for state in listed.integrations] == [WORDCRAFT]
        assert [change.key for change in await ada.history()] == [SKETCH]  # it stays on record
    assert (await admin.asks(SKETCH)).enabled is True


async def test_the_default_registry_declares_wordcraft_for_docx_and_on(
    make_settings: MakeSettings, tenant: str
) -> None:
    """I-02, AMB-02."""
    declared = type(make_settings()).model_fields["registry"].default
    async with running(make_settings(registry=declared)) as server, person(server.address, tenant, "alice") as alice:
        (only,) = (await alice.lists()).integrations
    assert (only.integration.key, only.integration.enabled_by_default) == (WORDCRAFT, True)
    assert list(only.integration.governed_kinds) == ["native_docx"]
    assert (only.switch.enabled, only.switch.source) == (True, pb.SWITCH_SOURCE_DEFAULT)


async def test_asking_reads_one_row_by_the_index(integrations_urls: DatabaseUrls, admin: Person, tenant: str) -> None:
    """I-07: however often the switches of the workspace were set."""
    await admin.toggles(20)
    query = queries.NEWEST_SETTING.params(tenant=tenant, workspace="main", key=WORDCRAFT)
    async with (
        open_database(integrations_urls.service, application="test") as database,
        database.transaction(tenant) as connection,
    ):
        # A table this small is scanned whole otherwise; what is shown here is that the index serves the query.
        await connection.execute(text("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off"))
        literal = query.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        plan = "\n".join((await connection.execute(text(f"EXPLAIN (ANALYZE) {literal}"))).scalars())
    assert "Index Scan Backward using switch_changes_by_key" in plan
    assert "Sort" not in plan
    assert "rows=1.00 loops=1" in plan
    assert "Rows Removed" not in plan


async def test_a_list_has_every_declared_integration_in_the_registrys_order(alice: Person, admin: Person) -> None:
    """I-02."""
    await admin.switches(SKETCH, on=True, expected=0)
    listed = await alice.lists()
    assert [(state.integration.key, state.switch.enabled, state.switch.revision) for state in listed.integrations] == [
        (WORDCRAFT, True, 0),
        (SKETCH, True, 1),
    ]
    assert listed.cursor.sequence == 1
