"""What must hold whatever was killed. Each invariant yields a sentence for every breach that it finds."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from soak.kills.evidence import Evidence
from soak.kills.journal import Journal, Kind, Write

Invariant = Callable[[Journal, Evidence], Iterator[str]]

_LEGITIMATE: Final[Mapping[Kind, frozenset[str]]] = {
    "upload": frozenset({"NOT_ENABLED"}),
    "edit": frozenset({"NOT_ENABLED", "VERSION_CONFLICT", "ARTIFACT_BUSY"}),
    "check_out": frozenset({"NOT_ENABLED", "ARTIFACT_BUSY"}),
    "extend": frozenset({"NOT_ENABLED"}),
    "check_in": frozenset({"NOT_ENABLED"}),
}
"""Why a write may be refused; a check-out that nobody else ended keeps all others out."""

_COMMIT: Final = timedelta(seconds=5)
"""How long after its second look at the switch a write may still commit [X-06]."""


def breaches(journal: Journal, evidence: Evidence) -> list[str]:
    """Every breach of every invariant, and every fault of the journal."""
    found = (f"{invariant.__name__}: {breach}" for invariant in INVARIANTS for breach in invariant(journal, evidence))
    return [*journal.faults, *found]


def versions_rise_by_one(_: Journal, evidence: Evidence) -> Iterator[str]:
    """AT-04: from 1, without a gap."""
    for artifact_id, revisions in evidence.revisions.items():
        versions = [it.artifact.version for it in revisions]
        if versions != list(range(1, len(versions) + 1)):
            yield f"{artifact_id} has the versions {versions}"


def refusals_are_legitimate(journal: Journal, _: Evidence) -> Iterator[str]:
    """L-08, ID-03: a write is refused for what others did, never for its own first attempt."""
    for write in journal.writes:
        if write.refusal and write.refusal not in _LEGITIMATE.get(write.kind, ()):
            yield str(write)


def answered_writes_are_applied_once(journal: Journal, evidence: Evidence) -> Iterator[str]:
    """ID-03, WP-07: once if answered, not at all if refused; by the revision, by the feed and in the words."""
    summaries = [it.summary for revisions in evidence.revisions.values() for it in revisions]
    told = [it.artifact_changed.summary for it in evidence.changes]
    for write in [*journal.done("edit", "check_in"), *journal.refused("edit", "check_in")]:
        expected = 0 if write.refusal else 1
        text = evidence.texts[write.artifact_id]
        counts = [_count(write, summaries), _count(write, told), text.count(write.mark)]
        if counts != [expected] * 3:
            yield f"{write}, and stands in {counts[0]} revisions, {counts[1]} changes, {counts[2]} times in the text"
    for write in [*journal.done("upload"), *journal.refused("upload")]:
        if (write.artifact_id in evidence.revisions) == bool(write.refusal):
            yield f"{write}, but the artifact {'is' if write.refusal else 'is not'} there"


def answers_name_the_version_that_they_made(journal: Journal, evidence: Evidence) -> Iterator[str]:
    """CM-03: version and change sequence of the answer are those on record, whichever attempt was answered."""
    changes = {it.change_sequence: it.artifact_changed for it in evidence.changes}
    for write in journal.done("edit", "check_in"):
        outcome = write.answer.outcome
        change = changes.get(outcome.change_sequence)
        if change is None or write.mark not in change.summary or change.version != outcome.applied.version:
            yield f"{write}: {outcome}"


def each_switch_and_message_is_recorded_once(journal: Journal, evidence: Evidence) -> Iterator[str]:
    """I-19, ID-01."""
    reasons = [it.reason for it in evidence.switches]
    messages = [it.message_posted.content for it in evidence.log if it.actor.HasField("user")]
    for write in journal.done("switch_on", "switch_off"):
        if (count := _count(write, reasons)) != 1:
            yield f"{write}, and is {count} times among the changes of the switch"
    for write in journal.done("send"):
        if (count := _count(write, messages)) != 1:
            yield f"{write}, and is {count} times on the log"
    revisions = [it.revision for it in evidence.switches]
    if revisions != list(range(1, len(revisions) + 1)):
        yield f"the changes of the switch are numbered {revisions}"


def tokens_are_given_out_once(journal: Journal, evidence: Evidence) -> Iterator[str]:
    """L-01: a check-out has a token of its own, which the counter has reached."""
    tokens: dict[str, list[int]] = defaultdict(list)
    for write in journal.done("check_out"):
        tokens[write.artifact_id].append(write.answer.check_out.token)
    for artifact_id, given in tokens.items():
        counter = evidence.leases[artifact_id].token_counter
        if len(set(given)) != len(given) or max(given) > counter:
            yield f"{artifact_id}: tokens {given}, counter {counter}"


def no_lease_is_left(_: Journal, evidence: Evidence) -> Iterator[str]:
    """X-07, R-11: check-outs were ended, and what a killed edit held has lapsed."""
    for artifact_id, answer in evidence.leases.items():
        if answer.HasField("lease"):
            yield f"{artifact_id} is held: {answer.lease}"


def the_feed_has_each_revision_once(_: Journal, evidence: Evidence) -> Iterator[str]:
    """MP-10, SG-02, SG-03: numbered from 1, and in the order of each artifact's versions."""
    numbers = [it.change_sequence for it in evidence.changes]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"it is numbered {numbers}"
    told: dict[str, list[int]] = defaultdict(list)
    for change in evidence.changes:
        event = change.artifact_created if change.HasField("artifact_created") else change.artifact_changed
        told[event.artifact_id].append(event.version)
    for artifact_id, revisions in evidence.revisions.items():
        if told[artifact_id] != [it.artifact.version for it in revisions]:
            yield f"it tells of the versions {told[artifact_id]} of {artifact_id}, which has {len(revisions)}"


