"""How an application is tested on Lattice: its agent with a scripted model, beside people, on the real services."""

from datetime import date

import pytest
from artifactr import Applied, Runner, Workspace
from artifactr.core import AnswerDeferred
from artifactr.core.events import ArtifactChanged, RunEnded, RunPaused, RunStatus
from artifactr.core.threads import Thread
from artifactr.testing import Lattice, Log, Script, call
from checklist import Announcements, Checklist, Item
from pydantic_ai import DeferredToolRequests

ChecklistRunner = Runner[Announcements, str | DeferredToolRequests]


@pytest.fixture
async def thread(user: Workspace) -> Thread:
    return await user.create_thread("Launch")


@pytest.fixture
async def checklist(user: Workspace, runner: ChecklistRunner) -> str:
    """The id of a list that Alice keeps; the runner has its type registered."""
    outcome = await user.commit(Checklist(launch=date(2027, 3, 1), items={"Press kit": Item(owner="Bob")}).create())
    assert isinstance(outcome, Applied)
    return outcome.artifact_id


async def says(runner: ChecklistRunner, user: Workspace, thread: Thread, words: str) -> str:
    """Send a message that starts a run, wait until it finishes or pauses, and answer its id."""
    sent = await runner.send(user, thread.id, words)
    assert sent.run is not None
    await sent.run.wait()
    return sent.run.run_id


async def test_an_item_is_added_in_the_agents_name(
    runner: ChecklistRunner, user: Workspace, thread: Thread, checklist: str, script: Script, log: Log
) -> None:
    script.add(call("add_item", checklist_id=checklist, title="Legal review", owner="Eve"), "Eve has it.")

    run_id = await says(runner, user, thread, "Eve does the legal review.")

    assert (await user.get(Checklist, checklist)).items["Legal review"].owner == "Eve"
    (added,) = await log.calls(run_id=run_id)
    assert added.answer == f"Done. {checklist} is now at version 2."
    (changed,) = await log.events(ArtifactChanged, run_id=run_id)
    assert changed.summary == "added Legal review"
    assert (await user.artifact(checklist)).updated_by.display_name == "checklist keeper"


async def test_a_date_after_the_launch_is_told_to_the_model_which_tries_again(
    runner: ChecklistRunner, user: Workspace, thread: Thread, checklist: str, script: Script
) -> None:
    late, in_time = ({"checklist_id": checklist, "title": "Party", "due": it} for it in ("2027-03-02", "2027-03-01"))
    script.add(call("add_item", **late), call("add_item", **in_time), "It is on the day itself.")

    await says(runner, user, thread, "We need a party.")

    assert "due after the launch on 2027-03-01: Party" in script.asked[1].returns[0].text
    assert script.asked[2].returns[0].outcome == "success"


async def test_who_owns_an_item_is_asked(
    runner: ChecklistRunner, user: Workspace, thread: Thread, checklist: str, script: Script, log: Log
) -> None:
    script.add(call("ask_user", question="Who writes it?", choices=["Bob", "Eve"]))
    run_id = await says(runner, user, thread, "We need a blog post.")
    paused = await log.wait_for(RunPaused)

    script.add(call("add_item", checklist_id=checklist, title="Blog post", owner="Bob"), "Bob writes it.")
    (question,) = paused.requests
    answered = await runner.answer(
        user, AnswerDeferred(run_id=run_id, tool_call_id=question.tool_call_id, answer="Bob")
    )
    assert answered.run is not None
    await answered.run.wait()

    assert script.asked[1].returns[0].text == "Bob"
    assert (await user.get(Checklist, checklist)).items["Blog post"].owner == "Bob"


@pytest.mark.parametrize(("approved", "sent"), [(True, ["We launch!"]), (False, [])])
async def test_nothing_is_announced_without_leave(
    runner: ChecklistRunner,
    user: Workspace,
    thread: Thread,
    script: Script,
    announcements: Announcements,
    approved: bool,
    sent: list[str],
) -> None:
    script.add(call("announce", text="We launch!"), "So be it.")
    run_id = await says(runner, user, thread, "Announce it.")
    assert announcements.sent == []

    (request,) = (await user.run(run_id)).open_requests
    answered = await runner.answer(
        user, AnswerDeferred(run_id=run_id, tool_call_id=request.tool_call_id, approved=approved)
    )
    assert answered.run is not None
    await answered.run.wait()

    assert announcements.sent == sent


async def test_the_agent_hears_what_people_do_while_it_is_away(
    lattice: Lattice, runner: ChecklistRunner, user: Workspace, thread: Thread, checklist: str, script: Script, log: Log
) -> None:
    script.add(call("read_artifact", artifact_id=checklist), "One thing is open.", "Then we are done.")
    await says(runner, user, thread, "How far are we?")

    bob = lattice.user("bob")
    items = await bob.get(Checklist, checklist)
    assert isinstance(await bob.commit(items.edit(lambda it: it.finish("Press kit"))), Applied)
    await says(runner, user, thread, "And now?")

    note = f"Bob changed {checklist} (checklist, v1 → v2): finished Press kit"
    assert script.asked[-1].notes == [note]
    assert await log.notes(thread.id) == [note]
    assert [it.status for it in await log.events(RunEnded)] == [RunStatus.COMPLETED] * 2
