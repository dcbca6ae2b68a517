"""A server that believes tokens, called over the wire: who is heard, who is not, and what is told of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes.identity_provider import Clock, IdentityProvider, key_set_server
from lattice.type.v1.actor_pb2 import Actor, AgentActor, SystemActor, UserActor
from lattice_chassis.errors import RefusedByPeer
from lattice_chassis.identity import Identity, acting_as, current_identity
from lattice_chassis.interceptors import authentication
from lattice_chassis.server import Service, serving
from lattice_chassis.telemetry import JsonLines
from lattice_chassis.tokens import TokenAuthenticator, signed_identity
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from service.conftest import AuditRecord

Refused = Callable[[Awaitable[object]], Awaitable[RefusedByPeer]]
Connecting = Callable[..., AbstractAsyncContextManager[Any]]

AT_ONCE: Any = {"notice": timedelta(0), "grace": timedelta(seconds=5)}


def carrying(token: str | None) -> Callable[[], tuple[tuple[str, str], ...]]:
    """A source of identity that sends this token, or none."""
    return lambda: () if token is None else (("authorization", f"Bearer {token}"),)


async def test_a_server_that_believes_tokens_listens_where_others_can_reach_it(
    service: Service[Any], connecting: Connecting, authenticator: TokenAuthenticator, people: IdentityProvider
) -> None:
    """SE-01: unlike one that believes its callers; and the caller of a call is who its token names."""
    async with serving("0.0.0.0:0", [service], authenticator, **AT_ONCE) as bound:
        async with connecting(bound, identity=carrying(people.token())) as probe:
            seen: list[Identity] = []

            async def look(_context: object) -> str:
                seen.append(current_identity())
                return "looked"

            probe.acts["look"] = look
            assert await probe.ask("look") == "looked"
        assert seen == [Identity(tenant="acme", actor=Actor(user=UserActor(id="alice")), roles=frozenset({"editor"}))]


async def test_whoever_is_not_believed_is_told_what_is_missing_and_nothing_that_was_sent_is_kept(
    service: Service[Any],
    connecting: Connecting,
    authenticator: TokenAuthenticator,
    people: IdentityProvider,
    refused: Refused,
    _exporter: InMemorySpanExporter,  # noqa: PT019 - read itself: all that ended, whatever its name
    caplog: pytest.LogCaptureFixture,
) -> None:
    """SE-01: the reason is UNAUTHENTICATED, before the handler runs; no log line, span or error has the token."""
    expired = people.token(exp=int(people.now()) - 60)
    header, payload, _ = people.token().split(".")
    tokens = {
        None: "metadata authorization carry no token, or more than one",
        "x": "the token is no JWT",
        expired: "the token has expired",
        f"{header}.{payload}.{'A' * 86}": "the token is not signed by its issuer's key",
    }
    caplog.set_level(logging.DEBUG)
    async with serving("127.0.0.1:0", [service], authenticator, **AT_ONCE) as bound:
        for token, why in tokens.items():
            async with connecting(bound, identity=carrying(token)) as probe:
                refusal = await refused(probe.ask("never"))
                assert (refusal.reason, refusal.message, refusal.metadata) == ("UNAUTHENTICATED", why, {"why": why})
        async with connecting(bound, identity=carrying(people.token())) as probe:
            await probe.ask("heard")
    lines = "\n".join(map(JsonLines().format, caplog.records))
    kept = lines + "".join(it.to_json() for it in _exporter.get_finished_spans())
    assert "UNAUTHENTICATED" in kept
    for token in (expired, people.token()):
        assert not any(piece in kept for piece in token.split(".")[1:])


async def test_a_service_acts_for_the_person_of_a_run_by_a_token_that_it_signs(
    service: Service[Any],
    connecting: Connecting,
    authenticator: TokenAuthenticator,
    agents: IdentityProvider,
    people: IdentityProvider,
    refused: Refused,
    clock: Clock,
) -> None:
    """SE-08, MP-32: a delegation of an agent, a token of the service itself, nothing for a person or for nobody."""
    alice = Identity(tenant="acme", actor=Actor(user=UserActor(id="alice")), roles=frozenset({"viewer"}))
    scribe = Identity(
        tenant="acme",
        actor=Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1")),
        roles=frozenset({"launch/editor"}),
        on_behalf_of=alice,
    )
    itself = Identity(tenant="acme", actor=Actor(system=SystemActor(name="agent")))
    seen: list[Identity] = []

    async def look(_context: object) -> str:
        seen.append(current_identity())
        return "looked"

    signer = agents.signer("agent-1")
    source = signed_identity(lambda: signer, now=clock)
    async with (
        serving("127.0.0.1:0", [service], authenticator, **AT_ONCE) as bound,
        connecting(bound, identity=source) as probe,
    ):
        probe.acts["look"] = look
        for identity in (scribe, itself):
            with acting_as(identity):
                await probe.ask("look")
        assert seen == [scribe, itself]
        clock.advance(minutes=3)
        with acting_as(scribe):
            await probe.ask("look")
        with acting_as(alice):
            refusal = await refused(probe.ask("look"))
            assert refusal.message == "the token's issuer does not speak for this kind of actor"
        assert (await refused(probe.ask("look"))).message == "metadata authorization carry no token, or more than one"
        forged = carrying(people.signer().sign(scribe).text)
        async with connecting(bound, identity=forged) as thief:
            assert (
                await refused(thief.ask("look"))
            ).message == "the token's issuer does not speak for this kind of actor"
    assert seen == [scribe, itself, scribe]


async def test_keys_are_rotated_under_calls_and_while_their_url_is_down_those_kept_go_on_then_nobody_is_heard(
    service: Service[Any], connecting: Connecting, people: IdentityProvider, refused: Refused, clock: Clock
) -> None:
    """SE-01: without a restart; then PEER_UNAVAILABLE, which a client tries again later."""
    async with key_set_server() as keys:
        keys.publish(people.key_set("1"))
        authenticator = TokenAuthenticator([people.trusted(keys.url)], now=clock, elapsed=clock)
        async with serving("127.0.0.1:0", [service], authenticator, **AT_ONCE) as bound:
            lasting = int(clock()) + 3 * 3600
            async with connecting(bound, identity=carrying(people.token("1", exp=lasting))) as old:
                assert await old.ask("heard") == "heard"
                keys.publish(people.key_set("1", "2"))
                clock.advance(seconds=10)
                async with connecting(bound, identity=carrying(people.token("2", exp=lasting))) as new:
                    assert await new.ask("heard") == "heard"
                    keys.publish(people.key_set("2"))
                    clock.advance(minutes=11)
                    assert (await refused(old.ask("heard"))).reason == "UNAUTHENTICATED"
                    keys.status = 503
                    clock.advance(minutes=59)
                    assert await new.ask("heard") == "heard"
                    clock.advance(minutes=2)
                    refusal = await refused(new.ask("heard"))
                    assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "identity provider")
                    keys.status = 200
                    clock.advance(seconds=1)
                    assert await new.ask("heard") == "heard"


@pytest.fixture
def watches_are_checked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for seconds."""
    monkeypatch.setattr(authentication, "WATCHES_CHECKED_EVERY", timedelta(milliseconds=20))


