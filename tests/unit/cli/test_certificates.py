"""The certificates of a suite: made once, or those that are given."""

from pathlib import Path

import pytest
from lattice_chassis.server import CannotServe
from lattice_cli.certificates import certificates_in
from lattice_cli.connection import Addresses


def test_they_are_made_in_an_empty_folder_and_are_the_same_from_then_on(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    certificates_in(folder)
    made = {it.name: it.read_bytes() for it in folder.iterdir()}
    assert set(made) == {"ca.pem", "certificate.pem", "key.pem"}
    certificates_in(folder).server.credentials()
    assert {it.name: it.read_bytes() for it in folder.iterdir()} == made


def test_their_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    certificates_in(tmp_path)
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600


def test_one_that_is_missing_from_those_given_is_named_and_none_is_made(tmp_path: Path) -> None:
    """TL-04."""
    certificates_in(tmp_path)
    (tmp_path / "key.pem").unlink()
    with pytest.raises(CannotServe, match=r"key\.pem cannot be read"):
        _ = certificates_in(tmp_path).client.credentials
    assert not (tmp_path / "key.pem").exists()


def test_a_running_suite_tells_how_it_is_called(tmp_path: Path) -> None:
    tls = certificates_in(tmp_path / "certificates").client
    for addresses in (
        Addresses(integrations="a", files="b", agent="c", spans="d", tls=tls),
        Addresses(integrations="a", files="b", agent="c", spans="d"),
    ):
        addresses.save(tmp_path / "suite.json")
        assert Addresses.load(tmp_path / "suite.json") == addresses
