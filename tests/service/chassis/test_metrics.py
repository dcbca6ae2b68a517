"""Measurements leave by OTLP where the environment says so, and nowhere else."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping

import grpc
import pytest
from lattice_cli.processes import free_address
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc

PROGRAM = """
import time
from lattice_chassis import metrics, telemetry
telemetry.configure("probe")
metrics.SERVER_DURATION.record(0.2, {"rpc.method": "a/b"})
from opentelemetry.metrics import get_meter_provider
flush = getattr(get_meter_provider(), "shutdown", None)
print("no provider" if flush is None else flush())
"""


class Receiver(metrics_grpc.MetricsServiceServicer):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.received: list[metrics_pb.ExportMetricsServiceRequest] = []

    async def Export(  # noqa: N802 - the contract's name
        self, request: metrics_pb.ExportMetricsServiceRequest, context: object
    ) -> metrics_pb.ExportMetricsServiceResponse:
        self.received.append(request)
        return metrics_pb.ExportMetricsServiceResponse()


@pytest.fixture
async def receiver() -> AsyncIterator[tuple[Receiver, str]]:
    """A receiver of measurements, and where it listens."""
    receiver, address = Receiver(), free_address()
    server = grpc.aio.server()
    metrics_grpc.add_MetricsServiceServicer_to_server(receiver, server)  # type: ignore[no-untyped-call]  # generated
    server.add_insecure_port(address)
    await server.start()
    yield receiver, address
    await server.stop(None)


async def measure(environment: Mapping[str, str]) -> str:
    """Run a program that measures; what it says of its end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env={"PATH": os.environ["PATH"], **environment}, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    return told.decode().strip()


async def test_measurements_leave_by_otlp(receiver: tuple[Receiver, str]) -> None:
    """Section 7: by the environment alone, named and measured as the conventions have it."""
    received, address = receiver
    endpoint = {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": f"http://{address}", "OTEL_METRIC_EXPORT_INTERVAL": "60000"}
    assert await measure(endpoint) == "None"
    [resource] = received.received[-1].resource_metrics
    assert any(it.key == "service.name" and it.value.string_value == "probe" for it in resource.resource.attributes)
    [metric] = [it for scope in resource.scope_metrics for it in scope.metrics]
    assert (metric.name, metric.unit) == ("rpc.server.call.duration", "s")
    [point] = metric.histogram.data_points
    assert (point.count, point.sum, list(point.explicit_bounds)[:2]) == (1, 0.2, [0.005, 0.01])


@pytest.mark.parametrize("named", [{}, {"OTEL_METRICS_EXPORTER": "none"}], ids=["no endpoint", "none"])
async def test_nothing_leaves_unless_it_is_configured(receiver: tuple[Receiver, str], named: Mapping[str, str]) -> None:
    """Section 7."""
    received, address = receiver
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{address}"} if named else {}
    assert await measure({**endpoint, **named}) == "no provider"
    assert received.received == []
