"""Archives that lie, overflow, climb or hide something, and files that are no archives."""

import struct
import zlib
from collections.abc import Callable

from service.wordcraft.hostile.case import MAIN, Case, always, noise, plan_parts, with_parts
from service.wordcraft.hostile.raw_zip import Entry, plan_entries, written

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_NOISE = noise(2**20)


_SHORT = {"inflated": 900, "crc": zlib.crc32(bytes(900))}
"""What an entry of 1,000 zero bytes may say, and be believed by whoever reads as far as it says."""


def _named(*names: str) -> Callable[[str], bytes]:
    return always(lambda: written(plan_entries(*(Entry(name.encode(), b"<a/>") for name in names))))


def _with(**changes: object) -> Callable[[str], bytes]:
    """The plan with one more entry, whose fields are changed."""
    return always(lambda: written(plan_entries(Entry(b"word/media/more.bin", bytes(1_000), **changes))))  # type: ignore[arg-type]


def _many_paragraphs() -> bytes:
    """Some 700,000 paragraphs that pack no better than an honest text, thanks to the noise between them."""
    between = noise(60_000).hex()
    runs = "".join("<w:p/>" * 120 + f"<!--{between[at : at + 20]}-->" for at in range(0, len(between), 20))
    main = plan_parts()[MAIN].decode().replace("<w:body>", "<w:body>" + runs)
    return with_parts({MAIN: main.encode()})


def _same_bytes_twice() -> bytes:
    entries = plan_entries(Entry(b"word/media/twin.bin", bytes(1_000)))
    entries[-1].directory = {"offset": 0}
    return written(entries)


def _quoted_entry() -> bytes:
    """An entry whose stored bytes hold the header and the bytes of another one."""
    inner = Entry(b"word/media/inner.bin", bytes(1_000))
    header = struct.pack(
        "<4s5H3I2H",
        *(b"PK\x03\x04", 20, 0x800, 8, 0, 0x21),
        *(int(inner.told({})["crc"]), len(inner.packed()), 1_000, len(inner.name), 0),
    )
    kernel = header + inner.name + inner.packed()
    outer = Entry(b"word/media/outer.bin", kernel, method=0)
    at = written([*plan_entries(), outer]).index(kernel)
    return written([*plan_entries(), outer, Entry(inner.name, inner.content, directory={"offset": at})])


def _two_archives() -> bytes:
    return written(plan_entries()) + written([Entry(b"word/other.xml", b"<a/>")])


def _zip64_end() -> bytes:
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 0, 1)
    return written(plan_entries(), before_end=locator)


_CLIMBING = ("../../../../../../var/{0}", "word/../../../{0}", "/var/{0}", "//server/{0}", "C:/{0}", "C:\\{0}")
_CLIMBING_LATER = ("word\\..\\..\\{0}", "word/%2e%2e/%2E%2E/{0}", "word/{0}\x00.xml", "word/{0}.", "word/ /{0}")
MARK = "lattice-hostile-was-here"
"""What the entries that climb out of the package are called."""

NAMES = [name.format(MARK) for name in (*_CLIMBING, *_CLIMBING_LATER)]

