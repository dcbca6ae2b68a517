"""What is read of the changes; tenant and workspace are in every query."""

from typing import Final

from sqlalchemy import ColumnElement, Select, and_, bindparam, select
from sqlalchemy.dialects.postgresql import distinct_on

from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.store.tables import switch_changes

_CHANGE = [column for column in switch_changes.c if column.name not in {"tenant", "workspace"}]


NEWEST_SETTING: Final = (
    select(switch_changes.c.enabled, switch_changes.c.revision)
    .where(*(switch_changes.c[name] == bindparam(name) for name in ("tenant", "workspace", "key")))
    .order_by(switch_changes.c.revision.desc())
    .limit(1)
)
"""What was set last for a `key` in a workspace: one row or none, found by one descent of the index [I-07].

It is asked at every gated write; composing it takes longer than the database takes to answer.
"""


def newest_settings(scope: WorkspaceKey) -> Select[tuple[str, bool, int]]:
    """What was set last for each key that was ever set, in no order of use."""
    changes = switch_changes.c
    return (
        select(changes.key, changes.enabled, changes.revision)
        .where(_within(scope))
        .ext(distinct_on(changes.key))
        .order_by(changes.key, changes.revision.desc())
    )


def changes_before(
    scope: WorkspaceKey, revision: int | None, key: str | None, limit: int
) -> Select[tuple[object, ...]]:
    """Up to `limit` changes below a revision, or from the newest on, newest first; of one key or of all."""
    query = select(*_CHANGE).where(_within(scope)).order_by(switch_changes.c.revision.desc()).limit(limit)
    if revision is not None:
        query = query.where(switch_changes.c.revision < revision)
    if key is not None:
        query = query.where(switch_changes.c.key == key)
    return query


def changes_after(scope: WorkspaceKey, revision: int, limit: int) -> Select[tuple[object, ...]]:
    """Up to `limit` changes above a revision, oldest first."""
    newer = switch_changes.c.revision > revision
    return select(*_CHANGE).where(_within(scope), newer).order_by(switch_changes.c.revision).limit(limit)


def _within(scope: WorkspaceKey) -> ColumnElement[bool]:
    return and_(switch_changes.c.tenant == scope.tenant, switch_changes.c.workspace == scope.workspace)
