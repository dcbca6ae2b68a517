"""Nobody learns what exists beyond what they may see: not by a word of an answer, nor by the work that it takes."""

from typing import Final

import pytest
from lattice_chassis.identity import Identity
from service.files.contract.places import TENANT
from service.files.people import user
from suite.security.calling import Suite
from suite.security.credentials import Issuers, delegate, program
from suite.security.renaming import about
from suite.security.rows import READ, REFUSED_TYPES, ROWS, Stage
from suite.security.statements import statements_for
from suite.security.table import OF_FILES, cells

pytestmark = [pytest.mark.xdist_group("table"), pytest.mark.long]

NAMING: Final = [row for row in ROWS if row.needs is not None and "RegisterType" not in row.method]
"""Every RPC but those about the deployment's types, which belong to no tenant."""
ABSENT: Final = {"tenant": "nobody", "workspace": "nowhere", "thing": "nothing", "revision": "999"}

WITHOUT_A_LOOK: Final = frozenset(
    {
        *("ThreadsService/ListAgents", "NativeFilesService/GetAppStatus", "NativeFilesService/FindCommands"),
        *(f"flagd.evaluation.{version}.Service/{it}" for version in ("v1", "v2") for it in REFUSED_TYPES),
    }
)
"""Reads of what a service knows by its settings, or asks of another one."""

EVE: Final = user("stranger", "eve", "administrator")
OUTSIDERS: Final[dict[str, Identity]] = {
    "an administrator of another tenant": EVE,
    "a program of another tenant": program("stranger", "administrator"),
    "a member without access to the workspace": user(TENANT, "eve", "elsewhere/administrator"),
    "an agent for a member without access": delegate(user(TENANT, "eve", "elsewhere/editor"), "everything"),
}


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_what_exists_and_what_does_not_is_refused_alike_and_without_a_look(
    who: str, suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """X-08, TN-01, AMB-01: the whole status is the same to the byte, and no database is asked for either."""
    outsider = OUTSIDERS[who]
    rows = [row for row in NAMING if row in OF_FILES or outsider.on_behalf_of is None]
    rows = [row for row in rows if row.names_tenant or outsider.tenant == TENANT]
    metadata = issuers.shown_by(outsider)
    with statements_for(outsider.participant) as statements:
        told = await cells(suite, stage, metadata, rows)
        differing = []
        for what, other in ABSENT.items():
            if what == "tenant" and outsider.tenant == TENANT:
                continue  # another tenant is none of theirs, whatever it is called
            unknown = await cells(suite, stage, metadata, [about(row, **{what: other}) for row in rows])
            differing += [(what, row, told[row], unknown[row]) for row in told if told[row] != unknown[row]]
    assert {it.reason for it in told.values()} == {"FORBIDDEN"}
    assert differing == []
    assert statements == []


async def test_what_a_reader_is_answered_takes_a_look(suite: Suite, issuers: Issuers, stage: Stage) -> None:
    """X-08: the statements of a call are seen here, so that none seen means none run."""
    vera = user(TENANT, "vera", "viewer")
    metadata = issuers.shown_by(vera)
    for row in ROWS:
        if row.needs is READ and row.method not in WITHOUT_A_LOOK:
            with statements_for(vera.participant) as statements:
                await cells(suite, stage, metadata, [row])
            assert (str(row), bool(statements)) == (str(row), True)
