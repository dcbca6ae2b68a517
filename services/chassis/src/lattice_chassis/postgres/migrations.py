"""Migrations of a service's database: Alembic's revisions, without its files of configuration.

A service keeps its revisions as modules in one package (`r0001_first_tables.py`), each with `revision`, `down_revision`
and `upgrade()`. They run as the owner role, by a command and never at a server's start in production. A table of
tenants' data is made with `create_tenant_table`, so that none exists without row-level security [TN-03, TN-06].
"""

from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Any

from alembic import op
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import SchemaItem

from lattice_chassis.postgres.dialect import TENANT_SETTING
from lattice_chassis.postgres.roles import roles_of

SERVICE_GRANTS = ("SELECT", "INSERT", "UPDATE", "DELETE")
FOLLOWER_GRANTS = ("SELECT",)


async def migrate(owner_url: str, package: str) -> Sequence[str]:
    """Bring the database up to the last revision in `package`, and answer the ids of the revisions applied now.

    All of them commit together or not at all. Of two that run at once the second waits, then finds nothing to do.
    `owner_url` names the owner role; `package` is dotted, such as `lattice_files.store.migrations`. Raises
    `alembic.util.CommandError` where the database is at a revision that the package does not know.
    """
    engine = create_async_engine(owner_url, poolclass=NullPool, connect_args={"application_name": "lattice migrate"})
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(_upgrade, package)
    finally:
        await engine.dispose()


def _upgrade(connection: Connection, package: str) -> Sequence[str]:
    # Held until the commit. Alembic reads the current revision only afterwards, so it sees what the first one did.
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('lattice migrate'))"))
    applied: list[str] = []
    with as_file(files(package)) as folder:
        script = ScriptDirectory(folder, version_locations=[folder])

        def pending(current: Sequence[str], _: MigrationContext) -> list[RevisionStep]:
            steps: list[RevisionStep] = script._upgrade_revs("heads", current)  # type: ignore[arg-type]  # noqa: SLF001
            applied.extend(step.to_revisions[0] for step in steps)
            return steps

        with EnvironmentContext(Config(), script, fn=pending) as environment:
            environment.configure(connection=connection)
            environment.run_migrations()
    return applied


def create_tenant_table(
    name: str,
    *items: Column[Any] | SchemaItem,
    service: Sequence[str] = SERVICE_GRANTS,
    follower: Sequence[str] = FOLLOWER_GRANTS,
) -> None:
    """Within a revision, create a table of tenants' data that row-level security guards [TN-06].

    `items` are columns and constraints; the primary key has to begin with `tenant, workspace`. The service role may
    do what `service` lists, on rows of the transaction's tenant; the follower role what `follower` lists, on all rows.
    The owner, too, sees no row of it: a migration of data sets `lattice.tenant` for one tenant after the other.
    """
    table = op.create_table(name, *items)
    if table.primary_key.columns.keys()[:2] != ["tenant", "workspace"]:
        raise ValueError(f"the primary key of {name} has to begin with tenant and workspace")
    database = op.get_bind().execute(text("SELECT current_database()")).scalar_one()
    roles = roles_of(database)
    quote = op.get_bind().dialect.identifier_preparer.quote
    quoted, owns = quote(name), f"tenant = nullif(current_setting('{TENANT_SETTING}', true), '')"
    op.execute(f"ALTER TABLE {quoted} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {quoted} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY one_tenant ON {quoted} USING ({owns}) WITH CHECK ({owns})")
    op.execute(f"CREATE POLICY all_tenants ON {quoted} TO {quote(roles.follower)} USING (true) WITH CHECK (true)")
    for role, grants in ((roles.service, service), (roles.follower, follower)):
        if grants:
            op.execute(f"GRANT {', '.join(grants)} ON {quoted} TO {quote(role)}")


def grant_to_service(table: str, *grants: str) -> None:
    """Within a revision, let the service role use a table of the deployment's own data, which has no tenant [TN-06]."""
    database = op.get_bind().execute(text("SELECT current_database()")).scalar_one()
    quote = op.get_bind().dialect.identifier_preparer.quote
    op.execute(f"GRANT {', '.join(grants)} ON {quote(table)} TO {quote(roles_of(database).service)}")
