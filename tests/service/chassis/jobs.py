"""A table of jobs, and what other connections see of it and of each other."""

import uuid

import psycopg2
import psycopg2.errors
import sqlalchemy as sa
from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSTZRANGE
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

metadata = sa.MetaData()
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("uid", sa.Uuid, default=uuid.uuid4),
    sa.Column("data", JSONB, default=dict),
    sa.Column("tags", ARRAY(sa.Text), default=list),
    sa.Column("price", sa.Numeric(10, 2)),
    sa.Column("at", sa.DateTime(timezone=True)),
    sa.Column("during", TSTZRANGE),
    sa.Column("content", sa.LargeBinary),
)


async def names(connection: AsyncConnection) -> list[str]:
    return list((await connection.execute(select(jobs.c.name).order_by(jobs.c.id))).scalars())


async def process_of(connection: AsyncConnection) -> int:
    return int((await connection.execute(select(func.pg_backend_pid()))).scalar_one())


async def is_gone(witness: AsyncConnection, process: int) -> bool:
    query = text("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = :process")
    return bool((await witness.execute(query, {"process": process})).scalar_one())


async def is_active(witness: AsyncConnection, process: int) -> bool:
    query = text("SELECT state = 'active' FROM pg_stat_activity WHERE pid = :process")
    return bool((await witness.execute(query, {"process": process})).scalar_one())


async def waiting_for_a_lock(witness: AsyncConnection) -> int | None:
    query = text("SELECT pid FROM pg_stat_activity WHERE application_name = 'dialect' AND wait_event_type = 'Lock'")
    return (await witness.execute(query)).scalar_one_or_none()


def code_of(error: DBAPIError) -> str | None:
    assert isinstance(error.orig, psycopg2.Error)
    code: str | None = error.orig.pgcode
    return code
