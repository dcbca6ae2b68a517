"""Every RPC of files, called by its descriptor: one way for all four kinds of calls."""

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import lattice.files.v1
from google.protobuf.descriptor import Descriptor, FileDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from lattice_chassis.channels import channel
from lattice_chassis.identity import Identity, development_metadata

Metadata = Sequence[tuple[str, str]]

CALL_SECONDS: Final = 30.0


def _contracts() -> Iterator[tuple[str, FileDescriptor]]:
    for module in pkgutil.iter_modules(lattice.files.v1.__path__, lattice.files.v1.__name__ + "."):
        if module.name.endswith("_pb2"):
            yield module.name, importlib.import_module(module.name).DESCRIPTOR


CONTRACTS: Final[Mapping[str, FileDescriptor]] = dict(_contracts())
"""Every contract in the package of files, by the module that holds it."""

METHODS: Final[Mapping[str, MethodDescriptor]] = {
    f"{service.name}/{method.name}": method
    for contract in CONTRACTS.values()
    for service in contract.services_by_name.values()
    for method in service.methods
}
"""Every RPC of files, by `Service/Method`."""


def idempotency(method: MethodDescriptor) -> int:
    """What the contract says of repeats."""
    return method.GetOptions().idempotency_level


def reads_only(method: MethodDescriptor) -> bool:
    """Whether the contract promises that it changes nothing."""
    return idempotency(method) == MethodOptions.NO_SIDE_EFFECTS


def request_id_path(method: MethodDescriptor) -> tuple[str, ...] | None:
    """Where its request carries the request id: at the top, in the context of writes, or so in a stream's header."""
    for path in (
        ("request_id",),
        ("context", "request_id"),
        ("header", "request_id"),
        ("header", "context", "request_id"),
    ):
        message: Descriptor | None = method.input_type
        for step in path:
            field = None if message is None else message.fields_by_name.get(step)
            if field is None:
                break
            message = field.message_type
        else:
            return path
    return None


def with_request_id(method: MethodDescriptor, requests: Sequence[Message], request_id: str) -> Sequence[Message]:
    """The same call under another request id."""
    path = request_id_path(method)
    assert path is not None, method.full_name
    first = _copy(requests[0])
    holder: Any = first
    for step in path[:-1]:
        holder = getattr(holder, step)
    setattr(holder, path[-1], request_id)
    return [first, *requests[1:]]


class Caller:
    """Calls any RPC of one server, as whoever the identity names."""

    def __init__(self, address: str, connection: Any) -> None:  # noqa: ANN401 - stubs are untyped
        self.address = address
        self._stubs = {
            service: getattr(importlib.import_module(f"{module}_grpc"), f"{service}Stub")(connection)
            for module, contract in CONTRACTS.items()
            for service in contract.services_by_name
        }

    async def answers(
        self, method: str, requests: Sequence[Message], identity: Identity | Metadata
    ) -> Sequence[Message]:
        """All answers of a call; of a watch, those up to its first mark. AioRpcError where it is refused."""
        service, _, name = method.partition("/")
        metadata = development_metadata(identity) if isinstance(identity, Identity) else tuple(identity)
        given: Any = _stream(requests) if METHODS[method].client_streaming else requests[0]
        call = getattr(self._stubs[service], name)(given, metadata=metadata)
        async with asyncio.timeout(CALL_SECONDS):
            return await _read(call) if METHODS[method].server_streaming else [await call]


@asynccontextmanager
async def caller(address: str) -> AsyncIterator[Caller]:
    """A caller with a channel of its own, which carries no identity by itself."""
    async with channel(address, CONTRACTS.values(), identity=lambda: ()) as connection:
        yield Caller(address, connection)


async def _read(call: Any) -> Sequence[Message]:  # noqa: ANN401 - stubs are untyped
    answers = []
    async for answer in call:
        answers.append(answer)
        if "commits" in answer.DESCRIPTOR.fields_by_name and not answer.commits:
            call.cancel()  # a mark: a watch goes on for ever
            break
    return answers


async def _stream(messages: Sequence[Message]) -> AsyncIterator[Message]:
    for message in messages:
        yield message


def _copy(message: Message) -> Message:
    copied = type(message)()
    copied.CopyFrom(message)
    return copied
