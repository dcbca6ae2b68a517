"""What is kept of the original when the engine hands back a package of its own."""

import pytest
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import Package, Role, changed_parts, opened, packed, restored
from lattice_wordcraft.refusals import FileRefused
from service.wordcraft.documents import parts_of, plan

MAIN = "word/document.xml"


def package_with(**changes: bytes) -> Package:
    """The plan with some parts changed; two underscores stand for a slash."""
    parts = parts_of(plan())
    parts.update({name.replace("__", "/") + ".xml": part for name, part in changes.items()})
    return opened(packed(parts), Limits())


def test_a_part_that_no_command_may_change_is_the_originals() -> None:
    """F-08: whatever the engine did to it."""
    original = opened(plan(), Limits())
    produced = package_with(
        word__styles=b"<styles/>", word__document=original.parts[MAIN].replace(b"Monday", b"Friday")
    )
    parts = restored(original, produced, {Role.MAIN})
    assert changed_parts(original, parts) == [MAIN]
    assert parts["word/styles.xml"] == original.parts["word/styles.xml"]


def test_a_part_that_says_the_same_keeps_its_bytes() -> None:
    """F-10: another order of attributes or way to close an element is no change."""
    original = opened(plan(), Limits())
    main = original.parts[MAIN].replace(b"/>", b" />")
    assert main != original.parts[MAIN]
    assert changed_parts(original, restored(original, package_with(word__document=main), {Role.MAIN})) == []


def test_what_the_engine_adds_or_drops_without_leave_is_not_followed() -> None:
    """F-08: parts appear and vanish only where a command declares it."""
    original = opened(plan(), Limits())
    produced_parts = {name: part for name, part in original.parts.items() if name != "word/header1.xml"}
    produced = opened(packed({**produced_parts, "word/stray.xml": b"<a/>"}), Limits())
    assert changed_parts(original, restored(original, produced, {Role.MAIN})) == []
    assert "word/header1.xml" not in restored(original, produced, {Role.HEADER})


def test_the_same_parts_make_the_same_bytes() -> None:
    """B-02: equal documents have one digest."""
    parts = opened(plan(), Limits()).parts
    assert packed(parts) == packed(dict(parts))


def test_a_main_part_of_any_name_is_found() -> None:
    """Parts are known by their types and relationships, not by their names."""
    parts = parts_of(plan())
    renamed = {name.replace("word/document", "word/Dokument\u00fc"): part for name, part in parts.items()}
    for index in ("[Content_Types].xml", "_rels/.rels"):
        renamed[index] = renamed[index].replace(b"word/document.xml", "word/Dokument\u00fc.xml".encode())
    read = opened(packed(renamed), Limits())
    assert read.main == "word/Dokument\u00fc.xml"
    assert read.roles["word/_rels/Dokument\u00fc.xml.rels"] is Role.MAIN_RELATIONSHIPS


def test_a_part_is_not_parsed_again_where_the_same_bytes_were() -> None:
    """F-08: a batch's result holds mostly parts that were looked at before."""
    malformed = packed({**parts_of(plan()), "word/styles.xml": b"<w:styles"})
    with pytest.raises(FileRefused, match="malformed_xml"):
        opened(malformed, Limits())
    with pytest.raises(FileRefused, match="malformed_xml"):
        opened(malformed, Limits(), known={"word/styles.xml": b"<w:styles "})
    opened(malformed, Limits(), known={"word/styles.xml": b"<w:styles"})
