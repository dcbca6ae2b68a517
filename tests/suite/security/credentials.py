"""Who signs tokens in these tests, and the metadata of whoever shows one."""

import time
from pathlib import Path
from typing import Any, Final

import jwt
from fakes.identity_provider import AUDIENCE, Clock, IdentityProvider, pem
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor
from lattice_chassis.identity import Identity
from lattice_chassis.tokens import claims_of
from suite.security.calling import Metadata

HOUR: Final = 3600.0


class Issuers:
    """The issuer of people, agent's own and files' own: each with a key of its own, published in a file."""

    def __init__(self, folder: Path) -> None:
        now = Clock(time.time())
        self._folder = folder
        self.people = IdentityProvider("https://people.test", now)
        self.agent = IdentityProvider("lattice-agent", now)
        self.files = IdentityProvider("lattice-files", now)
        for issuer in (self.people, self.agent, self.files):
            issuer.publish(self._keys_of(issuer), "1")
        self.stranger = IdentityProvider(self.people.issuer, now)
        """Says that it is the issuer of people, under the same key id; its key is its own."""
        self.stranger.key_set("1")

    def believed(self, *, agents: bool = False, files: bool = False) -> dict[str, Any]:
        """The setting `auth` of a server that believes people and their programs, and these services."""
        issuers = [self.people.trusted(self._keys_of(self.people), "user", "external_agent")]
        if agents:
            issuers.append(self.agent.trusted(self._keys_of(self.agent), "agent", "service"))
        if files:
            issuers.append(self.files.trusted(self._keys_of(self.files), "service"))
        return {"issuers": [it.model_dump() for it in issuers]}

    def credential(self, issuer: IdentityProvider) -> dict[str, Any]:
        """The setting `credential` of the server that is this issuer."""
        path = self._folder / f"{issuer.issuer}.pem"
        path.write_bytes(pem(issuer.keys["1"]))
        return {"key": path, "key_id": "1", "issuer": issuer.issuer, "audience": AUDIENCE}

    def shown_by(self, identity: Identity) -> Metadata:
        """The metadata of a call by this identity, signed by whoever speaks for its kind."""
        kind = identity.actor.WhichOneof("kind")
        issuer = self.people if kind in {"user", "external_agent"} else self.agent
        return signed(issuer, identity)

    def _keys_of(self, issuer: IdentityProvider) -> Path:
        return self._folder / f"{issuer.issuer.rpartition('/')[2]}.jwks"


def signed(issuer: IdentityProvider, identity: Identity, *, ago: float = 0.0) -> Metadata:
    """A token of an issuer for an identity, signed some seconds ago."""
    signer = issuer.signer(now=Clock(time.time() - ago))
    return bearer(signer.sign(identity).text)


def claiming(issuer: IdentityProvider, identity: Identity, **claims: object) -> Metadata:
    """A token with an issuer's good signature that claims something else besides; None leaves a claim out."""
    now = int(time.time())
    said = {"iss": issuer.issuer, "aud": AUDIENCE, "iat": now, "exp": now + 60, **claims_of(identity), **claims}
    whole = {claim: value for claim, value in said.items() if value is not None}
    return bearer(jwt.encode(whole, issuer.keys["1"], "ES256", {"kid": "1"}))


def bearer(token: str) -> Metadata:
    """The metadata that carry a token."""
    return (("authorization", f"Bearer {token}"),)


def service(tenant: str, *roles: str) -> Identity:
    """A part of Lattice."""
    return Identity(tenant=tenant, actor=Actor(system=SystemActor(name="agent")), roles=frozenset(roles))


def program(tenant: str, *roles: str) -> Identity:
    """An agent outside Lattice."""
    actor = Actor(external_agent=ExternalAgentActor(client_id="scribe", name="Scribe"))
    return Identity(tenant=tenant, actor=actor, roles=frozenset(roles))


def delegate(person: Identity, workspace: str, role: str = "editor") -> Identity:
    """The agent of the thread thr_1 in a run for a person, with a role of its own in one workspace."""
    actor = Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1", name="Assistant"))
    roles = frozenset({f"{workspace}/{role}"})
    return Identity(tenant=person.tenant, actor=actor, roles=roles, on_behalf_of=person)
