"""How large, how many, how deep: what a package may be."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How large a package may be, and whether it may hold macros. Sizes are in bytes."""

    file: int = 50 * 2**20
    entries: int = 5_000
    directory: int = 2 * 2**20
    """The zip directory: room for names of 350 bytes in each of its entries."""
    entry: int = 100 * 2**20
    xml_entry: int = 64 * 2**20
    inflated: int = 256 * 2**20
    ratio: int = 200
    """Inflated to stored size."""
    ratio_from: int = 16 * 2**20
    """Smaller entries may have any ratio: a bitmap of a blank page is no bomb."""
    xml_ratio_from: int = 2**20
    """Smaller XML may have any ratio. Larger is work: two million empty paragraphs fit into 18 kB."""
    xml_elements: int = 600_000
    """In all parts together, as many as the engine opens in time and memory; 12 MB of tables have 450,000."""
    xml_attributes: int = 256
    """On one element, namespaces included; Word writes some 35 on a root."""
    xml_length: int = 4 * 2**20
    """From one tag to the next: an element's attributes, or a text. Word keeps drawings in an attribute."""
    image_pixels: int = 64_000_000
    """Of one image: 8,000 by 8,000. Whoever decodes it needs four bytes for each."""
    images_pixels: int = 500_000_000
    """Of all images together: forty photographs of twelve megapixels, as many as a file of 50 MiB holds."""
    macros: bool = False
    """Whether a package may hold macros; they are kept byte for byte, and nothing runs them."""
