"""What is measured, by OpenTelemetry's API: names, units and attributes; values and counts, never content.

Measurements leave by OTLP where an endpoint for them is set and OTEL_METRICS_EXPORTER is not `none`, every
OTEL_METRIC_EXPORT_INTERVAL milliseconds; else nothing is kept. Whoever measures makes an instrument here, once, by
the meter; docs/telemetry.md lists them all.
"""

import os
from typing import Final, Literal

from opentelemetry import metrics
from opentelemetry.sdk.resources import Resource

METER: Final = metrics.get_meter("lattice")
"""Makes the instruments of our own; they measure from `configure` on."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
"""The limits between which durations are told apart, as OpenTelemetry's RPC conventions have them."""

COUNTS: Final = (0, 1, 5, 10, 50, 100, 500, 1000, 5000)
"""The limits between which lengths of queues are told apart."""

OUTCOME: Final = "lattice.outcome"

SERVER_DURATION: Final = METER.create_histogram(
    "rpc.server.call.duration", "s", "How long answering a call takes", explicit_bucket_boundaries_advisory=SECONDS
)
CLIENT_DURATION: Final = METER.create_histogram(
    "rpc.client.call.duration", "s", "How long a call of a peer takes", explicit_bucket_boundaries_advisory=SECONDS
)
WATCH_BACKLOG: Final = METER.create_histogram(
    "lattice.watch.backlog",
    "{change}",
    "How much waits for a watch whenever it reads on",
    explicit_bucket_boundaries_advisory=COUNTS,
)


def exported(signal: Literal["TRACES", "METRICS"]) -> bool:
    """Whether the environment names an OTLP endpoint for these."""
    return any(os.environ.get(f"OTEL_EXPORTER_OTLP_{which}ENDPOINT") for which in ("", f"{signal}_"))


def configure(resource: Resource) -> None:
    """Export the measurements of this process where the environment says so, from now on."""
    if os.environ.get("OTEL_METRICS_EXPORTER") == "none" or not exported("METRICS"):
        return
    # Imported where they are used, as a program without a collector needs none of them.
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter  # noqa: PLC0415
    from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415

    metrics.set_meter_provider(MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], resource))
