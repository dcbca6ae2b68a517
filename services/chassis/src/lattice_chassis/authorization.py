"""What a caller may do in a workspace: the port that decides, and the default, which goes by roles [SE-02, TN-04].

It is asked once a call, before anything is looked up, so that nobody learns of what they may not see. What it answers
is current for the call: each rule asks for its permission at its place in the order of checks [WP-03, AMB-01].
"""

from collections.abc import Mapping
from contextvars import ContextVar
from enum import StrEnum
from typing import Final, Protocol

from lattice_chassis.identity import Identity


class Permission(StrEnum):
    """What rules ask for."""

    READ = "read"
    """To see what is in the workspace; without it the workspace is closed."""
    EDIT = "edit"
    """To change artifacts and threads, and to start, steer and stop runs."""
    REVIEW = "review"
    """To answer proposals, questions and approvals of others."""
    ADMINISTER = "administer"
    """To switch integrations, break check-outs and collect content."""
    OPERATE = "operate"
    """To change what belongs to the deployment and not to a tenant."""


class Authorizer(Protocol):
    """Says what an identity may do in a workspace of its own tenant.

    Called once a call and concurrently. A cancel ends it at any await. Where it cannot tell it raises
    `lattice_chassis.errors.PeerUnavailable`, and the call is refused.
    """

    async def permissions(self, identity: Identity, workspace: str) -> frozenset[Permission]:
        """The permissions in a workspace by its id, none for a stranger; empty stands for the tenant as a whole.

        `on_behalf_of` is not looked at: whoever asks takes the lesser of both.
        """
        ...


OPERATOR: Final = "operator"
"""The one role that reaches beyond a tenant."""

ROLES: Final[Mapping[str, frozenset[Permission]]] = {
    "viewer": frozenset({Permission.READ}),
    "reviewer": frozenset({Permission.READ, Permission.REVIEW}),
    "editor": frozenset({Permission.READ, Permission.REVIEW, Permission.EDIT}),
    "administrator": frozenset({Permission.READ, Permission.REVIEW, Permission.EDIT, Permission.ADMINISTER}),
    OPERATOR: frozenset({Permission.OPERATE}),
}
"""What each role may; any other role may nothing."""


class RolesAuthorizer:
    """Goes by the roles of the identity, which its issuer vouches for."""

    async def permissions(self, identity: Identity, workspace: str) -> frozenset[Permission]:
        """What all its roles in the workspace may together."""
        return frozenset[Permission]().union(*(ROLES.get(it, ()) for it in identity.roles_in(workspace)))


_permissions: ContextVar[frozenset[Permission]] = ContextVar("lattice_permissions", default=frozenset())


def current_permissions() -> frozenset[Permission]:
    """What the caller of the RPC that the current task serves may do in the workspace that the request names.

    Outside an RPC nobody calls, and nothing is allowed.
    """
    return _permissions.get()


def make_current(permissions: frozenset[Permission]) -> None:
    """For the server's interceptor: the task of a call ends with it, and so does this."""
    _permissions.set(permissions)
