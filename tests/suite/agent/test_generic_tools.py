"""The generic tools on the real files service, with types of an application's own."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from artifactr import Applied, Artifact, ArtifactWorkspace, Proposed, TextArtifact, Workspaces
from artifactr.core import AcceptProposal, CreateArtifact, RejectProposal, SetFocus, SetThreadMode
from artifactr.core.actors import AgentActor, agent_of
from artifactr.core.events import (
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    FocusChanged,
    ProposalCreated,
    RunStatus,
    ThreadMode,
    ToolCalled,
    ToolReturned,
    ToolStatus,
)
from artifactr.core.patches import TextEdit, TextEdits
from artifactr.core.proposals import ProposalState
from artifactr.core.rejections import ValidationFailed
from artifactr.testing import call
from pydantic import field_validator
from pydantic_ai import ToolCallPart
from suite.agent.planning import Brief, Plan, Planning, ReleaseNotes, creation

GENERIC = {"list_artifacts", "read_artifact", "create_artifact", "edit_text", "archive_artifact"}


async def test_every_agent_has_them_and_their_definitions_never_change(planning: Planning) -> None:
    """GT-01, IN-04: the same to the letter whatever the thread follows by then."""
    brief = await planning.creates(Brief(text="Launch in May."))
    script = await planning.ask(call("read_artifact", artifact_id=brief), "Read.")
    assert script.asked[0].tools == GENERIC
    assert script.asked[0].definitions == script.asked[1].definitions
    (create,) = [it for it in script.asked[0].definitions if it.name == "create_artifact"]
    assert all(json.dumps(it.json_schema()) in str(create.description) for it in (Plan, Brief, ReleaseNotes))
    assert create.parameters_json_schema["properties"]["kind"]["enum"] == ["plan", "brief", "release_notes"]


async def test_an_agent_creates_what_its_application_knows(planning: Planning) -> None:
    """GT-05, TH-03, AC-06, X-03: attributed to its run, followed, and on the log before the return of the call."""
    script = await planning.ask(call("create_artifact", kind="plan", data={"title": "Launch"}), "Created.")
    (created,) = [it for it in await planning.log() if isinstance(it.event, ArtifactCreated)]
    assert isinstance(created.event, ArtifactCreated)
    assert created.event.artifact_id in script.asked[1].returns[0].text
    assert await planning.focus() == (created.event.artifact_id,)
    assert isinstance(created.actor, AgentActor)
    assert (created.thread_id, created.run_id) == (planning.thread.id, created.actor.run_id)
    plan = await planning.alice.get(Plan, created.event.artifact_id)
    assert (plan.title, plan.tasks, plan.version) == ("Launch", {}, 1)
    kinds = [type(event) for event in await planning.events()]
    places = [kinds.index(kind) for kind in (ToolCalled, ArtifactCreated, FocusChanged, ToolReturned)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("poem", {}, "poem"),
        ("plan", {}, "title"),
        ("plan", {"title": "x", "owner": "bob"}, "owner"),
        ("plan", {"title": "x", "tasks": {"t1": {"title": "y", "owner": "bob"}}}, "tasks/t1/owner"),
    ],
)
async def test_what_cannot_be_created_asks_for_a_retry_that_says_why(
    planning: Planning, kind: str, data: dict[str, object], why: str
) -> None:
    """GT-03, AT-02: nothing is left of it."""
    script = await planning.ask(call("create_artifact", kind=kind, data=data), "I see.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert why in script.asked[1].returns[0].text
    assert not await planning.alice.artifacts()


async def test_all_artifacts_are_listed_however_large_they_are(planning: Planning) -> None:
    """GT-01: files cuts its pages by their bytes, too."""
    created = [await planning.creates(Brief(text="x" * 900_000)) for _ in range(6)]
    assert len(await planning.alice.artifacts()) < len(created)
    script = await planning.ask(call("list_artifacts"), "Six.")
    listed = script.asked[1].returns[0].text
    assert listed.splitlines() == [f"{it} (brief, v1)" for it in created]


async def test_a_passage_is_replaced_on_the_version_as_it_is(planning: Planning) -> None:
    """GT-01, TH-03: with the summary that was given; the artifact is followed, and shown with the next request."""
    brief = await planning.creates(Brief(text="Launch in May."))
    await planning.changes_text(brief, "Launch in June.")
    edit = call("edit_text", artifact_id=brief, old="June", new="July", summary="moved the launch")
    script = await planning.ask(edit, "Moved.")
    assert "version 3" in script.asked[1].returns[0].text
    assert (await planning.alice.get(Brief, brief)).text == "Launch in July."
    summaries = [it.summary for it in await planning.events() if isinstance(it, ArtifactChanged)]
    assert summaries[-1] == "moved the launch"
    assert await planning.focus() == (brief,)
    assert (
        f'<artifact id="{brief}" kind="brief" version="3">\nLaunch in July.\n</artifact>'
        in script.asked[1].instructions
    )


async def test_a_passage_that_is_not_there_once_asks_for_a_retry(planning: Planning) -> None:
    """AT-11, GT-03: nothing is changed or followed."""
    brief = await planning.creates(Brief(text="May, May."))
    script = await planning.ask(call("edit_text", artifact_id=brief, old="May", new="June"), "I see.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert "2 times" in script.asked[1].returns[0].text
    assert (await planning.alice.get(Brief, brief)).version == 1
    assert await planning.focus() == ()


async def test_beyond_five_refusals_the_call_fails_and_the_run_goes_on(planning: Planning) -> None:
    """AMB-18, GT-03: as with the tools for native files."""
    again = call("edit_text", artifact_id="art_none", old="May", new="June")
    await planning.ask(*[again] * 6, "There is none.")
    assert [it.status for it in await planning.returned()] == [ToolStatus.RETRY] * 5 + [ToolStatus.ERROR]
    assert (await planning.ended()).status is RunStatus.COMPLETED


async def test_an_artifact_is_archived_and_then_neither_listed_nor_changed(planning: Planning) -> None:
    """TH-03, AT-15: archiving and listing follow nothing."""
    brief = await planning.creates(Brief(text="Launch in May."))
    script = await planning.ask(
        call("archive_artifact", artifact_id=brief),
        call("list_artifacts"),
        call("edit_text", artifact_id=brief, old="May", new="June"),
        call("read_artifact", artifact_id=brief),
        "Archived.",
    )
    returns = [asked.returns[0] for asked in script.asked[1:]]
    assert "version 2" in returns[0].text
    assert brief not in returns[1].text
    assert returns[2].outcome == "retried"
    assert returns[3].text.startswith(f"{brief} (brief, v2, archived)")
    assert [it.artifact_id for it in await planning.events() if isinstance(it, ArtifactArchived)] == [brief]
    assert await planning.focus() == (brief,)
    assert 'archived="true"' in script.asked[4].instructions


async def test_an_agent_sees_artifacts_as_their_types_say(planning: Planning) -> None:
    """AT-07, IN-02: the same in the instructions; with all that the class knows, be it stored or a default."""
    plan = await planning.alice.commit(creation(title="Größe"))
    assert not isinstance(plan, Proposed)
    script = await planning.ask(call("read_artifact", artifact_id=plan.artifact_id), "Read.")
    rendered = '{\n  "title": "Größe",\n  "tasks": {}\n}'
    element = f'<artifact id="{plan.artifact_id}" kind="plan" version="1">\n{rendered}\n</artifact>'
    assert script.asked[1].returns[0].text == f"{plan.artifact_id} (plan, v1)\n{element}"
    assert element in script.asked[1].instructions
    assert "plan, brief, release_notes" in script.asked[0].instructions


async def test_what_a_class_would_refuse_is_shown_as_it_is_stored(planning: Planning, workspaces: Workspaces) -> None:
    """AT-02, AT-07: its validators are stricter than its schema, which is what other clients meet."""

    class Slogan(Artifact):
        words: str

        @field_validator("words")
        @classmethod
        def _loud(cls, words: str) -> str:
            if not words.endswith("!"):
                raise ValueError("is not loud")
            return words

    async with workspaces.registering([Slogan]):
        created = await planning.alice.commit(CreateArtifact(kind="slogan", data={"words": "Hush."}))
    assert isinstance(created, Applied)
    with pytest.raises(ValidationFailed, match="not loud"):
        await planning.alice.get(Slogan, created.artifact_id)
    script = await planning.ask(call("read_artifact", artifact_id=created.artifact_id), "Read.", types=[Slogan])
    assert '"words": "Hush."' in script.asked[1].returns[0].text
    assert '"words": "Hush."' in script.asked[1].instructions


async def test_a_long_artifact_is_clipped_in_the_instructions_and_read_whole(planning: Planning) -> None:
    """IN-03: 3,999 characters and an ellipsis."""
    brief = await planning.creates(Brief(text="a" * 5_000))
    script = await planning.ask(call("read_artifact", artifact_id=brief), "Read.")
    assert script.asked[1].returns[0].text.count("a" * 5_000) == 1
    assert "\n" + "a" * 3_999 + "…\n" in script.asked[1].instructions


async def test_the_instructions_say_one_thing_after_another(planning: Planning) -> None:
    """IN-02, IN-01: introduction, suggest mode, kinds, what the thread follows in its order, own proposals."""
    await planning.alice.commit(SetThreadMode(thread_id=planning.thread.id, mode="suggest"))
    first, second = await planning.creates(Brief(text="one")), await planning.creates(Plan(title="two"))
    await planning.alice.commit(SetFocus(thread_id=planning.thread.id, artifact_ids=(second, first)))
    script = await planning.ask(call("edit_text", artifact_id=first, old="one", new="three"), "Proposed.")
    parts = ["people", "suggest mode", "plan, brief, release_notes", f'id="{second}"', f'id="{first}"', "await review"]
    places = [script.asked[1].instructions.index(part) for part in parts]
    assert places == sorted(places)
    assert "await review" not in script.asked[0].instructions


async def test_an_empty_workspace_is_said_to_be_empty(planning: Planning) -> None:
    """GT-01."""
    script = await planning.ask(call("list_artifacts"), call("list_artifacts", kind="brief"), "Nothing.")
    assert [asked.returns[0].text for asked in script.asked[1:]] == ["There are no artifacts."] * 2


def test_two_types_of_one_kind_are_refused_when_the_agent_is_set_up() -> None:
    """AT-01: it could not be told which is which."""
    with pytest.raises(ValueError, match="brief"):
        ArtifactWorkspace(types=[Plan, Brief, type("Brief", (TextArtifact,), {"__module__": __name__})])


async def test_by_policy_an_agent_proposes_and_goes_on(planning: Planning) -> None:
    """PR-10, CM-06, TH-03, AC-05: an edit is followed, what is only to be created is not; people's changes apply."""
    notes = await planning.creates(ReleaseNotes(text="New: nothing."))
    script = await planning.ask(
        call("edit_text", artifact_id=notes, old="nothing", new="plans", rationale="they are new"),
        call("create_artifact", kind="release_notes", data={"text": "More."}),
        "Both proposed.",
    )
    created = [it for it in await planning.events() if isinstance(it, ProposalCreated)]
    assert [it.rationale for it in created] == ["they are new", ""]
    for asked, proposal in zip(script.asked[1:], created, strict=True):
        assert proposal.proposal_id in asked.returns[0].text
        assert asked.returns[0].outcome == "success"
    assert (await planning.ended()).status is RunStatus.COMPLETED
    assert (await planning.alice.get(ReleaseNotes, notes)).version == 1
    assert await planning.focus() == (notes,)


