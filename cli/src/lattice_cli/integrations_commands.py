"""`lattice integrations …`: an administrator's switches."""

from enum import StrEnum

import typer
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice_chassis.identity import display_name

from lattice_cli import switches
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.paging import pages

app = typer.Typer(no_args_is_help=True, help="See and switch integrations of the workspace.")


class State(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


@app.command("list")
def list_integrations(context: typer.Context) -> None:
    """List every integration with its state."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.ListIntegrationsRequest(workspace=connection.person.workspace_name)
        answer = await connection.integrations.ListIntegrations(request)
        invocation.show_table(
            answer.integrations,
            ("key", "state", "from", "what it governs"),
            lambda it: (
                it.integration.key,
                "on" if it.switch.enabled else "off",
                "setting" if it.switch.source == pb.SWITCH_SOURCE_SETTING else "default",
                it.integration.description,
            ),
        )

    invocation.call(work)


@app.command()
def switch(context: typer.Context, key: str, state: State, reason: str = "") -> None:
    """Switch an integration on or off; administrators only (`lattice --admin integrations switch …`)."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        answer = await switches.switch(connection, key, on=state is State.ON, reason=reason)
        invocation.show(answer.switch, f"{key} is {'on' if answer.switch.enabled else 'off'}")

    invocation.call(work)


@app.command()
def changes(context: typer.Context, key: str = "") -> None:
    """List who switched what, when and why, newest first."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.ListSwitchChangesRequest(workspace=connection.person.workspace_name, key=key, page_size=500)
        listed = pages(connection.integrations.ListSwitchChanges, request)
        invocation.show_table(
            [it async for page in listed for it in page.changes],
            ("when", "who", "key", "to", "why"),
            lambda it: (
                it.change_time.ToJsonString(),
                display_name(it.actor),
                it.key,
                "on" if it.enabled else "off",
                it.reason,
            ),
        )

    invocation.call(work)
