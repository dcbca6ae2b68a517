"""Whatever keeps an agent's edit from being made: how it reaches the model, and that nothing is left of it [25.1]."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

import grpc
import pytest
from artifactr.core.changes import ArchiveArtifact
from artifactr.core.commands import SetThreadMode
from artifactr.core.events import RunStatus, ThreadMode, ToolStatus
from artifactr.testing import Answer, call
from lattice_chassis.server import BoundServer
from lattice_files.service import batches
from pydantic_ai import ToolCallPart
from service.files.people import FAKEAPP, Administrator, Participant, agent, append, participant
from suite.agent.colleagues import Colleagues, document
from suite.agent.lease_rows import LeaseRows
from suite.agent.planning import Brief, Planning

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Who and what takes part."""

    colleagues: Colleagues
    bob: Participant
    ada: Administrator
    leases: LeaseRows
    files: BoundServer
    planning: Planning
    eventually: Eventually

    @property
    def plan(self) -> str:
        """The file that the agent edits."""
        return self.colleagues.plan

    async def standing(self) -> tuple[Sequence[object], Sequence[object], dict[str, int]]:
        """Whatever a write could leave: changes, proposals that wait, and leases that live."""
        return list(await self.bob.feed()), list(await self.bob.pending_proposals()), self.leases.live()


Circumstances = Callable[[Stage], AbstractAsyncContextManager[Answer]]
"""What keeps the edit from being made while the block lasts; yields how the model comes to call for it."""


@asynccontextmanager
async def checked_out(stage: Stage) -> AsyncIterator[Answer]:
    """R-03."""
    await stage.bob.checks_out(stage.plan)
    yield stage.colleagues.edit(1)


@asynccontextmanager
async def checked_out_in_suggest_mode(stage: Stage) -> AsyncIterator[Answer]:
    """R-03, R-12, N-24: it would have been proposed."""
    await stage.bob.checks_out(stage.plan)
    await stage.colleagues.alice.commit(SetThreadMode(thread_id=stage.colleagues.thread.id, mode=ThreadMode.SUGGEST))
    yield stage.colleagues.edit(1)


@asynccontextmanager
async def edited_by_a_person(stage: Stage) -> AsyncIterator[Answer]:
    """R-04."""
    async with edited_by(stage.bob, stage) as answer:
        yield answer


@asynccontextmanager
async def edited_by_another_agent(stage: Stage) -> AsyncIterator[Answer]:
    """R-04: whoever holds it."""
    identity = agent(stage.bob.identity.tenant, "thr_other")
    async with participant(stage.files.address, identity, stage.bob.workspace) as other, edited_by(other, stage) as it:
        yield it


@asynccontextmanager
async def edited_by(who: Participant, stage: Stage) -> AsyncIterator[Answer]:
    """An edit of theirs that does not end before the block does."""
    editing = asyncio.ensure_future(who.edits(stage.plan, 1, ("hang", {})))

    async def holding() -> bool:
        return stage.plan in stage.leases.live()

    async def free() -> bool:
        return stage.plan not in stage.leases.live()

    await stage.eventually(holding)
    yield stage.colleagues.edit(1)
    editing.cancel()
    with suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
        await editing
    await stage.eventually(free)


@asynccontextmanager
async def lapsed_under_the_edit(stage: Stage) -> AsyncIterator[Answer]:
    """R-05: the edit's own lease is gone by its commit, and nobody else has one."""

    def at(stage_of_the_edit: str) -> None:
        if stage_of_the_edit == "batch.applied":
            stage.leases.lapse()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "failpoint", at)
        yield stage.colleagues.edit(1)


@asynccontextmanager
async def refused_by_the_app(stage: Stage) -> AsyncIterator[Answer]:
    """R-06, F-08: the batch's first command alone would have been applied."""
    commands = [
        {"command": "append_paragraph", "arguments": {"text": "The end."}},
        {"command": "refuse", "arguments": {"why": "it is Sunday"}},
    ]
    yield call("edit_native", artifact_id=stage.plan, base_version=1, commands=commands, summary="ends the plan")


@asynccontextmanager
async def an_app_that_hangs(stage: Stage) -> AsyncIterator[Answer]:
    """R-07."""
    yield stage.colleagues.edit(1, "hang")


@asynccontextmanager
async def an_app_that_crashes(stage: Stage) -> AsyncIterator[Answer]:
    """R-07."""
    yield stage.colleagues.edit(1, "crash")


@asynccontextmanager
async def too_large(stage: Stage) -> AsyncIterator[Answer]:
    """R-07: what the batch would make is over the limit."""
    large = await stage.bob.has_file("x" * 600_000)
    yield stage.colleagues.edit(1, "append_paragraph", artifact_id=large, text="x" * 600_000)


@asynccontextmanager
async def stale(stage: Stage) -> AsyncIterator[Answer]:
    """R-08."""
    await stage.bob.edits(stage.plan, 1, append("The end."))
    yield stage.colleagues.edit(1)


