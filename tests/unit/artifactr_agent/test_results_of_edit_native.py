"""How each result of edit_native reaches the model, and what the record says of it (domain, section 25.1)."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from artifactr.core.commands import SetThreadMode
from artifactr.core.events import ArtifactChanged, RunStatus, ThreadMode, ToolCalled, ToolReturned, ToolStatus
from artifactr.testing import call
from lattice_chassis.errors import PeerUnavailable
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.rejections import (
    AppCrashed,
    AppRefused,
    AppTimeout,
    ArtifactBusy,
    FileTooLarge,
    InvalidState,
    NotEnabled,
    QuotaExceeded,
    StaleClaim,
)
from pydantic_ai import ToolCallPart
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

UNTIL = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)


def edit(base_version: int = 1, artifact_id: str = ARTIFACT) -> list[ToolCallPart]:
    commands = [{"command": "replace_text", "arguments": {"old": "17 February", "new": "3 March"}}]
    return call(
        "edit_native", artifact_id=artifact_id, base_version=base_version, commands=commands, summary="moved the launch"
    )


def busy(lease_kind: str | None) -> ArtifactBusy:
    holder = Actor(kind=ActorKind.USER, id="bob", name="Bob")
    if lease_kind is None:
        return ArtifactBusy(artifact_id=ARTIFACT)
    return ArtifactBusy(artifact_id=ARTIFACT, lease_kind=lease_kind, holder=holder, until=UNTIL)


async def test_an_applied_edit_is_answered_with_the_new_version(conversation: Conversation) -> None:
    """R-01, MP-14, X-03: the change is on the log between the call and its return."""
    script = await conversation.ask(edit(), "Done.")
    assert "version 2" in script.asked[1].returns[0].text
    kinds = [type(event) for event in await conversation.events()]
    positions = [kinds.index(kind) for kind in (ToolCalled, ArtifactChanged, ToolReturned)]
    assert positions == sorted(positions)
    assert [returned.status for returned in await conversation.returned()] == [ToolStatus.OK]


async def test_commands_go_to_files_as_one_batch_on_the_version_or_the_proposal_that_was_read(
    conversation: Conversation,
) -> None:
    """A-07, F-11."""
    commands = [{"command": "replace_text", "arguments": {"old": "17"}}, {"command": "insert_table"}]
    given = {"artifact_id": ARTIFACT, "commands": commands, "summary": "moved the launch"}
    batch = call("edit_native", **given, base_version=1)
    anew = call("edit_native", **given, base_version=2, base_proposal="prp_1")
    await conversation.ask(batch, anew, "Done.")
    first, second = conversation.brief.edits
    assert [it.command for it in first.commands] == ["replace_text", "insert_table"]
    assert (first.base_version, first.summary, first.base_proposal) == (1, "moved the launch", "")
    workspace = f"tenants/{conversation.alice.tenant}/workspaces/{conversation.alice.workspace}"
    assert (second.base_version, second.base_proposal) == (2, f"{workspace}/proposals/prp_1")


async def test_an_edit_by_policy_is_answered_with_the_proposal(conversation: Conversation) -> None:
    """R-02."""
    conversation.brief.proposes = True
    script = await conversation.ask(edit(), "Proposed.")
    assert "prp_1" in script.asked[1].returns[0].text
    assert [returned.status for returned in await conversation.returned()] == [ToolStatus.OK]


async def test_in_suggest_mode_every_edit_must_become_a_proposal(conversation: Conversation) -> None:
    """TH-02, AMB-19."""
    await conversation.alice.commit(SetThreadMode(thread_id=conversation.thread.id, mode=ThreadMode.SUGGEST))
    await conversation.ask(edit(), "Proposed.")
    assert conversation.brief.edits[0].context.must_propose


async def test_a_check_out_is_an_answer_that_names_who_and_until_when(conversation: Conversation) -> None:
    """R-03, R-13, R-14, N-24: no retry is asked, nothing is queued, and the file is followed from then on."""
    conversation.brief.refusals.append(busy("checkout"))
    script = await conversation.ask(edit(), "I will wait.")
    answer = script.asked[1].returns[0]
    assert answer.outcome == "success"
    assert "Bob" in answer.text
    assert "2026-11-30T14:05:00+00:00" in answer.text
    assert [returned.status for returned in await conversation.returned()] == [ToolStatus.OK]
    assert len(conversation.brief.edits) == 1
    assert conversation.brief.version == 1
    assert (await conversation.alice.thread(conversation.thread.id)).focus == (ARTIFACT,)


@pytest.mark.parametrize("lease_kind", ["edit", None], ids=["R-04", "R-05"])
async def test_a_lease_that_lasts_seconds_or_has_ended_asks_for_a_retry(
    conversation: Conversation, lease_kind: str | None
) -> None:
    """R-04, R-05."""
    conversation.brief.refusals.append(busy(lease_kind))
    script = await conversation.ask(edit(), edit(), "Done.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert [returned.status for returned in await conversation.returned()] == [ToolStatus.RETRY, ToolStatus.OK]


async def test_what_the_app_refuses_asks_for_a_retry_with_its_reason(conversation: Conversation) -> None:
    """R-06."""
    conversation.brief.refusals.append(AppRefused(why="the text occurs twice", command="replace_text", index=0))
    script = await conversation.ask(edit(), "I give up.")
    answer = script.asked[1].returns[0]
    assert answer.outcome == "retried"
    assert "replace_text" in answer.text
    assert "the text occurs twice" in answer.text


FAILURES = [
    AppTimeout(),
    AppCrashed(),
    FileTooLarge(size=60, limit=50),
    QuotaExceeded(quota="storage", limit=50),
    PeerUnavailable(peer="integrations"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda it: type(it).__name__)
async def test_a_failure_of_the_app_or_a_peer_fails_the_call_and_the_run_goes_on(
    conversation: Conversation, failure: Exception
) -> None:
    """R-07, SE-06, AMB-03."""
    conversation.brief.refusals.append(failure)
    script = await conversation.ask(edit(), "It failed.")
    assert script.asked[1].returns[0].outcome == "failed"
    assert [returned.status for returned in await conversation.returned()] == [ToolStatus.ERROR]
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_a_stale_base_asks_to_read_again(conversation: Conversation) -> None:
    """R-08, GT-03: with the seed's hint."""
    conversation.brief.version = 4
    script = await conversation.ask(edit(base_version=3), "I will.")
    answer = script.asked[1].returns[0]
    assert answer.outcome == "retried"
    assert "Read the artifact again, then retry." in answer.text


