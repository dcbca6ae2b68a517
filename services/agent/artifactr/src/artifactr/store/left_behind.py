"""Threads in which work stands still that nobody holds: what a crash left behind, in all tenants [RN-15].

Read as the follower role, which sees the rows of every tenant and writes none.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, FromClause, Select, cast, exists, func, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.events import RunStatus
from artifactr.store.tables import claims, messages, runs, threads
from artifactr.store.threads import by_others
from artifactr.store.turns import AUTOMATIC_TURNS

_MOST: Final = 500


@dataclass(frozen=True, kw_only=True)
class LeftThread:
    """A thread of some tenant's in which there is something to take up."""

    tenant: str
    workspace: str
    thread_id: str


async def left_threads(connection: AsyncConnection, agent_names: Collection[str] | None) -> Sequence[LeftThread]:
    """Threads of these agents, or of all, that nobody holds and in which something stands still; 500 at the most.

    That is a run recorded as running, a paused one whose requests are all answered or that was asked to stop, or a
    message sent through the runner that no turn has taken. Where there are more, each look finds others: a tenant whose
    threads wait for a long time stands in nobody's way.
    """
    standing = [_stranded_runs(), _waiting_messages()]
    if agent_names is not None:
        standing = [query.where(threads.c.agent_name.in_(agent_names)) for query in standing]
    rows = await connection.execute(select(union(*standing).subquery()).order_by(func.random()).limit(_MOST))
    return [LeftThread(tenant=row.tenant, workspace=row.workspace, thread_id=row.thread_id) for row in rows]


def _stranded_runs() -> Select[tuple[str, str, str]]:
    answers, pending = (func.json_array_length(runs.c.entity[name]) for name in ("answers", "pending"))
    lapsed = (runs.c.status == RunStatus.RUNNING) & (runs.c.claim_token > 0)
    paused = runs.c.status == RunStatus.PAUSED
    to_resume = paused & (answers == pending) & (runs.c.automatic_turns < AUTOMATIC_TURNS)
    standing = lapsed | to_resume | (paused & runs.c.stop_requested)  # a stop is no turn, and is not counted
    return (
        select(runs.c.tenant, runs.c.workspace, runs.c.thread_id)
        .join(threads, _thread_of(runs))
        .where(standing, _unclaimed(runs))
    )


def _waiting_messages() -> Select[tuple[str, str, str]]:
    untaken = messages.c.log_sequence > cast(threads.c.entity["taken"].as_string(), BigInteger)
    asked = messages.c.through_runner & (messages.c.automatic_turns < AUTOMATIC_TURNS)
    return (
        select(messages.c.tenant, messages.c.workspace, messages.c.thread_id)
        .join(threads, _thread_of(messages))
        .where(asked, untaken, by_others(), _unclaimed(messages))
    )


def _thread_of(table: FromClause) -> ColumnElement[bool]:
    own = (threads.c.tenant == table.c.tenant) & (threads.c.workspace == table.c.workspace)
    return own & (threads.c.thread_id == table.c.thread_id)


def _unclaimed(table: FromClause) -> ColumnElement[bool]:
    own = (claims.c.tenant == table.c.tenant) & (claims.c.workspace == table.c.workspace)
    live = claims.c.holder.is_not(None) & (claims.c.expires_at > func.clock_timestamp())
    return ~exists().where(own, claims.c.thread_id == table.c.thread_id, live)