async def test_what_awaits_review_stands_in_the_instructions_until_it_is_answered(planning: Planning) -> None:
    """PR-11, IN-02: last, and only the agent's own."""
    notes = await planning.creates(ReleaseNotes(text="New: nothing."))
    edit = call(
        "edit_text", artifact_id=notes, old="nothing", new="plans", summary="named it", rationale="they are new"
    )
    alices = await planning.alice.propose((await planning.alice.get(ReleaseNotes, notes)).archive(), "of no use")
    script = await planning.ask(edit, "Proposed.")
    (own,) = await planning.alice.proposals(proposer=agent_of(planning.thread.id))
    last, closing = script.asked[1].instructions.splitlines()[-2:]
    assert closing == "</proposals>"
    assert last == f"- {own.id} for {notes}: named it (they are new)"
    assert alices.proposal_id not in script.asked[1].instructions
    await planning.alice.commit(RejectProposal(proposal_id=own.id, reason="not before the beta"))
    after = await planning.ask("I see.")
    assert own.id not in after.asked[0].instructions
    told = after.asked[0].prompts[-1]
    assert f"Alice rejected your proposal {own.id} for {notes}: not before the beta" in told


async def test_a_decision_with_changes_reaches_the_agent_as_one_note(planning: Planning) -> None:
    """CN-07, CN-09, AC-07, PR-07: what the person altered is described; the change itself is not told again."""
    notes = await planning.creates(ReleaseNotes(text="New: nothing."))
    await planning.ask(call("edit_text", artifact_id=notes, old="nothing", new="plans"), "Proposed.")
    (own,) = await planning.alice.proposals(state=ProposalState.PENDING)
    changes = TextEdits(edits=[TextEdit(old="plans", new="plans and briefs")])
    resolved = await planning.alice.commit(AcceptProposal(proposal_id=own.id, changes=changes))
    assert (resolved.proposal_id, resolved.version) == (own.id, 2)
    script = await planning.ask("I see.")
    (note,) = [it for it in script.asked[0].prompts[-1].splitlines() if it.startswith("- ")]
    assert f"accepted your proposal {own.id} for {notes}, now v2, with changes: text: 1 replacement" in note
    assert (await planning.alice.get(ReleaseNotes, notes)).text == "New: plans and briefs."


