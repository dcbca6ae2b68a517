"""Watching a workspace's switches."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

import grpc
import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis.identity import development_metadata
from lattice_chassis.paging import Cursor
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_integrations.main import running
from lattice_integrations.store.switch_store import ChangePage, Switches
from service.integrations.people import DEADLINE, SKETCH, WORDCRAFT, MakeSettings, Person, Watch, person
from sqlalchemy import text


async def test_a_watch_tells_where_all_stands_then_each_change_then_that_nothing_happens(
    alice: Person, admin: Person
) -> None:
    """I-16, SB-02."""
    await admin.switches(SKETCH, on=True, expected=0)
    async with alice.watching() as watch:
        first = await watch.read()
        assert first.WhichOneof("event") == "snapshot"
        states = [(state.switch.key, state.switch.enabled) for state in first.snapshot.integrations]
        assert states == [(WORDCRAFT, True), (SKETCH, True)]
        assert first.cursor.sequence == 1
        assert await watch.caught_up() == first.cursor
        await admin.switches(WORDCRAFT, on=False, expected=0, reason="audit")
        (told,) = await watch.changes(1)
        assert told.change == (await admin.history())[0]
        assert told.cursor.sequence == 2
        assert await watch.caught_up() == told.cursor


async def test_a_watch_of_a_workspace_never_written_to_hears_its_first_change(alice: Person, admin: Person) -> None:
    """TN-02, SB-02: also if it is resumed in between."""
    async with alice.watching() as watch:
        start = await watch.caught_up()
        await admin.switches(WORDCRAFT, on=False, expected=0)
        assert [it.cursor.sequence for it in await watch.changes(1)] == [1]
    async with alice.watching(start) as watch:
        assert [it.cursor.sequence for it in await watch.changes(1)] == [1]


async def test_a_watch_resumes_wherever_it_was_cut_without_gap_or_repeat(alice: Person, admin: Person) -> None:
    """SB-02, SB-04: cut after each message, while changes go on."""
    seen: list[int] = []
    async with alice.watching() as watch:
        cursor = (await watch.read()).cursor
    switching = asyncio.create_task(admin.toggles(40))
    while len(seen) < 40:
        async with alice.watching(cursor) as watch:
            for told in await watch.changes(min(3, 40 - len(seen))):
                seen.append(told.change.revision)
                cursor = told.cursor
    await switching
    assert seen == list(range(1, 41))


async def test_a_watch_resumes_at_another_server(
    alice: Person, admin: Person, make_settings: MakeSettings, tenant: str
) -> None:
    """SB-02, SB-07: cursors belong to the workspace, and commits are heard of across processes."""
    await admin.toggles(2)
    async with alice.watching() as watch:
        cursor = await watch.caught_up()
    await admin.toggles(2)
    async with (
        running(make_settings()) as replica,
        person(replica.address, tenant, "alice") as elsewhere,
        elsewhere.watching(cursor) as watch,
    ):
        assert [it.cursor.sequence for it in await watch.changes(2)] == [3, 4]
        await admin.toggles(1)
        assert [it.cursor.sequence for it in await watch.changes(1)] == [5]


async def test_a_list_is_a_place_to_watch_from(alice: Person, admin: Person) -> None:
    """SB-02."""
    await admin.toggles(1)
    listed = await alice.lists()
    await admin.toggles(1)
    async with alice.watching(listed.cursor) as watch:
        assert [it.cursor.sequence for it in await watch.changes(1)] == [2]


async def test_snapshots_taken_while_switches_change_fit_what_follows_them(alice: Person, admin: Person) -> None:
    """SB-02: no change is in a snapshot and told again, and none is in neither."""
    switching = asyncio.gather(admin.toggles(25, WORDCRAFT), admin.toggles(25, SKETCH))
    snapshots = []
    while not switching.done():
        async with alice.watching() as watch:
            snapshots.append(await watch.read())
    await switching
    changes = list(reversed(await admin.history()))
    assert len(snapshots) > 1
    for taken in snapshots:
        position = taken.cursor.sequence
        for state in taken.snapshot.integrations:
            own = [change for change in changes if change.key == state.switch.key and change.revision <= position]
            assert state.switch.revision == (own[-1].revision if own else 0)


@pytest.mark.parametrize("fault", ["past the head", "another history", "never given out", "negative"])
async def test_a_cursor_that_the_history_does_not_have_is_reset(alice: Person, admin: Person, fault: str) -> None:
    """SB-05, MP-22."""
    await admin.toggles(2)
    cursor = (await alice.lists()).cursor
    match fault:
        case "past the head":
            cursor.sequence = 3
        case "another history":
            cursor.epoch = cursor.epoch.replace(cursor.epoch[:36], str(uuid4()))
        case "never given out":
            cursor.epoch = "x"
        case "negative":
            cursor.sequence = -1
    async with alice.watching(cursor) as watch:
        ending = await watch.ending()
    assert ending.reason == "CURSOR_RESET"
    assert ending.metadata == {"epoch": (await alice.lists()).cursor.epoch}


async def test_a_watch_does_not_go_on_under_another_registry(
    alice: Person, make_settings: MakeSettings, tenant: str
) -> None:
    """SB-05, I-17: what was declared, and what it defaults to, is part of what a watcher built on."""
    async with alice.watching() as watch:
        cursor = await watch.caught_up()
    wordcraft, sketch = make_settings().registry
    on_by_default = sketch.model_copy(update={"enabled_by_default": True})
    async with (
        running(make_settings(registry=(wordcraft, on_by_default))) as later,
        person(later.address, tenant, "alice") as elsewhere,
        elsewhere.watching(cursor) as watch,
    ):
        assert (await watch.ending()).reason == "CURSOR_RESET"


async def test_changes_of_what_is_no_longer_declared_are_passed_over(
    admin: Person, make_settings: MakeSettings, tenant: str
) -> None:
    """I-17: nobody hears that an unknown integration is on."""
    async with (
        running(make_settings(registry=make_settings().registry[:1])) as later,
        person(later.address, tenant, "alice") as elsewhere,
        elsewhere.watching() as watch,
    ):
        await watch.caught_up()
        await admin.switches(SKETCH, on=True, expected=0)
        await admin.switches(WORDCRAFT, on=False, expected=0)
        (told,) = await watch.changes(1)
        assert (told.change.key, told.cursor.sequence) == (WORDCRAFT, 2)


async def test_a_change_that_nobody_announced_is_found_by_the_poll(
    alice: Person, integrations_urls: DatabaseUrls, admin: Person, tenant: str
) -> None:
    """SB-07: the row is there and its notification was lost, as when a server dies after its commit."""
    await admin.toggles(1)
    async with alice.watching() as watch:
        await watch.caught_up()
        async with (
            open_database(integrations_urls.service, application="test") as database,
            database.transaction(tenant) as connection,
        ):
            copied = "tenant, workspace, key, enabled_before, source_before, enabled, actor, reason, changed_at"
            await connection.execute(
                text(
                    f"INSERT INTO switch_changes ({copied}, traceparent, revision) "  # noqa: S608 - our names
                    f"SELECT {copied}, traceparent, 2 FROM switch_changes"
                )
            )
            await connection.execute(text("UPDATE workspaces SET head = 2"))
        assert [it.cursor.sequence for it in await watch.changes(1)] == [2]


async def test_watches_wake_at_once_for_commits_of_their_own_and_of_other_servers(
    alice: Person, make_settings: MakeSettings, admin: Person, tenant: str
) -> None:
    """SB-07: with a poll that would come too late."""
    slow = make_settings(watch_poll="1h", watch_progress="1h")
    async with (
        running(slow) as one,
        running(slow) as two,
        person(one.address, tenant, "alice") as here,
        person(two.address, tenant, "alice") as there,
        here.watching() as near,
        there.watching() as far,
    ):
        for watch in (near, far):
            await watch.caught_up()
        await admin.toggles(3)  # on the session's server, a third one
        for watch in (near, far):
            assert [it.cursor.sequence for it in await watch.changes(3)] == [1, 2, 3]


async def test_a_reader_that_stalls_is_cut_off_and_resumes_without_gap(
    admin: Person, make_settings: MakeSettings, tenant: str
) -> None:
    """SB-08: nothing is kept for it in memory, and nothing is lost."""
    async with running(make_settings(watch_backlog=20, watch_page=10, watch_progress="1h")) as server:
        async with _narrow(server, admin) as call:
            watch = Watch(call)
            await watch.caught_up()
            for revision in range(60):
                await admin.switches(WORDCRAFT, on=revision % 2 == 1, expected=revision, reason="ж" * 1000)
            seen, ending = await watch.rest()
        assert ending.reason == "SLOW_CONSUMER"
        assert int(ending.metadata["waiting"]) > 20
        assert [it.cursor.sequence for it in seen] == list(range(1, len(seen) + 1))
        assert len(seen) < 60
        async with person(server.address, tenant, "alice") as again, again.watching(seen[-1].cursor) as watch:
            rest = await watch.changes(60 - len(seen))
    assert [it.cursor.sequence for it in rest] == list(range(len(seen) + 1, 61))


async def test_a_long_history_is_no_reason_to_cut_a_reader_off(
    admin: Person, make_settings: MakeSettings, tenant: str
) -> None:
    """SB-08: the limit is on what waits for a reader that had caught up."""
    await admin.toggles(1)
    cursor = (await admin.lists()).cursor
    await admin.toggles(30)
    async with (
        running(make_settings(watch_backlog=5, watch_page=10)) as server,
        person(server.address, tenant, "alice") as alice,
        alice.watching(cursor) as watch,
    ):
        assert [it.cursor.sequence for it in await watch.changes(30)] == list(range(2, 32))
        assert (await watch.caught_up()).sequence == 31


async def test_a_server_that_drains_ends_its_watches(make_settings: MakeSettings, tenant: str) -> None:
    """RJ-03: SHUTTING_DOWN, at once and not after the grace, so that the client resumes at another replica."""
    async with AsyncExitStack() as stack:
        server = running(make_settings(grace="1h"))
        bound = await server.__aenter__()
        alice = await stack.enter_async_context(person(bound.address, tenant, "alice"))
        watch = await stack.enter_async_context(alice.watching())
        await watch.caught_up()
        async with asyncio.timeout(DEADLINE):
            await server.__aexit__(None, None, None)
        assert (await watch.ending()).reason == "SHUTTING_DOWN"


async def test_no_transaction_is_open_while_a_watch_waits(
    alice: Person, integrations_urls: DatabaseUrls, make_settings: MakeSettings, tenant: str
) -> None:
    """SB-07: more watches than the pool has connections, all idle, leave the service answering."""
    async with running(make_settings(watch_poll="1h")) as server, person(server.address, tenant, "alice") as watcher:
        calls = [
            Watch(watcher.service.WatchIntegrations(pb.WatchIntegrationsRequest(workspace=watcher.workspace)))
            for _ in range(50)
        ]
        for watch in calls:
            await watch.caught_up()
        assert (await watcher.asks()).enabled is True
        open_ones = text(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
        )
        async with (
            open_database(integrations_urls.service, application="test") as database,
            database.transaction(tenant) as connection,
        ):
            assert (await connection.execute(open_ones)).scalar_one() == 0
        for watch in calls:
            watch.cut()


async def test_quiet_watches_leave_the_reading_to_one_poll(
    alice: Person, make_settings: MakeSettings, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SB-07: they read again where the head of their workspace has moved, and not as often as they are polled for."""
    reads = 0
    read = Switches.changes_after

    async def counted(self: Switches, cursor: Cursor, *, limit: int) -> ChangePage:
        nonlocal reads
        reads += 1
        return await read(self, cursor, limit=limit)

    monkeypatch.setattr(Switches, "changes_after", counted)
    async with running(make_settings(watch_poll="20ms")) as server, person(server.address, tenant, "alice") as watcher:
        request = pb.WatchIntegrationsRequest(workspace=watcher.workspace)
        calls = [Watch(watcher.service.WatchIntegrations(request)) for _ in range(5)]
        for watch in calls:
            await watch.caught_up()
        await asyncio.sleep(2)
        for watch in calls:
            watch.cut()
    assert reads <= 4 * len(calls)  # each at first, at the first look and once the listener is connected


@asynccontextmanager
async def _narrow(
    server: BoundServer, who: Person
) -> AsyncIterator["grpc.aio.UnaryStreamCall[pb.WatchIntegrationsRequest, pb.WatchIntegrationsResponse]"]:
    """A watch through a connection that takes little ahead of its reader."""
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    async with grpc.aio.insecure_channel(server.address, options=options) as channel:
        stub = pb_grpc.IntegrationsServiceStub(channel)
        call = stub.WatchIntegrations(
            pb.WatchIntegrationsRequest(workspace=who.workspace), metadata=development_metadata(who.identity)
        )
        yield call
        call.cancel()
