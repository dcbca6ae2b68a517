"""What belongs to a tenant is closed to all others, on every RPC that the contracts of agent have."""

from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from typing import Any

import pytest
from google.api.field_behavior_pb2 import REQUIRED, field_behavior
from google.api.resource_pb2 import resource_reference
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic import SecretStr
from service.agent.agent_people import CONTRACTS, Person, fresh, person, refused

METHODS = [
    method for contract in CONTRACTS for service in contract.services_by_name.values() for method in service.methods
]


@pytest.fixture(scope="module")
async def server(agent_urls: DatabaseUrls, files_server: BoundServer) -> AsyncIterator[BoundServer]:
    """The service with its default agent."""
    settings = AgentSettings(
        database_url=SecretStr(agent_urls.service),
        files=files_server.address,
        notice=timedelta(0),
        grace=timedelta(seconds=2),
    )
    async with running(settings) as bound:
        yield bound


@pytest.fixture(scope="module")
async def ann(server: BoundServer) -> AsyncIterator[Person]:
    """Somebody with a thread, and a run in it."""
    async with person(server.address, "tenants", "ann") as editor:
        await editor.creates_thread()
        await editor.sends("Hello?")
        yield editor


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
async def test_another_tenant_is_told_the_same_whether_the_thing_exists_or_not(
    server: BoundServer, ann: Person, method: MethodDescriptor
) -> None:
    """X-08, TN-01, AMB-01: it is refused, in whatever role, and nothing is written."""
    (run,) = await ann.runs_of_the_thread()
    existing = {"Workspace": ann.workspace, "Thread": ann.thread, "Run": run.name}
    missing = {kind: f"{name}-not" for kind, name in existing.items()}
    for role in ("viewer", "editor", "administrator"):
        async with person(server.address, "strangers", "eve", role=role) as eve:
            told = await refused(_call(eve, method, existing))
            assert told.reason == "FORBIDDEN"
            assert vars(await refused(_call(eve, method, missing))) == vars(told)
            assert list((await eve.threads.ListThreads(pb.ListThreadsRequest(workspace=eve.workspace))).threads) == []
    assert [it.name for it in await ann.runs_of_the_thread()] == [run.name]


def _call(who: Person, method: MethodDescriptor, names: dict[str, str]) -> Awaitable[object]:
    stubs = {"ThreadsService": who.threads, "RunsService": who.runs, "LogService": who.log}
    call: Any = getattr(stubs[method.containing_service.name], method.name)(_request(method.input_type, names))
    return call.read() if method.server_streaming else call  # type: ignore[no-any-return]


def _request(message: Descriptor, names: dict[str, str]) -> Message:
    """A whole request, or part of one, about what these names name."""
    request: Any = GetMessageClass(message)()
    for field in message.fields:
        options = field.GetOptions()
        kind = options.Extensions[resource_reference].type.removeprefix("lattice/")
        if kind in names and not field.is_repeated:
            setattr(request, field.name, names[kind])
        elif field.name == "request_id":
            setattr(request, field.name, fresh())
        elif REQUIRED in options.Extensions[field_behavior] and not field.is_repeated:
            if field.message_type is not None:
                getattr(request, field.name).CopyFrom(_request(field.message_type, names))
            else:
                setattr(request, field.name, 1 if field.enum_type is not None else "1")
    return request  # type: ignore[no-any-return]
