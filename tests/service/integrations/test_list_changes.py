"""The record of a workspace's switches, page by page."""

import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from service.integrations.people import SKETCH, WORDCRAFT, Person, refused


async def test_a_workspace_never_written_to_has_no_changes(alice: Person) -> None:
    """TN-02."""
    page = await alice.page_of_history()
    assert (list(page.changes), page.next_page_token) == ([], "")


async def test_pages_run_from_the_newest_change_to_the_first(admin: Person) -> None:
    """I-19: changes made meanwhile shift nothing."""
    await admin.toggles(7)
    revisions: list[int] = []
    token = ""
    while True:
        page = await admin.page_of_history(page_size=3, page_token=token)
        assert len(page.changes) <= 3
        revisions += [change.revision for change in page.changes]
        token = page.next_page_token
        if not token:
            break
        await admin.toggles(1)
    assert revisions == [7, 6, 5, 4, 3, 2, 1]


async def test_a_page_that_ends_with_the_last_change_has_no_next(admin: Person) -> None:
    """I-19."""
    await admin.toggles(4)
    page = await admin.page_of_history(page_size=4)
    assert (len(page.changes), page.next_page_token) == (4, "")


async def test_a_key_selects_the_changes_of_its_switch(admin: Person) -> None:
    """I-19: across pages too."""
    await admin.toggles(2, WORDCRAFT)
    await admin.toggles(2, SKETCH)
    await admin.toggles(1, WORDCRAFT)
    first = await admin.page_of_history(key=WORDCRAFT, page_size=2)
    second = await admin.page_of_history(key=WORDCRAFT, page_size=2, page_token=first.next_page_token)
    assert [change.revision for change in first.changes] == [5, 2]
    assert [change.revision for change in second.changes] == [1]


async def test_an_unknown_key_is_an_error_on_the_filter(admin: Person) -> None:
    """I-17."""
    refusal = await refused(admin.page_of_history(key="files:nosuch"))
    assert (refusal.reason, refusal.metadata) == ("UNKNOWN_INTEGRATION", {"key": "files:nosuch"})


@pytest.mark.parametrize("changed", [{"key": WORDCRAFT}, {"workspace": "beside"}, {"page_token": "AAAA"}])
async def test_a_token_is_good_for_the_arguments_it_was_given_for(admin: Person, changed: dict[str, str]) -> None:
    """RJ-03: PAGE_TOKEN_INVALID rather than rows left out."""
    await admin.toggles(3)
    token = (await admin.page_of_history(page_size=1)).next_page_token
    arguments = {"page_token": token, **changed}
    workspace = admin.workspace.replace("main", arguments.pop("workspace", "main"))
    request = pb.ListSwitchChangesRequest(workspace=workspace, page_size=1, **arguments)
    assert (await refused(_list(admin, request))).reason == "PAGE_TOKEN_INVALID"


@pytest.mark.parametrize("size", [-1, 501])
async def test_a_page_size_out_of_range_is_refused(admin: Person, size: int) -> None:
    """CM-01."""
    refusal = await refused(admin.page_of_history(page_size=size))
    assert refusal.reason == "VALIDATION_FAILED"


async def _list(who: Person, request: pb.ListSwitchChangesRequest) -> pb.ListSwitchChangesResponse:
    return await who.service.ListSwitchChanges(request)
