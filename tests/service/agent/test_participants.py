"""Whoever has the id of a thread is not its agent, and whoever has the id of a person is not that person."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc
import pytest
from artifactr.core.actors import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from artifactr.core.commands import CreateThread, PostMessage, Recorded
from artifactr.core.events import RunTrigger
from artifactr.core.segments import SegmentStart
from artifactr.core.threads import Prompt
from artifactr.store.entities import RECORDED
from artifactr.workspace import Request, Workspace, Workspaces, open_workspaces
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.type.v1 import actor_pb2 as actor_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from service.agent.conftest import MIGRATIONS
from service.agent.database_administration import DatabaseAdministration
from service.agent.scripted_files import ALICE
from service.conftest import Older, UpTo

NAMESAKES = [UserActor(id="thr_1"), ExternalAgentActor(client_id="thr_1"), SystemActor(name="thr_1")]
"""Those that have the id of the thread."""


@pytest.fixture(scope="module")
async def replica(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    """A process of the service that sees what lies in all tenants."""
    async with open_workspaces(agent_urls.service, files_channel, follower_url=agent_urls.follower) as opened:
        yield opened


def request() -> Request:
    return Request(id="6f4f5d0e-7d0e-4a8c-9a77-0d4d5cf7c001", method="lattice.agent.v1.X/Y", digest=b"body")


async def waiting(workspace: Workspace) -> str:
    """What the oldest message says that no turn has taken; empty for none."""
    turn = await workspace.next_turn("thr_1")
    return turn.message.content if isinstance(turn, Prompt) else ""


@pytest.mark.parametrize("actor", NAMESAKES, ids=str)
async def test_a_message_of_somebody_with_the_threads_id_waits_for_a_turn(
    alice: Workspace, assistant: Workspace, actor: Actor
) -> None:
    """AC-02, TH-08: what its agent says waits for nobody."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.post_message("thr_1", "I am the agent.")
    assert await waiting(alice) == ""
    await alice.acting_as(actor).post_message("thr_1", "I am not.")
    assert await waiting(alice) == "I am not."


@pytest.mark.parametrize("actor", NAMESAKES, ids=str)
async def test_a_message_of_somebody_with_the_threads_id_is_found_when_it_was_left_behind(
    replica: Workspaces, tenant: str, actor: Actor
) -> None:
    """AC-02, RN-15."""
    alice = replica.open(tenant, "main", ALICE)
    await alice.create_thread("Launch", thread_id="thr_1")
    agent = alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"))
    await agent.commit(PostMessage(thread_id="thr_1", content="done", through_runner=True))
    assert tenant not in {it.tenant for it in await replica.left_behind()}
    await alice.acting_as(actor).commit(PostMessage(thread_id="thr_1", content="Hello?", through_runner=True))
    assert tenant in {it.tenant for it in await replica.left_behind()}


async def test_a_stop_is_remembered_with_the_wish_itself(alice: Workspace, assistant: Workspace) -> None:
    """ID-03, RN-16: whoever's call is cut while it waits for the end asks again under the same id."""
    await alice.create_thread("Launch", thread_id="thr_1")
    start = SegmentStart(run_id="run_1", thread_id="thr_1", trigger=RunTrigger.API)
    await assistant.start_segment(start)
    await alice.request_stop("run_1", request())
    assert await alice.stop_requested("run_1")
    first = await alice.remembered(request())
    assert first is not None
    assert first.id == "run_1"


async def test_a_request_is_remembered_for_its_participant_alone(alice: Workspace) -> None:
    """AC-02, ID-03: the same id of another kind makes a request of its own."""
    made = {
        (await alice.acting_as(actor).commit(CreateThread(title="Launch"), request=request())).id
        for actor in (
            ALICE,
            ExternalAgentActor(client_id=ALICE.id),
            SystemActor(name=ALICE.id),
            AgentActor(thread_id=ALICE.id),
        )
    }
    assert len(made) == len(await alice.threads()) == 4


async def test_what_a_replica_of_before_wrote_is_its_agents_by_the_id(
    alice: Workspace, assistant: Workspace, agent_database: DatabaseAdministration, tenant: str
) -> None:
    """AC-02, TH-08: as long as such replicas are up, nothing better is known of their messages."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await assistant.post_message("thr_1", "done")
    await alice.post_message("thr_1", "thanks")
    agent_database.forget_kinds_of_authors(tenant)
    assert await waiting(alice) == "thanks"


@dataclass(frozen=True)
class Before:
    """A database as it was before kinds were kept."""

    older: Older

    def posted(self, tenant: str, log_sequence: int, actor: actor_pb.Actor, participant: str) -> None:
        """A message on the log, made by a request of its own."""
        entry = log_pb.LogEntry(log_sequence=log_sequence, actor=actor)
        entry.message_posted.message_id = f"msg_{log_sequence}"
        self.older.cursor.execute(
            "INSERT INTO log (tenant, workspace, log_sequence, commit, entry_id, event, thread_id, entry)"
            " VALUES (%s, 'main', %s, %s, %s, 'message_posted', 'thr_1', %s)",
            (tenant, log_sequence, log_sequence, f"evt_{log_sequence}", entry.SerializeToString()),
        )
        self.older.cursor.execute(
            "INSERT INTO messages (tenant, workspace, message_id, thread_id, log_sequence, participant, through_runner)"
            " VALUES (%s, 'main', %s, 'thr_1', %s, %s, true)",
            (tenant, f"msg_{log_sequence}", log_sequence, participant),
        )
        self.remembered(tenant, log_sequence, participant)

    def remembered(self, tenant: str, log_sequence: int, participant: str) -> None:
        """What is remembered of a request that ended with this entry, 0 for one that appended nothing."""
        result = RECORDED.dump_json(Recorded(log_sequence=log_sequence))
        self.older.cursor.execute(
            "INSERT INTO requests (tenant, workspace, participant, method, request_id, digest, result)"
            " VALUES (%s, 'main', %s, 'SendMessage', %s, '', %s)",
            (tenant, participant, str(uuid.UUID(int=log_sequence)), result),
        )


async def test_messages_and_requests_from_before_kinds_were_kept_are_carried_over(before_revision: UpTo) -> None:
    """AC-02, ID-03, TH-08: the log tells the kinds, in each tenant; who appended nothing counts as a person."""
    agent = actor_pb.Actor(agent=actor_pb.AgentActor(thread_id="thr_1", run_id="run_1"))
    namesake = actor_pb.Actor(user=actor_pb.UserActor(id="thr_1"))
    client = actor_pb.Actor(external_agent=actor_pb.ExternalAgentActor(client_id="user:thr_1"))
    async with before_revision(MIGRATIONS, "0007") as older:
        before = Before(older)
        before.posted("acme", 1, agent, "thr_1")
        before.posted("acme", 2, namesake, "thr_1")
        before.posted("rival", 1, namesake, "thr_1")
        before.posted("rival", 2, client, "user:thr_1")
        before.remembered("rival", 0, "thr_1")
        await older.is_brought_up_to_date()
        authors = older.told("SELECT tenant, log_sequence, author FROM messages ORDER BY 1, 2")
        kept = older.told("SELECT tenant, right(request_id::text, 1)::int, participant FROM requests ORDER BY 1, 2")
        bound = older.told("SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity")
    assert authors == [
        ("acme", 1, "agent:thr_1"),
        ("acme", 2, "user:thr_1"),
        ("rival", 1, "user:thr_1"),
        ("rival", 2, "external_agent:user:thr_1"),
    ]
    assert kept == sorted([*authors, ("rival", 0, "user:thr_1")])
    assert bound == []
