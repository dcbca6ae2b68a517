"""No exception reaches a client as UNKNOWN or with its text: refusals become statuses, the rest INTERNAL."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

import grpc

from lattice_chassis.errors import (
    STATUS_OF_REASON,
    NotImplementedYet,
    is_refusal,
    reason_of,
    to_status,
    trailing_metadata,
)
from lattice_chassis.interceptors.chain import Context, Interceptor, Proceed, ServerCall

_log: Final = logging.getLogger("lattice.rpc")

_SENDING_SECONDS: Final = 5.0
"""How long a refused client may go on sending before it is told so anyway."""

STATUS_DETAILS_KEY: Final = "grpc-status-details-bin"
"""Where gRPC puts the google.rpc.Status of an error."""


class MapErrors(Interceptor):
    """Answer an exception with the status of its reason; log what is no refusal, for it is a fault of ours."""

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest; what it raises ends the call with a status. Cancellation and aborts pass through."""
        try:
            return await proceed()
        except (asyncio.CancelledError, grpc.aio.AbortError):
            raise
        except NotImplementedError as error:
            # The generated bases of servicers say in the context that it was they who raised.
            unserved = call.context.code() == grpc.StatusCode.UNIMPLEMENTED
            await _refuse(call, NotImplementedYet(method=call.method) if unserved else error)
        except Exception as error:  # noqa: BLE001 - the last place where its text can be kept from the client
            await _refuse(call, error)
        raise AssertionError("abort always raises")


async def _refuse(call: ServerCall, error: Exception) -> None:
    call.reason = reason_of(error)
    if not is_refusal(error):
        _log.error("%s failed", call.method, exc_info=error)
    if call.streams_requests:
        await _read_out(call.context)
    status = to_status(error)
    await call.context.abort(
        STATUS_OF_REASON[call.reason],
        status.message,
        ((STATUS_DETAILS_KEY, status.SerializeToString()), *trailing_metadata(call.reason)),
    )


async def _read_out(context: Context) -> None:
    """Let the client finish sending: whose write breaks reads INTERNAL of its own library instead of our reason."""
    # What is malformed, or cannot be read any more, ends the courtesy; the refusal stands either way.
    with suppress(Exception):
        async with asyncio.timeout(_SENDING_SECONDS):
            while await context.read() is not grpc.aio.EOF:
                pass
