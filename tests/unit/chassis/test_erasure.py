"""What is erased has a name."""

import argparse

import pytest
from lattice_chassis.keeping import add_commands, confirmed_extent
from lattice_chassis.postgres.erasure import Extent


@pytest.mark.parametrize(("tenant", "workspace"), [("", None), ("", "launch"), ("acme", "")])
def test_an_empty_name_is_no_extent(tenant: str, workspace: str | None) -> None:
    """ER-01: it would stand for the folder of every tenant, or for the whole of one."""
    with pytest.raises(ValueError, match="empty name"):
        Extent(tenant=tenant, workspace=workspace)


@pytest.mark.parametrize(
    "arguments", [["--tenant", "", "--yes", ""], ["--tenant", "acme", "--workspace", "", "--yes", "acme"]]
)
def test_a_command_without_a_name_erases_nothing(arguments: list[str]) -> None:
    """ER-01: as a script writes it whose variable is not set."""
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    with pytest.raises(SystemExit, match="nothing was erased"):
        confirmed_extent("files", parser.parse_args(["erase", *arguments]))
