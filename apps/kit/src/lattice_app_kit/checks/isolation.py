"""Nothing of one call is seen by another."""

import asyncio
from contextlib import suppress
from typing import Final

import grpc

from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.verdicts import require

CHECKS: Final = Checks("isolation")

_SIDE_BY_SIDE: Final = 8


@CHECKS.add
async def answers_side_by_side(trial: Trial) -> None:
    """Calls side by side are answered as they are one by one."""
    alone = [await trial.app.extract(it) for it in trial.documents]
    many = [document for document in trial.documents for _ in range(_SIDE_BY_SIDE)]
    together = await asyncio.gather(*(trial.app.extract(it) for it in many))
    expected = [extract for extract in alone for _ in range(_SIDE_BY_SIDE)]
    require(list(together) == expected, "an answer is another one than the same call had alone")


@CHECKS.add
async def keeps_nothing(trial: Trial) -> None:
    """A batch leaves nothing behind: the next call sees the file that it sends."""
    before = await trial.app.extract(trial.document)
    if trial.batch:
        result = await trial.app.apply(trial.document, *trial.batch)
        for file, expected in ((result.document, result.extract), (trial.document, before)):
            require(await trial.app.extract(file) == expected, f"{file.name} reads otherwise after another file")
    with suppress(grpc.aio.AioRpcError):  # that a refusal has its reason is another check's claim
        await trial.app.apply(trial.document, *trial.batch, ("no_such_command", "{}"))
    require(await trial.app.extract(trial.document) == before, "the file reads otherwise after a refused batch")


@CHECKS.add
async def survives_cancelled_calls(trial: Trial) -> None:
    """A call that is cancelled harms no other."""
    before = await trial.app.extract(trial.document)
    for seconds in (0, 0.001, 0.01, 0.05):
        call = asyncio.ensure_future(trial.app.page(trial.document, 1))
        await asyncio.sleep(seconds)
        call.cancel()
        await asyncio.wait([call])
    require(await trial.app.extract(trial.document) == before, "the next answer is another one")


@CHECKS.add
async def survives_lost_callers(trial: Trial) -> None:
    """A caller who goes away in the middle of a file harms no other."""
    before = await trial.app.extract(trial.document)
    for _ in range(_SIDE_BY_SIDE):
        await trial.app.abandon(trial.document)
    require(await trial.app.extract(trial.document) == before, "the next answer is another one")
