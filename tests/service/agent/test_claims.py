"""Claims on threads: one holder at a time across replicas, by the database's clock."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from artifactr.core.actors import AgentActor
from artifactr.core.events import RunTrigger
from artifactr.core.rejections import NotFound, ThreadBusy
from artifactr.core.segments import SegmentStart
from artifactr.core.threads import Claim
from artifactr.workspace import ClaimLost, Workspace
from service.agent.database_administration import DatabaseAdministration

pytestmark = pytest.mark.long

LONG = timedelta(seconds=30)
RENEWED_SOON = timedelta(seconds=4)
"""Renewed after a third, which leaves a loaded machine more than two seconds before the claim is lost."""

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_of_many_who_race_for_a_thread_one_wins(alice: Workspace, bob: Workspace) -> None:
    """SG-04, X-07: whatever the replica."""
    await alice.create_thread("Launch", thread_id="thr_1")
    racers = [(replica, f"claim_{number}") for number in range(5) for replica in (alice, bob)]
    attempts = [
        replica.claim_thread("thr_1", holder=f"{holder}_{replica.actor.participant}") for replica, holder in racers
    ]
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Claim"] + ["ThreadBusy"] * 9


async def test_a_lapsed_claim_is_anyones_and_its_token_is_never_given_out_again(
    alice: Workspace, bob: Workspace
) -> None:
    """RN-10, L-03: lapsed is free, and every new claim has a higher token."""
    await alice.create_thread("Launch", thread_id="thr_1")
    first = await alice.claim_thread("thr_1", holder="claim_1", ttl=LONG)
    with pytest.raises(ThreadBusy) as busy:
        await bob.claim_thread("thr_1", holder="claim_2")
    assert busy.value.until == first.expires_at
    await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    assert (await bob.claim_thread("thr_1", holder="claim_2")).token > first.token
    with pytest.raises(ThreadBusy):
        await alice.renew_claim(first)
    await alice.release_claim(first)  # a no-op: it is no longer held
    with pytest.raises(ThreadBusy):
        await alice.claim_thread("thr_1", holder="claim_3")


async def test_the_holder_renews_even_after_the_lapse_until_someone_takes_over(alice: Workspace) -> None:
    """RN-10: the token stays the holder's own."""
    await alice.create_thread("Launch", thread_id="thr_1")
    lapsed = await alice.claim_thread("thr_1", holder="claim_1", ttl=timedelta(0))
    renewed = await alice.renew_claim(lapsed)
    assert (renewed.token, renewed.expires_at > lapsed.expires_at) == (lapsed.token, True)
    assert (await alice.claim_thread("thr_1", holder="claim_1")).token == lapsed.token


async def test_a_released_thread_is_free_and_cannot_be_renewed(alice: Workspace) -> None:
    """RN-10, RN-11: nor by the segment that released it."""
    await alice.create_thread("Launch", thread_id="thr_1")
    released = await alice.claim_thread("thr_1", holder="claim_1")
    await alice.release_claim(released)
    with pytest.raises(ThreadBusy):
        await alice.renew_claim(released)
    assert (await alice.claim_thread("thr_1", holder="claim_2")).token == released.token + 1


async def test_a_thread_that_does_not_exist_cannot_be_claimed(alice: Workspace) -> None:
    """RN-08."""
    with pytest.raises(NotFound):
        await alice.claim_thread("thr_1", holder="claim_1")


async def test_a_held_claim_outlives_its_ttl_and_ends_with_the_block(alice: Workspace, bob: Workspace) -> None:
    """RN-09: renewed at every third, released afterwards."""
    await alice.create_thread("Launch", thread_id="thr_1")
    async with alice.holding_thread("thr_1", ttl=RENEWED_SOON) as claim, asyncio.timeout(60):
        renewed = claim
        while renewed.expires_at - claim.expires_at < RENEWED_SOON:
            with pytest.raises(ThreadBusy) as busy:
                await bob.claim_thread("thr_1", holder="claim_2")
            assert busy.value.until is not None
            renewed = type(claim)(**{**vars(claim), "expires_at": busy.value.until})
            await asyncio.sleep(0.01)  # the renewals are another task's
    assert (await bob.claim_thread("thr_1", holder="claim_2")).token == claim.token + 1


