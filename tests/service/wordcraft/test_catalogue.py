"""Every command's example, executed against a document that it fits."""

from typing import Any

import pytest
from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import TEXT_ROLES, opened
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import form, png

pytestmark = pytest.mark.documents

_FURNITURE = (
    ("insert_table", {"quote": "Closing words", "rows": [["Total", ""], ["Net", "Gross"]]}),
    ("merge_cells", {"quote": "Total", "columns": 2}),
    ("add_link", {"quote": "Acme pays", "address": "https://www.example.org/"}),
    ("add_bookmark", {"quote": "Mara", "name": "Payer"}),
    ("insert_paragraph", {"quote": "Launch plan", "text": "Illustration", "style": "Normal"}),
    ("insert_image", {"quote": "Illustration", "image": png((0, 0, 255), 8, 4), "alt_text": "A blue bar"}),
)


@pytest.fixture(scope="session")
async def reviewed(edits: Edits) -> bytes:
    """The plan with a thread, a resolved comment and tracked changes of Nadia Haddad."""
    steps = (
        ("add_comment", {"quote": "in Berlin", "text": "Is it booked?"}),
        ("add_comment", {"quote": "First point", "text": "Why first?"}),
        ("add_comment", {"quote": "Closing words", "text": "Too short."}),
        ("resolve_comment", {"comment_id": "comment-3"}),
        ("replace_text", {"quote": "Page footer", "replacement": "Footer"}),
        ("insert_paragraph", {"quote": "First point", "text": "A point between."}),
        ("add_footnote", {"quote": "1200", "text": "Prices of May."}),
    )
    furnished = await edits(form(), *_FURNITURE, author="Nadia Haddad", tracked=False)
    reviewed = await edits(furnished.content, *steps, author="Nadia Haddad")
    return (await edits(reviewed.content, ("add_comment", {"quote": "Gross", "text": "Who signs?"}))).content


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
@pytest.mark.parametrize("command", CATALOGUE)
async def test_the_example_of_a_command_works_and_changes_only_what_it_declares(
    app: WordCraft, edits: Edits, reviewed: bytes, command: str, tracked: bool
) -> None:
    """N-16, N-17: what the catalogue shows is what the app does."""
    example: dict[str, Any] = dict(CATALOGUE[command].example)
    if "change_id" in example:  # an id of this very document; the example's is of none
        example["change_id"] = next(
            item["id"] for item in (await app.extract(reviewed)).review if item["type"] == "tracked_change"
        )
    result = await edits(reviewed, (command, example), tracked=tracked)
    assert result.changed_parts
    before, after = opened(reviewed, Limits()), opened(result.content, Limits())
    for name in result.changed_parts:
        assert (after.roles.get(name) or before.roles.get(name)) in CATALOGUE[command].changes


async def test_every_example_fits_its_own_schema() -> None:
    """The contract promises it."""
    for command in CATALOGUE.values():
        assert command.model_validate(command.example, strict=True).model_fields_set == set(command.example)
        assert command.changes


async def test_a_stale_change_id_is_refused(edits: Edits, reviewed: bytes) -> None:
    """R-06: an id of another document resolves nothing."""
    for command in ("accept_change", "reject_change"):
        with pytest.raises(AppRefused, match="revision not found"):
            await edits(reviewed, (command, {"change_id": "rev2-0a1b2c3d4e5f60718293"}))


async def test_text_roles_are_what_text_commands_change() -> None:
    """The catalogue's patterns are those of the parts that hold words."""
    assert CATALOGUE["replace_text"].changes == TEXT_ROLES
