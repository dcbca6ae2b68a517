"""Repeated requests are answered as the first was."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.postgres import purge
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.purge import purging
from lattice_chassis.postgres.requests import (
    IdempotencyMismatch,
    RequestScope,
    forget_old,
    identified,
    remember,
    remembered,
)
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

SCOPE = RequestScope(tenant="acme", workspace="w", participant="alice", method="/lattice.notes.v1.Notes/Write")
REQUEST = str(uuid.uuid4())


def digest_of(key: str, request_id: str = REQUEST) -> bytes:
    return identified(integrations_pb.SetEnabledRequest(key=key, request_id=request_id))[1]


BODY = digest_of("files:wordcraft")


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
    other = digest_of("files:other")
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


def test_a_repeat_is_the_same_request_however_it_spells_its_id() -> None:
    """ID-03."""
    assert digest_of("files:wordcraft", REQUEST.upper()) == digest_of("files:wordcraft", f"{{{REQUEST}}}") == BODY


def test_an_id_that_is_no_uuid_is_refused() -> None:
    """ID-03."""
    with pytest.raises(ValidationFailed):
        digest_of("files:wordcraft", "soon")


def test_the_id_of_an_upload_stands_in_its_context_and_its_digest_covers_the_content() -> None:
    """ID-03: for uploads, of header and content."""
    context = artifacts_pb.WriteContext(request_id=REQUEST)
    told = [identified(native_pb.UploadHeader(sha256=content, context=context)) for content in (b"one", b"two")]
    assert [request_id for request_id, _ in told] == [REQUEST, REQUEST]
    assert told[0] != told[1]


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


async def test_a_service_forgets_by_itself_and_goes_on_after_the_database_was_away(
    database: Database,
    notes_urls: DatabaseUrls,
    eventually: Eventually,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """ID-03: what is remembered does not grow for ever."""
    failing = iter([True])

    async def forget(connection: AsyncConnection, *, limit: int) -> int:
        if next(failing, False):
            raise OperationalError("DELETE", {}, OSError("the server is away"))
        return await forget_old(connection, limit=limit)

    monkeypatch.setattr(purge, "forget_old", forget)
    async with database.transaction("acme") as connection:
        for _ in range(3):
            await remember(connection, SCOPE, str(uuid.uuid4()), BODY, b"old")
        await connection.execute(text("UPDATE requests SET remembered_at = remembered_at - interval '8 days'"))
        await remember(connection, SCOPE, REQUEST, BODY, b"young")

    async def only_the_young_one_is_left() -> bool:
        async with database.transaction("acme") as connection:
            return bool(await connection.scalar(text("SELECT count(*) = 1 FROM requests")))

    async with purging(notes_urls.follower, "notes", every=timedelta(milliseconds=10)):
        await eventually(only_the_young_one_is_left)
    async with database.transaction("acme") as connection:
        assert await remembered(connection, SCOPE, REQUEST, BODY) == b"young"
    assert "could not be forgotten" in caplog.text


async def test_without_its_role_a_service_says_that_nothing_is_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    async with purging("", "notes"):
        assert "remembered for ever" in caplog.text


async def test_forgetting_is_bounded(database: Database, follower: Database) -> None:
    async with database.transaction("acme") as connection:
        for _ in range(3):
            await remember(connection, SCOPE, str(uuid.uuid4()), BODY, b"old")
        await connection.execute(text("UPDATE requests SET remembered_at = remembered_at - interval '8 days'"))
    async with follower.across_tenants() as connection:
        assert [await forget_old(connection, limit=2) for _ in range(3)] == [2, 1, 0]
