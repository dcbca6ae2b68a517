"""The memory of `request_id`: a repeated mutation is answered as the first one was [ID-03].

A success is remembered in the transaction that commits it, a refusal never: it is decided anew. The memory is of one
method of one participant in one workspace, and is kept for seven days. The same id with another body is refused.

Ask twice: once before the gate, without a lock, so that a repeat is answered while the switch is off or a peer is down;
and again in the committing transaction after the workspace is locked, which is the answer that counts for two at once.
"""

import copy
import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

from google.protobuf.message import Message
from sqlalchemy import (
    Column,
    DateTime,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
    bindparam,
    delete,
    func,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_chassis.errors import ValidationFailed
from lattice_chassis.postgres.dialect import DEFERRED

KEPT = timedelta(days=7)
"""How long a success is remembered at least."""


@dataclass(kw_only=True, eq=False)
class IdempotencyMismatch(Exception):  # named as the reason is
    """The `request_id` was used before with another body; nothing was changed [ID-03]."""

    reason: ClassVar[str] = "IDEMPOTENCY_MISMATCH"
    request_id: str

    def __str__(self) -> str:
        """The sentence that the caller reads."""
        return f"request_id {self.request_id} was used before with another request"


@dataclass(frozen=True, kw_only=True)
class RequestScope:
    """Within what a `request_id` is one request; `method` is the RPC's full name."""

    tenant: str
    workspace: str
    participant: str
    method: str


def request_columns() -> tuple[Column[Any] | Index, ...]:
    """The columns of the table `requests`, for a service's first migration; give its follower DELETE for the purge."""
    return (
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("participant", Text, primary_key=True),
        Column("method", Text, primary_key=True),
        Column("request_id", Uuid(as_uuid=False), primary_key=True),
        Column("digest", LargeBinary, nullable=False),
        Column("result", LargeBinary, nullable=False),
        Column("remembered_at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
        Index("requests_by_age", "remembered_at"),
    )


requests = Table("requests", MetaData(), *request_columns())

# Composed once: that takes longer than the database takes to answer.
_REMEMBERED: Final = select(requests.c.digest, requests.c.result).where(
    *(requests.c[name] == bindparam(name) for name in ("tenant", "workspace", "participant", "method", "request_id"))
)
_REMEMBER: Final = insert(requests).execution_options(**DEFERRED)


def identified(request: Message) -> tuple[str, bytes]:
    """The `request_id` of a mutation and the digest of its body, the same however a repeat spells the id.

    The id stands in the request or in its `context`; the header of an upload carries the digest of its content, so that
    the header's covers both. Raises ValidationFailed where it is no UUID.
    """
    body = copy.deepcopy(request)
    at_top = "request_id" in request.DESCRIPTOR.fields_by_name
    holder: Any = body if at_top else getattr(body, "context")  # noqa: B009
    try:
        holder.request_id = str(UUID(holder.request_id))
    except ValueError:
        path = "request_id" if at_top else "context.request_id"
        raise ValidationFailed(errors=[(path, "is not a UUID")]) from None
    return holder.request_id, hashlib.sha256(body.SerializeToString(deterministic=True)).digest()


async def remembered(connection: AsyncConnection, scope: RequestScope, request_id: str, digest: bytes) -> bytes | None:
    """The result of the first request with this id, or None where there was none.

    Raises IdempotencyMismatch where its body had another digest.
    """
    row = (await connection.execute(_REMEMBERED, {**vars(scope), "request_id": request_id})).one_or_none()
    if row is None:
        return None
    if bytes(row.digest) != digest:
        raise IdempotencyMismatch(request_id=request_id)
    return bytes(row.result)


async def remember(
    connection: AsyncConnection, scope: RequestScope, request_id: str, digest: bytes, result: bytes
) -> None:
    """Keep a success, in the transaction that commits it and under the workspace's lock.

    An IntegrityError at the commit means that `remembered` was not asked under the lock first.
    """
    row = {"request_id": request_id, "digest": digest, "result": result}
    await connection.execute(_REMEMBER, {**vars(scope), **row})


async def forget_old(connection: AsyncConnection, *, limit: int = 1000) -> int:
    """Forget up to `limit` successes older than KEPT, of all tenants, and answer how many; needs the follower role."""
    key = (requests.c.tenant, requests.c.workspace, requests.c.participant, requests.c.method, requests.c.request_id)
    old = select(*key).where(requests.c.remembered_at < func.clock_timestamp() - KEPT).limit(limit)
    return (await connection.execute(delete(requests).where(tuple_(*key).in_(old)))).rowcount
