"""Every RPC of every service against every kind of credential: each cell has its registered reason."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import pytest
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_chassis.authorization import ROLES
from lattice_chassis.identity import Identity, development_metadata
from service.files.contract.places import TENANT
from service.files.people import user
from suite.security.calling import ANSWERED, METHODS, Metadata, Suite, package_of
from suite.security.credentials import HOUR, Issuers, bearer, claiming, delegate, program, service, signed
from suite.security.rows import READ, ROWS, Row, Stage
from suite.security.table import ELSEWHERE, OF_FILES, cells, wrong

pytestmark = [pytest.mark.xdist_group("table"), pytest.mark.long]

ADA: Final = user(TENANT, "ada", "administrator", "operator")
"""Who may do everything."""
ASSISTANT: Final = delegate(ADA, "everything", "administrator")
"""An agent that works for her, with all her rights in the workspace."""
NEITHER: Final = frozenset({"FORBIDDEN", "UNAUTHENTICATED", "INTERNAL", "NOT_IMPLEMENTED", "PEER_UNAVAILABLE"})
"""How no call ends of somebody who may make it."""

UNKNOWN: Final[Mapping[str, Callable[[Issuers], Metadata]]] = {
    "no token": lambda _: (),
    "a token that is no JWT": lambda _: bearer("x.y.z"),
    "a token of another scheme": lambda it: [
        (key, value.replace("Bearer", "Basic")) for key, value in signed(it.people, ADA)
    ],
    "a token of 20 kB": lambda _: bearer("x" * 20_000),
    "two tokens": lambda it: (*signed(it.people, ADA), *signed(it.people, ADA)),
    "an expired token": lambda it: signed(it.people, ADA, ago=HOUR),
    "a token not valid yet": lambda it: signed(it.people, ADA, ago=-HOUR),
    "a token of an unknown key": lambda it: signed(it.stranger, ADA),
    "a token of an unknown issuer": lambda it: claiming(it.people, ADA, iss="https://elsewhere.test"),
    "a token for another audience": lambda it: claiming(it.people, ADA, aud="another"),
    "a token without an end": lambda it: claiming(it.people, ADA, exp=None),
    "a token of no tenant": lambda it: claiming(it.people, ADA, lattice_tenant=None),
    "a token of no kind": lambda it: claiming(it.people, ADA, lattice_kind=None),
    "a person's token with somebody to work for": lambda it: claiming(
        it.people, ADA, lattice_on_behalf_of={"actor": {"user": {"id": "olga"}}, "roles": ["administrator"]}
    ),
    "what development believes": lambda _: development_metadata(ADA),
    "what development believes, beside a stranger's token": lambda it: (
        *signed(it.stranger, ADA),
        *development_metadata(ADA),
    ),
    "the issuer of people that speaks for an agent": lambda it: signed(it.people, ASSISTANT),
    "the issuer of people that speaks for a service": lambda it: signed(it.people, service(TENANT, "administrator")),
    "agent's own issuer that speaks for a person": lambda it: signed(it.agent, ADA),
    "a delegation of agent's by the key of people": lambda it: claiming(it.people, ASSISTANT, iss=it.agent.issuer),
    "a delegation without anybody to work for": lambda it: claiming(it.agent, ASSISTANT, lattice_on_behalf_of=None),
    "a delegation without a run": lambda it: claiming(it.agent, ASSISTANT, lattice_agent={"thread_id": "thr_1"}),
    "a delegation for the whole tenant": lambda it: claiming(it.agent, ASSISTANT, lattice_roles=["administrator"]),
    "a delegation for an agent": lambda it: claiming(
        it.agent,
        ASSISTANT,
        lattice_on_behalf_of={"actor": {"agent": {"threadId": "thr_2"}}, "roles": ["administrator"]},
    ),
    "an expired delegation": lambda it: signed(it.agent, ASSISTANT, ago=HOUR),
    "a delegation for an hour": lambda it: claiming(it.agent, ASSISTANT, exp=int(time.time() + HOUR)),
}
"""Credentials that nobody believes, whatever they say."""

CLOSED: Final[Mapping[str, Identity]] = {
    "of another tenant": user("stranger", "ada", "administrator"),
    "of another tenant, with the roles of this workspace": user("stranger", "ada", "everything/administrator"),
    "of the tenant, with roles in another workspace only": user(TENANT, "ada", "elsewhere/administrator"),
    "of the tenant, with roles in a workspace of a longer name": user(TENANT, "ada", "everything2/administrator"),
    "of the tenant, without a role": Identity(tenant=TENANT, actor=ADA.actor, roles=frozenset()),
    "of the tenant, with a role that nobody knows": user(TENANT, "ada", "root", "Administrator", "*"),
    "of a program of another tenant": program("stranger", "administrator"),
}
"""Who is known, and may not see the workspace."""

DELEGATED_ELSEWHERE: Final[Mapping[str, Identity]] = {
    "in another workspace": delegate(ADA, "elsewhere", "administrator"),
    "for somebody of another tenant": delegate(user("stranger", "ada", "administrator"), "everything"),
    "for somebody without a role": delegate(replace(ADA, roles=frozenset()), "everything"),
    "for somebody with roles in another workspace": delegate(user(TENANT, "ada", "elsewhere/editor"), "everything"),
}
"""Delegations that agent signed, and that open nothing here."""


def test_every_rpc_of_every_service_has_its_row() -> None:
    """SE-01, SE-02: an RPC of which nobody said who may call it fails here."""
    assert {row.method for row in ROWS} == set(METHODS)


async def test_a_run_works_for_whoever_started_it_by_the_delegation_that_agent_signs(
    suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """SE-08, MP-32: files believes it, from the barrier before the first request to the end."""
    alice = issuers.shown_by(user(TENANT, "alice"))
    answer = await suite.answers("RunsService/GetRun", runs_pb.GetRunRequest(name=stage.run), alice)
    assert (answer.run.status, answer.run.error) == (runs_pb.RUN_STATUS_COMPLETED, "")


@pytest.mark.parametrize("credential", UNKNOWN)
async def test_without_a_good_token_every_rpc_is_unauthenticated(
    credential: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """SE-01, SE-08, MP-32: a service says the same, whatever it is asked for."""
    metadata = UNKNOWN[credential](issuers)
    found = await cells(suite, stage, metadata)
    assert wrong(found, lambda _: "UNAUTHENTICATED") == {}
    assert len({(package_of(row.method), found[str(row)].message) for row in ROWS}) == len(suite.channels)


@pytest.mark.parametrize("who", CLOSED)
async def test_whoever_may_not_see_the_workspace_is_forbidden_every_rpc_about_it(
    who: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """TN-01, SE-02, AMB-01: but for what is of no workspace, and for requests that cannot name another's tenant."""
    caller = CLOSED[who]

    def told(row: Row) -> str:
        about_their_own = caller.tenant != TENANT and not row.names_tenant
        return row.reason if row.needs is None or about_their_own else "FORBIDDEN"

    found = await cells(suite, stage, issuers.shown_by(caller))
    assert wrong(found, told) == {}


