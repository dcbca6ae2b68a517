"""Positions, request ids, digests and chosen ids of one tenant in the hands of another: they mean nothing there."""

import hashlib
from collections.abc import AsyncIterator, Awaitable
from typing import Any, Final

import pytest
from google.protobuf.descriptor import MethodDescriptor
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.paging import page_token
from service.files.people import FAKEAPP, append, document, new_request_id, refused, write_context
from service.isolation.suite import READS, Suite, Tenant

pytestmark = [pytest.mark.xdist_group("isolation"), pytest.mark.long]  # one set of services for all of them

Rpc = tuple[str, MethodDescriptor]

SECRET: Final = document("Known to globex alone.")


def having(field: str) -> list[Rpc]:
    """The reading RPCs about a workspace whose request has such a field."""
    fields = [(it, {field.name for field in it[1].input_type.fields}) for it in READS]
    return [rpc for rpc, names in fields if field in names and names & {"workspace", "name"}]


@pytest.fixture(scope="module")
async def acme(suite: Suite) -> AsyncIterator[Tenant]:
    """Who tries."""
    async with suite.tenant("positions-acme") as tenant:
        yield tenant


@pytest.fixture(scope="module")
async def globex(suite: Suite) -> AsyncIterator[Tenant]:
    """Whose secrets they are."""
    async with suite.tenant("positions-globex") as tenant:
        yield tenant


def first(call: Any) -> Awaitable[object]:  # noqa: ANN401 - stubs are untyped
    """The answer of a call, or the first message of a watch."""
    return call.read() if hasattr(call, "read") else call  # type: ignore[no-any-return]


@pytest.mark.parametrize("rpc", having("page_token"), ids=lambda it: it[1].name)
async def test_a_page_token_of_another_tenant_is_none(rpc: Rpc, acme: Tenant, globex: Tenant) -> None:
    """SG-03, X-08: the same list of the other tenant, and one of another workspace: refused as if it were made up."""
    service, method = rpc
    request: Any = acme.request(method)
    elsewhere: Any = acme.request(method)
    field = "workspace" if "workspace" in method.input_type.fields_by_name else "name"
    setattr(elsewhere, field, getattr(elsewhere, field).replace("/main", "/other"))
    told = []
    for token in (page_token(globex.request(method), [1]), page_token(elsewhere, [1]), "bm9uc2Vuc2U"):
        request.page_token = token
        told.append(await refused(first(acme.call(service, method, request))))
    assert {it.reason for it in told} == {"PAGE_TOKEN_INVALID"}
    assert {str(vars(it)) for it in told} == {str(vars(told[0]))}


@pytest.mark.parametrize("rpc", having("cursor"), ids=lambda it: it[1].name)
async def test_a_cursor_of_another_tenant_is_reset(rpc: Rpc, acme: Tenant, globex: Tenant) -> None:
    """SB-05, X-08: as one that was made up, and the answer names the caller's own history alone."""
    service, method = rpc
    theirs: Any = await first(globex.call(service, method, globex.request(method)))
    cursor = theirs.cursor if "cursor" in theirs.DESCRIPTOR.fields_by_name else theirs.snapshot.cursor
    assert cursor.epoch
    told = []
    for epoch in (cursor.epoch, new_request_id()):
        request: Any = acme.request(method)
        request.cursor.CopyFrom(names_pb2.Cursor(epoch=epoch, sequence=1))
        told.append(await refused(first(acme.call(service, method, request))))
    assert {it.reason for it in told} == {"CURSOR_RESET"}
    assert cursor.epoch not in str(vars(told[0]))
    assert str(vars(told[0])) == str(vars(told[1]))


async def test_a_request_id_of_another_tenant_is_just_a_new_one(acme: Tenant, globex: Tenant) -> None:
    """ID-03, X-08: in every service, with the same body and with another."""
    for words in ("The same.", "Others."):
        request_id = new_request_id()
        for tenant in (globex, acme):
            uploaded = await tenant.files.uploads(document(words), request_id=request_id)
            assert uploaded.applied.version == 1
            assert await tenant.files.reads(uploaded.applied.artifact_id) == words
            now = await tenant.integrations.asks(FAKEAPP)
            switched = await tenant.integrations.switches(
                FAKEAPP, on=not now.enabled, expected=now.revision, request_id=request_id
            )
            assert (switched.enabled, switched.revision) == (not now.enabled, now.revision + 1)
            await tenant.integrations.switches(FAKEAPP, on=True, expected=switched.revision)
            await tenant.agent.creates_thread(f"thr_{request_id}", request_id=request_id)


async def test_an_id_that_one_tenant_chose_is_free_to_all_others(acme: Tenant, globex: Tenant) -> None:
    """VO-08, X-08: ids of artifacts, proposals, threads and messages."""
    for tenant in (globex, acme):
        outcome = await tenant.files.uploads(document("One."), artifact_id="chosen")
        assert outcome.applied.artifact_id == "chosen"
        proposed = await tenant.files.edits("chosen", 1, append("Two."), must_propose=True, proposal_id="prp_chosen")
        assert proposed.outcome.proposed.proposal_id == "prp_chosen"
        thread = (await tenant.agent.creates_thread("thr_chosen")).thread
        assert thread.name.startswith(tenant.files.scope)
        await tenant.agent.sends("Hello?", thread_id="thr_chosen", message_id="msg_chosen")


async def test_a_check_out_of_another_tenant_is_no_lease_of_a_file_with_the_same_id(
    acme: Tenant, globex: Tenant
) -> None:
    """L-01, X-08."""
    for tenant in (globex, acme):
        await tenant.files.uploads(document("One."), artifact_id="lent")
    lent = await globex.files.checks_out("lent")
    assert not (await acme.files.lease_of("lent")).HasField("lease")
    await acme.files.edits("lent", 1, append("Two."))
    assert not await acme.files.releases("lent", lent.token)
    assert (await globex.files.lease_of("lent")).HasField("lease")


async def test_a_digest_is_proved_by_sending_its_content(acme: Tenant, globex: Tenant) -> None:
    """B-02, X-08: who claims a digest that another tenant's file has is told the same as who makes one up."""
    stored = (await globex.files.uploads(SECRET)).applied.artifact_id
    assert (await globex.files.downloads(stored))[1] == SECRET
    told = []
    for content in (SECRET, document("Known to nobody at all")):
        header = native_pb.UploadHeader(
            workspace=acme.files.scope,
            file_name="plan.fake",
            size=len(content),
            sha256=hashlib.sha256(content).digest(),
            context=write_context(),
        )
        for sent in (b"", b"x" * len(content)):
            refusal = await refused(acme.files.uploads_as(header, sent))
            told.append((refusal.reason, str(vars(refusal)).replace(header.sha256.hex(), "the digest")))
    assert told[:2] == told[2:]
    assert {reason for reason, _ in told} == {"DIGEST_MISMATCH"}


async def test_content_that_another_tenant_has_is_stored_anew(acme: Tenant, globex: Tenant, suite: Suite) -> None:
    """B-02, X-08: nothing is shared, so that nobody can tell from space or answers that it was there."""
    content = document("Said by both.")
    for tenant in (globex, acme):
        before = suite.blobs_of(tenant.tenant)
        uploaded = (await tenant.files.uploads(content)).applied.artifact_id
        grown = suite.blobs_of(tenant.tenant) - before
        assert hashlib.sha256(content).hexdigest() in grown
        assert (await tenant.files.downloads(uploaded))[1] == content
