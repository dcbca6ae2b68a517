"""Artifacts with their revisions, proposals, the feed, leases, fences and blobs."""

from collections.abc import Sequence
from typing import Any

from alembic import op
from lattice_chassis.postgres.migrations import create_tenant_table
from lattice_chassis.postgres.requests import request_columns
from lattice_chassis.postgres.workspaces import workspace_columns
from sqlalchemy import JSON, BigInteger, Boolean, CheckConstraint, Column, DateTime, Integer, Text, Uuid
from sqlalchemy.schema import SchemaItem

revision = "0001"
down_revision = None

_APPENDED = ("SELECT", "INSERT")
_KEPT = ("SELECT", "INSERT", "UPDATE")


def upgrade() -> None:
    """Create the tables; what is for ever, the service role may not delete."""
    create_tenant_table("workspaces", *workspace_columns(), service=_KEPT)
    create_tenant_table("requests", *request_columns(), service=_APPENDED, follower=("SELECT", "DELETE"))
    _create_artifacts()
    _create_proposals()
    _create_feed()
    _create_leases()
    _create_blobs()


def _create_artifacts() -> None:
    _create(
        "artifacts",
        _KEPT,
        Column("artifact_id", Text, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("version", BigInteger, CheckConstraint("version >= 1"), nullable=False),
        Column("archived", Boolean, nullable=False),
        Column("created_sequence", BigInteger, nullable=False),
    )
    op.create_index("artifacts_by_age", "artifacts", ["tenant", "workspace", "created_sequence"], unique=True)
    _create(
        "revisions",
        _APPENDED,
        Column("artifact_id", Text, primary_key=True),
        Column("version", BigInteger, primary_key=True),
        Column("data", JSON, nullable=False),
        Column("patch", JSON),
        Column("summary", Text, nullable=False),
        Column("actor", JSON, nullable=False),
        Column("archived", Boolean, nullable=False),
        Column("proposal_id", Text, nullable=False),
        Column("trace_id", Text, nullable=False),
        Column("switch_revision", BigInteger),
        Column("committed_at", DateTime(timezone=True), nullable=False),
    )


def _create_proposals() -> None:
    _create(
        "proposals",
        _KEPT,
        Column("proposal_id", Text, primary_key=True),
        Column("artifact_id", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("proposer_key", Text, nullable=False),
        Column("proposal", JSON, nullable=False),
        Column("created_sequence", BigInteger, nullable=False),
    )
    op.create_index("proposals_by_age", "proposals", ["tenant", "workspace", "created_sequence"])


def _create_feed() -> None:
    _create(
        "changes",
        _APPENDED,
        Column("change_sequence", BigInteger, primary_key=True),
        Column("change_id", Uuid(as_uuid=False), nullable=False),
        Column("commit_id", Uuid(as_uuid=False), nullable=False),
        Column("commit_end", BigInteger, nullable=False),
        Column("actor", JSON, nullable=False),
        Column("thread_id", Text, nullable=False),
        Column("run_id", Text, nullable=False),
        Column("traceparent", Text, nullable=False),
        Column("event", JSON, nullable=False),
        Column("committed_at", DateTime(timezone=True), nullable=False),
    )
    _create(
        "fences",
        _KEPT,
        Column("scope", Text, primary_key=True),
        Column("token", BigInteger, CheckConstraint("token >= 1"), nullable=False),
    )


def _create_leases() -> None:
    held = ("kind", "holder", "request_id", "base_version", "acquired_at", "expires_at")
    _create(
        "leases",
        _KEPT,
        Column("artifact_id", Text, primary_key=True),
        Column("token", BigInteger, CheckConstraint("token >= 1"), nullable=False),
        Column("kind", Text),
        Column("holder", JSON),
        Column("request_id", Text),
        Column("base_version", BigInteger),
        Column("acquired_at", DateTime(timezone=True)),
        Column("expires_at", DateTime(timezone=True)),
        CheckConstraint(f"num_nulls({', '.join(held)}) IN (0, {len(held)})", name="leases_held_or_released"),
    )


def _create_blobs() -> None:
    _create(
        "blobs",
        ("SELECT", "INSERT", "UPDATE", "DELETE"),
        Column("digest", Text, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("size", BigInteger, nullable=False),
        Column("state", Text, CheckConstraint("state IN ('present', 'deleting')"), nullable=False),
        Column("touched_at", DateTime(timezone=True), nullable=False),
    )
    _create(
        "pages",
        ("SELECT", "INSERT", "UPDATE", "DELETE"),
        Column("digest", Text, primary_key=True),
        Column("app", Text, primary_key=True),
        Column("app_version", Text, primary_key=True),
        Column("page", Integer, primary_key=True),
        Column("long_side", Integer, primary_key=True),
        Column("image_digest", Text, nullable=False),
        Column("page_count", Integer, nullable=False),
        Column("width", Integer, nullable=False),
        Column("height", Integer, nullable=False),
    )


def _create(name: str, service: Sequence[str], *items: Column[Any] | SchemaItem) -> None:
    key = (Column("tenant", Text, primary_key=True), Column("workspace", Text, primary_key=True))
    create_tenant_table(name, *key, *items, service=service)
