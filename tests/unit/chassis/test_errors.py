"""From an exception to a status and back: one table, typed details, nothing leaked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from lattice.type.v1.actor_pb2 import Actor, AgentActor, UserActor
from lattice.type.v1.errors_pb2 import LEASE_KIND_CHECKOUT, ArtifactBusy, ErrorReason, VersionConflict
from lattice_chassis.errors import (
    DOMAIN,
    STATUS_OF_REASON,
    PeerUnavailable,
    RefusedByPeer,
    ValidationFailed,
    is_refusal,
    reason_of,
    refusal_in,
    to_status,
    trailing_metadata,
)

ERRORS_PROTO = Path(__file__).parents[3] / "proto/lattice/type/v1/errors.proto"


class Kind(StrEnum):
    CHECKOUT = "checkout"


@dataclass(frozen=True, kw_only=True)
class Holder:
    kind: str
    id: str
    name: str | None = None


@dataclass(kw_only=True, eq=False)
class ArtifactIsBusy(Exception):
    reason: ClassVar[str] = "ARTIFACT_BUSY"
    artifact_id: str
    lease_kind: Kind | str | None
    holder: Holder | Actor | None
    until: datetime | None

    def __str__(self) -> str:
        return "somebody writes"


@dataclass(kw_only=True, eq=False)
class Conflict(Exception):
    reason: ClassVar[str] = "VERSION_CONFLICT"
    artifact_id: str
    base: int
    head: int


@dataclass(kw_only=True, eq=False)
class Limited(Exception):
    reason: ClassVar[str] = "RATE_LIMITED"
    retry_after: timedelta


@dataclass(kw_only=True, eq=False)
class Discreet(Exception):
    reason: ClassVar[str] = "APP_REFUSED"
    details: ClassVar[frozenset[str]] = frozenset({"document"})
    document: str
    index: int
    tracked: bool
    why: str | None = None
    parts: Sequence[str] = ()


class UnregisteredReason(Exception):
    reason: ClassVar[str] = "NO_SUCH_REASON"


def read_back(error: BaseException) -> RefusedByPeer:
    refusal = refusal_in(to_status(error))
    assert refusal is not None
    return refusal


def refused_with(reason: str) -> Exception:
    @dataclass(kw_only=True, eq=False)
    class Refused(Exception):
        entity: str

        def __str__(self) -> str:
            return "no"

    Refused.reason = reason  # type: ignore[attr-defined]
    return Refused(entity="artifact")


def busy(holder: Holder | Actor | None) -> ArtifactIsBusy:
    return ArtifactIsBusy(artifact_id="art_1", lease_kind="checkout", holder=holder, until=None)


def test_every_registered_reason_has_exactly_one_status() -> None:
    """RJ-03: the table is complete and holds nothing else."""
    registered = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    assert set(STATUS_OF_REASON) == registered


def test_each_status_is_the_one_that_the_contract_documents() -> None:
    """RJ-03: the comment of each value of ErrorReason begins with its status."""
    commented = re.compile(r"// ([A-Z_]+): [^\n]*\n(?:  //[^\n]*\n)*  ERROR_REASON_([A-Z_]+) =")
    documented = {reason: status for status, reason in commented.findall(ERRORS_PROTO.read_text("utf-8"))}
    assert documented == {reason: status.name for reason, status in STATUS_OF_REASON.items()}


@pytest.mark.parametrize("reason", sorted(STATUS_OF_REASON))
def test_every_reason_reads_back_as_it_was_refused(reason: str) -> None:
    """RJ-03: the full typed payload travels; the client sees reason, status, text and metadata."""
    refusal = read_back(refused_with(reason))
    assert (refusal.reason, refusal.status, refusal.message) == (reason, STATUS_OF_REASON[reason], "no")
    assert refusal.metadata == {"entity": "artifact"}


def test_an_error_carries_exactly_one_error_info_of_our_domain() -> None:
    status = to_status(Conflict(artifact_id="art_1", base=1, head=2))
    infos = [detail for detail in status.details if detail.TypeName() == "google.rpc.ErrorInfo"]
    assert len(infos) == 1
    assert DOMAIN.encode() in infos[0].value


def test_a_refusal_without_words_is_told_by_its_reason() -> None:
    assert to_status(Conflict(artifact_id="art_1", base=1, head=2)).message == "version conflict"


def test_a_version_conflict_tells_base_and_head() -> None:
    """CM-07: whoever is refused learns what stands now."""
    refusal = read_back(Conflict(artifact_id="art_1", base=1, head=2))
    assert refusal.details == [VersionConflict(id="art_1", base=1, head=2)]
    assert refusal.metadata == {"artifact_id": "art_1", "base": "1", "head": "2"}


def test_a_busy_artifact_tells_who_holds_it_and_until_when() -> None:
    """R-03: holder, kind and end travel typed, and as metadata."""
    until = datetime(2026, 11, 30, 12, 30, tzinfo=timezone(timedelta(hours=2)))
    refusal = read_back(
        ArtifactIsBusy(
            artifact_id="art_1",
            lease_kind=Kind.CHECKOUT,
            holder=Holder(kind="user", id="alice", name="Alice"),
            until=until,
        )
    )
    detail = refusal.details[0]
    assert isinstance(detail, ArtifactBusy)
    assert detail.lease_kind == LEASE_KIND_CHECKOUT
    assert detail.holder == Actor(user=UserActor(id="alice", name="Alice"))
    assert detail.expire_time.ToDatetime(UTC) == until
    assert refusal.metadata == {
        "artifact_id": "art_1",
        "lease_kind": "checkout",
        "holder": "alice",
        "until": "2026-11-30T10:30:00Z",
    }


def test_a_holder_that_left_in_the_meantime_is_left_out() -> None:
    """R-03: the lease may have ended by the time it is read."""
    refusal = read_back(busy(None))
    detail = refusal.details[0]
    assert isinstance(detail, ArtifactBusy)
    assert not detail.HasField("holder")
    assert not detail.HasField("expire_time")
    assert refusal.metadata == {"artifact_id": "art_1", "lease_kind": "checkout"}


@pytest.mark.parametrize(
    ("holder", "kind"),
    [
        (Holder(kind="user", id="alice"), "user"),
        (Holder(kind="agent", id="thr_1"), "agent"),
        (Holder(kind="external_agent", id="bot"), "external_agent"),
        (Holder(kind="system", id="runner"), "system"),
        (Actor(agent=AgentActor(thread_id="thr_1")), "agent"),
    ],
)
def test_every_kind_of_participant_can_hold_an_artifact(holder: Holder | Actor, kind: str) -> None:
    """AC-02: a domain's participant becomes the actor of its kind."""
    detail = read_back(busy(holder)).details[0]
    assert isinstance(detail, ArtifactBusy)
    assert detail.holder.WhichOneof("kind") == kind


