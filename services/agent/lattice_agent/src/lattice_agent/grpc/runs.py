"""The servicer of `lattice.agent.v1.RunsService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, Final, TypeAlias

import grpc
from artifactr.core.commands import AnswerDeferred
from artifactr.core.runs import ENDS
from artifactr.workspace import Workspace, Workspaces
from lattice.agent.v1 import runs_service_pb2 as pb
from lattice.agent.v1 import runs_service_pb2_grpc as pb_grpc
from lattice_chassis.identity import Identity
from lattice_chassis.names import RunName, WorkspaceName
from lattice_chassis.paging import page_token

from lattice_agent.agents import Agents
from lattice_agent.grpc import from_proto, to_proto
from lattice_agent.grpc.barrier import caught_up
from lattice_agent.grpc.run_watches import RELAYED, RunWatches

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

SERVICE: Final = "lattice.agent.v1.RunsService"


class RunsServicer(pb_grpc.RunsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, workspaces: Workspaces, agents: Agents, watches: RunWatches) -> None:
        self._workspaces = workspaces
        self._agents = agents
        self._watches = watches

    async def GetRun(self, request: pb.GetRunRequest, _context: Context) -> pb.GetRunResponse:
        """See the contract."""
        name = RunName.of_caller(request.name)
        workspace = self._open(name, from_proto.reader())
        await caught_up(workspace, request.min_change_sequence)
        return pb.GetRunResponse(run=to_proto.run(workspace, await workspace.run(name.run)))

    async def ListRuns(self, request: pb.ListRunsRequest, _context: Context) -> pb.ListRunsResponse:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.reader())
        page = from_proto.page(request)
        await caught_up(workspace, request.min_change_sequence)
        found = await workspace.runs(thread_id=request.thread_id, after=page.after, limit=page.limit + 1)
        shown = found[: page.limit]
        return pb.ListRunsResponse(
            runs=[to_proto.run(workspace, run) for _, run in shown],
            next_page_token=page_token(request, [shown[-1][0]]) if len(found) > page.limit else "",
        )

    async def StopRun(self, request: pb.StopRunRequest, _context: Context) -> pb.StopRunResponse:
        """See the contract."""
        name = RunName.of_caller(request.name)
        workspace = self._open(name, from_proto.editor())
        repeat = from_proto.request_of(request, f"{SERVICE}/StopRun")
        if await workspace.remembered(repeat) is None:
            await self._agents.stop(workspace, name.run, request=repeat)
        run = await workspace.run(name.run)
        return pb.StopRunResponse(ended=run.status in ENDS, run=to_proto.run(workspace, run))

    async def AnswerDeferred(self, request: pb.AnswerDeferredRequest, _context: Context) -> pb.AnswerDeferredResponse:
        """See the contract."""
        name = RunName.of_caller(request.name)
        command = AnswerDeferred(
            run_id=name.run,
            tool_call_id=request.tool_call_id,
            answer=request.answer,
            approved=request.approved if request.HasField("approved") else None,
        )
        sent = await self._agents.answer(
            self._open(name, from_proto.reviewer()),
            command,
            request=from_proto.request_of(request, f"{SERVICE}/AnswerDeferred"),
        )
        return pb.AnswerDeferredResponse(log_sequence=sent.outcome.log_sequence, resumed=sent.outcome.resumes)

    async def WatchRun(self, request: pb.WatchRunRequest, context: Context) -> AsyncIterator[pb.WatchRunResponse]:
        """See the contract."""
        name = RunName.of_caller(request.name)
        workspace = self._open(name, from_proto.reader())
        relayed = RELAYED in (context.invocation_metadata() or ())
        watch = self._watches.of_this_replica if relayed else self._watches.whole
        async with aclosing(watch(workspace, name.run)) as messages:
            async for message in messages:
                yield message

    def _open(self, name: WorkspaceName, caller: Identity) -> Workspace:
        return self._workspaces.open_for(caller, name.workspace)
