"""What the steps of the demo stand on: a fresh suite, two people, one document, and expectations."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import grpc
from lattice_chassis.errors import RefusedByPeer, refusal_of

from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite
from lattice_cli.traces import Trace

PACE: Final = "400ms"
"""How long the scripted model thinks before each answer, so that a person can act in the middle of a run."""

ALICE: Final = Person(tenant="demo", workspace="launch", user="alice", name="Alice")
ADAM: Final = Person(tenant="demo", workspace="launch", user="adam", name="Adam", administrator=True)

Seen = dict[str, Any]
"""What a step saw, for programs."""


class ExpectationError(Exception):
    """A step saw something else than it should have."""


def expect(condition: object, what: str) -> None:
    """Go on only if the condition holds.

    Raises:
        ExpectationError: it does not.
    """
    if not condition:
        raise ExpectationError(what)


@dataclass(kw_only=True)
class Stage:
    """The running suite, the people in it, and what the steps hand on to each other."""

    suite: Suite
    alice: Connection
    adam: Connection
    document: Path
    folder: Path
    thread_id: str = ""
    artifact_id: str = ""
    edit_run_id: str = ""
    edit_trace: Trace | None = None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: its letter and title, and what is done in it."""

    letter: str
    title: str
    act: Callable[[Stage], Coroutine[Any, Any, Seen]]


@asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    """A suite of its own in a temporary folder, gone afterwards."""
    with TemporaryDirectory(prefix="lattice-demo-") as name:
        folder = Path(name)
        settings = {"LATTICE_AGENT_PACE": PACE}
        with as_file(files("lattice_cli.demo") / "launch-brief.docx") as document:
            async with (
                running_suite(folder, settings=settings) as suite,
                connect(suite.addresses, ALICE) as alice,
                connect(suite.addresses, ADAM) as adam,
            ):
                yield Stage(suite=suite, alice=alice, adam=adam, document=document, folder=folder)


async def refused(call: Awaitable[object]) -> RefusedByPeer:
    """The refusal of a call that must be refused.

    Raises:
        ExpectationError: it was answered, or failed without a reason.
    """
    try:
        await call
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise ExpectationError(f"a failure without a reason: {error.code().name}") from error
        return refusal
    raise ExpectationError("the call was answered and should have been refused")
