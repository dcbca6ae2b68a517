"""Faults that the service could have had: each puts one into the running process."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest
from lattice_chassis.names import WorkspaceName
from lattice_chassis.postgres.requests import identified
from lattice_chassis.postgres.workspaces import LockedWorkspace, advance_head, lock_workspace, read_workspace
from lattice_files.domain import artifacts as artifact_rules
from lattice_files.domain import decisions, native_decisions
from lattice_files.domain import leases as lease_rules
from lattice_files.domain import proposals as proposal_rules
from lattice_files.domain.actors import Actor, authorize_write
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.changes import ArtifactChanged, Decision, Resolved
from lattice_files.domain.leases import Lease, LeaseKind, Tenure
from lattice_files.domain.patches import difference
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.proposals import Answer, Proposal, ProposalState
from lattice_files.domain.rejections import LeaseExpired
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Call
from lattice_files.grpc import from_proto
from lattice_files.ports import SwitchState
from lattice_files.service import artifacts, batches, check_ins, check_outs, proposals
from lattice_files.service.gate import Gate
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts as stored_artifacts
from lattice_files.store import blobs, commits, fences, requests, unit_of_work
from lattice_files.store.unit_of_work import Work
from sqlalchemy import false
from sqlalchemy.ext.asyncio import AsyncConnection

Fault: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def _nothing(*_given: object, **_named: object) -> None:
    """Let everything through."""


async def _nothing_later(*_given: object, **_named: object) -> None:
    """Do nothing."""


def any_token_checks_in(patch: pytest.MonkeyPatch) -> None:
    def whichever(tenure: Tenure, _token: int, _actor: Actor, _now: datetime) -> Lease:
        if tenure.last is None:
            raise LeaseExpired
        return tenure.last

    patch.setattr(lease_rules, "_own_check_out", whichever)


def the_token_is_not_looked_at_under_the_lock(patch: pytest.MonkeyPatch) -> None:
    def unchecked(
        _resources: Resources, call: Call, _command: object, work: Work, tenure: Tenure, it: Artifact
    ) -> Lease:
        return Lease(
            token=tenure.counter,
            kind=LeaseKind.CHECKOUT,
            holder=call.caller.actor,
            request_id="",
            base_version=it.version,
            acquired_at=work.now,
            expires_at=work.now + timedelta(hours=1),
        )

    patch.setattr(check_ins, "_checked", unchecked)


def an_edit_commits_without_its_lease(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lease_rules, "require_edit_lease", _nothing)


def a_live_lease_keeps_nobody_out(patch: pytest.MonkeyPatch) -> None:
    take = lease_rules.acquire
    patch.setattr(
        lease_rules, "acquire", lambda tenure, *given, **named: take(replace(tenure, last=None), *given, **named)
    )


def the_clock_is_the_process_own(patch: pytest.MonkeyPatch) -> None:
    """And each process that writes has one that is an hour ahead of the last one's."""
    hours = itertools.count()
    patch.setattr(Work, "now", property(lambda _: datetime.now(UTC) + timedelta(hours=next(hours))))


def a_change_is_committed_whatever_its_base(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decisions, "require_current", lambda artifact, _base: artifact_rules.require_unarchived(artifact))


