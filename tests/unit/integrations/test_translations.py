"""What crosses the edge means the same on both sides."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.type.v1 import actor_pb2
from lattice_chassis.identity import participant_key
from lattice_integrations.domain.actors import Actor, ActorKind
from lattice_integrations.domain.switches import Source, SwitchChange
from lattice_integrations.grpc import from_proto, to_proto
from lattice_integrations.service.watch import Changed, Progress
from lattice_integrations.store.positions import Cursor

ids = st.text(min_size=1, max_size=20)
names = st.text(max_size=20)
actors = st.one_of(
    st.builds(Actor, kind=st.just(ActorKind.USER), id=ids, name=names),
    st.builds(Actor, kind=st.just(ActorKind.AGENT), id=ids, name=names, run_id=names),
    st.builds(Actor, kind=st.just(ActorKind.EXTERNAL_AGENT), id=ids, name=names),
    st.builds(Actor, kind=st.just(ActorKind.SYSTEM), id=ids),
)


@given(actor=actors)
def test_an_actor_is_the_same_on_both_sides(actor: Actor) -> None:
    """AC-01, AC-02."""
    message = to_proto.actor(actor)
    assert from_proto.actor(message) == actor
    assert participant_key(message) == actor.participant


def test_an_actor_without_a_kind_is_none() -> None:
    """AC-01."""
    with pytest.raises(ValueError, match="exactly one kind"):
        from_proto.actor(actor_pb2.Actor())


@given(
    actor=actors,
    revision=st.integers(1, 2**63 - 1),
    enabled=st.booleans(),
    at=st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_a_change_says_all_of_itself(actor: Actor, revision: int, enabled: bool, at: datetime) -> None:
    """I-19."""
    change = SwitchChange(
        revision=revision,
        key="files:wordcraft",
        enabled_before=not enabled,
        source_before=Source.SETTING,
        enabled=enabled,
        actor=actor,
        reason="why",
        changed_at=at,
        traceparent="00-1-2-01",
    )
    event = to_proto.watch_event(Changed(change=change, cursor=Cursor(epoch="e", sequence=revision)))
    told = event.change
    assert (told.revision, told.enabled_before, told.enabled) == (revision, not enabled, enabled)
    assert (told.source_before, told.reason, told.traceparent) == (pb.SWITCH_SOURCE_SETTING, "why", "00-1-2-01")
    assert from_proto.actor(told.actor) == actor
    assert told.change_time.ToDatetime(tzinfo=UTC) == at
    assert from_proto.cursor(event.cursor) == Cursor(epoch="e", sequence=revision)


def test_a_mark_has_a_position_and_no_event() -> None:
    """SB-02."""
    mark = to_proto.watch_event(Progress(cursor=Cursor(epoch="e", sequence=3)))
    assert mark.WhichOneof("event") is None
    assert (mark.cursor.epoch, mark.cursor.sequence) == ("e", 3)
