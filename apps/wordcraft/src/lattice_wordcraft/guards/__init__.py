"""Guards: what a package must be before any parser of ours or of the engine opens it.

They read the zip directory and inflate within limits that were checked first, so a bomb costs no
more than its directory. A refusal names its guard:

- the file as a whole: "empty", "encrypted" (a password, or encrypted entries), "legacy_format",
  "not_a_package" (no zip archive, or one that is cut off);
- the archive: "leading_bytes", "trailing_bytes" (outside its entries), "zip64" (for sizes that no
  file of ours has), "entry_count", "compression_method" (neither stored nor deflated);
- entry by entry: "unsafe_name" (it climbs, is absolute or of no use), "duplicate_name" (also where
  two differ in case or Unicode form alone), "local_header" (it says other than the directory),
  "overlap", "entry_size", "inflated_size" (all together), "compression_ratio", "damaged_entry" (its
  bytes are not those that are declared);
- XML: "xml_encoding", "doctype", "xml_elements", "xml_attributes" and "xml_length" (of one text, or
  of the attributes of one element), each far beyond what writers make;
- images, told from their headers; nothing is decoded: "image_size", "images_total" (all together),
  "metafile_size" (of a drawing), "packed_image" (a drawing that inflates without end);
- the document, in `package`: "missing_part", "content_types" (two for one part), "main_part" (more
  than one, or outside), "not_a_document", "macros";
- XML as it is parsed, in `xml`: "malformed_xml", "xml_depth";
- an empty text, in `emptiness`: "unread_words".

The engine and the renderer add "engine" and "renderer" for what they cannot open.
"""

from collections.abc import Mapping
from types import MappingProxyType

from lattice_wordcraft import deadline
from lattice_wordcraft.guards import archive, images, markup
from lattice_wordcraft.guards.limits import Limits
from lattice_wordcraft.guards.markup import is_xml
from lattice_wordcraft.refusals import FileTooLarge

__all__ = ["Limits", "check_markup", "guarded_parts", "is_xml"]


def guarded_parts(
    content: bytes, limits: Limits, known: Mapping[str, bytes] = MappingProxyType({})
) -> dict[str, bytes]:
    """The inflated entries of a package that passes every guard of its bytes, in the order of its directory.

    `known` are parts that passed before: the same bytes are counted, but not looked at again.

    Raises:
        FileTooLarge: the file itself is over its limit.
        FileRefused: a guard refuses it.
    """
    if len(content) > limits.file:
        raise FileTooLarge(size=len(content), limit=limits.file)
    parts = archive.inflated(content, limits)
    check_markup({name: part for name, part in parts.items() if is_xml(name)}, limits, known)
    images.check(parts, limits)
    return parts


def check_markup(parts: Mapping[str, bytes], limits: Limits, known: Mapping[str, bytes] = MappingProxyType({})) -> None:
    """Refuse parts that are XML, whatever their names, and more than a parser should see."""
    for name, part in parts.items():
        if known.get(name) != part:
            deadline.check()
            markup.check(name, part, limits)
    markup.check_elements(parts, limits)
