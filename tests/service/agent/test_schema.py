"""The tables as the migrations make them are the tables as the queries see them."""

from artifactr.store import tables
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from sqlalchemy import text

COLUMNS = text("SELECT column_name FROM information_schema.columns WHERE table_name = :name")
KEY = text(
    "SELECT attname FROM pg_index, unnest(indkey::int2[]) WITH ORDINALITY k(n, at) "
    "JOIN pg_attribute ON attnum = n WHERE attrelid = indrelid AND indisprimary "
    "AND indrelid = to_regclass(:name) ORDER BY at"
)


async def test_the_migrated_tables_are_those_of_the_queries(agent_urls: DatabaseUrls) -> None:
    """TN-06: the same columns, and a primary key that begins with tenant and workspace."""
    async with open_database(agent_urls.service, application="schema") as database:
        for table in tables._metadata.sorted_tables:
            async with database.transaction("anybody") as connection:
                columns = set((await connection.execute(COLUMNS, {"name": table.name})).scalars())
                key = list((await connection.execute(KEY, {"name": table.name})).scalars())
            assert columns == set(table.columns.keys()), table.name
            assert key == [column.name for column in table.primary_key.columns], table.name
            assert key[:2] == ["tenant", "workspace"]
