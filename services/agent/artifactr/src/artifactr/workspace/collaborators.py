"""What the handles of a process stand on."""

from dataclasses import dataclass

from lattice_chassis.postgres.listen import Listener

from artifactr.ports import Artifacts, ChangeFeed, Proposals, Types
from artifactr.store.unit_of_work import UnitOfWork
from artifactr.workspace.executions import Replica
from artifactr.workspace.follower import Follower
from artifactr.workspace.ingestion import Ingestion


@dataclass(frozen=True, kw_only=True)
class Collaborators:
    """One set a process."""

    unit: UnitOfWork
    listener: Listener
    artifacts: Artifacts
    proposals: Proposals
    feed: ChangeFeed
    ingestion: Ingestion
    follower: Follower
    types: Types
    replica: Replica