@pytest.mark.usefixtures("watches_are_checked_often")
@pytest.mark.parametrize("end", ["its time", "its key"])
async def test_a_watch_ends_with_the_token_with_which_it_began(
    service: Service[Any],
    connecting: Connecting,
    authenticator: TokenAuthenticator,
    people: IdentityProvider,
    refused: Refused,
    *,
    people_file: Path,
    audit: AuditRecord,
    end: str,
) -> None:
    """SE-01: a watch has no end of its own, and would keep open for good what a stolen token opened.

    Nobody was kept out who was not let in before, so the record has nothing of it.
    """

    async def forever(_: object) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    async with (
        serving("127.0.0.1:0", [service], authenticator, **AT_ONCE) as bound,
        connecting(bound, identity=carrying(people.token())) as probe,
    ):
        probe.acts["forever"] = forever
        watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="forever"))
        assert (await watch.read()).told == "snapshot"
        await asyncio.sleep(0.1)
        assert not watch.done()
        if end == "its time":
            people.now.advance(days=1)
        else:
            people.publish(people_file, "2")
        async with asyncio.timeout(5):
            assert (await refused(watch.read())).reason == "UNAUTHENTICATED"
        assert audit.of("WatchProbe") == []


@pytest.mark.usefixtures("watches_are_checked_often")
async def test_a_watch_whose_caller_cannot_be_verified_any_more_is_ended(
    service: Service[Any], connecting: Connecting, people: IdentityProvider, refused: Refused, clock: Clock
) -> None:
    """SE-01: as every other call, once keys that are kept are too old; its client tries again later."""
    async with key_set_server() as keys:
        keys.publish(people.key_set("1"))
        authenticator = TokenAuthenticator([people.trusted(keys.url)], now=clock, elapsed=clock)
        lasting = carrying(people.token("1", exp=int(clock()) + 3 * 3600))
        async with (
            serving("127.0.0.1:0", [service], authenticator, **AT_ONCE) as bound,
            connecting(bound, identity=lasting) as probe,
        ):
            probe.acts["slowly"] = lambda _: asyncio.sleep(0.01, "still")
            watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="slowly"))
            assert (await watch.read()).told == "snapshot"
            keys.status = 503
            clock.advance(minutes=61)

            async def read_on() -> None:
                async for _ in watch:
                    pass

            async with asyncio.timeout(5):
                assert (await refused(read_on())).reason == "PEER_UNAVAILABLE"
