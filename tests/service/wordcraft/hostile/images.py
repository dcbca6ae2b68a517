"""Images of a few bytes that claim gigabytes, in every format whose header is read."""

import gzip
import struct
import zlib

from lattice_wordcraft.rendering.png import png_of
from service.wordcraft.hostile.case import MAIN, MAIN_RELATIONS, TYPES, Case, always, plan_parts, with_parts

_SIDE = 60_000
_INLINE = """<w:p><w:r><w:drawing><wp:inline
 xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">
<wp:extent cx="914400" cy="914400"/><wp:docPr id="99" name="image"/>
<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">
<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">
<pic:nvPicPr><pic:cNvPr id="99" name="image"/><pic:cNvPicPr/></pic:nvPicPr>
<pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" {}="rId99"/>
<a:stretch><a:fillRect/></a:stretch></pic:blipFill>
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>
</wp:inline></w:drawing></w:r></w:p>"""
_END = "</Relationships>"
_RELATION = (
    '<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"'
    ' Target="{}"{}/>' + _END
)


def shown(target: str, mode: str = "", attribute: str = "r:embed", **media: bytes) -> bytes:
    """The plan with a picture in its body, embedded or linked."""
    parts = plan_parts()
    main = parts[MAIN].decode().replace("<w:body>", "<w:body>" + _INLINE.format(attribute))
    relations = parts[MAIN_RELATIONS].decode().replace(_END, _RELATION.format(target, mode))
    return with_parts(
        {
            MAIN: main.encode(),
            MAIN_RELATIONS: relations.encode(),
            TYPES: _types(),
            **{f"word/media/image.{extension}": content for extension, content in media.items()},
        }
    )


def _types() -> bytes:
    """The plan's content types with those of images."""
    types = plan_parts()[TYPES].decode()
    for extension in ("png", "jpeg", "gif", "bmp", "tiff", "wdp", "webp", "wmf", "emf", "wmz", "svg"):
        if f'Extension="{extension}"' not in types:
            types = types.replace(
                "</Types>", f'<Default Extension="{extension}" ContentType="image/{extension}"/></Types>'
            )
    return types.encode()


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _png(width: int, height: int, pixels: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(pixels, 9)) + _chunk(b"IEND", b"")
    )


def _jpeg() -> bytes:
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, _SIDE, _SIDE, 1) + b"\x01\x11\x00"
    return b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(9) + frame + b"\xff\xd9"


def _gif(screen: int, frame: int) -> bytes:
    return (
        b"GIF89a" + struct.pack("<HHBBB", screen, screen, 0x80, 0, 0) + bytes(6)
        + b"\x21\xf9\x04" + bytes(5)
        + b"\x2c" + struct.pack("<HHHHB", 0, 0, frame, frame, 0) + b"\x02\x02D\x01\x00\x3b"
    )  # fmt: skip


def _bmp() -> bytes:
    return b"BM" + bytes(8) + struct.pack("<IIiiHHIIiiII", 54, 40, _SIDE, -_SIDE, 1, 24, 0, 0, 0, 0, 0, 0)


def _tiff(order: str) -> bytes:
    mark = b"II*\x00" if order == "<" else b"MM\x00*"
    sides = (struct.pack(order + "HHII", tag, 4, 1, _SIDE) for tag in (256, 257))
    return mark + struct.pack(order + "IH", 8, 2) + b"".join(sides) + bytes(4)


def _big_tiff() -> bytes:
    sides = (struct.pack("<HHQQ", tag, 16, 1, _SIDE) for tag in (256, 257))
    return b"II+\x00" + struct.pack("<HHQQ", 8, 0, 16, 2) + b"".join(sides) + bytes(8)


def _jpeg_xr() -> bytes:
    sides = (struct.pack("<HHII", tag, 4, 1, _SIDE) for tag in (0xBC80, 0xBC81))
    return b"II\xbc\x01" + struct.pack("<IH", 8, 2) + b"".join(sides) + bytes(4)


