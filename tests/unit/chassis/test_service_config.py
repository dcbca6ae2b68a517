"""What clients retry, derived from the contracts."""

import json

from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.channels import service_config


def retried(config: str) -> set[str]:
    return {name["method"] for entry in json.loads(config).get("methodConfig", []) for name in entry["name"]}


def test_reads_and_writes_with_a_request_id_are_retried() -> None:
    """ID-03: a repeat is answered as the first was."""
    service = integrations_pb.DESCRIPTOR.services_by_name["IntegrationsService"]
    assert retried(service_config([integrations_pb.DESCRIPTOR])) == {method.name for method in service.methods}


def test_a_write_whose_request_id_stands_in_its_context_is_retried() -> None:
    """ID-03, MP-20: files' own writes, an agent's edit among them."""
    assert "Edit" in retried(service_config([native_pb.DESCRIPTOR]))


def test_calls_that_stream_their_request_are_left_to_their_callers() -> None:
    service = native_pb.DESCRIPTOR.services_by_name["NativeFilesService"]
    streaming = {method.name for method in service.methods if method.client_streaming}
    assert streaming
    assert not retried(service_config([native_pb.DESCRIPTOR])) & streaming


def test_only_an_unavailable_peer_is_tried_again_and_at_most_twice() -> None:
    (entry,) = json.loads(service_config([integrations_pb.DESCRIPTOR]))["methodConfig"]
    assert entry["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE"]
    assert entry["retryPolicy"]["maxAttempts"] == 3
