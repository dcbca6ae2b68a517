"""Registering an application's artifact types with files, so that clients in any language meet the same rules [AT-01].

Replicas may start at once, and start again: what is registered stays as it is, what widens is taken, and whoever was
second asks again from where the first one left it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.telemetry import span

from artifactr.core.artifacts import Artifact
from artifactr.core.rejections import Rejection, VersionConflict
from artifactr.ports import Types

FIRST_DELAY: Final = timedelta(milliseconds=500)
LONGEST_DELAY: Final = timedelta(seconds=5)

_log: Final = logging.getLogger("artifactr.types")


@dataclass(kw_only=True, eq=False)
class TypeRefused(Exception):
    """Files does not take a type; nobody could create artifacts of it as the application declares them."""

    kind: str
    why: str

    def __str__(self) -> str:
        return f"files refuses the artifact type {self.kind}: {self.why}"


@asynccontextmanager
async def registering(types: Types, wanted: Collection[type[Artifact]]) -> AsyncIterator[None]:
    """Register types before the block begins, or while it lasts where files cannot be reached by then.

    Raises:
        TypeRefused: files refuses one of them. Where that is learnt only later, it is logged.
    """
    waiting = deque(wanted)
    try:
        await _register(types, waiting)
    except PeerUnavailable as away:
        _log.warning("artifact types are still to be registered: %s", away)
        later = asyncio.create_task(_keep_trying(types, waiting), name="registering artifact types")
        try:
            yield
        finally:
            later.cancel()
            await asyncio.wait([later])
    else:
        yield


async def _register(types: Types, waiting: deque[type[Artifact]]) -> None:
    """Register those that wait in their order; each waits no more once it is registered."""
    while waiting:
        with span("types.register"):
            await _register_one(types, waiting[0])
        waiting.popleft()


async def _register_one(types: Types, artifact_type: type[Artifact]) -> None:
    follows = 0
    while True:
        try:
            return await types.register(artifact_type, follows=follows)
        except VersionConflict as conflict:
            follows = conflict.head
        except Rejection as refused:
            raise TypeRefused(kind=artifact_type.kind, why=str(refused)) from refused


async def _keep_trying(types: Types, waiting: deque[type[Artifact]]) -> None:
    delay = FIRST_DELAY
    while waiting:
        await asyncio.sleep(delay.total_seconds())
        delay = min(delay * 2, LONGEST_DELAY)
        try:
            await _register(types, waiting)
        except PeerUnavailable:
            continue
        except Exception:  # noqa: BLE001 - nobody awaits this task, and the next type may be taken
            _log.exception("the artifact type %s is not registered: no agent can create one", waiting.popleft().kind)
    _log.info("all artifact types were offered to files")
