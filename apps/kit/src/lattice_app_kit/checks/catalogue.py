"""What the app says of itself and of its commands."""

import json
import re
from typing import Final

import jsonschema_rs

from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.checks.refusals import refused
from lattice_app_kit.verdicts import require

CHECKS: Final = Checks("catalogue")

_FIRST: Final = 10
"""How many commands are found unless the request says otherwise."""


@CHECKS.add
async def describes_itself(trial: Trial) -> None:
    """Describe names the app, its integration, its version and its formats, each well-formed."""
    described = await trial.app.describe()
    require(re.fullmatch(r"[a-z][a-z0-9_-]*", described.name), f"the name is {described.name!r}")
    require(
        re.fullmatch(r"[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*", described.integration_key),
        f"the integration's key is {described.integration_key!r}",
    )
    require(described.version, "there is no version")
    names = [it.name for it in described.formats]
    require(names and len(set(names)) == len(names), f"the formats are {names}")
    for each in described.formats:
        require(re.fullmatch(r"[a-z][a-z0-9]*", each.name), f"a format is called {each.name!r}")
        require(re.fullmatch(r"[\w.+-]+/[\w.+-]+", each.media_type), f"{each.media_type!r} is no media type")
        require(re.fullmatch(r"[a-z0-9]+", each.extension), f"the extension of {each.name} is {each.extension!r}")
    unserved = {it.format for it in trial.documents} - set(names)
    require(not unserved, f"the documents are of {', '.join(unserved)}, which the app does not serve")


@CHECKS.add
async def answers_the_same(trial: Trial) -> None:
    """Describe and ListCommands answer the same each time, in the same order."""
    require(await trial.app.describe() == await trial.app.describe(), "two descriptions differ")
    require(list(await trial.app.commands()) == list(await trial.app.commands()), "two catalogues differ")


@CHECKS.add
async def describes_its_commands(trial: Trial) -> None:
    """Each command has an id of its own, a label, a description and the parts that it may change."""
    commands = await trial.app.commands()
    require(commands, "there are no commands")
    ids = [it.id for it in commands]
    require(len(set(ids)) == len(ids), "two commands have one id")
    for each in commands:
        require(re.fullmatch(r"[a-z][a-z0-9_]*", each.id), f"a command's id is {each.id!r}")
        require(each.label.strip() and each.description.strip(), f"{each.id} has no label or no description")


@CHECKS.add
async def explains_its_arguments(trial: Trial) -> None:
    """The arguments of each command have a JSON Schema, which its example fits and unknown arguments do not."""
    for each in await trial.app.commands():
        schema, example = json.loads(each.arguments_schema_json), json.loads(each.example_json)
        require(jsonschema_rs.meta.is_valid(schema), f"the schema of {each.id} is no JSON Schema")
        validator = jsonschema_rs.validator_for(schema)
        require(isinstance(example, dict), f"the example of {each.id} is no object")
        fault = next(validator.iter_errors(example), None)
        require(fault is None, f"the example of {each.id} does not fit its schema: {fault}")
        unknown = {**example, "no_such_argument": 1}
        require(not validator.is_valid(unknown), f"the schema of {each.id} takes unknown arguments [CM-01]")


@CHECKS.add
async def finds_commands_by_label(trial: Trial) -> None:
    """FindCommands finds each command by its label among the first three."""
    for each in await trial.app.commands():
        found = [it.id for it in await trial.app.found(each.label, 3)]
        require(each.id in found, f"{each.label!r} finds {', '.join(found) or 'nothing'}, not {each.id}")


@CHECKS.add
async def lists_the_first_commands(trial: Trial) -> None:
    """FindCommands lists the first commands for an empty query, and as many as are asked for at the most."""
    commands = list(await trial.app.commands())
    require(list(await trial.app.found("")) == commands[:_FIRST], "an empty query lists others than the first ten")
    for limit in (1, 50):
        found = list(await trial.app.found("", limit))
        require(found == commands[:limit], f"{len(found)} commands are found, at most {limit} were asked for")


@CHECKS.add
async def finds_nothing_for_nothing(trial: Trial) -> None:
    """FindCommands finds nothing for words that are none."""
    found = await trial.app.found("xqzzv wkjqx")
    require(not found, f"it finds {', '.join(it.id for it in found)}")


@CHECKS.add
async def refuses_wrong_queries(trial: Trial) -> None:
    """FindCommands refuses limits outside 1 to 50 and queries over 500 characters as VALIDATION_FAILED."""
    for limit in (-1, 51):
        await refused(trial.app.found("text", limit), "VALIDATION_FAILED")
    await refused(trial.app.found("x" * 501), "VALIDATION_FAILED")
