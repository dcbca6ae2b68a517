"""The rules of switching, against a model of a few lines."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from lattice_integrations.domain.actors import Actor, ActorKind, Caller
from lattice_integrations.domain.registry import Integration
from lattice_integrations.domain.rejections import NotAdministrator, VersionConflict
from lattice_integrations.domain.switches import (
    SetEnabled,
    Setting,
    Source,
    Switch,
    SwitchChange,
    authorize_switching,
    decide_change,
    switch_of,
)

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
ADA = Caller(
    actor=Actor(kind=ActorKind.USER, id="ada", name="Ada"),
    permissions=frozenset({"administer"}),
    traceparent="00-1-2-01",
)
ON = Integration(key="files:on", title="On", enabled_by_default=True)
OFF = Integration(key="files:off", title="Off", enabled_by_default=False)


@pytest.mark.parametrize("integration", [ON, OFF])
def test_what_nobody_set_is_the_declared_default(integration: Integration) -> None:
    """I-04."""
    switch = switch_of(integration, None)
    assert (switch.enabled, switch.source, switch.revision) == (integration.enabled_by_default, Source.DEFAULT, 0)


def test_a_change_is_attributed_timed_and_traced() -> None:
    """I-19, AC-03: by the caller's identity, never by the command."""
    command = SetEnabled(key=ON.key, enabled=False, expected_revision=0, reason="audit")
    assert decide_change(switch_of(ON, None), command, ADA, revision=4, at=NOON) == SwitchChange(
        revision=4,
        key=ON.key,
        enabled_before=True,
        source_before=Source.DEFAULT,
        enabled=False,
        actor=ADA.actor,
        reason="audit",
        changed_at=NOON,
        traceparent="00-1-2-01",
    )


@pytest.mark.parametrize("permissions", [set(), {"read", "edit", "review"}, {"Administer"}, {"administrator"}])
def test_no_other_permission_lets_switch(permissions: set[str]) -> None:
    """I-06."""
    with pytest.raises(NotAdministrator):
        authorize_switching(Caller(actor=ADA.actor, permissions=frozenset(permissions)))


class SwitchesOfAWorkspace(RuleBasedStateMachine):
    """Two integrations under any commands: the record yields what a dictionary remembers [I-01, I-19, SG-03]."""

    def __init__(self) -> None:
        super().__init__()
        self.record: list[SwitchChange] = []
        self.model: dict[str, tuple[bool, int]] = {}

    def switch(self, integration: Integration) -> Switch:
        own = [change for change in self.record if change.key == integration.key]
        return switch_of(integration, Setting(enabled=own[-1].enabled, revision=own[-1].revision) if own else None)

    @rule(integration=st.sampled_from([ON, OFF]), enabled=st.booleans(), off_by=st.sampled_from([0, 0, 0, -1, 1]))
    def set(self, integration: Integration, enabled: bool, off_by: int) -> None:
        before = self.switch(integration)
        command = SetEnabled(
            key=integration.key, enabled=enabled, expected_revision=before.revision + off_by, reason="because"
        )
        number = len(self.record) + 1
        at = NOON + timedelta(seconds=number)
        if off_by:
            with pytest.raises(VersionConflict) as refused:
                decide_change(before, command, ADA, revision=number, at=at)
            assert vars(refused.value) == {
                "id": integration.key,
                "base": command.expected_revision,
                "head": before.revision,
            }
            return
        change = decide_change(before, command, ADA, revision=number, at=at)
        if self.model.get(integration.key, (None, 0))[0] == enabled:
            assert change is None
            return
        assert change is not None
        assert (change.enabled_before, change.source_before) == (before.enabled, before.source)
        assert change.switch == Switch(key=integration.key, enabled=enabled, source=Source.SETTING, revision=number)
        self.record.append(change)
        self.model[integration.key] = (enabled, number)

    @invariant()
    def the_record_says_what_was_set_last(self) -> None:
        for integration in (ON, OFF):
            switch = self.switch(integration)
            expected = self.model.get(integration.key, (integration.enabled_by_default, 0))
            assert (switch.enabled, switch.revision) == expected
            assert (switch.source is Source.DEFAULT) == (integration.key not in self.model)

    @invariant()
    def the_record_is_numbered_without_gaps(self) -> None:
        assert [change.revision for change in self.record] == list(range(1, len(self.record) + 1))


TestSwitchesOfAWorkspace = SwitchesOfAWorkspace.TestCase
