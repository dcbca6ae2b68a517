"""Passwords and credentials, and everywhere that they must not turn up: logs, spans, errors, the feed and the log."""

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
import psycopg2
import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.postgres.migrations import migrate
from lattice_cli.processes import Program, ServiceFailedError, free_address, serving
from psycopg2 import sql
from service.files.conftest import FAKE_APP
from service.files.people import append, document
from service.isolation.schemas import MIGRATIONS
from service.isolation.suite import Suite, Tenant
from sqlalchemy import make_url

PASSWORD: Final = "pa55word-of-a-database"  # noqa: S105 - what is looked for
TOKEN: Final = "eyJhbGciOiJFUzI1NiJ9.c2VjcmV0LWNsYWltcw.c2lnbmF0dXJl"  # noqa: S105 - what is looked for
KEY: Final = "a-key-in-a-header"
CREDENTIALS: Final = (("authorization", f"Bearer {TOKEN}"), ("x-api-key", KEY))
TESTS: Final = Path(__file__).parents[1]


def secret(url: str) -> str:
    """The URL with the password in it."""
    return make_url(url).set(password=PASSWORD).render_as_string(hide_password=False)


@dataclass(frozen=True, kw_only=True)
class Talkative:
    """Three services that log all that they can, and export their spans."""

    suite: Suite
    folder: Path

    @property
    def told(self) -> dict[str, str]:
        """The logs and the spans up to now."""
        return {it.name: it.read_text() for it in self.folder.iterdir() if it.is_file()}


@asynccontextmanager
async def talkative(urls: dict[str, DatabaseUrls], folder: Path) -> AsyncIterator[Talkative]:
    """Start them."""
    where = {it: free_address() for it in ("integrations", "files", "agent")}
    python_path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = {
        "integrations": {
            "REGISTRY": json.dumps([{"key": "files:fakeapp", "title": "Fake", "enabled_by_default": True}])
        },
        "files": {
            "BLOBS_URL": str(folder / "blobs"),
            "INTEGRATIONS": where["integrations"],
            "APPS": json.dumps([FAKE_APP.model_dump()]),
        },
        "agent": {"FILES": where["files"], "FOLLOWER_DATABASE_URL": secret(urls["agent"].follower)},
    }
    async with AsyncExitStack() as stack:
        for service, address in where.items():
            common = {
                "LISTEN": address,
                "DATABASE_URL": secret(urls[service].service),
                "LOG_LEVEL": "DEBUG",
                "LOG_FORMAT": "json",
                "NOTICE": "0ms",
            }
            environment = {f"LATTICE_{service.upper()}_{name}": it for name, it in (common | settings[service]).items()}
            environment |= {"LATTICE_TRACE_FILE": str(folder / "spans.jsonl"), "PYTHONPATH": python_path}
            program = Program(name=f"lattice-{service}", arguments=["serve"], environment=environment)
            await stack.enter_async_context(serving(program, address, folder / f"{service}.log"))
        yield Talkative(suite=Suite(**where, blobs=folder / "blobs"), folder=folder)


@pytest.fixture
async def urls(new_database: Callable[[], DatabaseUrls]) -> dict[str, DatabaseUrls]:
    """A migrated database for each service."""
    made = {}
    for distribution, migrations in MIGRATIONS.items():
        service = {"artifactr": "agent"}.get(distribution, distribution.removeprefix("lattice_"))
        made[service] = new_database()
        await migrate(made[service].owner, migrations)
    return made


def lock_out(postgres: EmbeddedPostgres, urls: dict[str, DatabaseUrls]) -> None:
    """Let no service reach its database any more."""
    connection = psycopg2.connect(postgres.admin_dsn)
    connection.autocommit = True
    with connection.cursor() as cursor:
        for each in urls.values():
            role = make_url(each.service).username
            cursor.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(role)))
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (role,))
    connection.close()


async def error_of(call: Awaitable[object]) -> str:
    """All that a call is told that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    return f"{failed.value} {failed.value.trailing_metadata()} {failed.value.debug_error_string()}"


async def errors_of(tenant: Tenant) -> list[str]:
    """The errors of calls about what is missing, misshapen or outdated, and of an app that dies."""
    return [
        await error_of(tenant.files.sees("missing")),
        await error_of(tenant.files.sees("x" * 500)),
        await error_of(tenant.files.edits("plan", 7, append("Late."))),
        await error_of(tenant.files.uploads(document("One.", fault="crash"))),
        await error_of(tenant.integrations.switches("files:nosuch", on=True, expected=0)),
        await error_of(tenant.agent.sends("Hello?", thread_id="missing")),
        await error_of(tenant.agent.run("missing")),
    ]


async def test_no_secret_turns_up_in_logs_spans_errors_or_events(
    postgres: EmbeddedPostgres, urls: dict[str, DatabaseUrls], tmp_path: Path
) -> None:
    """SE-01: at the level DEBUG, with calls that succeed, that fail, and that find their database gone."""
    async with talkative(urls, tmp_path) as services, services.suite.tenant("acme", *CREDENTIALS) as acme:
        answers = await acme.reads_everything()
        errors = await errors_of(acme)
        lock_out(postgres, urls)
        outage = await acme.reads_everything()
    assert "PEER_UNAVAILABLE" in str(outage)
    told = {"answers": str(answers), "errors": str(errors), "outage": str(outage), **services.told}
    assert {"integrations.log", "files.log", "agent.log", "spans.jsonl"} <= told.keys()
    for place, text in told.items():
        assert [it for it in (PASSWORD, TOKEN, KEY) if it in text] == [], place
    assert all('"DEBUG"' in told[f"{service}.log"] for service in ("integrations", "files", "agent"))
    assert "artifact_created" in answers["lattice.files.v1.ChangesService.ListChanges"]
    assert len(told["spans.jsonl"].splitlines()) > 50


@pytest.mark.parametrize(
    "wrong",
    [
        {"LATTICE_AGENT_FILES": ""},
        {"LATTICE_AGENT_FILES": "127.0.0.1:1", "LATTICE_AGENT_LOOK_EVERY": "soon"},
        {"LATTICE_AGENT_FILES": "127.0.0.1:1"},
    ],
    ids=["a setting is missing", "a setting is malformed", "the database cannot be reached"],
)
async def test_a_service_that_cannot_start_says_why_without_its_password(wrong: dict[str, str], tmp_path: Path) -> None:
    """SE-01: what was given is printed beside what is missing."""
    address = free_address()
    given = {
        "LATTICE_AGENT_LISTEN": address,
        "LATTICE_AGENT_DATABASE_URL": f"postgresql+aiopg://agent:{PASSWORD}@127.0.0.1:1/agent",
        **{name: value for name, value in wrong.items() if value},
    }
    program = Program(name="lattice-agent", arguments=["serve"], environment=given)
    with pytest.raises(ServiceFailedError):
        async with serving(program, address, tmp_path / "agent.log"):
            pass
    said = (tmp_path / "agent.log").read_text()
    assert "Error" in said
    assert PASSWORD not in said
