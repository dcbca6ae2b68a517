"""What somebody learned of another tenant or workspace is worth nothing in their own: ids, tokens, cursors, digests."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from google.protobuf.message import Message
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.identity import Identity
from lattice_chassis.paging import page_token
from service.files.contract.calls import with_request_id
from service.files.contract.good_call import context
from service.files.contract.places import IDENTITIES, TENANT, Place
from service.files.people import FAKEAPP, document, new_request_id, user
from suite.security.calling import ANSWERED, METHODS, Metadata, Suite
from suite.security.credentials import Issuers, delegate
from suite.security.renaming import about, things_named
from suite.security.rows import ROWS, Row, Stage
from suite.security.table import cells, wrong

pytestmark = [pytest.mark.xdist_group("table"), pytest.mark.long]

EVE: Final = user("rival", "eve", "administrator")
MARY: Final = user(TENANT, "mary", "elsewhere/administrator")
HOMES: Final[Sequence[tuple[Identity, dict[str, str]]]] = [
    (EVE, {"tenant": "rival"}),
    (MARY, {"workspace": "elsewhere"}),
]
"""Who asks, and where they may ask: a workspace of the same id in another tenant, and another one of the tenant."""
NAMES: Final = ["another tenant", "another workspace"]

MAKING: Final = [
    row
    for row in ROWS
    if str(row)
    in {
        "ArtifactsService/CreateArtifact",
        "ProposalsService/ProposeChange creation",
        "NativeFilesService/UploadFile",
        "ThreadsService/CreateThread",
        "LogService/RecordAppEvent",
        "IntegrationsService/SetEnabled",
    }
]
"""Calls under a request id that need nothing but a workspace."""

at_home = pytest.mark.parametrize(("who", "home"), HOMES, ids=NAMES)


@at_home
async def test_an_id_of_elsewhere_is_an_id_of_nothing(
    who: Identity, home: dict[str, str], suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """X-08, TN-03: whoever knows it is told what is told of ids that nobody ever gave."""
    rows = [about(row, **home) for row in ROWS if things_named(row, stage)]
    assert {type(row.requests(stage)[0]).__name__ for row in rows} >= {"GetRunRequest", "GetProposalRequest"}
    metadata = issuers.shown_by(who)
    known = await cells(suite, stage, metadata, rows)
    unknown = await cells(suite, stage, metadata, [about(row, thing=_backwards) for row in rows])
    assert wrong(known, lambda _: "NOT_FOUND", rows) == {}
    for row in rows:
        (given,) = things_named(row, stage)
        made_up = unknown[str(row)].details.replace(_backwards(given).encode(), given.encode())
        assert (str(row), made_up) == (str(row), known[str(row)].details)


def _with_field(name: str) -> list[Row]:
    return [row for row in ROWS if name in METHODS[row.method].input_type.fields_by_name and row.needs is not None]


@at_home
async def test_a_page_token_of_elsewhere_is_refused(
    who: Identity, home: dict[str, str], suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """SG-03, X-08: also where all the other arguments agree."""

    def with_foreign_token(row: Row) -> Row:
        def requests(stage: Stage) -> Sequence[Message]:
            (request,) = about(row, **home).requests(stage)
            changed: Any = request
            changed.page_token = page_token(row.requests(stage)[0], [1])
            return [changed]

        return replace(row, requests=requests)

    rows = [with_foreign_token(row) for row in _with_field("page_token")]
    metadata = issuers.shown_by(who)
    found = await cells(suite, stage, metadata, rows)
    assert len(found) > 6
    assert wrong(found, lambda _: "PAGE_TOKEN_INVALID", rows) == {}


@pytest.fixture(scope="module")
async def cursors(suite: Suite, issuers: Issuers, stage: Stage) -> dict[str, names_pb2.Cursor]:
    """The heads of feeds and logs of alice's tenant that were written to, by the RPC that goes on from each."""
    ada = issuers.shown_by(user(TENANT, "ada", "administrator"))
    switched = Place("switched").name
    switch = integrations_pb.SetEnabledRequest(
        workspace=switched, key=FAKEAPP, enabled=True, expected_revision=0, request_id=new_request_id()
    )
    await suite.answers("IntegrationsService/SetEnabled", switch, ada)
    feed = await suite.answers(
        "ChangesService/ListChanges", changes_pb.ListChangesRequest(workspace=stage.workspace, page_size=1), ada
    )
    log = await suite.answers("LogService/ReadLog", log_pb.ReadLogRequest(workspace=stage.workspace, last=1), ada)
    listed = integrations_pb.ListIntegrationsRequest(workspace=switched)
    switches = await suite.answers("IntegrationsService/ListIntegrations", listed, ada)
    return {
        "ChangesService/ListChanges": feed.cursor,
        "ChangesService/WatchChanges": feed.cursor,
        "LogService/WatchLog": log.head,
        "IntegrationsService/WatchIntegrations": switches.cursor,
    }