def a_check_in_is_committed_whatever_its_base(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(check_ins, "require_current", _nothing)


def the_feed_is_written_after_the_commit(patch: pytest.MonkeyPatch) -> None:
    """And a crash in between loses it."""

    async def numbered_only(work: Work, decision: Decision, _attribution: object) -> None:
        if decision.events:
            await advance_head(work.connection, work.workspace, work.head + len(decision.events))
            work.heads.append(work.head + len(decision.events))

    patch.setattr(commits, "_append", numbered_only)


def a_feed_row_is_written_twice_over_two_commits(patch: pytest.MonkeyPatch) -> None:
    """The events of one decision are numbered as commits of their own."""
    append = commits._append

    async def apart(work: Work, decision: Decision, attribution: commits.Attribution) -> None:
        for event in decision.events:
            await append(work, replace(decision, events=(event,)), attribution)

    patch.setattr(commits, "_append", apart)


def the_workspace_is_not_locked(patch: pytest.MonkeyPatch) -> None:
    async def unlocked(connection: AsyncConnection, tenant: str, workspace: str) -> LockedWorkspace:
        found = await read_workspace(connection, tenant, workspace)
        if found is None:
            return await lock_workspace(connection, tenant, workspace)
        return LockedWorkspace(**vars(found), locked_at=datetime.now(UTC))

    patch.setattr(unit_of_work, "lock_workspace", unlocked)


def the_gate_is_asked_after_the_lease(patch: pytest.MonkeyPatch) -> None:
    check_out = check_outs.check_out

    class AlwaysOn:
        async def check(self, _scope: WorkspaceKey, _key: str) -> SwitchState:
            return SwitchState(enabled=True, revision=0)

    async def late(resources: Resources, call: Call, artifact_id: str) -> object:
        lent = await check_out(replace(resources, switches=AlwaysOn()), call, artifact_id)
        async with resources.unit.reading(call.scope) as reading:
            kind = await stored_artifacts.load_kind(reading, artifact_id)
        await resources.gate.check(call.scope, kind or "")
        return lent

    patch.setattr(check_outs, "check_out", late)


def the_gate_is_asked_once(patch: pytest.MonkeyPatch) -> None:
    check, first = Gate.check, {}

    async def once(self: Gate, scope: WorkspaceKey, kind: str) -> int | None:
        task = asyncio.current_task()
        if task not in first:
            first[task] = await check(self, scope, kind)
        return first[task]

    patch.setattr(Gate, "check", once)


def the_gate_is_asked_after_the_callers_rights(patch: pytest.MonkeyPatch) -> None:
    check = Gate.check

    async def late(self: Gate, scope: WorkspaceKey, kind: str) -> int | None:
        authorize_write(from_proto.caller())
        return await check(self, scope, kind)

    patch.setattr(Gate, "check", late)


def a_refused_edit_keeps_its_lease(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(batches, "_end", _nothing_later)


def no_request_is_remembered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(requests, "keep_answer", _nothing_later)


def requests_of_all_participants_are_one(patch: pytest.MonkeyPatch) -> None:
    scope = requests._scope
    patch.setattr(requests, "_scope", lambda call: replace(scope(call), participant=""))


def another_request_under_the_same_id_is_answered_too(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(from_proto, "identified", lambda request: (identified(request)[0], b""))


def an_answered_proposal_is_answered_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposal_rules, "require_pending", _nothing)


def a_rejected_proposal_is_applied(patch: pytest.MonkeyPatch) -> None:
    require = proposal_rules.require_pending

    def unless_rejected(proposal: Proposal) -> None:
        if proposal.state is not ProposalState.REJECTED:
            require(proposal)

    patch.setattr(proposal_rules, "require_pending", unless_rejected)


def the_author_accepts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "require_answerable", lambda proposal, _actor: proposal_rules.require_pending(proposal))


def each_run_is_another_participant(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Actor, "same_participant", lambda self, other: self == other)


def an_acceptance_is_the_proposers_change(patch: pytest.MonkeyPatch) -> None:
    def as_proposer(proposal: Proposal, change: Any, head: Any, layered: Any, at: Any) -> Decision:  # noqa: ANN401
        return decisions.decide_acceptance(proposal, change, head, layered, replace(at, actor=proposal.proposer))

    patch.setattr(proposals, "decide_acceptance", as_proposer)


def a_stale_batch_is_applied_as_it_was_made(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "applies_as_made", lambda *_, **__: True)


def a_superseded_proposal_stays_pending(patch: pytest.MonkeyPatch) -> None:
    def nothing_withdrawn(proposal: Proposal, _actor: Actor) -> Decision:
        return Decision(result=Resolved(proposal_id=proposal.id, answer=Answer.WITHDRAW))

    patch.setattr(native_decisions, "decide_withdrawal", nothing_withdrawn)


def agents_accept_what_they_would_have_to_propose(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "authorize_acceptance", _nothing)


def must_propose_is_ignored(patch: pytest.MonkeyPatch) -> None:
    def by_policy_alone(actor: Actor, policy: WritePolicy, *, asked: bool) -> bool:
        return actor.is_agent and policy is WritePolicy.PROPOSE and (asked or True)

    patch.setattr(decisions, "must_propose", by_policy_alone)


def write_policies_are_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decisions, "must_propose", lambda _actor, _policy, *, asked: asked)


def the_patch_on_record_is_the_proposers(patch: pytest.MonkeyPatch) -> None:
    """Although a reviewer's changes were layered on it."""
    layered = decisions._changed_as_reviewed

    def misrecorded(head: Artifact, data: Any, at: Any) -> Any:  # noqa: ANN401
        revision, event = layered(head, data, at)
        wrong = difference(data, head.data)
        return replace(revision, patch=wrong), ArtifactChanged(**{**vars(event), "patch": wrong})

    patch.setattr(decisions, "_changed_as_reviewed", misrecorded)


def archived_artifacts_are_changed(patch: pytest.MonkeyPatch) -> None:
    for module in (artifact_rules, decisions, check_outs, proposals):
        patch.setattr(module, "require_unarchived", _nothing)


async def _unguarded_head(work: Work, artifact_id: str) -> Artifact | None:
    found = await stored_artifacts.load(work, artifact_id)
    return None if found is None else found.artifact


def generic_edits_pass_a_check_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(artifacts, "writable_head", _unguarded_head)


def acceptances_pass_a_check_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "writable_head", _unguarded_head)


def tokens_begin_again_after_a_release(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tenure, "released", lambda self: replace(self, counter=self.counter - 1, last=None))


def a_lapsed_check_out_is_not_broken(patch: pytest.MonkeyPatch) -> None:
    end = lease_rules.break_check_out

    def if_live(tenure: Tenure) -> tuple[Tenure, Lease | None]:
        return end(tenure) if tenure.live(datetime.now(UTC)) else (tenure, None)

    patch.setattr(lease_rules, "break_check_out", if_live)


def a_late_check_in_keeps_its_token(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lease_rules, "end_by_check_in", lambda tenure, _lease, _now: tenure.released())


def fences_are_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fences, "hold", _nothing_later)


def a_revision_keeps_no_blobs(patch: pytest.MonkeyPatch) -> None:
    settle = blobs.settle

    async def as_if_pending(
        work: Work, *, kept: frozenset[str], pending: frozenset[str], released: frozenset[str]
    ) -> None:
        await settle(work, kept=frozenset(), pending=kept | pending, released=released)

    patch.setattr(blobs, "settle", as_if_pending)


def a_pending_proposal_keeps_no_blobs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(blobs, "_named_by_a_pending_proposal", lambda _reading: false())


def names_of_other_tenants_are_read(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(WorkspaceName, "of_caller", classmethod(lambda cls, name: cls.parse(name)))
