"""What has to be so in the database of files: each check is a query whose rows are faults [ER-05]."""

from collections.abc import Mapping
from typing import Final

from lattice_chassis.postgres.inspection import gap, orphan

NAMED_BLOBS: Final = """
    SELECT r.tenant, r.workspace, r.artifact_id || ' version ' || r.version AS by, n.part, n.digest,
           CASE n.part WHEN 'native' THEN (r.data->'native'->>'size')::bigint END AS size
    FROM revisions r CROSS JOIN LATERAL (VALUES
        ('native', r.data->'native'->>'digest'), ('text', r.data->'text'->>'digest'),
        ('review', r.data->'review'->>'digest')) AS n (part, digest)
    JOIN artifacts a USING (tenant, workspace, artifact_id)
    WHERE starts_with(a.kind, 'native_')
    UNION ALL
    SELECT p.tenant, p.workspace, p.proposal_id, n.part, n.digest, NULL
    FROM proposals p CROSS JOIN LATERAL (VALUES ('result'), ('data')) AS d (name)
    CROSS JOIN LATERAL (VALUES
        ('native', p.proposal->'change'->d.name->'native'->>'digest'),
        ('text', p.proposal->'change'->d.name->'text'->>'digest'),
        ('review', p.proposal->'change'->d.name->'review'->>'digest')) AS n (part, digest)
    WHERE p.state = 'pending' AND n.digest IS NOT NULL
"""
"""The blobs that revisions and open proposals name, each with who names it."""

CHECKS: Final[Mapping[str, str]] = {
    "FEED_GAP": gap("changes", "change_sequence"),
    "COMMIT_SPLIT": """
        SELECT tenant, workspace, commit_id FROM changes GROUP BY tenant, workspace, commit_id
        HAVING count(*) <> max(change_sequence) - min(change_sequence) + 1
            OR min(commit_end) <> max(change_sequence) OR max(commit_end) <> max(change_sequence)
    """,
    "REVISION_MISSING": """
        SELECT a.tenant, a.workspace, a.artifact_id || ' version ' || n
        FROM artifacts a CROSS JOIN LATERAL generate_series(1, a.version) n
        WHERE NOT EXISTS (SELECT FROM revisions r WHERE (r.tenant, r.workspace, r.artifact_id, r.version)
            = (a.tenant, a.workspace, a.artifact_id, n))
    """,
    "REVISION_BEYOND_HEAD": """
        SELECT r.tenant, r.workspace, r.artifact_id || ' version ' || r.version
        FROM revisions r JOIN artifacts a USING (tenant, workspace, artifact_id) WHERE r.version > a.version
    """,
    "REVISION_UNTOLD": """
        SELECT r.tenant, r.workspace, r.artifact_id || ' version ' || r.version FROM revisions r
        LEFT JOIN (
            SELECT tenant, workspace, event->>'artifact_id' AS artifact_id, (event->>'version')::bigint AS version
            FROM changes WHERE event->>'type' IN ('artifact_created', 'artifact_changed', 'artifact_archived')
        ) AS told USING (tenant, workspace, artifact_id, version)
        WHERE told.version IS NULL
    """,
    "ORPHAN": " UNION ALL ".join(
        [
            orphan("revisions", "artifacts", "artifact_id"),
            orphan("revisions", "proposals", "proposal_id", when="t.proposal_id <> ''"),
            orphan("leases", "artifacts", "artifact_id"),
            orphan("broken_check_outs", "artifacts", "artifact_id"),
            orphan("pages", "blobs", "digest", referring="image_digest"),
            *(orphan(it, "workspaces", "workspace") for it in ("artifacts", "proposals", "fences", "requests")),
        ]
    ),
    "LEASE_MALFORMED": """
        SELECT l.tenant, l.workspace, l.artifact_id
        FROM leases l JOIN artifacts a USING (tenant, workspace, artifact_id)
        WHERE l.expires_at <= l.acquired_at OR l.base_version > a.version OR l.base_version < 1
    """,
    "LEASE_TOKEN_REUSED": """
        SELECT b.tenant, b.workspace, b.artifact_id FROM broken_check_outs b
        LEFT JOIN leases l USING (tenant, workspace, artifact_id) WHERE b.token > coalesce(l.token, 0)
    """,
    "STORAGE_MISCOUNTED": """
        SELECT tenant, workspace, 'counted ' || coalesce(s.bytes, 0) || ' bytes, stored ' || coalesce(b.bytes, 0)
        FROM storage s FULL JOIN (SELECT tenant, workspace, sum(size) AS bytes FROM blobs GROUP BY 1, 2) AS b
        USING (tenant, workspace) WHERE coalesce(s.bytes, 0) <> coalesce(b.bytes, 0)
    """,
    "BLOB_UNKNOWN": f"""
        SELECT n.tenant, n.workspace, n.digest || ' (' || n.part || ' of ' || n.by || ')' FROM ({NAMED_BLOBS}) AS n
        LEFT JOIN blobs b ON (b.tenant, b.workspace, b.digest, b.state) = (n.tenant, n.workspace, n.digest, 'present')
        WHERE b.digest IS NULL OR b.size <> n.size
    """,  # noqa: S608 - a query of ours
}
"""By kind of fault; each query answers tenant, workspace and what it is about."""

BLOBS: Final = f"""
    SELECT b.tenant, b.workspace, b.digest, b.size, n.by IS NOT NULL AS named FROM blobs b
    LEFT JOIN (SELECT tenant, workspace, digest, min(by) AS by FROM ({NAMED_BLOBS}) AS m GROUP BY 1, 2, 3) AS n
    USING (tenant, workspace, digest) ORDER BY 1, 2, 3
"""  # noqa: S608 - a query of ours
"""Every blob with a row, and whether a revision or an open proposal needs it."""

TAKEN_UP: Final = """
    SELECT w.epoch::text, w.head, encode(sha256(convert_to(coalesce(string_agg(c.change_id::text, ','
        ORDER BY c.change_sequence) FILTER (WHERE c.change_sequence <= :sequence), ''), 'UTF8')), 'hex') AS digest
    FROM workspaces w LEFT JOIN changes c USING (tenant, workspace)
    WHERE (w.tenant, w.workspace) = (:tenant, :workspace) GROUP BY w.epoch, w.head
"""
"""The feed of a workspace up to a number, told by the digest of its changes' ids in their order."""
