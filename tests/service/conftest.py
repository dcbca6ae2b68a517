"""What the tests of all services share: the audit log as a deployment writes it, and databases of older releases."""

import json
import logging
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, TypeAlias

import psycopg2
import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.telemetry import HumanLines, JsonLines
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a class
from psycopg2.extensions import make_dsn
from sqlalchemy import make_url

UpTo: TypeAlias = Callable[[str, str], AbstractAsyncContextManager["Older"]]
"""Opens a database of a package of migrations as it was before one of its revisions."""


class Older:
    """A database of an older release, in the hands of its administrator, whom row-level security does not bind."""

    def __init__(self, urls: DatabaseUrls, cursor: Cursor, package: str) -> None:
        self.urls = urls
        self.cursor = cursor
        self._package = package

    async def is_brought_up_to_date(self) -> None:
        """Apply what was left out."""
        assert await migrate(self.urls.owner, self._package)

    def told(self, query: str) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        self.cursor.execute(query)
        return list(self.cursor.fetchall())


@pytest.fixture
def before_revision(
    postgres: EmbeddedPostgres,
    new_database: Callable[[], DatabaseUrls],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> UpTo:
    """Makes such databases."""

    @asynccontextmanager
    async def make(package: str, revision: str) -> AsyncIterator[Older]:
        older = f"{package.replace('.', '_')}_before_{revision}"
        (tmp_path / older).mkdir()
        with as_file(files(package)) as folder:
            for module in folder.glob("*.py"):
                if module.name < f"r{revision}":
                    shutil.copy(module, tmp_path / older)
        monkeypatch.syspath_prepend(tmp_path)
        urls = new_database()
        await migrate(urls.owner, older)
        connection = psycopg2.connect(make_dsn(postgres.admin_dsn, dbname=make_url(urls.owner).database))
        connection.autocommit = True
        try:
            yield Older(urls, connection.cursor(), package)
        finally:
            connection.close()

    return make


class AuditRecord(logging.Handler):
    """The lines of the audit log, in both styles."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(JsonLines().format(record)))
        self.texts.append(HumanLines().format(record))

    def of(self, method: str) -> list[dict[str, Any]]:
        """The lines about a method, each without what is another one every time."""
        lines = [it for it in self.lines if it["rpc_method"].endswith(f"/{method}")]
        told = ("participant", "resource", "outcome", "reason")
        return [{key: line[key] for key in told if key in line} for line in lines]


@pytest.fixture
def audit() -> Iterator[AuditRecord]:
    """What this test's calls put on record."""
    log, handler = logging.getLogger("lattice.audit"), AuditRecord()
    before = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)
    log.setLevel(before)
