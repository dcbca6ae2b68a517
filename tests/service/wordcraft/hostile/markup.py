"""XML that expands, nests, hides behind an encoding, or is another document than it seems."""

from service.wordcraft.hostile.case import (
    MAIN,
    MAIN_RELATIONS,
    TYPES,
    Case,
    always,
    noise,
    plan_parts,
    with_inserted,
    with_parts,
    with_replaced,
)

_ITEM = "customXml/item1.xml"
_DEFINED = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
_CUSTOM = "application/vnd.openxmlformats-officedocument.customXmlProperties+xml"


def _declaring(name: str, doctype: str) -> bytes:
    """The plan with a document type in front of a part's root."""
    head, mark, rest = plan_parts()[name].decode().partition("?>")
    assert mark
    return with_parts({name: f"{head}?>{doctype}{rest}".encode()})


def _typed_as_markup() -> bytes:
    """A document type in a part that only its content type makes XML."""
    types = (
        plan_parts()[TYPES].decode().replace("</Types>", f'<Default Extension="bin" ContentType="{_CUSTOM}"/></Types>')
    )
    return with_parts({TYPES: types.encode(), "customXml/props.bin": f"{_DEFINED}<a/>".encode()})


def _picture_of_markup() -> bytes:
    types = (
        plan_parts()[TYPES]
        .decode()
        .replace("</Types>", '<Default Extension="svg" ContentType="image/svg+xml"/></Types>')
    )
    return with_parts({TYPES: types.encode(), "word/media/image1.svg": f"{_DEFINED}<svg/>".encode()})


def _long(before: str, after: str) -> str:
    """Five megabytes that pack no better than a text."""
    return f"{before}{noise(2_500_000).hex()}{after}"


def _nested(name: str, depth: int) -> bytes:
    part = plan_parts()[name].decode()
    at = part.rindex("</")
    return with_parts({name: f"{part[:at]}{'<w:sdt>' * depth}{'</w:sdt>' * depth}{part[at:]}".encode()})


def _with_attributes(count: int, form: str) -> bytes:
    attributes = " ".join(form.format(at) for at in range(count))
    return with_replaced(MAIN, "<w:body>", f"<w:body {attributes}>")


def _encoded(encoding: str, *, declared: str = "") -> bytes:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    return with_parts({_ITEM: f"{head}{_DEFINED}<a/>".encode(encoding)})


def _paragraph(inner: str) -> bytes:
    return with_inserted(MAIN, "<w:sectPr", f"<w:p>{inner}</w:p>")


def _included(address: str) -> bytes:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="{}"/>'
    return _paragraph(include.format("file:///etc/passwd") + include.format(f"{address}/included"))


def _styled(address: str) -> bytes:
    return _declaring(MAIN, f'<?xml-stylesheet type="text/xsl" href="{address}/sheet.xsl"?>')


def _located(address: str) -> bytes:
    schema = f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x {address}/schema.xsd"'
    return with_replaced(MAIN, "<w:body>", f"<w:body {schema}>")


CASES = [
    Case("entities that expand", "doctype", always(lambda: _declaring(MAIN, _DEFINED))),
    Case(
        "an entity of a file", "doctype", always(lambda: _declaring(MAIN, '<!DOCTYPE a SYSTEM "file:///etc/passwd">'))
    ),
    Case(
        "an entity of a server in a relationship file",
        "doctype",
        lambda address: _declaring(MAIN_RELATIONS, f'<!DOCTYPE a SYSTEM "{address}/a.dtd">'),
    ),
    Case("a document type in the content types", "doctype", always(lambda: _declaring(TYPES, _DEFINED))),
    Case("a document type in custom XML", "doctype", always(lambda: with_parts({_ITEM: f"{_DEFINED}<a/>".encode()}))),
    Case("a document type in XML by its type", "doctype", always(_typed_as_markup)),
    Case("a document type in a picture", "doctype", always(_picture_of_markup)),
    Case(
        "words in front of a document type",
        "xml_encoding",
        always(lambda: with_parts({_ITEM: f"a{_DEFINED}".encode()})),
    ),
    Case("a document type in UTF-16", "doctype", always(lambda: _encoded("utf-16", declared="UTF-16"))),
    Case("a document type in UTF-16 without its mark", "xml_encoding", always(lambda: _encoded("utf-16-le"))),
    Case(
        "a document type in big-endian UTF-16 without its mark", "xml_encoding", always(lambda: _encoded("utf-16-be"))
    ),
    Case("a document type in UTF-32", "xml_encoding", always(lambda: _encoded("utf-32"))),
    Case("a document type in UTF-7", "xml_encoding", always(lambda: _encoded("utf-7", declared="UTF-7"))),
    Case("a document type in EBCDIC", "xml_encoding", always(lambda: _encoded("cp037", declared="cp037"))),
    Case("UTF-8 that declares UTF-16", "xml_encoding", always(lambda: _encoded("utf-8", declared="UTF-16"))),
    Case("content controls 20,000 deep", "xml_depth", always(lambda: _nested(MAIN, 20_000))),
    Case("styles 20,000 deep", "xml_depth", always(lambda: _nested("word/styles.xml", 20_000))),
    Case("an element of 100,000 attributes", "xml_attributes", always(lambda: _with_attributes(100_000, 'a{}=">"'))),
    Case("an element of 1,000 namespaces", "xml_attributes", always(lambda: _with_attributes(1_000, "xmlns:a{}='u'"))),
    Case(
        "an attribute of five megabytes",
        "xml_length",
        always(lambda: with_inserted(MAIN, "<w:sectPr", _long('<w:p w:a="', '"/>'))),
    ),
    Case("a text of five megabytes", "xml_length", always(lambda: _paragraph(_long("<w:r><w:t>", "</w:t></w:r>")))),
    Case("a main part that is not well-formed", "malformed_xml", always(lambda: with_replaced(MAIN, "</w:body>", ""))),
    Case(
        "styles that are not well-formed",
        "malformed_xml",
        always(lambda: with_parts({"word/styles.xml": b"<w:styles"})),
    ),
    Case("content types that are no XML", "malformed_xml", always(lambda: with_parts({TYPES: b"<Types"}))),
    Case("an entity that nobody declared", "malformed_xml", always(lambda: _paragraph("<w:r><w:t>&file;</w:t></w:r>"))),
    Case(
        "a main part of another namespace",
        "not_a_document",
        always(lambda: with_replaced(MAIN, "wordprocessingml/2006/main", "wordprocessingml/2006/mian")),
    ),
    Case("a main part without a body", "not_a_document", always(lambda: with_replaced(MAIN, "w:body", "w:boby"))),
    Case("XInclude of files and servers", None, _included),
    Case("a style sheet for the main part", None, _styled),
    Case("a schema on a server", None, _located),
    Case("content controls 200 deep", None, always(lambda: _nested("word/styles.xml", 200)), is_drawn=True),
]
