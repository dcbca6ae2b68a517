"""Runs SQLAlchemy's own compliance suite on `postgresql+aiopg` and a real server; exits as pytest does.

It is a program, and no test among the others, because the suite takes the whole of pytest over: collection, fixtures,
event loops. Arguments go to pytest.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import psycopg2
import pytest
from lattice_chassis.postgres.embedded import EmbeddedPostgres


def main() -> int:
    """Start a server, run the suite in this folder, stop the server."""
    here = Path(__file__).parent
    folder = Path(tempfile.mkdtemp(prefix="lattice-compliance-"))
    try:
        with EmbeddedPostgres(folder, settings={"fsync": "off"}) as server:
            urls = server.create_database("compliance")
            dsn = server.admin_dsn.replace("dbname=postgres", "dbname=compliance")
            with contextlib.closing(psycopg2.connect(dsn)) as connection, connection, connection.cursor() as cursor:
                cursor.execute("CREATE SCHEMA test_schema AUTHORIZATION compliance_owner")
            os.chdir(here)  # where the suite looks for its configuration
            sys.path.insert(0, str(here))
            return pytest.main(["-c", "setup.cfg", "--dburi", urls.owner, "suite.py", *sys.argv[1:]])
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
