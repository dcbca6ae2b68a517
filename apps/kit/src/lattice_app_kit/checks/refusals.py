"""What a refused call has to carry."""

from collections.abc import Awaitable

import grpc

from lattice_app_kit.app import refusal
from lattice_app_kit.verdicts import Broken, require


async def refused(call: Awaitable[object], reason: str, *metadata: str) -> dict[str, str]:
    """The metadata of a call that has to be refused with this reason, and with these keys among them.

    Raises:
        Broken: it is not refused, or otherwise.
    """
    try:
        await call
    except grpc.aio.AioRpcError as error:
        found = refusal(error)
    else:
        raise Broken(f"the call is answered; {reason} is due")
    require(found.reason == reason, f"the refusal is {found.reason} ({found.message}); {reason} is due")
    missing = [key for key in metadata if not found.metadata.get(key)]
    require(not missing, f"the refusal {reason} lacks the metadata {', '.join(missing)}")
    return dict(found.metadata)
