"""Trying all checks, and saying what came of them."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import grpc

from lattice_app_kit.app import refusal
from lattice_app_kit.check import Check, Trial
from lattice_app_kit.verdicts import Broken, NotTried


class Verdict(StrEnum):
    """What came of a check."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A check and its verdict."""

    check: Check
    verdict: Verdict
    why: str
    """What the app did instead, or what is missing to try it; empty where the claim is kept."""
    seconds: float


async def findings(trial: Trial, checks: Sequence[Check]) -> AsyncIterator[Finding]:
    """Try the checks one after the other; a broken one does not end the trial."""
    for check in checks:
        began = time.monotonic()
        verdict, why = await _tried(check, trial)
        yield Finding(check=check, verdict=verdict, why=why, seconds=time.monotonic() - began)


async def _tried(check: Check, trial: Trial) -> tuple[Verdict, str]:
    try:
        await check.run(trial)
    except Broken as broken:
        return Verdict.BROKEN, str(broken)
    except NotTried as missing:
        return Verdict.NOT_TRIED, str(missing)
    except grpc.aio.AioRpcError as error:
        try:
            found = refusal(error)
        except Broken as broken:
            return Verdict.BROKEN, str(broken)
        return Verdict.BROKEN, f"a call that should be answered is refused: {found.reason}, {found.message}"
    return Verdict.KEPT, ""
