"""What others wrote tells a terminal nothing, wherever a command shows it."""

from io import StringIO
from pathlib import Path

import pytest
import typer
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice_cli.connection import Person
from lattice_cli.invocation import Invocation
from lattice_cli.plain import plain
from rich.console import Console

EVIL = "hi \x1b]0;owned\x07\x1b[31mred\x9b2J \u202egnp.exe"


def test_lines_and_tabs_stay() -> None:
    assert plain("a\tb\nü 世界 👩\u200d🚀") == "a\tb\nü 世界 👩\u200d🚀"


@pytest.mark.parametrize("way", ["a sentence", "a piece", "a table", "a refusal"])
def test_no_answer_tells_the_terminal_anything(way: str) -> None:
    written = StringIO()
    console = Console(file=written, width=200)
    invocation = Invocation(
        person=Person(tenant="acme", workspace="main", user="ada"), folder=Path(), as_json=False, console=console
    )
    thread = threads_pb.Thread(title=EVIL)
    match way:
        case "a sentence":
            invocation.show(thread, EVIL)
        case "a piece":
            invocation.show_piece(thread, EVIL)
        case "a table":
            invocation.show_table([thread], ["title"], lambda it: [it.title])
        case _:
            with pytest.raises(typer.Exit):
                invocation.refuse(EVIL)
    assert "red" in written.getvalue()
    assert not set(written.getvalue()) & {"\x1b", "\x07", "\x9b", "\u202e"}