@pytest.mark.parametrize("whose", DELEGATED_ELSEWHERE)
async def test_a_delegation_opens_the_workspace_and_the_tenant_that_it_names_and_no_other(
    whose: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """SE-08: nor more than the person has for whom the run works."""
    metadata = issuers.shown_by(DELEGATED_ELSEWHERE[whose])
    found = await cells(suite, stage, metadata, OF_FILES)
    assert wrong(found, lambda row: ANSWERED if row.needs is None else "FORBIDDEN", OF_FILES) == {}


@pytest.mark.parametrize(
    ("delegation", "role"),
    [
        (delegate(user(TENANT, "alice", "viewer"), "everything", "administrator"), "viewer"),
        (delegate(user(TENANT, "alice", "everything/viewer", "elsewhere/administrator"), "everything"), "viewer"),
        (delegate(ADA, "everything", "viewer"), "viewer"),
        (delegate(user(TENANT, "alice", "reviewer"), "everything", "administrator"), "reviewer"),
        (delegate(user(TENANT, "alice", "editor"), "everything", "administrator"), "editor"),
        (delegate(ADA, "everything", "editor"), "editor"),
    ],
    ids=[
        "for a viewer",
        "for a viewer of this workspace",
        "for an administrator, as a viewer",
        "for a reviewer",
        "for an editor",
        "for an administrator, as an editor",
    ],
)
async def test_an_agent_has_the_lesser_of_its_own_rights_and_the_persons(
    delegation: Identity, role: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """SE-08, F-18: it reads, and is forbidden whatever the lesser role does not suffice for."""
    rows = [row for row in OF_FILES if row.needs in {None, READ} or row.needs not in ROLES[role]]
    found = await cells(suite, stage, issuers.shown_by(delegation), rows)
    assert wrong(found, lambda row: ANSWERED if row.needs in {None, READ} else "FORBIDDEN", rows) == {}


@pytest.mark.parametrize("identity", [ASSISTANT, service(TENANT, "administrator")], ids=["agent", "service"])
async def test_agents_and_services_are_known_to_files_alone(
    identity: Identity, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """MP-01, MP-32: agent calls files and nothing else, in whosever name."""
    found = await cells(suite, stage, issuers.shown_by(identity), ELSEWHERE)
    assert wrong(found, lambda _: "UNAUTHENTICATED", ELSEWHERE) == {}


@pytest.mark.parametrize(
    "identity",
    [ASSISTANT, program(TENANT, "administrator"), service(TENANT, "administrator")],
    ids=["agent", "program", "service"],
)
async def test_what_only_people_may_is_forbidden_to_everybody_else(
    identity: Identity, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """AMB-12: with whatever roles."""
    rows = [row for row in ROWS if row.people_only]
    assert rows
    metadata = issuers.shown_by(identity)
    assert wrong(await cells(suite, stage, metadata, rows), lambda _: "FORBIDDEN", rows) == {}


async def test_each_rpc_asks_for_the_permission_of_its_row(suite: Suite, issuers: Issuers, stage: Stage) -> None:
    """SE-02, WP-03: the least role that suffices is answered, each lower one is forbidden to, and no higher one."""
    answered: set[str] = set()
    for role in ("operator", "viewer", "reviewer", "editor", "administrator"):
        found = await cells(suite, stage, issuers.shown_by(user(TENANT, "alice", role)))
        may = [row for row in ROWS if row.needs is None or row.needs in ROLES[role]]
        assert (role, wrong(found, lambda _: "FORBIDDEN", [row for row in ROWS if row not in may])) == (role, {})
        first = [row for row in may if str(row) not in answered]
        assert (role, wrong(found, lambda row: row.reason, first)) == (role, {})
        assert (role, {str(row) for row in may if found[str(row)].reason in NEITHER}) == (role, set())
        answered |= {str(row) for row in may}
    assert answered == {str(row) for row in ROWS}
