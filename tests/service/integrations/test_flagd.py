"""The door for OpenFeature: what its protocol is told of switches, of keys that are none, and of who may ask."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
import pytest
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.server import BoundServer
from lattice_integrations.main import running
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2 as v1
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2_grpc as v1_grpc
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2 as v2
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2_grpc as v2_grpc
from service.conftest import AuditRecord
from service.integrations.people import DEADLINE, SKETCH, WORDCRAFT, MakeSettings, Person, person, refused

VERSIONS = {"v1": (v1, v1_grpc), "v2": (v2, v2_grpc)}
TYPES = ("String", "Float", "Int", "Object")


class Flags:
    """Somebody who speaks one version of the protocol; the credential is all that says who."""

    def __init__(self, version: str, channel: grpc.aio.Channel, identity: Identity) -> None:
        messages, stubs = VERSIONS[version]
        self.pb: Any = messages
        self.service: Any = stubs.ServiceStub(channel)
        self._credential = tuple(development_metadata(identity))

    async def resolves(self, key: str, context: Mapping[str, Any], *, kind: str = "Boolean") -> Any:  # noqa: ANN401
        """A flag in a context."""
        request = getattr(self.pb, f"Resolve{kind}Request")(flag_key=key, context=dict(context))
        return await getattr(self.service, f"Resolve{kind}")(request, metadata=self._credential)

    async def resolves_all(self, context: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """All flags in a context; v1 alone has this."""
        return await self.service.ResolveAll(self.pb.ResolveAllRequest(context=context), metadata=self._credential)

    @asynccontextmanager
    async def events(self, *selector: str) -> AsyncIterator["Events"]:
        """The stream of events of what is selected; hung up on leaving."""
        metadata = (*self._credential, *(("flagd-selector", it) for it in selector))
        call = self.service.EventStream(self.pb.EventStreamRequest(), metadata=metadata)
        try:
            yield Events(call)
        finally:
            call.cancel()


class Events:
    """A running stream of events."""

    def __init__(self, call: Any) -> None:  # noqa: ANN401
        self._call = call

    async def read(self) -> tuple[str, Sequence[str]]:
        """The type of the next event, and the flags that it is about."""
        async with asyncio.timeout(DEADLINE):
            event = await self._call.read()
        return event.type, list(event.data["flags"].keys()) if "flags" in event.data else []

    async def ending(self) -> str:
        """The reason with which the stream ends, whatever comes before that."""
        refusal = await refused(self._to_the_end())
        return refusal.reason

    async def _to_the_end(self) -> None:
        while True:
            await self.read()

    async def next_change(self) -> Sequence[str]:
        """The flags of the next change; marks before it are passed over."""
        kind, flags = await self.read()
        while kind == "keep_alive":
            kind, flags = await self.read()
        assert kind == "configuration_change"
        return flags


def member(tenant: str, *roles: str) -> Identity:
    """Vera, of a tenant."""
    return Identity(tenant=tenant, actor=Actor(user=UserActor(id="vera")), roles=frozenset(roles))


@pytest.fixture(params=VERSIONS)
async def vera(request: pytest.FixtureRequest, door: BoundServer, tenant: str) -> AsyncIterator[Flags]:
    """Somebody who may see each workspace of the tenant and change none, with either version."""
    async with grpc.aio.insecure_channel(door.address) as channel:
        yield Flags(request.param, channel, member(tenant, "viewer"))


async def test_a_flag_is_what_its_switch_is_in_the_workspace_of_the_context(vera: Flags, admin: Person) -> None:
    """I-01, I-04, I-16, I-20."""
    main = {"workspace": "main", "targetingKey": "vera"}
    first = await vera.resolves(WORDCRAFT, main)
    assert (first.value, first.variant, first.reason) == (True, "on", "TARGETING_MATCH")
    await admin.switches(WORDCRAFT, on=False, expected=0)
    then = await vera.resolves(WORDCRAFT, main)
    assert (then.value, then.variant, then.reason) == (False, "off", "TARGETING_MATCH")
    elsewhere = await vera.resolves(WORDCRAFT, {"workspace": "elsewhere"})
    assert (elsewhere.value, elsewhere.variant, elsewhere.reason) == (True, "on", "TARGETING_MATCH")


async def test_nobody_is_told_to_keep_an_answer(vera: Flags) -> None:
    """I-20: a provider keeps what is STATIC by the key of the flag alone, whatever the workspace."""
    answers = [await vera.resolves(key, {"workspace": it}) for key in (WORDCRAFT, SKETCH) for it in ("main", "new")]
    assert {it.reason for it in answers} == {"TARGETING_MATCH"}


async def test_all_flags_are_the_whole_registry(door: BoundServer, admin: Person, tenant: str) -> None:
    """I-04, I-20."""
    await admin.switches(SKETCH, on=True, expected=0)
    async with grpc.aio.insecure_channel(door.address) as channel:
        vera = Flags("v1", channel, member(tenant, "viewer"))
        told = [(await vera.resolves_all({"workspace": it})).flags for it in ("main", "elsewhere")]
    assert [{key: (it.bool_value, it.variant, it.reason) for key, it in flags.items()} for flags in told] == [
        {WORDCRAFT: (True, "on", "TARGETING_MATCH"), SKETCH: (True, "on", "TARGETING_MATCH")},
        {WORDCRAFT: (True, "on", "TARGETING_MATCH"), SKETCH: (False, "off", "TARGETING_MATCH")},
    ]


@pytest.mark.parametrize("kind", ["Boolean", *TYPES])
async def test_a_key_that_is_not_declared_is_no_flag_of_any_type(vera: Flags, kind: str) -> None:
    """I-17, I-20: never silently on, and the status is the one that providers read as FLAG_NOT_FOUND."""
    refusal = await refused(vera.resolves("files:paint", {"workspace": "main"}, kind=kind))
    assert (refusal.status, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
    assert refusal.metadata == {"entity": "flag", "id": "files:paint"}
    assert refusal.message.startswith("FLAG_NOT_FOUND")


@pytest.mark.parametrize("kind", TYPES)
async def test_a_flag_is_of_no_other_type(vera: Flags, kind: str) -> None:
    """I-20: the status is the one that providers read as TYPE_MISMATCH."""
    refusal = await refused(vera.resolves(WORDCRAFT, {"workspace": "main"}, kind=kind))
    assert (refusal.status, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "VALIDATION_FAILED")
    assert "TYPE_MISMATCH" in refusal.message


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"workspace": ""},
        {"workspace": 7},
        {"workspace": ["main"]},
        {"workspace": {"id": "main"}},
        {"Workspace": "main"},
        {"targetingKey": "main"},
    ],
    ids=str,
)
async def test_a_context_without_a_workspace_is_refused_by_its_place(vera: Flags, context: Mapping[str, Any]) -> None:
    """TN-01, I-20: there is no workspace that one gets without asking."""
    refusals = [await refused(vera.resolves(WORDCRAFT, context, kind=it)) for it in ("Boolean", "String")]
    assert {it.reason for it in refusals} == {"VALIDATION_FAILED"}
    assert all("context: names no workspace" in it.message for it in refusals)


@pytest.mark.parametrize("workspace", ["main/artifacts/a", "main/", "/main", "m\0n", "x" * 2000])
async def test_a_workspace_that_is_no_id_opens_nothing(vera: Flags, workspace: str) -> None:
    """TN-01: nor may it reach what lies below the one that access was decided for."""
    refusal = await refused(vera.resolves(WORDCRAFT, {"workspace": workspace}))
    assert refusal.reason == "VALIDATION_FAILED"


async def test_the_tenant_comes_from_the_credential_alone(door: BoundServer, admin: Person, tenant: str) -> None:
    """TN-01, SE-01: what a context says of one changes nothing, and no name of a workspace reaches another's."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    async with grpc.aio.insecure_channel(door.address) as channel:
        eve = Flags("v2", channel, member("rival", "administrator"))
        for more in ({}, {"tenant": tenant}, {"lattice-tenant": tenant}):
            assert (await eve.resolves(WORDCRAFT, {"workspace": "main", **more})).value is True
        for workspace in (admin.workspace, f"../../{tenant}/workspaces/main"):
            assert (await refused(eve.resolves(WORDCRAFT, {"workspace": workspace}))).reason == "VALIDATION_FAILED"


