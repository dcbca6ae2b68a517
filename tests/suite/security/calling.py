"""Any RPC of any service, called by its descriptor, and everything that a caller is told by its answer."""

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
import lattice.agent.v1
import lattice.files.v1
import lattice.integrations.v1
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from lattice_chassis.errors import refusal_of
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2 as flagd_v1
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2 as flagd_v2

Metadata = Sequence[tuple[str, str]]

CALL_SECONDS: Final = 60.0
ANSWERED: Final = "OK"


def _methods() -> Iterator[tuple[str, MethodDescriptor]]:
    for package in (lattice.agent.v1, lattice.files.v1, lattice.integrations.v1):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            if module.name.endswith("_pb2"):
                for service in importlib.import_module(module.name).DESCRIPTOR.services_by_name.values():
                    yield from ((f"{service.name}/{method.name}", method) for method in service.methods)
    for file in (flagd_v1.DESCRIPTOR, flagd_v2.DESCRIPTOR):
        for service in file.services_by_name.values():
            yield from ((f"{service.full_name}/{method.name}", method) for method in service.methods)


METHODS: Final[Mapping[str, MethodDescriptor]] = dict(_methods())
"""Every RPC of the three services, by `Service/Method`; those of flagd's protocol by the full name of the service."""


def package_of(method: str) -> str:
    """The package of the contract that has an RPC, one a service."""
    return METHODS[method].full_name.rsplit(".", 2)[0]


@dataclass(frozen=True, kw_only=True)
class Told:
    """All that a caller learns by an answer; of one that is no refusal, that it was given."""

    reason: str
    message: str = ""
    details: bytes = b""
    """The whole status as it was sent."""


@dataclass(frozen=True)
class Suite:
    """The three services, each behind a channel that carries no credential by itself."""

    channels: Mapping[str, grpc.aio.Channel]
    """By the package of the service's contract."""

    async def tells(self, method: str, requests: Sequence[Message], metadata: Metadata) -> Told:
        """What the caller with these metadata is told; a stream is read up to its first message."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self._first_answer(method, requests, metadata)
        except grpc.aio.AioRpcError as error:
            return _refusal(error)
        return Told(reason=ANSWERED)

    async def answers(self, method: str, request: Message, metadata: Metadata) -> Any:  # noqa: ANN401 - any message
        """The first message of the answer; AioRpcError where the call is refused."""
        return await self._first_answer(method, [request], metadata)

    async def _first_answer(self, name: str, requests: Sequence[Message], metadata: Metadata) -> object:
        method = METHODS[name]
        shape = "_".join("stream" if it else "unary" for it in (method.client_streaming, method.server_streaming))
        call = getattr(self.channels[package_of(name)], shape)(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )(_stream(requests) if method.client_streaming else requests[0], metadata=tuple(metadata))
        if not method.server_streaming:
            return await call
        try:
            return await call.read()
        finally:
            call.cancel()


@asynccontextmanager
async def connected(addresses: Mapping[str, str]) -> AsyncIterator[Suite]:
    """The services at these addresses, by the packages of their contracts."""
    async with AsyncExitStack() as stack:
        channels = {
            package: await stack.enter_async_context(grpc.aio.insecure_channel(address))
            for package, address in addresses.items()
        }
        yield Suite(channels)


def _refusal(error: grpc.aio.AioRpcError) -> Told:
    refusal = refusal_of(error)
    assert refusal is not None, error
    details = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
    assert isinstance(details, bytes)
    return Told(reason=refusal.reason, message=error.details() or "", details=details)


async def _stream(messages: Sequence[Message]) -> AsyncIterator[Message]:
    for message in messages:
        yield message