def _webp(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(kind + struct.pack("<I", len(content)) + content for kind, content in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def _sides_less_one(width: int, height: int) -> bytes:
    return (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")


def _lossy_webp() -> bytes:
    return _webp((b"VP8 ", b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 16_000, 16_000)))


def _lossless_webp() -> bytes:
    return _webp((b"VP8L", b"\x2f" + struct.pack("<I", 15_999 | 15_999 << 14) + bytes(1)))


def _frame_of_webp() -> bytes:
    """A canvas of one pixel with a frame of gigabytes."""
    frame = bytes(6) + _sides_less_one(_SIDE, _SIDE) + bytes(4)
    return _webp((b"VP8X", bytes(4) + _sides_less_one(1, 1)), (b"ANIM", bytes(6)), (b"ANMF", frame))


def _wmf(width: int, height: int, inch: int) -> bytes:
    header = struct.pack("<IH4hHI", 0x9AC6CDD7, 0, 0, 0, width, height, inch, 0)
    return header + bytes(2) + struct.pack("<HHHIHIH", 1, 9, 0x300, 12, 0, 3, 0) + struct.pack("<IH", 3, 0)


def _packed_wmf() -> bytes:
    return gzip.compress(_wmf(32_000, 32_000, 31), mtime=0)


def _emf(bounds: int, frame: int) -> bytes:
    """A drawing of so many pixels, in a frame of so many hundredths of a millimetre."""
    end = struct.pack("<5I", 14, 20, 0, 16, 20)
    header = struct.pack("<II8i4sIIIHHIIIII", 1, 88, 0, 0, bounds, bounds, 0, 0, frame, frame, b" EMF", 0x10000,
                         88 + len(end), 2, 1, 0, 0, 0, 0, 1_920, 1_080)  # fmt: skip
    return header + end


def _second_page() -> bytes:
    """A TIFF whose second page is the large one."""
    first = b"II*\x00" + struct.pack("<IH", 8, 0) + struct.pack("<I", 14)
    return (
        first + struct.pack("<H", 2) + b"".join(struct.pack("<HHII", tag, 4, 1, _SIDE) for tag in (256, 257)) + bytes(4)
    )


def _pages_that_share() -> bytes:
    """A TIFF of a thousand pages, each of whose 65,535 entries are those of the one before but for the last."""
    content = bytearray(b"II*\x00" + struct.pack("<I", 8) + b"\xff" * (12 * 65_535 + 12_000))
    for page in range(900):
        at = 8 + 12 * page
        struct.pack_into("<I", content, at + 2 + 12 * 65_535, at + 12)
    return bytes(content)


def _white(side: int) -> bytes:
    return png_of(b"\xff" * (side * side * 4), side, side, side * 4)


def _many(count: int, image: bytes) -> bytes:
    """The plan with so many pictures on its first page, each a part of its own."""
    parts = plan_parts()
    numbers = range(100, 100 + count)
    inlines = "".join(_INLINE.format("r:embed").replace("rId99", f"rId{it}") for it in numbers)
    relations = "".join(
        _RELATION.format(f"media/image{it}.png", "").replace("rId99", f"rId{it}").removesuffix(_END) for it in numbers
    )
    return with_parts(
        {
            MAIN: parts[MAIN].decode().replace("<w:body>", "<w:body>" + inlines).encode(),
            MAIN_RELATIONS: parts[MAIN_RELATIONS].decode().replace(_END, relations + _END).encode(),
            TYPES: _types(),
            **{f"word/media/image{it}.png": image for it in numbers},
        }
    )


CASES = [
    Case("a PNG of gigabytes", "image_size", always(lambda: shown("media/image.png", png=_png(_SIDE, _SIDE, b"")))),
    Case("a JPEG of gigabytes", "image_size", always(lambda: shown("media/image.jpeg", jpeg=_jpeg()))),
    Case("a GIF of gigabytes", "image_size", always(lambda: shown("media/image.gif", gif=_gif(_SIDE, 1)))),
    Case(
        "a frame of a GIF larger than its screen",
        "image_size",
        always(lambda: shown("media/image.gif", gif=_gif(1, _SIDE))),
    ),
    Case("a BMP of gigabytes", "image_size", always(lambda: shown("media/image.bmp", bmp=_bmp()))),
    Case("a TIFF of gigabytes", "image_size", always(lambda: shown("media/image.tiff", tiff=_tiff("<")))),
    Case("a big-endian TIFF of gigabytes", "image_size", always(lambda: shown("media/image.tiff", tiff=_tiff(">")))),
    Case("a BigTIFF of gigabytes", "image_size", always(lambda: shown("media/image.tiff", tiff=_big_tiff()))),
    Case("a second page of a TIFF", "image_size", always(lambda: shown("media/image.tiff", tiff=_second_page()))),
    Case(
        "a PNG named as a JPEG", "image_size", always(lambda: shown("media/image.jpeg", jpeg=_png(_SIDE, _SIDE, b"")))
    ),
    Case("a JPEG XR of gigabytes", "image_size", always(lambda: shown("media/image.wdp", wdp=_jpeg_xr()))),
    Case(
        "a WebP of gigabytes",
        "image_size",
        always(lambda: shown("media/image.webp", webp=_webp((b"VP8X", bytes(4) + _sides_less_one(_SIDE, _SIDE))))),
    ),
    Case("a lossy WebP of a gigabyte", "image_size", always(lambda: shown("media/image.webp", webp=_lossy_webp()))),
    Case(
        "a lossless WebP of a gigabyte", "image_size", always(lambda: shown("media/image.webp", webp=_lossless_webp()))
    ),
    Case(
        "a frame of a WebP larger than its canvas",
        "image_size",
        always(lambda: shown("media/image.webp", webp=_frame_of_webp())),
    ),
    Case(
        "a WMF of 26 metres a side",
        "metafile_size",
        always(lambda: shown("media/image.wmf", wmf=_wmf(32_000, 32_000, 31))),
    ),
    Case("the same packed", "metafile_size", always(lambda: shown("media/image.wmz", wmz=_packed_wmf()))),
    Case("an EMF of gigabytes", "metafile_size", always(lambda: shown("media/image.emf", emf=_emf(_SIDE, 1_000)))),
    Case(
        "an EMF in a frame of 20 metres a side",
        "metafile_size",
        always(lambda: shown("media/image.emf", emf=_emf(100, 2_000_000))),
    ),
    Case(
        "an SVG that nobody declares to be XML",
        "doctype",
        always(lambda: shown("media/image.svg", svg=b'<!DOCTYPE svg [<!ENTITY a "a">]><svg/>')),
    ),
    Case(
        "eight pictures of 64 megapixels on one page", "images_total", always(lambda: _many(8, _png(8_000, 8_000, b"")))
    ),
    Case(
        "a TIFF of gigabytes whose next page is nowhere",
        "image_size",
        always(lambda: shown("media/image.tiff", tiff=_tiff("<")[:-4] + b"\xff" * 4)),
    ),
    Case(
        "a TIFF whose pages share their entries",
        None,
        always(lambda: shown("media/image.tiff", tiff=_pages_that_share())),
    ),
    Case("a PNG that is cut off", None, always(lambda: shown("media/image.png", png=_white(20)[:60])), is_drawn=True),
    Case(
        "a TIFF whose pages go in a circle",
        None,
        always(lambda: shown("media/image.tiff", tiff=b"II*\x00\x08" + bytes(5) + b"\x08" + bytes(3))),
    ),
]

BOMBS = [
    Case(
        "a packed drawing that inflates without end",
        "packed_image",
        always(lambda: shown("media/image.wmz", wmz=gzip.compress(bytes(300 * 2**20), mtime=0))),
    ),
    Case("large pictures on one page", None, always(lambda: _many(3, _white(8_000))), is_drawn=True),
    Case(
        "a small PNG whose stream never ends",
        None,
        always(lambda: shown("media/image.png", png=_png(10, 10, bytes(90 * 2**20)))),
        is_drawn=True,
    ),
    Case(
        "the largest PNG that may be",
        None,
        always(lambda: shown("media/image.png", png=_png(8_000, 8_000, bytes(8_001 * 8_000)))),
        is_drawn=True,
    ),
]
