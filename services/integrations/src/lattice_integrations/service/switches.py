"""Asking for switches and setting them."""

from collections.abc import Sequence
from dataclasses import dataclass

from lattice_chassis.telemetry import span

from lattice_integrations.domain.actors import Caller
from lattice_integrations.domain.registry import Integration, Registry
from lattice_integrations.domain.switches import (
    SetEnabled,
    Switch,
    SwitchChange,
    authorize_switching,
    decide_change,
    switch_of,
)
from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.store.positions import Cursor
from lattice_integrations.store.requests import Request
from lattice_integrations.store.switch_store import Switches, SwitchStore


@dataclass(frozen=True, kw_only=True)
class States:
    """Every declared integration with its switch, in the registry's order, at one position."""

    integrations: Sequence[tuple[Integration, Switch]]
    cursor: Cursor


async def check_enabled(store: SwitchStore, registry: Registry, scope: WorkspaceKey, key: str) -> Switch:
    """The switch of one integration; UnknownIntegration for a key not declared, even if it was set [I-01, I-17]."""
    integration = registry[key]
    async with store.reading(scope) as switches:
        return switch_of(integration, await switches.setting(key))


async def list_integrations(store: SwitchStore, registry: Registry, scope: WorkspaceKey) -> States:
    """All integrations of a workspace, with the position to watch on from."""
    async with store.reading(scope) as switches:
        return await read_states(switches, registry)


async def set_enabled(
    store: SwitchStore, registry: Registry, scope: WorkspaceKey, caller: Caller, command: SetEnabled, request: Request
) -> Switch:
    """Switch an integration on or off, and answer its switch from then on [I-06, I-19].

    Whoever asks after this has answered is told the new state. Raises NotAdministrator, then UnknownIntegration, then
    VersionConflict; a repeat of a request that succeeded is answered before any of them, IdempotencyMismatch where its
    body is another [ID-03].
    """
    with span("commit"):
        return await _set(store, registry, scope, caller, command, request)


async def _set(
    store: SwitchStore, registry: Registry, scope: WorkspaceKey, caller: Caller, command: SetEnabled, request: Request
) -> Switch:
    async with store.changing(scope) as switches:
        first_answer = await switches.requests.first_answer(caller.actor, request)
        if first_answer is not None:
            return first_answer
        authorize_switching(caller)
        before = switch_of(registry[command.key], await switches.setting(command.key))
        change = decide_change(before, command, caller, revision=switches.next_revision, at=switches.now)
        if change is not None:
            await switches.append(change)
        switch = before if change is None else change.switch
        await switches.requests.remember(caller.actor, request, switch)
        return switch


async def list_changes(
    store: SwitchStore, registry: Registry, scope: WorkspaceKey, *, key: str | None, before: int | None, limit: int
) -> Sequence[SwitchChange]:
    """Up to `limit` changes below a revision, newest first; those of one integration, or all that ever were.

    Without a key the changes of integrations that are no longer declared are listed too: they are on record. With one,
    UnknownIntegration where it is not declared.
    """
    if key is not None:
        registry[key]
    async with store.reading(scope) as switches:
        return await switches.changes_before(before, key=key, limit=limit)


async def read_states(switches: Switches, registry: Registry) -> States:
    """What `list_integrations` and the snapshot of a watch answer."""
    settings, cursor = await switches.settings()
    return States(
        integrations=[(integration, switch_of(integration, settings.get(integration.key))) for integration in registry],
        cursor=cursor,
    )
