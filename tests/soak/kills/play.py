"""One play: the suite, its writers, the kills of one seed, a power cut, and what stands afterwards."""

import asyncio
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import grpc
from lattice_chassis.errors import RefusedByPeer
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli import conversations
from lattice_cli.connection import Person, connect
from lattice_cli.processes import ServiceFailedError
from lattice_cli.suite import Suite, running_suite
from soak.kills import cuts
from soak.kills.evidence import Evidence, gather
from soak.kills.invariants import breaches
from soak.kills.journal import Journal, Kind
from soak.kills.schedule import Cut, schedule
from soak.kills.writers import Administrator, Asker, Author, Scene, Writer

WriterT = TypeVar("WriterT", bound=Writer)

# What dies with a process, an edit's lease or a thread's claim, is free again within the play.
SETTINGS: Final = {
    "LATTICE_MODEL": "",
    "LATTICE_AGENT_PACE": "20ms",
    "LATTICE_AGENT_CLAIM_TTL": "2s",
    "LATTICE_FILES_EDIT": "7s",
    "LATTICE_FILES_EDIT_LEASE": "8s",
}

AUTHORS: Final = ("alice", "bob", "carol")
ADMINISTRATOR: Final = "adam"
THREAD: Final = "points"
DOCUMENTS: Final = 3
"""How many there are when the killing begins."""

_KINDS: Final[Sequence[Kind]] = ("upload", "edit", "check_out", "check_in", "switch_off", "send")

_SETTLED_WITHIN: Final = 90.0
"""Seconds from the last restart until leases have lapsed and abandoned runs are closed."""

_QUIET: Final = 1.0
"""Seconds in which nothing may be appended before what stands is taken for the end."""


@dataclass(kw_only=True)
class Report:
    """What one play came to."""

    seed: int
    cuts: Sequence[Cut]
    journal: Journal
    evidence: Evidence | None = None
    breaches: list[str] = field(default_factory=list)
    seconds: float = 0.0
    folder: Path | None = None
    """Logs and spans, kept where something broke."""

    def __str__(self) -> str:
        """One line: the seed, what was killed, what was written, what broke."""
        killed = Counter(service for cut in self.cuts for service in cut.services)
        writes = self.journal.writes
        refused = Counter(it.refusal for it in writes if it.refusal)
        repeated = sum(it.attempts > 1 for it in writes)
        return (
            f"seed {self.seed}: {len(self.breaches)} breaches, {self.seconds:.0f} s, "
            f"killed {' '.join(f'{name} {count}' for name, count in sorted(killed.items()))}, "
            f"{len(writes)} writes, {repeated} of them repeated, "
            f"refused {' '.join(f'{reason} {count}' for reason, count in sorted(refused.items())) or 'none'}, "
            f"{self._standing()}"
        )

    def _standing(self) -> str:
        if self.evidence is None:
            return "nothing was read"
        runs = Counter(it.run_ended.reason or "other" for it in self.evidence.log if it.HasField("run_ended"))
        return (
            f"{len(self.evidence.changes)} changes, {len(self.evidence.log)} log entries, "
            f"{runs.total()} runs of which {runs['abandoned']} abandoned"
        )


async def play(seed: int, number_of_cuts: int, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Play a seed, and answer what it came to; a breach is no exception."""
    planned = schedule(seed, number_of_cuts)
    report = Report(seed=seed, cuts=planned, journal=Journal())
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix=f"lattice-kills-{seed}-"))
    try:
        async with running_suite(folder, settings=SETTINGS) as suite:
            await _write_while_killing(suite, report, tell)
            await cuts.cut_the_power(suite)
            with EmbeddedPostgres(suite.folder / "postgres"):  # recovers from its log what it had committed
                await cuts.start_all(suite)
                report.evidence = await _settled(suite, report.journal)
        report.breaches = breaches(report.journal, report.evidence)
        report.breaches += [f"a process was left behind: {it}" for it in cuts.remains(suite)]
    except* (ServiceFailedError, TimeoutError, RefusedByPeer, grpc.aio.AioRpcError) as failed:
        report.breaches += [f"{type(it).__name__}: {it}" for it in failed.exceptions]
    finally:
        report.seconds = time.monotonic() - began
        if report.breaches:
            report.folder = folder
        else:
            shutil.rmtree(folder)
    return report


async def _write_while_killing(suite: Suite, report: Report, tell: Callable[[str], None]) -> None:
    async with AsyncExitStack() as people:

        async def writer(kind: type[WriterT], name: str) -> WriterT:
            me = await people.enter_async_context(connect(suite.addresses, _person(name)))
            return kind(scene=scene, me=me, random=Random(f"{report.seed} {name}"))  # noqa: S311  # to be repeated

        scene = Scene(journal=report.journal, thread_id=THREAD)
        authors = [await writer(Author, name) for name in AUTHORS]
        asker = await writer(Asker, "dora")
        await conversations.create_thread(asker.me, "Points", THREAD)
        while len(scene.points) < DOCUMENTS:
            await authors[0].upload()
        async with asyncio.TaskGroup() as tasks:
            for each in (*authors, asker, await writer(Administrator, ADMINISTRATOR)):
                tasks.create_task(each.write())
            try:
                await cuts.make_cuts(suite, report.cuts, tell)
                await _heard_of_each_kind(report.journal)
            finally:
                scene.over.set()


async def _heard_of_each_kind(journal: Journal) -> None:
    """Let them write on until something of each kind was answered: a slow machine may come to little between cuts."""
    deadline = time.monotonic() + _SETTLED_WITHIN
    while not all(journal.done(it) for it in _KINDS) and time.monotonic() < deadline:  # noqa: ASYNC110  # services do it
        await asyncio.sleep(0.1)


async def _settled(suite: Suite, journal: Journal) -> Evidence:
    """What stands once the agent has closed what it was cut off in, and the leases of killed edits have lapsed.

    Where that takes too long, what stands then: the invariants tell what is missing.
    """
    async with connect(suite.addresses, _person("ella")) as ella:
        asker = Asker(scene=Scene(journal=journal, thread_id=THREAD), me=ella, random=Random(0))  # noqa: S311 - to be repeated
        deadline = time.monotonic() + _SETTLED_WITHIN
        before, evidence = None, await gather(ella)
        while time.monotonic() < deadline and not (evidence.is_at_rest and before == evidence.log):
            if not evidence.is_at_rest:  # a dead run is closed by the next turn, so somebody has to say something
                write = asker.new_write("send")
                await asker.say(write, f"Go on. {write.mark}")
            await asyncio.sleep(_QUIET)
            before, evidence = evidence.log, await gather(ella)
        return evidence


def _person(name: str) -> Person:
    return Person(tenant="acme", workspace="main", user=name, name=name.title(), administrator=name == ADMINISTRATOR)