async def test_in_suggest_mode_every_change_of_the_agent_is_proposed(planning: Planning) -> None:
    """CM-06, TH-02, AMB-19: of every type, and it is told so; a person's changes apply."""
    await planning.alice.commit(SetThreadMode(thread_id=planning.thread.id, mode="suggest"))
    assert (await planning.alice.thread(planning.thread.id)).mode is ThreadMode.SUGGEST
    brief = await planning.creates(Brief(text="Launch in May."))
    script = await planning.ask(
        [
            *call("edit_text", artifact_id=brief, old="May", new="June"),
            *call("archive_artifact", artifact_id=brief),
            *call("create_artifact", kind="plan", data={"title": "x"}),
        ],
        "Suggested.",
    )
    assert "suggest mode" in script.asked[0].instructions
    pending = await planning.alice.proposals(state=ProposalState.PENDING)
    assert sorted(it.thread_id for it in pending) == [planning.thread.id] * 3
    assert (await planning.alice.get(Brief, brief)).version == 1


async def test_it_proposes_where_it_asks_to(planning: Planning) -> None:
    """GT-05, PR-10: though the type's policy would apply the change."""
    brief = await planning.creates(Brief(text="Launch in May."))
    edit = call("edit_text", artifact_id=brief, old="May", new="June", propose=True, rationale="May is full")
    await planning.ask(edit, "Proposed.")
    (proposal,) = await planning.alice.proposals(artifact_id=brief)
    assert (proposal.state, proposal.rationale) == (ProposalState.PENDING, "May is full")
    assert proposal.summary == "text: 1 replacement"


