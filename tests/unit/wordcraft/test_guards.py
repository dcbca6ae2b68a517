"""Hostile packages, each refused by its own guard before anything is inflated beyond limits."""

import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

import pytest
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import opened
from lattice_wordcraft.refusals import FileRefused, FileTooLarge
from service.wordcraft.documents import packed, parts_of, plan

MAIN = "word/document.xml"


def with_parts(parts: Mapping[str, bytes | None]) -> bytes:
    """The plan with some parts replaced, added or (None) left out."""
    return packed({name: part for name, part in {**parts_of(plan()), **parts}.items() if part is not None})


def with_twice(name: str, twin: str) -> bytes:
    """The plan with another entry beside one of its own."""
    content = BytesIO(plan())
    with warnings.catch_warnings(), zipfile.ZipFile(content, "a") as archive:
        warnings.simplefilter("ignore")  # zipfile's own doubts
        assert name in archive.namelist()
        archive.writestr(twin, b"<a/>")
    return content.getvalue()


def with_lying_size() -> bytes:
    """The directory says that the main part has ten bytes fewer than its stream holds."""
    content = bytearray(plan())
    at = content.rindex(MAIN.encode(), 0, content.rindex(b"PK\x05\x06")) - 46
    (size,) = struct.unpack_from("<I", content, at + 24)
    struct.pack_into("<I", content, at + 24, size - 10)
    return bytes(content)


def with_entries_over_each_other() -> bytes:
    """A second directory record names the bytes of the first entry."""
    content = bytearray(with_parts({"word/extra1.bin": bytes(1000)}))
    records = [at for at in range(len(content)) if content[at : at + 4] == b"PK\x01\x02"]
    content[records[-1] + 42 : records[-1] + 46] = content[records[1] + 42 : records[1] + 46]
    return bytes(content)


def with_encrypted_flag() -> bytes:
    """Every directory record says that its entry is encrypted."""
    content = bytearray(plan())
    for at in range(len(content)):
        if content[at : at + 4] == b"PK\x01\x02":
            content[at + 8] |= 1
    return bytes(content)


def with_doctype() -> bytes:
    main = parts_of(plan())[MAIN]
    doctype = b'<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    return with_parts({MAIN: main.replace(b"?>", b"?>" + doctype, 1)})


def with_content_type(old: str, new: str) -> bytes:
    types = parts_of(plan())["[Content_Types].xml"]
    assert old.encode() in types
    return with_parts({"[Content_Types].xml": types.replace(old.encode(), new.encode())})


def with_macro_project() -> bytes:
    types = parts_of(plan())["[Content_Types].xml"]
    declared = b'<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>'
    return with_parts({"word/vbaProject.bin": b"x", "[Content_Types].xml": types.replace(b"</Types>", declared)})


