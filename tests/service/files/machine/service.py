"""Commands as calls to the real service, and what it answers."""

import asyncio
import dataclasses
import hashlib
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import grpc
from fakes.fake_app.document import Document
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import Identity, participant_key
from service.files.held import HeldWorkspace, held_workspace
from service.files.machine import commands as asked
from service.files.machine.commands import ACTORS, Actor, Answer, Command
from service.files.machine.passing import Passing, passing
from service.files.people import FAKEAPP, Administrator, Participant, administrator, participant
from service.files.structured import proposal_name

DECISIONS: Final = {
    artifacts_pb.PROPOSAL_DECISION_ACCEPT: "accepted",
    artifacts_pb.PROPOSAL_DECISION_REJECT: "rejected",
    artifacts_pb.PROPOSAL_DECISION_WITHDRAW: "withdrawn",
}

Meanwhile = Callable[[], Awaitable[None]]
"""What is done while a call is under way."""

_APP_COMMANDS: Final = {
    "append": ("append_paragraph", ("text",)),
    "replace": ("replace_text", ("old", "new")),
    "delete": ("delete_paragraph", ("number",)),
    "refuse": ("refuse", ("why",)),
}

_WITHIN: Final = 20.0
"""Seconds to wait for what takes milliseconds on an idle machine."""


