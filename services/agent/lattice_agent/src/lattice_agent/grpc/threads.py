"""The servicer of `lattice.agent.v1.ThreadsService`; each method's contract stands in the proto."""

from typing import Any, Final, TypeAlias

import grpc
from artifactr.core.commands import Command, CreateThread, Recorded, SetFocus, SetThreadMode
from artifactr.workspace import Workspace, Workspaces
from google.protobuf.message import Message
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice.agent.v1 import threads_service_pb2_grpc as pb_grpc
from lattice_chassis.identity import Identity
from lattice_chassis.names import ThreadName, WorkspaceName
from lattice_chassis.paging import page_token

from lattice_agent.agents import Agents
from lattice_agent.grpc import from_proto, to_proto
from lattice_agent.grpc.barrier import caught_up

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

SERVICE: Final = "lattice.agent.v1.ThreadsService"


class ThreadsServicer(pb_grpc.ThreadsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, workspaces: Workspaces, agents: Agents) -> None:
        self._workspaces = workspaces
        self._agents = agents

    async def ListAgents(self, request: pb.ListAgentsRequest, _context: Context) -> pb.ListAgentsResponse:
        """See the contract."""
        WorkspaceName.of_caller(request.workspace)
        return pb.ListAgentsResponse(agents=map(to_proto.agent, self._agents.runners))

    async def CreateThread(self, request: pb.CreateThreadRequest, _context: Context) -> pb.CreateThreadResponse:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.editor())
        agent_name = from_proto.agent_name(request.agent_name)
        command = CreateThread(title=request.title, thread_id=request.thread_id, agent_name=agent_name)
        repeat = from_proto.request_of(request, f"{SERVICE}/CreateThread")
        recorded = await self._agents.create_thread(workspace, command, repeat)
        thread = to_proto.thread(workspace, recorded.thread)
        return pb.CreateThreadResponse(thread=thread, log_sequence=recorded.log_sequence)

    async def GetThread(self, request: pb.GetThreadRequest, _context: Context) -> pb.GetThreadResponse:
        """See the contract."""
        name = ThreadName.of_caller(request.name)
        workspace = self._open(name, from_proto.reader())
        await caught_up(workspace, request.min_change_sequence)
        return pb.GetThreadResponse(thread=to_proto.thread(workspace, await workspace.thread(name.thread)))

    async def ListThreads(self, request: pb.ListThreadsRequest, _context: Context) -> pb.ListThreadsResponse:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.reader())
        page = from_proto.page(request)
        await caught_up(workspace, request.min_change_sequence)
        found = await workspace.threads(after=page.after, limit=page.limit + 1)
        shown = found[: page.limit]
        return pb.ListThreadsResponse(
            threads=[to_proto.thread(workspace, thread) for _, thread in shown],
            next_page_token=page_token(request, [shown[-1][0]]) if len(found) > page.limit else "",
        )

    async def SetThreadMode(self, request: pb.SetThreadModeRequest, _context: Context) -> pb.SetThreadModeResponse:
        """See the contract."""
        name = ThreadName.of_caller(request.name)
        workspace = self._open(name, from_proto.editor())
        command = SetThreadMode(thread_id=name.thread, mode=from_proto.mode(request.mode))
        recorded = await _commit(workspace, command, request, "SetThreadMode")
        thread = to_proto.thread(workspace, recorded.thread)
        return pb.SetThreadModeResponse(thread=thread, log_sequence=recorded.log_sequence)

    async def SetFocus(self, request: pb.SetFocusRequest, _context: Context) -> pb.SetFocusResponse:
        """See the contract."""
        name = ThreadName.of_caller(request.name)
        workspace = self._open(name, from_proto.editor())
        command = SetFocus(thread_id=name.thread, artifact_ids=tuple(request.artifact_ids))
        recorded = await _commit(workspace, command, request, "SetFocus")
        thread = to_proto.thread(workspace, recorded.thread)
        return pb.SetFocusResponse(thread=thread, log_sequence=recorded.log_sequence)

    async def SendMessage(self, request: pb.SendMessageRequest, _context: Context) -> pb.SendMessageResponse:
        """See the contract."""
        name = ThreadName.of_caller(request.name)
        workspace = self._open(name, from_proto.editor())
        sent = await self._agents.send(
            workspace,
            name.thread,
            request.content,
            message_id=request.message_id,
            request=from_proto.request_of(request, f"{SERVICE}/SendMessage"),
        )
        return pb.SendMessageResponse(
            message_id=sent.outcome.id,
            log_sequence=sent.outcome.log_sequence,
            # Asked of the store, so that a repeat learns of the run that the first call started.
            run_id=await workspace.run_begun_by(sent.outcome.log_sequence),
        )

    def _open(self, name: WorkspaceName, caller: Identity) -> Workspace:
        return self._workspaces.open_for(caller, name.workspace)


async def _commit(workspace: Workspace, command: Command, message: Message, method: str) -> Recorded:
    request = from_proto.request_of(message, f"{SERVICE}/{method}")
    return await workspace.commit(command, request=request)
