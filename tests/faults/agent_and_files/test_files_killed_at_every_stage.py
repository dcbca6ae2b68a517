"""files killed at every stage of its writes while an agent's run works on it, and what two replicas make of it."""

import ast
import asyncio
import os
import sys
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import lattice_files
import pytest
from artifactr.agent import load_history
from artifactr.core import AnswerDeferred
from artifactr.core.commands import SetThreadMode
from artifactr.core.events import ThreadMode
from artifactr.core.rejections import ThreadBusy
from faults.agent_and_files.drafting import WRITES, Brief, make_runner, mark_of
from faults.agent_and_files.mortal import mortal_files
from faults.agent_and_files.replicas import THREAD, Replica, replica
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturnPart, UserPromptPart, repair_messages
from service.files.conftest import MakeSettings
from service.files.people import Participant, participant, user

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

WHOLE = "LATTICE_SOAK" in os.environ
"""Whether files dies at every stage at each time that a run reaches it, or at a few of them."""

MOST_TIMES = 9
"""How often a run reaches a stage at the most."""

FIRST, STEERING, LAST = "Draft it.", "Is it done yet?", "Anything else?"
"""What is said: before the run, while files is away under it, and after it."""

DEADLINE = 90
"""Seconds until all of it is done."""


def stages_of_the_code() -> list[str]:
    """The stages that files names, in the order of their names: a new one cannot be forgotten here."""
    named = set()
    for path in Path(lattice_files.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "failpoint":
                named.add(ast.literal_eval(node.args[0]))
    return sorted(named)


def cases() -> list[tuple[str, int]]:
    """At which stage, and at which time that it is reached, files dies."""
    if WHOLE:
        return [(stage, time) for stage in stages_of_the_code() for time in range(1, MOST_TIMES + 1)]
    return [(stage, 1 + number % 2) for number, stage in enumerate(stages_of_the_code())][::5]


@asynccontextmanager
async def two_replicas(urls: DatabaseUrls, files: str, tenant: str) -> AsyncIterator[Sequence[Replica]]:
    """Two replicas, each with somebody who watches."""
    async with replica(urls, files, tenant, make_runner) as one, replica(urls, files, tenant, make_runner) as other:
        yield one, other


async def wants_it_done(one: Replica, other: Replica) -> None:
    """Have the work done: by one replica up to the question, by the other after its answer; then ask for more."""
    await one.alice.create_thread("Launch", thread_id=THREAD)
    sent = await one.runner.send(one.alice, THREAD, FIRST)
    assert sent.run is not None
    await sent.run.wait()
    (asked,) = (await one.alice.run(sent.run.run_id)).pending
    await other.reaches_files()
    await other.alice.commit(SetThreadMode(thread_id=THREAD, mode=ThreadMode.SUGGEST))
    yes = AnswerDeferred(run_id=sent.run.run_id, tool_call_id=asked.tool_call_id, answer="Yes.")
    resumed = (await other.runner.answer(other.alice, yes)).run
    assert resumed is not None
    await resumed.wait()
    await one.runner.send(one.alice, THREAD, LAST)  # the other may hold the thread yet, and takes it then
    await one.has_seen(lambda log: sum(it.HasField("run_ended") for it in log) == 2)


@pytest.fixture(scope="module")
async def reached(agent_urls: DatabaseUrls, server: BoundServer) -> Counter[str]:
    """How often a run that nothing disturbs reaches each stage; files knows the agent's type from then on."""
    counted: Counter[str] = Counter()
    tenant = f"tenant-{uuid.uuid4().hex}"
    async with two_replicas(agent_urls, server.address, tenant) as (one, other), one.workspaces.registering([Brief]):
        with pytest.MonkeyPatch.context() as patch:
            for module in [it for name, it in sys.modules.items() if name.startswith("lattice_files.")]:
                if hasattr(module, "failpoint"):
                    patch.setattr(module, "failpoint", lambda stage: counted.update([stage]))
            await wants_it_done(one, other)
    return counted


def test_a_run_reaches_every_stage_of_files(reached: Counter[str]) -> None:
    """B-06: so each is one at which files dies under a run; the whole of them is killed at each of its times."""
    assert sorted(reached) == stages_of_the_code()
    assert max(reached.values()) == MOST_TIMES


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("stage", "time"), cases(), ids=str)
async def test_whatever_stage_files_dies_at_the_run_goes_on_and_nothing_is_lost_or_done_twice(
    agent_urls: DatabaseUrls,
    server: BoundServer,
    make_settings: MakeSettings,
    *,
    tmp_path: Path,
    reached: Counter[str],
    eventually: Eventually,
    stage: str,
    time: int,
) -> None:
    """X-01 to X-03, R-07, R-11, MP-10, MP-14, MP-16, MP-20, TH-05, TH-08, HI-06, RE-01, B-06: a power cut for files."""
    if time > reached[stage]:
        pytest.skip(f"a run reaches this stage {reached[stage]} times")
    tenant = f"tenant-{uuid.uuid4().hex}"
    settings = make_settings(edit="3s", edit_lease="4s")
    async with AsyncExitStack() as stack:
        files = await stack.enter_async_context(mortal_files(settings, tmp_path, dies_at=f"{stage}:{time}"))
        one, other = await stack.enter_async_context(two_replicas(agent_urls, files.address, tenant))
        ann = await stack.enter_async_context(participant(server.address, user(tenant, "ann"), "main"))
        async with asyncio.timeout(DEADLINE):
            working = asyncio.create_task(wants_it_done(one, other))
            dying = asyncio.create_task(files.dies())
            await asyncio.wait([working, dying], return_when=asyncio.FIRST_COMPLETED)
            assert dying.done(), f"it was to die while the run works: {working}"
            await one.has_seen(lambda log: any(it.tool_returned.status == log_pb.TOOL_STATUS_ERROR for it in log))
            await other.runner.send(other.alice, THREAD, STEERING)
            await files.comes_back()
            await working

            head = await one.alice.head()
            for it in (one, other):
                await it.has_seen(lambda log: len(log) >= head)
        assert one.log == other.log
        assert [it.wire for it in one.seen] == [it.wire for it in await other.alice.read()]
        history = await load_history(one.alice, THREAD)
        said = [FIRST, STEERING, LAST]
        require_sound(one.log, said)
        require_each_change_once(one.log, await ann.feed())
        require_calls(one.log)
        require_told(one.log, history, said)
        await require_free(ann, one, eventually)


