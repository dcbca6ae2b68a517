"""files and integrations away under an agent: before a turn starts, and while its run lasts."""

from collections.abc import Sequence
from pathlib import Path

from artifactr.core import AnswerDeferred
from artifactr.core.events import RunStatus
from artifactr.testing import Script, call
from faults.agent_and_files.mortal import MortalFiles
from faults.agent_and_files.replicas import THREAD
from faults.agent_and_files.stage import Stage, prompts, told
from faults.held_back import proxy_to
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from pydantic_ai import ToolCallPart
from service.files.conftest import MakeSettings


async def test_a_message_that_finds_files_away_is_kept_whole_and_taken_once_it_is_back(
    stage: Stage, files: MortalFiles
) -> None:
    """TH-10, MP-15, TH-08, CN-11: nothing starts, nothing is consumed; the run then hears all that it missed."""
    script = Script([stage.read, "Read.", "I heard both.", "No."])
    one = await stage.replica(script, files=files.address)
    await one.run("Please read.")
    await files.goes_away()
    await stage.changes("agreed")
    before = await one.alice.thread(THREAD)
    for words in ("Go on.", "Are you there?"):
        assert (await one.runner.send(one.alice, THREAD, words)).run is None
    assert len(await one.alice.runs(thread_id=THREAD)) == 1
    assert len(script.asked) == 2
    after = await one.alice.thread(THREAD)
    assert (after.taken, after.notes_through) == (before.taken, before.notes_through)
    await files.comes_back()
    await one.reaches_files()
    await one.run("And now?")
    asked = [it for it in await prompts(one) if not it.startswith("<workspace-changes>")]
    assert asked == ["Please read.", "Go on.", "Are you there?", "And now?"]
    assert ["agreed" in line for line in await told(one)] == [True]


async def test_an_answer_that_finds_files_away_is_kept_and_resumes_the_run_once_it_is_back(
    stage: Stage, files: MortalFiles
) -> None:
    """TH-10, MP-15, PA-05, PA-07: it stays paused with all its answers, and goes on with the next command."""
    script = Script([call("ask_user", question="When?"), "In May."])
    one = await stage.replica(script, files=files.address)
    await one.run("Please ask.")
    await files.goes_away()
    ((_, paused),) = await one.alice.runs(thread_id=THREAD)
    answer = AnswerDeferred(run_id=paused.id, tool_call_id=paused.pending[0].tool_call_id, answer="May")
    assert (await one.runner.answer(one.alice, answer)).run is None
    run = await one.alice.run(paused.id)
    assert (run.status, run.open_requests) == (RunStatus.PAUSED, ())
    await files.comes_back()
    await one.reaches_files()
    one.runner.take_up(one.alice, THREAD)
    await one.has_seen(lambda log: any(it.HasField("run_ended") for it in log))
    assert [it.text for it in script.asked[1].returns] == ["May"]


async def test_a_run_under_which_files_goes_away_is_told_and_ends_by_itself(stage: Stage, files: MortalFiles) -> None:
    """R-07, R-11, AMB-03, AMB-04, IN-01: its calls fail, its request says what cannot be shown, and nothing is left."""

    async def files_goes_away() -> Sequence[ToolCallPart]:
        await files.goes_away()
        return stage.edit(1)

    script = Script([stage.read, files_goes_away, "I could not.", stage.edit(1), "Added."])
    one = await stage.replica(script, files=files.address)
    await one.run()
    (failed,) = script.asked[2].returns
    assert failed.outcome == "failed"
    assert "files cannot be reached" in failed.text
    assert f"{stage.plan} is followed but cannot be shown now: files cannot be reached." in script.asked[2].instructions
    assert "edit_native" not in script.asked[2].tools
    assert statuses(one.log) == [log_pb.TOOL_STATUS_OK, log_pb.TOOL_STATUS_ERROR]
    assert [run.status for _, run in await one.alice.runs(thread_id=THREAD)] == [RunStatus.COMPLETED]
    assert len(await stage.bob.feed()) == 1
    await files.comes_back()
    await one.reaches_files()
    await one.run()
    assert (await stage.bob.sees(stage.plan)).version == 2


async def test_while_integrations_is_away_an_edit_fails_the_call_and_takes_no_lease(
    stage: Stage, make_settings: MakeSettings, integrations: BoundServer, tmp_path: Path
) -> None:
    """R-07, R-11, AMB-03, AMB-04, N-04: the run goes on, without the tools, which nobody can tell to be on."""
    async with (
        proxy_to(integrations.address) as proxy,
        running(make_settings(integrations=proxy.address, spool=tmp_path)) as own,
    ):

        async def integrations_goes_away() -> Sequence[ToolCallPart]:
            proxy.hold()
            return stage.edit(1)

        async def integrations_comes_back() -> Sequence[ToolCallPart]:
            proxy.release()
            return call("list_artifacts")

        script = Script([integrations_goes_away, integrations_comes_back, stage.edit(1), "Added."])
        one = await stage.replica(script, files=own.address)
        await one.run()
        (failed,) = script.asked[1].returns
        assert failed.outcome == "failed"
        assert "cannot be reached" in failed.text
        assert "edit_native" not in script.asked[1].tools
        assert "edit_native" in script.asked[2].tools
        assert statuses(one.log) == [log_pb.TOOL_STATUS_ERROR, log_pb.TOOL_STATUS_OK, log_pb.TOOL_STATUS_OK]
        lease = await stage.bob.lease_of(stage.plan)
        assert (lease.HasField("lease"), lease.token_counter) == (False, 1)
        assert (await stage.bob.sees(stage.plan)).version == 2


def statuses(log: Sequence[log_pb.LogEntry]) -> list[int]:
    """How each call went."""
    return [it.tool_returned.status for it in log if it.HasField("tool_returned")]
