"""flagd's own provider from the package index against the door: what an application with OpenFeature is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from queue import Queue
from typing import Any

import grpc
import pytest
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.server import BoundServer
from lattice_integrations.main import running
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.contrib.provider.flagd import FlagdProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import EventDetails, ProviderEvent
from openfeature.exception import ErrorCode, ProviderFatalError
from service.integrations.people import DEADLINE, WORDCRAFT, MakeSettings, Person

MAIN = EvaluationContext(targeting_key="vera", attributes={"workspace": "main"})
ELSEWHERE = EvaluationContext(targeting_key="vera", attributes={"workspace": "elsewhere"})


@contextmanager
def client_of(address: str, tenant: str, role: str = "viewer", **options: Any) -> Iterator[OpenFeatureClient]:  # noqa: ANN401
    """An application's way to the flags, as somebody with one role; blocks until the provider is ready."""
    identity = Identity(tenant=tenant, actor=Actor(user=UserActor(id="vera")), roles=frozenset({role}))
    host, _, port = address.rpartition(":")
    provider = FlagdProvider(
        host=host,
        port=int(port),
        channel_credentials=grpc.composite_channel_credentials(
            grpc.local_channel_credentials(),
            grpc.metadata_call_credentials(lambda _, call: call(tuple(development_metadata(identity)), None)),  # type: ignore[arg-type]
        ),
        deadline_ms=int(DEADLINE * 1000),
        retry_backoff_ms=50,
        retry_backoff_max_ms=100,
        **options,
    )
    try:
        api.set_provider_and_wait(provider, domain=tenant)
        yield api.get_client(tenant)
    finally:
        provider.shutdown()


@asynccontextmanager
async def application(address: str, tenant: str, **options: Any) -> AsyncIterator[OpenFeatureClient]:  # noqa: ANN401
    """The same, beside a server in this process."""
    opened = client_of(address, tenant, **options)
    client = await asyncio.to_thread(opened.__enter__)
    try:
        yield client
    finally:
        await asyncio.to_thread(opened.__exit__, None, None, None)


async def test_an_application_reads_a_switch_in_each_workspace(door: BoundServer, tenant: str, admin: Person) -> None:
    """I-01, I-04, I-20: however often it asks, and in whichever order, with the cache that the provider has."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    async with application(door.address, tenant, selector="workspace=main") as client:
        for context, value, variant in ((MAIN, False, "off"), (ELSEWHERE, True, "on")) * 2:
            told = await asyncio.to_thread(client.get_boolean_details, WORDCRAFT, not value, context)
            assert (told.value, told.variant, told.reason) == (value, variant, "TARGETING_MATCH")
            assert told.error_code is None


async def test_an_application_hears_of_a_change_and_then_reads_it(
    door: BoundServer, tenant: str, admin: Person
) -> None:
    """I-16."""
    changed: Queue[EventDetails] = Queue()
    async with application(door.address, tenant, selector="workspace=main") as client:
        client.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, changed.put)
        assert await asyncio.to_thread(client.get_boolean_value, WORDCRAFT, False, MAIN) is True
        await admin.switches(WORDCRAFT, on=False, expected=0)
        told = await asyncio.to_thread(changed.get, timeout=DEADLINE)
        assert told.flags_changed == [WORDCRAFT]
        assert await asyncio.to_thread(client.get_boolean_value, WORDCRAFT, True, MAIN) is False


async def test_an_application_hears_of_changes_again_after_the_server_was_restarted(
    make_settings: MakeSettings, tenant: str, admin: Person
) -> None:
    """RJ-03: SHUTTING_DOWN is a status on which the provider goes on."""
    ready: Queue[EventDetails] = Queue()
    changed: Queue[EventDetails] = Queue()
    async with AsyncExitStack() as stack:
        async with running(make_settings(flagd=True)) as first:
            client = await stack.enter_async_context(application(first.address, tenant, selector="workspace=main"))
            client.add_handler(ProviderEvent.PROVIDER_READY, ready.put)
            await asyncio.to_thread(ready.get, timeout=DEADLINE)  # told at once, as it is ready already
        await stack.enter_async_context(running(make_settings(flagd=True, listen=first.address)))
        await asyncio.to_thread(ready.get, timeout=DEADLINE)
        client.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, changed.put)
        await admin.switches(WORDCRAFT, on=False, expected=0)
        assert (await asyncio.to_thread(changed.get, timeout=DEADLINE)).flags_changed == [WORDCRAFT]


async def test_an_application_without_a_selector_is_never_told_what_was(
    door: BoundServer, tenant: str, admin: Person
) -> None:
    """I-16, I-20: it hears of nothing, and asks each time."""
    async with application(door.address, tenant) as client:
        for revision, now in enumerate((False, True, False)):
            await admin.switches(WORDCRAFT, on=now, expected=revision)
            assert await asyncio.to_thread(client.get_boolean_value, WORDCRAFT, not now, MAIN) is now


@pytest.mark.parametrize(
    ("ask", "default", "error"),
    [
        (lambda it: it.get_boolean_details("files:paint", True, MAIN), True, ErrorCode.FLAG_NOT_FOUND),
        (lambda it: it.get_string_details(WORDCRAFT, "on", MAIN), "on", ErrorCode.TYPE_MISMATCH),
        (lambda it: it.get_integer_details(WORDCRAFT, 7, MAIN), 7, ErrorCode.TYPE_MISMATCH),
        (lambda it: it.get_object_details("files:paint", {}, MAIN), {}, ErrorCode.FLAG_NOT_FOUND),
        (lambda it: it.get_boolean_details(WORDCRAFT, False), False, ErrorCode.TYPE_MISMATCH),
    ],
    ids=["unknown key", "text", "number", "unknown key of an object", "no workspace"],
)
async def test_what_is_refused_has_an_error_code_and_the_applications_own_value(
    door: BoundServer, tenant: str, ask: Callable[[OpenFeatureClient], Any], default: object, error: ErrorCode
) -> None:
    """I-17, RJ-03: flagd's providers know INVALID_ARGUMENT as TYPE_MISMATCH alone."""
    async with application(door.address, tenant) as client:
        told = await asyncio.to_thread(ask, client)
    assert (told.value, told.error_code) == (default, error)


async def test_a_closed_workspace_is_an_error_and_the_applications_own_value(door: BoundServer, tenant: str) -> None:
    """SE-02: whether or not there is such a flag."""
    async with application(door.address, tenant, role="elsewhere/viewer") as client:
        for key in (WORDCRAFT, "files:paint"):
            told = await asyncio.to_thread(client.get_boolean_details, key, False, MAIN)
            assert (told.value, told.error_code) == (False, ErrorCode.GENERAL)
        assert await asyncio.to_thread(client.get_boolean_value, WORDCRAFT, False, ELSEWHERE) is True


async def test_the_events_of_a_closed_workspace_are_refused_for_good_where_that_is_told_to_be_fatal(
    door: BoundServer, tenant: str
) -> None:
    """SE-02: the provider would ask again and again otherwise, and never be ready."""
    told = {"role": "elsewhere/viewer", "selector": "workspace=main", "fatal_status_codes": ["PERMISSION_DENIED"]}
    with pytest.raises(ProviderFatalError):
        async with application(door.address, tenant, **told):
            raise AssertionError("nobody gets this far")
