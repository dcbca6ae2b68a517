"""The machinery of the server's interceptors: one wrapper for all four kinds of RPC.

An `Interceptor` sees every call as one coroutine around the handler, and every request message on
its way in. The chain makes that true for unary and streaming calls, and for handlers that yield as
well as for those that write through their context; a stream of requests is read by its iterator alone.
What a handler is given and returns is parsed and serialized inside the chain, so that a fault there is
mapped like any other.
"""

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, cast

import grpc
from google.protobuf.message import DecodeError, Message
from opentelemetry.trace import Span

from lattice_chassis.errors import NotImplementedYet, ValidationFailed
from lattice_chassis.identity import Identity
from lattice_chassis.interceptors.foreign import ForeignContract
from lattice_chassis.interceptors.patience import Patience, SlowConsumer, SlowProducer, Waiting

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # generic in its stubs alone
Context = grpc.aio.ServicerContext[Any, Any]
Proceed = Callable[[], Awaitable[object]]
Deserialize = Callable[[bytes], Message]

# A context answers a number once it is aborted, and the enumeration's value before.
_CODES: Final = {key: code for code in grpc.StatusCode for key in (code, code.value[0])}
_LONGEST_METHOD: Final = 200
_FROM_OUTSIDE: Final = frozenset({"user", "external_agent"})

INFRASTRUCTURE: Final = ("grpc.health.", "grpc.reflection.")
"""How the methods begin that ask for health or reflection: no work of ours, and probes come every few seconds."""


@dataclass(kw_only=True, eq=False)
class ServerCall:
    """One call that the server answers, and what its interceptors learn of it on the way."""

    method: str
    """The service's full name, a slash, the method."""
    context: Context
    metadata: Sequence[tuple[str, str | bytes]]
    streams_requests: bool = field(default=False)
    """Whether the client sends a stream of messages."""
    streams_answers: bool = field(default=False)
    """Whether the server does."""
    foreign: ForeignContract | None = field(default=None)
    """How it is to be understood where its contract is not ours."""
    waiting: Waiting = field(init=False)
    """How long its client is waited for."""
    identity: Identity | None = field(default=None)
    """Who calls, once that is verified."""
    reauthorize: Callable[[], Awaitable[object]] | None = field(default=None)
    """Decides once more what its first message asked for, once that is read; raises what `Authorize` does."""
    resource: str | None = field(default=None)
    """The name of what the call is about, once its first message is read."""
    reason: str | None = field(default=None)
    """The reason of the error that it is answered with, once that is known."""
    is_served: bool = field(default=True)
    """Whether there is such a method."""
    begin_span: Callable[[Identity | None], None] = field(default=lambda _: None)
    """Begins its span, once it is known who calls, or that nobody ever will; done before, it does nothing."""
    span: Span | None = field(default=None)
    """Its span, once that has begun."""

    @property
    def is_infrastructure(self) -> bool:
        """Whether it asks for health or reflection, which have no caller and are no work of ours."""
        return self.method.startswith(INFRASTRUCTURE)

    @property
    def is_watch(self) -> bool:
        """Whether it goes on until somebody ends it: every method of ours whose name begins with Watch does."""
        name = self.method.rpartition("/")[2]
        return name.startswith("Watch") if self.foreign is None else name in self.foreign.watches

    @property
    def is_from_outside(self) -> bool:
        """Whether a person or an external agent calls, and no part of Lattice; False before that is verified."""
        return self.identity is not None and self.identity.actor.WhichOneof("kind") in _FROM_OUTSIDE

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

    async def opened(self, call: ServerCall, message: Message) -> None:
        """Look at the first request message of a call, before any is `received`; raise to refuse the call."""

    def received(self, message: Message) -> None:
        """Look at a request message before the handler does; raise to refuse it. It must not block."""