def the_log_has_each_change_once(_: Journal, evidence: Evidence) -> Iterator[str]:
    """X-01, X-02: numbered from 1, and every change of files in files' order."""
    numbers = [it.log_sequence for it in evidence.log]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"it is numbered {numbers}"
    taken = [(it.change_sequence, it.entry_id) for it in evidence.log if it.change_sequence]
    fed = [(it.change_sequence, it.change_id) for it in evidence.changes]
    if taken != fed:
        yield f"of {len(fed)} changes it has {len(taken)}: {sorted(set(fed) ^ set(taken))}"


def each_run_ends_once(_: Journal, evidence: Evidence) -> Iterator[str]:
    """RN-07, RE-01, HI-03: and each of its calls returned once, abandoned runs' too; nothing of it comes later."""
    for run_id, entries in _by_run(evidence).items():
        kinds = Counter(it.WhichOneof("event") for it in entries)
        if (kinds["run_started"], kinds["run_ended"]) != (1, 1) or not entries[-1].HasField("run_ended"):
            yield f"{run_id}: {[it.WhichOneof('event') for it in entries]}"
        called = [it.tool_called.tool_call_id for it in entries if it.HasField("tool_called")]
        returned = [it.tool_returned.tool_call_id for it in entries if it.HasField("tool_returned")]
        if sorted(called) != sorted(returned) or len(set(called)) != len(called):
            yield f"{run_id} called {called} and had back {returned}"


def a_runs_change_lies_within_its_call(_: Journal, evidence: Evidence) -> Iterator[str]:
    """X-03, MP-14, MP-21: between the call of the tool and its return; what a run was told was done is done, once."""
    for run_id, entries in _by_run(evidence).items():
        made = 0
        calling = False
        for entry in entries:
            match entry.WhichOneof("event"):
                case "tool_called":
                    calling, made = entry.tool_called.tool_name == "edit_native", 0
                case "artifact_changed":
                    made += 1
                    if not calling or made > 1:
                        yield f"{run_id}: entry {entry.log_sequence} is change {made} of its call"
                case "tool_returned" if calling:
                    calling = False
                    returned = entry.tool_returned
                    done = returned.status == log_pb.TOOL_STATUS_OK and returned.summary.startswith("Done.")
                    if done and made != 1:
                        yield f"{run_id} was told {returned.summary}, and made {made} changes"


def nothing_begun_after_switching_off_succeeds(journal: Journal, _: Evidence) -> Iterator[str]:
    """X-06, N-04: as clients see it, from the acknowledgement of off until on is asked for."""
    switches = [it for it in journal.writes if it.kind in {"switch_on", "switch_off"}]
    off = [(it.ended, then.began) for it, then in pairwise(switches) if it.kind == "switch_off" and it.answer]
    for write in journal.done("upload", "edit", "check_out", "extend", "check_in"):
        if any(began < write.began and write.ended < ended for began, ended in off):
            yield str(write)


def every_commit_saw_the_switch_on(_: Journal, evidence: Evidence) -> Iterator[str]:
    """X-06: each revision names the state that let it through, and follows the end of that within the limit."""
    on = {0: True, **{it.revision: it.enabled for it in evidence.switches}}
    ends = {it.revision - 1: it.change_time.ToDatetime() for it in evidence.switches}  # the revision before ends then
    for artifact_id, revisions in evidence.revisions.items():
        for it in revisions:
            name = f"{artifact_id} v{it.artifact.version}"
            if not on.get(it.switch_revision, False):
                yield f"{name} was let through by revision {it.switch_revision}, which was off"
            elif (end := ends.get(it.switch_revision)) and it.artifact.update_time.ToDatetime() > end + _COMMIT:
                yield f"{name} was committed at {it.artifact.update_time.ToJsonString()}, after off at {end}"


INVARIANTS: Final[Sequence[Invariant]] = (
    versions_rise_by_one,
    refusals_are_legitimate,
    answered_writes_are_applied_once,
    answers_name_the_version_that_they_made,
    each_switch_and_message_is_recorded_once,
    tokens_are_given_out_once,
    no_lease_is_left,
    the_feed_has_each_revision_once,
    the_log_has_each_change_once,
    each_run_ends_once,
    a_runs_change_lies_within_its_call,
    nothing_begun_after_switching_off_succeeds,
    every_commit_saw_the_switch_on,
)


def _count(write: Write, places: Sequence[str]) -> int:
    return sum(write.mark in place for place in places)


def _by_run(evidence: Evidence) -> Mapping[str, Sequence[log_pb.LogEntry]]:
    runs: dict[str, list[log_pb.LogEntry]] = defaultdict(list)
    for entry in evidence.log:
        if entry.run_id:
            runs[entry.run_id].append(entry)
    return runs
