"""The keys of issuers: which are taken, how long they are kept, and what happens when nobody answers for them."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as generate_rsa
from fakes.identity_provider import (
    Clock,
    IdentityProvider,
    KeySetServer,
    bearer,
    key_set_server,
    own_certificate,
    private_key,
)
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import Unauthenticated
from lattice_chassis.tokens import TokenAuthenticator
from lattice_chassis.tokens.key_set import MAX_KEY_SET_BYTES, UnreadableKeys, parse_key_set

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture
async def server(people: IdentityProvider) -> AsyncIterator[KeySetServer]:
    """The people's keys behind a URL, `1` at first."""
    async with key_set_server() as serving:
        serving.publish(people.key_set("1"))
        yield serving


@pytest.fixture
def by_url(people: IdentityProvider, server: KeySetServer, clock: Clock) -> TokenAuthenticator:
    """Believes people by the keys behind the URL."""
    return TokenAuthenticator([people.trusted(server.url)], now=clock, elapsed=clock)


async def believed(authenticator: TokenAuthenticator, token: str) -> bool:
    """Whether the token is taken; a key that nobody can look up raises PeerUnavailable."""
    try:
        await authenticator.authenticate(bearer(token), "")
    except Unauthenticated:
        return False
    return True


def break_(path: Path, damage: bytes | str | None) -> None:
    """Put something else in the place of a key set, too much of it, or nothing."""
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(b" " * (MAX_KEY_SET_BYTES + 1) if isinstance(damage, str) else damage)


def long_token(people: IdentityProvider, key_id: str = "1") -> str:
    """A token that outlives the keys that are kept."""
    return people.token(key_id, exp=int(people.now()) + 20 * 3600)


async def test_a_new_key_in_a_file_counts_at_once_and_a_withdrawn_one_no_more(
    authenticator: TokenAuthenticator, people: IdentityProvider, people_file: Path
) -> None:
    """SE-01: keys are rotated without a restart, and a remembered token ends with its key."""
    old = people.token("1")
    assert await believed(authenticator, old)
    people.publish(people_file, "1", "2")
    assert await believed(authenticator, old)
    assert await believed(authenticator, people.token("2"))
    people.publish(people_file, "2")
    assert not await believed(authenticator, old)
    assert await believed(authenticator, people.token("2"))


async def test_another_key_under_the_same_id_ends_the_tokens_of_the_first(
    authenticator: TokenAuthenticator, people: IdentityProvider, people_file: Path
) -> None:
    old = people.token("1")
    assert await believed(authenticator, old)
    del people.keys["1"]
    people.publish(people_file, "1")
    assert not await believed(authenticator, old)
    assert await believed(authenticator, people.token("1"))


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b'{"keys": {}}', b'{"keys": []}', None, "huge"])
async def test_a_damaged_or_missing_file_takes_no_good_key_away_until_they_are_too_old(
    authenticator: TokenAuthenticator,
    people: IdentityProvider,
    people_file: Path,
    clock: Clock,
    damage: bytes | str | None,
) -> None:
    """SE-01: kept keys go on for an hour, then nobody is believed."""
    token = long_token(people)
    assert await believed(authenticator, token)
    break_(people_file, damage)
    clock.advance(minutes=59)
    assert await believed(authenticator, token)
    clock.advance(minutes=2)
    with pytest.raises(PeerUnavailable, match="identity provider"):
        await believed(authenticator, token)
    people.publish(people_file, "1")
    assert await believed(authenticator, token)


async def test_a_file_that_nobody_changes_is_fresh_for_ever(
    authenticator: TokenAuthenticator, people: IdentityProvider, clock: Clock
) -> None:
    token = long_token(people)
    for _ in range(3):
        clock.advance(hours=5)
        assert await believed(authenticator, token)


async def test_many_calls_at_once_share_one_look_and_one_of_them_may_give_up(
    by_url: TokenAuthenticator, people: IdentityProvider, server: KeySetServer, eventually: Eventually
) -> None:
    """SE-01: a cancel of one call ends nothing that others wait for."""
    server.held = asyncio.Event()
    token = people.token()
    calls = [asyncio.create_task(believed(by_url, token)) for _ in range(20)]

    async def asked() -> bool:
        return bool(server.asked)

    await eventually(asked)
    calls[0].cancel()
    await asyncio.sleep(0)
    server.held.set()
    assert all(await asyncio.gather(*calls[1:]))
    assert calls[0].cancelled()
    assert server.asked == 1


