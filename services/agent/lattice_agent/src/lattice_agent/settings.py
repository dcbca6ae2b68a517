"""What the service can be told: `LATTICE_AGENT_…` or the table `[agent]`, and `LATTICE_MODEL`."""

from datetime import timedelta
from typing import Annotated

from lattice_chassis.postgres.listen import POLL
from lattice_chassis.settings import Duration, PeerAddress, ServiceSettings
from lattice_chassis.transport import ChannelTls
from pydantic import Field, PositiveInt
from pydantic_settings import SettingsConfigDict


class AgentSettings(ServiceSettings, section="agent"):
    """Settings of the agent service."""

    model_config = SettingsConfigDict(populate_by_name=True)

    files: PeerAddress
    """The address of files."""
    peer_tls: ChannelTls | None = None
    """What files and other replicas must show to be believed, and what is shown to them; unset, all goes plainly."""
    address: str = ""
    """Where other replicas reach this one alone, as gRPC dials it; empty for where it listens [RN-16]."""
    look_every: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=15)
    """How often what a crash left behind is looked for, after once at the start [RN-15]."""
    model: Annotated[str, Field(validation_alias="LATTICE_MODEL")] = ""
    """The model of the default agent by any name that pydantic-ai knows; empty for a script that plays the demo."""
    pace: Duration = timedelta(0)
    """How long the scripted model waits before each answer, so that people can follow it."""
    max_running: PositiveInt | None = None
    """How many runs of a tenant the default agent carries on at once; what is more waits. Unset, any number [SE-06]."""
    claim_ttl: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=30)
    """How long the default agent's claim on a thread survives a dead process [RN-09]."""
    run_grace: Annotated[Duration, Field(ge=timedelta(0))] = timedelta(seconds=5)
    """How long runs may take to end by themselves when it stops, after its calls have; others are stopped [RN-20]."""
    watch_poll: Annotated[Duration, Field(gt=timedelta(0))] = POLL
    """After how long a watch looks for entries without having been told of any [SB-07]."""
    watch_progress: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=10)
    """After how long without an entry a watch sends a mark."""
    watch_backlog: Annotated[int, Field(gt=0)] = 1000
    """Entries that may wait for the reader of a watch that had caught up before it is cut off [SB-08]."""
