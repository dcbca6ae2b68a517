"""Archives that are written: what lay packed already is taken over as it lies."""

import zipfile
from io import BytesIO

from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import opened, packed
from lattice_wordcraft.packing import entries_of
from service.wordcraft.documents import plan
from service.wordcraft.hostile.case import MAIN, noise

MEDIA = "word/media/image1.bin"


def test_a_part_that_did_not_change_is_taken_over_as_it_lies_packed() -> None:
    """F-08: whoever packed it, and however."""
    original = opened(_stored_otherwise(), Limits())
    changed = {**original.parts, MAIN: original.parts[MAIN].replace(b"Monday", b"Friday")}
    made = packed(changed, original)
    before, after = entries_of(original.content), entries_of(made)
    assert {name for name in before if before[name] != after[name]} == {MAIN}
    assert before[MEDIA].method == zipfile.ZIP_STORED


def test_what_is_packed_is_an_archive_to_the_guards_and_to_others() -> None:
    """SE-10: with names outside ASCII, and parts that are empty or new."""
    original = opened(_stored_otherwise(), Limits())
    parts = {**original.parts, "word/Brief\u00fc.bin": b"new", "word/none.bin": b""}
    made = packed(parts, original)
    assert opened(made, Limits()).parts == parts
    with zipfile.ZipFile(BytesIO(made)) as archive:
        assert archive.testzip() is None
        assert {it.filename: archive.read(it) for it in archive.infolist()} == parts


def _stored_otherwise() -> bytes:
    """The plan written as a stream, whose sizes stand behind each entry, with a part that is not deflated."""

    class Stream(BytesIO):
        def seekable(self) -> bool:
            return False

    stream = Stream()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in opened(plan(), Limits()).parts.items():
            archive.writestr(name, part, zipfile.ZIP_DEFLATED, 1)
        archive.writestr(MEDIA, noise(5_000), zipfile.ZIP_STORED)
    return stream.getvalue()
