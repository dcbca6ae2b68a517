"""A channel that connects with the certificates of today, for as long as it is open.

gRPC gives a channel its credentials once, and none of its Python calls can change them
(https://github.com/grpc/grpc/issues/41779). So this one opens another channel once the files have changed. Calls that
run keep theirs, which closes after the last of them.
"""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias
from weakref import WeakSet

import grpc

from lattice_chassis.transport import Renewed

Connect: TypeAlias = Callable[[grpc.ChannelCredentials], grpc.aio.Channel]
"""Opens a channel with some credentials."""


class RenewedChannel(grpc.aio.Channel):
    """A channel of which each call goes out with the credentials that its files come to when it begins."""

    def __init__(self, credentials: Renewed[grpc.ChannelCredentials], connect: Connect) -> None:
        self._credentials = credentials
        self._connect = connect
        self._connected_with = credentials.current()
        self._newest = connect(self._connected_with)
        self._open = WeakSet([self._newest])
        self._closed = False

    def newest(self) -> grpc.aio.Channel:
        """The channel that calls go out on now."""
        credentials = self._credentials.current()
        if credentials is not self._connected_with and not self._closed:
            self._connected_with = credentials
            self._newest = self._connect(credentials)
            self._open.add(self._newest)
        return self._newest

    async def close(self, grace: float | None = None) -> None:
        """Take no more calls, and cancel those that still run after `grace` seconds."""
        self._closed = True
        for channel in list(self._open):
            await channel.close(grace)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """How the newest connection stands."""
        return self.newest().get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Wait until the newest connection stands otherwise."""
        await self.newest().wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """Wait until the newest connection stands."""
        await self.newest().channel_ready()

    # What stubs ask for, by whichever arguments the generated code of their version has.

    def unary_unary(self, *which: Any, **more: Any) -> Any:  # noqa: ANN401, D102
        return _Method(self, "unary_unary", which, more)

    def unary_stream(self, *which: Any, **more: Any) -> Any:  # noqa: ANN401, D102
        return _Method(self, "unary_stream", which, more)

    def stream_unary(self, *which: Any, **more: Any) -> Any:  # noqa: ANN401, D102
        return _Method(self, "stream_unary", which, more)

    def stream_stream(self, *which: Any, **more: Any) -> Any:  # noqa: ANN401, D102
        return _Method(self, "stream_stream", which, more)


class _Method:
    """One method of whichever channel is the newest when it is called."""

    def __init__(self, channel: RenewedChannel, kind: str, which: Sequence[Any], more: Mapping[str, Any]) -> None:
        self._channel = channel
        self._kind = kind
        self._which = which
        self._more = more

    def __call__(self, *request: Any, **options: Any) -> Any:  # noqa: ANN401 - gRPC's
        newest = self._channel.newest()
        call = getattr(newest, self._kind)(*self._which, **self._more)(*request, **options)
        call.add_done_callback(lambda _: newest)  # held by its calls, so that closing finds it
        return call
