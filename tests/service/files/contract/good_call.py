"""A call that is answered, and what it needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.type.v1 import names_pb2
from service.files.contract.places import Place, Preparation
from service.files.people import new_request_id


@dataclass(frozen=True, kw_only=True)
class GoodCall:
    """A call that is answered."""

    method: str
    """As `Service/Method`."""
    label: str = ""
    """Which of several calls of the method."""
    by: str = "alice"
    requests: Callable[[Place], Sequence[Message]]
    """Its messages, under a new request id each time."""
    needs: tuple[Preparation, ...] = ()
    """What has to be there first."""

    def __str__(self) -> str:
        return "-".join(filter(None, [self.method.replace("/", "."), self.label]))


def one(request: Callable[[Place], Message]) -> Callable[[Place], Sequence[Message]]:
    """The messages of a call without a stream."""
    return lambda place: [request(place)]


def context(**fields: Any) -> artifacts_pb.WriteContext:  # noqa: ANN401 - protobuf checks them
    """What a write says beside its change."""
    given = {"request_id": new_request_id(), "thread_id": "thr_9", "rationale": "it reads better", **fields}
    return artifacts_pb.WriteContext(**given)


def fenced_proposal(proposal_id: str) -> artifacts_pb.WriteContext:
    """What the assistant says, that way with every field."""
    fence = names_pb2.Fence(scope="thr_1", token=1)
    return context(thread_id="thr_1", proposal_id=proposal_id, must_propose=True, fence=fence)
