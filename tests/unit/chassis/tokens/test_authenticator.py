"""Which tokens are believed, and that whatever else is sent is refused by a sentence that repeats nothing of it."""

import base64
import json
import logging
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fakes.identity_provider import Clock, IdentityProvider, bearer, private_key
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, Unauthenticated
from lattice_chassis.settings import AuthSettings
from lattice_chassis.tokens import TokenAuthenticator, authenticator_of
from lattice_chassis.tokens.authenticator import KEPT_TOKENS, MAX_TOKEN_BYTES

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


async def why_refused(authenticator: TokenAuthenticator, token: str) -> str:
    """What a refused caller is told; nothing of the token is in it."""
    with pytest.raises(Unauthenticated) as caught:
        await authenticator.authenticate(bearer(token), "ipv4:192.0.2.1:1")
    for piece in token.split("."):
        assert len(piece) < 12 or piece not in str(caught.value)
    return caught.value.why


def encoded(*parts: object) -> str:
    """Parts as a token has them, those that are bytes as they are."""
    raw = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in parts]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in raw)


async def test_the_bearer_of_a_token_is_who_its_issuer_says(
    authenticator: TokenAuthenticator, people: IdentityProvider
) -> None:
    """SE-01: tenant, actor and roles come from the token."""
    token = people.token(lattice_name="Alice", lattice_roles=["viewer", "launch/editor"])
    identity = Identity(
        tenant="acme",
        actor=Actor(user=UserActor(id="alice", name="Alice")),
        roles=frozenset({"viewer", "launch/editor"}),
    )
    assert await authenticator.authenticate(bearer(token), "") == identity
    assert await authenticator.authenticate([("authorization", f"bearer {token}")], "") == identity


async def test_a_token_without_roles_may_nothing(authenticator: TokenAuthenticator, people: IdentityProvider) -> None:
    token = people.token(lattice_roles=None)
    assert (await authenticator.authenticate(bearer(token), "")).roles == frozenset()


@pytest.mark.parametrize(
    "metadata",
    [
        [],
        [("authorization", "")],
        [("authorization", "Bearer")],
        [("authorization", "Bearer ")],
        [("authorization", "Basic YWxpY2U6c2VjcmV0")],
        [("authorization", b"Bearer x")],
        [("authorization", "Bearer a.b.c"), ("authorization", "Bearer a.b.c")],
        [("lattice-tenant", "acme"), ("lattice-actor", '{"user":{"id":"alice"}}')],
    ],
)
async def test_a_call_without_one_bearer_token_is_refused(
    authenticator: TokenAuthenticator, metadata: list[tuple[str, str | bytes]]
) -> None:
    """SE-01: what development believes counts for nothing here."""
    with pytest.raises(Unauthenticated, match="metadata authorization carry no"):
        await authenticator.authenticate(metadata, "")


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"iss": None}, "no issuer that is believed"),
        ({"iss": "https://stranger.test"}, "no issuer that is believed"),
        ({"aud": None}, "no aud"),
        ({"aud": "billing"}, "not for this server"),
        ({"aud": 5}, "not for this server"),
        ({"exp": None}, "no exp"),
        ({"exp": "tomorrow"}, "no exp that is a time"),
        ({"exp": True}, "no exp that is a time"),
        ({"exp": [1_800_000_060]}, "no exp that is a time"),
        ({"exp": float("inf")}, "no exp that is a time"),
        ({"exp": float("nan")}, "no exp that is a time"),
        ({"exp": 10**400}, "no exp that is a time"),
        ({"exp": 1_800_000_000 - 31}, "has expired"),
        ({"exp": 1_800_000_000 + 2 * 86_400}, "lasts longer"),
        ({"nbf": 1_800_000_000 + 31}, "not valid yet"),
        ({"iat": 1_800_000_000 + 31}, "not valid yet"),
        ({"nbf": "now"}, "no nbf that is a time"),
        ({"sub": None}, "no sub"),
        ({"sub": ""}, "no sub as it should be"),
        ({"sub": 7}, "no sub as it should be"),
        ({"sub": "al\0ice"}, "no sub as it should be"),
        ({"sub": "al\ud800ice"}, "no sub as it should be"),
        ({"sub": "a" * 201}, "no sub as it should be"),
        ({"lattice_tenant": None}, "no lattice_tenant"),
        ({"lattice_tenant": ""}, "no lattice_tenant as it should be"),
        ({"lattice_tenant": "acme/other"}, "no lattice_tenant as it should be"),
        ({"lattice_tenant": "ac\0me"}, "no lattice_tenant as it should be"),
        ({"lattice_tenant": "a" * 201}, "no lattice_tenant as it should be"),
        ({"lattice_tenant": ["acme"]}, "no lattice_tenant as it should be"),
        ({"lattice_kind": None}, "no lattice_kind"),
        ({"lattice_kind": "root"}, "no lattice_kind as it should be"),
        ({"lattice_kind": ["user"]}, "no lattice_kind as it should be"),
        ({"lattice_name": 5}, "no lattice_name as it should be"),
        ({"lattice_roles": "administrator"}, "no lattice_roles as it should be"),
        ({"lattice_roles": [["administrator"]]}, "no lattice_roles as it should be"),
        ({"lattice_roles": ["e\0"]}, "no lattice_roles as it should be"),
        ({"lattice_roles": [""]}, "no lattice_roles as it should be"),
        ({"lattice_kind": "service"}, "does not speak for this kind"),
        ({"lattice_on_behalf_of": {"actor": {"user": {"id": "bob"}}, "roles": []}}, "only an agent's token"),
    ],
)
async def test_a_signed_token_that_does_not_say_what_it_must_is_refused(
    authenticator: TokenAuthenticator, people: IdentityProvider, claims: dict[str, Any], why: str
) -> None:
    """SE-01: named is what is missing, never what was sent."""
    assert why in await why_refused(authenticator, people.token(**claims))


