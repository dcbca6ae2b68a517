"""Signing: the tokens by which a service says who it is, and for whom its agents act [SE-08]."""

import base64
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import ECAlgorithm, OKPAlgorithm

from lattice_chassis.identity import Identity, current_identity, forwarded_identity
from lattice_chassis.interceptors.client import IdentitySource
from lattice_chassis.server import CannotServe
from lattice_chassis.settings import TOKEN_LIFETIME, CredentialSettings
from lattice_chassis.tokens.claims import AUTHORIZATION_KEY, KIND, LONGEST_DELEGATION, claims_of
from lattice_chassis.transport import Renewed

KEPT_TOKENS: Final = 1024
"""For how many identities a source keeps the token that it signed, the last used."""

# What makes two keys the same one [RFC 7638].
_THUMBPRINT_MEMBERS: Final = ("crv", "kty", "x", "y")


@dataclass(frozen=True, kw_only=True)
class SignedToken:
    """A token and when to ask for another one; it shows neither in a log."""

    text: str
    renewed_at: float
    """In seconds since 1970: when half of its life is over."""

    def __repr__(self) -> str:
        return "SignedToken(…)"


class TokenSigner:
    """Signs tokens for identities with one private key, P-256 (ES256) or Ed25519 (EdDSA)."""

    def __init__(
        self,
        key: bytes,
        *,
        issuer: str,
        audience: str,
        key_id: str | None = None,
        lifetime: timedelta = TOKEN_LIFETIME,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Takes the key as PEM without a password.

        Args:
            key: the private key.
            issuer: `iss` of the tokens.
            audience: `aud` of the tokens.
            key_id: the `kid` of the public key in the issuer's key set; unset, its thumbprint.
            lifetime: how long a token lasts; a delegation's LONGEST_DELEGATION at most.
            now: the time of day in seconds since 1970.

        Raises:
            ValueError: the key is none of these, or tokens would last no time.
        """
        self._key = _private_key(key)
        if lifetime < timedelta(seconds=1):
            raise ValueError("a token lasts for a second at least")
        self._issuer = issuer
        self._audience = audience
        self._lifetime = lifetime
        self._now = now
        self._public = _public_jwk(self._key)
        self._key_id = key_id or self._public["kid"]

    @property
    def public_key(self) -> dict[str, str]:
        """The key that verifies its tokens, as an entry of a JSON Web Key Set."""
        return {**self._public, "kid": self._key_id}

    def sign(self, identity: Identity) -> SignedToken:
        """A token for the identity; an agent's is a delegation.

        Raises:
            ValueError: no token could stand for it; see `claims_of`.
        """
        claims = claims_of(identity)
        lifetime = min(self._lifetime, LONGEST_DELEGATION) if claims[KIND] == "agent" else self._lifetime
        now = self._now()
        ends = now + lifetime.total_seconds()
        claims |= {"iss": self._issuer, "aud": self._audience, "iat": int(now), "exp": int(ends)}
        text = jwt.encode(claims, self._key, self._public["alg"], {"kid": self._key_id})
        return SignedToken(text=text, renewed_at=(now + ends) / 2)


def signer_of(settings: CredentialSettings) -> TokenSigner:
    """The signer that settings name.

    Raises:
        OSError: the file of the key cannot be read.
        ValueError: it holds no key that could sign.
    """
    return TokenSigner(
        settings.key.read_bytes(),
        issuer=settings.issuer,
        audience=settings.audience,
        key_id=settings.key_id,
        lifetime=settings.lifetime,
    )


def signed_identity(signer: Callable[[], TokenSigner], *, now: Callable[[], float] = time.time) -> IdentitySource:
    """A source for `channels.channel` that signs whoever is current; outside any identity it gives nothing.

    One token an identity is kept until half of its life is over, or `signer` answers another one. The source raises
    ValueError for an identity for which no token could stand, such as an agent's without a person.
    """
    kept: OrderedDict[tuple[object, ...], SignedToken] = OrderedDict()
    signed_by: TokenSigner | None = None

    def authorization() -> Sequence[tuple[str, str]]:
        try:
            identity = current_identity()
        except LookupError:
            return ()
        nonlocal signed_by
        current = signer()
        if current is not signed_by:
            kept.clear()  # what a key signed that was withdrawn, nobody believes
            signed_by = current
        key = _same(identity)
        token = kept.pop(key, None)
        if token is None or now() >= token.renewed_at:
            token = current.sign(identity)
        kept[key] = token
        if len(kept) > KEPT_TOKENS:
            kept.popitem(last=False)
        return ((AUTHORIZATION_KEY, f"Bearer {token.text}"),)

    return authorization


def identity_source_of(settings: CredentialSettings | None) -> IdentitySource:
    """The source that settings name: by signed tokens, or as in development where they name no key.

    The key is read again once its file changes, without a restart; where that is of no use, the one before goes on.

    Raises:
        CannotServe: the file cannot be read, or holds no key that could sign.
    """
    if settings is None:
        return forwarded_identity

    def read() -> TokenSigner:
        try:
            return signer_of(settings)
        except (OSError, ValueError) as error:
            raise CannotServe(f"{settings.key}: {error}") from None

    return signed_identity(Renewed([settings.key], read).current)


def _same(identity: Identity) -> tuple[object, ...]:
    """What two identities have in common that the same token stands for; messages cannot be keys themselves."""
    person = () if identity.on_behalf_of is None else _same(identity.on_behalf_of)
    return identity.tenant, identity.actor.SerializeToString(deterministic=True), identity.roles, person


def _private_key(pem: bytes) -> EllipticCurvePrivateKey | Ed25519PrivateKey:
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError("the key is no private key in PEM without a password") from None
    if isinstance(key, Ed25519PrivateKey) or (
        isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1)
    ):
        return key
    raise ValueError("tokens are signed with a key of P-256 or Ed25519")


def _public_jwk(key: EllipticCurvePrivateKey | Ed25519PrivateKey) -> dict[str, str]:
    """The public half as an entry of a key set, named by its thumbprint."""
    if isinstance(key, Ed25519PrivateKey):
        text, algorithm = OKPAlgorithm.to_jwk(key.public_key()), "EdDSA"
    else:
        text, algorithm = ECAlgorithm.to_jwk(key.public_key()), "ES256"
    public = json.loads(text)
    members = {member: public[member] for member in _THUMBPRINT_MEMBERS if member in public}
    digest = sha256(json.dumps(members, separators=(",", ":"), sort_keys=True).encode()).digest()
    thumbprint = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return {**members, "kid": thumbprint, "alg": algorithm, "use": "sig"}
