"""An administrator's switches."""

from lattice.integrations.v1 import integrations_service_pb2 as pb

from lattice_cli.connection import Connection
from lattice_cli.native_files import new_request_id


async def switch(administrator: Connection, key: str, *, on: bool, reason: str = "") -> pb.SetEnabledResponse:
    """Switch an integration of the administrator's workspace, whatever it is now.

    Args:
        administrator: whose role it takes.
        key: such as `files:wordcraft`.
        on: what it shall be.
        reason: for those who read later who switched what.

    Raises:
        AioRpcError: FORBIDDEN, UNKNOWN_INTEGRATION, or somebody switched it at the same time.
    """
    workspace = administrator.person.workspace_name
    now = await administrator.integrations.CheckEnabled(pb.CheckEnabledRequest(workspace=workspace, key=key))
    return await administrator.integrations.SetEnabled(
        pb.SetEnabledRequest(
            workspace=workspace,
            key=key,
            enabled=on,
            expected_revision=now.revision,
            reason=reason,
            request_id=new_request_id(),
        )
    )
