"""Signing: what a token says of an identity, that it is read back as the same one, and how long it is kept."""

import base64
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP384R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as generate_rsa
from fakes.identity_provider import AUDIENCE, Clock, IdentityProvider, bearer, pem, private_key
from hypothesis import given
from hypothesis import strategies as st
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from lattice_chassis.identity import Identity, Unauthenticated, acting_as
from lattice_chassis.server import CannotServe
from lattice_chassis.settings import CredentialSettings
from lattice_chassis.tokens import (
    TokenAuthenticator,
    TokenSigner,
    claims_of,
    identity_of,
    identity_source_of,
    signed_identity,
)
from lattice_chassis.tokens.key_set import parse_key_set

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=200
)
IDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=30
)
NAMES = TEXTS | st.just("")
ROLES = st.frozensets(st.sampled_from(["viewer", "editor", "launch/reviewer", "main/administrator"]))
PARTICIPANTS = (
    st.builds(lambda id_, name: Actor(user=UserActor(id=id_, name=name)), TEXTS, NAMES)
    | st.builds(lambda id_, name: Actor(external_agent=ExternalAgentActor(client_id=id_, name=name)), TEXTS, NAMES)
    | st.builds(lambda name: Actor(system=SystemActor(name=name)), TEXTS)
)
PERSONS = st.builds(
    lambda tenant, actor, roles: Identity(tenant=tenant, actor=actor, roles=roles), IDS, PARTICIPANTS, ROLES
)
AGENTS = st.builds(
    lambda thread, run, name, workspace, roles, person: Identity(
        tenant=person.tenant,
        actor=Actor(agent=AgentActor(thread_id=thread, run_id=run, name=name)),
        roles=frozenset(f"{workspace}/{role}" for role in roles),
        on_behalf_of=person,
    ),
    TEXTS, TEXTS, NAMES, IDS, st.frozensets(st.sampled_from(["viewer", "editor"]), min_size=1), PERSONS,
)  # fmt: skip


@given(identity=PERSONS | AGENTS)
def test_claims_are_read_back_as_the_same_identity(identity: Identity) -> None:
    """SE-08: tenant, workspace, thread, run and person, in any script, over JSON."""
    assert identity_of(json.loads(json.dumps(claims_of(identity)))) == identity


def test_a_part_of_lattice_without_a_name_is_the_system() -> None:
    unnamed = Identity(tenant="acme", actor=Actor(system=SystemActor()))
    assert identity_of(claims_of(unnamed)).participant == unnamed.participant == "system:system"