@asynccontextmanager
async def switched_off_within_the_step(stage: Stage) -> AsyncIterator[Answer]:
    """R-09: after the step's tools were offered."""

    async def ada_switches_it_off() -> Sequence[ToolCallPart]:
        await stage.ada.switches(FAKEAPP, on=False)
        return stage.colleagues.edit(1)

    yield ada_switches_it_off


@asynccontextmanager
async def unknown(stage: Stage) -> AsyncIterator[Answer]:
    """R-10."""
    yield stage.colleagues.edit(1, artifact_id="art_none")


@asynccontextmanager
async def archived(stage: Stage) -> AsyncIterator[Answer]:
    """R-10."""
    await stage.colleagues.alice.commit(ArchiveArtifact(artifact_id=stage.plan, base_version=1))
    yield stage.colleagues.edit(2)


@asynccontextmanager
async def of_another_kind(stage: Stage) -> AsyncIterator[Answer]:
    """R-10: a structured artifact is no file."""
    brief = await stage.planning.creates(Brief(text="Launch on 17 February."))
    yield stage.colleagues.edit(1, artifact_id=brief)


RESULTS: Sequence[tuple[Circumstances, str, str]] = [
    (checked_out, "success", "is checked out by Bob"),
    (checked_out_in_suggest_mode, "success", "is checked out by Bob"),
    (edited_by_a_person, "retried", "is held by Bob until"),
    (edited_by_another_agent, "retried", "is held by Assistant until"),
    (lapsed_under_the_edit, "retried", "was busy"),
    (refused_by_the_app, "retried", "command 1 of the batch, refuse: it is Sunday"),
    (an_app_that_hangs, "failed", "Nothing was changed; the same call will fail again."),
    (an_app_that_crashes, "failed", "Nothing was changed; the same call will fail again."),
    (too_large, "failed", "Nothing was changed; the same call will fail again."),
    (stale, "retried", "is at version 2, not 1. Read the artifact again, then retry."),
    (switched_off_within_the_step, "retried", f"{FAKEAPP} is off in this workspace"),
    (unknown, "retried", "there is no artifact art_none"),
    (archived, "retried", "archived"),
    (of_another_kind, "retried", "no native file"),
]

RECORDED = {"success": ToolStatus.OK, "retried": ToolStatus.RETRY, "failed": ToolStatus.ERROR}


@pytest.fixture
def stage(
    colleagues: Colleagues,
    bob: Participant,
    switches: Administrator,
    leases: LeaseRows,
    files_server: BoundServer,
    planning: Planning,
    eventually: Eventually,
) -> Stage:
    return Stage(
        colleagues=colleagues,
        bob=bob,
        ada=switches,
        leases=leases,
        files=files_server,
        planning=planning,
        eventually=eventually,
    )


@pytest.mark.parametrize(
    ("circumstances", "outcome", "told"), RESULTS, ids=lambda it: it.__name__ if callable(it) else ""
)
async def test_an_edit_that_cannot_be_made_is_told_and_leaves_nothing(
    stage: Stage, circumstances: Circumstances, outcome: str, told: str
) -> None:
    """R-03 to R-10, R-11, RE-03: no change, no proposal, no lease; the run goes on, and so does the next one."""
    async with circumstances(stage) as answer:
        before = await stage.standing()
        script = await stage.colleagues.ask(answer, "I see.")
        assert await stage.standing() == before
    (returned,) = script.asked[1].returns
    assert returned.outcome == outcome
    assert told in returned.text
    assert [it.status for it in await stage.colleagues.returned()] == [RECORDED[outcome]]
    assert (await stage.colleagues.ended()).status is RunStatus.COMPLETED


async def test_the_answer_to_a_check_out_names_who_by_their_name_and_until_when_in_any_time_zone(
    colleagues: Colleagues, bob: Participant
) -> None:
    """R-13: an absolute time with its offset; a name for people, no id."""
    lent = await bob.checks_out(colleagues.plan)
    script = await colleagues.ask(colleagues.edit(1), "I will wait.")
    text = script.asked[1].returns[0].text
    assert "by Bob until" in text
    until = datetime.fromisoformat(text.partition(" until ")[2].partition(". ")[0])
    assert until.tzinfo is not None
    assert until.timestamp() == lent.expire_time.seconds


async def test_a_run_that_met_a_check_out_hears_of_the_check_in_and_plans_again(
    colleagues: Colleagues, bob: Participant
) -> None:
    """R-14, A-10, CN-02: within the same run, though it had not read the file and nobody watches the log."""
    lent = await bob.checks_out(colleagues.plan)

    async def bob_checks_in() -> Sequence[ToolCallPart]:
        await bob.checks_in(lent, document("Launch on 17 February.", "Legal agreed."), summary="Legal agreed")
        return call("list_artifacts")

    read = call("read_native", artifact_id=colleagues.plan)
    script = await colleagues.ask(colleagues.edit(1), bob_checks_in, read, colleagues.edit(2), "Moved.")
    [note] = script.asked[2].prompts
    assert "Bob changed" in note
    assert "Legal agreed" in note
    assert "Legal agreed." in script.asked[3].returns[0].text
    assert await colleagues.text() == "Launch on 3 March.\nLegal agreed."
    assert [it.status for it in await colleagues.returned()] == [ToolStatus.OK] * 4
