"""The agent's edits on the real files service: applied, proposed, refused by a check-out, stale, failed by the app."""

from collections.abc import Sequence

from artifactr.core.actors import AgentActor
from artifactr.core.changes import AcceptProposal
from artifactr.core.commands import SetThreadMode
from artifactr.core.events import ArtifactChanged, ProposalCreated, ThreadMode, ToolStatus
from artifactr.core.proposals import ProposalState
from artifactr.testing import call
from pydantic_ai import ToolCallPart
from suite.agent.colleagues import Colleagues, document


async def test_an_agent_edits_a_file_after_it_read_it(colleagues: Colleagues) -> None:
    """A-09, R-01, AC-06, F-09: attributed to its run on the log, and to its name inside the document."""
    read = call("read_native", artifact_id=colleagues.plan)
    script = await colleagues.ask(read, colleagues.edit(1), "Moved.")
    assert "17 February" in script.asked[1].returns[0].text
    assert await colleagues.text() == "Launch on 3 March.\nLegal agrees."
    (changed,) = [it for it in await colleagues.alice.read() if isinstance(it.event, ArtifactChanged)]
    assert isinstance(changed.actor, AgentActor)
    assert changed.actor.run_id == changed.run_id != ""
    review = await colleagues.files.read_review(colleagues.alice.caller, colleagues.plan, start=0, max_items=50)
    assert {item.author for item in review.items} == {"assistant"}


async def test_in_suggest_mode_an_edit_is_proposed_and_nothing_changes(colleagues: Colleagues) -> None:
    """A-09, R-02, R-12, TH-02."""
    await colleagues.alice.commit(SetThreadMode(thread_id=colleagues.thread.id, mode=ThreadMode.SUGGEST))
    script = await colleagues.ask(colleagues.edit(1), "Proposed.")
    (created,) = [it for it in await colleagues.events() if isinstance(it, ProposalCreated)]
    assert created.proposal_id in script.asked[1].returns[0].text
    assert await colleagues.version() == 1


async def test_an_agent_builds_on_what_it_proposed_before(colleagues: Colleagues) -> None:
    """A-07, F-11: the new proposal has both edits, and takes the place of the first."""
    await colleagues.alice.commit(SetThreadMode(thread_id=colleagues.thread.id, mode=ThreadMode.SUGGEST))
    await colleagues.ask(colleagues.edit(1), "Proposed.")
    (first,) = await colleagues.alice.proposals()
    commands = [{"command": "replace_text", "arguments": {"old": "3 March", "new": "4 March"}}]
    more = {"artifact_id": colleagues.plan, "base_version": 1, "commands": commands, "summary": "a day later"}
    await colleagues.ask(call("edit_native", **more, base_proposal=first.id), "Proposed anew.")
    (second,) = await colleagues.alice.proposals(state=ProposalState.PENDING)
    assert second.id != first.id
    await colleagues.alice.commit(AcceptProposal(proposal_id=second.id))
    assert await colleagues.text() == "Launch on 4 March.\nLegal agrees."


async def test_a_check_out_is_respected_and_its_check_in_is_told(colleagues: Colleagues) -> None:
    """A-09, A-10, R-03, R-11, CN-02: nothing is queued; the next run hears of the check-in and edits anew."""
    lent = await colleagues.files.check_out(colleagues.alice.caller, colleagues.plan)
    script = await colleagues.ask(colleagues.edit(1), "I will wait.")
    answer = script.asked[1].returns[0]
    assert answer.outcome == "success"
    assert "Alice" in answer.text
    assert lent.until.isoformat(timespec="seconds") in answer.text
    assert [returned.status for returned in await colleagues.returned()] == [ToolStatus.OK]
    assert not [it for it in await colleagues.events() if isinstance(it, ProposalCreated | ArtifactChanged)]

    copy = document("Launch on 17 February.", "Legal agreed.")
    applied = await colleagues.files.check_in(colleagues.alice.caller, lent, copy, summary="Legal agreed")
    assert applied.version == 2
    after = await colleagues.ask(colleagues.edit(2), "Moved.", words="Go on.")
    assert "Alice changed" in after.asked[0].prompts[-1]
    assert "Legal agreed" in after.asked[0].prompts[-1]
    assert await colleagues.version() == 3


async def test_what_a_person_commits_while_a_run_lasts_is_in_its_next_request(colleagues: Colleagues) -> None:
    """CN-02, CN-12, MP-15: also while nobody watches the log, and while the model makes its last answer."""

    async def alice_checks_in(words: str) -> None:
        lent = await colleagues.files.check_out(colleagues.alice.caller, colleagues.plan)
        await colleagues.files.check_in(colleagues.alice.caller, lent, document(words), summary=words)

    async def in_the_middle() -> Sequence[ToolCallPart]:
        await alice_checks_in("Legal agreed.")
        return call("list_artifacts")

    async def at_the_end() -> str:
        await alice_checks_in("Launched.")
        return "Done."

    script = await colleagues.ask(call("read_artifact", artifact_id=colleagues.plan), in_the_middle, at_the_end, "Yes.")
    told = [[words for words in asked.prompts if words.startswith("<workspace-changes>")] for asked in script.asked]
    assert [len(notes) for notes in told] == [0, 0, 1, 1]
    assert "v1 → v2): Legal agreed." in told[2][0]
    assert "v2 → v3): Launched." in told[3][0]


async def test_a_stale_edit_reads_again_and_retries(colleagues: Colleagues) -> None:
    """A-09, R-08: nothing of the stale one is left."""

    async def alice_was_faster() -> Sequence[ToolCallPart]:
        lent = await colleagues.files.check_out(colleagues.alice.caller, colleagues.plan)
        copy = document("Launch on 17 February.", "Legal agreed.")
        await colleagues.files.check_in(colleagues.alice.caller, lent, copy)
        return colleagues.edit(1)

    script = await colleagues.ask(alice_was_faster, colleagues.edit(2), "Moved.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert await colleagues.text() == "Launch on 3 March.\nLegal agreed."
    assert [returned.status for returned in await colleagues.returned()] == [ToolStatus.RETRY, ToolStatus.OK]


async def test_a_model_sees_a_page_and_the_apps_commands(colleagues: Colleagues) -> None:
    """A-06, A-08."""
    look = call("view_page", artifact_id=colleagues.plan, page=1)
    script = await colleagues.ask(look, call("find_commands", query="replace words"), "Seen.")
    assert script.asked[1].returns[0].content[1].media_type == "image/png"
    assert "replace_text" in script.asked[2].returns[0].text