CASES = [
    Case("another format", "not_a_package", always(lambda: b"%PDF-1.7 is another format")),
    Case("half an archive", "not_a_package", always(lambda: written(plan_entries())[:9_000])),
    Case(
        "a password, in a binary container", "encrypted", always(lambda: _OLE + "EncryptedPackage".encode("utf-16-le"))
    ),
    Case("a binary document", "legacy_format", always(lambda: _OLE + b"WordDocument")),
    Case("an encrypted entry", "encrypted", _with(local={"flags": 0x801}, directory={"flags": 0x801})),
    Case("an entry that its own header says is encrypted", "local_header", _with(local={"flags": 0x801})),
    Case("10,000 entries", "entry_count", always(lambda: written(Entry(b"x/%d" % at, b"") for at in range(10_000)))),
    Case("a directory of names alone", "entry_count", _named(*(f"x/{at:03000}" for at in range(800)))),
    Case(
        "an end that counts fewer entries", "not_a_package", always(lambda: written(plan_entries(), end={"count": 3}))
    ),
    Case("an archive of many disks", "not_a_package", always(lambda: written(plan_entries(), end={"disk": 1}))),
    Case(
        "an end that names another place",
        "not_a_package",
        always(lambda: written(plan_entries(), end={"offset": 10**6})),
    ),
    Case(
        "sizes that add up",
        "inflated_size",
        always(
            lambda: written(
                plan_entries(
                    *(Entry(b"word/media/%d.bin" % at, _NOISE, directory={"inflated": 99 * 2**20}) for at in range(3))
                )
            )
        ),
    ),
    Case("a part of more bytes than may be", "entry_size", _with(directory={"inflated": 101 * 2**20})),
    Case("a part of too high a ratio", "compression_ratio", _with(directory={"inflated": 99 * 2**20})),
    Case(
        "two million paragraphs in a few bytes",
        "compression_ratio",
        always(lambda: with_parts({MAIN: b"<w:p/>" * 2_000_000})),
    ),
    Case("700,000 paragraphs at an honest ratio", "xml_elements", always(_many_paragraphs)),
    *(Case(f"an entry named {name!r}", "unsafe_name", _named(name)) for name in NAMES),
    Case("a name twice", "duplicate_name", _named(MAIN)),
    Case("names that differ in case alone", "duplicate_name", _named("Word/Document.xml")),
    Case("names that differ in Unicode form alone", "duplicate_name", _named("word/\u00e9.xml", "word/e\u0301.xml")),
    Case("a name in full width", "duplicate_name", _named("word/\uff44ocument.xml")),
    Case(
        "a stream longer than declared, with the checksum of what is",
        "damaged_entry",
        _with(local=_SHORT, directory=_SHORT),
    ),
    Case("a stream longer than declared", "damaged_entry", _with(local={"inflated": 900}, directory={"inflated": 900})),
    Case(
        "a stream shorter than declared",
        "damaged_entry",
        _with(local={"inflated": 9_000}, directory={"inflated": 9_000}),
    ),
    Case("a checksum that lies", "damaged_entry", _with(local={"crc": 1}, directory={"crc": 1})),
    Case("a stream that is none", "damaged_entry", _with(stored=b"\xff" * 100)),
    Case(
        "bytes behind the stream of an entry",
        "damaged_entry",
        _with(stored=Entry(b"", bytes(1_000)).packed() + b"hidden"),
    ),
    Case("a stored entry of another size", "damaged_entry", _with(method=0, stored=bytes(10))),
    Case("an entry over another", "overlap", always(_same_bytes_twice)),
    Case("an entry inside another", "overlap", always(_quoted_entry)),
    Case("an entry over the directory", "overlap", _with(local={"stored": 900}, directory={"stored": 900})),
    Case("a program in front", "leading_bytes", always(lambda: written(plan_entries(), before=b"MZ" + bytes(500)))),
    Case(
        "an entry in front that the directory leaves out",
        "leading_bytes",
        always(lambda: written(plan_entries(), before=written([Entry(b"a.xml", b"<a/>")])[:-60])),
    ),
    Case("two archives, one behind the other", "leading_bytes", always(_two_archives)),
    Case("bytes behind the end", "trailing_bytes", always(lambda: written(plan_entries(), after=b"<script>"))),
    Case(
        "a comment to the archive", None, always(lambda: written(plan_entries(), after=bytes(20), end={"comment": 20}))
    ),
    Case(
        "more than its comment behind the archive",
        "trailing_bytes",
        always(lambda: written(plan_entries(), after=bytes(21), end={"comment": 20})),
    ),
    Case(
        "bytes behind the last entry",
        "trailing_bytes",
        always(lambda: written(plan_entries(), before_directory=bytes(99))),
    ),
    Case("an end of zip64", "zip64", always(_zip64_end)),
    Case("more entries than zip could count", "zip64", always(lambda: written(plan_entries(), end={"count": 0xFFFF}))),
    Case(
        "a header with sizes of zip64",
        "zip64",
        _with(local={"inflated": 0xFFFFFFFF, "stored": 0xFFFFFFFF, "extra": struct.pack("<HHQQ", 1, 16, 1_000, 17)}),
    ),
    Case(
        "a directory with sizes of zip64",
        "zip64",
        _with(directory={"inflated": 0xFFFFFFFF, "extra": struct.pack("<HHQ", 1, 8, 1_000)}),
    ),
    Case("a header with another name", "local_header", _with(local={"name": b"word/media/less.bin"})),
    Case("a header with another method", "local_header", _with(local={"method": 0})),
    Case("a header with another size", "local_header", _with(local={"inflated": 10})),
    Case("a header with another checksum", "local_header", _with(local={"crc": 1})),
    Case("a header that is elsewhere", "local_header", _with(directory={"offset": 2**31})),
    Case("bzip2", "compression_method", _with(method=12)),
    Case("LZMA", "compression_method", _with(method=14)),
    Case("Deflate64", "compression_method", _with(method=9)),
]

BOMBS = [
    Case("a bomb of XML", "entry_size", always(lambda: with_parts({MAIN: b"<w:p/>" * 12_000_000}))),
    Case("a bomb of media", "entry_size", always(lambda: with_parts({"word/media/image1.bmp": bytes(101 * 2**20)}))),
    Case(
        "bombs below the limit of one",
        "compression_ratio",
        always(lambda: with_parts({f"word/media/image{at}.bmp": bytes(20 * 2**20) for at in range(2)})),
    ),
]
"""Which take their time to make."""
