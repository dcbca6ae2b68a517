"""One invocation of the command: who calls, where the suite is, and how the answer is shown."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import grpc
import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from lattice_chassis.errors import refusal_of
from rich.console import Console
from rich.table import Table

from lattice_cli.connection import Addresses, Connection, Person, connect
from lattice_cli.suite import ADDRESSES_FILE

REFUSED = 1
"""The exit status of a refused or failed call."""


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What the options before the verb say."""

    person: Person
    folder: Path
    as_json: bool
    console: Console

    def call(self, work: Callable[[Connection], Coroutine[Any, Any, None]]) -> None:
        """Run some calls against the running suite; a refusal is told and ends the command with REFUSED."""
        try:
            asyncio.run(self._connected(work))
        except grpc.aio.AioRpcError as error:
            self._fail(error)
        except KeyboardInterrupt:
            raise typer.Exit(0) from None

    def addresses(self) -> Addresses:
        """Where the running suite listens; ends the command where none runs."""
        try:
            return Addresses.load(self.folder / ADDRESSES_FILE)
        except FileNotFoundError:
            self.refuse(f"no suite runs in {self.folder}: start one with `lattice up`")

    def refuse(self, message: str) -> NoReturn:
        """Say why nothing was done, and end the command."""
        if self.as_json:
            typer.echo(json.dumps({"error": message}))
        else:
            self.console.print(f"[red]{message}[/red]", soft_wrap=True)
        raise typer.Exit(REFUSED)

    def show(self, message: Message, human: str) -> None:
        """The answer: as JSON for programs, or as a sentence for people."""
        if self.as_json:
            typer.echo(json.dumps(as_dict(message), ensure_ascii=False))
        else:
            self.console.print(human, soft_wrap=True, highlight=False)

    def show_table(
        self, messages: Iterable[Message], columns: Sequence[str], row: Callable[[Any], Sequence[str]]
    ) -> None:
        """A list: a JSON object a line, or a table."""
        if self.as_json:
            for message in messages:
                typer.echo(json.dumps(as_dict(message), ensure_ascii=False))
            return
        table = Table(*columns, box=None, header_style="bold")
        for message in messages:
            table.add_row(*row(message))
        self.console.print(table)

    async def _connected(self, work: Callable[[Connection], Coroutine[Any, Any, None]]) -> None:
        async with connect(self.addresses(), self.person) as connection:
            await work(connection)

    def _fail(self, error: grpc.aio.AioRpcError) -> NoReturn:
        refusal = refusal_of(error)
        if refusal is None:
            self.refuse(f"the call failed: {error.code().name}: {error.details()}")
        if self.as_json:
            typer.echo(json.dumps({"reason": refusal.reason, "message": refusal.message, **refusal.metadata}))
            raise typer.Exit(REFUSED)
        values = ", ".join(f"{key}={value}" for key, value in refusal.metadata.items())
        self.refuse(f"{refusal.reason}: {refusal.message}" + (f" ({values})" if values else ""))


def as_dict(message: Message) -> dict[str, Any]:
    """A message for programs, with the names of the contract and defaults spelt out."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def invocation_of(context: typer.Context) -> Invocation:
    """The invocation that the command's root made."""
    found: Invocation = context.find_root().obj
    return found
