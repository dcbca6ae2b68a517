"""The gate: no write of a governed kind while its integration is off [I-08, WP-04, WP-05]."""

from typing import Final

from lattice_chassis.errors import is_refusal
from lattice_chassis.metrics import METER, OUTCOME

from lattice_files.domain.apps import Apps
from lattice_files.domain.rejections import NotEnabled
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.ports import Switches

_ANSWERS: Final = METER.create_counter("lattice.gate.answers", "{answer}", "What the gate answered, by the integration")


class Gate:
    """Asks for the switch of a kind at every write; it keeps no answer [I-07]."""

    def __init__(self, switches: Switches, apps: Apps) -> None:
        self._switches = switches
        self._apps = apps

    async def check(self, scope: WorkspaceKey, kind: str) -> int | None:
        """Let a write through, and answer the revision of the switch that did; None for a kind nothing governs.

        Raises:
            NotEnabled: its integration is off.
            PeerUnavailable, UnknownIntegration: nobody can tell, so it is not on [AMB-04, I-17].
        """
        key = self._apps.key_of(kind)
        if key is None:
            return None
        outcome = "UNKNOWN"
        try:
            state = await self._switches.check(scope, key)
            outcome = "on" if state.enabled else "off"
        except Exception as error:
            outcome = error.reason if is_refusal(error) else outcome
            raise
        finally:
            _ANSWERS.add(1, {OUTCOME: outcome, "lattice.integration": key})
        if not state.enabled:
            raise NotEnabled(key=key)
        return state.revision
