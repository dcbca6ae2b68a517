"""The client of native files, as a program of a person's uses it."""

import pytest
from artifactr import Applied
from artifactr.core.actors import AgentActor
from artifactr.core.rejections import ArtifactBusy, Forbidden, NotFound, VersionConflict
from artifactr.files.refusals import AppRefused, LeaseExpired, PageOutOfRange
from artifactr.files.values import Command
from service.files.people import FAKEAPP
from suite.agent.colleagues import Colleagues, document


async def test_a_check_out_is_extended_and_released(colleagues: Colleagues) -> None:
    """F-03, F-06: its end moves on; what was released is the next one's to have."""
    files, alice = colleagues.files, colleagues.alice.caller
    lent = await files.check_out(alice, colleagues.plan)
    longer = await files.extend(alice, lent)
    assert (longer.token, longer.base_version) == (lent.token, 1)
    assert longer.until >= lent.until
    assert await files.release(alice, lent)
    assert not await files.release(alice, lent)
    with pytest.raises(LeaseExpired):
        await files.extend(alice, lent)
    assert (await files.check_out(alice, colleagues.plan)).token > lent.token


async def test_a_second_check_out_is_busy_with_who_and_until_when(colleagues: Colleagues) -> None:
    """L-08, AMB-13."""
    files, alice = colleagues.files, colleagues.alice.caller
    lent = await files.check_out(alice, colleagues.plan)
    with pytest.raises(ArtifactBusy) as refusal:
        await files.check_out(alice, colleagues.plan)
    assert (refusal.value.lease_kind, refusal.value.until) == ("checkout", lent.until)
    assert refusal.value.holder is not None
    assert refusal.value.holder.display_name == "Alice"


async def test_a_write_is_repeated_under_its_request_id_and_done_once(colleagues: Colleagues) -> None:
    """ID-03."""
    files, alice = colleagues.files, colleagues.alice.caller
    lent = await files.check_out(alice, colleagues.plan)
    again = {"summary": "agreed", "request_id": "11111111-2222-4333-8444-555555555555"}
    first = await files.check_in(alice, lent, document("Legal agreed."), **again)
    assert (
        await files.check_in(alice, lent, document("Legal agreed."), **again)
        == first
        == Applied(artifact_id=colleagues.plan, version=2, change_sequence=first.change_sequence)
    )


async def test_a_person_edits_directly(colleagues: Colleagues) -> None:
    """F-07, N-21."""
    files, alice = colleagues.files, colleagues.alice.caller
    batch = [Command(id="append_paragraph", arguments='{"text": "The end."}')]
    outcome = await files.edit(alice, colleagues.plan, 1, batch, "closed the plan")
    assert isinstance(outcome, Applied)
    assert outcome.version == 2
    with pytest.raises(VersionConflict) as conflict:
        await files.edit(alice, colleagues.plan, 1, batch, "closed it again")
    assert (conflict.value.base, conflict.value.head) == (1, 2)


async def test_refusals_arrive_with_their_fields(colleagues: Colleagues) -> None:
    """R-06, F-14, RJ-03."""
    files, alice = colleagues.files, colleagues.alice.caller
    batch = [Command(id="append_paragraph", arguments='{"text": "."}'), Command(id="refuse", arguments='{"why": "no"}')]
    with pytest.raises(AppRefused) as refused:
        await files.edit(alice, colleagues.plan, 1, batch, "nothing")
    assert (refused.value.index, refused.value.command, refused.value.why) == (1, "refuse", "no")
    with pytest.raises(PageOutOfRange) as beyond:
        await files.render(alice, colleagues.plan, 99)
    assert beyond.value.count >= 1
    with pytest.raises(NotFound):
        await files.read_text(alice, "art_none", start=0, max_chars=10)


async def test_it_knows_which_integration_governs_a_kind(colleagues: Colleagues) -> None:
    """I-10, N-07."""
    files, alice = colleagues.files, colleagues.alice.caller
    (app,) = await files.apps(alice)
    assert app.integration == FAKEAPP
    assert [await files.key_of(alice, kind) for kind in (*app.kinds, "note")] == [FAKEAPP, None]


async def test_an_agent_may_not_check_out(colleagues: Colleagues) -> None:
    """AMB-12."""
    agent = colleagues.alice.acting_as(AgentActor(thread_id=colleagues.thread.id))
    with pytest.raises(Forbidden):
        await colleagues.files.check_out(agent.caller, colleagues.plan)
