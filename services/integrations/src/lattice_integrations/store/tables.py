"""The table of this service; `workspaces` and `requests` are chassis's.

A switch has no row of its own: its state is its newest change, so state and history cannot disagree.
"""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, DateTime, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSONB

switch_changes: Final = Table(
    "switch_changes",
    MetaData(),
    Column("tenant", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("key", Text, nullable=False),
    Column("enabled_before", Boolean, nullable=False),
    Column("source_before", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("actor", JSONB, nullable=False),
    Column("reason", Text, nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
    Column("traceparent", Text, nullable=False),
)
