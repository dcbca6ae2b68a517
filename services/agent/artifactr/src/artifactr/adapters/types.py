"""The registration of artifact types with files over gRPC: the port Types."""

import json
from datetime import timedelta
from typing import Final
from uuid import uuid4

import grpc
from lattice.files.v1 import artifacts_service_pb2 as pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice.type.v1.actor_pb2 import Actor, SystemActor
from lattice_chassis.identity import Identity, acting_as

from artifactr.core.artifacts import Artifact
from artifactr.files.refusals import calling_files
from artifactr.wire.enums import WRITE_POLICIES

AGENT: Final = Identity(tenant="lattice", actor=Actor(system=SystemActor(name="agent")), roles=frozenset({"operator"}))
"""Who registers types, which belong to the deployment; the tenant says only where repeats are remembered."""

TIMEOUT: Final = timedelta(seconds=5)
"""Short: an agent that starts waits for it."""


class FilesTypes:
    """Types, registered by agent itself."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._artifacts = ArtifactsServiceStub(channel)

    async def register(self, artifact_type: type[Artifact], *, follows: int) -> None:
        """Register a type as the revision after `follows`."""
        registered = pb.ArtifactType(
            kind=artifact_type.kind,
            schema_json=json.dumps(artifact_type.json_schema(), ensure_ascii=False),
            write_policy=WRITE_POLICIES[artifact_type.write_policy],
        )
        request = pb.RegisterTypeRequest(type=registered, expected_revision=follows, request_id=str(uuid4()))
        with acting_as(AGENT), calling_files():
            await self._artifacts.RegisterType(request, timeout=TIMEOUT.total_seconds())
