"""Notes while files' feed comes late, twice or broken off: none is skipped, and none is told twice [29.4]."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from artifactr import Session, open_workspaces
from artifactr.core import AnswerDeferred, SetFocus, SetThreadMode
from artifactr.core.actors import UserActor
from artifactr.core.events import RunStatus, ThreadMode
from artifactr.testing import Answer, Script, call
from faults.agent_and_files.mortal import MortalFiles
from faults.agent_and_files.replicas import CONTRACTS, THREAD, Replica
from faults.agent_and_files.stage import Stage, told
from faults.held_back import proxy_to
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_chassis.channels import channel
from pydantic_ai import AgentRunResult, RunContext, ToolCallPart
from pydantic_ai.capabilities import Hooks, WrapRunHandler
from service.files.structured import accepts


async def on_the_log(one: Replica, change_sequence: int) -> None:
    """Return once the change was taken up."""
    await one.has_seen(lambda log: any(it.change_sequence == change_sequence for it in log))


async def require_told_once(one: Replica, *words: str) -> None:
    """See that the notes are about exactly these, each once; and that another run adds nothing."""
    lines = await told(one)
    said = [it for line in lines for it in line.partition(": ")[2].split("; ")]
    assert sorted(said) == sorted(words)
    await one.run("Anything else?")
    *_, (_, last) = await one.alice.runs(thread_id=THREAD)
    assert last.status is RunStatus.COMPLETED
    assert await told(one) == lines


def then(work: Callable[[], Coroutine[Any, Any, object]], reply: str = "") -> Answer:
    """An answer of the model's before which something happens: a call that changes nothing, unless it is a reply."""

    async def answered() -> str | Sequence[ToolCallPart]:
        await work()
        return reply or call("list_artifacts")

    return answered


def once_it_has_listened(work: Callable[[], Coroutine[Any, Any, object]]) -> Hooks[Session[None]]:
    """Has something happen after the last look of the first run, before its end is recorded."""
    to_do = [work]

    async def run(_: RunContext[Session[None]], *, handler: WrapRunHandler) -> AgentRunResult[Any]:
        result = await handler()
        while to_do:
            await to_do.pop()()
        return result

    return Hooks(run=run)


async def test_ingestion_held_back_across_the_end_of_a_run_delays_a_note_and_skips_none(stage: Stage) -> None:
    """MP-17, CN-12, CN-13, X-05: the change is committed while the run lasts, and taken up after it has ended."""
    async with proxy_to(stage.files.address) as proxy:

        async def bob_changes_it_unheard() -> None:
            proxy.hold()
            changes.append(await stage.changes("agreed"))

        changes: list[int] = []
        script = Script([stage.read, "Read.", "I heard.", "No."])
        one = await stage.replica(script, once_it_has_listened(bob_changes_it_unheard), files=proxy.address)
        await one.run()
        assert changes[0] not in {it.change_sequence for it in one.log}
        assert await told(one) == []
        proxy.release()
        await on_the_log(one, changes[0])
        await one.run()
        assert "agreed" in script.asked[2].prompts[-1]
        await require_told_once(one, "agreed")


async def test_a_change_between_the_last_look_and_the_end_of_a_run_is_told_by_the_next(stage: Stage) -> None:
    """CN-12, CN-13, HI-04, X-04, X-05: it is on the log before the end of the run that has not heard it."""

    async def bob_changes_it() -> None:
        await on_the_log(one, await stage.changes("agreed"))

    script = Script([stage.read, "Read.", "I heard.", "No."])
    one = await stage.replica(script, once_it_has_listened(bob_changes_it))
    await one.run()
    facts = [it.WhichOneof("event") for it in one.log]
    assert facts.index("artifact_changed") < facts.index("run_ended")
    assert (await one.alice.thread(THREAD)).notes_through <= facts.index("artifact_changed")
    assert await told(one) == []
    await one.run()
    assert "agreed" in script.asked[2].prompts[-1]
    await require_told_once(one, "agreed")


async def test_an_own_proposal_that_is_accepted_within_the_run_is_one_note(stage: Stage) -> None:
    """CN-05, CN-07, CN-09, CN-10, MP-12, X-05: two replicas take it up, and the change is not told beside it."""

    async def bob_accepts() -> None:
        (proposal,) = await stage.bob.pending_proposals()
        await on_the_log(one, (await accepts(stage.bob, proposal.proposal_id)).change_sequence)

    script = Script([stage.edit(1), then(bob_accepts), "Thanks.", "No."])
    one, other = await stage.replica(script), await stage.replica(script)
    await one.alice.commit(SetThreadMode(thread_id=THREAD, mode=ThreadMode.SUGGEST))
    await one.run()
    (note,) = await told(one)
    assert "Bob accepted your proposal" in note
    await other.run("And now?")
    assert await told(one) == [note]


