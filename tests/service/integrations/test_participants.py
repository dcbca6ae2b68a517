"""Who made a request is remembered with their kind."""

import json
import uuid

from lattice_integrations.main import MIGRATIONS
from service.conftest import UpTo


async def test_requests_from_before_kinds_were_kept_are_carried_over(before_revision: UpTo) -> None:
    """AC-02, ID-03: the change tells the kind, in all tenants; who changed nothing counts as a person."""
    async with before_revision(MIGRATIONS, "0003") as older:

        def change(tenant: str, revision: int, actor: dict[str, str]) -> None:
            older.cursor.execute(
                "INSERT INTO switch_changes VALUES (%s, 'main', %s, 'k', true, 'default', false, %s, '', now(), '')",
                (tenant, revision, json.dumps(actor)),
            )

        def remember(tenant: str, participant: str, revision: int) -> None:
            older.cursor.execute(
                "INSERT INTO requests (tenant, workspace, participant, method, request_id, digest, result)"
                " VALUES (%s, 'main', %s, 'SetEnabled', %s, '', %s)",
                (tenant, participant, str(uuid.UUID(int=1)), json.dumps({"revision": revision}).encode()),
            )

        change("acme", 1, {"kind": "external_agent", "id": "ada"})
        remember("acme", "ada", 1)
        remember("acme", "grace", 1)  # who wanted what was set already
        change("rival", 1, {"kind": "user", "id": "ada"})
        remember("rival", "ada", 1)
        remember("rival", "user:ada", 0)
        await older.is_brought_up_to_date()
        assert older.told("SELECT tenant, participant FROM requests ORDER BY 1, 2") == [
            ("acme", "external_agent:ada"),
            ("acme", "user:grace"),
            ("rival", "user:ada"),
            ("rival", "user:user:ada"),
        ]
