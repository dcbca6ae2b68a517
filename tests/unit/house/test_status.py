"""The README's status table and what the servers really serve."""

import re
from pathlib import Path

from lattice_agent.grpc.log import LogServicer
from lattice_agent.grpc.runs import RunsServicer
from lattice_agent.grpc.threads import ThreadsServicer
from lattice_files.grpc.artifacts import ArtifactsServicer
from lattice_files.grpc.changes import ChangesServicer
from lattice_files.grpc.native_files import NativeFilesServicer
from lattice_files.grpc.proposals import ProposalsServicer
from lattice_integrations.grpc.integrations import IntegrationsServicer

README = Path(__file__).resolve().parents[3] / "README.md"
SERVICERS = (
    ArtifactsServicer,
    ChangesServicer,
    IntegrationsServicer,
    LogServicer,
    NativeFilesServicer,
    ProposalsServicer,
    RunsServicer,
    ThreadsServicer,
)


def left_out(servicer: type) -> set[str]:
    """The calls that a servicer leaves to its generated base, which answers NOT_IMPLEMENTED."""
    contract = servicer.__mro__[1]
    return {name for name in vars(contract) if name[0].isupper() and name not in vars(servicer)}


def test_the_calls_that_no_server_serves_are_those_that_the_readme_names() -> None:
    rows = [line.split("|") for line in README.read_text().splitlines() if line.startswith("| ")]
    named = {name for row in rows if len(row) == 5 for name in re.findall(r"`([A-Z]\w+)`", row[3])}
    assert named == set().union(*map(left_out, SERVICERS))
