"""What switching an integration puts on record."""

import pytest
from service.conftest import AuditRecord
from service.integrations.people import WORDCRAFT, Person, refused


async def test_switching_is_on_record_with_who_where_and_how_it_ended(admin: Person, audit: AuditRecord) -> None:
    """SE-02, I-19: but not why, which is the administrator's own text."""
    await admin.switches(WORDCRAFT, on=False, expected=0, reason="for reasons of state")
    await refused(admin.switches(WORDCRAFT, on=True, expected=7))
    ada = "user:ada"
    assert audit.of("SetEnabled") == [
        {"participant": ada, "resource": admin.workspace, "outcome": "succeeded"},
        {"participant": ada, "resource": admin.workspace, "outcome": "failed", "reason": "VERSION_CONFLICT"},
    ]
    assert "reasons of state" not in "".join(audit.texts)


async def test_an_editor_who_tries_to_switch_is_on_record(alice: Person, audit: AuditRecord) -> None:
    """SE-02, I-06."""
    await refused(alice.switches(WORDCRAFT, on=False, expected=0))
    (line,) = audit.of("SetEnabled")
    assert (line["participant"], line["outcome"], line["reason"]) == ("user:alice", "refused", "FORBIDDEN")


@pytest.mark.parametrize("method", ["CheckEnabled", "ListIntegrations"])
async def test_asking_is_not_on_record(alice: Person, audit: AuditRecord, method: str) -> None:
    """SE-02: every governed write asks."""
    await alice.asks()
    await alice.lists()
    assert audit.of(method) == []
