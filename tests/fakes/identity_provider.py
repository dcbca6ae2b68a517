"""An identity provider for tests: keys of its own, tokens of any kind, and its key set in a file or behind a URL."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from lattice_chassis.settings import Issuer
from lattice_chassis.tokens import TokenSigner

AUDIENCE = "lattice"

Key = Any
"""A private key of either kind."""


def private_key(*, ed25519: bool = False) -> Key:
    """A new key, of P-256 unless asked otherwise."""
    return Ed25519PrivateKey.generate() if ed25519 else generate_private_key(SECP256R1())


def pem(key: Key) -> bytes:
    """A key as it lies in a file."""
    written: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return written


@dataclass
class Clock:
    """A clock that tests set, in seconds."""

    time: float

    def __call__(self) -> float:
        return self.time

    def advance(self, **length: float) -> None:
        """Let some time pass, in the units of `timedelta`."""
        self.time += timedelta(**length).total_seconds()


@dataclass
class IdentityProvider:
    """Signs tokens for one `iss` with keys that are named by their `kid`."""

    issuer: str
    now: Clock
    keys: dict[str, Key] = field(default_factory=dict)

    def key_set(self, *key_ids: str) -> dict[str, Any]:
        """The public halves of these keys, made where they are new."""
        for key_id in key_ids:
            if key_id not in self.keys:
                self.keys[key_id] = private_key()
        return {"keys": [self.signer(it).public_key for it in key_ids]}

    def publish(self, path: Path, *key_ids: str) -> None:
        """Write these keys to a file, in the place of what was there."""
        written = path.with_suffix(".new")
        written.write_text(json.dumps(self.key_set(*key_ids)))
        written.replace(path)

    def trusted(self, jwks: object, *kinds: str, **settings: Any) -> Issuer:  # noqa: ANN401 - as pydantic takes them
        """How a server that believes it names it."""
        named = {"issuer": self.issuer, "audience": AUDIENCE, "jwks": str(jwks), "kinds": kinds or ("user",)}
        return Issuer.model_validate(named | settings)

    def signer(self, key_id: str = "1", **options: Any) -> TokenSigner:  # noqa: ANN401 - those of a signer
        """Signs identities with one of its keys."""
        settings = {"issuer": self.issuer, "audience": AUDIENCE, "key_id": key_id, "now": self.now, **options}
        return TokenSigner(pem(self.keys[key_id]), **settings)

    def claims(self, **claims: Any) -> dict[str, Any]:  # noqa: ANN401 - as JSON has them
        """The claims of alice's token, or others in their place; None leaves one out."""
        whole = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": "alice",
            "iat": int(self.now()),
            "exp": int(self.now()) + 60,
            "lattice_tenant": "acme",
            "lattice_kind": "user",
            "lattice_roles": ["editor"],
            **claims,
        }
        return {claim: value for claim, value in whole.items() if value is not None}

    def token(self, key_id: str = "1", *, headers: dict[str, Any] | None = None, **claims: Any) -> str:  # noqa: ANN401
        """A signed token, whatever it claims."""
        return jwt.encode(self.claims(**claims), self.keys[key_id], "ES256", {"kid": key_id, **(headers or {})})


@dataclass
class KeySetServer:
    """A URL that answers with a key set, and may be told to fail, to wait or never to end."""

    url: str = ""
    body: bytes = b""
    status: int = 200
    headers: str = ""
    """Further lines of the answer, each with its end."""
    asked: int = 0
    """How often it was asked."""
    held: asyncio.Event | None = None
    """What it waits for before it answers."""
    waiting: int = 0
    """How many still wait for the end of its answer."""
    trickles: bool = False
    """Whether it sends a byte now and then, and never ends."""

    def publish(self, key_set: object) -> None:
        """Answer with this from now on."""
        self.body = json.dumps(key_set).encode()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self.waiting += 1
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.asked += 1
            if self.held is not None:
                await self.held.wait()
            writer.write(f"HTTP/1.1 {self.status} Told\r\nConnection: close\r\n{self.headers}\r\n".encode())
            while self.trickles:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)
            writer.write(self.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # whoever asked has gone
        finally:
            self.waiting -= 1
            writer.close()


@asynccontextmanager
async def key_set_server(tls: ssl.SSLContext | None = None) -> AsyncIterator[KeySetServer]:
    """A key set behind a URL of this machine; nothing answers there after the block."""
    serving = KeySetServer()
    server = await asyncio.start_server(serving.answer, "127.0.0.1", 0, ssl=tls)
    scheme = "http" if tls is None else "https"
    serving.url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/keys?of=tests"
    async with server:
        yield serving


def own_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate for this machine that signs itself, as a file, and what serves with it."""
    key, name = private_key(), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    path, key_path = folder / "certificate.pem", folder / "certificate-key.pem"
    path.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_path.write_bytes(pem(key))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, key_path)
    return path, context


def bearer(token: str) -> list[tuple[str, str | bytes]]:
    """The metadata of a call with a token."""
    return [("authorization", f"Bearer {token}")]
