"""How many bytes of blobs each workspace has, counted by the database, so that no writer sums them up [SE-06]."""

from alembic import op
from lattice_chassis.postgres.migrations import create_tenant_table
from sqlalchemy import BigInteger, CheckConstraint, Column, Text

revision = "0003"
down_revision = "0002"

# What only touches a row that is there already neither comes nor goes, and so counts nothing and locks nothing here.
_COUNT = """
CREATE FUNCTION count_storage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO storage AS counted (tenant, workspace, bytes)
        SELECT tenant, workspace, sum(size) FROM changed GROUP BY tenant, workspace
        ON CONFLICT (tenant, workspace) DO UPDATE SET bytes = counted.bytes + excluded.bytes;
    ELSE
        UPDATE storage SET bytes = bytes - gone.size
        FROM (SELECT tenant, workspace, sum(size) AS size FROM changed GROUP BY tenant, workspace) AS gone
        WHERE (storage.tenant, storage.workspace) = (gone.tenant, gone.workspace);
    END IF;
    RETURN NULL;
END
$$
"""


def upgrade() -> None:
    """Create the table, count what is there, and count from now on."""
    create_tenant_table(
        "storage",
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("bytes", BigInteger, CheckConstraint("bytes >= 0"), nullable=False),
        service=("SELECT", "INSERT", "UPDATE"),
    )
    # Row-level security holds the owner too, so the policies step aside for this one statement.
    for table in ("blobs", "storage"):
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    op.execute(
        "INSERT INTO storage (tenant, workspace, bytes)"
        " SELECT tenant, workspace, sum(size) FROM blobs GROUP BY tenant, workspace"
    )
    for table in ("blobs", "storage"):
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(_COUNT)
    for event, rows in (("INSERT", "NEW"), ("DELETE", "OLD")):
        op.execute(
            f"CREATE TRIGGER count_{event.lower()} AFTER {event} ON blobs REFERENCING {rows} TABLE AS changed"
            " FOR EACH STATEMENT EXECUTE FUNCTION count_storage()"
        )
