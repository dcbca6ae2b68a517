"""What is wrong with a request is told by its registered reason, and nothing has changed."""

from collections.abc import Iterable

import pytest
from google.protobuf.descriptor import FieldDescriptor
from service.files.contract.bad_calls import BadCall, bad_calls
from service.files.contract.bad_content import bad_content
from service.files.contract.calls import METHODS, Caller
from service.files.contract.fields import fields_below, resource_named
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import GOOD_CALLS
from service.files.contract.limits import JSON_BYTES, LONGEST, NUMBERS, UNMEASURED, key_of
from service.files.contract.places import IDENTITIES, Place
from service.files.contract.refusals import faults_in, refusal_by
from service.files.contract.rows import StoredState

pytestmark = pytest.mark.long

WITH_CONTENT = [it for it in GOOD_CALLS if any(bad_content(it, Place("any")))]

_INTEGERS = {FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64}


async def wrong_answers(files: Caller, call: GoodCall, bad: Iterable[BadCall]) -> list[str]:
    """What was refused otherwise than it should be."""
    wrong = []
    for it in bad:
        refusal = await refusal_by(files, call.method, it.requests, IDENTITIES[call.by])
        told = it.reason == refusal.reason and it.metadata.items() <= refusal.metadata.items()
        # The header of a stream is the only message of it that has fields, and may be left out of the path.
        if not told or (it.path and {it.path, it.path.removeprefix("header.")}.isdisjoint(faults_in(refusal))):
            wrong.append(f"{it.label} is {it.reason}, not {refusal} with {refusal.metadata}")
    return wrong


@pytest.mark.parametrize("call", GOOD_CALLS, ids=str)
async def test_one_field_that_is_wrong_is_refused_by_its_reason_and_changes_nothing(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """RJ-03, X-08: missing, too long, too small, too large, malformed, unknown, or another tenant's."""
    before = stored_rows.of(everything.workspace)
    assert await wrong_answers(files, call, bad_calls(call, everything)) == []
    assert stored_rows.of(everything.workspace) == before


@pytest.mark.parametrize("call", WITH_CONTENT, ids=str)
async def test_content_that_is_wrong_is_refused_by_its_reason_and_changes_nothing(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """AT-10, AT-11, AT-12, B-02: JSON that is none, patches that do not apply, digests and sizes that lie."""
    before = stored_rows.of(everything.workspace)
    assert await wrong_answers(files, call, bad_content(call, everything)) == []
    assert stored_rows.of(everything.workspace) == before


def test_every_text_and_number_of_a_request_has_its_limits_entered() -> None:
    """RJ-03: a field that is added fails here until it is known what is too long or too large for it."""
    fields = {field for method in METHODS.values() for field in fields_below(method.input_type)}
    texts = {it for it in fields if it.type == FieldDescriptor.TYPE_STRING and resource_named(it) is None}
    measures = {**LONGEST, **JSON_BYTES, **UNMEASURED}
    assert [it.full_name for it in texts if key_of(it, measures) is None] == []
    assert [it.full_name for it in fields if it.type in _INTEGERS and key_of(it, NUMBERS) is None] == []
