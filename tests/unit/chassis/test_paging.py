"""Page tokens and cursors."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.paging import (
    NEVER_WRITTEN,
    Cursor,
    CursorReset,
    PageTokenInvalid,
    page_token,
    position_of,
    sequence_after,
)

Request = integrations_pb.ListSwitchChangesRequest
LIST = Request(workspace="tenants/acme/workspaces/w", page_size=10)


def next_page(token: str, **changed: object) -> Request:
    request = Request()
    request.CopyFrom(LIST)
    request.page_token = token
    for name, value in changed.items():
        setattr(request, name, value)
    return request


def test_the_first_page_has_no_position() -> None:
    assert position_of(LIST, int) is None


@given(
    st.integers(min_value=-(2**63) + 1, max_value=2**63 - 1),
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"])),
)
def test_a_token_leads_to_the_position_it_was_made_for(number: int, text: str) -> None:
    token = page_token(LIST, (number, text))
    assert position_of(next_page(token), int, str) == (number, text)


def test_the_page_size_may_change_from_page_to_page() -> None:
    token = page_token(LIST, (7,))
    assert position_of(next_page(token, page_size=99), int) == (7,)


def test_a_token_is_refused_for_other_arguments() -> None:
    """Architecture, section 3: changed arguments with an old token are refused."""
    token = page_token(LIST, (7,))
    with pytest.raises(PageTokenInvalid) as refused:
        position_of(next_page(token, key="files:wordcraft"), int)
    assert refused.value.reason == "PAGE_TOKEN_INVALID"


def test_a_token_is_refused_by_another_list() -> None:
    token = page_token(LIST, (7,))
    other = artifacts_pb.ListArtifactsRequest(page_token=token)
    with pytest.raises(PageTokenInvalid):
        position_of(other, int)


@given(st.text(min_size=1))
def test_what_is_no_token_of_ours_is_refused(token: str) -> None:
    with pytest.raises(PageTokenInvalid):
        position_of(next_page(token), int)


def forged(position: str) -> str:
    """A token with the right digest, which is no secret, and a position of somebody's own."""
    genuine = page_token(LIST, (7,))
    digest = base64.urlsafe_b64decode(genuine + "=" * (-len(genuine) % 4))[:8]
    return base64.urlsafe_b64encode(digest + position.encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "position",
    ["", "7", "null", '{"0": 7}', "[]", "[7, 7]", '["7"]', "[7.0]", "[true]", "[null]", f"[{2**63}]", "[" * 100_000],
)
def test_a_forged_position_is_refused_before_a_query_sees_it(position: str) -> None:
    with pytest.raises(PageTokenInvalid):
        position_of(next_page(forged(position)), int)


def test_a_forged_text_that_no_database_holds_is_refused() -> None:
    with pytest.raises(PageTokenInvalid):
        position_of(next_page(forged(json.dumps(["a\0b"]))), str)


HEAD = Cursor(epoch="e1", sequence=5)


def test_without_a_cursor_a_watch_begins_with_the_first_event() -> None:
    """SB-02."""
    assert sequence_after(None, HEAD) == 0
    assert sequence_after(None, None) == 0


@pytest.mark.parametrize("sequence", [1, 5])
def test_a_cursor_within_the_history_goes_on_after_itself(sequence: int) -> None:
    """SB-02."""
    assert sequence_after(Cursor(epoch="e1", sequence=sequence), HEAD) == sequence


@pytest.mark.parametrize(
    "cursor", [Cursor(epoch="e1", sequence=6), Cursor(epoch="e0", sequence=5), Cursor(epoch="e1", sequence=-1)]
)
def test_a_cursor_outside_the_history_is_reset_to_the_epoch_that_holds(cursor: Cursor) -> None:
    """SB-05, MP-22."""
    with pytest.raises(CursorReset) as refused:
        sequence_after(cursor, HEAD)
    assert (refused.value.reason, refused.value.epoch) == ("CURSOR_RESET", "e1")


def test_any_position_in_a_workspace_never_written_to_is_reset() -> None:
    """SB-05: as after a restore that lost the workspace."""
    with pytest.raises(CursorReset) as refused:
        sequence_after(Cursor(epoch="e1", sequence=1), None)
    assert refused.value.epoch == NEVER_WRITTEN.epoch == "new"


def test_who_watched_a_workspace_before_its_first_event_is_not_reset_by_it() -> None:
    """SB-02, TN-02: the epoch comes with the first write."""
    assert sequence_after(Cursor(epoch="", sequence=0), HEAD) == 0
