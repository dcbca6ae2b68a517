"""Where a reader stands: tokens of pages and cursors of feeds that are not this list's or this feed's."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pytest
from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.paging import page_token
from service.files.contract.calls import METHODS, Caller
from service.files.contract.fields import fields_below
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import GOOD_CALLS
from service.files.contract.places import IDENTITIES, Place
from service.files.contract.refusals import faults_in, refusal_by

pytestmark = pytest.mark.long

_POSITIONS: Final[Mapping[str, Sequence[str | int]]] = {
    "RevisionsRequest": [1],
    "CheckOutsRequest": ["2026-01-01T00:00:00+00:00", "extended"],
    "TypesRequest": ["contract_task"],
}
"""The sort keys of lists by the ends of their requests' names; the others are sorted by a number, too."""


def having(name: str) -> list[GoodCall]:
    """The calls whose request has a field of this name."""
    return [it for it in GOOD_CALLS if any(f.name == name for f in fields_below(METHODS[it.method].input_type))]


def tokens_of_other_lists(request: Message) -> Iterator[str]:
    """Tokens in the server's own form, made for other arguments or of a position that no list has."""
    name = type(request).__name__
    position: Sequence[str | int] = next((it for end, it in _POSITIONS.items() if name.endswith(end)), [1])
    yield page_token(artifacts_pb.ListArtifactsRequest(workspace="another"), position)
    yield page_token(request, [])
    yield page_token(request, [*position, 1])
    yield page_token(request, [2**63 if isinstance(it, int) else f"{it}\0" for it in position])
    yield page_token(request, [2**63 if isinstance(it, int) else f"{it}\ud800" for it in position])
    yield page_token(request, [str(it) if isinstance(it, int) else 1 for it in position])
    yield page_token(request, position)[:-1]
    for field in request.DESCRIPTOR.fields:
        if field.name not in {"page_token", "page_size"}:
            other: Any = type(request)()
            other.CopyFrom(request)
            other.ClearField(field.name)
            yield page_token(other, position)


@pytest.mark.parametrize("call", having("page_token"), ids=str)
async def test_a_page_token_of_another_list_is_refused(call: GoodCall, files: Caller, everything: Place) -> None:
    """SG-03: one made for other arguments would skip rows; one made up must not reach the database."""
    (request,) = call.requests(everything)
    for token in tokens_of_other_lists(request):
        spoiled: Any = type(request)()
        spoiled.CopyFrom(request)
        spoiled.page_token = token
        refusal = await refusal_by(files, call.method, [spoiled], IDENTITIES[call.by])
        assert (token, refusal.reason) == (token, "PAGE_TOKEN_INVALID")


@pytest.mark.parametrize("call", having("page_token"), ids=str)
async def test_pages_of_one_follow_each_other_to_the_end_of_the_list(
    call: GoodCall, files: Caller, everything: Place
) -> None:
    """SG-03: each row once, and the last page has no token."""
    (request,) = call.requests(everything)
    whole: Any = type(request)()
    whole.CopyFrom(request)
    whole.page_size = 500
    (all_rows,) = await files.answers(call.method, [whole], IDENTITIES[call.by])
    rows, paged = [], whole
    paged.page_size = 1
    while True:
        answer: Any = (await files.answers(call.method, [paged], IDENTITIES[call.by]))[0]
        rows += _rows(answer)
        if not answer.next_page_token:
            break
        paged.page_token = answer.next_page_token
    assert rows == _rows(all_rows)


@pytest.mark.parametrize("call", having("cursor"), ids=str)
async def test_a_cursor_of_the_future_or_of_another_epoch_is_reset(
    call: GoodCall, files: Caller, everything: Place
) -> None:
    """SB-05, MP-22: also one past the head by a single change, and one of a workspace never written to."""
    request = changes_pb.ListChangesRequest(workspace=everything.name)
    head: Any = (await files.answers("ChangesService/ListChanges", [request], IDENTITIES["alice"]))[0]
    epoch, last = head.cursor.epoch, head.head_sequence
    beyond = [(epoch, last + 1), (epoch, 2**63 - 1), (epoch, -1), ("another", 1), ("new", last), (epoch.upper(), last)]
    for its_epoch, sequence in beyond:
        requests = _from(call, everything, names_pb2.Cursor(epoch=its_epoch, sequence=sequence))
        refusal = await refusal_by(files, call.method, requests, IDENTITIES[call.by])
        assert (its_epoch, sequence, refusal.reason) == (its_epoch, sequence, "CURSOR_RESET")
        assert refusal.metadata["epoch"] == epoch
    for place, cursor in ((everything, (epoch, last)), (Place("never-written"), ("new", 0))):
        requests = _from(call, place, names_pb2.Cursor(epoch=cursor[0], sequence=cursor[1]))
        assert await files.answers(call.method, requests, IDENTITIES[call.by])


async def test_a_watch_from_the_head_takes_no_cursor(files: Caller, everything: Place) -> None:
    """SB-05: the two say different things."""
    cursor = names_pb2.Cursor(epoch="new", sequence=0)
    request = changes_pb.WatchChangesRequest(workspace=everything.name, cursor=cursor, from_head=True)
    refusal = await refusal_by(files, "ChangesService/WatchChanges", [request], IDENTITIES["alice"])
    assert (refusal.reason, faults_in(refusal)) == ("VALIDATION_FAILED", ["from_head"])


def _from(call: GoodCall, place: Place, cursor: names_pb2.Cursor) -> Sequence[Message]:
    requests: Any = call.requests(place)
    if "from_head" in requests[0].DESCRIPTOR.fields_by_name:
        requests[0].ClearField("from_head")
    requests[0].cursor.CopyFrom(cursor)
    checked: Sequence[Message] = requests
    return checked


def _rows(answer: Any) -> list[Message]:  # noqa: ANN401 - every list names its rows otherwise
    (rows,) = [getattr(answer, it.name) for it in answer.DESCRIPTOR.fields if it.is_repeated]
    return list(rows)
