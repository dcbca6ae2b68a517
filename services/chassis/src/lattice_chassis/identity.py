"""Who calls: a verified identity, and the port that verifies it.

Tenant and actor come from the call's credentials, never from a request body [SE-01, AC-03]. Two
actors are the same participant when their participant keys, `kind:id`, agree, whatever their names [AC-02].
"""

from collections.abc import Iterable, Iterator, Sequence
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
ON_BEHALF_OF_KEY: Final = "lattice-on-behalf-of"
ON_BEHALF_OF_ROLES_KEY: Final = "lattice-on-behalf-of-roles"

MAX_ACTOR_TEXT: Final = 200
"""Characters of the longest id or name of an actor; none has a NUL, which no database could hold."""

MAX_PARTICIPANT_KEY: Final = len("external_agent:") + MAX_ACTOR_TEXT
"""Characters of the longest participant key."""

DEFAULT_ROLES: Final = frozenset({"editor"})
"""The roles of a development identity that names none."""

CREDENTIALS: Final = frozenset(
    {"authorization", TENANT_KEY, ACTOR_KEY, ROLES_KEY, ON_BEHALF_OF_KEY, ON_BEHALF_OF_ROLES_KEY}
)
"""The metadata by which callers are known."""

_identity: ContextVar["Identity"] = ContextVar("lattice_identity")
_credential: ContextVar[Sequence[tuple[str, str]]] = ContextVar("lattice_credential", default=())


@dataclass(frozen=True, kw_only=True)
class Identity:
    """A verified caller: one actor of one tenant, with the roles that the tenant gave it.

    A role is held in every workspace of the tenant, as `editor`, or in one, as `launch/editor`. `on_behalf_of` is the
    person for whom an agent works, with that person's roles: what the agent may do is the lesser of both [SE-08].
    """

    tenant: str
    actor: Actor
    roles: frozenset[str] = DEFAULT_ROLES
    on_behalf_of: "Identity | None" = None

    def roles_in(self, workspace: str) -> frozenset[str]:
        """The roles in a workspace by its id, those that hold in all of them included; empty for the tenant's own."""
        everywhere = frozenset(role for role in self.roles if "/" not in role)
        here = f"{workspace}/"
        return everywhere | {role.removeprefix(here) for role in self.roles if workspace and role.startswith(here)}

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

    An agent's say for whom it works, by `lattice-on-behalf-of` and `lattice-on-behalf-of-roles`. For one machine only:
    `serving` refuses to listen with it on any address that others can reach.
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
        person = claims.get(ON_BEHALF_OF_KEY, "")
        return Identity(
            tenant=tenant,
            actor=_claimed_actor(ACTOR_KEY, actor),
            roles=_claimed_roles(claims.get(ROLES_KEY, "")) or DEFAULT_ROLES,
            on_behalf_of=Identity(
                tenant=tenant,
                actor=_claimed_actor(ON_BEHALF_OF_KEY, person),
                roles=_claimed_roles(claims.get(ON_BEHALF_OF_ROLES_KEY, "")),
            )
            if person
            else None,
        )


def development_metadata(identity: Identity) -> tuple[tuple[str, str], ...]:
    """The metadata that make `DevelopmentAuthenticator` answer this identity."""
    metadata = (
        (TENANT_KEY, identity.tenant),
        (ACTOR_KEY, _actor_json(identity.actor.SerializeToString(deterministic=True))),
        (ROLES_KEY, ",".join(sorted(identity.roles))),
    )
    person = identity.on_behalf_of
    if person is None:
        return metadata
    return (
        *metadata,
        (ON_BEHALF_OF_KEY, _actor_json(person.actor.SerializeToString(deterministic=True))),
        (ON_BEHALF_OF_ROLES_KEY, ",".join(sorted(person.roles))),
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


def received_credential() -> Sequence[tuple[str, str]]:
    """The metadata by which the caller of the current RPC was known, to ask another replica in its name; else nothing.

    It is as good as the caller: it goes to replicas of the same service only, and into no log.
    """
    return _credential.get()


@contextmanager
def acting_as(identity: Identity) -> Iterator[None]:
    """Make this the current identity; for the server's interceptor, and for trusted work outside an RPC [AC-04]."""
    token = _identity.set(identity)
    try:
        yield
    finally:
        _identity.reset(token)


@contextmanager
def known_by(metadata: Iterable[tuple[str, str | bytes]]) -> Iterator[None]:
    """Keep the credential among the metadata of a call for `received_credential`; for the server's interceptor."""
    token = _credential.set([(key, it) for key, it in metadata if key in CREDENTIALS and isinstance(it, str)])
    try:
        yield
    finally:
        _credential.reset(token)


def participant_key(actor: Actor) -> str:
    """What makes two actors the same participant: `kind:id`, such as `user:alice` [AC-02].

    The kind is part of it, for everybody chooses ids: a thread or a client may have that of a person.

    Raises:
        ValueError: the actor has no kind.
    """
    return f"{actor.WhichOneof('kind')}:{actor_id(actor)}"


def actor_id(actor: Actor) -> str:
    """What tells an actor from others of its kind; to compare actors, take `participant_key`.

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


def _claimed_actor(key: str, text: str) -> Actor:
    return Actor.FromString(_actor_bytes(key, text))


@lru_cache(maxsize=1024)
def _actor_bytes(key: str, text: str) -> bytes:
    """The actor in the metadata as bytes, for a message could be changed by whoever gets it."""
    try:
        actor = json_format.Parse(text, Actor())
    except json_format.ParseError as error:
        raise Unauthenticated(why=f"metadata {key} is no actor in ProtoJSON") from error
    if actor.WhichOneof("kind") is None or not actor_id(actor):
        raise Unauthenticated(why=f"metadata {key} names no participant")
    if not all(len(it) <= MAX_ACTOR_TEXT and "\0" not in it for it in _texts(actor)):
        raise Unauthenticated(why=f"a text of metadata {key} exceeds {MAX_ACTOR_TEXT} characters or has a NUL")
    return actor.SerializeToString()


def _claimed_roles(text: str) -> frozenset[str]:
    return frozenset(role.strip() for role in text.split(",") if role.strip())


def _texts(actor: Actor) -> Iterator[str]:
    """The ids and names of an actor; its kinds have no other fields."""
    for _, kind in actor.ListFields():
        for _, text in kind.ListFields():
            yield text
