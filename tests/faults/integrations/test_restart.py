"""The service killed, stopped and started again: what was answered holds, and watches go on where they were."""

import asyncio
import uuid

from faults.integrations.program import DEADLINE, Program, run
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_integrations.main import MIGRATIONS
from service.integrations.people import WORDCRAFT, Person, person


async def test_a_watch_resumes_after_a_kill_without_gap_or_repeat(program: Program) -> None:
    """SB-02, I-16: killed while it streams; changes made before and after are told once, in order."""
    seen: list[int] = []
    async with person(program.address, "cut", "ada", role="administrator") as ada:
        async with ada.watching() as watch:
            cursor = await watch.caught_up()
            await ada.toggles(5)
            for told in await watch.changes(3):
                seen.append(told.change.revision)
                cursor = told.cursor
            await program.kill()
        await program.start()
    async with person(program.address, "cut", "ada", role="administrator") as ada, ada.watching(cursor) as watch:
        await ada.toggles(2)
        seen += [told.change.revision for told in await watch.changes(4)]
        assert (await watch.caught_up()).sequence == 7
    assert seen == [1, 2, 3, 4, 5, 6, 7]


async def test_what_was_answered_before_a_kill_holds_after_it(program: Program) -> None:
    """ID-03, X-06: the switch stays off, and the repeat of the request is answered as the first was."""
    request_id = str(uuid.uuid4())
    async with person(program.address, "answered", "ada", role="administrator") as ada:
        first = await ada.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
        await program.kill()
    await program.start()
    async with person(program.address, "answered", "ada", role="administrator") as ada:
        assert (await ada.asks()).enabled is False
        assert await ada.switches(WORDCRAFT, on=False, expected=0, request_id=request_id) == first
        assert len(await ada.history()) == 1


async def test_a_kill_between_commit_and_answer_leaves_one_change_that_a_repeat_finds(program: Program) -> None:
    """ID-03, WP-07: whichever of many kills falls where, the number of changes is that of the requests."""
    for base in range(3):
        request_id = str(uuid.uuid4())
        async with person(program.address, "between", "ada", role="administrator") as ada:
            unanswered = asyncio.create_task(_switches(ada, base, request_id))
            await asyncio.sleep(0.002 * base)  # not a wait for anything: it varies where the kill falls
            await program.kill()
            await asyncio.wait([unanswered], timeout=DEADLINE)
        await program.start()
        async with person(program.address, "between", "ada", role="administrator") as ada:
            assert (await _switches(ada, base, request_id)) == base + 1
            assert [change.revision for change in await ada.history()] == list(range(base + 1, 0, -1))


async def test_a_stopped_program_ends_its_watches_and_exits_in_peace(program: Program) -> None:
    """RJ-03: SIGTERM drains."""
    async with person(program.address, "stopped", "alice") as alice, alice.watching() as watch:
        await watch.caught_up()
        program.ask_to_stop()
        assert (await watch.ending()).reason == "SHUTTING_DOWN"
        assert await program.ended() == 0


async def test_the_program_migrates_an_empty_database_and_leaves_a_migrated_one_alone(
    database_urls: DatabaseUrls,
) -> None:
    """SG-02: two at once, as when two replicas are rolled out."""
    both = [await run("migrate", database_urls.owner) for _ in range(2)]
    async with asyncio.timeout(DEADLINE):
        assert [await migrating.wait() for migrating in both] == [0, 0]
    assert await migrate(database_urls.owner, MIGRATIONS) == []


async def _switches(who: Person, base: int, request_id: str) -> int:
    switch = await who.switches(WORDCRAFT, on=base % 2 == 1, expected=base, request_id=request_id)
    return switch.revision
