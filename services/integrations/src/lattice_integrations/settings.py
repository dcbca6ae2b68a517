"""What the service can be told: `LATTICE_INTEGRATIONS_…` or the table `[integrations]`."""

from datetime import timedelta
from typing import Annotated, Final, Self

from lattice_chassis.postgres.listen import POLL
from lattice_chassis.settings import Duration, ServiceSettings
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, StringConstraints, model_validator

from lattice_integrations.domain.registry import Integration, Registry
from lattice_integrations.service.watch import WatchLimits

_DEFAULT_LIMITS: Final = WatchLimits()


class DeclaredIntegration(BaseModel):
    """An integration of the deployment; one that is no longer declared is unknown, whatever was set."""

    model_config = ConfigDict(extra="forbid")

    key: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*$", max_length=100)]
    """What it is asked for by: what it belongs to, a colon, its name."""
    title: Annotated[str, StringConstraints(min_length=1)]
    """A title for people."""
    description: str = ""
    """What switching it off takes away."""
    enabled_by_default: bool
    """The answer in workspaces where nobody set the switch."""
    governed_kinds: tuple[str, ...] = ()
    """The kinds of artifacts whose writes ask for it."""

    def integration(self) -> Integration:
        """The declaration as the domain has it."""
        return Integration(**self.model_dump())


WORDCRAFT: Final = DeclaredIntegration(
    key="files:wordcraft",
    title="WordCraft",
    description="Editing Word files: upload, check-out, check-in and edits, by people and by agents.",
    enabled_by_default=True,
    governed_kinds=("native_docx",),
)
"""The first integration: on unless an administrator switches it off [I-02, AMB-02]."""


class IntegrationsSettings(ServiceSettings, section="integrations"):
    """Settings of the integrations service."""

    registry: tuple[DeclaredIntegration, ...] = (WORDCRAFT,)
    """The declared integrations, in the order in which they are listed."""
    flagd: bool = False
    """Whether flagd's evaluation protocol is answered too, for OpenFeature; unless asked for, no door stands open."""
    watch_page: PositiveInt = _DEFAULT_LIMITS.page
    """Changes that a watch reads at once."""
    watch_backlog: PositiveInt = _DEFAULT_LIMITS.backlog
    """Changes that may wait for the reader of a watch before it is cut off."""
    watch_progress: Annotated[Duration, Field(gt=timedelta(0))] = _DEFAULT_LIMITS.progress
    """After how long without a change a watch sends a mark."""
    watch_poll: Annotated[Duration, Field(gt=timedelta(0))] = POLL
    """After how long a watch looks for changes without having been told of any."""

    @model_validator(mode="after")
    def _one_meaning_a_key(self) -> Self:
        self.declared()
        return self

    def declared(self) -> Registry:
        """The registry; ValueError where two integrations contradict each other."""
        return Registry(declared.integration() for declared in self.registry)

    def limits(self) -> WatchLimits:
        """How watches behave."""
        return WatchLimits(page=self.watch_page, backlog=self.watch_backlog, progress=self.watch_progress)
