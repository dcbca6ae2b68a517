"""The authenticator of deployments: bearer tokens, believed for what their issuer may say [SE-01]."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

import jwt
from jwt.types import Options

from lattice_chassis.authorization import OPERATOR
from lattice_chassis.identity import Authenticator, DevelopmentAuthenticator, Identity, Unauthenticated
from lattice_chassis.settings import AuthSettings, Issuer
from lattice_chassis.tokens.claims import AUTHORIZATION_KEY, KIND, LONGEST_DELEGATION, SUBJECT, TENANT, identity_of
from lattice_chassis.tokens.issuer_keys import IssuerKeys
from lattice_chassis.tokens.key_set import VerificationKey
from lattice_chassis.tokens.key_sources import key_source

MAX_TOKEN_BYTES: Final = 8 * 1024
"""The longest token that is looked at."""

KEPT_TOKENS: Final = 4096
"""How many verified tokens are remembered, the last used."""

_DEFAULTS: Final = AuthSettings()
_KEYS_OF_STRANGERS: Final = frozenset({"jku", "jwk", "x5u", "x5c"})
"""Headers by which a token would bring its own key."""

_SIGNED: Final[Options] = {
    "require": ["iss", "aud", "exp", SUBJECT, TENANT, KIND],
    # Times are checked at each use of a token, by one clock.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    # What names the caller is `identity_of`'s to read.
    "verify_sub": False,
    "verify_jti": False,
}
_END_OF_TIME: Final = 1e12

_log: Final = logging.getLogger("lattice.tokens")


@dataclass(frozen=True, kw_only=True)
class _Verified:
    """What a token says, and the key that signed it; the token itself is not kept."""

    issuer: Issuer
    key_id: str
    key: VerificationKey
    claims: Mapping[str, Any]


class TokenAuthenticator:
    """Believes metadata `authorization: Bearer <JWT>` that one of some issuers signed.

    Verified tokens are remembered by their digest. Their times are checked at each use all the same,
    and so is their key: a token ends with the next look at the keys that does not find its own, which
    is at once for a file, and after `keys_fresh` for a URL that is in use, twice that for one that
    nobody has needed meanwhile. While the keys cannot be read, those that are kept go on for
    `keys_kept`; then every call is refused with PEER_UNAVAILABLE.
    """

    loopback_only = False

    def __init__(
        self,
        issuers: Sequence[Issuer],
        *,
        clock_skew: timedelta = _DEFAULTS.clock_skew,
        keys_fresh: timedelta = _DEFAULTS.keys_fresh,
        keys_kept: timedelta = _DEFAULTS.keys_kept,
        now: Callable[[], float] = time.time,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is read before the first call.

        Args:
            issuers: whose tokens are believed, each `iss` once.
            clock_skew: how far the clocks of issuers may be off.
            keys_fresh: how long keys are used before they are read again.
            keys_kept: how long they go on where they cannot be read.
            now: the time of day in seconds since 1970.
            elapsed: a clock in seconds that nobody sets.

        Raises:
            ValueError: there is no issuer, or two with the same `iss`.
        """
        self._issuers = {it.issuer: it for it in issuers}
        if not issuers or len(self._issuers) != len(issuers):
            raise ValueError("tokens are believed by issuers, each named once")
        self._keys = {
            it.issuer: IssuerKeys(it.issuer, key_source(it.jwks), fresh=keys_fresh, kept=keys_kept, elapsed=elapsed)
            for it in issuers
        }
        self._skew = clock_skew.total_seconds()
        self._now = now
        self._verified: OrderedDict[bytes, _Verified] = OrderedDict()

    async def authenticate(self, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Identity:  # noqa: ARG002
        """The bearer of the call's token.

        Raises:
            Unauthenticated: there is no token, or none that is believed; it says what is missing.
            PeerUnavailable: the issuer's keys cannot be read, so that nobody can tell.
        """
        token = _bearer_token(metadata)
        digest = sha256(token.encode()).digest()
        verified = self._verified.pop(digest, None)
        if verified is None or await self._keys[verified.issuer.issuer].find(verified.key_id) != verified.key:
            verified = await self._verify(token)
        self._require_current(verified)
        identity = identity_of(verified.claims)
        self._verified[digest] = verified
        if len(self._verified) > KEPT_TOKENS:
            self._verified.popitem(last=False)
        return identity

    async def _verify(self, token: str) -> _Verified:
        header, claims = _read(token)
        name, key_id = claims.get("iss"), header.get("kid")
        issuer = self._issuers.get(name) if isinstance(name, str) else None
        if issuer is None:
            raise Unauthenticated(why="the token has no issuer that is believed here")
        if header.get("alg") not in list(issuer.algorithms):  # what is sent need not be hashable
            raise Unauthenticated(why="the token has no algorithm that is taken from its issuer")
        if not _KEYS_OF_STRANGERS.isdisjoint(header):
            raise Unauthenticated(why="the token brings its own key")
        key = await self._keys[issuer.issuer].find(key_id) if isinstance(key_id, str) else None
        if key is None or not isinstance(key_id, str):
            raise Unauthenticated(why="the token names no key of its issuer")
        _require_signed(token, key, issuer)
        _require_entitled(claims, issuer)
        return _Verified(issuer=issuer, key_id=key_id, key=key, claims=claims)

    def _require_current(self, verified: _Verified) -> None:
        """Refuse a token before its time, after it, or one that would last longer than any should."""
        claims, now = verified.claims, self._now()
        times = {claim: _seconds(claims, claim) for claim in ("exp", "nbf", "iat") if claim in claims}
        longest = verified.issuer.longest
        if claims[KIND] == "agent":
            longest = min(longest, LONGEST_DELEGATION)
        if times["exp"] <= now - self._skew:
            raise Unauthenticated(why="the token has expired")
        if times["exp"] > now + self._skew + longest.total_seconds():
            raise Unauthenticated(why="the token lasts longer than its issuer's tokens may")
        if any(times.get(claim, now) > now + self._skew for claim in ("nbf", "iat")):
            raise Unauthenticated(why="the token is not valid yet")


def authenticator_of(settings: AuthSettings) -> Authenticator:
    """The authenticator that settings name: by tokens, or for development where they name no issuer.

    Raises:
        ValueError: two issuers have the same `iss`.
    """
    if not settings.issuers:
        _log.warning(
            "NO ISSUER OF TOKENS IS NAMED (AUTH__ISSUERS): whoever calls from this machine is believed to be who it "
            "says it is. That is for development; no address that others can reach will be listened on."
        )
        return DevelopmentAuthenticator()
    for issuer in settings.issuers:
        if issuer.jwks.startswith("http://"):
            _log.warning("the keys of %s come without TLS: whoever is in between can become anybody", issuer.issuer)
    return TokenAuthenticator(
        settings.issuers,
        clock_skew=settings.clock_skew,
        keys_fresh=settings.keys_fresh,
        keys_kept=settings.keys_kept,
    )


def _bearer_token(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    given = [value for key, value in metadata if key == AUTHORIZATION_KEY]
    if len(given) != 1 or not isinstance(given[0], str):
        raise Unauthenticated(why=f"metadata {AUTHORIZATION_KEY} carry no token, or more than one")
    scheme, _, token = given[0].partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated(why=f"metadata {AUTHORIZATION_KEY} carry no bearer token")
    if len(token) > MAX_TOKEN_BYTES or not token.isascii():
        raise Unauthenticated(why=f"the token exceeds {MAX_TOKEN_BYTES} bytes or is no ASCII")
    return token


# PyJWT's errors repeat pieces of the token, so none is shown as the cause of ours.


def _read(token: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Header and claims as they are written, on which nothing may rest but the choice of a key."""
    try:
        parts = jwt.decode_complete(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise Unauthenticated(why="the token is no JWT") from None
    return parts["header"], parts["payload"]


def _require_signed(token: str, key: VerificationKey, issuer: Issuer) -> None:
    try:
        jwt.decode(
            token,
            key.key,
            algorithms=sorted(issuer.algorithms),
            audience=issuer.audience,
            issuer=issuer.issuer,
            options=_SIGNED,
        )
    except jwt.MissingRequiredClaimError as error:
        raise Unauthenticated(why=f"the token has no {error.claim}") from None
    except jwt.InvalidAudienceError:
        raise Unauthenticated(why="the token is not for this server") from None
    except (jwt.PyJWTError, ValueError, TypeError):
        raise Unauthenticated(why="the token is not signed by its issuer's key") from None


def _require_entitled(claims: Mapping[str, Any], issuer: Issuer) -> None:
    """Refuse what the issuer may not say, and what is no identity."""
    identity = identity_of(claims)
    if claims[KIND] not in issuer.kinds:
        raise Unauthenticated(why="the token's issuer does not speak for this kind of actor")
    if issuer.tenants is not None and identity.tenant not in issuer.tenants:
        raise Unauthenticated(why="the token's issuer does not speak for this tenant")
    if issuer.tenants is not None and OPERATOR in identity.roles:
        raise Unauthenticated(why="an issuer of some tenants makes nobody an operator of the deployment")


def _seconds(claims: Mapping[str, Any], claim: str) -> float:
    """A time since 1970. NaN and infinity, which JSON in Python knows, are none."""
    value = claims[claim]
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _END_OF_TIME:
        raise Unauthenticated(why=f"the token has no {claim} that is a time")
    return float(value)
