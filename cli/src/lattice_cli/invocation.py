"""One invocation of the command: who calls, where the suite is, and how the answer is shown."""

import asyncio
import json
import signal
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import grpc
import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from lattice_chassis.errors import refusal_of
from lattice_chassis.server import CannotServe
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from lattice_cli.connection import Addresses, Connection, Person, connect
from lattice_cli.native_files import DamagedContentError
from lattice_cli.paging import HistoryChanged, NothingThere
from lattice_cli.plain import plain
from lattice_cli.processes import ServiceFailedError
from lattice_cli.suite import ADDRESSES_FILE

Result = TypeVar("Result")

REFUSED = 1
"""The exit status of a refused or failed call."""

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C or SIGTERM ended before it was done."""


class Verbs(TyperGroup):
    """The commands, with one place that tells what went wrong in a sentence rather than a traceback."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  # typer's types are its own
        """Run the command; what a peer, the system or the suite refuses ends it with REFUSED."""
        try:
            return super().invoke(ctx)
        except grpc.aio.AioRpcError as error:
            invocation_of(ctx).refuse_call(error)
        except BrokenPipeError:
            raise  # who read along has gone, and typer ends quietly
        except OSError as error:
            about = f"{error.filename}: " if error.filename else ""
            invocation_of(ctx).refuse(f"{about}{error.strerror or error}")
        except (ServiceFailedError, DamagedContentError, HistoryChanged, NothingThere, CannotServe) as error:
            invocation_of(ctx).refuse(str(error))
        except UnicodeEncodeError:
            invocation_of(ctx).refuse("an argument is no text in UTF-8")


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What the options before the verb say."""

    person: Person
    folder: Path
    as_json: bool
    console: Console

    def call(self, work: Callable[[Connection], Coroutine[Any, Any, None]]) -> None:
        """Run some calls against the running suite."""
        try:
            asyncio.run(self._connected(work))
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None

    def addresses(self) -> Addresses:
        """Where the running suite listens; ends the command where none runs."""
        try:
            return Addresses.load(self.folder / ADDRESSES_FILE)
        except FileNotFoundError:
            self.refuse(f"no suite runs in {self.folder}: start one with `lattice up`")
        except ValueError:
            self.refuse(f"{self.folder / ADDRESSES_FILE} is damaged: start the suite again with `lattice up`")

    def refuse(self, message: str) -> NoReturn:
        """Say why nothing was done, and end the command."""
        if self.as_json:
            typer.echo(json.dumps({"error": message}))
        else:
            self.console.print(Text(plain(message), style="red"), soft_wrap=True)
        raise typer.Exit(REFUSED)

    def show(self, message: Message, human: str) -> None:
        """The answer: as JSON for programs, or as a sentence for people."""
        if self.as_json:
            typer.echo(json.dumps(as_dict(message), ensure_ascii=False))
        else:
            self.console.print(Text(plain(human)), soft_wrap=True)

    def show_piece(self, message: Message, human: str) -> None:
        """A piece of an answer that is still coming: as a line of JSON, or as the next characters for people."""
        if self.as_json:
            self.show(message, human)
        else:
            self.console.print(Text(plain(human)), soft_wrap=True, end="")

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
            table.add_row(*(Text(plain(it)) for it in row(message)))
        self.console.print(table)

    def refuse_call(self, error: grpc.aio.AioRpcError) -> NoReturn:
        """Say why a call was refused or failed, and end the command."""
        refusal = refusal_of(error)
        if refusal is None and error.code() is grpc.StatusCode.UNAVAILABLE:
            self.refuse("a service of the suite does not answer (UNAVAILABLE); does `lattice up` still run?")
        if refusal is None:
            self.refuse(f"the call failed: {error.code().name}: {error.details()}")
        if self.as_json:
            typer.echo(json.dumps({"reason": refusal.reason, "message": refusal.message, **refusal.metadata}))
            raise typer.Exit(REFUSED)
        values = ", ".join(f"{key}={value}" for key, value in sorted(refusal.metadata.items()))
        self.refuse(f"{refusal.reason}: {refusal.message}" + (f" ({values})" if values else ""))

    async def _connected(self, work: Callable[[Connection], Coroutine[Any, Any, None]]) -> None:
        async with connect(self.addresses(), self.person) as connection:
            await work(connection)


def as_dict(message: Message) -> dict[str, Any]:
    """A message for programs, with the names of the contract and defaults spelt out."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def run_until_stopped(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end; the first SIGINT or SIGTERM cancels it, and further ones leave it to stop in order.

    Raises:
        asyncio.CancelledError: a signal ended it.
    """

    async def stoppable() -> Result:
        running = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        stopped = False

        def stop() -> None:
            nonlocal stopped
            if not stopped:
                stopped = running.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
        return await running

    return asyncio.run(stoppable())


def invocation_of(context: typer.Context) -> Invocation:
    """The invocation that the command's root made."""
    found: Invocation = context.find_root().obj
    return found
