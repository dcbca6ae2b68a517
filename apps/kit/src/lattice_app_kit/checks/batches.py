"""Batches: all or nothing, and in the name of whoever edits."""

from typing import Final

from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.type.v1 import text_pb2

from lattice_app_kit.app import AUTHOR
from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.checks.refusals import refused
from lattice_app_kit.verdicts import NotTried, require

CHECKS: Final = Checks("batches")

_UNKNOWN: Final = ("no_such_command", "{}")


@CHECKS.add
async def applies_a_batch(trial: Trial) -> None:
    """A batch answers the new file with its text and review, as Extract reads them, and the parts it changed."""
    before = await trial.app.extract(trial.document)
    result = await trial.app.apply(trial.document, *_batch(trial))
    require(result.document.content != trial.document.content, "the new file has the bytes of the old one")
    require(result.extract != before or result.changed_parts, "nothing that can be seen is different")
    require(await trial.app.extract(result.document) == result.extract, "Extract reads the new file otherwise")
    parts = result.changed_parts
    require(parts, "no changed part is named")
    require(list(parts) == sorted(set(parts)), f"the changed parts are {parts}")


@CHECKS.add
async def tracks_for_agents(trial: Trial) -> None:
    """What an agent changes is tracked under its name unless the batch says otherwise."""
    batch = _batch(trial)
    direct = await trial.app.apply(trial.document, *batch, mode=app_pb.CHANGE_MODE_DIRECT)
    tracked = await trial.app.apply(trial.document, *batch, mode=app_pb.CHANGE_MODE_TRACKED)
    unset = await trial.app.apply(trial.document, *batch)
    counts = [result.extract.tracked_by(AUTHOR) for result in (direct, tracked, unset)]
    require(counts[0] == 0, f"a direct batch leaves {counts[0]} tracked changes of its author")
    require(counts[1] > 0, "a tracked batch leaves no tracked change of its author; do its commands change text?")
    require(counts[2] == counts[1], f"an agent's batch leaves {counts[2]} tracked changes, a tracked one {counts[1]}")


@CHECKS.add
async def reads_the_original(trial: Trial) -> None:
    """A tracked batch reads in the original view as the document did before it."""
    before = await trial.app.extract(trial.document, text_pb2.TEXT_VIEW_ORIGINAL)
    result = await trial.app.apply(trial.document, *_batch(trial), mode=app_pb.CHANGE_MODE_TRACKED)
    original = await trial.app.extract(result.document, text_pb2.TEXT_VIEW_ORIGINAL)
    final = await trial.app.extract(result.document, text_pb2.TEXT_VIEW_FINAL)
    require(original.text == before.text, "the original view shows what the batch changed")
    require(final == result.extract, "the final view is another text than the batch answered")


@CHECKS.add
async def refuses_all_or_nothing(trial: Trial) -> None:
    """A command that cannot be applied refuses the whole batch as APP_REFUSED with index, command and why."""
    batch = _batch(trial)
    for index, commands in enumerate(([_UNKNOWN, *batch], [batch[0], _UNKNOWN])):
        refusal = await refused(trial.app.apply(trial.document, *commands), "APP_REFUSED", "index", "command", "why")
        found = refusal["index"], refusal["command"]
        require(found == (str(index), _UNKNOWN[0]), f"the refusal names command {found[0]}, {found[1]}")


@CHECKS.add
async def refuses_wrong_arguments(trial: Trial) -> None:
    """Arguments that do not fit a command's schema are refused as APP_REFUSED."""
    command = _batch(trial)[0][0]
    for arguments in ('{"no_such_argument": 1}', "[]", "no JSON"):
        await refused(trial.app.apply(trial.document, (command, arguments)), "APP_REFUSED", "index", "command", "why")


@CHECKS.add
async def refuses_wrong_lengths(trial: Trial) -> None:
    """A batch of no commands, or of more than 200, is refused."""
    await refused(trial.app.apply(trial.document), "VALIDATION_FAILED")
    await refused(trial.app.apply(trial.document, *[_UNKNOWN] * 201), "VALIDATION_FAILED")


@CHECKS.add
async def refuses_nobodys_batch(trial: Trial) -> None:
    """A batch that nobody signs is refused as VALIDATION_FAILED."""
    await refused(trial.app.apply(trial.document, *_batch(trial), author=None), "VALIDATION_FAILED")


def _batch(trial: Trial) -> list[tuple[str, str]]:
    """The commands that change the document.

    Raises:
        NotTried: none are known.
    """
    if not trial.batch:
        raise NotTried("no example of the catalogue changes the first document: name commands that do with --batch")
    return list(trial.batch)
