"""Many at once: one lease, one version, one feed."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import grpc
from lattice_chassis.errors import refusal_of
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from service.files.held import held_workspace
from service.files.people import Participant, append, document, new_request_id, participant

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def reasons(calls: list[Awaitable[object]]) -> list[str]:
    """How the calls end: OK, or the reason of the refusal."""
    ended: list[str] = []
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, grpc.aio.AioRpcError):
            refusal = refusal_of(result)
            ended.append("none" if refusal is None else refusal.reason)
        else:
            assert not isinstance(result, BaseException), result
            ended.append("OK")
    return sorted(ended)


async def test_of_many_who_check_out_at_once_exactly_one_wins(
    alice: Participant, bob: Participant, files_urls: DatabaseUrls, tenant: str, eventually: Eventually
) -> None:
    """SG-04, X-07, L-01: all of them wait for the workspace first."""
    artifact_id = await alice.has_file("One.")
    with held_workspace(files_urls.service, tenant, "main") as held:
        calls = [asyncio.ensure_future(person.checks_out(artifact_id)) for person in (alice, bob) * 3]
        await eventually(lambda: held.has_waiting(len(calls)))
        held.release()
        assert await reasons(list(calls)) == ["ARTIFACT_BUSY"] * 5 + ["OK"]
    assert (await alice.lease_of(artifact_id)).token_counter == 1


async def test_of_many_who_edit_one_version_exactly_one_applies(alice: Participant, bob: Participant) -> None:
    """N-21, N-22, AT-04: the others are busy, or stale once it committed."""
    artifact_id = await alice.has_file("One.")
    calls: list[Awaitable[object]] = [it.edits(artifact_id, 1, append("x")) for it in (alice, bob) * 3]
    ended = await reasons(calls)
    assert ended.count("OK") == 1
    assert set(ended) <= {"OK", "ARTIFACT_BUSY", "VERSION_CONFLICT"}
    assert [it.artifact.version for it in await alice.revisions_of(artifact_id)] == [1, 2]


async def test_of_many_repeats_at_once_one_commits_and_no_other_answer_is_given(alice: Participant) -> None:
    """ID-03: a slower one is fenced or reads the first result."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, append("x"), request_id=new_request_id())
    answers = await asyncio.gather(*(alice.native.Edit(request) for _ in range(5)), return_exceptions=True)
    given = [it for it in answers if not isinstance(it, BaseException)]
    assert given
    assert all(it == given[0] for it in given)
    assert await alice.native.Edit(request) == given[0]
    assert len(await alice.revisions_of(artifact_id)) == 2


async def test_a_repeat_that_meets_the_effect_of_its_first_call_is_answered_as_that_was(
    alice: Participant, files_urls: DatabaseUrls, tenant: str, eventually: Eventually
) -> None:
    """ID-03: it looks for the first call before that commits, and is checked against the version after."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, append("x"), request_id=new_request_id())
    with ExitStack() as stack:
        lease = stack.enter_context(held_workspace(files_urls.service, tenant, "main"))
        original = asyncio.ensure_future(alice.native.Edit(request))
        await eventually(lambda: lease.has_waiting(1))
        queued = held_workspace(files_urls.service, tenant, "main")
        holding = asyncio.create_task(asyncio.to_thread(stack.enter_context, queued))
        await eventually(lambda: lease.has_waiting(2))
        lease.release()  # the original takes its lease, then we hold the lock before its commit
        commit = await holding
        await eventually(lambda: commit.has_waiting(1))
        repeat = asyncio.ensure_future(alice.native.Edit(request))
        await eventually(lambda: commit.has_waiting(2))
        commit.release()
        assert await repeat == await original
    assert len(await alice.revisions_of(artifact_id)) == 2


async def test_writers_of_many_files_share_one_feed_without_gaps(alice: Participant, bob: Participant) -> None:
    """SG-01, SG-03, MP-10: each workspace has one order."""
    files = await asyncio.gather(*(alice.has_file(f"{number}") for number in range(4)))
    await asyncio.gather(*(bob.edits(artifact_id, 1, append("x")) for artifact_id in files))
    changes = await alice.feed()
    assert [it.change_sequence for it in changes] == list(range(1, 9))
    assert len({it.change_id for it in changes}) == 8


async def test_a_workspace_that_is_held_keeps_no_other_workspace_waiting(
    server: BoundServer, alice: Participant, files_urls: DatabaseUrls, tenant: str, eventually: Eventually
) -> None:
    """TN-03, SG-01: its own writers queue, those of another workspace of the same tenant go on."""
    here = await alice.has_file("One.")
    async with participant(server.address, alice.identity, "elsewhere") as elsewhere:
        there = await elsewhere.has_file("One.")
        with held_workspace(files_urls.service, tenant, "main") as held:
            waiting = asyncio.ensure_future(alice.checks_out(here))
            await eventually(lambda: held.has_waiting(1))
            lent = await elsewhere.checks_out(there)
            assert (await elsewhere.checks_in(lent, document("Two."))).applied.version == 2
            assert (await elsewhere.edits(there, 2, append("Three."))).outcome.applied.version == 3
            assert not waiting.done()
            held.release()
        assert (await waiting).base_version == 1
