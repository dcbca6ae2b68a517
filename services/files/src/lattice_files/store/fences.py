"""Fences: the greatest token seen in each scope [MP-21]."""

from sqlalchemy.dialects.postgresql import insert

from lattice_files.domain.rejections import StaleClaim
from lattice_files.domain.writes import Fence
from lattice_files.store.tables import fences
from lattice_files.store.unit_of_work import Work


async def hold(work: Work, fence: Fence | None) -> None:
    """Keep out, from this commit on, writers with a lower token of the scope; nothing without a fence.

    Raises:
        StaleClaim: a higher token was seen: this writer is the one to keep out.
    """
    if fence is None:
        return
    values = {"token": fence.token}
    row = insert(fences).values(**work.key, scope=fence.scope, **values)
    raised = row.on_conflict_do_update(
        index_elements=fences.primary_key.columns, set_=values, where=fences.c.token <= fence.token
    ).returning(fences.c.token)
    if (await work.connection.execute(raised)).one_or_none() is None:
        raise StaleClaim(scope=fence.scope)
