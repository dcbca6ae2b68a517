"""The guards before any parser; tests/service/wordcraft/hostile has the packages that they refuse."""

import struct
import tracemalloc

import pytest
from lattice_wordcraft import emptiness, reading
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import opened
from lattice_wordcraft.refusals import FileRefused, FileTooLarge
from service.wordcraft.documents import packed, parts_of, plan
from service.wordcraft.hostile.case import MAIN, with_parts
from service.wordcraft.hostile.raw_zip import plan_entries, written
from service.wordcraft.hostile.trial import HONEST


def refused_by(content: bytes, limits: Limits | None = None) -> str:
    """The guard that refuses a package."""
    with pytest.raises(FileRefused) as refused:
        opened(content, limits or Limits())
    return refused.value.guard


def test_no_bytes_are_no_package() -> None:
    """SE-10."""
    assert refused_by(b"") == "empty"


def test_a_bomb_costs_no_memory() -> None:
    """SE-07: limits are checked before anything is inflated."""
    bomb = with_parts({MAIN: b"<w:p/>" * 12_000_000})
    tracemalloc.start()
    assert refused_by(bomb) == "entry_size"
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
    assert refused_by(plan(), Limits(inflated=10_000)) == "inflated_size"


def test_an_ordinary_package_passes() -> None:
    """N-13: the guards let through what Word and others write."""
    read = opened(plan(), Limits())
    assert read.main == MAIN
    assert list(read.parts) == list(parts_of(plan()))


def test_an_archive_written_as_a_stream_passes() -> None:
    """SE-10: its sizes stand behind each entry, since its writer did not know them."""
    entries = plan_entries()
    for entry in entries:
        entry.local = {"flags": 0x808, "crc": 0, "stored": 0, "inflated": 0}
        entry.directory = {"flags": 0x808}
        told = entry.told({})
        sizes = struct.pack("<4s3I", b"PK\x07\x08", int(told["crc"]), int(told["stored"]), int(told["inflated"]))
        entry.behind = sizes
    assert list(opened(written(entries), Limits()).parts) == list(parts_of(plan()))


def test_utf_16_with_its_mark_passes() -> None:
    """SE-10: as some writers make it."""
    main = parts_of(plan())[MAIN].decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert "Closing words." in reading.text_of(opened(with_parts({MAIN: main}), Limits()))


def test_a_picture_within_the_limit_passes_and_one_beyond_is_refused() -> None:
    """SE-10: told from its header."""
    picture = {"word/media/image1.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 3_000, 3_000)}
    opened(with_parts(picture), Limits(image_pixels=9_000_000))
    assert refused_by(with_parts(picture), Limits(image_pixels=8_999_999)) == "image_size"


@pytest.mark.parametrize(
    ("old", "new"), [(b"w:p>", b"w:q>"), (b"w:r>", b"w:pict>")], ids=["outside a paragraph", "in a picture"]
)
def test_words_in_places_that_nobody_reads_are_no_empty_document(old: bytes, new: bytes) -> None:
    """N-13: refused, since an empty text would pass for the truth."""
    parts = parts_of(HONEST)
    read = opened(packed({**parts, MAIN: parts[MAIN].replace(old, new)}), Limits())
    assert not reading.text_of(read).strip()
    with pytest.raises(FileRefused) as refused:
        emptiness.check(read)
    assert refused.value.guard == "unread_words"


def test_a_document_whose_words_are_all_deleted_is_read_as_empty() -> None:
    """N-13: the final view has none."""
    parts = parts_of(HONEST)
    gone = b'<w:moveFrom w:id="1" w:author="A"><w:r><w:t>gone</w:t></w:r></w:moveFrom>'
    deleted = parts[MAIN].replace(b"<w:r><w:t>An honest word.</w:t></w:r>", gone)
    read = opened(packed({**parts, MAIN: deleted}), Limits())
    assert reading.text_of(read) == "\n"
    emptiness.check(read)


def test_pictures_are_bounded_together_too() -> None:
    """SE-10: each may be as large as it is, but not all of them on one page."""
    one = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 1_000, 1_000)
    pictures = {f"word/media/image{number}.png": one for number in range(3)}
    opened(with_parts(pictures), Limits(images_pixels=4_000_000))  # the plan has a small one
    assert refused_by(with_parts(pictures), Limits(images_pixels=3_000_000)) == "images_total"


@pytest.mark.parametrize(
    "image",
    [
        struct.pack("<IH4hH", 0x9AC6CDD7, 0, 0, 0, 9_000, 6_000, 1_000),
        struct.pack("<II8i4s", 1, 88, 0, 0, 864, 576, 0, 0, 22_860, 15_240, b" EMF"),
    ],
    ids=["a WMF of nine by six inches", "an EMF of nine by six inches"],
)
def test_a_drawing_is_as_large_as_it_is_drawn(image: bytes) -> None:
    """SE-10: at 96 pixels an inch."""
    drawing = {"word/media/image1.bin": image}
    opened(with_parts(drawing), Limits(image_pixels=864 * 576))
    assert refused_by(with_parts(drawing), Limits(image_pixels=864 * 576 - 1)) == "metafile_size"
