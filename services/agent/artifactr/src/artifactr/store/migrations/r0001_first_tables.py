"""The log, threads, runs, claims, history, and the tables that every service has."""

from alembic import op
from lattice_chassis.postgres.migrations import create_tenant_table
from lattice_chassis.postgres.requests import request_columns
from lattice_chassis.postgres.workspaces import workspace_columns
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    LargeBinary,
    Text,
    UniqueConstraint,
    func,
)

revision = "0001"
down_revision = None

APPEND_ONLY = ("SELECT", "INSERT")
MUTABLE = ("SELECT", "INSERT", "UPDATE")


def upgrade() -> None:
    """Create the tables."""
    create_tenant_table("workspaces", *workspace_columns(), service=MUTABLE)
    create_tenant_table("requests", *request_columns(), service=APPEND_ONLY, follower=("SELECT", "DELETE"))
    create_tenant_table(
        "log",
        *_scope(),
        Column("log_sequence", BigInteger, primary_key=True),
        Column("change_sequence", BigInteger),
        Column("commit", BigInteger, nullable=False),
        Column("entry_id", Text, nullable=False),
        Column("event", Text, nullable=False),
        Column("thread_id", Text),
        Column("run_id", Text),
        Column("artifact_id", Text),
        Column("entry", LargeBinary, nullable=False),
        UniqueConstraint("tenant", "workspace", "change_sequence", name="log_takes_each_change_once"),
        UniqueConstraint("tenant", "workspace", "entry_id", name="log_entry_ids_are_unique"),
        CheckConstraint("log_sequence > 0", name="log_counts_from_one"),
        service=APPEND_ONLY,  # what happened is on record for good [EV-07]
    )
    op.create_index("log_by_thread", "log", ["tenant", "workspace", "thread_id", "log_sequence"])
    op.create_index("log_by_run", "log", ["tenant", "workspace", "run_id", "log_sequence"])
    create_tenant_table(
        "threads",
        *_scope("thread_id"),
        Column("position", BigInteger, nullable=False),
        Column("entity", JSON, nullable=False),
        service=MUTABLE,
    )
    op.create_index("threads_in_order", "threads", ["tenant", "workspace", "position"])
    create_tenant_table(
        "messages",
        *_scope("message_id"),
        Column("thread_id", Text, nullable=False),
        Column("log_sequence", BigInteger, nullable=False),
        Column("participant", Text, nullable=False),
        Column("through_runner", Boolean, nullable=False),
        Column("began_run", Text),
        service=MUTABLE,
    )
    op.create_index("messages_in_order", "messages", ["tenant", "workspace", "thread_id", "log_sequence"])
    op.create_index("messages_on_log", "messages", ["tenant", "workspace", "log_sequence"], unique=True)
    create_tenant_table(
        "runs",
        *_scope("run_id"),
        Column("thread_id", Text, nullable=False),
        Column("position", BigInteger, nullable=False),
        Column("status", Text, nullable=False),
        Column("claim_token", BigInteger, nullable=False),
        Column("recorded_at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
        Column("entity", JSON, nullable=False),
        service=MUTABLE,
    )
    op.create_index("runs_in_order", "runs", ["tenant", "workspace", "position"])
    op.create_index("runs_of_thread", "runs", ["tenant", "workspace", "thread_id", "position"])
    create_tenant_table(
        "history",
        *_scope("thread_id"),
        Column("log_sequence", BigInteger, primary_key=True),
        Column("run_id", Text, nullable=False),
        Column("notes_through", BigInteger, nullable=False),
        Column("data", LargeBinary, nullable=False),
        service=APPEND_ONLY,
    )
    create_tenant_table(
        "claims",
        *_scope("thread_id"),
        Column("holder", Text),
        Column("token", BigInteger, nullable=False),
        Column("expires_at", DateTime(timezone=True), nullable=False),
        service=MUTABLE,
    )
    create_tenant_table(
        "feed_cursors",
        *_scope(),
        Column("epoch", Text, nullable=False),
        Column("sequence", BigInteger, nullable=False),
        service=MUTABLE,
    )


def _scope(*names: str) -> tuple[Column[str], ...]:
    return tuple(Column(name, Text, primary_key=True) for name in ("tenant", "workspace", *names))
