"""Events and entries of the log: they round-trip, and what is unknown passes through."""

from datetime import UTC, datetime

import pytest
from artifactr.core import events as ev
from artifactr.core.actors import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from artifactr.wire import actors, from_entry, to_entry
from artifactr.wire.patches import described
from hypothesis import given
from hypothesis import strategies as st
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice_chassis.identity import participant_key

TEXT = st.text(max_size=20)
IDS = st.text(min_size=1, max_size=20)
COUNTS = st.integers(min_value=0, max_value=2**63 - 1)
st.register_type_strategy(
    ev.Usage, st.builds(ev.Usage, requests=COUNTS, input_tokens=COUNTS, output_tokens=COUNTS)
)  # a count of the contract has 64 bits
OWN_EVENTS = st.one_of(*map(st.from_type, [*ev.ThreadEvent.__args__, *ev.RunFact.__args__, ev.AppEvent]))
ACTORS = st.one_of(
    st.builds(UserActor, id=IDS, name=TEXT),
    st.builds(AgentActor, thread_id=IDS, run_id=TEXT, name=IDS),
    st.builds(ExternalAgentActor, client_id=IDS, name=TEXT),
    st.builds(SystemActor, name=IDS),
)


def entry_of(event: ev.OwnEvent, actor: Actor) -> log_pb.LogEntry:
    entry = to_entry.from_event(event)
    entry.log_sequence = 3
    entry.time.FromDatetime(datetime(2026, 11, 30, tzinfo=UTC))
    entry.actor.CopyFrom(actors.to_proto(actor))
    return entry


@given(ACTORS)
def test_an_actor_has_the_key_that_it_has_everywhere(actor: Actor) -> None:
    """AC-02: the key of the contract, which tells the kind."""
    assert participant_key(actors.to_proto(actor)) == actor.participant


@given(OWN_EVENTS, ACTORS)
def test_every_event_of_agents_own_round_trips(event: ev.OwnEvent, actor: Actor) -> None:
    """EV-01: stored shape is wire shape."""
    read = from_entry.envelope(entry_of(event, actor).SerializeToString(), commit=2)
    assert (read.event, read.actor, read.log_sequence, read.commit) == (event, actor, 3, 2)


def test_every_event_of_the_contract_can_be_read() -> None:
    """EV-03: the union is closed, and whole."""
    in_contract = {field.name for field in log_pb.LogEntry.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert set(from_entry._READERS) == in_contract


@pytest.mark.parametrize("event", [field.name for field in changes_pb.Change.DESCRIPTOR.oneofs_by_name["event"].fields])
def test_a_change_keeps_what_files_says_of_it(event: str) -> None:
    """MP-11: id, number, time, actor, thread, run and trace are copied, and the event as it is."""
    change = changes_pb.Change(
        change_sequence=4, change_id="chg_1", thread_id="thr_1", run_id="run_1", traceparent="00"
    )
    change.commit_time.FromJsonString("2026-11-30T08:00:00Z")
    change.actor.CopyFrom(actors.to_proto(UserActor(id="alice")))
    getattr(change, event).SetInParent()
    entry = to_entry.from_change(change)
    assert (entry.entry_id, entry.change_sequence, entry.WhichOneof("event")) == ("chg_1", 4, event)
    assert (entry.thread_id, entry.run_id, entry.traceparent) == ("thr_1", "run_1", "00")
    assert (entry.time, entry.actor) == (change.commit_time, change.actor)


def test_an_event_of_a_newer_version_counts_and_passes_through_whole() -> None:
    """EV-03: it reads as unknown, and its bytes are those that came."""
    newer = entry_of(ev.AppEvent(name="x"), UserActor(id="alice"))
    newer.ClearField("event")
    wire = newer.SerializeToString() + b"\xc2\x3e\x02\x0a\x00"  # field 1000 of a later contract
    read = from_entry.envelope(wire, commit=3)
    assert read.event == ev.UnknownEvent()
    assert log_pb.LogEntry.FromString(read.wire).SerializeToString() == wire


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(edits=[artifacts_pb.TextEdit()])), "text: 1 replacement"),
        (
            artifacts_pb.Patch(
                text_edits=artifacts_pb.TextEdits(
                    field="body", edits=[artifacts_pb.TextEdit(), artifacts_pb.TextEdit()]
                )
            ),
            "body: 2 replacements",
        ),
        (
            artifacts_pb.Patch(
                json_patch='[{"op":"add","path":"/a"},{"op":"remove","path":"/b"},'
                '{"op":"test","path":"/c"},{"op":"add","path":"/d"},{"op":"add","path":"/e"}]'
            ),
            "add /a; remove /b; test /c; 2 more",
        ),
        (artifacts_pb.Patch(json_patch="nonsense"), "edited"),
        (artifacts_pb.Patch(), ""),
    ],
)
def test_a_patch_is_told_in_words(patch: artifacts_pb.Patch, words: str) -> None:
    """AT-14, CN-07."""
    assert described(patch) == words
