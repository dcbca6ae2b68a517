"""How a call is refused: by one registered reason, under that reason's status."""

from collections.abc import Sequence

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from lattice.type.v1 import errors_pb2
from lattice_chassis.errors import STATUS_OF_REASON, RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity
from service.files.contract.calls import Caller, Metadata

NEVER = frozenset({"INTERNAL", "NOT_IMPLEMENTED", "APP_CRASHED"})
"""Reasons that no caller's fault has."""


async def refusal_by(
    files: Caller, method: str, requests: Sequence[Message], identity: Identity | Metadata
) -> RefusedByPeer:
    """The refusal of a call, which fits the contract of all refusals [RJ-03]."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await files.answers(method, requests, identity)
    refusal = refusal_of(caught.value)
    assert refusal is not None, caught.value
    assert f"ERROR_REASON_{refusal.reason}" in errors_pb2.ErrorReason.DESCRIPTOR.values_by_name
    assert refusal.reason not in NEVER, refusal
    assert caught.value.code() is refusal.status is STATUS_OF_REASON[refusal.reason]
    assert refusal.message
    assert not any(isinstance(it, error_details_pb2.ErrorInfo) for it in refusal.details)  # that is the first one
    return refusal


def faults_in(refusal: RefusedByPeer) -> Sequence[str]:
    """The fields that a refusal names."""
    return [
        violation.field
        for detail in refusal.details
        if isinstance(detail, error_details_pb2.BadRequest)
        for violation in detail.field_violations
    ]