@pytest.mark.parametrize("header", ["jku", "x5u", "jwk", "x5c"])
async def test_a_token_that_brings_its_own_key_is_refused(
    authenticator: TokenAuthenticator, people: IdentityProvider, header: str
) -> None:
    """SE-01: even where its signature is good: nothing of a token may decide by what it is verified."""
    assert "its own key" in await why_refused(authenticator, people.token(headers={header: "https://evil.test"}))


@pytest.mark.parametrize("key_id", [None, "2", "agent-1", 5, ["1"]])
async def test_a_token_that_names_no_key_of_its_own_issuer_is_refused(
    authenticator: TokenAuthenticator, people: IdentityProvider, agents: IdentityProvider, key_id: object
) -> None:
    """SE-01: the key of another issuer is none of this one's, who ever signed."""
    header = {"alg": "ES256"} | ({} if key_id is None else {"kid": key_id})
    signed = encoded(header, people.claims())
    es256 = jwt.get_algorithm_by_name("ES256")
    for key in (people.keys["1"], agents.keys["agent-1"]):
        signature = base64.urlsafe_b64encode(es256.sign(signed.encode(), key)).rstrip(b"=").decode()
        why = await why_refused(authenticator, f"{signed}.{signature}")
        assert why in {"the token names no key of its issuer", "the token is no JWT"}


