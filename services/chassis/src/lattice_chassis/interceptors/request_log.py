"""One line of log for every call: what was called, by which tenant, how it ended and when. No content."""

import logging
import time
from typing import Final

from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall

_log: Final = logging.getLogger("lattice.rpc")


class LogRequests(Interceptor):
    """Log each call when it ends; health and reflection at DEBUG, for probes come every few seconds."""

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, and log its end whatever that is."""
        began = time.perf_counter()
        ended_by: BaseException | None = None
        try:
            return await proceed()
        except BaseException as error:
            ended_by = error
            raise
        finally:
            code = call.code(ended_by).name
            milliseconds = round((time.perf_counter() - began) * 1000, 1)
            _log.log(
                logging.DEBUG if call.is_infrastructure else logging.INFO,
                "%s %s in %s ms",
                call.method,
                call.reason or code,
                milliseconds,
                extra={
                    "rpc_method": call.method,
                    "rpc_code": code,
                    "reason": call.reason,
                    "duration_ms": milliseconds,
                    "tenant": call.identity.tenant if call.identity else None,
                },
            )
