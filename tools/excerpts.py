"""Put regions of tested files where documents show them: `make gen` does, and `--check` only says which are stale.

A block of code follows a line `<!-- from PATH, region NAME -->`; the region stands in that file between the comments
`region NAME` and `endregion`.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENTS: Final = (ROOT / "docs" / "clients.md", *sorted((ROOT / "gen").glob("*/README.md")))

_SHOWN: Final = re.compile(
    r"(?P<mark><!-- from (?P<path>\S+), region (?P<name>\S+) -->\n+```\w+\n)(?P<code>.*?)```", re.DOTALL
)
_BLOCK: Final = re.compile(r"(?P<line>[^\n]*)\n+```(?!sh|text)\w+\n")


def region(path: Path, name: str) -> str:
    """The lines of a region, without what all of them are indented by.

    Raises:
        ValueError: there is no such region, or it is empty.
    """
    found = re.search(
        rf"^[ \t]*(?://|#) region {name}\n(.*?)^[ \t]*(?://|#) endregion", path.read_text(), re.DOTALL | re.MULTILINE
    )
    if found is None or not found[1].strip():
        raise ValueError(f"{path} has no region {name}")
    return textwrap.dedent(found[1]).strip("\n") + "\n"


def filled(document: str) -> str:
    """A document with its blocks as the regions stand now.

    Raises:
        ValueError: a block of code comes from nowhere, or from a region that is none.
    """
    for block in _BLOCK.finditer(document):
        if not block["line"].startswith("<!-- from "):
            raise ValueError(f"a block of code has no source: {block['line']}")
    return _SHOWN.sub(lambda it: it["mark"] + region(ROOT / it["path"], it["name"]) + "```", document)


def main() -> None:
    """Fill all documents, or with `--check` end with what is stale."""
    stale = [it for it in DOCUMENTS if filled(it.read_text()) != it.read_text()]
    if "--check" in sys.argv:
        told = [f"{it.relative_to(ROOT)} shows what its sources do not say: run make gen" for it in stale]
        sys.exit("\n".join(told) or None)
    for document in stale:
        document.write_text(filled(document.read_text()))


if __name__ == "__main__":
    main()