def require_sound(log: Sequence[log_pb.LogEntry], said: Sequence[str]) -> None:
    """One order without gaps, each message once, and two runs that have completed."""
    assert [it.log_sequence for it in log] == list(range(1, len(log) + 1))
    posted = [it.message_posted.content for it in log if it.HasField("message_posted") and it.actor.HasField("user")]
    assert posted == list(said)
    facts = [it.WhichOneof("event") for it in log]
    segments = [it for it in facts if it in {"run_started", "run_paused", "run_ended"}]
    assert segments == ["run_started", "run_paused", "run_started", "run_ended", "run_started", "run_ended"]
    assert {it.run_ended.status for it in log if it.HasField("run_ended")} == {runs_pb.RUN_STATUS_COMPLETED}


def require_each_change_once(log: Sequence[log_pb.LogEntry], feed: Sequence[Any]) -> None:
    """Every change of files is on the log once, in its order."""
    assert [it.change_sequence for it in feed] == list(range(1, len(feed) + 1))
    assert [it.change_sequence for it in log if it.change_sequence] == [it.change_sequence for it in feed]
    assert [it.entry_id for it in log if it.change_sequence] == [it.change_id for it in feed]


def require_calls(log: Sequence[log_pb.LogEntry]) -> None:
    """What a call did lies between its call and its return; one of unknown outcome did it once at the most."""
    done = {mark: it.log_sequence for it in log if (mark := mark_of(it)) is not None}
    assert len(done) == sum(mark_of(it) is not None for it in log), "no call has two effects"
    called = {it.tool_called.tool_call_id: it.log_sequence for it in log if it.HasField("tool_called")}
    assert done.keys() <= called.keys()
    for entry in log:
        returned = entry.tool_returned
        if not entry.HasField("tool_returned") or returned.tool_name not in WRITES:
            continue
        mark = returned.tool_call_id
        if returned.status == log_pb.TOOL_STATUS_OK:
            assert called[mark] < done[mark] < entry.log_sequence
        elif returned.status == log_pb.TOOL_STATUS_RETRY:
            assert mark not in done
        else:
            assert done.get(mark, entry.log_sequence) > called[mark]


def require_told(log: Sequence[log_pb.LogEntry], history: Sequence[ModelMessage], said: Sequence[str]) -> None:
    """The history takes a prompt, knows each message once, and tells of each call that failed that it did."""
    parts = [part for message in history for part in message.parts]
    assert [part for message in repair_messages(list(history)) for part in message.parts] == parts
    prompts = Counter(str(it.content) for it in parts if isinstance(it, UserPromptPart))
    assert {words: prompts[words] for words in said} == dict.fromkeys(said, 1)
    returns = {it.tool_call_id: it for it in parts if isinstance(it, ToolReturnPart)}
    assert {it.tool_call_id for it in parts if isinstance(it, ToolCallPart)} == returns.keys()
    failed = [it.tool_returned for it in log if it.tool_returned.status == log_pb.TOOL_STATUS_ERROR]
    assert any("files cannot be reached" in it.summary for it in failed)
    for it in failed:
        assert returns[it.tool_call_id].outcome == "failed"
        assert it.summary.rstrip("…") in returns[it.tool_call_id].model_response_str(wrap_if_error=False)


async def require_free(ann: Participant, one: Replica, eventually: Eventually) -> None:
    """Nobody holds a file or the thread."""
    files = [it.artifact_created.artifact_id for it in one.log if it.artifact_created.kind.startswith("native_")]

    async def free() -> bool:
        return not any([(await ann.lease_of(it)).HasField("lease") for it in files])

    async def can_be_claimed() -> bool:
        with suppress(ThreadBusy):
            await one.alice.release_claim(await one.alice.claim_thread(THREAD, holder="somebody else"))
            return True
        return False

    await eventually(free)
    await eventually(can_be_claimed)
