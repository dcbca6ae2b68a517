"""`lattice erase`, `verify` and `reconcile`: what an operator does with the stores of a deployment."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from lattice_cli.invocation import REFUSED, Invocation, invocation_of
from lattice_cli.plain import plain
from lattice_cli.stores import Access, Stores, stores

DOWNWARD: Final = ("agent", "files", "integrations")
"""Whoever calls comes before whoever is called: nothing that is still there writes into what is erased already."""


def erase(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The workspace, of the tenant that --tenant names; or the tenant.")],
    yes: Annotated[str, typer.Option("--yes", help="The same name once more, for confirmation.")] = "",
    whole_tenant: Annotated[
        bool, typer.Option("--whole-tenant", help="Erase a tenant and all its workspaces.")
    ] = False,
    blobs_lost: Annotated[
        bool, typer.Option("--blobs-lost", help="Go on where the store has none of the files, since they are lost.")
    ] = False,
) -> None:
    """Erase a workspace or a tenant for good, from all stores; for operators.

    Runs are ended first. Nobody writes there ever again. Afterwards every table and every blob is looked at, and the
    command fails where anything is left. One that was interrupted is finished by a repeat.
    """
    invocation = invocation_of(context)
    if not name:
        invocation.refuse("nothing was erased: an empty name would stand for everything there is")
    if yes != name:
        invocation.refuse(f"nothing was erased: repeat the name with --yes {name}")
    # Each in one word: a name may begin as an option does.
    what = [f"--tenant={name}"] if whole_tenant else [f"--tenant={invocation.person.tenant}", f"--workspace={name}"]

    async def work(found: Stores) -> bool:
        clean = True
        for service in DOWNWARD:
            lost = ["--blobs-lost"] if blobs_lost and service == "files" else []
            status, answer = await found.asked(service, "erase", *what, f"--yes={name}", *lost)
            clean = clean and not status
            erased, left = sum(answer["erased"].values()), sum(answer["left"].values())
            _show(invocation, answer, f"{service}: {erased:,} rows and objects erased, {left:,} left")
        return clean

    _at_stores(invocation, "owner", work)


def verify(context: typer.Context) -> None:
    """Look over all stores for what is damaged, missing or left over, and fail where anything is; for operators.

    It reads every object of the blob store and changes nothing. Services may run meanwhile.
    """
    invocation = invocation_of(context)

    async def work(found: Stores) -> bool:
        # agent first: what it took up of a feed, the feed still has when files is looked at.
        _, agent = await found.asked("agent", "verify")
        _, files = await found.asked("files", "verify", "--taken-up", told=agent)
        _, integrations = await found.asked("integrations", "verify")
        faults = [{"service": it["service"], **fault} for it in (integrations, files, agent) for fault in it["faults"]]
        for fault in faults:
            _show(invocation, fault, "{service}: {kind} {workspace} {about}".format(**fault))
        if not invocation.as_json:
            invocation.console.print(f"{len(faults)} faults" if faults else "nothing is wrong")
        return not faults

    _at_stores(invocation, "administrator", work)


def reconcile(context: typer.Context) -> None:
    """Begin new histories after a restore, and have agent take up what it lacks; files has to run, agent not."""
    invocation = invocation_of(context)

    async def work(found: Stores) -> bool:
        clean = True
        for service in reversed(DOWNWARD):  # agent goes by the new history of files
            status, answer = await found.asked(service, "reconcile")
            clean = clean and not status
            told = ", ".join(f"{field} {value:,}" for field, value in answer.items() if field != "service")
            _show(invocation, answer, f"{service}: {told}")
        return clean

    _at_stores(invocation, "administrator", work)


def _show(invocation: Invocation, answer: dict[str, Any], human: str) -> None:
    if invocation.as_json:
        typer.echo(json.dumps(answer))
    else:
        invocation.console.print(Text(plain(human)), soft_wrap=True)


def _at_stores(invocation: Invocation, access: Access, work: Callable[[Stores], Awaitable[bool]]) -> None:
    """Do some work that answers whether all is well; where it is not, the command fails."""

    async def reached() -> bool:
        async with stores(invocation.folder, access) as found:
            return await work(found)

    if not asyncio.run(reached()):
        raise typer.Exit(REFUSED)
