"""What has to be so in the database of agent: each check is a query whose rows are faults [ER-05]."""

from collections.abc import Mapping
from typing import Final

from lattice_chassis.postgres.inspection import gap, orphan

CHECKS: Final[Mapping[str, str]] = {
    "LOG_GAP": gap("log", "log_sequence"),
    "CHANGE_MISSING": """
        SELECT f.tenant, f.workspace, n FROM feed_cursors f CROSS JOIN LATERAL generate_series(1, f.sequence) n
        WHERE NOT EXISTS (SELECT FROM log l
            WHERE (l.tenant, l.workspace, l.change_sequence) = (f.tenant, f.workspace, n))
        UNION ALL
        SELECT l.tenant, l.workspace, l.change_sequence FROM log l LEFT JOIN feed_cursors f USING (tenant, workspace)
        WHERE l.change_sequence > coalesce(f.sequence, 0)
    """,
    "ORPHAN": " UNION ALL ".join(
        [
            *(orphan(it, "threads", "thread_id") for it in ("messages", "runs", "history", "claims")),
            orphan("log", "threads", "thread_id", when="t.change_sequence IS NULL AND t.thread_id IS NOT NULL"),
            orphan("history", "runs", "run_id"),
            orphan("messages", "log", "log_sequence"),
            orphan("history", "log", "log_sequence"),
            *(orphan(it, "log", "log_sequence", referring="position") for it in ("threads", "runs")),
            *(orphan(it, "workspaces", "workspace") for it in ("log", "feed_cursors", "requests")),
        ]
    ),
    "CLAIM_TOKEN_REUSED": """
        SELECT r.tenant, r.workspace, r.run_id FROM runs r LEFT JOIN claims c USING (tenant, workspace, thread_id)
        WHERE r.claim_token > coalesce(c.token, 0)
    """,
    "TWO_RUNS_AT_ONCE": """
        SELECT tenant, workspace, thread_id FROM runs WHERE status = 'running' AND claim_token > 0
        GROUP BY tenant, workspace, thread_id, claim_token HAVING count(*) > 1
    """,
}
"""By kind of fault; each query answers tenant, workspace and what it is about."""

TAKEN_UP: Final = """
    SELECT f.tenant, f.workspace, f.epoch, f.sequence, encode(sha256(convert_to(coalesce(string_agg(l.entry_id, ','
        ORDER BY l.change_sequence), ''), 'UTF8')), 'hex') AS digest
    FROM feed_cursors f LEFT JOIN log l ON (l.tenant, l.workspace) = (f.tenant, f.workspace)
        AND l.change_sequence <= f.sequence
    GROUP BY f.tenant, f.workspace, f.epoch, f.sequence ORDER BY 1, 2
"""
"""How far each feed was taken up, told by the digest of its changes' ids in their order; files compares it."""
