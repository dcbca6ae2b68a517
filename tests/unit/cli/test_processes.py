"""What must hold before the suite's processes are started."""

import json
import socket
from pathlib import Path

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_cli.connection import Addresses
from lattice_cli.processes import ServiceFailedError, free_address, require_free
from lattice_cli.suite import environment_of, running_suite


def test_an_address_that_somebody_listens_on_is_refused_by_name() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ServiceFailedError, match=address):
            require_free([free_address(), address])
    require_free([address])


def test_an_address_given_twice_is_refused() -> None:
    address = free_address()
    with pytest.raises(ServiceFailedError, match=address):
        require_free([address, address])


@pytest.mark.parametrize("address", ["", "7701", "localhost", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:x"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ServiceFailedError, match="is no address"):
        require_free([address])


async def test_nothing_is_started_where_an_address_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        addresses = Addresses(integrations=free_address(), files=address, agent=free_address(), spans=free_address())
        with pytest.raises(ServiceFailedError, match=address):
            async with running_suite(tmp_path, addresses=addresses):
                pytest.fail("it started")
    assert not (tmp_path / "postgres").exists()


def test_the_suite_serves_the_apps_that_the_environment_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And WordCraft where it names none."""
    addresses = Addresses(integrations="a", files="b", agent="c", spans="d")
    urls = DatabaseUrls(owner="o", service="s", follower="f")
    monkeypatch.delenv("LATTICE_FILES_APPS", raising=False)
    [app] = json.loads(environment_of("files", addresses, urls, tmp_path)["LATTICE_FILES_APPS"])
    assert (app["name"], Path(app["command"][-1]).name) == ("wordcraft", "lattice-wordcraft")
    monkeypatch.setenv("LATTICE_FILES_APPS", "others")
    assert environment_of("files", addresses, urls, tmp_path)["LATTICE_FILES_APPS"] == "others"
