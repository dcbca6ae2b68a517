"""Who posted a message and who made a request is kept with their kind: equal ids are confused no more [AC-02].

The log tells the kind: each message stands on it, and what is remembered of a request names the last entry it made.
"""

from alembic import op
from lattice.agent.v1.log_service_pb2 import LogEntry
from lattice_chassis.identity import participant_key
from lattice_chassis.postgres.migrations import across_tenants, remember_kinds_of_participants
from sqlalchemy import Column, Text, text

revision = "0007"
down_revision = "0006"

_NEXT = text(
    "SELECT tenant, workspace, log_sequence, entry FROM authors JOIN log USING (tenant, workspace, log_sequence)"
    " WHERE (tenant, workspace, log_sequence) > (:tenant, :workspace, :log_sequence)"
    " ORDER BY tenant, workspace, log_sequence LIMIT 1000"
)
_FOUND = text(
    "UPDATE authors SET author = found.author FROM unnest(CAST(:tenants AS text[]), CAST(:workspaces AS text[]),"
    " CAST(:sequences AS bigint[]), CAST(:authors AS text[])) AS found (tenant, workspace, log_sequence, author)"
    " WHERE (authors.tenant, authors.workspace, authors.log_sequence)"
    " = (found.tenant, found.workspace, found.log_sequence)"
)


def upgrade() -> None:
    """Add the column and carry over what is there; `participant` goes on for replicas of before."""
    op.add_column("messages", Column("author", Text))
    with across_tenants("log", "messages", "requests"):
        _read_authors()
        op.execute(
            "UPDATE messages SET author = authors.author FROM authors WHERE (messages.tenant, messages.workspace,"
            " messages.log_sequence) = (authors.tenant, authors.workspace, authors.log_sequence)"
        )
        remember_kinds_of_participants(
            "SELECT split_part(a.author, ':', 1) FROM authors a WHERE (a.tenant, a.workspace) = (r.tenant, r.workspace)"
            " AND a.log_sequence = (convert_from(r.result, 'UTF8')::json->>'log_sequence')::bigint"
            " AND a.author = split_part(a.author, ':', 1) || ':' || r.participant"
        )


def _read_authors() -> None:
    """Make the temporary table `authors` of the entries that matter, each with the participant key of its actor."""
    op.execute(
        "CREATE TEMPORARY TABLE authors ON COMMIT DROP AS"
        " SELECT tenant, workspace, log_sequence, NULL::text AS author FROM messages"
        " UNION SELECT tenant, workspace, (convert_from(result, 'UTF8')::json->>'log_sequence')::bigint, NULL"
        " FROM requests"
    )
    op.execute("ALTER TABLE authors ADD PRIMARY KEY (tenant, workspace, log_sequence)")
    connection = op.get_bind()
    last = {"tenant": "", "workspace": "", "log_sequence": 0}
    while rows := connection.execute(_NEXT, last).all():
        found = {
            "tenants": [row.tenant for row in rows],
            "workspaces": [row.workspace for row in rows],
            "sequences": [row.log_sequence for row in rows],
            "authors": [participant_key(LogEntry.FromString(bytes(row.entry)).actor) for row in rows],
        }
        connection.execute(_FOUND, found)
        last = {name: rows[-1]._mapping[name] for name in last}  # noqa: SLF001 - the documented name
