"""The Python blocks of docs/guide.md, by section, run as they stand there."""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

GUIDE = Path(__file__).parents[3] / "docs" / "guide.md"

Names = dict[str, Any]
"""What a block finds and leaves, as the globals of a module."""

_HEADING = re.compile(r"## (.+)")


@dataclass(frozen=True)
class Block:
    """One Python block; `line` is that of its first line in the document."""

    line: int
    code: str

    async def run(self, names: Names) -> None:
        """Run it, as a module would be that may await."""
        names.setdefault("__name__", "guide")
        padded = "\n" * (self.line - 1) + self.code  # so that a traceback names the line of the document
        answer = eval(compile(padded, str(GUIDE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)  # noqa: S307 - code of our own guide
        if answer is not None:
            await answer


@dataclass(frozen=True)
class Guide:
    """The document."""

    path: Path = GUIDE

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.path.read_text().splitlines()

    @cached_property
    def blocks(self) -> dict[str, list[Block]]:
        """The Python blocks of each section, in their order; a section without any has an empty list."""
        found: dict[str, list[Block]] = {}
        section, began = "", None
        for number, line in enumerate(self.lines, 1):
            if began is not None:
                if line == "```":
                    found[section].append(Block(began, "\n".join([*self.lines[began - 1 : number - 1], ""])))
                    began = None
            elif line == "```python":
                began = number + 1
            elif heading := _HEADING.fullmatch(line):
                section = heading[1]
                found[section] = []
        return found

    async def run(self, section: str, names: Names, number: int = 0) -> None:
        """Run one block of a section, the first unless said otherwise."""
        await self.blocks[section][number].run(names)

    async def application(self, **given: Any) -> Names:  # noqa: ANN401 - what the blocks do not define
        """The guide's application, its blocks run in the order in which a program would define what they name."""
        names: Names = dict(given)
        await self.run("Artifact types", names)
        await self.run("Setting up the agent", names)
        await self.run("Application tools", names)
        await self.run("Setting up the agent", names, 1)
        return names
