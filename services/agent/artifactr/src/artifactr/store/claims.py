"""Claims on threads: leases in storage, timed by the database's clock [RN-08 to RN-11].

Each is one statement on one row, which PostgreSQL serialises: of two that race for a free thread one gets no row back.
The row stays for good, so that a token is never given out twice.
"""

from datetime import timedelta

from sqlalchemy import ColumnElement, Insert, Update, case, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import WorkspaceKey
from artifactr.core.threads import Claim
from artifactr.store.tables import claims, within


async def take_claim(
    connection: AsyncConnection, key: WorkspaceKey, thread_id: str, *, holder: str, ttl: timedelta, address: str
) -> Claim | None:
    """Claim a thread that is free, lapsed or the holder's own; None while someone else holds it.

    A new claim has a higher token than every one before; the holder's own goes on with its token. `address` is where
    other replicas reach the holder's.
    """
    # clock_timestamp, not now(): the statement may have waited for the row, and now() is when the transaction began.
    now = func.clock_timestamp()
    held = {"holder": holder, "expires_at": now + ttl, "address": address}
    statement = insert(claims).values(tenant=key.tenant, workspace=key.workspace, thread_id=thread_id, token=1, **held)
    taken = statement.on_conflict_do_update(
        index_elements=(claims.c.tenant, claims.c.workspace, claims.c.thread_id),
        set_={"token": claims.c.token + _one_unless_own(holder), **held},
        where=claims.c.holder.is_(None) | (claims.c.holder == holder) | (claims.c.expires_at <= now),
    )
    return await _returned(connection, taken)


async def renew_claim(connection: AsyncConnection, key: WorkspaceKey, claim: Claim, *, ttl: timedelta) -> Claim | None:
    """Extend a claim, lapsed or not, unless it was released or someone else has taken the thread since."""
    expires_at = func.clock_timestamp() + ttl
    statement = update(claims).where(_held(key, claim)).values(expires_at=expires_at)
    return await _returned(connection, statement)


async def release_claim(connection: AsyncConnection, key: WorkspaceKey, claim: Claim) -> None:
    """Free the thread; nothing happens where the claim is no longer held [RN-10]."""
    await connection.execute(update(claims).where(_held(key, claim)).values(holder=None))


async def find_claim(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> Claim | None:
    """The claim that was given out last, lapsed or not; None where none was, or it was released."""
    own = within(claims, key) & (claims.c.thread_id == thread_id) & claims.c.holder.is_not(None)
    query = select(claims.c.thread_id, claims.c.holder, claims.c.token, claims.c.expires_at).where(own)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Claim(**row._mapping)  # noqa: SLF001 - the documented name


async def holder_address(connection: AsyncConnection, key: WorkspaceKey, thread_id: str, *, token: int) -> str | None:
    """Where the replica is reached that holds a thread by this very claim; None once that lapsed or was released."""
    own = within(claims, key) & (claims.c.thread_id == thread_id) & (claims.c.token == token)
    live = claims.c.holder.is_not(None) & (claims.c.expires_at > func.clock_timestamp())
    return (await connection.execute(select(claims.c.address).where(own, live))).scalar_one_or_none()


async def hold_newest_token(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> int:
    """The token of the newest claim, 0 where none was given out; no other is until the transaction ends."""
    own = within(claims, key) & (claims.c.thread_id == thread_id)
    query = select(claims.c.token).where(own).with_for_update(read=True)
    return (await connection.execute(query)).scalar_one_or_none() or 0


def _held(key: WorkspaceKey, claim: Claim) -> ColumnElement[bool]:
    own = within(claims, key) & (claims.c.thread_id == claim.thread_id)
    return own & (claims.c.holder == claim.holder) & (claims.c.token == claim.token)


def _one_unless_own(holder: str) -> ColumnElement[int]:
    return case((claims.c.holder == holder, 0), else_=1)


async def _returned(connection: AsyncConnection, statement: Insert | Update) -> Claim | None:
    columns = (claims.c.thread_id, claims.c.holder, claims.c.token, claims.c.expires_at)
    row = (await connection.execute(statement.returning(*columns))).one_or_none()
    return None if row is None else Claim(**row._mapping)  # noqa: SLF001 - the documented name
