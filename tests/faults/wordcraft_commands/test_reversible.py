"""Every command on words and layout is reversible: its tracked form says neither more nor less than its direct one."""

import pytest
from lattice_wordcraft.catalogue import (
    breaks,
    formatting,
    headers,
    layout,
    lists,
    notes,
    page_setup,
    paragraphs,
    text,
)
from lattice_wordcraft.catalogue.command import Command
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import plan
from service.wordcraft.sameness import said_by
from service.wordcraft.soundness import faults_of

pytestmark = pytest.mark.documents

SUBJECTS = (text, paragraphs, formatting, layout, lists, page_setup, headers, notes, breaks)
UNTRACKED = ("set_different_odd_and_even",)
"""Made directly, also by agents."""


@pytest.fixture(scope="session")
async def noted(edits: Edits) -> bytes:
    """The plan with a footnote and nothing to review."""
    return (await edits(plan(), ("add_footnote", {"quote": "1200", "text": "Prices of May."}), tracked=False)).content


@pytest.mark.parametrize("command", [it for module in SUBJECTS for it in module.COMMANDS], ids=lambda it: it.id)
async def test_accepted_it_is_the_direct_change_and_rejected_it_was_never_made(
    edits: Edits, noted: bytes, command: type[Command]
) -> None:
    """F-09: a reviewer decides on all of it, and on nothing else."""
    call = (command.id, dict(command.example))
    direct = (await edits(noted, call, tracked=False)).content
    tracked = (await edits(noted, call)).content
    assert faults_of(direct) == faults_of(tracked) == []
    if command.id in UNTRACKED:
        assert said_by(tracked) == said_by(direct)
        return
    assert said_by(direct) != said_by(noted)
    accepted = (await edits(tracked, ("accept_all_changes", {}))).content
    rejected = (await edits(tracked, ("reject_all_changes", {}))).content
    assert faults_of(accepted) == faults_of(rejected) == []
    assert said_by(accepted) == said_by(direct)
    assert said_by(rejected) == said_by(noted)
