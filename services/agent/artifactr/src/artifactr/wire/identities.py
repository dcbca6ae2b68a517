"""Callers of core as identities, under which files is called."""

from lattice_chassis.identity import Identity

from artifactr.core.actors import Caller
from artifactr.wire import actors


def identity_of(caller: Caller) -> Identity:
    """The identity of a caller: its tenant and actor, with the roles that every identity has."""
    return Identity(tenant=caller.tenant, actor=actors.to_proto(caller.actor))
