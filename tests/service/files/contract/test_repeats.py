"""A repeat is answered as the first call was, and does nothing more: of every RPC that carries a request id."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from faults.held_back import proxy_to
from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice_chassis.server import BoundServer
from service.files.conftest import MakeSettings
from service.files.contract.calls import METHODS, Caller, caller, with_request_id
from service.files.contract.conftest import NewPlace
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import EVERYTHING, REPEATABLE
from service.files.contract.places import IDENTITIES, TENANT, People, Place, prepare
from service.files.contract.refusals import refusal_by
from service.files.contract.repeats import GATED, REPEATS, repeat_of, told, with_other_body
from service.files.contract.rows import StoredState
from service.files.people import FAKEAPP, Administrator, administrator, new_request_id
from service.files.program import files_program

pytestmark = pytest.mark.long

RACED = [it for it in REPEATABLE if it.method in {"NativeFilesService/Edit", "ArtifactsService/RegisterType"}]
"""Calls that do more than one transaction under the workspace's lock, or other than under that."""

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Done:
    """A call that was answered in a workspace of its own."""

    place: Place
    requests: Sequence[Message]
    answers: Sequence[Message]
    added: Counter[str]
    """How many rows it added to each table."""

    @property
    def told(self) -> str:
        """What was answered, but for where and when."""
        return told(self.answers, self.place)


FirstCall = Callable[[GoodCall], Awaitable[Done]]


@pytest.fixture(scope="session")
def _done() -> dict[str, Done]:
    return {}


@pytest.fixture
def first_call(files: Caller, new_place: NewPlace, stored_rows: StoredState, _done: dict[str, Done]) -> FirstCall:
    """Makes the first call, once for all tests: none of their repeats may change what it left."""

    async def done(call: GoodCall) -> Done:
        if str(call) not in _done:
            place = await new_place(call)
            requests, before = call.requests(place), stored_rows.counts(place.workspace)
            answers = await files.answers(call.method, requests, IDENTITIES[call.by])
            added = +(stored_rows.counts(place.workspace) - before)
            _done[str(call)] = Done(place=place, requests=requests, answers=answers, added=added)
        return _done[str(call)]

    return done


def administering(integrations: BoundServer, place: Place) -> AbstractAsyncContextManager[Administrator]:
    """Who switches the app in a workspace."""
    return administrator(integrations.address, TENANT, place.workspace)


def under_a_new_id(call: GoodCall, requests: Sequence[Message]) -> Sequence[Message]:
    """The same request, as if it were meant once more."""
    return with_request_id(METHODS[call.method], requests, new_request_id())


def test_it_is_known_of_every_call_with_a_request_id_what_its_repeats_do() -> None:
    """ID-03: an RPC that is added fails here until it is."""
    assert {it.method for it in REPEATABLE} == {it for it in REPEATS if "/" in it}
    assert {str(it) for it in REPEATABLE} >= {it for it in REPEATS if "/" not in it} | GATED


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_a_repeat_is_answered_as_the_first_call_was_by_every_server(
    call: GoodCall, files: Caller, other_files: Caller, first_call: FirstCall, stored_rows: StoredState
) -> None:
    """ID-03: however the repeat spells its id, and nothing is done twice."""
    done = await first_call(call)
    assert done.added["requests"] == 1
    after = stored_rows.of(done.place.workspace)
    for server in (files, other_files):
        assert await server.answers(call.method, done.requests, IDENTITIES[call.by]) == done.answers
    assert stored_rows.of(done.place.workspace) == after


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_two_at_once_at_two_servers_are_both_answered_and_done_once(
    call: GoodCall,
    files: Caller,
    other_files: Caller,
    first_call: FirstCall,
    new_place: NewPlace,
    stored_rows: StoredState,
) -> None:
    """ID-03: the answers are equal, and what they leave is what one call leaves."""
    done, place = await first_call(call), await new_place(call)
    before, requests = stored_rows.counts(place.workspace), call.requests(place)
    both = (server.answers(call.method, requests, IDENTITIES[call.by]) for server in (files, other_files))
    first, second = await asyncio.gather(*both)
    assert first == second
    assert told(first, place) == done.told
    assert +(stored_rows.counts(place.workspace) - before) == done.added


@pytest.mark.parametrize("call", RACED, ids=str)
async def test_many_at_once_have_one_answer(
    call: GoodCall, files: Caller, other_files: Caller, first_call: FirstCall, new_place: NewPlace
) -> None:
    """ID-03, L-01: an edit whose repeat takes its lease waits for that one's answer; registrations take turns."""
    done, place = await first_call(call), await new_place(call)
    requests, identity = call.requests(place), IDENTITIES[call.by]
    answers = [server.answers(call.method, requests, identity) for server in (files, other_files) * 3]
    assert {told(it, place) for it in await asyncio.gather(*answers)} == {done.told}


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_another_body_under_the_same_id_is_refused_and_changes_nothing(
    call: GoodCall, files: Caller, first_call: FirstCall, stored_rows: StoredState
) -> None:
    """ID-03: IDEMPOTENCY_MISMATCH, and the first body is answered as before."""
    done = await first_call(call)
    after = stored_rows.of(done.place.workspace)
    refusal = await refusal_by(files, call.method, with_other_body(call, done.requests), IDENTITIES[call.by])
    assert refusal.reason == "IDEMPOTENCY_MISMATCH"
    assert await files.answers(call.method, done.requests, IDENTITIES[call.by]) == done.answers
    assert stored_rows.of(done.place.workspace) == after


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_the_same_id_of_another_participant_is_another_request(
    call: GoodCall, files: Caller, first_call: FirstCall
) -> None:
    """ID-03: it is decided anew, and says nothing of the first one's answer."""
    done, repeat = await first_call(call), repeat_of(call)
    if repeat.refused:
        refusal = await refusal_by(files, call.method, done.requests, IDENTITIES[repeat.by])
        assert refusal.reason == repeat.refused
    else:
        assert await files.answers(call.method, done.requests, IDENTITIES[repeat.by])