def test_each_fault_of_a_request_is_a_field_violation() -> None:
    refusal = read_back(ValidationFailed(errors=["no such colour", ("parts[1].id", "is required")]))
    detail = refusal.details[0]
    assert isinstance(detail, BadRequest)
    assert [(it.field, it.description) for it in detail.field_violations] == [
        ("", "no such colour"),
        ("parts[1].id", "is required"),
    ]


def test_an_error_stays_small_enough_for_trailers_however_much_is_wrong() -> None:
    faults = [(f"parts[{number}].id", "x" * 10_000) for number in range(1_000)]
    assert to_status(ValidationFailed(errors=faults)).ByteSize() < 8 * 1024


def test_rate_limits_and_absent_peers_say_when_to_try_again() -> None:
    limited = read_back(Limited(retry_after=timedelta(seconds=2.5))).details[0]
    absent = read_back(PeerUnavailable(peer="integrations")).details[0]
    assert isinstance(limited, RetryInfo)
    assert isinstance(absent, RetryInfo)
    assert (limited.retry_delay.ToMilliseconds(), absent.retry_delay.ToMilliseconds()) == (2500, 1000)


def test_only_an_absent_peer_stops_the_retries_of_its_callers() -> None:
    """AMB-04: else they would multiply along the chain."""
    stopping = {reason for reason in STATUS_OF_REASON if trailing_metadata(reason)}
    assert stopping == {"PEER_UNAVAILABLE"}
    assert trailing_metadata("PEER_UNAVAILABLE") == (("grpc-retry-pushback-ms", "-1"),)


def test_fields_that_a_refusal_keeps_for_itself_and_lists_stay_out_of_the_metadata() -> None:
    refusal = read_back(Discreet(document="secret", index=3, tracked=True, parts=["a"]))
    assert refusal.metadata == {"index": "3", "tracked": "true"}


@pytest.mark.parametrize("error", [ValueError("secret"), KeyError("secret"), UnregisteredReason("secret")])
def test_what_is_no_refusal_leaves_as_internal_without_its_text(error: Exception) -> None:
    """RJ-03: anything else is INTERNAL with a trace id and nothing else."""
    status = to_status(error)
    assert "secret" not in str(status)
    assert status.code == grpc.StatusCode.INTERNAL.value[0]
    assert read_back(error).reason == "INTERNAL"


@pytest.mark.parametrize(
    ("reason_of_peer", "ours"),
    [("PEER_UNAVAILABLE", "PEER_UNAVAILABLE"), ("SHUTTING_DOWN", "PEER_UNAVAILABLE"), ("NOT_FOUND", "INTERNAL")],
)
def test_a_refusal_of_a_peer_is_never_passed_through_as_ours(reason_of_peer: str, ours: str) -> None:
    """RJ-03: whoever expects a peer's reason makes it one of its own."""
    refused = RefusedByPeer(
        reason=reason_of_peer, status=STATUS_OF_REASON[reason_of_peer], message="", metadata={"id": "art_1"}
    )
    assert not is_refusal(refused)
    assert reason_of(refused) == ours
    assert "art_1" not in str(to_status(refused))
