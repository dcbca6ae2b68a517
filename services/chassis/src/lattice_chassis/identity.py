"""Who calls: a verified identity, and the port that verifies it.

Tenant and actor come from the call's credentials, never from a request body [SE-01, AC-03]. Two
actors are the same participant when their participant keys agree, whatever their names [AC-02].
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Protocol

from google.protobuf import json_format
from lattice.type.v1.actor_pb2 import Actor

TENANT_KEY: Final = "lattice-tenant"
ACTOR_KEY: Final = "lattice-actor"
ROLES_KEY: Final = "lattice-roles"

MAX_ACTOR_TEXT: Final = 200
"""Characters of the longest id or name of an actor; none has a NUL, which no database could hold."""

DEFAULT_ROLES: Final = frozenset({"editor"})
"""The roles of a development identity that names none."""

_identity: ContextVar["Identity"] = ContextVar("lattice_identity")


@dataclass(frozen=True, kw_only=True)
class Identity:
    """A verified caller: one actor of one tenant, with the roles that the tenant gave it."""

    tenant: str
    actor: Actor
    roles: frozenset[str] = DEFAULT_ROLES

    @property
    def participant(self) -> str:
        """The participant key of the actor [AC-02]."""
        return participant_key(self.actor)


@dataclass(kw_only=True, eq=False)
class Unauthenticated(Exception):
    """The call carries no valid identity; `why` names what is missing, never what was sent."""

    reason: ClassVar[str] = "UNAUTHENTICATED"
    why: str

    def __str__(self) -> str:
        return self.why


class Authenticator(Protocol):
    """Turns the credentials of a call into an identity.

    Called once a call and concurrently, before anything else is read of it. A cancel ends it at any
    await. It raises `Unauthenticated` for credentials that are missing or not valid, and nothing
    else on their account.
    """

    loopback_only: bool
    """Whether it believes what callers say of themselves, so that only this machine may call."""

    async def authenticate(self, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Identity:
        """The caller behind the metadata of a call that came from `peer`, as gRPC writes addresses."""
        ...


class DevelopmentAuthenticator:
    """Believes the metadata `lattice-tenant`, `lattice-actor` (ProtoJSON) and `lattice-roles`.

    For one machine only: `serving` refuses to listen with it on any address that others can reach.
    """

    loopback_only = True

    async def authenticate(self, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Identity:  # noqa: ARG002
        """The identity that the metadata claim."""
        claims = {key: value for key, value in metadata if isinstance(value, str)}
        tenant, actor = claims.get(TENANT_KEY, ""), claims.get(ACTOR_KEY, "")
        if not tenant or "/" in tenant:
            raise Unauthenticated(why=f"metadata {TENANT_KEY} names no tenant")
        if not actor:
            raise Unauthenticated(why=f"metadata {ACTOR_KEY} names no actor")
        roles = frozenset(role.strip() for role in claims.get(ROLES_KEY, "").split(",") if role.strip())
        return Identity(tenant=tenant, actor=Actor.FromString(_claimed_actor(actor)), roles=roles or DEFAULT_ROLES)


def development_metadata(identity: Identity) -> tuple[tuple[str, str], ...]:
    """The metadata that make `DevelopmentAuthenticator` answer this identity."""
    return (
        (TENANT_KEY, identity.tenant),
        (ACTOR_KEY, _actor_json(identity.actor.SerializeToString(deterministic=True))),
        (ROLES_KEY, ",".join(sorted(identity.roles))),
    )


def forwarded_identity() -> tuple[tuple[str, str], ...]:
    """The development metadata of the current identity, for a channel that acts for whoever called; else nothing."""
    identity = _identity.get(None)
    return () if identity is None else development_metadata(identity)


def current_identity() -> Identity:
    """The caller of the RPC that the current task serves.

    Raises:
        LookupError: outside an RPC, where nobody calls; a fault of ours, never a client's.
    """
    return _identity.get()


@contextmanager
def acting_as(identity: Identity) -> Iterator[None]:
    """Make this the current identity; for the server's interceptor, and for trusted work outside an RPC [AC-04]."""
    token = _identity.set(identity)
    try:
        yield
    finally:
        _identity.reset(token)


def participant_key(actor: Actor) -> str:
    """What makes two actors the same participant [AC-02].

    Raises:
        ValueError: the actor has no kind.
    """
    match actor.WhichOneof("kind"):
        case "user":
            return actor.user.id
        case "agent":
            return actor.agent.thread_id
        case "external_agent":
            return actor.external_agent.client_id
        case "system":
            return actor.system.name or "system"
        case None:
            raise ValueError("an actor has exactly one kind")


def display_name(actor: Actor) -> str:
    """How people and notes name the actor: its name, else what stands for it."""
    match actor.WhichOneof("kind"):
        case "user":
            return actor.user.name or actor.user.id
        case "agent":
            return actor.agent.name or "assistant"
        case "external_agent":
            return actor.external_agent.name or actor.external_agent.client_id
        case "system":
            return actor.system.name or "system"
        case None:
            raise ValueError("an actor has exactly one kind")


# Reading and writing ProtoJSON takes longer than the rest of a short call, and callers come back.


@lru_cache(maxsize=1024)
def _actor_json(actor: bytes) -> str:
    """ProtoJSON escaped to ASCII, as metadata must be."""
    return json_format.MessageToJson(Actor.FromString(actor), indent=None)


@lru_cache(maxsize=1024)
def _claimed_actor(text: str) -> bytes:
    """The actor in the metadata as bytes, for a message could be changed by whoever gets it."""
    try:
        actor = json_format.Parse(text, Actor())
    except json_format.ParseError as error:
        raise Unauthenticated(why=f"metadata {ACTOR_KEY} is no actor in ProtoJSON") from error
    if actor.WhichOneof("kind") is None or not participant_key(actor):
        raise Unauthenticated(why=f"metadata {ACTOR_KEY} names no participant")
    if not all(len(it) <= MAX_ACTOR_TEXT and "\0" not in it for it in _texts(actor)):
        raise Unauthenticated(why=f"a text of metadata {ACTOR_KEY} exceeds {MAX_ACTOR_TEXT} characters or has a NUL")
    return actor.SerializeToString()


def _texts(actor: Actor) -> Iterator[str]:
    """The ids and names of an actor; its kinds have no other fields."""
    for _, kind in actor.ListFields():
        for _, text in kind.ListFields():
            yield text
