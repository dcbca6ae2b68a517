"""What an operator does with the stores of a service beside the running one: erase, verify, reconcile.

Each is a command of the service's own program, as `migrate` is, on a database URL of the role that the act takes: no
running service has these rights. Each answers with JSON on its output, for the `lattice` command and for others.
"""

import argparse
import json
import logging
import os
import pwd
import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from lattice_chassis.postgres.erasure import Extent, Report
    from lattice_chassis.postgres.inspection import Fault

_log: Final = logging.getLogger("lattice.audit")


def add_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Add `erase`, `verify` and `reconcile` to the commands of a service's program; answers the first two of them."""
    erase = commands.add_parser("erase", help="erase a tenant or a workspace for good, as the database's owner role")
    erase.add_argument("--tenant", required=True)
    erase.add_argument("--workspace", help="one workspace; without it the whole tenant")
    erase.add_argument("--yes", required=True, metavar="NAME", help="the workspace once more, or else the tenant")
    verify = commands.add_parser("verify", help="look for what is damaged or missing, as a role that reads all tenants")
    commands.add_parser("reconcile", help="begin new histories after a restore, as the administrator of the database")
    return erase, verify


def confirmed_extent(service: str, arguments: argparse.Namespace) -> "Extent":
    """What is to be erased, put on record before anything of it is.

    Ends the program where that is nothing, or the confirmation names something else.
    """
    from lattice_chassis.postgres.erasure import Extent  # noqa: PLC0415 - Alembic is no load for a server

    try:
        extent = Extent(tenant=arguments.tenant, workspace=arguments.workspace)
    except ValueError as error:
        sys.exit(f"nothing was erased: {error}")
    named = extent.workspace or extent.tenant
    if arguments.yes != named:
        sys.exit(f"nothing was erased: --yes has to repeat {named!r}")
    _note(service, "erase", extent.tenant, extent.name, "begun")
    return extent


def tell_erased(service: str, extent: "Extent", report: "Report") -> int:
    """Put an erasure on record, print what it did, and answer the program's exit status: 1 where anything is left."""
    _note(service, "erase", extent.tenant, extent.name, "succeeded" if report.clean else "failed")
    _print({"service": service, "name": extent.name, **asdict(report)})
    return 0 if report.clean else 1


def tell_unfinished(service: str, extent: "Extent", why: str) -> NoReturn:
    """Put on record that an erasure did not come to its end, and end the program with the reason."""
    _note(service, "erase", extent.tenant, extent.name, "failed")
    sys.exit(why)


def tell_faults(service: str, faults: Iterable["Fault"], **more: object) -> int:
    """Print what was found, and answer the program's exit status: 1 where it is anything."""
    found = [asdict(it) for it in faults]
    _print({"service": service, "faults": found, **more})
    return 1 if found else 0


def tell_reconciled(service: str, **done: int) -> int:
    """Put a reconciliation on record, print what it did, and answer the program's exit status."""
    _note(service, "reconcile", None, None, "succeeded")
    _print({"service": service, **done})
    return 0


def _note(service: str, act: str, tenant: str | None, resource: str | None, outcome: str) -> None:
    fields = {
        "tenant": tenant,
        "participant": f"operator:{_user()}",
        "rpc_method": f"lattice-{service} {act}",
        "resource": resource,
        "outcome": outcome,
    }
    told = ", ".join(f"{name} {value!r}" for name, value in fields.items() if value is not None)
    _log.info("audit: %s", told, extra=fields)


def _user() -> str:
    """Who runs the program; by number where they have no name, as in a container."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _print(answer: object) -> None:
    print(json.dumps(answer), flush=True)  # noqa: T201 - it is the program's answer
