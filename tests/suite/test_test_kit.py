"""The test kit, as far as the example's tests do not show it, on the suite of the session."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from artifactr import Applied, ArtifactWorkspace, Runner, Session, TextArtifact
from artifactr.core.events import MessagePosted, RunEnded, ToolStatus
from artifactr.files.tools import native_file_tools
from artifactr.testing import Lattice, Script, call
from artifactr.testing.lattice import joined
from lattice_cli.suite import Suite
from pydantic_ai import Agent
from suite.agent.guide import Guide

pytestmark = [pytest.mark.xdist_group("suite"), pytest.mark.long]


class Memo(TextArtifact):
    """A text."""


@pytest.fixture
async def lattice(suite: Suite) -> AsyncIterator[Lattice]:
    """As the plugin has it, in processes that serve other tests too."""
    async with joined(suite) as lattice:
        yield lattice


async def test_an_administrator_takes_the_tools_of_an_app_away(lattice: Lattice, corpus: Path) -> None:
    """A-02, I-12: by the switch that people use, on real documents."""
    alice, script = lattice.user(), Script()
    document = (corpus / "c05-comments-simple-word.docx").read_bytes()
    uploaded = await lattice.files.upload(alice.caller, "contract.docx", document)
    assert isinstance(uploaded, Applied)
    agent = Agent(
        script.model,
        deps_type=Session[None],
        toolsets=[native_file_tools(lattice.files)],
        capabilities=[ArtifactWorkspace()],
    )
    script.add(call("read_native", artifact_id=uploaded.artifact_id), "Read.", "I cannot.")
    async with lattice.running(Runner(agent, app=None)) as runner:
        thread = await alice.create_thread("Contract")
        for switched_on in (True, False):
            await lattice.administrator.switch("files:wordcraft", on=switched_on, reason="audit")
            sent = await runner.send(alice, thread.id, "Read.")
            assert sent.run is not None
            await sent.run.wait()
    assert [("read_native" in asked.tools) for asked in script.asked] == [True, True, False]
    (read,) = await lattice.log.calls()
    assert (read.tool_name, read.status) == ("read_native", ToolStatus.OK)
    assert uploaded.artifact_id in read.arguments
    assert read.answer.startswith(uploaded.artifact_id)


async def test_the_types_of_a_runner_are_registered_while_it_runs(lattice: Lattice) -> None:
    """AT-01."""
    agent = Agent(Script().model, deps_type=Session[None], capabilities=[ArtifactWorkspace(types=[Memo])])
    async with lattice.running(Runner(agent, app=None)):
        outcome = await lattice.user().commit(Memo(text="Remember.").create())
    assert isinstance(outcome, Applied)
    assert (await lattice.user("bob", "Robert").get(Memo, outcome.artifact_id)).text == "Remember."


async def test_waiting_for_an_entry_in_vain_says_what_there_is(lattice: Lattice) -> None:
    alice = lattice.user()
    thread = await alice.create_thread("Launch")
    await alice.post_message(thread.id, "Anybody there?")
    posted = await lattice.log.wait_for(MessagePosted, lambda it: "Anybody" in it.content)
    assert posted.thread_id == thread.id
    with pytest.raises(AssertionError, match=r"no RunEnded(.|\n)*Anybody there\?"):
        await lattice.log.wait_for(RunEnded, within=timedelta(milliseconds=10))


async def test_workspaces_of_two_tests_know_nothing_of_each_other(lattice: Lattice, suite: Suite) -> None:
    """TN-02."""
    await lattice.user().create_thread("Launch")
    async with joined(suite) as other:
        assert await other.log.entries() == []
    assert len(await lattice.log.entries()) == 1


async def test_the_guides_own_test_passes(lattice: Lattice, monkeypatch: pytest.MonkeyPatch) -> None:
    """RN-22, RN-23: on the application that the guide builds."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")  # which pydantic-ai wants for the name of the guide's model
    names = await Guide().application(SearchClient=object)
    await Guide().run("Testing an application", names)
    await names["test_a_task_is_added"](lattice, Script())
