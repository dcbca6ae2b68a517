"""Notifications between the processes of a service, each played by a listener with connections of its own."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.listen import Announcer, Listener, Subscription, open_announcer, open_listener
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

NO_POLL = timedelta(minutes=10)
"""So that only a notification can wake."""


@pytest.fixture
async def witness(database_urls: DatabaseUrls) -> AsyncIterator[AsyncConnection]:
    """A superuser, who sees and ends the connections of every role."""
    superuser = make_url(database_urls.owner).set(username="postgres")
    engine = create_async_engine(superuser, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


@pytest.fixture
async def here(
    database_urls: DatabaseUrls, witness: AsyncConnection, eventually: Eventually
) -> AsyncIterator[Listener]:
    """The listener of the process that commits, connected."""
    async with connected_listener(database_urls, witness, eventually) as listener:
        yield listener


@pytest.fixture
async def there(
    database_urls: DatabaseUrls, witness: AsyncConnection, eventually: Eventually
) -> AsyncIterator[Listener]:
    """The listener of another process, connected."""
    async with connected_listener(database_urls, witness, eventually) as listener:
        yield listener


@pytest.fixture
async def announcer(database_urls: DatabaseUrls, here: Listener) -> AsyncIterator[Announcer]:
    async with open_announcer(database_urls.service, "notes", here) as announcer:
        yield announcer


@asynccontextmanager
async def connected_listener(
    urls: DatabaseUrls, witness: AsyncConnection, eventually: Eventually
) -> AsyncIterator[Listener]:
    """A listener, once the server knows of it: whoever connects wakes its subscribers."""
    before = await count_of(witness, "notes listener")

    async def another_listens() -> bool:
        return await count_of(witness, "notes listener") > before

    async with open_listener(urls.service, "notes", poll=NO_POLL) as listener:
        await eventually(another_listens)
        yield listener


async def count_of(witness: AsyncConnection, application: str) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = :name AND query LIKE 'LISTEN%'"
    return int((await witness.execute(text(query), {"name": application})).scalar_one())


async def wake(subscription: Subscription) -> None:
    async with asyncio.timeout(30):
        await anext(subscription)


async def settled(subscription: Subscription) -> None:
    """Take the wakings that a subscription begins with, so that the next one is news."""
    await wake(subscription)
    while not await stays_asleep(subscription):
        pass


async def stays_asleep(subscription: Subscription) -> bool:
    try:
        async with asyncio.timeout(0.5):
            await anext(subscription)
    except TimeoutError:
        return True
    return False


async def test_a_subscriber_reads_once_before_it_waits(here: Listener) -> None:
    """SB-02: what is stored comes first, so there is no seam to fall into."""
    with here.subscribed("acme", "w") as subscription:
        await wake(subscription)


async def test_a_signal_is_heard_in_both_processes_by_whoever_hears_its_name(
    announcer: Announcer, here: Listener, there: Listener
) -> None:
    """RN-16: what no number counts, such as a stop; subscribers of the workspace sleep on."""
    name = "run_1/ü b"
    with (
        here.hearing("acme", "w", name) as near,
        there.hearing("acme", "w", name) as far,
        there.hearing("acme", "w", "run_2") as other,
        there.subscribed("acme", "w") as subscription,
    ):
        await settled(subscription)
        announcer.signal("acme", "w", name)
        assert near.is_set()
        async with asyncio.timeout(30):
            await far.wait()
        assert not other.is_set()
        assert await stays_asleep(subscription)


async def test_a_commit_wakes_the_subscribers_of_its_workspace_in_both_processes(
    announcer: Announcer, here: Listener, there: Listener
) -> None:
    """SB-07: at once in the same process, by NOTIFY in all others."""
    with (
        here.subscribed("acme", "w") as near,
        there.subscribed("acme", "w") as far,
        there.subscribed("acme", "x") as by,
    ):
        for subscription in (near, far, by):
            await settled(subscription)
        announcer.announce("acme", "w", 1)
        await wake(near)
        await wake(far)
        assert await stays_asleep(by)


async def test_names_arrive_as_they_are(announcer: Announcer, there: Listener) -> None:
    tenant, workspace = "a/b c%", "wörk space"
    with there.subscribed(tenant, workspace) as subscription:
        await settled(subscription)
        announcer.announce(tenant, workspace, 1)
        await wake(subscription)


async def test_a_number_heard_of_before_wakes_nobody(announcer: Announcer, there: Listener) -> None:
    with there.subscribed("acme", "w") as subscription:
        await settled(subscription)
        announcer.announce("acme", "w", 2)
        await wake(subscription)
        announcer.announce("acme", "w", 1)
        assert await stays_asleep(subscription)


async def test_announcements_within_milliseconds_go_as_one_statement(
    announcer: Announcer, database_urls: DatabaseUrls, eventually: Eventually
) -> None:
    """Architecture, section 4: coalesced over 5 ms."""
    engine = create_async_engine(database_urls.service, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text("LISTEN notes"))
        driver_connection = (await connection.get_raw_connection()).driver_connection
        assert driver_connection is not None
        notifies = driver_connection.notifies
        for number in range(1, 101):
            announcer.announce("acme", "w", number)
            announcer.announce("acme", "x", number)
        async with asyncio.timeout(30):
            heard = [(await notifies.get()).payload for _ in range(2)]
        announcer.announce("acme", "last", 1)
        async with asyncio.timeout(30):
            heard.append((await notifies.get()).payload)
    await engine.dispose()
    assert heard == ["acme/w 100", "acme/x 100", "acme/last 1"]


async def test_a_listener_whose_connection_was_killed_listens_again_and_wakes_everyone(
    announcer: Announcer, there: Listener, witness: AsyncConnection, eventually: Eventually
) -> None:
    """SB-07: what was announced meanwhile is read at once, not missed."""
    with there.subscribed("acme", "w") as subscription:
        await settled(subscription)
        kill = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'notes listener'")
        await witness.execute(kill)
        await wake(subscription)  # by the new connection, whoever announced what
        assert await stays_asleep(subscription)
        announcer.announce("acme", "w", 1)
        await wake(subscription)


async def test_an_announcer_whose_connection_was_killed_announces_again(
    announcer: Announcer, there: Listener, witness: AsyncConnection, eventually: Eventually
) -> None:
    """SB-07."""
    with there.subscribed("acme", "w") as subscription:
        await settled(subscription)
        announcer.announce("acme", "w", 1)
        await wake(subscription)
        kill = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'notes announcer'")
        await witness.execute(kill)
        announcer.announce("acme", "w", 2)
        await wake(subscription)


async def test_a_notification_of_a_stranger_wakes_everyone_and_does_no_harm(
    there: Listener, announcer: Announcer, witness: AsyncConnection, database_urls: DatabaseUrls
) -> None:
    engine = create_async_engine(database_urls.owner, isolation_level="AUTOCOMMIT")
    with there.subscribed("acme", "w") as subscription:
        await settled(subscription)
        async with engine.connect() as stranger:
            for payload in ("", "acme/w", "acme/w one", "acme 1", "a/b/c/d 1"):
                await stranger.execute(text("SELECT pg_notify('notes', :payload)"), {"payload": payload})
                await wake(subscription)
        announcer.announce("acme", "w", 1)
        await wake(subscription)
    await engine.dispose()


async def test_announcing_before_the_commit_is_refused(announcer: Announcer, notes_urls: DatabaseUrls) -> None:
    """SB-07: whoever is woken has to find the change."""
    async with open_database(notes_urls.service, application="notes") as database, database.transaction("acme"):
        with pytest.raises(RuntimeError, match="after the commit"):
            announcer.announce("acme", "w", 1)


async def test_a_lost_notification_costs_no_more_than_the_poll(database_urls: DatabaseUrls) -> None:
    """SB-07: within a poll interval where one is lost."""
    nowhere = database_urls.service.replace("host=", "host=%2Fnowhere")
    async with open_listener(nowhere, "notes", poll=timedelta(milliseconds=20)) as listener:
        with listener.subscribed("acme", "w") as subscription:
            for _ in range(3):
                await wake(subscription)


async def test_a_subscription_ends_with_its_block(here: Listener) -> None:
    with here.subscribed("acme", "w"):
        assert len(here._subscriptions) == 1
    assert not here._subscriptions


class Sequence:
    """Where workspaces stand, as a service reads it, and how often it was asked."""

    def __init__(self) -> None:
        self.head = 0
        self.asked: Counter[tuple[str, str]] = Counter()
        self.is_away = False

    async def position(self, tenant: str, workspace: str) -> int:
        self.asked[tenant, workspace] += 1
        if self.is_away:
            raise ConnectionError
        return self.head


@asynccontextmanager
async def polling(url: str, sequence: Sequence) -> AsyncIterator[Listener]:
    """A listener that is told of nothing, and polls for all subscribers of a workspace."""
    poll = timedelta(milliseconds=100)
    async with open_listener(url, "nobody announces here", poll=poll, position=sequence.position) as listener:
        yield listener


async def news(subscription: Subscription) -> None:
    """Return once there may be news for the subscriber."""
    async with asyncio.timeout(30):
        while not await anext(subscription):
            pass


async def test_one_poll_serves_all_subscribers_of_a_workspace(database_urls: DatabaseUrls) -> None:
    """SB-07: a thousand watchers of a quiet workspace read no more than one does."""
    sequence = Sequence()
    async with polling(database_urls.service, sequence) as listener:
        with ExitStack() as stack:
            subscribers = [stack.enter_context(listener.subscribed("acme", "main")) for _ in range(1000)]
            other = stack.enter_context(listener.subscribed("acme", "other"))
            async with asyncio.timeout(30):  # what each begins with, the first look, the connection
                while any(await asyncio.gather(*(anext(it) for it in (*subscribers, other)))):
                    pass
            sequence.asked.clear()
            rounds = [await asyncio.gather(*(anext(it) for it in subscribers)) for _ in range(5)]
            assert not any(any(told) for told in rounds)
            assert 0 < sequence.asked["acme", "main"] < 50
            sequence.head = 7
            await asyncio.gather(*(news(it) for it in (*subscribers, other)))
        asked = sequence.asked.copy()
        await asyncio.sleep(0.3)
        assert sequence.asked == asked  # nobody subscribes any more


async def test_a_poll_that_fails_wakes_everybody_to_meet_the_same(database_urls: DatabaseUrls) -> None:
    """SB-07: a watch says itself that its database is away."""
    sequence = Sequence()
    async with polling(database_urls.service, sequence) as listener:
        with listener.subscribed("acme", "main") as one, listener.subscribed("acme", "main") as another:
            for _ in "12":
                await asyncio.gather(news(one), news(another))
            sequence.is_away = True
            await asyncio.gather(news(one), news(another))
