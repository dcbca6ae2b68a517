"""What a caller may do in the workspaces that its request names, and who is refused before anything else."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from lattice.type.v1.actor_pb2 import Actor, AgentActor
from lattice_chassis.authorization import ROLES, Permission
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.interceptors import authentication

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Compiled, Probe, ProbeFactory, Refused

EVERYTHING = " ".join(sorted(it for it in Permission if it is not Permission.OPERATE))


def naming(pb: "Compiled", *workspaces: str, tenant: str = "acme") -> "Compiled":
    """A whole request about these workspaces."""
    names = [f"tenants/{tenant}/workspaces/{it}" for it in workspaces]
    return pb.CheckRequest(
        name=names[0],
        others=names[1:],
        number=1,
        counted=0,
        colour=pb.COLOUR_RED,
        content=b"x",
        part=pb.Part(id="a"),
        parts=[pb.Part(id="b")],
    )


async def allowed(probe: "Probe", identity: Identity, *workspaces: str) -> str:
    """The permissions of a caller whom the service answers."""
    call: Any = probe.stub.Check(naming(probe.pb, *workspaces), metadata=development_metadata(identity))
    told: str = (await call).told
    return told


@pytest.mark.parametrize(
    ("role", "permissions"),
    [
        ("viewer", "read"),
        ("reviewer", "read review"),
        ("editor", "edit read review"),
        ("administrator", EVERYTHING),
    ],
)
async def test_a_role_holds_in_every_workspace_or_in_one(
    probe: "Probe", refused: "Refused", alice: Identity, role: str, permissions: str
) -> None:
    """SE-02, TN-04: a workspace in which one has no role is closed, and says the same whether or not it is there."""
    assert await allowed(probe, replace(alice, roles=frozenset({role})), "launch") == permissions
    here = replace(alice, roles=frozenset({f"launch/{role}"}))
    assert await allowed(probe, here, "launch") == permissions
    refusal = await refused(allowed(probe, here, "press"))
    assert refusal.reason == "FORBIDDEN"
    assert "press" not in str(refusal)


@pytest.mark.parametrize("role", ["", "Editor", "launch", "launch/", "press/editor", "operator", "editors"])
async def test_no_other_role_opens_a_workspace(probe: "Probe", refused: "Refused", alice: Identity, role: str) -> None:
    """SE-02: what nobody defined may nothing, and a role in one workspace is none in another."""
    unknown = replace(alice, roles=frozenset({role, "nobody"}))
    assert (await refused(allowed(probe, unknown, "launch"))).reason == "FORBIDDEN"


async def test_roles_add_up(probe: "Probe", alice: Identity) -> None:
    """SE-02: of a workspace and of all."""
    both = replace(alice, roles=frozenset({"viewer", "launch/editor", "press/administrator"}))
    assert await allowed(probe, both, "launch") == "edit read review"
    assert await allowed(probe, both, "notes") == "read"


async def test_an_agent_has_the_lesser_of_its_rights_and_of_those_for_whom_it_works(
    probe: "Probe", refused: "Refused", alice: Identity
) -> None:
    """SE-08: neither lends the other anything."""
    agent = Identity(
        tenant="acme",
        actor=Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1")),
        roles=frozenset({"launch/editor"}),
    )
    for role, permissions in {"viewer": "read", "administrator": "edit read review", "reviewer": "read review"}.items():
        person = replace(alice, roles=frozenset({role}))
        assert await allowed(probe, replace(agent, on_behalf_of=person), "launch") == permissions
        assert (await refused(allowed(probe, replace(agent, on_behalf_of=person), "press"))).reason == "FORBIDDEN"
    stranger = replace(alice, roles=frozenset({"press/administrator"}))
    assert (await refused(allowed(probe, replace(agent, on_behalf_of=stranger), "launch"))).reason == "FORBIDDEN"


async def test_where_a_request_names_several_workspaces_what_holds_in_all_of_them_counts(
    probe: "Probe", refused: "Refused", alice: Identity
) -> None:
    """SE-02: access to one is no access to another."""
    uneven = replace(alice, roles=frozenset({"launch/editor", "press/reviewer"}))
    assert await allowed(probe, uneven, "launch", "press") == "read review"
    assert (await refused(allowed(probe, uneven, "launch", "notes"))).reason == "FORBIDDEN"


async def test_a_stranger_learns_nothing_of_a_requests_shape(
    probe: "Probe", refused: "Refused", alice: Identity
) -> None:
    """AMB-01, WP-03: identity and access come first; a name that is none is a fault of shape for everybody."""
    stranger = development_metadata(replace(alice, roles=frozenset({"press/editor"})))
    halves = probe.pb.CheckRequest(name="tenants/acme/workspaces/launch")
    assert (await refused(probe.stub.Check(halves, metadata=stranger))).reason == "FORBIDDEN"
    assert (await refused(probe.stub.Check(halves))).reason == "VALIDATION_FAILED"
    assert (await refused(probe.stub.Check(probe.pb.CheckRequest(name="launch")))).reason == "VALIDATION_FAILED"
    elsewhere = naming(probe.pb, "launch", tenant="rival")
    assert (await refused(probe.stub.Check(elsewhere))).reason == "FORBIDDEN"


@dataclass
class Relations:
    """An authorizer that knows who is whose member, and can be away."""

    members: dict[str, frozenset[Permission]] = field(default_factory=dict)
    away: bool = False

    async def permissions(self, identity: Identity, workspace: str) -> frozenset[Permission]:
        """What was said of the participant, in any workspace."""
        if self.away:
            raise PeerUnavailable(peer="authorizer")
        return self.members.get(identity.participant, frozenset())


async def test_another_authorizer_decides_by_what_it_knows_and_closes_while_it_is_away(
    probing: "ProbeFactory", refused: "Refused", alice: Identity
) -> None:
    """SE-02: the port; roles mean nothing to this one."""
    relations = Relations(members={"user:alice": ROLES["reviewer"]})
    async with probing(authorizer=relations) as probe:
        assert await allowed(probe, replace(alice, roles=frozenset({"administrator"})), "launch") == "read review"
        bob = replace(alice, actor=Actor(agent=AgentActor(thread_id="bob")))
        assert (await refused(allowed(probe, bob, "launch"))).reason == "FORBIDDEN"
        relations.away = True
        assert (await refused(allowed(probe, alice, "launch"))).reason == "PEER_UNAVAILABLE"


@pytest.mark.parametrize(("change", "reason"), [("taken back", "FORBIDDEN"), ("away", "PEER_UNAVAILABLE")])
async def test_a_watch_ends_once_the_authorizer_says_otherwise(
    probing: "ProbeFactory",
    refused: "Refused",
    alice: Identity,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    reason: str,
) -> None:
    """SE-02: a watch has no end of its own, and would go on telling somebody who was shut out."""
    monkeypatch.setattr(authentication, "WATCHES_CHECKED_EVERY", timedelta(milliseconds=20))
    relations = Relations(members={"user:alice": ROLES["reviewer"], "agent:bob": ROLES["viewer"]})
    bob = replace(alice, actor=Actor(agent=AgentActor(thread_id="bob")))
    async with probing(authorizer=relations) as probe:
        watches = [
            probe.stub.WatchWorkspace(naming(probe.pb, "launch"), metadata=development_metadata(it))
            for it in (alice, bob)
        ]
        for watch in watches:
            assert (await watch.read()).told == "snapshot"
        await asyncio.sleep(0.1)
        assert not any(watch.done() for watch in watches)
        if change == "away":
            relations.away = True
        else:
            del relations.members["user:alice"]
        async with asyncio.timeout(30):
            assert (await refused(watches[0].read())).reason == reason
        if change == "taken back":
            await asyncio.sleep(0.1)
            assert not watches[1].done()
