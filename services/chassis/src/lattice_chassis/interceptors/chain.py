"""The machinery of the server's interceptors: one wrapper for all four kinds of RPC.

An `Interceptor` sees every call as one coroutine around the handler, and every request message on
its way in. The chain makes that true for unary and streaming calls, and for handlers that yield as
well as for those that read and write through their context. What a handler is given and returns is
parsed and serialized inside the chain, so that a fault there is mapped like any other.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, cast

import grpc
from google.protobuf.message import DecodeError, Message

from lattice_chassis.errors import NotImplementedYet, ValidationFailed
from lattice_chassis.identity import Identity

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # generic in its stubs alone
Context = grpc.aio.ServicerContext[Any, Any]
Proceed = Callable[[], Awaitable[object]]

# A context answers a number once it is aborted, and the enumeration's value before.
_CODES: Final = {key: code for code in grpc.StatusCode for key in (code, code.value[0])}
_INFRASTRUCTURE: Final = ("grpc.health.", "grpc.reflection.")


@dataclass(kw_only=True, eq=False)
class ServerCall:
    """One call that the server answers, and what its interceptors learn of it on the way."""

    method: str
    """The service's full name, a slash, the method."""
    context: Context
    metadata: Sequence[tuple[str, str | bytes]]
    streams_requests: bool = field(default=False)
    """Whether the client sends a stream of messages."""
    identity: Identity | None = field(default=None)
    """Who calls, once that is verified."""
    reason: str | None = field(default=None)
    """The reason of the error that it is answered with, once that is known."""

    @property
    def is_infrastructure(self) -> bool:
        """Whether it asks for health or reflection, which have no caller and are no work of ours."""
        return self.method.startswith(_INFRASTRUCTURE)

    @property
    def is_watch(self) -> bool:
        """Whether it goes on until somebody ends it: every method whose name begins with Watch does."""
        return self.method.rpartition("/")[2].startswith("Watch")

    def code(self, error: BaseException | None) -> grpc.StatusCode:
        """The status that the call ends with, given what ended it."""
        if error is None:
            return grpc.StatusCode.OK
        if isinstance(error, grpc.aio.AbortError):
            return _CODES[self.context.code()]
        remaining: float | None = self.context.time_remaining()  # None without a deadline, whatever the stubs say
        expired = remaining is not None and remaining <= 0
        return grpc.StatusCode.DEADLINE_EXCEEDED if expired else grpc.StatusCode.CANCELLED


class Interceptor:
    """A link of the server's chain. One instance serves all calls at once, so it keeps no state of a call."""

    async def around(self, call: ServerCall, proceed: Proceed) -> object:  # noqa: ARG002 - for those that override it
        """Run the rest of the chain, and return what it returns. Cancellation passes through."""
        return await proceed()

    def received(self, message: Message) -> None:
        """Look at a request message before the handler does; raise to refuse it. It must not block."""


class Chain(grpc.aio.ServerInterceptor):
    """Interceptors as one wrapper around every handler of a server, the outermost first."""

    def __init__(self, interceptors: Sequence[Interceptor]) -> None:
        self._interceptors = tuple(interceptors)
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["Handler | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """The wrapped handler of the method; for a method that nobody serves, one that says so."""
        method = handler_call_details.method.removeprefix("/")
        known = self._wrapped.get(method)
        if known is not None:
            return known
        handler = await continuation(handler_call_details)
        if handler is None:  # not kept: callers could fill the memory with names
            return self._unknown(method)
        return self._wrapped.setdefault(method, self._wrap(method, handler))

    def _wrap(self, method: str, handler: Handler) -> Handler:
        deserialize: Any = handler.request_deserializer
        parse = partial(self._parse, deserialize)
        behaviour: Any = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
        serialize: Any = handler.response_serializer

        async def answer_once(request: object, context: Context) -> object:
            async def innermost() -> object:
                message = request if handler.request_streaming else parse(cast("bytes", request))
                return serialize(await _awaited(behaviour(message, context)))

            return await self._through(method, context, innermost, streams_requests=handler.request_streaming)

        async def answer_many(request: object, context: Context) -> None:
            async def innermost() -> None:
                message = request if handler.request_streaming else parse(cast("bytes", request))
                await _written(behaviour(message, context), context)

            await self._through(method, context, innermost, streams_requests=handler.request_streaming)

        match handler.request_streaming, handler.response_streaming:
            case False, False:
                return grpc.unary_unary_rpc_method_handler(answer_once)
            case True, False:
                return grpc.stream_unary_rpc_method_handler(answer_once, parse)
            case False, True:
                return grpc.unary_stream_rpc_method_handler(answer_many, None, serialize)
            case _:
                return grpc.stream_stream_rpc_method_handler(answer_many, parse, serialize)

    def _unknown(self, method: str) -> Handler:
        async def refuse(_requests: object, context: Context) -> None:
            async def innermost() -> None:
                raise NotImplementedYet(method=method)

            await self._through(method, context, innermost)

        # Streaming both ways fits every caller: it answers without waiting for a message.
        return grpc.stream_stream_rpc_method_handler(refuse)

    async def _through(
        self, method: str, context: Context, innermost: Proceed, *, streams_requests: bool = False
    ) -> object:
        metadata = tuple(context.invocation_metadata() or ())
        call = ServerCall(method=method, context=context, metadata=metadata, streams_requests=streams_requests)
        proceed = innermost
        for interceptor in reversed(self._interceptors):
            proceed = partial(interceptor.around, call, proceed)
        return await proceed()

    def _parse(self, deserialize: Callable[[bytes], Message], raw: bytes) -> Message:
        try:
            message = deserialize(raw)
        except DecodeError as error:
            raise ValidationFailed(errors=["the bytes are no message of the method's request type"]) from error
        for interceptor in self._interceptors:
            interceptor.received(message)
        return message


async def _awaited(answer: object) -> object:
    if not inspect.isawaitable(answer):
        raise TypeError("a handler must be a coroutine function: a blocking one would stop every other call")
    return await answer


async def _written(answer: object, context: Context) -> None:
    """Send what a handler yields, or let one that writes by itself finish."""
    if isinstance(answer, AsyncIterator):
        async with aclosing(answer) as responses:  # type: ignore[type-var]  # handlers that yield are generators
            async for response in responses:
                await context.write(response)
    else:
        await _awaited(answer)