async def test_who_may_not_see_the_workspace_learns_neither_keys_nor_changes(
    door: BoundServer, tenant: str, audit: AuditRecord
) -> None:
    """SE-02, AMB-01: access is decided before anything is looked at, and the refusal is on record."""
    async with grpc.aio.insecure_channel(door.address) as channel:
        mary = Flags("v1", channel, member(tenant, "elsewhere/administrator"))
        main = {"workspace": "main"}
        calls: list[Awaitable[Any]] = [mary.resolves(it, main) for it in (WORDCRAFT, "files:paint")]
        calls += [mary.resolves(WORDCRAFT, main, kind=it) for it in TYPES]
        refusals = [await refused(it) for it in (*calls, mary.resolves_all(main))]
        async with mary.events("workspace=main") as events:
            refusals.append(await refused(events.read()))
        assert {(it.reason, it.message) for it in refusals} == {
            ("FORBIDDEN", "the caller has no access to the workspace")
        }
        assert (await mary.resolves(WORDCRAFT, {"workspace": "elsewhere"})).value is True
    lines = audit.of("ResolveBoolean")
    assert [(it["participant"], it["resource"], it["outcome"]) for it in lines] == [
        ("user:vera", f"tenants/{tenant}/workspaces/main", "refused"),
        ("user:vera", f"tenants/{tenant}/workspaces/main", "refused"),
    ]


