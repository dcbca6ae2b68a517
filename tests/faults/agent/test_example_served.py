"""The example application as a service of its own, beside a program that joined with the test kit."""

import sys
import uuid
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from artifactr import Applied
from artifactr.core import CreateArtifact
from artifactr.core.events import ThreadCreated
from artifactr.testing import running_lattice
from lattice.agent.v1 import threads_service_pb2 as pb
from lattice_cli.connection import Person, connect
from lattice_cli.processes import ServiceFailedError

EXAMPLE = Path(__file__).parents[3] / "examples" / "checklist"


async def test_an_application_is_served_by_name_and_shares_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """AT-01, X-01, RN-23: the process registers its types, and its clients and this process are on one log."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(EXAMPLE)])
    async with running_lattice() as lattice:
        alice = lattice.user()
        with pytest.raises(ServiceFailedError, match="nothing_of_this_name"):
            async with lattice.served("checklist:nothing_of_this_name"):
                pytest.fail("it started")
        async with lattice.served("checklist:runner"):
            outcome = await alice.commit(CreateArtifact(kind="checklist", data={"launch": "2027-03-01", "items": {}}))
            person = Person(tenant=alice.tenant, workspace=alice.workspace, user="bob")
            async with connect(lattice.suite.addresses, person) as bob:
                request = pb.CreateThreadRequest(
                    workspace=person.workspace_name, title="Launch", request_id=str(uuid.uuid4())
                )
                created = await bob.threads.CreateThread(request)
        assert isinstance(outcome, Applied)
        checklist = await alice.get(import_module("checklist").Checklist, outcome.artifact_id)
        assert checklist.launch == date(2027, 3, 1)
        heard = await lattice.log.wait_for(ThreadCreated)
        assert created.thread.name.endswith(heard.thread_id)
