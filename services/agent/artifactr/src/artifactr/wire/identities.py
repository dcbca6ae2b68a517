"""Callers of core and verified identities: under the ones files is called, from the others handles are opened."""

from lattice_chassis.identity import Identity

from artifactr.core.actors import Caller, Principal
from artifactr.wire import actors


def identity_of(caller: Caller) -> Identity:
    """The identity of a caller; an agent's names for whom it works, with that person's roles [SE-08]."""
    person = caller.on_behalf_of
    return Identity(
        tenant=caller.tenant,
        actor=actors.to_proto(caller.actor),
        roles=caller.roles,
        on_behalf_of=None
        if person is None
        else Identity(tenant=caller.tenant, actor=actors.to_proto(person.actor), roles=person.roles),
    )


def caller_of(identity: Identity, workspace: str) -> Caller:
    """The caller that an identity is in a workspace of its tenant, with the roles that were verified [SE-01, SE-08]."""
    person = identity.on_behalf_of
    return Caller(
        tenant=identity.tenant,
        workspace=workspace,
        actor=actors.from_proto(identity.actor),
        roles=identity.roles,
        on_behalf_of=None if person is None else Principal(actor=actors.from_proto(person.actor), roles=person.roles),
    )