class Chain(grpc.aio.ServerInterceptor):
    """Interceptors as one wrapper around every handler of a server, the outermost first.

    `foreign` are the contracts among those it serves that are not ours, by the full names of their services.
    """

    def __init__(
        self, interceptors: Sequence[Interceptor], patience: Patience, foreign: Mapping[str, ForeignContract]
    ) -> None:
        self._interceptors = tuple(interceptors)
        self._patience = patience
        self._foreign = foreign
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
        if handler is None:  # not kept: callers could fill the memory with names, or the log with long ones
            return self._unknown(method[:_LONGEST_METHOD])
        return self._wrapped.setdefault(method, self._wrap(method, handler))

    def _wrap(self, method: str, handler: Handler) -> Handler:
        deserialize: Any = handler.request_deserializer
        behaviour: Any = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
        serialize: Any = handler.response_serializer
        streams = handler.request_streaming
        through = partial(self._through, method, streams=(streams, handler.response_streaming))

        async def request_of(raw: object, call: ServerCall) -> object:
            if streams:
                return self._messages(call, deserialize, aiter(cast("AsyncIterable[bytes]", raw)))
            return await self._message(call, deserialize, cast("bytes", raw), first=True)

        async def answer_once(raw: object, context: Context) -> object:
            async def innermost(call: ServerCall) -> object:
                return serialize(await _awaited(behaviour(await request_of(raw, call), context)))

            return await through(context, innermost)

        async def answer_many(raw: object, context: Context) -> None:
            async def innermost(call: ServerCall) -> None:
                await _written(behaviour(await request_of(raw, call), context), call)

            await through(context, innermost)

        match streams, handler.response_streaming:
            case False, False:
                return grpc.unary_unary_rpc_method_handler(answer_once)
            case True, False:
                return grpc.stream_unary_rpc_method_handler(answer_once)
            case False, True:
                return grpc.unary_stream_rpc_method_handler(answer_many, None, serialize)
            case _:
                return grpc.stream_stream_rpc_method_handler(answer_many, None, serialize)

    def _unknown(self, method: str) -> Handler:
        async def refuse(_requests: object, context: Context) -> None:
            async def innermost(_call: ServerCall) -> None:
                raise NotImplementedYet(method=method)

            await self._through(method, context, innermost, is_served=False)

        # Streaming both ways fits every caller: it answers without waiting for a message.
        return grpc.stream_stream_rpc_method_handler(refuse)

    async def _through(
        self,
        method: str,
        context: Context,
        innermost: Callable[[ServerCall], Awaitable[object]],
        streams: tuple[bool, bool] = (False, False),
        *,
        is_served: bool = True,
    ) -> object:
        call = ServerCall(
            method=method,
            context=context,
            metadata=tuple(context.invocation_metadata() or ()),
            streams_requests=streams[0],
            streams_answers=streams[1],
            foreign=self._foreign.get(method.rpartition("/")[0]),
            is_served=is_served,
        )
        call.waiting = Waiting(self._patience, endless=call.is_watch)
        proceed: Proceed = partial(innermost, call)
        for interceptor in reversed(self._interceptors):
            proceed = partial(interceptor.around, call, proceed)
        return await proceed()

    async def _messages(
        self, call: ServerCall, deserialize: Deserialize, stream: AsyncIterator[bytes]
    ) -> AsyncIterator[Message]:
        first = True
        while True:
            async with call.waiting.for_client(SlowProducer):
                raw = await anext(stream, None)
            if raw is None:
                return
            yield await self._message(call, deserialize, raw, first=first)
            first = False

    async def _message(self, call: ServerCall, deserialize: Deserialize, raw: bytes, *, first: bool) -> Message:
        try:
            message = deserialize(raw)
        except DecodeError as error:
            raise ValidationFailed(errors=["the bytes are no message of the method's request type"]) from error
        if first:
            for interceptor in self._interceptors:
                await interceptor.opened(call, message)
        for interceptor in self._interceptors:
            interceptor.received(message)
        return message


async def _awaited(answer: object) -> object:
    if not inspect.isawaitable(answer):
        raise TypeError("a handler must be a coroutine function: a blocking one would stop every other call")
    return await answer


async def _written(answer: object, call: ServerCall) -> None:
    """Send what a handler yields, or let one that writes by itself finish."""
    if isinstance(answer, AsyncIterator):
        async with aclosing(answer) as responses:  # type: ignore[type-var]  # handlers that yield are generators
            async for response in responses:
                async with call.waiting.for_client(SlowConsumer):
                    await call.context.write(response)
    else:
        await _awaited(answer)
