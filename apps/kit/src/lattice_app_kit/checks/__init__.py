"""Every check of the kit, by subject."""

from collections.abc import Sequence
from typing import Final

from lattice_app_kit.check import Check
from lattice_app_kit.checks import batches, catalogue, isolation, pages, reading, streams

ALL: Final[Sequence[Check]] = [
    check for subject in (catalogue, reading, batches, pages, streams, isolation) for check in subject.CHECKS.all
]
