"""What a run of an agent costs beside what pydantic-ai itself takes, in this process and before the suite's.

A step is all between one answer of the model and the next request to it: the tool call on the record, the switch, the
instructions from storage, the news. The model answers at once and its tool does nothing, so all of it is machinery.
"""

import asyncio
import tempfile
import time
from bisect import bisect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from artifactr import ArtifactWorkspace, NativeFiles, Runner, Session, Workspace, Workspaces, open_workspaces
from artifactr.agent.history import dumped
from artifactr.core.actors import AgentActor, UserActor
from artifactr.core.events import RunEnded, RunStatus, RunTrigger, Usage
from artifactr.core.segments import SegmentEnd, SegmentStart
from artifactr.files.tools import native_file_tools
from bench.measure import Pair
from bench.writers import renaming_of
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2
from lattice_chassis.channels import channel
from lattice_cli import demo, native_files
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite
from pydantic_ai import Agent, UsageLimits
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

STEPS: Final = 200
"""Of one run; their cost at its start and at its end are compared."""
ENDS: Final = 50
THREADS: Final = 10
TURNS: Final = 1_000
"""Each with a message of a person and one of the agent, so that the thread has 2,000."""
NOTES: Final = 100

PERSON: Final = Person(tenant="bench", workspace="agents", user="alice", name="Alice")
DOCUMENT: Final = Path(demo.__file__).with_name("launch-brief.docx")
CONTRACTS: Final = [
    it.DESCRIPTOR
    for it in (artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2)
]

ASKED: Final = "Please look at the second paragraph again, and say what you would change in it."
ANSWERED: Final = "I would name the date and who decides it; the rest of the paragraph can stay as it is."
UNLIMITED: Final = UsageLimits(request_limit=None)


@dataclass
class _Timed:
    """A model that calls one tool so many times, and when it was asked and had answered."""

    calls: int
    asked: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)

    @property
    def model(self) -> FunctionModel:
        """The model; used for one run."""
        return FunctionModel(self._answer)

    @property
    def steps(self) -> list[float]:
        """Milliseconds of each step."""
        return [(asked - answered) * 1000 for answered, asked in zip(self.answered, self.asked[1:], strict=False)]

    async def _answer(self, _messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        self.asked.append(time.perf_counter())
        done = len(self.asked) > self.calls
        part = TextPart("Done.") if done else ToolCallPart("nothing", {}, f"call_{len(self.asked)}")
        self.answered.append(time.perf_counter())
        return ModelResponse(parts=[part])


async def nothing() -> str:
    """Do nothing."""
    return "Done."


async def measure_agents(suite: Suite) -> None:
    """Print a line for each figure."""
    async with connect(suite.addresses, PERSON) as alice, _opened(suite) as (workspaces, files):
        workspace = workspaces.open(PERSON.tenant, PERSON.workspace, UserActor(id="alice", name="Alice"))
        await _steps(workspace, files, alice)
        await _long_thread(workspace, files)
        await _notes(suite, workspace, files, alice)


@asynccontextmanager
async def _opened(suite: Suite) -> AsyncIterator[tuple[Workspaces, NativeFiles]]:
    """A replica of agent's in this process."""
    database = suite.programs["agent"].environment["LATTICE_AGENT_DATABASE_URL"]
    async with (
        channel(suite.addresses.files, CONTRACTS) as files,
        open_workspaces(database, files) as workspaces,
    ):
        yield workspaces, NativeFiles(files)


def _runner(
    model: FunctionModel, files: NativeFiles, tool: Callable[..., Awaitable[str]] = nothing
) -> Runner[None, str]:
    agent = Agent(
        model,
        deps_type=Session[None],
        tools=[tool],
        toolsets=[native_file_tools(files)],
        capabilities=[ArtifactWorkspace()],
    )
    return Runner(agent, app=None, limits=UNLIMITED)


async def _say(runner: Runner[Any, str], workspace: Workspace, thread_id: str) -> None:
    sent = await runner.send(workspace, thread_id, "Go on.")
    assert sent.run is not None
    await sent.run.wait()


async def _steps(workspace: Workspace, files: NativeFiles, alice: Connection) -> None:
    """Each thread follows one document."""
    document = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
    floors, ours = [], []
    for _ in range(THREADS):
        floor = _Timed(STEPS)
        await Agent(floor.model, tools=[nothing]).run("Go on.", usage_limits=UNLIMITED)
        floors.append(floor.steps)
        thread = await workspace.create_thread("Bench")
        await workspace.follow(thread.id, document)
        timed = _Timed(STEPS)
        async with _runner(timed.model, files) as runner:
            await _say(runner, workspace, thread.id)
        ours.append(timed.steps)
    print(
        Pair(
            what="a step of an agent",
            floor_is="pydantic-ai's own",
            ours=median(it for steps in ours for it in steps),
            floor=median(it for steps in floors for it in steps),
        )
    )
    for whose, steps in (("ours", ours), ("pydantic-ai's own", floors)):
        print(
            Pair(
                what=f"the last {ENDS} steps of {STEPS}, {whose}",
                floor_is=f"the first {ENDS}",
                ours=median(it for run in steps for it in run[-ENDS:]),
                floor=median(it for run in steps for it in run[:ENDS]),
            )
        )
    print(
        Pair(
            what=f"a step in the thread no. {THREADS}",
            floor_is="a step in the first",
            ours=median(ours[-1]),
            floor=median(ours[0]),
        ),
        flush=True,
    )


async def _long_thread(workspace: Workspace, files: NativeFiles) -> None:
    """How long a person's message waits for the first request, in a new thread and in one with a long past."""
    new, old = await workspace.create_thread("New"), await workspace.create_thread("Old")
    for number in range(TURNS):
        await _past_turn(workspace, old.id, f"run_{number}")

    async def start(thread_id: str) -> float:
        starting = _Timed(0)
        async with _runner(starting.model, files) as runner:
            began = time.perf_counter()
            await _say(runner, workspace, thread_id)
        return (starting.asked[0] - began) * 1000

    times = [(await start(old.id), await start(new.id)) for _ in range(11)]
    print(
        Pair(
            what=f"send to request, {2 * TURNS} messages",
            floor_is="the same in a new thread",
            ours=median(it for it, _ in times),
            floor=median(it for _, it in times),
        ),
        flush=True,
    )


async def _past_turn(workspace: Workspace, thread_id: str, run_id: str) -> None:
    """What a run leaves that is asked something and answers, without the run."""
    agent = workspace.acting_as(AgentActor(thread_id=thread_id, run_id=run_id, name="assistant"))
    prompt = await workspace.post_message(thread_id, ASKED)
    start = SegmentStart(run_id=run_id, thread_id=thread_id, trigger=RunTrigger.MESSAGE, taken=prompt.log_sequence)
    started = await agent.start_segment(start)
    told: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(ASKED)]), ModelResponse(parts=[TextPart(ANSWERED)])]
    usage = Usage(requests=1, input_tokens=30, output_tokens=30)
    end = RunEnded(run_id=run_id, thread_id=thread_id, status=RunStatus.COMPLETED, usage=usage)
    segment = SegmentEnd(
        end=end, history=dumped(told), notes_through=started.boundary, taken=prompt.log_sequence, reply=ANSWERED
    )
    await agent.end_segment(segment)


