"""What a token says of its bearer: an identity as claims, and claims as an identity.

`claims_of` and `identity_of` are inverse, but for a part of Lattice without a name, which comes back
as `system`, what it is called anyway.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from google.protobuf import json_format
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor

from lattice_chassis.identity import MAX_ACTOR_TEXT, Identity, Unauthenticated, actor_id

AUTHORIZATION_KEY: Final = "authorization"
"""The metadata of a call that carry `Bearer` and a token."""

SUBJECT: Final = "sub"
TENANT: Final = "lattice_tenant"
KIND: Final = "lattice_kind"
NAME: Final = "lattice_name"
ROLES: Final = "lattice_roles"
AGENT: Final = "lattice_agent"
ON_BEHALF_OF: Final = "lattice_on_behalf_of"

MAX_ROLE_TEXT: Final = 2 * MAX_ACTOR_TEXT
"""Characters of the longest role, which may begin with the id of a workspace."""

LONGEST_DELEGATION: Final = timedelta(minutes=5)
"""How long an agent's token may last at most [SE-08]."""

_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")
_KIND_OF_ACTOR: Final = {"user": "user", "external_agent": "external_agent", "system": "service", "agent": "agent"}


def claims_of(identity: Identity) -> dict[str, Any]:
    """The claims that name an identity.

    An agent's are a delegation: they name tenant, workspace, thread, run, and the person for whom the
    run works, with that person's roles [SE-08].

    Raises:
        ValueError: the identity is none that a token could stand for, such as an agent's without a
            run, without a person, or with roles elsewhere than in one workspace.
    """
    actor = identity.actor
    claims: dict[str, Any] = {
        SUBJECT: actor_id(actor),
        TENANT: identity.tenant,
        KIND: _KIND_OF_ACTOR[str(actor.WhichOneof("kind"))],
        ROLES: sorted(identity.roles),
    }
    match actor.WhichOneof("kind"):
        case "user" if actor.user.name:
            claims[NAME] = actor.user.name
        case "external_agent" if actor.external_agent.name:
            claims[NAME] = actor.external_agent.name
        case "agent":
            agent = {"thread_id": actor.agent.thread_id, "run_id": actor.agent.run_id, "name": actor.agent.name}
            claims[AGENT] = {key: text for key, text in agent.items() if text}
    person = identity.on_behalf_of
    if person is not None:
        if person.tenant != identity.tenant:
            raise ValueError("nobody acts for a person of another tenant")
        claims[ON_BEHALF_OF] = {"actor": json_format.MessageToDict(person.actor), "roles": sorted(person.roles)}
    try:
        identity_of(claims)
    except Unauthenticated as error:
        raise ValueError(f"no token can stand for this identity: {error}") from error
    return claims


def identity_of(claims: Mapping[str, Any]) -> Identity:
    """The identity that verified claims name. Without roles it has none.

    Raises:
        Unauthenticated: a claim is missing, of a wrong type, or no text that a name could be.
    """
    tenant = _text(claims, TENANT)
    if "/" in tenant:
        raise _unfit(TENANT)
    subject = _text(claims, SUBJECT)
    roles = _roles(claims, ROLES)
    kind = claims.get(KIND)
    if kind == "agent":
        return _delegation(tenant, claims, roles)
    if ON_BEHALF_OF in claims:
        raise Unauthenticated(why=f"only an agent's token has {ON_BEHALF_OF}")
    make = _PARTICIPANTS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise _unfit(KIND)
    return Identity(tenant=tenant, actor=make(subject, _text(claims, NAME, required=False)), roles=roles)


_PARTICIPANTS: Final[Mapping[str, Callable[[str, str], Actor]]] = {
    "user": lambda subject, name: Actor(user=UserActor(id=subject, name=name)),
    "external_agent": lambda subject, name: Actor(external_agent=ExternalAgentActor(client_id=subject, name=name)),
    "service": lambda subject, _name: Actor(system=SystemActor(name=subject)),
}


def _delegation(tenant: str, claims: Mapping[str, Any], roles: frozenset[str]) -> Identity:
    """An agent that acts in one run of one thread of one workspace for one person [SE-08]."""
    workspaces = {role.rpartition("/")[0] for role in roles}
    if len(workspaces) != 1 or "" in workspaces:
        raise Unauthenticated(why=f"the {ROLES} of an agent's token are not those in one workspace")
    agent, person = _object(claims, AGENT), _object(claims, ON_BEHALF_OF)
    actor = AgentActor(
        thread_id=_text(agent, "thread_id"), run_id=_text(agent, "run_id"), name=_text(agent, "name", required=False)
    )
    starter = Identity(tenant=tenant, actor=_person(person), roles=_roles(person, "roles"))
    return Identity(tenant=tenant, actor=Actor(agent=actor), roles=roles, on_behalf_of=starter)


def _person(claims: Mapping[str, Any]) -> Actor:
    """For whom the run works: whoever may start one, so anybody but the agent of a thread."""
    try:
        actor = json_format.ParseDict(_object(claims, "actor"), Actor())
    except (json_format.ParseError, ValueError, TypeError, RecursionError):
        raise _unfit("actor") from None
    if actor.WhichOneof("kind") in {None, "agent"} or not actor_id(actor):
        raise _unfit("actor")
    for _, kind in actor.ListFields():
        for field, text in kind.ListFields():
            _require_fit(field.name, text, MAX_ACTOR_TEXT)
    return actor


def _object(claims: Mapping[str, Any], claim: str) -> dict[str, Any]:
    value = claims.get(claim)
    if not isinstance(value, dict):
        raise _unfit(claim)
    return value


def _roles(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
    value = claims.get(claim, [])
    if not isinstance(value, list):
        raise _unfit(claim)
    for role in value:
        _require_fit(claim, role, MAX_ROLE_TEXT)
    return frozenset(value)


def _text(claims: Mapping[str, Any], claim: str, *, required: bool = True) -> str:
    value = claims.get(claim)
    if value is None and not required:
        return ""
    return _require_fit(claim, value, MAX_ACTOR_TEXT)


def _require_fit(claim: str, value: object, longest: int) -> str:
    """A text that can be kept and sent: neither empty nor too long, without a NUL or half a character."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or _NO_TEXT.search(value):
        raise _unfit(claim)
    return value


def _unfit(claim: str) -> Unauthenticated:
    return Unauthenticated(why=f"the token has no {claim} as it should be")