@pytest.mark.parametrize(
    "change",
    [
        {"on_behalf_of": None},
        {"roles": frozenset()},
        {"roles": frozenset({"editor"})},
        {"roles": frozenset({"/editor"})},
        {"roles": frozenset({"launch/editor", "main/editor"})},
        {"actor": Actor(agent=AgentActor(thread_id="thr_1"))},
        {"actor": Actor(agent=AgentActor(run_id="run_1"))},
        {"actor": Actor(user=UserActor(id="alice"))},
        {"actor": Actor()},
        {"tenant": "globex"},
        {"tenant": ""},
        {"on_behalf_of": Identity(tenant="acme", actor=Actor(agent=AgentActor(thread_id="thr_2")))},
    ],
)
def test_no_token_stands_for_an_agent_without_thread_run_person_and_one_workspace(
    people: IdentityProvider, scribe: Identity, change: dict[str, Any]
) -> None:
    """SE-08: nor for a person who works for another."""
    people.key_set("1")
    with pytest.raises(ValueError, match=r"token|tenant|kind"):
        people.signer().sign(Identity(**{**vars(scribe), **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"lattice_agent": None},
        {"lattice_agent": {"thread_id": "thr_1"}},
        {"lattice_agent": {"thread_id": 5, "run_id": "run_1"}},
        {"lattice_on_behalf_of": None},
        {"lattice_on_behalf_of": {"roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"user": {"id": ""}}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"user": {"id": "a\0"}}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"user": {"id": "a\ud800"}}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"user": {"id": "a", "admin": True}}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"agent": {"threadId": "thr_2"}}, "roles": ["editor"]}},
        {"lattice_on_behalf_of": {"actor": {"user": {"id": "a"}}, "roles": "editor"}},
        {"lattice_roles": ["editor"]},
        {"lattice_roles": ["launch/editor", "main/editor"]},
    ],
)
def test_a_delegation_that_does_not_name_all_of_it_is_refused(scribe: Identity, change: dict[str, Any]) -> None:
    """SE-08."""
    with pytest.raises(Unauthenticated, match=r"as it should be|in one workspace"):
        identity_of({**claims_of(scribe), **change})


@pytest.mark.parametrize("ed25519", [False, True], ids=["ES256", "EdDSA"])
async def test_what_is_signed_with_either_kind_of_key_is_believed(
    people: IdentityProvider, clock: Clock, alice: Identity, tmp_path: Path, ed25519: bool
) -> None:  # fmt: skip
    people.keys["1"] = private_key(ed25519=ed25519)
    people.publish(tmp_path / "jwks", "1")
    authenticator = TokenAuthenticator([people.trusted(tmp_path / "jwks")], now=clock, elapsed=clock)
    assert await authenticator.authenticate(bearer(people.signer().sign(alice).text), "") == alice


def test_a_key_without_a_name_is_named_by_its_thumbprint() -> None:
    """As RFC 8037 has it for its own example."""
    d = base64.urlsafe_b64decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")
    signer = TokenSigner(pem(Ed25519PrivateKey.from_private_bytes(d)), issuer="i", audience="a")
    assert signer.public_key["kid"] == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert set(parse_key_set(json.dumps({"keys": [signer.public_key]}).encode())) == {signer.public_key["kid"]}


@pytest.mark.parametrize(
    "key",
    [b"", b"-----BEGIN PRIVATE KEY-----\n", pem(generate_private_key(SECP384R1())), pem(generate_rsa(65537, 2048))],
    ids=["nothing", "no key", "P-384", "RSA"],
)
def test_other_keys_sign_nothing(key: bytes) -> None:
    with pytest.raises(ValueError, match="key"):
        TokenSigner(key, issuer="i", audience="a")


def test_a_delegation_lasts_two_minutes_unless_told_and_never_more_than_five(
    people: IdentityProvider, scribe: Identity, alice: Identity
) -> None:
    """SE-08."""
    people.key_set("1")

    def lasts(identity: Identity, **options: Any) -> int:  # noqa: ANN401
        claims = jwt.decode(people.signer(**options).sign(identity).text, options={"verify_signature": False})
        return int(claims["exp"] - claims["iat"])

    assert lasts(scribe) == 120
    assert lasts(scribe, lifetime=timedelta(hours=1)) == 300
    assert lasts(alice, lifetime=timedelta(hours=1)) == 3600


def test_whoever_is_current_is_signed_for_once_until_half_of_the_token_is_over(
    people: IdentityProvider, clock: Clock, alice: Identity, scribe: Identity
) -> None:
    """SE-08: and nobody is outside any identity."""
    people.key_set("1")
    signer = people.signer()
    source = signed_identity(lambda: signer, now=clock)
    assert source() == ()
    with acting_as(scribe):
        first = source()
        clock.advance(seconds=59)
        assert source() == first
        with acting_as(alice):
            assert source() != first
        clock.advance(seconds=1)
        renewed = source()
    assert renewed != first
    ((name, value),) = renewed
    claims = jwt.decode(
        value.removeprefix("Bearer "), people.keys["1"].public_key(), ["ES256"], audience=AUDIENCE,
        options={"verify_exp": False, "verify_iat": False},
    )  # fmt: skip
    assert name == "authorization"
    assert identity_of(claims) == scribe
    assert claims["exp"] == int(clock()) + 120


def test_a_change_of_roles_or_of_the_person_is_another_identity(
    people: IdentityProvider, alice: Identity, scribe: Identity
) -> None:
    """SE-08: what somebody lost is in no token that is still kept for who somebody was."""
    people.key_set("1")
    signer = people.signer()
    source = signed_identity(lambda: signer)
    lesser = Identity(tenant="acme", actor=alice.actor, roles=frozenset({"viewer"}))
    seen = set()
    for identity in (scribe, Identity(**{**vars(scribe), "on_behalf_of": lesser}), alice, lesser):
        with acting_as(identity):
            seen.add(source())
    assert len(seen) == 4


def test_a_services_key_is_exchanged_without_a_restart(
    people: IdentityProvider, alice: Identity, tmp_path: Path
) -> None:
    """SE-08: for the next call, with no token left of the key that was withdrawn; what is no key changes nothing."""
    people.key_set("1", "2")
    file = tmp_path / "key.pem"
    file.write_bytes(pem(people.keys["1"]))
    settings = CredentialSettings(key=file, issuer="i", audience="a")
    source = identity_source_of(settings)

    def signed_by() -> str:
        with acting_as(alice):
            ((_, value),) = source()
        return str(jwt.get_unverified_header(value.removeprefix("Bearer "))["kid"])

    first, second = (TokenSigner(pem(people.keys[it]), issuer="i", audience="a").public_key["kid"] for it in "12")
    assert signed_by() == first
    file.write_bytes(b"half of a key")
    assert signed_by() == first
    file.write_bytes(pem(people.keys["2"]))
    assert signed_by() == second
    file.unlink()
    assert signed_by() == second
    with pytest.raises(CannotServe, match=r"key\.pem"):
        identity_source_of(settings)


def test_only_so_many_tokens_are_kept(
    people: IdentityProvider, alice: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lattice_chassis.tokens.signer.KEPT_TOKENS", 2)
    people.key_set("1")
    signed: list[Identity] = []

    class Counting(TokenSigner):
        def sign(self, identity: Identity) -> Any:  # noqa: ANN401
            signed.append(identity)
            return super().sign(identity)

    signer = Counting(pem(people.keys["1"]), issuer="i", audience="a")
    source = signed_identity(lambda: signer)
    for user in ("a", "b", "c", "c", "a"):
        with acting_as(Identity(tenant="acme", actor=Actor(user=UserActor(id=user)))):
            source()
    assert [it.actor.user.id for it in signed] == ["a", "b", "c", "a"]


def test_neither_key_nor_token_shows_where_an_object_is_printed(people: IdentityProvider, alice: Identity) -> None:
    people.key_set("1")
    signer = people.signer()
    token = signer.sign(alice)
    assert token.text not in repr(token)
    assert "PRIVATE" not in repr(signer)
