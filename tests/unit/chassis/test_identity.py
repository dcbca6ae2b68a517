"""Who calls, and what makes two callers one participant."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from lattice_chassis.identity import (
    ACTOR_KEY,
    TENANT_KEY,
    DevelopmentAuthenticator,
    Identity,
    Unauthenticated,
    acting_as,
    current_identity,
    development_metadata,
    display_name,
    forwarded_identity,
    participant_key,
)

ALICE = Identity(tenant="acme", actor=Actor(user=UserActor(id="alice", name="Alice")), roles=frozenset({"admin"}))


@pytest.mark.parametrize(
    ("actor", "key", "name"),
    [
        (Actor(user=UserActor(id="alice", name="Alice")), "user:alice", "Alice"),
        (Actor(user=UserActor(id="alice")), "user:alice", "alice"),
        (Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1", name="Scribe")), "agent:thr_1", "Scribe"),
        (Actor(agent=AgentActor(thread_id="thr_1")), "agent:thr_1", "assistant"),
        (Actor(external_agent=ExternalAgentActor(client_id="bot", name="Bot")), "external_agent:bot", "Bot"),
        (Actor(external_agent=ExternalAgentActor(client_id="bot")), "external_agent:bot", "bot"),
        (Actor(system=SystemActor(name="runner")), "system:runner", "runner"),
        (Actor(system=SystemActor()), "system:system", "system"),
    ],
)
def test_each_kind_of_actor_has_its_key_and_its_name(actor: Actor, key: str, name: str) -> None:
    """AC-02: the key is kind and id, never the name."""
    assert (participant_key(actor), display_name(actor)) == (key, name)


def test_one_id_of_two_kinds_is_two_participants() -> None:
    """AC-02: everybody chooses ids."""
    namesakes = [
        Actor(user=UserActor(id="alice")),
        Actor(agent=AgentActor(thread_id="alice")),
        Actor(external_agent=ExternalAgentActor(client_id="alice")),
        Actor(system=SystemActor(name="alice")),
    ]
    assert len({participant_key(it) for it in namesakes}) == len(namesakes)


def test_all_runs_of_a_thread_are_one_participant() -> None:
    """AC-02: the run id and the name are not part of the key."""
    first = Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1", name="assistant"))
    second = Actor(agent=AgentActor(thread_id="thr_1", run_id="run_2", name="Scribe"))
    assert participant_key(first) == participant_key(second)


def test_an_actor_without_a_kind_is_no_participant() -> None:
    with pytest.raises(ValueError, match="exactly one kind"):
        participant_key(Actor())


@given(
    tenant=st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1),
    user=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=200),
    name=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=200),
    roles=st.frozensets(st.sampled_from(["viewer", "editor", "admin"]), min_size=1),
)
async def test_development_metadata_are_read_back_as_the_same_identity(
    tenant: str, user: str, name: str, roles: frozenset[str]
) -> None:
    """SE-01: tenant and actor come from the metadata, in any script."""
    identity = Identity(tenant=tenant, actor=Actor(user=UserActor(id=user, name=name)), roles=roles)
    metadata = development_metadata(identity)
    assert all(value.isascii() for _, value in metadata)
    assert await DevelopmentAuthenticator().authenticate(metadata, "ipv4:127.0.0.1:1") == identity


@pytest.mark.parametrize(
    "metadata",
    [
        [],
        [(ACTOR_KEY, '{"user":{"id":"alice"}}')],
        [(TENANT_KEY, "acme")],
        [(TENANT_KEY, "acme/other"), (ACTOR_KEY, '{"user":{"id":"alice"}}')],
        [(TENANT_KEY, "acme"), (ACTOR_KEY, "alice")],
        [(TENANT_KEY, "acme"), (ACTOR_KEY, "{}")],
        [(TENANT_KEY, "acme"), (ACTOR_KEY, '{"user":{"name":"Alice"}}')],
        [(TENANT_KEY, "acme"), (ACTOR_KEY, '{"user":{"id":"alice","admin":true}}')],
        [(TENANT_KEY, "acme"), (ACTOR_KEY, '{"user":{"id":"al\\u0000ice"}}')],
    ],
)
async def test_metadata_that_name_no_tenant_or_no_participant_are_refused(metadata: list[tuple[str, str]]) -> None:
    """SE-01: tenant and actor come from verified metadata or the call is refused."""
    with pytest.raises(Unauthenticated):
        await DevelopmentAuthenticator().authenticate(metadata, "ipv4:127.0.0.1:1")


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ud800", "ä" * 201], ids=["NUL", "only NUL", "lone surrogate", "long"])
@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (kind.name, field.name)
        for kind in Actor.DESCRIPTOR.fields
        if kind.message_type
        for field in kind.message_type.fields
    ],
)
async def test_no_text_of_an_actor_is_one_that_a_database_could_not_hold(kind: str, field: str, text: str) -> None:
    """SE-01: refused as it arrives, not by a later write that would fail as our own fault."""
    whole = {"user": {"id": "alice"}, "agent": {"thread_id": "thr_1"}, "external_agent": {"client_id": "bot"}}
    claimed = json.dumps({kind: whole.get(kind, {}) | {field: text}})
    with pytest.raises(Unauthenticated):
        await DevelopmentAuthenticator().authenticate([(TENANT_KEY, "acme"), (ACTOR_KEY, claimed)], "unix:")
    longest = json.dumps({kind: whole.get(kind, {}) | {field: "ä" * 200}})
    identity = await DevelopmentAuthenticator().authenticate([(TENANT_KEY, "acme"), (ACTOR_KEY, longest)], "unix:")
    assert getattr(getattr(identity.actor, kind), field) == "ä" * 200


async def test_an_identity_that_names_no_role_edits() -> None:
    metadata = [(TENANT_KEY, "acme"), (ACTOR_KEY, '{"user":{"id":"alice"}}')]
    identity = await DevelopmentAuthenticator().authenticate(metadata, "unix:")
    assert identity.roles == {"editor"}


def test_outside_an_rpc_nobody_calls() -> None:
    with pytest.raises(LookupError):
        current_identity()
    assert forwarded_identity() == ()


def test_trusted_code_acts_as_another_for_a_block() -> None:
    """AC-04: and as itself again after it."""
    agent = Identity(tenant="acme", actor=Actor(agent=AgentActor(thread_id="thr_1")))
    with acting_as(ALICE):
        with acting_as(agent):
            assert current_identity() == agent
        assert current_identity() == ALICE
        assert forwarded_identity() == development_metadata(ALICE)