async def test_what_changes_during_a_pause_is_told_with_the_answers_in_one_request(stage: Stage) -> None:
    """CN-02, PA-05, X-05: whichever replica the run goes on in."""
    script = Script([[*stage.read, *call("ask_user", question="When?")], "In May.", "No."])
    one, other = await stage.replica(script), await stage.replica(script)
    await one.run()
    await stage.changes("agreed")
    ((_, paused),) = await one.alice.runs(thread_id=THREAD)
    answer = AnswerDeferred(run_id=paused.id, tool_call_id=paused.pending[0].tool_call_id, answer="May")
    await other.runner.answer(other.alice, answer)
    await one.has_seen(lambda log: any(it.HasField("run_ended") for it in log))
    assert "May" in [it.text for it in script.asked[1].returns]
    assert "agreed" in script.asked[1].prompts[-1]
    await require_told_once(one, "agreed")


async def test_what_a_failed_run_was_told_the_next_one_is_not_told_again(stage: Stage) -> None:
    """HI-03, CN-11, CN-14, X-05: and it is told what came after the last request of the failed one."""

    async def bob_changes_it() -> None:
        await on_the_log(one, await stage.changes("agreed"))

    async def the_model_fails() -> str:
        await on_the_log(one, await stage.changes("moved"))
        raise RuntimeError("the model is gone")

    script = Script([stage.read, then(bob_changes_it), the_model_fails, "I heard.", "No."])
    one = await stage.replica(script)
    await one.run()
    assert [it.run_ended.status for it in one.log if it.HasField("run_ended")] == [runs_pb.RUN_STATUS_FAILED]
    assert ["agreed" in line for line in await told(one)] == [True]
    await one.run()
    assert "moved" in script.asked[3].prompts[-1]
    assert "agreed" not in script.asked[3].prompts[-1]
    await require_told_once(one, "agreed", "moved")


async def test_two_replicas_that_take_up_the_feed_at_once_tell_each_change_once(stage: Stage) -> None:
    """MP-11, X-01, X-02, X-05: while somebody watches through each, and the run moves from one to the other."""
    words = [f"change {number}" for number in range(8)]
    waiting = list(words)

    async def bob_changes_it_twice() -> None:
        for _ in range(2):
            await stage.changes(waiting.pop(0))

    twice, and_is_done = then(bob_changes_it_twice), then(bob_changes_it_twice, "Done.")
    script = Script([stage.read, twice, twice, "Done.", twice, and_is_done, "I heard.", "No.", "No."])
    one, other = await stage.replica(script), await stage.replica(script)
    await one.run()
    await other.run()
    await one.run()
    assert not waiting
    await require_told_once(one, *words)
    await other.has_seen(lambda log: len(log) == len(one.log))
    assert one.log == other.log
    assert [it.log_sequence for it in one.log] == list(range(1, len(one.log) + 1))
    assert [it.change_sequence for it in one.log if it.change_sequence] == list(range(1, len(words) + 2))


async def test_files_restarted_in_the_middle_of_its_stream_loses_and_repeats_no_note(
    stage: Stage, files: MortalFiles
) -> None:
    """MP-16, CN-11, X-02, X-05: what was changed before, while it was away, and after."""

    async def files_is_killed_and_comes_back() -> None:
        await on_the_log(one, await stage.changes("before"))
        await files.goes_away()
        await stage.changes("while it was away")
        await files.comes_back()
        back = await stage.changes("after")
        for it in (one, other):
            await on_the_log(it, back)

    script = Script([stage.read, then(files_is_killed_and_comes_back), "I heard.", "No."])
    one = await stage.replica(script, files=files.address)
    other = await stage.replica(script, files=files.address)
    await one.run()
    await one.reaches_files()
    await require_told_once(one, "before", "while it was away", "after")


async def test_an_artifact_that_is_followed_from_within_a_run_on_is_told_of_from_then_on(stage: Stage) -> None:
    """CN-03, CN-15, X-05: by the order of the log, so also what was changed before and taken up after."""
    async with (
        proxy_to(stage.files.address) as proxy,
        channel(stage.files.address, CONTRACTS) as files,
        open_workspaces(stage.urls.service, files) as workspaces,
    ):
        ann = workspaces.open(stage.bob.identity.tenant, "main", UserActor(id="ann", name="Ann"))

        async def it_is_followed_meanwhile() -> None:
            await on_the_log(one, await stage.changes("too early"))
            proxy.hold()
            late = await stage.changes("taken up after")
            await ann.commit(SetFocus(thread_id=THREAD, artifact_ids=(stage.plan,)))
            proxy.release()
            await on_the_log(one, late)
            await on_the_log(one, await stage.changes("in time"))

        script = Script([call("list_artifacts"), then(it_is_followed_meanwhile), "I heard.", "No."])
        one = await stage.replica(script, files=proxy.address)
        await one.run()
        await require_told_once(one, "taken up after", "in time")
