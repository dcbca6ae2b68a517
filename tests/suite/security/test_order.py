"""In which order a call is looked at: access, gate, permission, and only then whether there is such a thing."""

from collections.abc import Mapping
from typing import Final

import pytest
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.authorization import ROLES
from lattice_chassis.identity import Identity
from service.files.contract.good_calls import GOOD_CALLS
from service.files.contract.places import TENANT, People, Place, prepare
from service.files.contract.repeats import GATED
from service.files.people import FAKEAPP, new_request_id, user
from suite.security.calling import Suite
from suite.security.credentials import Issuers
from suite.security.renaming import about, things_named
from suite.security.rows import ROWS, Stage
from suite.security.table import cells, wrong

pytestmark = [pytest.mark.xdist_group("table"), pytest.mark.long]

BY_ALICE: Final = [it for it in GOOD_CALLS if str(it) in GATED and it.by == "alice" and it.label == ""]
"""Calls that need the app to be on, about things that need no agent."""

TOLD_WHILE_OFF: Final[Mapping[str, tuple[Identity, str]]] = {
    "a member who may not edit": (user(TENANT, "vera", "viewer"), "NOT_ENABLED"),
    "a member who may": (user(TENANT, "alice", "editor"), "NOT_ENABLED"),
    "a member without access": (user(TENANT, "mary", "elsewhere/administrator"), "FORBIDDEN"),
    "another tenant": (user("rival", "eve", "administrator"), "FORBIDDEN"),
}


@pytest.mark.parametrize("role", ["viewer", "reviewer", "editor"])
async def test_who_may_not_learns_nothing_of_whether_there_is_such_a_thing(
    role: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """WP-03: permission before existence, for every RPC that the role does not suffice for."""
    rows = [row for row in ROWS if row.needs not in {None, *ROLES[role]} and things_named(row, stage)]
    assert rows
    metadata = issuers.shown_by(user(TENANT, "vera", role))
    told = await cells(suite, stage, metadata, rows)
    unknown = await cells(suite, stage, metadata, [about(row, thing="nothing") for row in rows])
    assert wrong(unknown, lambda _: "FORBIDDEN", rows) == {}
    assert unknown == told


@pytest.fixture(scope="module")
async def dark(people: People, suite: Suite, issuers: Issuers) -> Stage:
    """A workspace with files of an app that was switched off since."""
    place = Place("dark")
    await prepare(people, place, *dict.fromkeys(need for call in BY_ALICE for need in call.needs))
    off = integrations_pb.SetEnabledRequest(
        workspace=place.name, key=FAKEAPP, enabled=False, expected_revision=0, request_id=new_request_id()
    )
    await suite.answers("IntegrationsService/SetEnabled", off, issuers.shown_by(user(TENANT, "ada", "administrator")))
    return Stage(place=place)


@pytest.mark.parametrize("who", TOLD_WHILE_OFF)
async def test_the_gate_stands_behind_access_and_before_permission(
    who: str, dark: Stage, suite: Suite, issuers: Issuers
) -> None:
    """AMB-01: a stranger learns nothing about switches; a member learns of one before what it may do."""
    identity, reason = TOLD_WHILE_OFF[who]
    rows = [row for row in ROWS if row.method in {it.method for it in BY_ALICE} and row.label == ""]
    assert len(rows) == len(BY_ALICE)
    metadata = issuers.shown_by(identity)
    assert wrong(await cells(suite, dark, metadata, rows), lambda _: reason, rows) == {}