@dataclass(frozen=True, kw_only=True)
class Service:
    """The service, as the actors of one workspace call it."""

    people: Mapping[str, Participant]
    stranger: Participant
    """A member of another tenant."""
    switches: Administrator
    passing: Passing
    database_url: str
    spool: Path

    def in_workspace(self, workspace: str) -> Self:
        """The same actors, over the same channels, in another workspace."""
        return dataclasses.replace(
            self,
            people={name: dataclasses.replace(it, workspace=workspace) for name, it in self.people.items()},
            stranger=dataclasses.replace(self.stranger, workspace=workspace),
            switches=dataclasses.replace(self.switches, workspace=workspace, revision=0),
            passing=self.passing.in_workspace(workspace),
        )

    async def perform(self, command: Command, meanwhile: Meanwhile | None = None) -> Answer:
        """Do what a command says, and answer what it came to."""
        try:
            return await self._performed(command, meanwhile)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            return asked.Refused(reasons=frozenset({str(error.code()) if refusal is None else refusal.reason}))

    async def _performed(self, command: Command, meanwhile: Meanwhile | None) -> Answer:
        match command:
            case asked.Create() | asked.Change() | asked.Archive() | asked.Restore():
                return _outcome(await self._write(command))
            case asked.Upload() | asked.CheckIn() | asked.Edit():
                return await self._native(command, meanwhile)
            case asked.CheckOut() | asked.Extend() | asked.Release() | asked.Break():
                return await self._lease(command)
            case asked.Accept() | asked.Reject() | asked.Withdraw():
                return _outcome(await self._answer(command))
            case _:
                return await self._beside(command)

    async def _write(self, command: asked.Write) -> artifacts_pb.Outcome:
        who, context = self.people[command.by], _context(command)
        if command.explicit:
            change = _proposed_change(command)
            request = proposals_pb.ProposeChangeRequest(workspace=who.scope, change=change, context=context)
            return (await who.proposals.ProposeChange(request)).outcome
        match command:
            case asked.Create():
                creation = artifacts_pb.CreateArtifactRequest(
                    workspace=who.scope, kind=command.kind, data_json=json.dumps(command.data), artifact_id=command.id
                )
                creation.context.CopyFrom(context)
                return (await who.artifacts.CreateArtifact(creation)).outcome
            case asked.Change():
                edit = artifacts_pb.EditArtifactRequest(name=who.name(command.id), base_version=command.base)
                edit.patch.CopyFrom(_patch(command.patch))
                edit.context.CopyFrom(context)
                return (await who.artifacts.EditArtifact(edit)).outcome
            case asked.Archive():
                archiving = artifacts_pb.ArchiveArtifactRequest(name=who.name(command.id), base_version=command.base)
                archiving.context.CopyFrom(context)
                return (await who.artifacts.ArchiveArtifact(archiving)).outcome
            case asked.Restore():
                name = f"{who.name(command.id)}/revisions/{command.version}"
                restore = artifacts_pb.RestoreRevisionRequest(name=name, base_version=command.base, context=context)
                return (await who.artifacts.RestoreRevision(restore)).outcome
            case _:
                raise TypeError(command)

    async def _native(self, command: asked.Upload | asked.CheckIn | asked.Edit, meanwhile: Meanwhile | None) -> Answer:
        who = self.people[command.by]
        match command:
            case asked.Upload():
                content = Document(paragraphs=list(command.paragraphs)).to_bytes()
                header = native_pb.UploadHeader(
                    workspace=who.scope,
                    file_name=command.name,
                    size=len(content),
                    sha256=hashlib.sha256(content).digest(),
                    artifact_id=command.id,
                    context=_context(command),
                )
                go = asyncio.Event()
                parts = [native_pb.UploadFileRequest(header=header), native_pb.UploadFileRequest(chunk=content)]
                upload = asyncio.ensure_future(_awaited(who.native.UploadFile(_held(parts, go))))
                await self._while_received(upload, go, meanwhile)
                return _outcome((await upload).outcome)
            case asked.CheckIn():
                return await self._check_in(who, command, meanwhile)
            case asked.Edit():
                return await self._edit(who, command)

    async def _check_in(self, who: Participant, command: asked.CheckIn, meanwhile: Meanwhile | None) -> Answer:
        if command.paragraphs is None:
            content = await _stored(who, command.id)
        else:
            content = Document(paragraphs=list(command.paragraphs)).to_bytes()
        header = native_pb.CheckInHeader(
            name=who.name(command.id),
            token=command.token,
            size=len(content),
            sha256=hashlib.sha256(content).digest(),
            request_id=_request_id(command),
        )
        go = asyncio.Event()
        parts = [native_pb.CheckInRequest(header=header), native_pb.CheckInRequest(chunk=content)]
        check_in = asyncio.ensure_future(_awaited(who.native.CheckIn(_held(parts, go))))
        await self._while_received(check_in, go, meanwhile)
        return _outcome((await check_in).outcome)

    async def _while_received(
        self, call: "asyncio.Future[Any]", go: asyncio.Event, meanwhile: Meanwhile | None
    ) -> None:
        """Let the content follow its header at once, or once it is waited for and `meanwhile` was done."""
        if meanwhile is not None:
            async with asyncio.timeout(_WITHIN):
                while not (call.done() or any(self.spool.glob("p-*/call-*"))):  # noqa: ASYNC110
                    await asyncio.sleep(0.002)
            if not call.done():
                await meanwhile()
        go.set()

    async def _edit(self, who: Participant, command: asked.Edit) -> Answer:
        request = native_pb.EditRequest(
            name=who.name(command.id),
            base_version=command.base,
            commands=[_app_command(*it) for it in command.batch],
            summary="edits",
            base_proposal=command.base_proposal,
            context=_context(command),
        )
        if command.lapses:
            return _outcome((await self._lapsing(who, request)).outcome)
        if not command.switched_off:
            return _outcome((await who.native.Edit(request)).outcome)
        with held_workspace(self.database_url, who.identity.tenant, who.workspace) as held:
            call = asyncio.ensure_future(_awaited(who.native.Edit(request)))
            if await _queued(held, call, 1):
                await self.switches.switches(FAKEAPP, on=False)
            held.release()
        return _outcome((await call).outcome)

    async def _lapsing(self, who: Participant, request: native_pb.EditRequest) -> native_pb.EditResponse:
        """An edit whose lease lapses once it has taken it; the workspace is held from then on until it did."""
        holding = held_workspace(self.database_url, who.identity.tenant, who.workspace)
        with ExitStack() as stack:
            with held_workspace(self.database_url, who.identity.tenant, who.workspace) as held:
                call = asyncio.ensure_future(_awaited(who.native.Edit(request)))
                await _queued(held, call, 1)
                next_one = asyncio.create_task(asyncio.to_thread(stack.enter_context, holding))
                await _queued(held, call, 1 if call.done() else 2)
            held = await next_one
            if await _queued(held, call, 1):
                self.passing.end_of_lease(request.name.rpartition("/")[2])
            held.release()
            response: native_pb.EditResponse = await call
        return response

    async def _lease(self, command: asked.CheckOut | asked.Extend | asked.Release | asked.Break) -> Answer:
        who, request_id = self.people[command.by], _request_id(command)
        match command:
            case asked.CheckOut():
                lent = await who.checks_out(command.id, request_id)
                return asked.Lent(token=lent.token, base=lent.base_version)
            case asked.Extend():
                now = native_pb.CheckOut(name=who.name(command.id), token=command.token)
                lent = await who.extends(now, request_id)
                return asked.Lent(token=lent.token, base=lent.base_version)
            case asked.Release():
                return asked.Ended(
                    holder=ACTORS[command.by].participant if await who.releases(command.id, command.token) else ""
                )
            case asked.Break():
                request = native_pb.BreakCheckOutRequest(name=who.name(command.id), reason="x", request_id=request_id)
                answer = await who.native.BreakCheckOut(request)
                return asked.Ended(holder=participant_key(answer.broken.holder) if answer.HasField("broken") else "")

    async def _answer(self, command: asked.Answering) -> artifacts_pb.Outcome:
        who, context = self.people[command.by], _context(command)
        name = proposal_name(who, command.proposal)
        match command:
            case asked.Accept():
                changes = None if command.changes is None else _patch(command.changes)
                acceptance = proposals_pb.AcceptProposalRequest(
                    name=name, changes=changes, rebase=command.rebase, context=context
                )
                return (await who.proposals.AcceptProposal(acceptance)).outcome
            case asked.Reject():
                rejection = proposals_pb.RejectProposalRequest(name=name, reason="no", context=context)
                return (await who.proposals.RejectProposal(rejection)).outcome
            case _:
                withdrawal = proposals_pb.WithdrawProposalRequest(name=name, context=context)
                return (await who.proposals.WithdrawProposal(withdrawal)).outcome

    async def _beside(self, command: Command) -> Answer:
        who = self.people[command.by]
        match command:
            case asked.Barrier():
                fence = names_pb2.Fence(scope=ACTORS[command.by].thread or "thr_1", token=command.fence)
                request = changes_pb.EstablishBarrierRequest(workspace=who.scope, fence=fence)
                return asked.Head(sequence=(await who.changes.EstablishBarrier(request)).head.sequence)
            case asked.Switch():
                await self.switches.switches(FAKEAPP, on=command.on)
            case asked.Pass():
                self.passing.end_of_lease(command.id, a_day=command.a_day)
            case asked.Collect():
                self.passing.a_year_for_blobs()
                await self.people["olga"].collects()
            case asked.Trespass():
                return await self._trespass(command)
            case _:
                raise TypeError(command)
        return asked.Done()

    async def _trespass(self, command: asked.Trespass) -> Answer:
        """What a stranger is told of an artifact; of an answer, that there was one."""
        reasons: set[str] = set()
        for name in (self.people["alice"].name(command.id), self.stranger.name(command.id)):
            try:
                await self.stranger.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=name))
                reasons.add("READ")
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                reasons.add("UNKNOWN" if refusal is None else refusal.reason)
        return asked.Refused(reasons=frozenset(reasons))


