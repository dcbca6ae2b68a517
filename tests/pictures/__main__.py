"""The pictures of the README: the trace of the demo's edit as a tree in the terminal, and as a page in a browser."""

import asyncio
import re
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from browser.chromium import browsing, installed
from lattice_cli.demo import steps
from lattice_cli.demo.stage import staged
from lattice_cli.trace_backend import TraceBackend
from lattice_cli.trace_tree import draw
from lattice_cli.traces import Trace
from lattice_cli.waterfall.page import page
from rich.console import Console

PICTURES: Final = Path("docs/pictures")
LARGEST: Final = 150_000
"""The most bytes of a picture."""

_SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
_SIZE: Final = {"width": 980, "height": 830}

_ONLY_THE_EDIT: Final = """
for (const row of document.querySelectorAll('[aria-level="3"][aria-expanded]'))
  if (!row.textContent.includes("edit_native")) row.querySelector(".twist").click();
document.activeElement.blur();
document.querySelector("section:last-of-type").scrollIntoView();
"""
"""What a person would do who wants to see the edit: close the steps beside it, and scroll to it."""


async def main() -> None:
    """Play the demo up to its edit, and take the pictures."""
    program = installed()
    if program is None:
        sys.exit("make pictures needs Chromium: apt-get install --no-install-recommends chromium")
    async with staged() as stage:
        for step in (steps.upload, steps.tracked_edit, steps.trace):
            await step(stage)
        assert stage.edit_trace is not None
        backend = TraceBackend(url=stage.suite.addresses.traces)
        traces = await asyncio.to_thread(backend.with_linked, [stage.edit_trace.trace_id])
    await asyncio.to_thread(PICTURES.mkdir, parents=True, exist_ok=True)
    _keep("trace.svg", _tree(traces).encode())
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trace.html"
        await asyncio.to_thread(file.write_text, page(stage.edit_run_id, traces))
        async with browsing(program) as browser:
            for scheme in _SCHEMES:
                await browser.show(f"file://{file}", scheme=scheme, **_SIZE)
                await browser.value(_ONLY_THE_EDIT)
                _keep(f"waterfall-{scheme}.png", await browser.picture())


def _tree(traces: Sequence[Trace]) -> str:
    """The trees as SVG, in whatever font the reader has: the one that rich names would come from a stranger."""
    console = Console(width=120, record=True, file=StringIO(), force_terminal=True)
    draw(console, traces)
    return re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="lattice trace"), flags=re.DOTALL)


def _keep(name: str, content: bytes) -> None:
    assert len(content) < LARGEST, f"{name} has {len(content)} bytes"
    (PICTURES / name).write_bytes(content)
    print(f"{PICTURES / name}: {len(content)} bytes")


if __name__ == "__main__":
    asyncio.run(main())
