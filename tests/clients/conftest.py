"""A deployment as clients meet it: certificates between all, tokens for people, keys for services."""

import json
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.identity import Identity
from lattice_chassis.tokens import TokenSigner
from lattice_cli.certificates import Certificates
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite
from lattice_cli.token_commands import DEFAULT_AUDIENCE, KEY_FILE, KEY_SET_FILE, make_keys

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
TENANT = "acme"
ROLES = {"alice": "editor", "bob": "editor", "carol": "viewer", "olga": "administrator"}
"""Who plays, and what each may."""


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A running suite whose services believe tokens alone."""

    suite: Suite
    keys: Path
    certificates: Path
    workspace: str = field(default_factory=lambda: f"tenants/{TENANT}/workspaces/w-{uuid.uuid4().hex[:12]}")

    def token(self, user: str) -> str:
        """A token of somebody."""
        signer = TokenSigner(
            (self.keys / "people" / KEY_FILE).read_bytes(),
            issuer="people",
            audience=DEFAULT_AUDIENCE,
            lifetime=timedelta(hours=1),
        )
        actor = Actor(user=UserActor(id=user, name=user.title()))
        return signer.sign(Identity(tenant=TENANT, actor=actor, roles=frozenset({ROLES[user]}))).text

    @asynccontextmanager
    async def connected(self, user: str) -> AsyncIterator[Connection]:
        """The stubs of all services, for somebody."""
        workspace = self.workspace.rpartition("/")[2]
        person = Person(tenant=TENANT, workspace=workspace, user=user, token=self.token(user))
        async with connect(self.suite.addresses, person) as connection:
            yield connection

    @property
    def environment(self) -> Mapping[str, str]:
        """What the programs are told of it."""
        return {
            "LATTICE_FILES": self.suite.addresses.files,
            "LATTICE_INTEGRATIONS": self.suite.addresses.integrations,
            "LATTICE_TLS": str(self.certificates),
            "LATTICE_WORKSPACE": self.workspace,
            **{f"LATTICE_TOKEN_{user.upper()}": self.token(user) for user in ROLES},
        }


@pytest.fixture(scope="session")
async def suite_of_clients() -> AsyncIterator[tuple[Suite, Path, Path]]:
    """The suite, the folder of its keys and that of its certificates."""
    # Not in pytest's own folders: those are closed to the system user that the server runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="lattice-clients-"))
    keys, certificates = folder / "keys", Certificates(folder / "tls")
    try:
        certificates.make()
        for issuer in ("people", "files"):
            make_keys(keys / issuer)
        users = _believed(keys, "people", "user")
        settings = {
            "LATTICE_INTEGRATIONS_AUTH__ISSUERS": json.dumps([users, _believed(keys, "files", "service")]),
            "LATTICE_INTEGRATIONS_FLAGD": "true",
            "LATTICE_FILES_AUTH__ISSUERS": json.dumps([users]),
            "LATTICE_FILES_CREDENTIAL__KEY": str(keys / "files" / KEY_FILE),
            "LATTICE_FILES_CREDENTIAL__ISSUER": "files",
            "LATTICE_FILES_CREDENTIAL__AUDIENCE": DEFAULT_AUDIENCE,
        }
        async with running_suite(
            folder,
            services=("integrations", "files"),
            settings=settings,
            postgres_settings=FAST,
            certificates=certificates,
        ) as suite:
            yield suite, keys, certificates.folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def deployment(suite_of_clients: tuple[Suite, Path, Path]) -> Deployment:
    """The suite, with a workspace that nobody wrote to."""
    suite, keys, certificates = suite_of_clients
    return Deployment(suite=suite, keys=keys, certificates=certificates)


def _believed(keys: Path, issuer: str, kind: str) -> Mapping[str, object]:
    jwks = str(keys / issuer / KEY_SET_FILE)
    return {"issuer": issuer, "audience": DEFAULT_AUDIENCE, "jwks": jwks, "kinds": [kind]}