async def test_an_app_that_was_switched_off_within_the_step_asks_for_a_retry(conversation: Conversation) -> None:
    """R-09, AMB-21: the write is refused; with the next request the tools are gone."""

    async def switch_off_and_edit() -> Sequence[ToolCallPart]:
        conversation.brief.enabled = False
        return edit()

    conversation.brief.refusals.append(NotEnabled(key="files:fake"))
    script = await conversation.ask(switch_off_and_edit, "It is off.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert "edit_native" in script.asked[0].tools
    assert "edit_native" not in script.asked[1].tools


async def test_an_unknown_artifact_asks_for_a_retry_and_is_not_followed(conversation: Conversation) -> None:
    """R-10."""
    script = await conversation.ask(edit(artifact_id="art_none"), "There is none.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert "art_none" in script.asked[1].returns[0].text
    assert (await conversation.alice.thread(conversation.thread.id)).focus == ()


async def test_an_archived_artifact_asks_for_a_retry(conversation: Conversation) -> None:
    """R-10."""
    conversation.brief.refusals.append(InvalidState(why="art_brief is archived"))
    script = await conversation.ask(edit(), "It is archived.")
    assert script.asked[1].returns[0].outcome == "retried"


async def test_beyond_five_retries_the_call_fails_and_the_run_goes_on(conversation: Conversation) -> None:
    """AMB-18."""
    conversation.brief.refusals.extend(busy("edit") for _ in range(6))
    script = await conversation.ask(*[edit() for _ in range(6)], "It stays busy.")
    statuses = [returned.status for returned in await conversation.returned()]
    assert statuses == [ToolStatus.RETRY] * 5 + [ToolStatus.ERROR]
    assert script.asked[6].returns[0].outcome == "failed"
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_an_overtaken_run_fails_at_its_next_write(conversation: Conversation) -> None:
    """MP-21, RN-14: a stale claim asks for no retry."""
    conversation.brief.refusals.append(StaleClaim(scope=conversation.thread.id))
    await conversation.ask(edit())
    assert (await conversation.ended()).status is RunStatus.FAILED


async def test_every_write_carries_the_fence_and_an_id_of_its_call(conversation: Conversation) -> None:
    """MP-20, MP-21: two calls never share a request id, even where the model repeats a tool call id."""
    first, second = edit(1)[0], edit(2)[0]
    first.tool_call_id = second.tool_call_id = "the_same"
    await conversation.ask([first], [second], "Done.")
    contexts = [request.context for request in conversation.brief.edits]
    assert len({context.request_id for context in contexts}) == 2
    assert {context.fence.scope for context in contexts} == {conversation.thread.id}
    assert all(context.fence.token > 0 for context in contexts)
    assert conversation.brief.version == 3
