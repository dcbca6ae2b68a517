"""One workspace that holds what every RPC may be called about, fresh ones, and servers that share a database."""

import itertools
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.contract.calls import Caller, caller
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import EVERYTHING
from service.files.contract.places import IDENTITIES, TENANT, People, Place, prepare, register_kinds
from service.files.contract.rows import StoredState, stored_state
from service.files.people import participant

NewPlace = Callable[[GoodCall], Awaitable[Place]]


@pytest.fixture(scope="session")
async def people(server: BoundServer) -> AsyncIterator[People]:
    """Who makes the workspaces ready; the kinds that they use are registered."""
    async with AsyncExitStack() as stack:
        there = {
            key: await stack.enter_async_context(participant(server.address, identity, "main"))
            for key, identity in IDENTITIES.items()
        }
        await register_kinds(there)
        yield there


@pytest.fixture(scope="session")
async def files(server: BoundServer) -> AsyncIterator[Caller]:
    """The server."""
    async with caller(server.address) as calling:
        yield calling


@pytest.fixture(scope="session")
async def other_files(make_settings: MakeSettings) -> AsyncIterator[Caller]:
    """A second server of the same database."""
    async with running(make_settings()) as bound, caller(bound.address) as calling:
        yield calling


@pytest.fixture(scope="session")
async def lonely_files(make_settings: MakeSettings) -> AsyncIterator[Caller]:
    """A server of the same database, whose integrations are down."""
    with socket.socket() as taken:  # bound and not listening: whoever dials it is refused
        taken.bind(("127.0.0.1", 0))
        settings = make_settings(integrations=f"127.0.0.1:{taken.getsockname()[1]}")
        async with running(settings) as bound, caller(bound.address) as calling:
            yield calling


@pytest.fixture(scope="session")
def stored_rows(files_urls: DatabaseUrls) -> Iterator[StoredState]:
    """What the database holds of the workspaces."""
    with stored_state(files_urls.service, TENANT) as found:
        yield found


@pytest.fixture(scope="session")
async def everything(people: People) -> Place:
    """A workspace that holds what every call needs; what is refused there leaves it as it is."""
    place = Place("everything")
    await prepare(people, place, *EVERYTHING)
    return place


@pytest.fixture(scope="session")
def _place_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def new_place(people: People, _place_numbers: Iterator[int]) -> NewPlace:
    """Makes a workspace of its own ready for a call."""

    async def made(call: GoodCall) -> Place:
        place = Place(f"place_{next(_place_numbers)}")
        await prepare(people, place, *call.needs)
        return place

    return made
