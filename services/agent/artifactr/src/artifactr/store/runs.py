"""Runs and the model history in the database; each query is of one workspace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from lattice_chassis.postgres.dialect import DEFERRED
from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import NOBODY, WorkspaceKey
from artifactr.core.events import RunStatus
from artifactr.core.runs import Run
from artifactr.core.segments import HistoryChunk
from artifactr.store.entities import PRINCIPALS, RUNS, principal_entity, run_entity
from artifactr.store.tables import columns_of, history, of_workspace, runs, within

ACTIVE: Final = (RunStatus.RUNNING, RunStatus.PAUSED)
"""The statuses of runs that have not ended."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A run with what only the store keeps of it.

    `position` is the log position of its first start, `claim_token` that of its claim; `stop_requested` is kept by
    `turns.request_stop` alone.
    """

    run: Run
    position: int
    claim_token: int
    stop_requested: bool = False


_RUNS: Final = (
    select(runs.c.position, runs.c.claim_token, runs.c.stop_requested, runs.c.principal, runs.c.entity)
    .where(of_workspace(runs))
    .order_by(runs.c.position)
)
_FIND: Final = _RUNS.where(runs.c.run_id == bindparam("run_id"))
_INSERT: Final = insert(runs).values(recorded_at=func.clock_timestamp())
_SAVE: Final = _INSERT.on_conflict_do_update(
    index_elements=(runs.c.tenant, runs.c.workspace, runs.c.run_id),
    set_={it: _INSERT.excluded[it] for it in ("status", "claim_token", "recorded_at", "entity")},
).execution_options(**DEFERRED)


async def _read(connection: AsyncConnection, key: WorkspaceKey, query: Select[Any], **given: str) -> list[Recording]:
    return [
        Recording(
            run=replace(
                RUNS.validate_python(row.entity),
                principal=NOBODY if row.principal is None else PRINCIPALS.validate_python(row.principal),
            ),
            position=row.position,
            claim_token=row.claim_token,
            stop_requested=row.stop_requested,
        )
        for row in await connection.execute(query, {**columns_of(key), **given})
    ]


async def find_run(connection: AsyncConnection, key: WorkspaceKey, run_id: str) -> Recording | None:
    """The run, or None where there is none."""
    found = await _read(connection, key, _FIND, run_id=run_id)
    return found[0] if found else None


async def list_runs(
    connection: AsyncConnection, key: WorkspaceKey, *, thread_id: str, after: int, limit: int
) -> list[Recording]:
    """Runs first started after a position, oldest first; of one thread, or of all where `thread_id` is empty."""
    query = _RUNS.where(runs.c.position > after).limit(limit)
    return await _read(connection, key, query.where(runs.c.thread_id == thread_id) if thread_id else query)


async def paused_run(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> Recording | None:
    """The thread's paused run, the oldest where direct runs left several; None where it has none."""
    query = _RUNS.where(runs.c.thread_id == thread_id, runs.c.status == RunStatus.PAUSED).limit(1)
    found = await _read(connection, key, query)
    return found[0] if found else None


async def abandoned_runs(
    connection: AsyncConnection,
    key: WorkspaceKey,
    thread_id: str,
    *,
    token: int,
    silence: timedelta,
) -> list[Recording]:
    """The runs of a thread recorded as running that nobody carries on, oldest first [RN-13].

    Those of a claim before `token`; of direct runs, which hold none, those of which nothing was recorded for `silence`.
    """
    overtaken = (runs.c.claim_token > 0) & (runs.c.claim_token < token)
    silent = (runs.c.claim_token == 0) & (runs.c.recorded_at < func.clock_timestamp() - silence)
    running = (runs.c.thread_id == thread_id) & (runs.c.status == RunStatus.RUNNING)
    return await _read(connection, key, _RUNS.where(running, overtaken | silent))


async def count_running(connection: AsyncConnection, key: WorkspaceKey, *, besides: str, silence: timedelta) -> int:
    """How many runs of a tenant are recorded as running, in all its workspaces, besides those of one thread.

    A direct run of which nothing was recorded for `silence` is none: its process may have died, and unless somebody
    takes a turn in its thread nobody records its end.
    """
    elsewhere = (runs.c.workspace != key.workspace) | (runs.c.thread_id != besides)
    alive = (runs.c.claim_token > 0) | (runs.c.recorded_at >= func.clock_timestamp() - silence)
    running = (runs.c.tenant == key.tenant) & (runs.c.status == RunStatus.RUNNING)
    query = select(func.count()).where(running, elsewhere, alive)
    return (await connection.execute(query)).scalar_one()


async def save_run(connection: AsyncConnection, key: WorkspaceKey, recording: Recording) -> None:
    """Keep a run's state, and that something of it was recorded now; for whom it works is kept at its start alone."""
    run = recording.run
    row = {
        "run_id": run.id,
        "thread_id": run.thread_id,
        "position": recording.position,
        "status": run.status,
        "claim_token": recording.claim_token,
        "entity": run_entity(run),
        "principal": principal_entity(run.principal),
    }
    await connection.execute(_SAVE, {**columns_of(key), **row})


async def insert_chunk(connection: AsyncConnection, key: WorkspaceKey, thread_id: str, chunk: HistoryChunk) -> None:
    """Keep a segment's new model messages [HI-02]."""
    row = {
        "thread_id": thread_id,
        "log_sequence": chunk.log_sequence,
        "run_id": chunk.run_id,
        "notes_through": chunk.notes_through,
        "data": chunk.data,
    }
    await connection.execute(insert(history).values(tenant=key.tenant, workspace=key.workspace, **row))


async def read_history(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> Sequence[HistoryChunk]:
    """Every chunk of a thread, oldest first [HI-05]."""
    query = (
        select(history.c.run_id, history.c.data, history.c.log_sequence, history.c.notes_through)
        .where(within(history, key), history.c.thread_id == thread_id)
        .order_by(history.c.log_sequence)
    )
    return [
        HistoryChunk(
            run_id=row.run_id,
            data=bytes(row.data),
            log_sequence=row.log_sequence,
            notes_through=row.notes_through,
        )
        for row in await connection.execute(query)
    ]