@at_home
async def test_a_cursor_of_elsewhere_is_reset(
    who: Identity,
    home: dict[str, str],
    cursors: dict[str, names_pb2.Cursor],
    suite: Suite,
    issuers: Issuers,
    stage: Stage,
) -> None:
    """SB-05, MP-22, X-08: to the byte as one that was made up is."""

    def with_cursor(row: Row, change: Callable[[names_pb2.Cursor], names_pb2.Cursor]) -> Row:
        def requests(stage: Stage) -> Sequence[Message]:
            (request,) = about(row, **home).requests(stage)
            changed: Any = request
            if "from_head" in changed.DESCRIPTOR.fields_by_name:
                changed.ClearField("from_head")
            changed.cursor.CopyFrom(change(cursors[row.method]))
            return [changed]

        return replace(row, requests=requests)

    rows = _with_field("cursor")
    assert {row.method for row in rows} == set(cursors)
    assert all(it.sequence > 0 for it in cursors.values())
    metadata = issuers.shown_by(who)
    known = await cells(suite, stage, metadata, [with_cursor(row, lambda it: it) for row in rows])
    made_up = [with_cursor(row, lambda it: names_pb2.Cursor(epoch="made-up", sequence=it.sequence)) for row in rows]
    assert wrong(known, lambda _: "CURSOR_RESET", rows) == {}
    assert await cells(suite, stage, metadata, made_up) == known


@at_home
async def test_a_request_id_of_elsewhere_is_a_new_one(
    who: Identity, home: dict[str, str], suite: Suite, issuers: Issuers
) -> None:
    """ID-03, X-08: neither answered as the first call was nor refused for its other body."""
    request_ids = {str(row): new_request_id() for row in MAKING}

    def under_its_id(row: Row) -> Row:
        method, request_id = METHODS[row.method], request_ids[str(row)]
        return replace(row, requests=lambda stage: with_request_id(method, row.requests(stage), request_id))

    first = [under_its_id(row) for row in MAKING]
    second = [about(row, **home) for row in first]
    alice, other = issuers.shown_by(user(TENANT, "alice", "administrator")), issuers.shown_by(who)
    fresh = Stage(place=Place(f"before_{who.actor.user.id}"))
    assert wrong(await cells(suite, fresh, alice, first), lambda _: ANSWERED, first) == {}
    there = Stage(place=Place("everything"))
    assert wrong(await cells(suite, there, other, second), lambda _: ANSWERED, second) == {}


async def test_tokens_of_leases_and_fences_of_another_tenant_open_and_close_nothing(
    suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """L-01, MP-21, X-08: a check-out is nobody's elsewhere, and a fence stands in one workspace of one tenant."""
    eve = issuers.shown_by(EVE)
    here = f"tenants/rival/workspaces/{stage.place.workspace}"
    await _uploads(suite, eve, here, document("One."), artifact_id="extended")
    for token in (1, 99):  # the first is alice's token of the file with this id in her own workspace
        request = native_pb.ExtendCheckOutRequest(
            name=f"{here}/artifacts/extended", token=token, request_id=new_request_id()
        )
        told = await suite.tells("NativeFilesService/ExtendCheckOut", [request], eve)
        assert told.reason == "LEASE_EXPIRED"
    for person, token in ((IDENTITIES["alice"], 1000), (EVE, 1)):
        workspace = f"tenants/{person.tenant}/workspaces/fenced"
        barrier = changes_pb.EstablishBarrierRequest(
            workspace=workspace, fence=names_pb2.Fence(scope="thr_1", token=token)
        )
        shown = issuers.shown_by(delegate(person, "fenced"))
        assert (await suite.tells("ChangesService/EstablishBarrier", [barrier], shown)).reason == ANSWERED


async def test_a_digest_of_another_tenants_content_gives_nothing_away(
    suite: Suite, issuers: Issuers, stage: Stage
) -> None:
    """X-08, B-01: content is sent whole, whoever has it, and its digest stands for nothing."""
    content, eve = document("Alice's."), issuers.shown_by(EVE)
    await _uploads(suite, issuers.shown_by(IDENTITIES["alice"]), stage.workspace, content, artifact_id="hers")
    here = f"tenants/rival/workspaces/{stage.place.workspace}"
    declared = [hashlib.sha256(it).digest() for it in (content, b"nobody's")]
    told = [
        await suite.tells("NativeFilesService/UploadFile", _upload(here, document("Eve's."), digest, "guess"), eve)
        for digest in declared
    ]
    assert told[0].reason == "DIGEST_MISMATCH"
    known, unknown = (it.details.replace(digest.hex().encode(), b"") for it, digest in zip(told, declared, strict=True))
    assert known == unknown


def _backwards(text: str) -> str:
    """Another id of the same length, which nobody gave."""
    return text[::-1]


async def _uploads(suite: Suite, metadata: Metadata, workspace: str, content: bytes, *, artifact_id: str) -> None:
    requests = _upload(workspace, content, hashlib.sha256(content).digest(), artifact_id)
    assert (await suite.tells("NativeFilesService/UploadFile", requests, metadata)).reason == ANSWERED


def _upload(workspace: str, content: bytes, digest: bytes, artifact_id: str) -> Sequence[Message]:
    header = native_pb.UploadHeader(
        workspace=workspace,
        file_name="plan.fake",
        size=len(content),
        sha256=digest,
        artifact_id=artifact_id,
        context=context(),
    )
    return [native_pb.UploadFileRequest(header=header), native_pb.UploadFileRequest(chunk=content)]