async def test_a_token_of_a_stranger_under_a_known_key_id_is_refused(
    authenticator: TokenAuthenticator, people: IdentityProvider
) -> None:
    people.keys["stranger"] = private_key()
    token = people.token("stranger", headers={"kid": "1"})
    assert "not signed by its issuer's key" in await why_refused(authenticator, token)


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256", "RS256", "ES384", 5, None, ["ES256"], {"ES256": 1}])
async def test_only_the_algorithm_of_the_key_is_taken(
    authenticator: TokenAuthenticator, people: IdentityProvider, algorithm: object
) -> None:
    """SE-01: no token verifies by no key, or by a public key as a secret."""
    public = people.keys["1"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signed = encoded({"alg": algorithm, "kid": "1"}, people.claims())
    signatures = [b"", jwt.get_algorithm_by_name("ES256").sign(signed.encode(), people.keys["1"])]
    hmac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    signatures.append(hmac.sign(signed.encode(), public))
    for signature in signatures:
        why = await why_refused(authenticator, f"{signed}.{encoded(signature)}")
        assert "algorithm" in why or "not signed" in why


async def test_a_changed_token_is_refused(authenticator: TokenAuthenticator, people: IdentityProvider) -> None:
    header, _, signature = people.token().split(".")
    other = encoded(people.claims(lattice_roles=["administrator"]))
    assert "not signed" in await why_refused(authenticator, f"{header}.{other}.{signature}")


async def test_a_huge_token_is_refused_before_it_is_read(
    authenticator: TokenAuthenticator, people: IdentityProvider
) -> None:
    token = people.token(lattice_roles=["a" * 300] * 30)
    assert len(token) > MAX_TOKEN_BYTES
    assert f"exceeds {MAX_TOKEN_BYTES} bytes" in await why_refused(authenticator, token)


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "..",
        "a.b.c",
        "a.b.c.d.e",
        "é.b.c",
        " a.b.c",
        encoded(b"{", b"{}", b""),
        encoded([], {}, b""),
        encoded({"alg": "ES256"}, [], b""),
        encoded(b"[" * 2900, b"{}", b""),
        encoded({"alg": "ES256"}, b"[" * 2900, b""),
        encoded(b"\xff\xfe", b"\xff", b""),
        encoded({"alg": "ES256", "crit": ["exp"]}, {"iss": "https://people.test"}, b""),
        encoded({"alg": "ES256", "b64": False, "crit": ["b64"]}, {}, b""),
        encoded({"alg": "ES256"}, b'{"exp": ' + b"9" * 5000 + b"}", b""),
    ],
)
async def test_what_is_no_token_is_refused(authenticator: TokenAuthenticator, token: str) -> None:
    await why_refused(authenticator, token)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(token=st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: encoded(raw, raw, raw)))
async def test_no_bytes_are_more_than_a_refusal(authenticator: TokenAuthenticator, token: str) -> None:
    """SE-01: never INTERNAL on account of what was sent."""
    with pytest.raises(Unauthenticated):
        await authenticator.authenticate(bearer(token), "")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(header=JSON, payload=JSON, signature=st.binary(max_size=80))
async def test_no_unsigned_json_is_more_than_a_refusal(
    authenticator: TokenAuthenticator, header: object, payload: object, signature: bytes
) -> None:
    """SE-01: whatever the types of what is read before the signature."""
    for head in (header, {"alg": header, "kid": "1"}, {"alg": "ES256", "kid": header}):
        for body in (payload, {"iss": payload}, {"iss": "https://people.test", "exp": payload}):
            with pytest.raises(Unauthenticated):
                await authenticator.authenticate(bearer(encoded(head, body, signature)), "")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    claim=st.sampled_from(["aud", "exp", "nbf", "iat", "jti", "sub", "lattice_tenant", "lattice_kind", "lattice_name",
                           "lattice_roles", "lattice_agent", "lattice_on_behalf_of"]),
    value=JSON,
    kind=st.sampled_from(["user", "agent"]),
)  # fmt: skip
async def test_no_signed_claim_of_any_type_is_more_than_a_refusal(
    authenticator: TokenAuthenticator, people: IdentityProvider, claim: str, value: object, kind: str
) -> None:
    """SE-01: an issuer may be believed and still be wrong."""
    claims: dict[str, Any] = {"lattice_kind": kind, claim: value}
    token = people.token(**claims)
    try:
        identity = await authenticator.authenticate(bearer(token), "")
    except Unauthenticated:
        return
    assert claim in {"exp", "nbf", "iat", "jti", "lattice_agent"} or value is None or isinstance(value, str | list)
    assert identity.actor.WhichOneof("kind") == "user"


async def test_clocks_may_differ_by_the_skew_and_no_more(
    authenticator: TokenAuthenticator, people: IdentityProvider, clock: Clock
) -> None:
    """SE-01: on either side."""
    now = int(clock())
    early, late = people.token(nbf=now + 30, iat=now + 30), people.token(exp=now - 29)
    await authenticator.authenticate(bearer(early), "")
    await authenticator.authenticate(bearer(late), "")
    clock.advance(seconds=2)
    await authenticator.authenticate(bearer(early), "")
    assert "has expired" in await why_refused(authenticator, late)


