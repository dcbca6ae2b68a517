"""The floors: what the same work costs without us. `python -m bench.floor KIND LISTEN [DSN] [PEER]` serves one of them.

All of them answer CheckEnabled, so that the messages are the same as in the calls that they are compared with.
"""

import argparse
import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import aiopg
import grpc
import lattice_chassis.postgres  # noqa: F401 - makes the dialect known
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis import telemetry
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.server import Service, serving
from psycopg2.extensions import parse_dsn
from sqlalchemy import URL, bindparam, column, select, table, update
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

TABLE: Final = (
    "CREATE TABLE floor (id integer PRIMARY KEY, content text NOT NULL);"
    "INSERT INTO floor SELECT i, repeat('x', 100) FROM generate_series(1, 1000) i"
)
SELECT: Final = "SELECT content FROM floor WHERE id = %s"
UPDATE: Final = "UPDATE floor SET content = %s WHERE id = %s"

_FLOOR: Final = table("floor", column("id"), column("content"))
CORE_SELECT: Final = select(_FLOOR.c.content).where(_FLOOR.c.id == bindparam("row"))
CORE_UPDATE: Final = update(_FLOOR).where(_FLOOR.c.id == bindparam("row"))

CHECK_OUT: Final = (7, 2)
"""Selects and writes of a check-out, integrations' own among them: request, artifact; switch; lock, request, artifact,
lease; then lease, request."""

RENAMING: Final = (7, 6)
"""Those of a gated structured edit: request, artifact; switch; lock, request, artifact, lease; then blobs, artifact,
revision, change, head, request."""

WAYS: Final = {"aiopg": "aiopg alone", "core": "SQLAlchemy Core"}
"""In which ways a floor reaches its database: with nothing but the driver, and with the library that we use."""

Work = Callable[[pb.CheckEnabledRequest], Awaitable[object]]


class Floor(pb_grpc.IntegrationsServiceServicer):
    """Answers yes once its work is done."""

    def __init__(self, work: Work) -> None:
        self._work = work

    async def CheckEnabled(self, request: pb.CheckEnabledRequest, _context: Context) -> pb.CheckEnabledResponse:  # noqa: N802
        """Do the work, then answer."""
        await self._work(request)
        return pb.CheckEnabledResponse(enabled=True, source=pb.SWITCH_SOURCE_DEFAULT)


async def nothing(_: pb.CheckEnabledRequest) -> None:
    """The work of a bare RPC."""


def one_select(pool: aiopg.Pool) -> Work:
    """Look a row up by its key."""

    async def work(_: pb.CheckEnabledRequest) -> None:
        async with pool.acquire() as connection, connection.cursor() as cursor:
            await cursor.execute(SELECT, (500,))
            await cursor.fetchone()

    return work


def one_transaction(pool: aiopg.Pool, peer: grpc.aio.Channel, statements: tuple[int, int]) -> Work:
    """Ask the peer, then write in one transaction of so many selects and updates, on a row of its own each time."""
    reads, writes = statements
    rows = itertools.cycle(range(1, 1001, writes))
    stub = pb_grpc.IntegrationsServiceStub(peer)

    async def work(request: pb.CheckEnabledRequest) -> None:
        await stub.CheckEnabled(request)
        async with pool.acquire() as connection, connection.cursor() as cursor:
            first = next(rows)
            await cursor.execute("BEGIN")
            for number in range(reads):
                await cursor.execute(SELECT, (number + 1,))
                await cursor.fetchone()
            for number in range(writes):
                await cursor.execute(UPDATE, ("y" * 100, first + number))
            await cursor.execute("COMMIT")

    return work


def core_transaction(engine: AsyncEngine, peer: grpc.aio.Channel, statements: tuple[int, int]) -> Work:
    """The same through SQLAlchemy Core, composed once; our dialect as any other, without what only we ask of it."""
    reads, writes = statements
    rows = itertools.cycle(range(1, 1001, writes))
    stub = pb_grpc.IntegrationsServiceStub(peer)

    async def work(request: pb.CheckEnabledRequest) -> None:
        await stub.CheckEnabled(request)
        async with engine.begin() as connection:
            first = next(rows)
            for number in range(reads):
                (await connection.execute(CORE_SELECT, {"row": number + 1})).scalar_one()
            for number in range(writes):
                await connection.execute(CORE_UPDATE, {"row": first + number, "content": "y" * 100})

    return work


async def serve_bare(listen: str, work: Work) -> None:
    """Serve as grpc.aio alone does."""
    server = grpc.aio.server()
    pb_grpc.add_IntegrationsServiceServicer_to_server(Floor(work), server)  # type: ignore[abstract]  # one call is served
    server.add_insecure_port(listen)
    await server.start()
    await server.wait_for_termination()


async def serve_chained(listen: str) -> None:
    """Serve a bare RPC through the chain of our servers."""
    telemetry.configure("bench")
    floor = Floor(nothing)  # type: ignore[abstract]  # one call is served
    service = Service(pb_grpc.add_IntegrationsServiceServicer_to_server, floor)
    async with serving(listen, [service], DevelopmentAuthenticator()):
        await asyncio.Event().wait()


async def serve(kind: str, listen: str, dsn: str, peer: str) -> None:
    """Serve a floor until killed."""
    match kind:
        case "echo":
            await serve_bare(listen, nothing)
        case "chain":
            await serve_chained(listen)
        case "select":
            async with aiopg.create_pool(dsn, enable_hstore=False) as pool:
                await serve_bare(listen, one_select(pool))
        case _:
            statements = CHECK_OUT if kind.startswith("check-out") else RENAMING
            async with grpc.aio.insecure_channel(peer) as channel:
                if kind.endswith("-core"):
                    url = URL.create("postgresql+aiopg", query=parse_dsn(dsn))
                    engine = create_async_engine(url, pool_size=20, max_overflow=0)
                    await serve_bare(listen, core_transaction(engine, channel, statements))
                else:
                    async with aiopg.create_pool(dsn, enable_hstore=False, maxsize=20) as pool:
                        await serve_bare(listen, one_transaction(pool, channel, statements))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    gated = (f"{kind}-{way}" for kind in ("check-out", "renaming") for way in WAYS)
    parser.add_argument("kind", choices=("echo", "chain", "select", *gated))
    parser.add_argument("listen")
    parser.add_argument("dsn", nargs="?", default="")
    parser.add_argument("peer", nargs="?", default="")
    given = parser.parse_args()
    asyncio.run(serve(given.kind, given.listen, given.dsn, given.peer))
