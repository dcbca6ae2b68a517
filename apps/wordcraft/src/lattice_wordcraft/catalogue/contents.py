"""Commands on tables of contents and of figures; they are fields, which programs that write documents fill."""

from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from lattice_wordcraft.catalogue.command import Command, Job, Line, Quote
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused

_PARTS: Final = frozenset({Role.MAIN, Role.STYLES})


class InsertContents(Command):
    """Insert a table of contents."""

    id: ClassVar[str] = "insert_contents"
    label: ClassVar[str] = "Insert table of contents"
    description: ClassVar[str] = (
        "Inserts a table of contents before (or after) the paragraph that holds the quoted words, in the body, outside "
        "of tables. It is empty until a program such as Word opens the document and fills it. Made directly, also by "
        "agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "contents page", "toc", "list of chapters", "overview of headings",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Launch plan", "levels": 2}
    changes: ClassVar[frozenset[Role]] = _PARTS

    quote: Quote
    position: Literal["before", "after"] = "before"
    levels: int = Field(default=3, ge=1, le=9, description="Down to which heading level.")
    title: Line | None = Field(default="Contents", description="The words above it; null for none.")

    async def apply(self, job: Job) -> None:
        """Insert it."""
        await _insert(
            job, "insert_table_of_contents", self.quote, self.position, levels=f"1-{self.levels}", title=self.title
        )


class InsertListOfFigures(Command):
    """Insert a list of figures."""

    id: ClassVar[str] = "insert_list_of_figures"
    label: ClassVar[str] = "Insert list of figures"
    description: ClassVar[str] = (
        "Inserts a list of all captions with a label, such as Figure or Table, before (or after) the paragraph that "
        "holds the quoted words, in the body, outside of tables. It is empty until a program such as Word opens the "
        "document and fills it. Made directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "list of pictures", "table of figures", "index of illustrations", "list of tables",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Launch plan", "position": "after"}
    changes: ClassVar[frozenset[Role]] = _PARTS

    quote: Quote
    position: Literal["before", "after"] = "before"
    caption: str = Field(default="Figure", pattern=r"^\w[\w ]{0,39}$", description="The label of the captions.")

    async def apply(self, job: Job) -> None:
        """Insert it."""
        await _insert(job, "insert_table_of_figures", self.quote, self.position, captionLabel=self.caption)


COMMANDS: Final = (InsertContents, InsertListOfFigures)
"""In the order of the catalogue."""


async def _insert(job: Job, operation: str, quote: str, position: str, **options: object) -> None:
    block = await job.quotes.paragraph(quote)
    if block.cell is not None or block.anchor.split(":")[1] != "body":
        raise CommandRefused("it is inserted into the body, outside of tables")
    await job.edit_directly(operation, anchorId=block.anchor, position=position, options=options)
    job.quotes.forget()
