"""Channels to peers: who retries what, how long calls may take, and when a dead connection is noticed.

Retries are gRPC's own, by a service config that is derived from the contracts and shipped here:
only UNAVAILABLE, only what a repeat cannot harm, three attempts at most, fewer while the peer fails
often. A server that answers a pushback of -1 ends them, so they do not multiply along a chain. A
replica whose health says that it does not serve, as one that drains, is called no more.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

import grpc
from google.protobuf.descriptor import Descriptor, FileDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions

from lattice_chassis.identity import forwarded_identity
from lattice_chassis.interceptors.client import IdentitySource, Outgoing, client_interceptors
from lattice_chassis.renewed_channel import RenewedChannel
from lattice_chassis.server import MAX_MESSAGE_BYTES, MAX_METADATA_BYTES
from lattice_chassis.transport import ChannelTls

DEFAULT_TIMEOUT: Final = timedelta(seconds=30)

_HARMLESS: Final = (MethodOptions.NO_SIDE_EFFECTS, MethodOptions.IDEMPOTENT)

_RETRY_POLICY: Final = {
    "maxAttempts": 3,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
# A failure costs one token, a success earns a tenth; no retries below half: a broken peer is left in peace.
_RETRY_THROTTLING: Final = {"maxTokens": 20, "tokenRatio": 0.1}


def channel(
    target: str,
    contracts: Iterable[FileDescriptor],
    *,
    identity: IdentitySource = forwarded_identity,
    default_timeout: timedelta = DEFAULT_TIMEOUT,
    tls: ChannelTls | None = None,
) -> grpc.aio.Channel:
    """A channel to a peer; close it, or use it as an async context manager.

    Its calls fail with `grpc.aio.AioRpcError`; `errors.calling` makes that typed. None may begin
    while a transaction is open (RuntimeError).

    Args:
        target: `host:port`, `dns:///name:port` (all its addresses, in turn) or `unix:/path`.
        contracts: the files of the services called, such as `native_pb.DESCRIPTOR`; what they mark
            idempotent is retried.
        identity: the metadata that say who calls; unless given, whoever calls the current RPC.
        default_timeout: for calls without streams that name no timeout; the current RPC's deadline
            caps it, as it caps every other.
        tls: which servers are believed and what is shown to them; unless given, nothing is encrypted. Files that
            change are read before the next call, which then has a connection of its own.

    Raises:
        CannotServe: a file of `tls` is missing or malformed.
    """
    outgoing = Outgoing(target=target, identity=identity, default_timeout=default_timeout)
    options = _options(contracts)
    if tls is None:
        return grpc.aio.insecure_channel(target, options=options, interceptors=client_interceptors(outgoing))

    def connect(credentials: grpc.ChannelCredentials) -> grpc.aio.Channel:
        return grpc.aio.secure_channel(target, credentials, options, interceptors=client_interceptors(outgoing))

    return RenewedChannel(tls.credentials, connect)


def service_config(contracts: Iterable[FileDescriptor]) -> str:
    """The gRPC service config for the services of some contracts, as JSON."""
    retried = [
        {"service": method.containing_service.full_name, "method": method.name}
        for method in _methods(contracts)
        if is_retried(method)
    ]
    config: dict[str, object] = {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": ""},
        "retryThrottling": _RETRY_THROTTLING,
    }
    if retried:
        config["methodConfig"] = [{"name": retried, "retryPolicy": _RETRY_POLICY}]
    return json.dumps(config)


def is_retried(method: MethodDescriptor) -> bool:
    """Whether a repeat does no harm: the contract says so, or the request carries a `request_id` [ID-03].

    Calls that stream their request are not: gRPC would have to keep the whole content for a repeat.
    """
    if method.client_streaming:
        return False
    return method.GetOptions().idempotency_level in _HARMLESS or _has_request_id(method.input_type)


def _options(contracts: Iterable[FileDescriptor]) -> list[tuple[str, str | int]]:
    return [
        ("grpc.service_config", service_config(contracts)),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),  # a quiet watch is no reason to stop asking
        # gRPC's own pause grows to two minutes, in which a peer that is back would still pass for down.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1_000),
        # Shared, a new channel would begin with the pause that an older one to the same address has come to.
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ]


def _has_request_id(message: Descriptor) -> bool:
    """Whether a request carries an id of its own, at its top or in the context that all writes of files share."""
    context = message.fields_by_name.get("context")
    names = set(message.fields_by_name)
    if context is not None and context.message_type is not None:
        names.update(context.message_type.fields_by_name)
    return "request_id" in names


def _methods(contracts: Iterable[FileDescriptor]) -> Iterator[MethodDescriptor]:
    for contract in contracts:
        for service in contract.services_by_name.values():
            yield from service.methods
