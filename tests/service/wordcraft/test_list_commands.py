"""Lists: items, levels and numbers."""

import re

import pytest
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.quotes import Quotes
from lattice_wordcraft.refusals import AppRefused
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import main_of, packed, parts_of, plan, with_body

pytestmark = pytest.mark.documents


def paragraphs(*texts: str) -> bytes:
    return with_body("".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in texts))


async def labels(hosts: EngineHosts, content: bytes, *quotes: str) -> list[str | None]:
    """The bullet or number before each paragraph, as the engine counts it."""
    async with hosts.document(content) as document:
        found = Quotes(document)
        items = [
            await document.ask("get_list_membership", anchorId=(await found.paragraph(quote)).anchor)
            for quote in quotes
        ]
    return [item and (item.get("generatedLabel") or item["format"]) for item in items]


@pytest.mark.parametrize("tracked", [True, False])
async def test_paragraphs_become_one_numbered_list(sound: Edits, hosts: EngineHosts, tracked: bool) -> None:
    """Numbered from one, each paragraph tracked."""
    command = ("make_list", {"quote": "One", "through": "Three", "kind": "decimal"})
    result = await sound(paragraphs("One", "Two", "Three", "Four"), command, tracked=tracked)
    assert await labels(hosts, result.content, "One", "Two", "Three", "Four") == ["1.", "2.", "3.", None]
    assert main_of(result.content).count("<w:pPrChange ") == (3 if tracked else 0)


@pytest.mark.parametrize("tracked", [True, False])
async def test_a_second_list_begins_at_one_and_goes_on_when_asked(
    sound: Edits, hosts: EngineHosts, tracked: bool
) -> None:
    """The engine gives both one sequence; an item right after a list joins it."""
    texts = ("One", "Two", "Between", "Four", "Five")
    lists = (
        ("make_list", {"quote": "One", "kind": "decimal"}),
        ("make_list", {"quote": "Two", "kind": "decimal"}),
        ("make_list", {"quote": "Four", "through": "Five", "kind": "decimal"}),
    )
    result = await sound(paragraphs(*texts), *lists, tracked=tracked)
    assert await labels(hosts, result.content, *texts) == ["1.", "2.", None, "1.", "2."]
    joined = await sound(result.content, ("continue_numbering", {"quote": "Four"}), tracked=tracked)
    assert await labels(hosts, joined.content, *texts) == ["1.", "2.", None, "3.", "4."]
    parted = await sound(joined.content, ("restart_numbering", {"quote": "Two", "start": 7}), tracked=tracked)
    assert await labels(hosts, parted.content, *texts) == ["1.", "7.", None, "8.", "9."]


async def test_items_of_a_styled_list_change_kind_level_and_membership(sound: Edits, hosts: EngineHosts) -> None:
    """A style may be what makes them items; what is said of one is not said of the others."""
    for command, first, second in (
        (("make_list", {"quote": "First point", "kind": "lowerLetter"}), "a.", "bullet"),
        (("remove_from_list", {"quote": "First point"}), None, "bullet"),
        (("change_list_level", {"quote": "First point", "by": 2}), "bullet", "bullet"),
    ):
        result = await sound(plan(), command)
        assert await labels(hosts, result.content, "First point", "Second point") == [first, second]
        assert main_of(result.content).count("<w:pPrChange ") == 1
        assert 'w:pStyle w:val="ListBullet"' in main_of(result.content)


@pytest.mark.parametrize(
    ("command", "arguments", "why"),
    [
        ("remove_from_list", {"quote": "Closing"}, "stay unchanged"),
        ("change_list_level", {"quote": "Closing", "by": 1}, 'the paragraph "Closing words." is in no list'),
        ("change_list_level", {"quote": "First point", "by": -1}, "level"),
        ("change_list_level", {"quote": "First point", "by": 0}, "moves nothing"),
        ("restart_numbering", {"quote": "First point"}, "bullets, not numbers"),
        ("restart_numbering", {"quote": "Closing"}, "is in no list"),
        ("continue_numbering", {"quote": "Step one"}, "no other numbered list before"),
        ("make_list", {"quote": "First point"}, "such items already"),
    ],
)
async def test_what_is_no_such_item_is_refused(
    sound: Edits, command: str, arguments: dict[str, object], why: str
) -> None:
    """R-06, F-10: the agent learns why, and nothing changes."""
    for tracked in (True, False):
        with pytest.raises(AppRefused, match=why):
            await sound(plan(), (command, arguments), tracked=tracked)


@pytest.mark.parametrize("quote", ["Venue", "Page footer"])
async def test_paragraphs_of_cells_and_footers_become_items(sound: Edits, hosts: EngineHosts, quote: str) -> None:
    """N-17: one command for every place that holds words."""
    result = await sound(plan(), ("make_list", {"quote": quote, "kind": "upperRoman"}))
    assert await labels(hosts, result.content, quote) == ["I."]


async def test_the_first_list_brings_the_part_that_defines_it(sound: Edits) -> None:
    """A document without lists has none; what Word would miss otherwise is named and there."""
    bare = parts_of(plan())
    del bare["word/numbering.xml"]
    for name, pattern in (
        ("[Content_Types].xml", rb'<Override PartName="/word/numbering.xml"[^>]*/>'),
        ("word/_rels/document.xml.rels", rb'<Relationship [^>]*Target="numbering.xml"[^>]*/>'),
    ):
        bare[name] = re.sub(pattern, b"", bare[name])
    for tracked in (True, False):
        result = await sound(packed(bare), ("make_list", {"quote": "Closing"}), tracked=tracked)
        assert result.changed_parts == [
            "[Content_Types].xml",
            "word/_rels/document.xml.rels",
            "word/document.xml",
            "word/numbering.xml",
        ]