async def test_a_claim_that_cannot_be_renewed_cancels_its_block_before_it_lapses(
    alice: Workspace, agent_database: DatabaseAdministration, eventually: Eventually
) -> None:
    """RN-12: while the row cannot be written no renewal succeeds; the block ends by its own clock."""
    await alice.create_thread("Launch", thread_id="thr_1")
    tokens: list[int] = []

    async def hold() -> None:
        async with alice.holding_thread("thr_1", ttl=timedelta(seconds=1)) as claim:
            with agent_database.locked("claims"):
                tokens.append(claim.token)
                await asyncio.Event().wait()

    with pytest.raises(ClaimLost):
        async with asyncio.timeout(30):  # the lock outlasts it, so that nothing else ends the block
            await hold()

    async def taken() -> bool:  # once it has lapsed by the database's clock too
        try:
            return (await alice.claim_thread("thr_1", holder="claim_2")).token == tokens[0] + 1
        except ThreadBusy:
            return False

    await eventually(taken)


async def test_a_claim_taken_over_cancels_its_block(alice: Workspace, agent_database: DatabaseAdministration) -> None:
    """RN-12, X-07: as after a stall longer than the claim."""
    await alice.create_thread("Launch", thread_id="thr_1")

    async def hold() -> None:
        async with alice.holding_thread("thr_1", ttl=RENEWED_SOON), asyncio.timeout(60):
            agent_database.give_away_claims(alice.tenant)
            await asyncio.Event().wait()

    with pytest.raises(ClaimLost):
        await hold()


async def test_a_cancelled_block_is_cancelled_and_frees_its_thread(alice: Workspace) -> None:
    """RN-17, WP-07: a cancel from outside stays one."""
    await alice.create_thread("Launch", thread_id="thr_1")
    held = asyncio.Event()

    async def hold() -> None:
        async with alice.holding_thread("thr_1", ttl=LONG):
            held.set()
            await asyncio.Event().wait()

    holding = asyncio.create_task(hold())
    await held.wait()
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    await alice.claim_thread("thr_1", holder="claim_2")


async def test_a_stop_is_heard_though_the_database_was_away_meanwhile(
    alice: Workspace, bob: Workspace, agent_database: DatabaseAdministration
) -> None:
    """RN-16: whoever executes a run goes on listening."""
    with agent_database.closed("runs"):
        heeding = asyncio.create_task(alice.stop_of("run_1", look=timedelta(milliseconds=50)))
        await agent_database.cut_off_waiting()
    await asyncio.sleep(0.2)
    assert not heeding.done()
    await alice.create_thread("Launch", thread_id="thr_1")
    assistant = alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"))
    await assistant.start_segment(SegmentStart(run_id="run_1", thread_id="thr_1", trigger=RunTrigger.API))
    await bob.request_stop("run_1")
    async with asyncio.timeout(10):
        await heeding


async def test_a_run_is_executed_by_whoever_holds_the_claim_that_it_runs_under(alice: Workspace) -> None:
    """RN-16, RN-13: by nobody once that lapsed, was released or overtaken; a direct run holds none [RN-18]."""
    await alice.create_thread("Launch", thread_id="thr_1")

    async def executed(run_id: str) -> bool:
        return (await alice.execution(run_id)).address is not None

    async def starts(run_id: str, claim: Claim | None) -> None:
        agent = alice.acting_as(AgentActor(thread_id="thr_1", run_id=run_id))
        start = SegmentStart(run_id=run_id, thread_id="thr_1", trigger=RunTrigger.API, claim=claim)
        await agent.start_segment(start)

    await starts("run_direct", None)
    claim = await alice.claim_thread("thr_1", holder="claim_1")
    await starts("run_1", claim)
    assert [await executed(it) for it in ("run_direct", "run_1")] == [False, True]
    await alice.renew_claim(claim, ttl=timedelta(0))
    assert not await executed("run_1")
    await alice.renew_claim(claim)
    assert await executed("run_1")
    await alice.release_claim(claim)
    assert not await executed("run_1")
    await alice.claim_thread("thr_1", holder="claim_2")
    assert not await executed("run_1")
    with pytest.raises(NotFound):
        await alice.execution("run_none")
