"""What stands in the workspace, compared with what the model says."""

import json
from collections.abc import Sequence
from typing import Any, Final

import jsonpatch
import jsonpointer
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice_chassis.identity import participant_key
from service.files.machine.commands import FILE
from service.files.machine.service import DECISIONS, Service
from service.files.machine.state import Event, State, Version
from service.files.machine.values import Content, Data

_STATES: Final = {
    proposals_pb.PROPOSAL_STATE_PENDING: "pending",
    proposals_pb.PROPOSAL_STATE_ACCEPTED: "accepted",
    proposals_pb.PROPOSAL_STATE_REJECTED: "rejected",
    proposals_pb.PROPOSAL_STATE_WITHDRAWN: "withdrawn",
}


class Disagreement(AssertionError):
    """The service and the model differ."""


def same(what: str, found: object, expected: object) -> None:
    """Raise a Disagreement unless the two are equal."""
    if found != expected:
        raise Disagreement(f"{what}: the service says {found!r}, the model {expected!r}")


class Standing:
    """What stands, looked at after each command."""

    def __init__(self, service: Service, state: State) -> None:
        self._service = service
        self._state = state
        self._who = service.people["alice"]
        self._read = changes_pb.ListChangesResponse()
        self._seen = 0
        self._replayed: dict[str, Data] = {}
        """The data of each artifact as the feed alone tells them."""
        self._digests: dict[Content, str] = {}

    async def compare(self, *, all_of_it: bool) -> None:
        """The feed since the last look and all leases; all artifacts and proposals too, where that is asked for."""
        await self._feed()
        await self._leases()
        if all_of_it:
            await self._artifacts()
            await self._proposals()

    async def compare_all(self) -> None:
        """The whole feed from its beginning, and every revision with what it holds."""
        self._seen = 0
        self._replayed.clear()
        await self.compare(all_of_it=True)
        for artifact_id, versions in self._state.artifacts.items():
            await self._revisions(artifact_id, versions)

    async def _feed(self) -> None:
        """Gap-free, in whole commits, with the model's events [MP-10, MP-12, SG-03]."""
        cursor = self._read.cursor if self._seen else None
        request = changes_pb.ListChangesRequest(workspace=self._who.scope, cursor=cursor, page_size=500)
        answer = await self._who.changes.ListChanges(request)
        expected, start = self._state.commits[self._seen :], sum(map(len, self._state.commits[: self._seen]))
        same("the feed", [list(map(_told, it.changes)) for it in answer.commits], [list(it) for it in expected])
        same("the head", answer.head_sequence, self._state.sequence)
        changes = [change for commit in answer.commits for change in commit.changes]
        same("the numbers", [it.change_sequence for it in changes], list(range(start + 1, start + 1 + len(changes))))
        for change in changes:
            self._replay(change)
        self._read, self._seen = answer, len(self._state.commits)

    def _replay(self, change: changes_pb.Change) -> None:
        created, changed = change.artifact_created, change.artifact_changed
        match change.WhichOneof("event"):
            case "artifact_created":
                self._replayed[created.artifact_id] = json.loads(created.data_json)
            case "artifact_changed":
                self._replayed[changed.artifact_id] = _patched(self._replayed[changed.artifact_id], changed.patch)

    async def _artifacts(self) -> None:
        request = artifacts_pb.ListArtifactsRequest(workspace=self._who.scope, show_archived=True, page_size=500)
        found = (await self._who.artifacts.ListArtifacts(request)).artifacts
        same("the artifacts", {it.artifact_id for it in found}, set(self._state.artifacts))
        for artifact in found:
            self._version(artifact, self._state.artifacts[artifact.artifact_id][-1])
            # The patches on record turn exactly each version's data into the next one's [AT-13].
            same("what the feed makes", self._replayed[artifact.artifact_id], json.loads(artifact.data_json))

    def _version(self, found: artifacts_pb.Artifact, version: Version) -> None:
        name, data = found.artifact_id, json.loads(found.data_json)
        told = (found.kind, found.version, found.archived, participant_key(found.updated_by))
        same(name, told, (version.kind, version.number, version.archived, version.by.participant))
        if version.kind == FILE:
            self._file(data, version.data)
        else:
            same(f"the data of {name}", data, version.data)

    def _file(self, data: Data, model: Data) -> None:
        """Name and figures are the model's, and two contents have one digest just if they are equal [F-11, N-40]."""
        content: Content = model["content"]
        figures = (data["name"], data["text"]["chars"], data["review"]["count"])
        same("a file", figures, (model["name"], len(_text(content)), len(content.tracked)))
        digest = data["native"]["digest"]
        same("the digest of a content", digest, self._digests.setdefault(content, digest))
        same("the contents of a digest", [it for it, of in self._digests.items() if of == digest], [content])

    async def _proposals(self) -> None:
        """States and staleness [PR-01, AMB-06, AMB-07]."""
        request = proposals_pb.ListProposalsRequest(workspace=self._who.scope, page_size=500)
        found = (await self._who.proposals.ListProposals(request)).proposals
        told = {it.proposal_id: (_STATES[it.state], it.stale, participant_key(it.proposer)) for it in found}
        held = self._state.proposals.values()
        same("the proposals", told, {it.id: (it.state, self._state.is_stale(it), it.by.participant) for it in held})

    async def _leases(self) -> None:
        """Each file's lease and tokens, and the list of check-outs [L-01, L-07, F-18]."""
        live = set()
        for artifact_id, holding in self._state.holdings.items():
            answer = await self._who.lease_of(artifact_id)
            if holding.uncertain and answer.token_counter == holding.counter + 1:
                holding.give_out()
            holding.uncertain = False
            found = (
                (participant_key(answer.lease.holder), answer.lease.base_version) if answer.HasField("lease") else None
            )
            lease = self._state.live(artifact_id)
            same(f"the lease of {artifact_id}", found, lease and (lease.holder.participant, lease.base))
            same(f"the tokens of {artifact_id}", answer.token_counter, holding.counter)
            live |= {self._who.name(artifact_id)} if lease else set()
        listed = await self._who.native.ListCheckOuts(native_pb.ListCheckOutsRequest(workspace=self._who.scope))
        same("the check-outs", {it.name for it in listed.leases}, live)

    async def _revisions(self, artifact_id: str, versions: Sequence[Version]) -> None:
        """Every version, of files with its words, which need no app [AT-05, N-43, B-07]."""
        found = await self._who.revisions_of(artifact_id)
        same("the proposals accepted", [it.proposal_id for it in found], [it.proposal for it in versions])
        for revision, version in zip(found, versions, strict=True):
            self._version(revision.artifact, version)
            if version.kind == FILE:
                header, content = await self._who.downloads(artifact_id, version.number)
                same("the size", (header.version, len(content)), (version.number, header.size))
                words = await self._who.reads(artifact_id, version.number)
                same("the words", words, _text(version.data["content"]))


def _text(content: Content) -> str:
    return "\n".join(content.paragraphs)


def _told(change: changes_pb.Change) -> Event:
    """A change in the model's words."""
    kind = change.WhichOneof("event")
    event: Any = getattr(change, kind or "")
    resolved = kind == "proposal_resolved"
    return Event(
        type=kind or "",
        id=event.artifact_id,
        by=participant_key(change.actor),
        run=change.run_id,
        thread=change.thread_id,
        version=0 if kind == "proposal_created" else event.version,
        proposal=event.proposal_id,
        decision=DECISIONS[event.decision] if resolved else "",
        proposer=participant_key(event.proposer) if resolved else "",
    )


def _patched(data: Data, patch: artifacts_pb.Patch) -> Data:
    """The data with a patch on record applied."""
    if patch.WhichOneof("kind") == "json_patch":
        try:
            result: Data = jsonpatch.apply_patch(data, json.loads(patch.json_patch))
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
            raise Disagreement(f"the patch on record {patch.json_patch} does not apply to {data}: {error}") from error
        return result
    field = patch.text_edits.field or "text"
    text: str = data[field]
    for edit in patch.text_edits.edits:
        text = text.replace(edit.old, edit.new) if edit.old else edit.new
    return {**data, field: text}
