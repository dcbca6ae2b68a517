"""Health as gRPC has it, told to whoever asks once or watches.

Not the servicer of grpcio-health-checking 1.85: it writes to a watcher while it holds the lock under which a status
changes, so one client that takes no message keeps a server from draining.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_Context = grpc.aio.ServicerContext[Any, Any]

SERVICE_NAME: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


class Health(health_pb2_grpc.HealthServicer):
    """The status of the whole, `""`, and of each name that was set; a watcher hears of the newest once it reads on."""

    def __init__(self) -> None:
        self._serving = {"": True}
        self._draining = False
        self._changed = asyncio.Event()

    def set(self, name: str, *, serving: bool) -> None:
        """Say whether what has this name serves; while the server drains nothing does."""
        self._serving[name] = serving and not self._draining
        self._changed.set()
        self._changed = asyncio.Event()

    def drain(self) -> None:
        """Say that nothing serves, from now on."""
        self._draining = True
        for name in self._serving:
            self.set(name, serving=False)

    async def Check(  # noqa: N802 - the contract's name
        self, request: health_pb2.HealthCheckRequest, context: _Context
    ) -> health_pb2.HealthCheckResponse:
        """The status now; NOT_FOUND for a name that nobody set."""
        if request.service not in self._serving:
            await context.abort(grpc.StatusCode.NOT_FOUND)
        return self._answer(request.service)

    async def Watch(  # noqa: N802
        self, request: health_pb2.HealthCheckRequest, _context: _Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """The status now, and again whenever it has changed."""
        told = None
        while True:
            changed, answer = self._changed, self._answer(request.service)
            if answer != told:
                yield answer
                told = answer
            await changed.wait()

    def _answer(self, name: str) -> health_pb2.HealthCheckResponse:
        if name not in self._serving:
            return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
        if self._serving[name]:
            return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)
        return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING)
