"""Switches: is an integration on in this workspace, since when, and who says so.

A workspace numbers the changes of all its switches from 1 without gaps. A switch's revision is the number of the change
that set it, and 0 where nobody did. Switching touches nothing but the switch: no artifact, no blob, no lease [I-18].
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from lattice_integrations.domain.actors import Actor, Caller
from lattice_integrations.domain.registry import Integration
from lattice_integrations.domain.rejections import NotAdministrator, VersionConflict


class Source(StrEnum):
    """Where an answer comes from; the values are what the store keeps."""

    DEFAULT = "default"
    SETTING = "setting"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What an administrator set last."""

    enabled: bool
    revision: int


@dataclass(frozen=True, kw_only=True)
class Switch:
    """The state of one integration in one workspace."""

    key: str
    enabled: bool
    source: Source
    revision: int


@dataclass(frozen=True, kw_only=True)
class SetEnabled:
    """The command to switch an integration on or off."""

    key: str
    enabled: bool
    expected_revision: int
    """The revision of the switch on which the decision was based."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class SwitchChange:
    """A change of a switch: who, when, from, to, why. It is never rewritten [I-19]."""

    revision: int
    key: str
    enabled_before: bool
    source_before: Source
    enabled: bool
    actor: Actor
    reason: str
    changed_at: datetime
    """By the database's clock, while the workspace was locked."""
    traceparent: str

    @property
    def switch(self) -> Switch:
        """The switch from this change on."""
        return Switch(key=self.key, enabled=self.enabled, source=Source.SETTING, revision=self.revision)


def switch_of(integration: Integration, setting: Setting | None) -> Switch:
    """The state of a declared integration: what was set, else its default [I-01, I-04]."""
    if setting is None:
        return Switch(key=integration.key, enabled=integration.enabled_by_default, source=Source.DEFAULT, revision=0)
    return Switch(key=integration.key, enabled=setting.enabled, source=Source.SETTING, revision=setting.revision)


def authorize_switching(caller: Caller) -> None:
    """Let administrators through; NotAdministrator for everybody else, whatever they ask for [I-06]."""
    if not caller.is_administrator:
        raise NotAdministrator


def decide_change(
    before: Switch, command: SetEnabled, caller: Caller, *, revision: int, at: datetime
) -> SwitchChange | None:
    """The change that the command makes, or None where the switch is set that way already [I-19].

    A default that is confirmed becomes a setting, so that it stays when the deployment changes the default. `revision`
    is the next number of the workspace. Raises VersionConflict where the switch is at another revision than expected,
    even if it is set that way: the caller decided on something it had not seen.
    """
    if command.expected_revision != before.revision:
        raise VersionConflict(id=before.key, base=command.expected_revision, head=before.revision)
    if before.source is Source.SETTING and before.enabled == command.enabled:
        return None
    return SwitchChange(
        revision=revision,
        key=before.key,
        enabled_before=before.enabled,
        source_before=before.source,
        enabled=command.enabled,
        actor=caller.actor,
        reason=command.reason,
        changed_at=at,
        traceparent=caller.traceparent,
    )
