"""The catalogue: every command of the app, in a stable order.

A command is a class with its arguments as fields; a new one is written in the module of its subject and named in
its COMMANDS.
"""

import difflib
from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from lattice_wordcraft.catalogue import (
    bookmarks,
    breaks,
    cells,
    changes,
    comments,
    contents,
    controls,
    formatting,
    headers,
    images,
    layout,
    links,
    lists,
    notes,
    page_setup,
    paragraphs,
    tables,
    text,
)
from lattice_wordcraft.catalogue.command import Command
from lattice_wordcraft.refusals import CommandRefused

_MODULES: Final = (
    text,
    paragraphs,
    formatting,
    layout,
    lists,
    page_setup,
    headers,
    notes,
    breaks,
    tables,
    cells,
    links,
    bookmarks,
    images,
    controls,
    contents,
    comments,
    changes,
)

CATALOGUE: Final[Mapping[str, type[Command]]] = {
    command.id: command for module in _MODULES for command in module.COMMANDS
}


def command_of(command_id: str, arguments_json: str) -> Command:
    """The command of this id with these arguments, as JSON text; empty text means none.

    Raises:
        CommandRefused: there is no such command, or the arguments do not fit its schema.
    """
    command = CATALOGUE.get(command_id)
    if command is None:
        near = difflib.get_close_matches(command_id, CATALOGUE, n=3)
        raise CommandRefused(f"there is no such command{'; the nearest: ' + ', '.join(near) if near else ''}")
    try:
        return command.model_validate_json(arguments_json or "{}", strict=True)
    except ValidationError as error:
        raise CommandRefused(f"the arguments do not fit: {_faults(error)}") from error


def _faults(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, it['loc'])) or 'arguments'}: {it['msg']}" for it in error.errors())
