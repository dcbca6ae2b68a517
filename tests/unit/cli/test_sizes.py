"""Sizes as people read them."""

import pytest
from lattice_cli.collection import readable


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "0.977 KiB"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (102_400, "100 KiB"),
        (1024**2 - 1, "1 MiB"),
        (52_428_800, "50 MiB"),
        (2**63 - 1, "8 EiB"),
    ],
)
def test_a_size_is_told_with_at_most_three_digits(size: int, told: str) -> None:
    """CLI: a count of bytes means nothing to people."""
    assert readable(size) == told
