"""A service's database as the commands of operators have it: connections that last as long as their use."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool


@asynccontextmanager
async def operating(url: str, act: str) -> AsyncIterator[AsyncEngine]:
    """Open a database for an act, by whose name its connections are seen there: `lattice erase`."""
    engine = create_async_engine(
        url, poolclass=NullPool, hide_parameters=True, connect_args={"application_name": f"lattice {act}"}
    )
    try:
        yield engine
    finally:
        await engine.dispose()