HOSTILE: Mapping[str, tuple[str, Callable[[], bytes]]] = {
    "nothing": ("empty", lambda: b""),
    "no zip at all": ("not_a_package", lambda: b"%PDF-1.7 is another format"),
    "cut off": ("not_a_package", lambda: plan()[: len(plan()) // 2]),
    "a password, in a binary container": (
        "encrypted",
        lambda: bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"),
    ),
    "a binary document": ("legacy_format", lambda: bytes.fromhex("d0cf11e0a1b11ae1") + b"WordDocument"),
    "encrypted entries": ("encrypted", with_encrypted_flag),
    "60,000 entries": ("entry_count", lambda: packed({f"x/{at}.bin": b"" for at in range(60_000)})),
    "a bomb of XML": ("entry_size", lambda: with_parts({MAIN: b"<w:p/>" * 12_000_000})),
    "a bomb of media": ("entry_size", lambda: with_parts({"word/media/image1.bmp": bytes(101 * 2**20)})),
    "many bombs below the limit of one": (
        "compression_ratio",
        lambda: with_parts({f"word/media/image{at}.bmp": bytes(20 * 2**20) for at in range(3)}),
    ),
    "two million paragraphs in a few bytes": ("compression_ratio", lambda: with_parts({MAIN: b"<w:p/>" * 2_000_000})),
    "a name that climbs": ("unsafe_name", lambda: with_parts({"../../etc/cron.d/x": b"x"})),
    "an absolute name": ("unsafe_name", lambda: with_parts({"/etc/passwd": b"x"})),
    "a name with a backslash": ("unsafe_name", lambda: with_parts({"word\\evil.xml": b"<a/>"})),
    "a name twice": ("duplicate_name", lambda: with_twice(MAIN, MAIN)),
    "names that differ in case alone": ("duplicate_name", lambda: with_twice(MAIN, "Word/Document.xml")),
    "a size that lies": ("local_header", with_lying_size),
    "entries over each other": ("overlap", with_entries_over_each_other),
    "a document type with entities": ("doctype", with_doctype),
    "a document type in UTF-16": (
        "doctype",
        lambda: with_parts({"customXml/item1.xml": '<!DOCTYPE a [<!ENTITY x "y">]><a/>'.encode("utf-16")}),
    ),
    "a document type in UTF-7": (
        "xml_encoding",
        lambda: with_parts(
            {"customXml/item1.xml": b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>'}
        ),
    ),
    "UTF-16 without its mark": (
        "xml_encoding",
        lambda: with_parts({"customXml/item1.xml": "<!DOCTYPE a><a/>".encode("utf-16-le")}),
    ),
    "a relationship file with a document type": (
        "doctype",
        lambda: with_parts({"word/_rels/document.xml.rels": b'<!DOCTYPE a SYSTEM "http://127.0.0.1/x"><a/>'}),
    ),
    "no content types": ("missing_part", lambda: with_parts({"[Content_Types].xml": None})),
    "no relationships": ("missing_part", lambda: with_parts({"_rels/.rels": None})),
    "no main part": ("missing_part", lambda: with_parts({MAIN: None})),
    "content types that are no XML": ("malformed_xml", lambda: with_parts({"[Content_Types].xml": b"<Types"})),
    "a macro document by its type": (
        "macros",
        lambda: with_content_type(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
            "application/vnd.ms-word.document.macroEnabled.main+xml",
        ),
    ),
    "a macro project beside an honest document": ("macros", with_macro_project),
    "a workbook": (
        "not_a_document",
        lambda: with_content_type("wordprocessingml.document.main+xml", "spreadsheetml.sheet.main+xml"),
    ),
}


@pytest.mark.parametrize(("guard", "made"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_package_is_refused_by_its_guard(guard: str, made: Callable[[], bytes]) -> None:
    """SE-07, N-25: each has a guard of its own."""
    content = made()
    with pytest.raises(FileRefused) as refused:
        opened(content, Limits())
    assert refused.value.guard == guard


def test_a_bomb_costs_no_memory() -> None:
    """SE-07: limits are checked before anything is inflated."""
    bomb = with_parts({MAIN: b"<w:p/>" * 12_000_000})
    tracemalloc.start()
    with pytest.raises(FileRefused):
        opened(bomb, Limits())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20


def test_a_file_over_the_limit_is_too_large_and_says_so() -> None:
    """R-07: with size and limit."""
    content = plan()
    with pytest.raises(FileTooLarge) as refused:
        opened(content, Limits(file=1000))
    assert (refused.value.size, refused.value.limit) == (len(content), 1000)


def test_all_parts_together_are_bounded() -> None:
    """SE-07: many entries of an honest ratio are a bomb too."""
    with pytest.raises(FileRefused) as refused:
        opened(plan(), Limits(inflated=10_000))
    assert refused.value.guard == "inflated_size"


def test_an_ordinary_package_passes() -> None:
    """N-13: the guards let through what Word and others write."""
    read = opened(plan(), Limits())
    assert read.main == MAIN
    assert list(read.parts) == list(parts_of(plan()))
