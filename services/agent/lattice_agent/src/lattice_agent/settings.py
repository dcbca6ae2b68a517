"""What the service can be told: `LATTICE_AGENT_…` or the table `[agent]`, and `LATTICE_MODEL`."""

from datetime import timedelta
from typing import Annotated

from lattice_chassis.postgres.listen import POLL
from lattice_chassis.settings import Duration, ServiceSettings
from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict


class AgentSettings(ServiceSettings, section="agent"):
    """Settings of the agent service."""

    model_config = SettingsConfigDict(populate_by_name=True)

    files: str
    """Where files listens, as gRPC dials it: `host:port`, `dns:///name:port` or `unix:/path`."""
    address: str = ""
    """Where other replicas reach this one alone, as gRPC dials it; empty for where it listens [RN-16]."""
    follower_database_url: SecretStr = SecretStr("")
    """The same database as its follower role, to look for what a crash left behind; empty for not looking [RN-15]."""
    look_every: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=15)
    """How often that is looked for, after once at the start."""
    model: Annotated[str, Field(validation_alias="LATTICE_MODEL")] = ""
    """The model of the default agent by any name that pydantic-ai knows; empty for a script that plays the demo."""
    pace: Duration = timedelta(0)
    """How long the scripted model waits before each answer, so that people can follow it."""
    claim_ttl: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=30)
    """How long the default agent's claim on a thread survives a dead process [RN-09]."""
    watch_poll: Annotated[Duration, Field(gt=timedelta(0))] = POLL
    """After how long a watch looks for entries without having been told of any [SB-07]."""
    watch_progress: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=10)
    """After how long without an entry a watch sends a mark."""
    watch_backlog: Annotated[int, Field(gt=0)] = 1000
    """Entries that may wait for the reader of a watch that had caught up before it is cut off [SB-08]."""
