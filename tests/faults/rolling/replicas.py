"""Two replicas of each service, which share its database and are known to callers by both their addresses."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lattice_cli.connection import Addresses
from lattice_cli.processes import RunningService, free_address, run_to_end, start, stop
from lattice_cli.suite import SERVICES, free_addresses, running_suite

ENDS_WITHIN: Final = 60.0
"""Seconds after which a replica that was asked to stop passes for one that never will."""

GRACE: Final = 3.0
NOTICE: Final = 0.5
"""Seconds, as the replicas are told."""

BETWEEN_RESTARTS: Final = 2.0
"""Seconds that a new replica serves before the next one is stopped, in which clients find it again."""

_TESTS: Final = Path(__file__).resolve().parents[2]
_FAKE_APP: Final = {"name": "fakeapp", "command": [sys.executable, str(_TESTS / "fakes" / "fake_app")]}
_DECLARED: Final = {"key": "files:fakeapp", "title": "Fake app", "enabled_by_default": True}


@dataclass(kw_only=True)
class Replicas:
    """Each service twice."""

    addresses: Addresses
    """Both of each service: what a client dials."""
    running: dict[str, list[RunningService]]

    async def restart(self, service: str, number: int) -> int:
        """Ask a replica to stop, wait for its end, and start it again; the exit code with which it ended."""
        replica = self.running[service][number]
        replica.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(ENDS_WITHIN):
            ended = await replica.process.wait()
        self.running[service][number] = await start(replica.program, replica.address, replica.log)
        return ended


@asynccontextmanager
async def replicas(folder: Path) -> AsyncIterator[Replicas]:
    """A suite in a folder with a second replica of each service beside the first."""
    addresses = free_addresses()
    one = {it: getattr(addresses, it) for it in SERVICES}
    two = {it: free_address() for it in SERVICES}
    both = {it: f"ipv4:{one[it]},{two[it]}" for it in SERVICES}
    settings = {
        "LATTICE_INTEGRATIONS_REGISTRY": json.dumps([_DECLARED, {**_DECLARED, "key": "files:other"}]),
        "LATTICE_FILES_INTEGRATIONS": both["integrations"],
        "LATTICE_FILES_APPS": json.dumps([_FAKE_APP]),
        "LATTICE_AGENT_FILES": both["files"],
        "LATTICE_AGENT_LOOK_EVERY": "1s",
        "LATTICE_AGENT_RUN_GRACE": f"{GRACE}s",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(_TESTS), os.environ.get("PYTHONPATH", "")]),
    }
    for service in SERVICES:
        settings |= {
            f"LATTICE_{service.upper()}_GRACE": f"{GRACE}s",
            f"LATTICE_{service.upper()}_NOTICE": f"{NOTICE}s",
        }
    async with running_suite(folder, addresses=addresses, settings=settings, services=SERVICES[:2]) as suite:
        agent = suite.programs["agent"]
        as_owner = {**agent.environment, "LATTICE_AGENT_DATABASE_URL": suite.databases["agent"].owner}
        await run_to_end(replace(agent, arguments=["migrate"], environment=as_owner), suite.log_of("agent"))
        suite.programs = {**suite.programs, "agent": replace(agent, arguments=["serve", "quick_agent:make_runner"])}
        await suite.start("agent")
        async with AsyncExitStack() as stack:
            running: dict[str, list[RunningService]] = {}
            for service in SERVICES:
                first = suite.programs[service]
                listening = {f"LATTICE_{service.upper()}_LISTEN": two[service]}
                program = replace(first, environment={**first.environment, **listening})
                second = await start(program, two[service], folder / "logs" / f"{service}-2.log")
                running[service] = [suite.running[service], second]
                stack.push_async_callback(_stop_all, running[service])
            dialled = replace(addresses, integrations=both["integrations"], files=both["files"], agent=both["agent"])
            yield Replicas(addresses=dialled, running=running)


async def _stop_all(services: Iterable[RunningService]) -> None:
    for it in services:
        await stop(it)
