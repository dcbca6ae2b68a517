"""Keys and tokens that are made by hand are those that a server believes, and no key is lost or shown."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.identity_provider import bearer
from lattice.type.v1.actor_pb2 import Actor, ExternalAgentActor, SystemActor, UserActor
from lattice_chassis.identity import Identity
from lattice_chassis.settings import Issuer
from lattice_chassis.tokens import TokenAuthenticator
from lattice_cli.token_commands import DEFAULT_AUDIENCE, DEFAULT_ISSUER
from typer.testing import Result

Lattice = Callable[..., Result]


@pytest.fixture
def folder(lattice: Lattice, tmp_path: Path) -> Path:
    """A key pair as the command makes it."""
    made = tmp_path / "keys"
    assert lattice("token", "keys", str(made)).exit_code == 0
    return made


@pytest.mark.parametrize(
    ("kind", "actor"),
    [
        ("user", Actor(user=UserActor(id="alice", name="Alice"))),
        ("external_agent", Actor(external_agent=ExternalAgentActor(client_id="alice", name="Alice"))),
        ("service", Actor(system=SystemActor(name="alice"))),
    ],
)
async def test_a_token_made_by_hand_is_believed_by_whoever_has_the_key_set(
    lattice: Lattice, folder: Path, kind: str, actor: Actor
) -> None:
    """SE-01: a deployment is tried without an identity provider."""
    made = lattice(
        "token", "issue", "--key", str(folder / "key.pem"), "--tenant", "acme", "--user", "alice", "--name", "Alice",
        "--kind", kind, "--role", "viewer", "--role", "launch/editor", "--lasting", "8h",
    )  # fmt: skip
    jwks = str(folder / "jwks.json")
    issuer = Issuer.model_validate(
        {"issuer": DEFAULT_ISSUER, "audience": DEFAULT_AUDIENCE, "jwks": jwks, "kinds": [kind]}
    )
    identity = await TokenAuthenticator([issuer]).authenticate(bearer(made.output.strip()), "")
    assert identity == Identity(tenant="acme", actor=actor, roles=frozenset({"viewer", "launch/editor"}))


def test_who_is_named_before_the_verb_is_named_for_it_too(lattice: Lattice, folder: Path) -> None:
    made = lattice("--json", "--tenant", "acme", "--as", "bob", "token", "issue", "--key", str(folder / "key.pem"))
    assert json.loads(made.output)["token"].count(".") == 2


def test_the_key_is_its_owners_alone_and_is_neither_shown_nor_replaced(lattice: Lattice, folder: Path) -> None:
    key = folder / "key.pem"
    written = key.read_bytes()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = lattice("--json", "token", "keys", str(folder))
    assert again.exit_code == 1
    assert "File exists" in again.output
    assert key.read_bytes() == written
    assert b"PRIVATE" in written
    assert "PRIVATE" not in (folder / "jwks.json").read_text() + again.output


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_signs_nothing(lattice: Lattice, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key.pem").write_bytes(content)
    made = lattice("token", "issue", "--key", str(tmp_path / "key.pem"))
    assert made.exit_code == 1
    assert "no private key in PEM" in made.output


@pytest.mark.parametrize("length", ["8", "soon", "-1h", "0s", "10ms"])
def test_a_token_lasts_for_some_time(lattice: Lattice, folder: Path, length: str) -> None:
    assert lattice("token", "issue", "--key", str(folder / "key.pem"), "--lasting", length).exit_code == 2
