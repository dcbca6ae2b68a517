"""Repeated requests are answered as the first was."""

import uuid
from dataclasses import replace

import pytest
from lattice.type.v1 import actor_pb2
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.requests import (
    IdempotencyMismatch,
    RequestScope,
    digest_of,
    forget_old,
    remember,
    remembered,
)
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

SCOPE = RequestScope(tenant="acme", workspace="w", participant="alice", method="/lattice.notes.v1.Notes/Write")
REQUEST = str(uuid.uuid4())
BODY = digest_of(actor_pb2.Actor(user=actor_pb2.UserActor(id="alice")))


@pytest.fixture
async def first(database: Database) -> None:
    """The first request, committed."""
    async with database.transaction("acme") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) is None
        await remember(connection, SCOPE, REQUEST, BODY, b"the first result")


async def test_a_repeat_is_answered_as_the_first_was(database: Database, first: None) -> None:
    """ID-03."""
    async with database.transaction("acme") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) == b"the first result"


async def test_another_body_under_the_same_id_is_refused(database: Database, first: None) -> None:
    """ID-03: compared by digest."""
    other = digest_of(actor_pb2.Actor(user=actor_pb2.UserActor(id="bob")))
    async with database.transaction("acme") as connection:
        with pytest.raises(IdempotencyMismatch) as refused:
            await remembered(connection, SCOPE, REQUEST, other)
    assert (refused.value.reason, refused.value.request_id) == ("IDEMPOTENCY_MISMATCH", REQUEST)


@pytest.mark.parametrize(
    "scope",
    [
        replace(SCOPE, workspace="other"),
        replace(SCOPE, participant="bob"),
        replace(SCOPE, method="/lattice.notes.v1.Notes/Erase"),
    ],
    ids=["workspace", "participant", "method"],
)
async def test_an_id_means_nothing_outside_its_scope(database: Database, first: None, scope: RequestScope) -> None:
    """ID-03: scoped by tenant, workspace, participant and method."""
    async with database.transaction("acme") as connection:
        assert await remembered(connection, scope, REQUEST, b"another body") is None


async def test_another_tenant_does_not_see_the_memory(database: Database, first: None) -> None:
    """ID-03, TN-03."""
    async with database.transaction("globex") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) is None


async def test_a_refused_command_is_not_remembered(database: Database) -> None:
    """ID-03: only successes are remembered; a refusal is decided anew."""
    with pytest.raises(ZeroDivisionError):
        await remember_and_fail(database)
    async with database.transaction("acme") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) is None


async def remember_and_fail(database: Database) -> None:
    async with database.transaction("acme") as connection:
        await remember(connection, SCOPE, REQUEST, BODY, b"never")
        raise ZeroDivisionError


async def test_a_second_success_under_one_id_cannot_commit(database: Database, first: None) -> None:
    """ID-03: of two at once that both missed the memory, one commits."""
    with pytest.raises(IntegrityError):
        async with database.transaction("acme") as connection:
            await remember(connection, SCOPE, REQUEST, BODY, b"a second result")


async def test_the_digest_of_an_upload_covers_its_content() -> None:
    """ID-03: for uploads, of header and content."""
    header = actor_pb2.Actor(user=actor_pb2.UserActor(id="alice"))
    assert len({digest_of(header), digest_of(header, b"one"), digest_of(header, b"two")}) == 3


async def test_a_success_is_forgotten_after_seven_days(
    database: Database, follower: Database, notes_urls: DatabaseUrls, first: None
) -> None:
    """ID-03: kept 7 days."""
    async with follower.across_tenants() as connection:
        assert await forget_old(connection) == 0
    async with database.transaction("acme") as connection:
        await connection.execute(text("UPDATE requests SET remembered_at = remembered_at - interval '7 days 1 minute'"))
        younger = str(uuid.uuid4())
        await remember(connection, SCOPE, younger, BODY, b"young")
    async with follower.across_tenants() as connection:
        assert await forget_old(connection) == 1
    async with database.transaction("acme") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) is None
        assert await remembered(connection, SCOPE, younger, BODY) == b"young"


async def test_forgetting_is_bounded(database: Database, follower: Database) -> None:
    async with database.transaction("acme") as connection:
        for _ in range(3):
            await remember(connection, SCOPE, str(uuid.uuid4()), BODY, b"old")
        await connection.execute(text("UPDATE requests SET remembered_at = remembered_at - interval '8 days'"))
    async with follower.across_tenants() as connection:
        assert [await forget_old(connection, limit=2) for _ in range(3)] == [2, 1, 0]
