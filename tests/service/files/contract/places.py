"""Workspaces made ready for calls: who acts in them, and what has to be there first."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice_chassis.identity import Identity
from service.files.people import Participant, agent, append, document, user
from service.files.structured import NOTE, TASK, breaks, creates, patches, registers, replaces, sets

TENANT: Final = "contract"
TASK_KIND: Final = "contract_task"
NOTE_KIND: Final = "contract_note"

IDENTITIES: Final[Mapping[str, Identity]] = {
    "alice": user(TENANT, "alice"),
    "bob": user(TENANT, "bob"),
    "olga": user(TENANT, "olga", "administrator", "operator"),
    "oscar": user(TENANT, "oscar", "administrator", "operator"),
    "assistant": agent(TENANT, "thr_1"),
}
"""Who calls."""


@dataclass(frozen=True)
class Place:
    """A workspace of the tenant, by the names of what may be in it."""

    workspace: str

    @property
    def name(self) -> str:
        """The workspace."""
        return f"tenants/{TENANT}/workspaces/{self.workspace}"

    @property
    def kind(self) -> str:
        """A kind that only a call in this workspace registers; kinds belong to the deployment."""
        return f"kind_of_{self.workspace}"

    def artifact(self, artifact_id: str) -> str:
        """An artifact."""
        return f"{self.name}/artifacts/{artifact_id}"

    def revision(self, artifact_id: str, version: int) -> str:
        """A revision."""
        return f"{self.artifact(artifact_id)}/revisions/{version}"

    def proposal(self, proposal_id: str) -> str:
        """A proposal."""
        return f"{self.name}/proposals/{proposal_id}"


People = Mapping[str, Participant]
"""Who acts in the workspace that is made ready, by the keys of IDENTITIES."""

Preparation = Callable[[People], Awaitable[object]]
"""Something that has to be there before a call."""


async def prepare(people: People, place: Place, *needs: Preparation) -> None:
    """Make a workspace ready."""
    there = {key: replace(person, workspace=place.workspace) for key, person in people.items()}
    for need in needs:
        await need(there)


async def register_kinds(people: People) -> None:
    """Register the kinds that all the workspaces use."""
    await registers(people["olga"], TASK_KIND, TASK)
    await registers(people["olga"], NOTE_KIND, NOTE)


@cache  # one thing, however many calls need it
def task(artifact_id: str, *more_names: str) -> Preparation:
    """A task called "one", renamed to each of the further names in turn."""

    async def prepared(people: People) -> None:
        await creates(people["alice"], TASK_KIND, {"name": "one"}, artifact_id=artifact_id)
        for version, name in enumerate(more_names, start=1):
            await patches(people["alice"], artifact_id, version, sets("/name", name))

    return prepared


@cache
def note(artifact_id: str) -> Preparation:
    """A note that says "one"."""
    return lambda people: creates(people["alice"], NOTE_KIND, {"text": "one"}, artifact_id=artifact_id)


@cache  # one thing, however many calls need it
def file(artifact_id: str) -> Preparation:
    """A file of the fake app with one paragraph."""
    return lambda people: people["alice"].uploads(document("One."), artifact_id=artifact_id)


@cache  # one thing, however many calls need it
def lent(artifact_id: str) -> Preparation:
    """A file that alice has checked out, under the token 1."""

    async def prepared(people: People) -> None:
        await file(artifact_id)(people)
        await people["alice"].checks_out(artifact_id)

    return prepared


@cache  # one thing, however many calls need it
def broken(artifact_id: str) -> Preparation:
    """A file whose check-out was broken."""

    async def prepared(people: People) -> None:
        await lent(artifact_id)(people)
        await breaks(people["olga"], artifact_id, "left open")

    return prepared


@cache  # one thing, however many calls need it
def proposed(proposal_id: str, artifact_id: str, *, by: str = "assistant") -> Preparation:
    """A proposal to rename a task to "two"."""

    async def prepared(people: People) -> None:
        await task(artifact_id)(people)
        rename = sets("/name", "two")
        await patches(people[by], artifact_id, 1, rename, must_propose=True, proposal_id=proposal_id)

    return prepared


@cache  # one thing, however many calls need it
def proposed_batch(proposal_id: str, artifact_id: str) -> Preparation:
    """The assistant's proposal to add a paragraph to a file."""

    async def prepared(people: People) -> None:
        await file(artifact_id)(people)
        await people["assistant"].edits(artifact_id, 1, append("Draft."), must_propose=True, proposal_id=proposal_id)

    return prepared


RENAME: Final[artifacts_pb.Patch] = sets("/name", "three")
FINISH: Final[artifacts_pb.Patch] = sets("/done", value=True)
REWORD: Final[artifacts_pb.Patch] = replaces("one", "two", field="text")