async def test_calls_that_run_at_once_each_make_their_own_write(planning: Planning) -> None:
    """MP-20, RE-01: none is taken for a repeat of another, each is on the record once."""
    titles = [f"Plan {number}" for number in range(8)]
    calls = [part for title in titles for part in call("create_artifact", kind="plan", data={"title": title})]
    await planning.ask(calls, "Created.")
    plans = await asyncio.gather(*(planning.alice.get(Plan, it.id) for it in await planning.alice.artifacts("plan")))
    assert sorted(plan.title for plan in plans) == titles
    assert [it.status for it in await planning.returned()] == [ToolStatus.OK] * 8


async def test_a_change_between_reading_and_writing_asks_to_read_again(planning: Planning) -> None:
    """GT-03, CM-07: by a tool that keeps what it read; the hint is part of the retry."""
    brief = await planning.creates(Brief(text="Launch in May."))

    async def alice_is_faster() -> Sequence[ToolCallPart]:
        await planning.changes_text(brief, "Launch in June.")
        return call("edit_text", artifact_id=brief, old="May", new="July")

    script = await planning.ask(call("read_artifact", artifact_id=brief), alice_is_faster, "I see.")
    assert script.asked[2].returns[0].outcome == "retried"
    assert "not in the text" in script.asked[2].returns[0].text
    assert "Alice changed" in script.asked[2].prompts[-1]
