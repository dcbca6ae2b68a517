"""Every RPC of files has a good call here, from which the other tests derive theirs."""

from typing import Any, Final

import pytest
from google.protobuf.descriptor_pb2 import MethodOptions
from service.files.contract.calls import METHODS, Caller, idempotency, reads_only, request_id_path
from service.files.contract.conftest import NewPlace
from service.files.contract.fields import fields_below, fields_set, short_name
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import GOOD_CALLS
from service.files.contract.places import IDENTITIES, Place
from service.files.contract.rows import StoredState

pytestmark = pytest.mark.long

NEVER_GOOD: Final = {
    "ProposedChange.batch": "made by NativeFilesService.Edit only",
    "ListTypesRequest.page_token": "a server's own",
    "ListArtifactsRequest.page_token": "a server's own",
    "ListRevisionsRequest.page_token": "a server's own",
    "ListProposalsRequest.page_token": "a server's own",
    "ListBrokenCheckOutsRequest.page_token": "a server's own",
    "ListCheckOutsRequest.page_token": "a server's own",
    "Cursor.sequence": "a workspace's own; 0 is good in every one",
}
"""Fields that no good call sets, and why."""

A_LATER_FIELD: Final = b"\xfa\xff\x03\x05later"
"""Field 8191 with a text, in protobuf's wire format."""


def test_every_rpc_of_the_contracts_has_a_good_call() -> None:
    """RJ-03, ID-03: an RPC that is added without one fails here, so none escapes those of bad input and of repeats."""
    assert {call.method for call in GOOD_CALLS} == set(METHODS)
    assert len({str(call) for call in GOOD_CALLS}) == len(GOOD_CALLS)


def test_the_good_calls_set_every_field_that_a_caller_may_set() -> None:
    """RJ-03, ID-03: a field that is added fails here until a good call sets it, or it is named among the exceptions."""
    place = Place("any")
    may = {short_name(field) for method in METHODS.values() for field in fields_below(method.input_type)}
    given = {short_name(field) for call in GOOD_CALLS for part in call.requests(place) for field in fields_set(part)}
    assert may - given == set(NEVER_GOOD)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_an_rpc_only_reads_or_says_what_a_repeat_does(name: str) -> None:
    """ID-03: it is marked as a read, and then carries no request id; or as idempotent; or carries a request id."""
    method = METHODS[name]
    marked = idempotency(method) != MethodOptions.IDEMPOTENCY_UNKNOWN
    assert marked != (request_id_path(method) is not None)


@pytest.mark.parametrize("call", GOOD_CALLS, ids=str)
async def test_a_good_call_is_answered_whatever_fields_of_a_later_contract_it_carries(
    call: GoodCall, files: Caller, new_place: NewPlace, stored_rows: StoredState
) -> None:
    """N-05: and what is marked as a read changes nothing."""
    place = await new_place(call)
    before = stored_rows.of(place.workspace)
    requests = [type(it).FromString(it.SerializeToString() + A_LATER_FIELD) for it in call.requests(place)]
    assert await files.answers(call.method, requests, IDENTITIES[call.by])
    if reads_only(METHODS[call.method]):
        assert stored_rows.of(place.workspace) == before


@pytest.mark.parametrize("call", [it for it in GOOD_CALLS if reads_only(METHODS[it.method])], ids=str)
async def test_a_read_is_answered_the_same_by_every_server(
    call: GoodCall, files: Caller, other_files: Caller, everything: Place
) -> None:
    """N-05: nothing that a read tells is one process's alone."""
    requests = call.requests(everything)
    first = await files.answers(call.method, requests, IDENTITIES[call.by])
    assert await other_files.answers(call.method, requests, IDENTITIES[call.by]) == first


MARKED_IDEMPOTENT = [it for it in GOOD_CALLS if idempotency(METHODS[it.method]) == MethodOptions.IDEMPOTENT]


@pytest.mark.parametrize("call", MARKED_IDEMPOTENT, ids=str)
async def test_a_repeat_of_what_is_marked_idempotent_changes_nothing_more(
    call: GoodCall, files: Caller, new_place: NewPlace, stored_rows: StoredState
) -> None:
    """F-06, MP-15: a caller that lost the answer calls again."""
    place = await new_place(call)
    requests: Any = call.requests(place)
    await files.answers(call.method, requests, IDENTITIES[call.by])
    after = stored_rows.of(place.workspace)
    await files.answers(call.method, requests, IDENTITIES[call.by])
    assert stored_rows.of(place.workspace) == after