async def test_an_unknown_key_makes_it_look_again_once_in_ten_seconds(
    by_url: TokenAuthenticator, people: IdentityProvider, server: KeySetServer, clock: Clock
) -> None:
    """SE-01: a new key counts without a restart, and strangers cannot make us ask as often as they like."""
    assert await believed(by_url, people.token("1"))
    server.publish(people.key_set("1", "2"))
    for _ in range(5):
        assert not await believed(by_url, people.token("2"))
    assert server.asked == 1
    clock.advance(seconds=10)
    assert await believed(by_url, people.token("2"))
    people.keys["3"] = private_key()
    for _ in range(5):
        assert not await believed(by_url, people.token("3"))
    assert server.asked == 2


async def test_keys_are_asked_for_again_in_the_background_once_they_are_not_fresh(
    by_url: TokenAuthenticator, people: IdentityProvider, server: KeySetServer, clock: Clock, eventually: Eventually
) -> None:
    """SE-01: no call waits for it, and a key that is withdrawn ends its tokens."""
    token = long_token(people)
    assert await believed(by_url, token)
    server.publish(people.key_set("2"))
    server.held = asyncio.Event()
    clock.advance(minutes=5, seconds=1)
    assert await believed(by_url, token)
    server.held.set()

    async def ended() -> bool:
        return not await believed(by_url, token)

    await eventually(ended)
    assert server.asked == 2


async def test_a_key_that_was_withdrawn_while_nobody_called_is_not_believed_once_more(
    by_url: TokenAuthenticator, people: IdentityProvider, server: KeySetServer, clock: Clock
) -> None:
    token = long_token(people)
    assert await believed(by_url, token)
    server.publish(people.key_set("2"))
    clock.advance(minutes=30)
    assert not await believed(by_url, token)


@pytest.mark.parametrize("fault", ["status", "damaged", "huge", "redirect"])
async def test_while_the_url_fails_kept_keys_go_on_for_an_hour_and_then_nobody_is_believed(
    by_url: TokenAuthenticator,
    people: IdentityProvider,
    server: KeySetServer,
    clock: Clock,
    fault: str,
) -> None:
    """SE-01: PEER_UNAVAILABLE, which a client may try again, and never a sentence about its token."""
    token, good = long_token(people), server.body
    assert await believed(by_url, token)
    match fault:
        case "status":
            server.status = 503
        case "damaged":
            server.body = good[:-5]
        case "huge":
            server.body = good + b" " * MAX_KEY_SET_BYTES
        case _:
            server.status, server.headers = 302, f"Location: {server.url}\r\n"
    clock.advance(minutes=59)
    assert await believed(by_url, token)
    clock.advance(seconds=30)
    people.keys["2"] = private_key()
    with pytest.raises(PeerUnavailable):  # it may be a new key: nobody can tell
        await believed(by_url, people.token("2"))
    clock.advance(seconds=31)
    with pytest.raises(PeerUnavailable, match="identity provider"):
        await believed(by_url, token)
    server.status, server.body, server.headers = 200, good, ""
    clock.advance(seconds=1)
    assert await believed(by_url, token)


async def test_while_the_url_is_down_it_is_not_asked_at_every_call(
    people: IdentityProvider, server: KeySetServer, clock: Clock
) -> None:
    authenticator = TokenAuthenticator([people.trusted(server.url)], now=clock, elapsed=clock)
    server.status = 500
    for _ in range(5):
        with pytest.raises(PeerUnavailable):
            await believed(authenticator, people.token())
    assert server.asked == 1


