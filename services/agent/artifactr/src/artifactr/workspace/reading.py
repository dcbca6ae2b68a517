"""Reading the log: windows, and a stream without a seam [SB-01, SB-02, SB-07]."""

from collections.abc import AsyncGenerator, Sequence

from lattice_chassis.paging import NEVER_WRITTEN, Cursor
from lattice_chassis.postgres.listen import Listener
from lattice_chassis.postgres.workspaces import read_workspace

from artifactr.core.actors import WorkspaceKey
from artifactr.core.events import ArtifactEvent, Batch, Envelope, ProposalEvent
from artifactr.core.rejections import ValidationFailed
from artifactr.store import log
from artifactr.store.unit_of_work import UnitOfWork


async def position(unit: UnitOfWork, key: WorkspaceKey) -> Cursor:
    """The head of the log in its epoch."""
    async with unit.unlocked(key) as connection:
        workspace = await read_workspace(connection, key.tenant, key.workspace)
    return NEVER_WRITTEN if workspace is None or workspace.head == 0 else workspace.cursor


async def read(
    unit: UnitOfWork,
    key: WorkspaceKey,
    *,
    after: int,
    before: int | None,
    thread_ids: Sequence[str],
    limit: int | None,
    last: int | None,
) -> list[Envelope]:
    """The window after < log_sequence < before, oldest first: the first `limit` that match, or the last `last`.

    At most 500. ValidationFailed where both are given, or a number is negative.
    """
    numbers = {"after": after, "before": before, "limit": limit, "last": last}
    errors = [f"{name}: must not be negative" for name, number in numbers.items() if number is not None and number < 0]
    if limit is not None and last is not None:
        errors.append("limit and last exclude each other")
    if errors:
        raise ValidationFailed(errors=tuple(errors))
    size = last if last is not None else limit
    query = log.window(
        key,
        after=after,
        before=before,
        thread_ids=thread_ids,
        limit=log.PAGE if size is None else min(size, log.PAGE),
        newest=last is not None,
    )
    async with unit.unlocked(key) as connection:
        envelopes = await log.read(connection, query)
    return envelopes[::-1] if last is not None else envelopes


async def since(unit: UnitOfWork, key: WorkspaceKey, after: int, thread_id: str) -> list[Envelope]:
    """Every envelope after a position that followers of a thread hear of, oldest first, read a page at a time."""
    found: list[Envelope] = []
    while page := await _heard(unit, key, after, thread_id):
        found += page
        after = page[-1].log_sequence
        if len(page) < log.PAGE:
            break
    return found


async def batches(unit: UnitOfWork, listener: Listener, key: WorkspaceKey, after: int) -> AsyncGenerator[Batch, None]:
    """What is stored after a position, then what is appended, in whole commits; never ends.

    Positions alone decide what comes next, so there is no seam between stored and live. An empty batch says that
    everything committed so far was yielded; it comes after each catching up, however little was new.
    """
    with listener.subscribed(key.tenant, key.workspace) as wakings:
        async for may_be_new in wakings:
            while may_be_new and (batch := await _commits(unit, key, after)):
                after = batch[-1].log_sequence
                yield batch
            yield ()


def heard_by(envelope: Envelope, thread_ids: Sequence[str]) -> bool:
    """Whether followers of these threads are told of it; no threads means all [SB-03]."""
    if not thread_ids or not envelope.thread_id or envelope.thread_id in thread_ids:
        return True
    return isinstance(envelope.event, ArtifactEvent | ProposalEvent)


async def _commits(unit: UnitOfWork, key: WorkspaceKey, after: int) -> Batch:
    async with unit.unlocked(key) as connection:
        return await log.commits_after(connection, key, after)


async def _heard(unit: UnitOfWork, key: WorkspaceKey, after: int, thread_id: str) -> Batch:
    async with unit.unlocked(key) as connection:
        return await log.heard_since(connection, key, after, thread_id)
