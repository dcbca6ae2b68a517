"""What the services answer while all their own conditions on the tenant are taken out: the second wall stands alone."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import pytest
from service.files.people import FAKEAPP, append
from service.isolation.schemas import Schema
from service.isolation.suite import Suite, Tenant, forgetful

pytestmark = [pytest.mark.xdist_group("isolation"), pytest.mark.long]  # one set of services for all of them


@pytest.fixture(scope="module")
async def acme(suite: Suite) -> AsyncIterator[Tenant]:
    """A tenant."""
    async with suite.tenant("acme") as tenant:
        yield tenant


@pytest.fixture(scope="module")
async def globex(suite: Suite, acme: Tenant) -> AsyncIterator[Tenant]:
    """Another, all of whose things have the ids of the first one's."""
    async with suite.tenant("globex") as tenant:
        yield tenant


@contextmanager
def no_wall(schemas: dict[str, Schema]) -> Iterator[None]:
    """Lift row-level security from every table."""
    tables = [(schema, table) for schema in schemas.values() for table in schema.tenant_tables]
    for schema, table in tables:
        schema.asked(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    yield
    for schema, table in tables:
        schema.asked(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")


async def test_code_that_forgets_the_tenant_answers_and_changes_nothing_of_another(
    acme: Tenant, globex: Tenant, schemas: dict[str, Schema]
) -> None:
    """TN-01, TN-03, X-08: on every reading RPC, and for a write of each service; without the wall it would leak."""
    whole = await acme.reads_everything()
    others = await globex.reads_everything()
    assert any("acme" in answer for answer in whole.values())
    assert not [rpc for rpc, answer in whole.items() if "globex" in answer]

    with forgetful() as broken:
        assert await acme.reads_everything() == whole
        await acme.integrations.switches(FAKEAPP, on=False, expected=1)
        await acme.integrations.switches(FAKEAPP, on=True, expected=2)
        await acme.files.releases("plan")
        await acme.files.edits("plan", 1, append("Another line."))
        await acme.agent.sends("And now?")
    assert len(broken) > 50
    assert await globex.reads_everything() == others

    with no_wall(schemas), forgetful():
        leaks = [rpc for rpc, answer in (await acme.reads_everything()).items() if "globex" in answer]
    assert {rpc.split(".")[1] for rpc in leaks} == {"agent", "files", "integrations"}
