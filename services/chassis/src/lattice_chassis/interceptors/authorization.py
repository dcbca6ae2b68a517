"""Who may not see a workspace learns nothing of it: access is decided before anything is looked up [SE-02, AMB-01]."""

from functools import partial

from google.protobuf.message import Message

from lattice_chassis.authorization import Authorizer, Permission, make_current
from lattice_chassis.errors import Forbidden
from lattice_chassis.identity import Identity
from lattice_chassis.interceptors.chain import Interceptor, ServerCall
from lattice_chassis.interceptors.resources import is_about_the_deployment, names_in
from lattice_chassis.names import workspace_of


class Authorize(Interceptor):
    """Make what the caller may do in the request's workspace current; refuse who may not even read there.

    A request names its workspace in the fields that refer to resources, at its top or in the header of a stream; where
    it names several, what holds is what the caller may do in all of them. One that names none is about the deployment:
    what the caller may do in the tenant as a whole is current then.
    """

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    async def opened(self, call: ServerCall, message: Message) -> None:
        """Decide by the first message of a call. Health and reflection have no caller, and are open to all.

        Raises:
            Forbidden: a name is of another tenant, or the caller may not read there; whether or not it exists.
            PeerUnavailable: the authorizer cannot tell.
        """
        if call.identity is None:
            return
        call.reauthorize = partial(self._permissions, call, call.identity, message)
        make_current(await self._permissions(call, call.identity, message))

    async def _permissions(self, call: ServerCall, identity: Identity, message: Message) -> frozenset[Permission]:
        if is_about_the_deployment(call, message):
            return await self._allowed(identity, "")
        permissions = frozenset[Permission]()  # of a request that names nothing; its shape is refused
        for number, workspace in enumerate({workspace_of(name).workspace for name in names_in(call, message)}):
            allowed = await self._allowed(identity, workspace)
            permissions = permissions & allowed if number else allowed
            if Permission.READ not in permissions:
                raise Forbidden(why="the caller has no access to the workspace")
        return permissions

    async def _allowed(self, identity: Identity, workspace: str) -> frozenset[Permission]:
        allowed = await self._authorizer.permissions(identity, workspace)
        if identity.on_behalf_of is not None:
            allowed &= await self._authorizer.permissions(identity.on_behalf_of, workspace)
        return allowed