async def test_a_stolen_token_of_one_issuer_does_not_pass_for_what_only_another_may_say(
    authenticator: TokenAuthenticator,
    people: IdentityProvider,
    agents: IdentityProvider,
    alice: Identity,
    scribe: Identity,
) -> None:
    """SE-08, MP-32: people's issuer speaks for no agent, agent's own for no person."""
    assert await authenticator.authenticate(bearer(agents.signer("agent-1").sign(scribe).text), "") == scribe
    forged = people.signer("1").sign(scribe).text
    assert "does not speak for this kind" in await why_refused(authenticator, forged)
    person = agents.signer("agent-1").sign(alice).text
    assert "does not speak for this kind" in await why_refused(authenticator, person)


async def test_a_delegation_of_more_than_five_minutes_is_refused_whoever_signed_it(
    authenticator: TokenAuthenticator, agents: IdentityProvider, scribe: Identity, clock: Clock
) -> None:
    """SE-08: short-lived, by the word of whoever verifies too."""
    claims = jwt.decode(agents.signer("agent-1").sign(scribe).text, options={"verify_signature": False})
    claims["exp"] = int(clock()) + 400
    token = jwt.encode(claims, agents.keys["agent-1"], "ES256", {"kid": "agent-1"})
    assert "lasts longer" in await why_refused(authenticator, token)


async def test_an_issuer_speaks_for_its_own_tenants_alone(
    people: IdentityProvider, people_file: Path, clock: Clock
) -> None:
    """X-08, TN-06: a tenant's identity provider makes nobody a member of another, nor an operator of what all share."""
    issuer = people.trusted(people_file, tenants=["acme"])
    authenticator = TokenAuthenticator([issuer], now=clock, elapsed=clock)
    assert (await authenticator.authenticate(bearer(people.token()), "")).tenant == "acme"
    assert "for this tenant" in await why_refused(authenticator, people.token(lattice_tenant="globex"))
    assert "operator" in await why_refused(authenticator, people.token(lattice_roles=["editor", "operator"]))


async def test_an_identity_that_is_changed_by_whoever_got_it_is_unchanged_for_the_next(
    authenticator: TokenAuthenticator, people: IdentityProvider
) -> None:
    token = people.token()
    (await authenticator.authenticate(bearer(token), "")).actor.user.id = "mallory"
    assert (await authenticator.authenticate(bearer(token), "")).actor.user.id == "alice"


async def test_only_so_many_tokens_are_remembered_and_none_of_them_as_it_was_sent(
    authenticator: TokenAuthenticator, people: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lattice_chassis.tokens.authenticator.KEPT_TOKENS", 2)
    tokens = [people.token(sub=f"user-{number}") for number in range(3)]
    for token in tokens:
        await authenticator.authenticate(bearer(token), "")
    assert len(authenticator._verified) == 2 < KEPT_TOKENS
    remembered = repr(vars(authenticator))
    assert not any(piece in remembered for token in tokens for piece in token.split("."))


@pytest.mark.parametrize("names", [[], ["people", "people"]])
def test_issuers_are_named_and_each_once(people: IdentityProvider, people_file: Path, names: list[str]) -> None:
    with pytest.raises(ValueError, match="each named once"):
        TokenAuthenticator([people.trusted(people_file) for _ in names])


def test_without_issuers_a_server_believes_its_own_machine_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """SE-01: loudly."""
    with caplog.at_level(logging.WARNING, "lattice.tokens"):
        authenticator = authenticator_of(AuthSettings())
    assert isinstance(authenticator, DevelopmentAuthenticator)
    assert "NO ISSUER OF TOKENS IS NAMED" in caplog.text


async def test_with_issuers_a_server_believes_tokens_alone(
    people: IdentityProvider, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    issuers = (people.trusted(tmp_path / "missing"), people.trusted("http://idp.test/keys", issuer="http"))
    with caplog.at_level(logging.WARNING, "lattice.tokens"):
        authenticator = authenticator_of(AuthSettings(issuers=issuers))
    assert not authenticator.loopback_only
    assert "the keys of http come without TLS" in caplog.text
    people.key_set("1")
    with pytest.raises(PeerUnavailable, match="identity provider"):
        await authenticator.authenticate(bearer(people.token()), "")
