"""Documents that ask whoever opens them to fetch something: kept, told, and never fetched."""

from service.wordcraft.hostile.case import MAIN, MAIN_RELATIONS, TYPES, Case, plan_parts, with_inserted, with_parts
from service.wordcraft.hostile.images import shown

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def related(part: str, kind: str, target: str, *, body: str = "") -> bytes:
    """The plan with an external relationship of a part, and what names it in the body."""
    name = part.replace("word/", "word/_rels/") + ".rels"
    relation = f'<Relationship Id="rId98" Type="{_OFFICE}/{kind}" Target="{target}" TargetMode="External"/>'
    parts = plan_parts()
    empty = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    relations = parts.get(name, empty).decode().replace("</Relationships>", f"{relation}</Relationships>")
    main = parts[MAIN].decode().replace("<w:body>", f'<w:body xmlns:r="{_OFFICE}">{body}')
    return with_parts({name: relations.encode(), MAIN: main.encode()})


def field(*instruction: str) -> bytes:
    """The plan with a field, whose instruction may be spread over runs."""
    code = "".join(f'<w:r><w:instrText xml:space="preserve">{it}</w:instrText></w:r>' for it in instruction)
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{it}"/></w:r>' for it in ("begin", "end"))
    return with_inserted(MAIN, "<w:sectPr", f"<w:p>{begin}{code}{end}</w:p>")


def _simple_field(instruction: str) -> bytes:
    return with_inserted(MAIN, "<w:sectPr", f'<w:p><w:fldSimple w:instr="{instruction}"/></w:p>')


def _drawn_by_vml(address: str) -> bytes:
    picture = f'<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata src="{address}/vml.png"/></v:shape>'
    return with_inserted(MAIN, "<w:sectPr", f"<w:p><w:r><w:pict>{picture}</w:pict></w:r></w:p>")


def _imported_page(address: str) -> bytes:
    """A web page that Word would import, with a picture on a server."""
    parts = plan_parts()
    page = f'<html><body><img src="{address}/page.png"><link rel="stylesheet" href="{address}/page.css"></body></html>'
    types = parts[TYPES].decode().replace("</Types>", '<Default Extension="html" ContentType="text/html"/></Types>')
    relation = f'<Relationship Id="rId98" Type="{_OFFICE}/aFChunk" Target="chunk.html"/></Relationships>'
    chunk = f'<w:altChunk xmlns:r="{_OFFICE}" r:id="rId98"/>'
    return with_parts(
        {
            "word/chunk.html": page.encode(),
            TYPES: types.encode(),
            MAIN_RELATIONS: parts[MAIN_RELATIONS].decode().replace("</Relationships>", relation).encode(),
            MAIN: parts[MAIN].decode().replace("<w:body>", f"<w:body>{chunk}").encode(),
        }
    )


def _linked_picture(address: str) -> bytes:
    return shown(f"{address}/picture.png", mode=' TargetMode="External"', attribute="r:link")


def _linked_pictures_elsewhere(address: str) -> bytes:
    return shown(f"\\\\{address.removeprefix('http://')}\\share\\picture.png", mode=' TargetMode="External"')


CASES = [
    Case("a picture on a server", None, _linked_picture, is_drawn=True),
    Case("a picture on a share", None, _linked_pictures_elsewhere),
    Case("a picture of VML on a server", None, _drawn_by_vml, is_drawn=True),
    Case(
        "a template on a server",
        None,
        lambda at: related("word/settings.xml", "attachedTemplate", f"{at}/a.dotm"),
    ),
    Case("a frame on a server", None, lambda at: related("word/webSettings.xml", "frame", f"{at}/frame.htm")),
    Case(
        "a sub-document on a server",
        None,
        lambda at: related(MAIN, "subDocument", f"{at}/sub.docx", body='<w:subDoc r:id="rId98"/>'),
    ),
    Case("a linked object on a server", None, lambda at: related(MAIN, "oleObject", f"{at}/sheet.xlsx")),
    Case(
        "a mail merge source on a server",
        None,
        lambda at: related("word/settings.xml", "mailMergeSource", f"{at}/a.csv"),
    ),
    Case(
        "a chunk on a server",
        None,
        lambda at: related(MAIN, "aFChunk", f"{at}/a.html", body='<w:altChunk r:id="rId98"/>'),
    ),
    Case("a web page with pictures on a server", None, _imported_page, is_drawn=True),
    Case("INCLUDEPICTURE", None, lambda at: field("INCLUDE", f'PICTURE "{at}/field.png" \\d'), is_drawn=True),
    Case("INCLUDETEXT", None, lambda at: _simple_field(f"INCLUDETEXT &quot;{at}/text.docx&quot;")),
    Case("LINK", None, lambda at: field(f'LINK Excel.Sheet.12 "{at}/a.xlsx" "R1C1"')),
    Case("DDEAUTO", None, lambda at: field('DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k calc.exe"')),
]
"""The web page's own addresses are not in the review: nobody but its importer reads it."""
