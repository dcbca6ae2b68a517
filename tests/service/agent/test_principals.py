"""For whom a run works: kept with the message that begins it and with the run, whoever carries it on."""

import pytest
from artifactr.core.actors import (
    EDITOR,
    NOBODY,
    Actor,
    AgentActor,
    Caller,
    ExternalAgentActor,
    Principal,
    SystemActor,
    UserActor,
)
from artifactr.core.commands import AnswerDeferred
from artifactr.core.events import RunTrigger
from artifactr.core.segments import SegmentStart
from artifactr.core.threads import Prompt
from artifactr.wire.identities import caller_of, identity_of
from artifactr.workspace import Workspace, Workspaces
from lattice_chassis.identity import Identity
from service.agent.database_administration import DatabaseAdministration
from service.agent.scripted_files import ALICE
from service.agent.test_segments import PAUSED, ending, segment

VERA = Principal(actor=UserActor(id="vera", name="Vera"), roles=frozenset({"main/editor", "other/administrator"}))
BOB = UserActor(id="bob", name="Bob")


@pytest.fixture
def vera(workspaces: Workspaces, tenant: str) -> Workspace:
    """An editor of this workspace, who administers another one."""
    return workspaces.open(tenant, "main", VERA.actor, roles=VERA.roles)


async def next_principal(workspace: Workspace) -> Principal:
    """For whom the run works that the thread's next message begins."""
    turn = await workspace.next_turn("thr_1")
    assert isinstance(turn, Prompt)
    return turn.message.principal


async def test_a_message_keeps_its_senders_verified_roles(vera: Workspace, bob: Workspace) -> None:
    """SE-08, SE-01: any replica reads them; the next message has its own sender's."""
    await vera.create_thread("Launch", thread_id="thr_1")
    first = await vera.post_message("thr_1", "one")
    await bob.post_message("thr_1", "two")
    assert await next_principal(bob) == VERA
    agent = bob.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"), principal=await next_principal(bob))
    await agent.start_segment(segment(first.log_sequence))
    assert (await bob.run("run_1")).principal == VERA
    await agent.end_segment(ending(first.log_sequence))
    assert await next_principal(vera) == Principal(actor=BOB, roles=EDITOR)


async def test_a_run_keeps_its_principal_over_pauses_and_whoever_answers_and_resumes_it(
    vera: Workspace, bob: Workspace
) -> None:
    """SE-08: it is written once, so that neither an answer nor a replica that names another changes it."""
    await vera.create_thread("Launch", thread_id="thr_1")
    agent = AgentActor(thread_id="thr_1", run_id="run_1")
    first = await vera.post_message("thr_1", "go")
    theirs = vera.acting_as(agent)
    await theirs.start_segment(segment(first.log_sequence))
    await theirs.end_segment(ending(first.log_sequence, PAUSED))
    await bob.commit(AnswerDeferred(run_id="run_1", tool_call_id="q", answer="Monday"))
    assert (await bob.run("run_1")).principal == VERA
    resumed = SegmentStart(run_id="run_1", thread_id="thr_1", trigger=RunTrigger.RESUME)
    await bob.acting_as(agent).start_segment(resumed)
    assert (await bob.run("run_1")).principal == VERA


async def test_what_an_agent_says_in_another_thread_is_said_for_whom_it_works(vera: Workspace) -> None:
    """SE-08: so the run that begins with it has no more rights than the one that said it."""
    await vera.create_thread("Launch", thread_id="thr_1")
    agent = vera.acting_as(AgentActor(thread_id="thr_2", run_id="run_2"))
    await agent.post_message("thr_1", "Please help.")
    assert await next_principal(vera) == VERA
    helper = agent.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"))
    assert helper.caller.on_behalf_of == VERA


async def test_what_was_written_before_principals_were_kept(
    alice: Workspace, tenant: str, agent_database: DatabaseAdministration
) -> None:
    """SE-08: a message was an editor's in this workspace; a run that nothing is known of may nothing."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1")).start_segment(segment())
    await alice.post_message("thr_1", "go")
    agent_database.forget_principals(tenant)
    assert await next_principal(alice) == Principal(actor=ALICE, roles=frozenset({"main/editor"}))
    assert (await alice.run("run_1")).principal == NOBODY


@pytest.mark.parametrize(
    "actor",
    [
        UserActor(id="u"),
        UserActor(id="u", name="U"),
        ExternalAgentActor(client_id="c"),
        SystemActor(name="s"),
        AgentActor(thread_id="t", run_id="r"),
    ],
    ids=str,
)
async def test_every_kind_of_principal_is_read_as_it_was_written(alice: Workspace, actor: Actor) -> None:
    """SE-08: and called files as, with an agent's own rights in one workspace alone."""
    principal = Principal(actor=actor, roles=frozenset({"editor", "main/viewer"}))
    await alice.create_thread("Launch", thread_id="thr_1")
    agent = alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"), principal=principal)
    await agent.start_segment(segment())
    kept = (await alice.run("run_1")).principal
    assert kept == principal
    identity = alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"), principal=kept).identity
    assert identity.roles == {"main/editor"}
    assert identity.on_behalf_of is not None
    assert identity.on_behalf_of.roles == principal.roles
    assert caller_of(identity, "main") == agent.caller


def test_a_callers_own_roles_are_those_that_were_verified() -> None:
    """SE-01, SE-08: nobody is on whose behalf a person calls."""
    caller = Caller(tenant="acme", workspace="main", actor=ALICE, roles=frozenset({"main/reviewer"}))
    identity = identity_of(caller)
    assert identity == Identity(tenant="acme", actor=identity.actor, roles=frozenset({"main/reviewer"}))
    assert caller_of(identity, "main") == caller
