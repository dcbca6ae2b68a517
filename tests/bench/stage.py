"""What is measured runs here: the suite on durable settings, and the floors as processes beside it."""

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import psycopg2
from bench.floor import TABLE, WAYS
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as integrations_grpc
from lattice_chassis.channels import channel
from lattice_chassis.identity import development_metadata
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.processes import free_address
from lattice_cli.suite import Suite, running_suite

if TYPE_CHECKING:
    from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceAsyncStub

PERSON = Person(tenant="bench", workspace="main", user="alice", name="Alice")
TESTS = Path(__file__).resolve().parents[1]

_READY_WITHIN = 60


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Everything that can be called."""

    suite: Suite
    alice: Connection
    echo: "IntegrationsServiceAsyncStub"
    chain: "IntegrationsServiceAsyncStub"
    select: "IntegrationsServiceAsyncStub"
    check_out: "Mapping[str, IntegrationsServiceAsyncStub]"
    """The floor of a check-out, by the way in which it reaches its database."""
    renaming: "Mapping[str, IntegrationsServiceAsyncStub]"
    """The floor of a gated structured edit, likewise."""


@asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    """Start it all in a temporary folder, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="lattice-bench-") as name:
        async with AsyncExitStack() as stack:
            suite = await stack.enter_async_context(running_suite(Path(name)))
            dsn = _floor_database(stack.enter_context(EmbeddedPostgres(Path(name) / "postgres")))
            echo = await stack.enter_async_context(_floor("echo"))
            chain = await stack.enter_async_context(_floor("chain"))
            select = await stack.enter_async_context(_floor("select", dsn))
            peer = await stack.enter_async_context(_floor("echo"))

            async def gated(kind: str) -> "Mapping[str, IntegrationsServiceAsyncStub]":
                return {
                    way: await bare(await stack.enter_async_context(_floor(f"{kind}-{way}", dsn, peer))) for way in WAYS
                }

            async def bare(address: str) -> "IntegrationsServiceAsyncStub":
                opened = await stack.enter_async_context(grpc.aio.insecure_channel(address))
                return integrations_grpc.IntegrationsServiceStub(opened)

            ours = channel(chain, [integrations_pb.DESCRIPTOR], identity=lambda: development_metadata(PERSON.identity))
            yield Stage(
                suite=suite,
                alice=await stack.enter_async_context(connect(suite.addresses, PERSON)),
                echo=await bare(echo),
                chain=integrations_grpc.IntegrationsServiceStub(await stack.enter_async_context(ours)),
                select=await bare(select),
                check_out=await gated("check-out"),
                renaming=await gated("renaming"),
            )


@asynccontextmanager
async def _floor(kind: str, *arguments: str) -> AsyncIterator[str]:
    """A floor that serves; its address."""
    address = free_address()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.floor", kind, address, *arguments, cwd=TESTS
    )
    try:
        async with asyncio.timeout(_READY_WITHIN), grpc.aio.insecure_channel(address) as probe:
            await probe.channel_ready()
        yield address
    finally:
        process.kill()
        await process.wait()


def _floor_database(server: EmbeddedPostgres) -> str:
    server.create_database("floor")
    dsn = server.admin_dsn.replace("dbname=postgres", "dbname=floor")
    with contextlib.closing(psycopg2.connect(dsn)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(TABLE)
    return dsn