@asynccontextmanager
async def service_at(address: str, integrations: str, database_url: str, spool: Path) -> AsyncIterator[Service]:
    """The service, for the actors of a workspace of the tenant `machine`."""
    workspace = "main"
    async with AsyncExitStack() as stack:
        people = {
            name: await stack.enter_async_context(participant(address, _identity(actor), workspace))
            for name, actor in ACTORS.items()
        }
        mallory = Identity(tenant="strangers", actor=actor_pb2.Actor(user=actor_pb2.UserActor(id="mallory")))
        yield Service(
            people=people,
            stranger=await stack.enter_async_context(participant(address, mallory, workspace)),
            switches=await stack.enter_async_context(administrator(integrations, "machine", workspace)),
            passing=stack.enter_context(passing(database_url, "machine", workspace)),
            database_url=database_url,
            spool=spool,
        )


def _identity(actor: Actor) -> Identity:
    kind, _, identifier = actor.participant.partition(":")
    message = actor_pb2.Actor()
    if kind == "user":
        message.user.id = identifier
    elif kind == "agent":
        message.agent.CopyFrom(actor_pb2.AgentActor(thread_id=identifier, run_id=actor.run, name=actor.name))
    else:
        message.external_agent.client_id = identifier
    return Identity(tenant="machine", actor=message, roles=actor.roles)