async def test_the_stream_says_that_it_is_ready_and_then_what_changes_in_its_workspace(
    vera: Flags, admin: Person, door: BoundServer, tenant: str
) -> None:
    """I-16: and nothing of any other workspace."""
    async with vera.events("workspace=main") as events:
        assert await events.read() == ("provider_ready", [])
        async with person(
            door.address, tenant, "ada", role="administrator", workspace=f"tenants/{tenant}/workspaces/elsewhere"
        ) as there:
            await there.switches(WORDCRAFT, on=False, expected=0)
        await admin.switches(SKETCH, on=True, expected=0)
        assert await events.next_change() == [SKETCH]
        assert (await vera.resolves(SKETCH, {"workspace": "main"})).value is True
        assert await events.read() == ("keep_alive", [])


async def test_a_stream_without_a_selector_is_ready_and_tells_of_no_workspace(vera: Flags, admin: Person) -> None:
    """SE-02: so that every provider becomes ready, also one that cannot select."""
    async with vera.events() as events:
        assert await events.read() == ("provider_ready", [])
        await admin.toggles(2)
        assert [await events.read() for _ in range(2)] == [("keep_alive", [])] * 2


@pytest.mark.parametrize("selector", ["main", "flagSetId=main", "workspace=", "workspace=main/x", "Workspace=main"])
async def test_a_selector_of_something_else_is_refused(vera: Flags, selector: str) -> None:
    async with vera.events(selector) as events:
        assert (await refused(events.read())).reason == "VALIDATION_FAILED"


@pytest.mark.parametrize("selector", [["workspace=main"], []], ids=["of a workspace", "of none"])
async def test_a_server_that_drains_ends_its_streams(
    make_settings: MakeSettings, tenant: str, selector: Sequence[str]
) -> None:
    """RJ-03: SHUTTING_DOWN, at once and not after the grace, so that the provider goes on at another replica."""
    async with AsyncExitStack() as stack:
        server = running(make_settings(flagd=True, grace="1h"))
        bound = await server.__aenter__()
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(bound.address))
        events = await stack.enter_async_context(Flags("v2", channel, member(tenant, "viewer")).events(*selector))
        assert await events.read() == ("provider_ready", [])
        async with asyncio.timeout(DEADLINE):
            await server.__aexit__(None, None, None)
        assert await events.ending() == "SHUTTING_DOWN"


async def test_streams_count_among_the_watches_of_a_tenant(make_settings: MakeSettings, tenant: str) -> None:
    """SE-11."""
    async with (
        running(make_settings(flagd=True, watches=1)) as bound,
        grpc.aio.insecure_channel(bound.address) as channel,
    ):
        vera = Flags("v2", channel, member(tenant, "viewer"))
        async with vera.events() as events:
            assert await events.read() == ("provider_ready", [])
            async with vera.events("workspace=main") as more:
                refusal = await refused(more.read())
        assert (refusal.reason, refusal.metadata) == ("QUOTA_EXCEEDED", {"quota": "watches", "limit": "1"})


async def test_calls_count_for_the_rate_of_a_tenant(make_settings: MakeSettings, tenant: str) -> None:
    """SE-06."""
    rate = {"per_second": 0.001, "burst": 1}
    async with (
        running(make_settings(flagd=True, rate=rate)) as bound,
        grpc.aio.insecure_channel(bound.address) as channel,
    ):
        vera = Flags("v2", channel, member(tenant, "viewer"))
        await vera.resolves(WORDCRAFT, {"workspace": "main"})
        assert (await refused(vera.resolves(WORDCRAFT, {"workspace": "main"}))).reason == "RATE_LIMITED"


async def test_a_server_that_was_not_told_to_has_no_door(server: BoundServer, tenant: str) -> None:
    async with grpc.aio.insecure_channel(server.address) as channel:
        vera = Flags("v2", channel, member(tenant, "viewer"))
        assert (await refused(vera.resolves(WORDCRAFT, {"workspace": "main"}))).reason == "NOT_IMPLEMENTED"
