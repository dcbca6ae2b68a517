"""Lattice for the tests of an application: its services as processes, and the test itself as a replica of agent's.

So a test plays all the parts: it runs the application's agent, with a scripted model, beside the people whom it works
with. Nothing of it is a fake: the log, the switches and the rules are those of production.
"""

import os
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from lattice_chassis.channels import channel
from lattice_chassis.postgres.migrations import migrate
from lattice_cli import switches
from lattice_cli.connection import FILES_CONTRACTS, Connection, Person, connect
from lattice_cli.suite import Suite, running_suite

from artifactr.agent import Runner
from artifactr.core.actors import UserActor
from artifactr.files import NativeFiles
from artifactr.store import migrations
from artifactr.testing.log import Log
from artifactr.workspace import Workspace, Workspaces, open_workspaces

TENANT: Final = "tests"
SERVICES: Final = ("integrations", "files")
"""What runs as processes: agent is the test's own."""

_FAST: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""Durability costs time and proves nothing while the server outlives the test."""

RunnerT = TypeVar("RunnerT", bound=Runner[Any, Any])


@dataclass(frozen=True)
class Administrator:
    """Somebody who switches apps in the workspace of a test."""

    connection: Connection

    async def switch(self, key: str, *, on: bool, reason: str = "") -> None:
        """Switch an app such as `files:wordcraft` on or off; an AioRpcError where there is none of that key."""
        await switches.switch(self.connection, key, on=on, reason=reason)


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """A running suite, and a workspace in it that nobody wrote to."""

    suite: Suite
    """The processes: their addresses and logs; one can be killed and started again."""
    workspaces: Workspaces
    """This process as a replica of the agent service."""
    files: NativeFiles
    """The client of native files."""
    name: str
    """The workspace's id, in the tenant TENANT."""
    administrator: Administrator

    def user(self, user_id: str = "alice", name: str = "") -> Workspace:
        """The handle of a person; the name is what notes call them, the capitalised id unless given."""
        return self.workspaces.open(TENANT, self.name, UserActor(id=user_id, name=name or user_id.capitalize()))

    @property
    def log(self) -> Log:
        """The log of the workspace."""
        return Log(self.user("log"))

    @asynccontextmanager
    async def running(self, runner: RunnerT) -> AsyncIterator[RunnerT]:
        """A runner in this process, for the length of a block: its agent's types are registered, its runs end with it.

        It is closed then, so a test makes its own. Raises TypeRefused where files does not take a type.
        """
        async with runner, self.workspaces.registering(runner.types):
            yield runner

    @asynccontextmanager
    async def served(self, *runners: str) -> AsyncIterator[str]:
        """A process beside this one that serves each `module:runner` as `lattice-agent serve` does, and its address.

        It imports what this process can import. It takes some seconds to start. Raises ServiceFailedError where it
        does not, with its log.
        """
        programs = self.suite.programs
        program = programs["agent"]
        environment = {**program.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        serving = replace(program, arguments=["serve", *runners], environment=environment)
        self.suite.programs = {**programs, "agent": serving}
        try:
            await self.suite.start("agent")
            yield self.suite.addresses.agent
        finally:
            self.suite.programs = programs
            await self.suite.stop("agent")


@asynccontextmanager
async def running_services() -> AsyncIterator[Suite]:
    """Integrations, files with WordCraft, and an embedded PostgreSQL, in a folder that is gone afterwards.

    Starting costs about three seconds of processor time, so a session of tests shares one. Raises ServiceFailedError.
    """
    # Not in pytest's own folders: those are closed to the system user that PostgreSQL runs as under root.
    with tempfile.TemporaryDirectory(prefix="lattice-", ignore_cleanup_errors=True) as folder:
        async with running_suite(Path(folder), services=SERVICES, postgres_settings=_FAST) as suite:
            await migrate(suite.databases["agent"].owner, migrations.__name__)
            yield suite


@asynccontextmanager
async def joined(suite: Suite) -> AsyncIterator[Lattice]:
    """This process as a replica in a running suite, with a workspace of its own, within the current event loop."""
    name = f"w-{uuid.uuid4().hex[:12]}"
    adam = Person(tenant=TENANT, workspace=name, user="adam", name="Adam", administrator=True)
    urls = suite.databases["agent"]
    async with (
        channel(suite.addresses.files, FILES_CONTRACTS, tls=suite.addresses.tls) as files,
        open_workspaces(urls.service, files, follower_url=urls.follower) as workspaces,
        connect(suite.addresses, adam) as administrator,
    ):
        yield Lattice(
            suite=suite,
            workspaces=workspaces,
            files=NativeFiles(files),
            name=name,
            administrator=Administrator(administrator),
        )


@asynccontextmanager
async def running_lattice() -> AsyncIterator[Lattice]:
    """All of it for one block, without pytest."""
    async with running_services() as suite, joined(suite) as lattice:
        yield lattice
