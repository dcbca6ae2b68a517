"""Migrations of a service's database: Alembic's revisions, without its files of configuration.

A service keeps its revisions as modules in one package (`r0001_first_tables.py`), each with `revision`, `down_revision`
and `upgrade()`. They run as the owner role, by a command and never at a server's start in production. A table of
tenants' data is made with `create_tenant_table`, so that none exists without row-level security [TN-03, TN-06].
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any

from alembic import op
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, DateTime, LargeBinary, func, text
from sqlalchemy.schema import SchemaItem

from lattice_chassis.postgres.database import ERASED_STATE
from lattice_chassis.postgres.dialect import TENANT_SETTING
from lattice_chassis.postgres.erasure import TENANT_TABLES
from lattice_chassis.postgres.operating import operating
from lattice_chassis.postgres.roles import roles_of

SERVICE_GRANTS = ("SELECT", "INSERT", "UPDATE", "DELETE")

_REFUSE_ERASED = f"""
CREATE FUNCTION refuse_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM erasures WHERE digest IN (
        sha256(convert_to(length(NEW.tenant) || ':' || NEW.tenant, 'UTF8')),
        sha256(convert_to(length(NEW.tenant) || ':' || NEW.tenant || NEW.workspace, 'UTF8'))
    )) THEN
        RAISE EXCEPTION 'the workspace was erased' USING ERRCODE = '{ERASED_STATE}', DETAIL = NEW.workspace;
    END IF;
    RETURN NEW;
END
$$
"""


async def migrate(owner_url: str, package: str) -> Sequence[str]:
    """Bring the database up to the last revision in `package`, and answer the ids of the revisions applied now.

    All of them commit together or not at all. Of two that run at once the second waits, then finds nothing to do.
    `owner_url` names the owner role; `package` is dotted, such as `lattice_files.store.migrations`. Raises
    `alembic.util.CommandError` where the database is at a revision that the package does not know.
    """
    async with operating(owner_url, "migrate") as engine, engine.begin() as connection:
        return await connection.run_sync(_upgrade, package)


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
    grant_to_service("alembic_version", "SELECT", connection=connection)  # for readiness
    return applied


def create_tenant_table(
    name: str,
    *items: Column[Any] | SchemaItem,
    service: Sequence[str] = SERVICE_GRANTS,
    follower: Sequence[str] = (),
) -> None:
    """Within a revision, create a table of tenants' data that row-level security guards [TN-06].

    `items` are columns and constraints; the primary key has to begin with `tenant, workspace`. The service role may
    do what `service` lists, on rows of the transaction's tenant; the follower role what `follower` lists, on all rows:
    nothing, unless something has to look across tenants.
    The owner, too, sees no row of it, but for what a revision does `across_tenants`.
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
    if op.get_bind().execute(text("SELECT to_regclass('erasures')")).scalar_one() is not None:
        _guard(quoted)


def refuse_what_was_erased() -> None:
    """Within a revision, have the database refuse rows of erased workspaces and tenants, in every table that has any.

    `lattice_chassis.postgres.erasure` puts into the table `erasures` what was erased. Tables that come later are
    guarded as they are made [ER-02].
    """
    op.create_table(
        "erasures",
        Column("digest", LargeBinary, primary_key=True),
        Column("erased_at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    )
    grant_to_service("erasures", "SELECT")
    op.execute(_REFUSE_ERASED)
    for table in op.get_bind().execute(text(TENANT_TABLES)).scalars().all():
        _guard(table)


def _guard(table: str) -> None:
    op.execute(f"CREATE TRIGGER refuse_erased BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_erased()")


@contextmanager
def across_tenants(*tables: str) -> Iterator[None]:
    """Within a revision, let the owner carry over the rows of all tenants in these tables; nobody else sees more."""
    quote = op.get_bind().dialect.identifier_preparer.quote
    for table in tables:
        op.execute(f"ALTER TABLE {quote(table)} NO FORCE ROW LEVEL SECURITY")
    yield
    for table in tables:
        op.execute(f"ALTER TABLE {quote(table)} FORCE ROW LEVEL SECURITY")


def remember_kinds_of_participants(kind: str) -> None:
    """Within a revision, carry over what is remembered of requests by ids alone to participant keys [AC-02].

    `kind` is a scalar subquery, in SQL, for the kind of whoever made the request `r`, read `across_tenants`; where it
    has no answer, a person did: nearly all of them are made by people. A replica of before that is still up knows a
    repeat of them no more.
    """
    # All go before any comes back: the key of one may be what another was remembered by.
    op.execute(
        "CREATE TEMPORARY TABLE carried ON COMMIT DROP AS SELECT r.tenant, r.workspace,"  # noqa: S608 - a revision's words
        f" coalesce(({kind}), 'user') || ':' || r.participant AS participant,"
        " r.method, r.request_id, r.digest, r.result, r.remembered_at FROM requests r"
    )
    op.execute("DELETE FROM requests")
    op.execute(
        "INSERT INTO requests (tenant, workspace, participant, method, request_id, digest, result, remembered_at)"
        " SELECT * FROM carried"
    )


def grant_to_service(table: str, *grants: str, connection: Connection | None = None) -> None:
    """Let the service role use a table of the deployment's own data, which has no tenant [TN-06].

    Within a revision the connection is the revision's.
    """
    bind = connection or op.get_bind()
    database = bind.execute(text("SELECT current_database()")).scalar_one()
    quote = bind.dialect.identifier_preparer.quote
    bind.execute(text(f"GRANT {', '.join(grants)} ON {quote(table)} TO {quote(roles_of(database).service)}"))


def follower_reads_only(*tables: str) -> None:
    """Within a revision, let the follower role read these tables of tenants' data and no other that there is [TN-03].

    Revisions up to now let it read every table, and so all that tenants wrote.
    """
    database = op.get_bind().execute(text("SELECT current_database()")).scalar_one()
    quote = op.get_bind().dialect.identifier_preparer.quote
    follower = quote(roles_of(database).follower)
    op.execute(f"REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM {follower}")  # noqa: S608 - quoted
    op.execute(f"GRANT SELECT ON {', '.join(map(quote, tables))} TO {follower}")
