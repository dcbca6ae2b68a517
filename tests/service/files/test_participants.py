"""Two actors with one id and two kinds are two participants."""

import json
from collections.abc import AsyncIterator

import pytest
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import actor_pb2
from lattice_chassis.identity import Identity, participant_key
from lattice_chassis.server import BoundServer
from lattice_files.main import MIGRATIONS
from service.conftest import UpTo
from service.files.people import Participant, agent, append, document, new_request_id, participant, refused
from service.files.structured import rejects


@pytest.fixture
async def namesakes(server: BoundServer, tenant: str) -> AsyncIterator[list[Participant]]:
    """An agent of a thread and one from outside, both with Alice's id."""
    outside = actor_pb2.Actor(external_agent=actor_pb2.ExternalAgentActor(client_id="alice"))
    async with (
        participant(server.address, agent(tenant, "alice"), "main") as of_a_thread,
        participant(server.address, Identity(tenant=tenant, actor=outside), "main") as of_a_client,
    ):
        yield [of_a_thread, of_a_client]


async def test_a_request_is_remembered_for_its_participant_alone(
    alice: Participant, namesakes: list[Participant]
) -> None:
    """AC-02, ID-03: the same id of another kind makes a request of its own."""
    request_id = new_request_id()
    for who in (alice, *namesakes):
        await who.uploads(document("One."), request_id=request_id)
    assert len({it.artifact_created.artifact_id for it in await alice.feed()}) == 3


async def test_a_proposal_is_its_proposers_alone(alice: Participant, namesakes: list[Participant], task: str) -> None:
    """AC-02, PR-04: whoever has the proposer's id may answer it, and it is not listed as theirs."""
    await alice.uploads(document("One."), artifact_id="plan")
    made = await alice.edits("plan", 1, append("Two."), must_propose=True)
    for who in (alice, *namesakes):
        request = proposals_pb.ListProposalsRequest(workspace=who.scope, proposer_key=participant_key(who.actor))
        told = (await who.proposals.ListProposals(request)).proposals
        assert [it.proposal_id for it in told] == ([made.outcome.proposed.proposal_id] if who is alice else [])
    assert (await refused(rejects(alice, made.outcome.proposed.proposal_id))).reason == "FORBIDDEN"
    await rejects(namesakes[1], made.outcome.proposed.proposal_id)


async def test_the_proposers_from_before_kinds_were_kept_are_carried_over(before_revision: UpTo) -> None:
    """AC-02: each with its kind, in all tenants; so are those of replicas of before that are still up."""
    async with before_revision(MIGRATIONS, "0005") as older:

        def propose(tenant: str, proposal_id: str, kind: str) -> None:
            older.cursor.execute(
                "INSERT INTO proposals VALUES (%s, 'main', %s, 'plan', 'pending', 'alice', %s, 1)",
                (tenant, proposal_id, json.dumps({"proposer": {"kind": kind, "id": "alice"}})),
            )

        propose("acme", "prp_1", "user")
        propose("rival", "prp_1", "agent")
        await older.is_brought_up_to_date()
        propose("rival", "prp_2", "external_agent")
        assert older.told("SELECT tenant, proposal_id, proposer FROM proposals ORDER BY 1, 2") == [
            ("acme", "prp_1", "user:alice"),
            ("rival", "prp_1", "agent:alice"),
            ("rival", "prp_2", "external_agent:alice"),
        ]
