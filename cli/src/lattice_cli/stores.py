"""The stores of a deployment, as an operator reaches them: through the services' own programs, each on its database."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from lattice_chassis.postgres.embedded import EmbeddedPostgres

from lattice_cli.connection import Addresses
from lattice_cli.processes import Program, ServiceFailedError
from lattice_cli.suite import ADDRESSES_FILE, SERVICES, environment_of, free_addresses

Access = Literal["owner", "administrator"]
"""The role of a database that an act takes; `administrator` stands for any that sees all tenants' rows."""

_DEPLOYED: Final = tuple(f"LATTICE_{service.upper()}_DATABASE_URL" for service in SERVICES)


@dataclass(frozen=True, kw_only=True)
class Stores:
    """The services' programs, with the settings that they read."""

    environments: Mapping[str, Mapping[str, str]]

    async def asked(self, service: str, *arguments: str, told: object = None) -> tuple[int, dict[str, Any]]:
        """Run a command of a service's program, and answer its exit status and what it answered.

        `told` is given to it as JSON. What it says beside its answer goes to our error output.

        Raises:
            ServiceFailedError: it ended without an answer.
        """
        program = Program(name=f"lattice-{service}", arguments=arguments, environment=self.environments[service])
        process = await asyncio.create_subprocess_exec(
            *program.command(),
            env=program.full_environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            output, _ = await process.communicate(b"" if told is None else json.dumps(told).encode())
        finally:
            if process.returncode is None:  # we were cancelled
                process.kill()
                await process.wait()
        if not output:
            raise ServiceFailedError(f"lattice-{service} {arguments[0]} ended with status {process.returncode}")
        answer: dict[str, Any] = json.loads(output)
        return process.returncode or 0, answer


@asynccontextmanager
async def stores(folder: Path, access: Access) -> AsyncIterator[Stores]:
    """The stores that the environment names, as for `migrate`; else those of the suite in a folder, running or not.

    Raises:
        ServiceFailedError: the environment names one database and not another, or there is no suite in the folder.
    """
    if named := {it for it in _DEPLOYED if os.environ.get(it)}:
        if missing := set(_DEPLOYED) - named:
            raise ServiceFailedError(f"name all three databases: {', '.join(sorted(missing))} is not set")
        yield Stores(environments={it: {} for it in SERVICES})
        return
    folder = folder.resolve()
    if not (folder / "postgres").is_dir():
        raise ServiceFailedError(f"there is no suite in {folder}, and {_DEPLOYED[0]} is not set")
    try:
        addresses = Addresses.load(folder / ADDRESSES_FILE)
    except FileNotFoundError:
        addresses = free_addresses()
    postgres = EmbeddedPostgres(folder / "postgres")
    await asyncio.to_thread(postgres.start)
    try:
        yield Stores(environments={it: _settings(it, addresses, postgres, folder, access) for it in SERVICES})
    finally:
        await asyncio.to_thread(postgres.stop)


def _settings(
    service: str, addresses: Addresses, postgres: EmbeddedPostgres, folder: Path, access: Access
) -> Mapping[str, str]:
    name, prefix = f"lattice_{service}", f"LATTICE_{service.upper()}_"
    settings = environment_of(service, addresses, postgres.create_database(name), folder)
    owner, administrator = postgres.database_url(name, "owner"), postgres.administrator_url(name)
    settings[f"{prefix}DATABASE_URL"] = owner if access == "owner" else administrator
    if service == "agent" and addresses.tls is not None:
        shown = asdict(addresses.tls)
        settings |= {f"{prefix}PEER_TLS__{field.upper()}": str(path) for field, path in shown.items()}
    return settings
