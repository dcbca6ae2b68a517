"""The rules that our contracts write down can be read, every one."""

import pytest
from google.protobuf.descriptor import FileDescriptor, ServiceDescriptor
from lattice.agent.v1 import log_service_pb2, runs_service_pb2, threads_service_pb2
from lattice.app.v1 import app_service_pb2
from lattice.files.v1 import (
    artifacts_service_pb2,
    changes_service_pb2,
    native_files_service_pb2,
    proposals_service_pb2,
)
from lattice.integrations.v1 import integrations_service_pb2
from lattice_chassis.interceptors.shape import prepare

CONTRACTS: list[FileDescriptor] = [
    log_service_pb2.DESCRIPTOR,
    runs_service_pb2.DESCRIPTOR,
    threads_service_pb2.DESCRIPTOR,
    app_service_pb2.DESCRIPTOR,
    artifacts_service_pb2.DESCRIPTOR,
    changes_service_pb2.DESCRIPTOR,
    native_files_service_pb2.DESCRIPTOR,
    proposals_service_pb2.DESCRIPTOR,
    integrations_service_pb2.DESCRIPTOR,
]
SERVICES = [service for contract in CONTRACTS for service in contract.services_by_name.values()]


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_every_rule_of_every_request_can_be_read_when_a_server_starts(service: ServiceDescriptor) -> None:
    prepare(service)


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_what_is_named_watch_is_a_stream_of_answers_to_one_request(service: ServiceDescriptor) -> None:
    """Draining ends what is named Watch, so the name is a promise."""
    for method in service.methods:
        assert not method.name.startswith("Watch") or (method.server_streaming and not method.client_streaming)
