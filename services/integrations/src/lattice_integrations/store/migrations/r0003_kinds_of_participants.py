"""Who made a request is remembered with their kind: nobody of the same id is answered in their place [AC-02]."""

from lattice_chassis.postgres.migrations import across_tenants, remember_kinds_of_participants

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Carry over what is remembered; the change that the answer names tells the kind, if it was that request's."""
    with across_tenants("requests", "switch_changes"):
        remember_kinds_of_participants(
            "SELECT c.actor->>'kind' FROM switch_changes c WHERE (c.tenant, c.workspace) = (r.tenant, r.workspace)"
            " AND c.revision = (convert_from(r.result, 'UTF8')::json->>'revision')::bigint"
            " AND c.actor->>'id' = r.participant"
        )