async def _notes(suite: Suite, workspace: Workspace, files: NativeFiles, alice: Connection) -> None:
    """From the end of a commit in files to the request that tells of it, of an agent whose tool ends with it."""
    document = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
    rename = renaming_of(alice, document)
    thread = await workspace.create_thread("Notes")
    await workspace.follow(thread.id, document)
    told: asyncio.Queue[int] = asyncio.Queue()
    enough = asyncio.Event()

    async def answer(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        now = time.time_ns()
        for part in messages[-1].parts:
            if isinstance(part, UserPromptPart) and "<workspace-changes>" in str(part.content):
                told.put_nowait(now)
        part = TextPart("Done.") if enough.is_set() else ToolCallPart("pause", {}, f"call_{len(messages)}")
        return ModelResponse(parts=[part])

    waiting, committed = asyncio.Event(), asyncio.Event()

    async def pause() -> str:
        """Work until a person has committed something."""
        waiting.set()
        await committed.wait()
        committed.clear()
        return "Done."

    arrived: list[tuple[int, int]] = []
    async with _runner(FunctionModel(answer), files, pause) as runner:
        sent = await runner.send(workspace, thread.id, "Go on.")
        await told.get()  # of the upload
        for _ in range(NOTES):
            await waiting.wait()
            waiting.clear()
            asked = time.time_ns()
            await rename()
            committed.set()
            async with asyncio.timeout(10):
                arrived.append((asked, await told.get()))
        enough.set()
        committed.set()
        assert sent.run is not None
        await sent.run.wait()
    # What files committed first after each was asked for: nobody else writes in this workspace.
    commits = sorted(it.end for it in suite.spans.all() if it.name == "commit")
    times = [(at - commits[bisect(commits, asked)]) / 1e6 for asked, at in arrived]
    print(
        f"{'commit to note in a request':<34}{median(times):>9.3f} ms   p95 {quantiles(times, n=20)[-1]:.3f} ms,"
        f" of {len(times)} commits",
        flush=True,
    )


if __name__ == "__main__":

    async def alone() -> None:
        with tempfile.TemporaryDirectory(prefix="lattice-bench-") as folder:
            async with running_suite(Path(folder)) as suite:
                await measure_agents(suite)

    asyncio.run(alone())