def _request_id(command: Command) -> str:
    return str(uuid.UUID(int=command.request))


def _context(command: asked.Write | asked.Answering) -> artifacts_pb.WriteContext:
    fence = names_pb2.Fence(scope=ACTORS[command.by].thread or "thr_1", token=command.fence)
    return artifacts_pb.WriteContext(
        request_id=_request_id(command),
        proposal_id=command.proposal if isinstance(command, asked.Write) else "",
        must_propose=command.must_propose if isinstance(command, asked.Write | asked.Accept) else False,
        fence=fence if command.fence else None,
    )


def _app_command(name: str, *given: str) -> native_pb.AppCommand:
    command, names = _APP_COMMANDS[name]
    arguments = {it: int(value) if it == "number" else value for it, value in zip(names, given, strict=True)}
    return native_pb.AppCommand(command=command, arguments_json=json.dumps(arguments))


def _patch(patch: asked.Patch) -> artifacts_pb.Patch:
    if isinstance(patch, asked.Operations):
        return artifacts_pb.Patch(json_patch=json.dumps(patch.operations))
    edits = [artifacts_pb.TextEdit(old=old, new=new) for old, new in patch.edits]
    return artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(edits=edits))


def _proposed_change(command: asked.Write) -> proposals_pb.ProposedChange:
    match command:
        case asked.Create():
            data = json.dumps(command.data)
            creation = proposals_pb.ProposedCreation(artifact_id=command.id, kind=command.kind, data_json=data)
            return proposals_pb.ProposedChange(create=creation)
        case asked.Change():
            patch = _patch(command.patch)
            edit = proposals_pb.ProposedEdit(artifact_id=command.id, base_version=command.base, patch=patch)
            return proposals_pb.ProposedChange(edit=edit)
        case asked.Archive():
            archiving = proposals_pb.ProposedArchiving(artifact_id=command.id, base_version=command.base)
            return proposals_pb.ProposedChange(archive=archiving)
        case _:
            raise TypeError(command)


def _outcome(outcome: artifacts_pb.Outcome) -> Answer:
    sequence = outcome.change_sequence
    match outcome.WhichOneof("result"):
        case "applied":
            return asked.Applied(id=outcome.applied.artifact_id, version=outcome.applied.version, sequence=sequence)
        case "proposed":
            made = outcome.proposed
            return asked.Proposed(proposal=made.proposal_id, id=made.artifact_id, sequence=sequence)
        case _:
            resolved = outcome.resolved
            return asked.Resolved(
                proposal=resolved.proposal_id,
                decision=DECISIONS[resolved.decision],
                version=resolved.version,
                sequence=sequence,
            )


async def _awaited(call: Awaitable[Any]) -> Any:  # noqa: ANN401 - whatever the call answers
    return await call


async def _stored(who: Participant, artifact_id: str) -> bytes:
    """The content of a file as it stands; something else of what is no file."""
    try:
        return (await who.downloads(artifact_id))[1]
    except grpc.aio.AioRpcError:
        return b"{}"


async def _queued(held: HeldWorkspace, call: "asyncio.Future[Any]", count: int) -> bool:
    """Wait until so many wait for the workspace, and answer whether the call is one of them: it may have ended."""
    async with asyncio.timeout(_WITHIN):
        while not (call.done() or await held.has_waiting(count)):  # noqa: ASYNC110 - the server brings it about
            await asyncio.sleep(0.002)
    return not call.done()


async def _held(parts: list[Any], go: asyncio.Event) -> AsyncIterator[Any]:
    first, *others = parts
    yield first
    await go.wait()
    for part in others:
        yield part
