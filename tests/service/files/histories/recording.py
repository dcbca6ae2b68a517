"""A recorded history of some clients at some servers, and whether the files' rules explain it."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from typing import Final

from lattice_chassis.identity import Identity
from service.files.histories.clients import Breaker, Client, History
from service.files.histories.file import FileRules
from service.files.histories.linearizability import check
from service.files.people import Participant, agent, document, participant, user

TENANT: Final = "histories"
FILES: Final = ("f1", "f2", "f3")
_PEOPLE: Final = (
    user(TENANT, "alice"),
    user(TENANT, "alice"),
    user(TENANT, "bob"),
    user(TENANT, "carol"),
    agent(TENANT, "thr_1"),
    agent(TENANT, "thr_2"),
)
_SETTLED_WITHIN: Final = 30.0
"""Seconds until a server answers after the last kill."""

_BREAKER: Final = user(TENANT, "olga", role="administrator")


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What is to be recorded."""

    seed: int
    workspace: str
    calls: int
    """Of each client."""
    impatience: float = 0.08
    files: Sequence[str] = FILES


async def nothing(_history: History) -> None:
    """What happens to the servers of most recordings."""


async def record(
    recording: Recording, addresses: Sequence[str], meanwhile: Callable[[History], Awaitable[None]] = nothing
) -> History:
    """Let all clients work while something happens to the servers, and read everything once all of it has ended."""
    history, random = History(), Random(recording.seed)  # noqa: S311 - nothing secret

    async with AsyncExitStack() as stack:

        async def client(kind: type[Client], identity: Identity) -> Client:
            at = [
                await stack.enter_async_context(participant(address, identity, recording.workspace))
                for address in addresses
            ]
            return kind(at=at, history=history, random=Random(random.random()), impatience=recording.impatience)  # noqa: S311 - to be repeated

        clients = [await client(Client, it) for it in _PEOPLE]
        breaker = await client(Breaker, _BREAKER)
        for file in recording.files:
            await clients[0].at[0].uploads(document("One."), artifact_id=file)
        await asyncio.gather(
            *(it.work(recording.files, recording.calls) for it in clients),
            breaker.work(recording.files, recording.calls),
            meanwhile(history),
        )
        breaker.impatience = 0
        async with asyncio.timeout(_SETTLED_WITHIN):
            for file, call in itertools.product(recording.files, ("get", "get_lease")):
                while await breaker.call(file, call) is None:
                    continue  # it waits by itself for a server that is back
        up = next(it for number, it in enumerate(breaker.at) if number not in history.down)
        await _require_whole_feed(up, recording)
    return history


async def _require_whole_feed(who: Participant, recording: Recording) -> None:
    """The feed is gap-free, and tells of each version once, in order [SG-03, MP-10, AT-04]."""
    changes = await who.feed()
    assert [it.change_sequence for it in changes] == list(range(1, len(changes) + 1))
    for file in recording.files:
        versions = [
            1 if it.HasField("artifact_created") else it.artifact_changed.version
            for it in changes
            if file in {it.artifact_created.artifact_id, it.artifact_changed.artifact_id}
        ]
        assert versions == list(range(1, (await who.sees(file)).version + 1)), file


def require_linearizable(history: History, rules: FileRules) -> int:
    """Prove each file's history, and answer how many operations that were."""
    for file, operations in history.operations.items():
        verdict = check(rules, operations)
        assert verdict.linearizable, (file, len(operations), verdict.stuck)
    return sum(map(len, history.operations.values()))