@pytest.mark.parametrize("trickles", [False, True], ids=["silent", "a byte now and then"])
async def test_a_url_that_never_ends_costs_its_time_limit_and_no_thread(
    by_url: TokenAuthenticator,
    people: IdentityProvider,
    server: KeySetServer,
    monkeypatch: pytest.MonkeyPatch,
    eventually: Eventually,
    *,
    trickles: bool,
) -> None:
    """SE-01: the call fails closed, and its connection is cut off; the event loop answers others meanwhile."""
    monkeypatch.setattr("lattice_chassis.tokens.key_sources.FETCH_SECONDS", 0.2)
    released = asyncio.Event()
    server.trickles, server.held = trickles, None if trickles else released
    call = asyncio.create_task(believed(by_url, people.token()))

    async def waits() -> bool:
        return server.waiting == 1

    async def has_gone() -> bool:
        return server.waiting == 0

    await eventually(waits)
    with pytest.raises(PeerUnavailable):
        await call
    released.set()
    await eventually(has_gone)


async def test_a_url_is_believed_by_a_certificate_that_this_machine_trusts_alone(
    people: IdentityProvider, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-01: whoever stands in between with a certificate of its own gives us no keys."""
    certificate, tls = own_certificate(tmp_path)
    async with key_set_server(tls) as server:
        server.publish(people.key_set("1"))
        stranger = TokenAuthenticator([people.trusted(server.url)], now=clock, elapsed=clock)
        with pytest.raises(PeerUnavailable):
            await believed(stranger, people.token())
        assert not server.asked
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        known = TokenAuthenticator([people.trusted(server.url)], now=clock, elapsed=clock)
        assert await believed(known, people.token())


async def test_where_nobody_listens_nobody_is_believed(people: IdentityProvider, clock: Clock) -> None:
    async with key_set_server() as server:
        url = server.url
    authenticator = TokenAuthenticator([people.trusted(url)], now=clock, elapsed=clock)
    people.key_set("1")
    with pytest.raises(PeerUnavailable, match="identity provider"):
        await believed(authenticator, people.token())


def test_what_cannot_be_used_takes_no_good_key_away(people: IdentityProvider) -> None:
    """SE-01: symmetric keys, private ones, those for encryption, weak, unknown or damaged ones are left out."""
    (good,) = people.key_set("good")["keys"]
    private = json.loads(ECAlgorithm.to_jwk(people.keys["good"]))
    weak = json.loads(RSAAlgorithm.to_jwk(generate_rsa(65537, 1024).public_key()))  # noqa: S505 - as is claimed
    damaged = [{**good, "kid": f"damaged {it}", it: "!"} for it in ("x", "y", "crv", "kty", "alg", "use")]
    others = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "symmetric", "alg": "HS256"},
        {**private, "kid": "private"},
        {**weak, "kid": "weak"},
        {**good, "kid": "encrypts", "use": "enc"},
        {**good, "kid": "signs", "key_ops": ["sign"]},
        {**good, "kid": "none", "alg": "none"},
        {**good, "kid": "secret", "alg": "HS256"},
        {it: value for it, value in good.items() if it != "kid"},
        {"kty": "AKP", "kid": "unknown"},
        {**good, "kid": 5},
        {**good, "kid": "listed", "alg": ["ES256"]},
        *damaged,
        None,
        5,
        [good],
    ]
    assert set(parse_key_set(json.dumps({"keys": [*others, good]}).encode())) == {"good"}


def test_of_two_keys_with_one_id_the_first_counts(people: IdentityProvider) -> None:
    (first,), (second,) = people.key_set("a")["keys"], people.key_set("b")["keys"]
    keys = parse_key_set(json.dumps({"keys": [first, {**second, "kid": "a"}]}).encode())
    assert json.loads(keys["a"].content)["x"] == first["x"]


@given(
    raw=st.binary(max_size=100)
    | JSON.map(lambda value: json.dumps({"keys": value}).encode())
    | st.fixed_dictionaries(
        {"kid": st.just("1"), "kty": st.sampled_from(["EC", "RSA", "OKP", "oct"]) | JSON},
        optional=dict.fromkeys(("crv", "x", "y", "n", "e", "alg", "use", "key_ops", "k"), JSON),
    ).map(lambda key: json.dumps({"keys": [key]}).encode())
)
def test_no_text_is_more_than_an_unreadable_key_set(raw: bytes) -> None:
    try:
        keys = parse_key_set(raw)
    except UnreadableKeys:
        return
    assert set(keys) == {"1"}