async def test_the_same_id_with_another_method_is_another_request(files: Caller, people: People) -> None:
    """ID-03: a caller that uses one id for everything is answered everything."""
    place, request_id = Place("together"), new_request_id()
    await prepare(people, place, *EVERYTHING)
    seen = set()
    for call in REPEATABLE:
        if (call.method, call.by) not in seen:  # of two calls of one method the second would be another body
            seen.add((call.method, call.by))
            requests = with_request_id(METHODS[call.method], call.requests(place), request_id)
            assert await files.answers(call.method, requests, IDENTITIES[call.by])


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_a_refusal_is_not_remembered(
    call: GoodCall, files: Caller, first_call: FirstCall, new_place: NewPlace, integrations: BoundServer
) -> None:
    """ID-03: once its cause is mended, the same request is answered as any first one."""
    done, place = await first_call(call), await new_place(call)
    requests, identity = call.requests(place), IDENTITIES[call.by]
    viewer = dataclasses.replace(identity, roles=frozenset({"viewer"}))
    assert (await refusal_by(files, call.method, requests, viewer)).reason == "FORBIDDEN"
    if str(call) in GATED:
        async with administering(integrations, place) as admin:
            await admin.switches(FAKEAPP, on=False)
            assert (await refusal_by(files, call.method, requests, identity)).reason == "NOT_ENABLED"
            await admin.switches(FAKEAPP, on=True)
    assert told(await files.answers(call.method, requests, identity), place) == done.told


@pytest.mark.parametrize("call", REPEATABLE, ids=str)
async def test_a_repeat_is_answered_while_the_app_is_off_or_nobody_can_tell(
    call: GoodCall, files: Caller, lonely_files: Caller, first_call: FirstCall, integrations: BoundServer
) -> None:
    """ID-03, WP-03: it is looked up before the gate, which keeps out what is new."""
    done, identity = await first_call(call), IDENTITIES[call.by]
    assert await lonely_files.answers(call.method, done.requests, identity) == done.answers
    async with administering(integrations, done.place) as admin:
        await admin.switches(FAKEAPP, on=False)
        assert await files.answers(call.method, done.requests, identity) == done.answers
        if str(call) in GATED:
            again = under_a_new_id(call, done.requests)
            assert (await refusal_by(files, call.method, again, identity)).reason == "NOT_ENABLED"
            assert (await refusal_by(lonely_files, call.method, again, identity)).reason == "PEER_UNAVAILABLE"
        await admin.switches(FAKEAPP, on=True)


async def test_what_was_committed_before_a_kill_is_answered_by_another_server_and_done_once(
    make_settings: MakeSettings,
    files: Caller,
    first_call: FirstCall,
    new_place: NewPlace,
    stored_rows: StoredState,
    tmp_path: Path,
    eventually: Eventually,
) -> None:
    """ID-03, WP-07: a server is killed when it has committed every call and told nobody."""
    firsts = [await first_call(call) for call in REPEATABLE]
    places = [await new_place(call) for call in REPEATABLE]
    ids = [new_request_id() for _ in REPEATABLE]
    before = [stored_rows.counts(place.workspace) for place in places]
    requests = [
        with_request_id(METHODS[call.method], call.requests(place), request_id)
        for call, place, request_id in zip(REPEATABLE, places, ids, strict=True)
    ]

    async def all_committed() -> bool:
        return stored_rows.remembered(ids) == len(ids)

    async with (
        files_program(make_settings(), tmp_path) as program,
        proxy_to(program.address) as proxy,
        caller(proxy.address) as held,
    ):
        # The connection has to stand before the answers are held back.
        await held.answers("ArtifactsService/ListTypes", [artifacts_pb.ListTypesRequest()], IDENTITIES["alice"])
        proxy.hold()
        lost = [
            asyncio.ensure_future(held.answers(call.method, request, IDENTITIES[call.by]))
            for call, request in zip(REPEATABLE, requests, strict=True)
        ]
        await eventually(all_committed)
        program.service.kill()
        for waiting in lost:
            waiting.cancel()
        ended = await asyncio.gather(*lost, return_exceptions=True)
    assert all(isinstance(it, grpc.aio.AioRpcError | asyncio.CancelledError) for it in ended)
    for call, first, place, request, rows in zip(REPEATABLE, firsts, places, requests, before, strict=True):
        left = stored_rows.of(place.workspace)
        assert told(await files.answers(call.method, request, IDENTITIES[call.by]), place) == first.told
        assert stored_rows.of(place.workspace) == left
        assert _of_workspace(+(stored_rows.counts(place.workspace) - rows)) == _of_workspace(first.added)


def _of_workspace(added: Counter[str]) -> Counter[str]:
    """Without the tables that have rows of the deployment, to which the other calls add, too."""
    return Counter({table: count for table, count in added.items() if table not in {"artifact_types", "requests"}})
