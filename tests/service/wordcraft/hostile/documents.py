"""Packages that are no document, two documents, or more than a document."""

from service.wordcraft.hostile.case import (
    MAIN,
    ROOT_RELATIONS,
    TYPES,
    Case,
    always,
    noise,
    plan_parts,
    with_inserted,
    with_parts,
    with_replaced,
)
from service.wordcraft.hostile.raw_zip import Entry, written

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACROS = "application/vnd.ms-office.vbaProject"
_RELATION = (
    '<Relationship Id="rId99" Target="{}" TargetMode="{}"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>'
)


def _declared(element: str, **more: bytes) -> bytes:
    """The plan with another declaration of a content type."""
    parts = plan_parts()
    types = parts[TYPES].decode().replace("</Types>", f"{element}</Types>")
    return with_parts(
        {TYPES: types.encode(), **{name.replace("__", "/") + ".bin": part for name, part in more.items()}}
    )


def _embedded(package: bytes) -> bytes:
    """The plan with another package in it, as Word embeds a document."""
    types = plan_parts()[TYPES].decode()
    declared = f'<Default Extension="docx" ContentType="{_WORD}document"/></Types>'
    return with_parts({TYPES: types.replace("</Types>", declared).encode(), "word/embeddings/inner.docx": package})


def _bomb() -> bytes:
    return written([Entry(b"word/document.xml", b"<w:p/>" * 4_000_000)])


def _without_relations() -> bytes:
    return with_parts({ROOT_RELATIONS: None})


CASES = [
    Case("no content types", "missing_part", always(lambda: with_parts({TYPES: None}))),
    Case("no relationships", "missing_part", always(_without_relations)),
    Case("no main part", "missing_part", always(lambda: with_parts({MAIN: None}))),
    Case(
        "a part of two types",
        "content_types",
        always(lambda: _declared(f'<Override PartName="/word/styles.xml" ContentType="{_WORD}numbering+xml"/>')),
    ),
    Case(
        "a part of two types, in two cases",
        "content_types",
        always(lambda: _declared(f'<Override PartName="/WORD/STYLES.XML" ContentType="{_WORD}numbering+xml"/>')),
    ),
    Case(
        "an extension of two types",
        "content_types",
        always(lambda: _declared('<Default Extension="XML" ContentType="text/html"/>')),
    ),
    Case(
        "two main parts",
        "main_part",
        always(
            lambda: with_inserted(ROOT_RELATIONS, "</Relationships>", _RELATION.format("word/styles.xml", "Internal"))
        ),
    ),
    Case(
        "a main part on a server",
        "main_part",
        lambda address: with_parts(
            {
                ROOT_RELATIONS: (
                    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                    f"{_RELATION.format(f'{address}/main.xml', 'External')}</Relationships>"
                ).encode()
            }
        ),
    ),
    Case(
        "a workbook",
        "not_a_document",
        always(lambda: with_replaced(TYPES, "wordprocessingml.document.main", "spreadsheetml.sheet.main")),
    ),
    Case(
        "a main part without a type",
        "not_a_document",
        always(lambda: with_replaced(TYPES, f"{_WORD}document.main+xml", "")),
    ),
    Case(
        "a document of macros",
        "macros",
        always(
            lambda: with_replaced(
                TYPES, f"{_WORD}document.main+xml", "application/vnd.ms-word.document.macroEnabled.main+xml"
            )
        ),
    ),
    Case(
        "a macro project by its type",
        "macros",
        always(lambda: _declared(f'<Default Extension="bin" ContentType="{_MACROS}"/>', word__harmless=b"x")),
    ),
    Case(
        "a macro project by its name",
        "macros",
        always(lambda: _declared('<Default Extension="bin" ContentType="image/x"/>', word__vbaProject=b"x")),
    ),
    Case("an embedded document of noise", None, always(lambda: _embedded(noise(100_000)))),
    Case(
        "5,000 objects that are not there",
        None,
        always(lambda: with_inserted(MAIN, "<w:sectPr", "<w:p><w:r><w:object/></w:r></w:p>" * 5_000)),
    ),
]

BOMBS = [
    Case("a bomb in an embedded document", None, always(lambda: _embedded(_bomb())), is_drawn=True),
]
