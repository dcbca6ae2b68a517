"""The agent service killed at every step of a run, its pauses and answers, and what two other replicas make of it."""

import ast
import asyncio
import itertools
import json
import os
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import artifactr
import grpc
import pytest
from artifactr import Workspace, Workspaces, open_workspaces
from artifactr.agent import load_history
from artifactr.core.actors import UserActor
from faults.agent import stepwise_agent
from faults.agent.program import Program
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, proposals_service_pb2
from lattice_agent.main import MIGRATIONS, running
from lattice_agent.settings import AgentSettings
from lattice_chassis import failpoints
from lattice_chassis.channels import channel
from lattice_chassis.identity import Identity
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from pydantic import SecretStr
from pydantic_ai.messages import ToolCallPart, ToolReturnPart, UserPromptPart, repair_messages
from service.agent.agent_people import Person, fresh, person
from service.agent.scripted_files import ScriptedFiles, serving_files

WHOLE = "LATTICE_SOAK" in os.environ
"""Whether every step is killed at each of its first four times, or every second one at one of the first two."""

FILES = [it.DESCRIPTOR for it in (artifacts_service_pb2, changes_service_pb2, proposals_service_pb2)]
DEADLINE = 60
T = TypeVar("T")


def steps_of_the_code() -> list[str]:
    """The steps that artifactr names, in the order of their names: a new one cannot be forgotten here."""
    named = set()
    for path in Path(artifactr.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "failpoint":
                named.add(ast.literal_eval(node.args[0]))
    return sorted(named)


def cases() -> list[tuple[str, int]]:
    """At which step, and at which time that it is reached, the process dies."""
    reached = Counter({"turn.replied": 1, "write.committed": 2, "message.committed": 2, "answer.committed": 2})
    sample = [(step, 1 + number % 2) for number, step in enumerate(steps_of_the_code())][::2]
    times = [(step, time) for step in steps_of_the_code() for time in range(1, 5)] if WHOLE else sample
    return sorted({(step, min(time, reached[step] or time)) for step, time in times})


@pytest.fixture(scope="module")
async def urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture(scope="module")
def scripted_files() -> ScriptedFiles:
    """Empty feeds."""
    return ScriptedFiles()  # type: ignore[abstract]  # the calls that it does not serve are UNIMPLEMENTED


@pytest.fixture(scope="module")
async def files(scripted_files: ScriptedFiles) -> AsyncIterator[BoundServer]:
    """Files with these feeds."""
    async with serving_files(scripted_files) as server:
        yield server


@pytest.fixture
async def workspaces(urls: DatabaseUrls, files: BoundServer) -> AsyncIterator[Workspaces]:
    async with channel(files.address, FILES) as opened, open_workspaces(urls.service, opened) as workspaces:
        yield workspaces


@pytest.fixture
def effects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which the agent's tools add a line for whatever they do."""
    effects = tmp_path / "effects"
    effects.touch()
    monkeypatch.setenv(stepwise_agent.EFFECTS, str(effects))
    return effects


class Died(Exception):
    """The only process that was there is gone."""


@dataclass
class Client:
    """Somebody who wants it done.

    They repeat what got no answer, answer what is asked, and say it again where a run failed.
    """

    replicas: list[Person]
    died: Callable[[], bool]
    said: list[str] = field(default_factory=list)
    _requests: dict[str, str] = field(default_factory=dict)

    async def wants_it_done(self) -> None:
        """Do whatever the thread waits for, until a run has done all of its steps."""
        await self.says(self.said[-1] if self.said else "go")
        while True:
            runs = await self.call("", lambda who, _: who.runs_of_the_thread()) or []
            newest = runs[-1] if runs else runs_pb.Run()
            match newest.status:
                case runs_pb.RUN_STATUS_COMPLETED:
                    return
                case runs_pb.RUN_STATUS_FAILED:
                    await self.says(f"go on, try {len(runs)}")
                case runs_pb.RUN_STATUS_PAUSED if newest.pending:
                    await self.answers(newest, newest.pending[0])
            await asyncio.sleep(0.05)

    async def says(self, words: str) -> None:
        """Send a message, or send it again."""
        if words not in self.said:
            self.said.append(words)
        await self.call(words, lambda who, request_id: who.sends(words, request_id=request_id))

    async def answers(self, run: runs_pb.Run, asked: runs_pb.DeferredRequest) -> None:
        """The first question by an answer, the second by a message, the approval by leave."""
        if "Where" in asked.arguments_json:
            await self.says(f"In Berlin, for {asked.tool_call_id}.")
            return
        answer = runs_pb.AnswerDeferredRequest(name=run.name, tool_call_id=asked.tool_call_id)
        if asked.kind == runs_pb.DEFERRED_KIND_APPROVAL:
            answer.approved = True
        else:
            answer.answer = "On Monday."

        async def call(who: Person, request_id: str) -> None:
            answer.request_id = request_id
            await who.runs.AnswerDeferred(answer)

        await self.call(asked.tool_call_id, call)

    async def call(self, cause: str, call: Callable[[Person, str], Awaitable[T]]) -> T | None:
        """Call under one request id a cause until a replica answers; None where it refuses what came too late."""
        request_id = self._requests.setdefault(cause, fresh())
        for replica in itertools.cycle(self.replicas):
            try:
                return await call(replica, request_id)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                    return None
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                if self.died():
                    raise Died from error
                await asyncio.sleep(0.05)
        raise AssertionError("there is always a replica")


@asynccontextmanager
async def replica(urls: DatabaseUrls, files: BoundServer, tenant: str) -> AsyncIterator[Person]:
    """An administrator with a replica of the service, which looks for what was left behind."""
    settings = AgentSettings(
        database_url=SecretStr(urls.service),
        follower_database_url=SecretStr(urls.follower),
        files=files.address,
        look_every=timedelta(milliseconds=200),
        notice=timedelta(0),
        grace=timedelta(seconds=2),
        run_grace=timedelta(0),
    )
    async with (
        running(settings, stepwise_agent.make_runner) as bound,
        person(bound.address, tenant, "ann", role="administrator") as ann,
    ):
        yield ann


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("step", "time"), cases(), ids=str)
async def test_whatever_step_a_process_dies_at_nothing_is_lost_or_done_twice(
    urls: DatabaseUrls,
    scripted_files: ScriptedFiles,
    files: BoundServer,
    workspaces: Workspaces,
    effects: Path,
    step: str,
    time: int,
) -> None:
    """RN-07, RN-08, RN-13, RN-15, TH-08, TH-09, HI-02, HI-03, HI-06, PA-02, PA-05, PA-07, RE-01, SG-03, X-04.

    MP-19, MP-20: so with what a tool wrote to files, which is on the log once, whenever the process died.
    SE-08: and written for whoever started the run, though she has become an administrator since.
    """
    tenant = f"tenant-{uuid.uuid4().hex}"
    victim = Program(urls.service, files.address)
    await victim.start("stepwise_agent:make_runner", **{failpoints.VARIABLE: f"{step}:{time}"})
    async with AsyncExitStack() as stack:
        client = Client([], died=lambda: not victim.runs)
        async with person(victim.address, tenant, "ann") as ann:
            await ann.creates_thread()
            client.replicas = [ann]
            try:
                await client.wants_it_done()
            except Died:
                pass
            else:
                await victim.kill()
                assert time > 2, "each step is reached once at the least, and most are twice"
                pytest.skip("this step is not reached so often")
        client.replicas = [await stack.enter_async_context(replica(urls, files, tenant)) for _ in range(2)]
        async with asyncio.timeout(DEADLINE):
            await client.wants_it_done()
        logs = [await it.reads() for it in client.replicas]
    assert logs[0] == logs[1]
    require_sound(logs[0], client.said)
    executed = effects.read_text().split()  # noqa: ASYNC240 - a few lines
    assert len(executed) == len(set(executed)), "no call runs twice"
    told = {it.tool_called.tool_call_id for it in logs[0] if it.HasField("tool_called")}
    assert set(executed) <= told, "no call runs that is not on the record"
    noted = [json.loads(it.artifact_created.data_json)["call"] for it in logs[0] if it.HasField("artifact_created")]
    assert sorted(noted) == sorted(executed), "what a call wrote to files is on the log once"
    first = next(it.run_id for it in logs[0] if it.HasField("run_started"))
    require_one_principal_a_run(scripted_files.creators[f"tenants/{tenant}/workspaces/main"], first)
    await require_history(workspaces.open(tenant, "main", UserActor(id="alice")), logs[0], client.said)


def require_sound(log: Sequence[log_pb.LogEntry], said: Sequence[str]) -> None:
    """One order without gaps; each message once; each segment and each call begins and ends once."""
    assert [it.log_sequence for it in log] == list(range(1, len(log) + 1))
    posted = [it.message_posted.content for it in log if it.HasField("message_posted") and it.actor.HasField("user")]
    assert posted == list(said)
    for run_id in {it.run_id for it in log if it.HasField("run_started")}:
        own = [it for it in log if it.run_id == run_id]
        facts = [it.WhichOneof("event") for it in own]
        segments = [it for it in facts if it in {"run_started", "run_paused", "run_ended"}]
        assert segments[0::2] == ["run_started"] * (len(segments) // 2)
        assert segments[1::2] == ["run_paused"] * (len(segments) // 2 - 1) + ["run_ended"]
        called = [it.tool_called.tool_call_id for it in own if it.HasField("tool_called")]
        returned = [it.tool_returned.tool_call_id for it in own if it.HasField("tool_returned")]
        assert sorted(called) == sorted(returned)
        assert len(set(called)) == len(called)


def require_one_principal_a_run(creators: Sequence[Identity], first: str) -> None:
    """Each run wrote for one person with one set of roles, in whichever process; the first for an editor."""
    runs: dict[str, set[frozenset[str]]] = {}
    for creator in creators:
        assert creator.on_behalf_of is not None
        assert creator.on_behalf_of.participant == "user:ann"
        assert creator.roles == {"main/editor"}
        runs.setdefault(creator.actor.agent.run_id, set()).add(creator.on_behalf_of.roles)
    assert all(len(roles) == 1 for roles in runs.values()), runs
    assert runs.get(first, {frozenset({"editor"})}) == {frozenset({"editor"})}


async def require_history(alice: Workspace, log: Sequence[log_pb.LogEntry], said: Sequence[str]) -> None:
    """The history takes a prompt, knows each message once, and has every call that was made, with its outcome."""
    history = await load_history(alice, "thr_1")
    parts = [part for message in history for part in message.parts]
    assert [part for message in repair_messages(history) for part in message.parts] == parts
    prompts = [str(it.content) for it in parts if isinstance(it, UserPromptPart)]
    replies = {str(it.content) for it in parts if isinstance(it, ToolReturnPart)}
    assert Counter(said) == Counter([*prompts, *(words for words in said if words in replies)])
    called = {part.tool_call_id for part in parts if isinstance(part, ToolCallPart)}
    assert {it.tool_called.tool_call_id for it in log if it.HasField("tool_called")} <= called
