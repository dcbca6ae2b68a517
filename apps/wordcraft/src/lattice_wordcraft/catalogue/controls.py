"""Commands on content controls, the fields of a form."""

import datetime as dt
from typing import Annotated, Any, ClassVar, Final

from pydantic import Field

from lattice_wordcraft.catalogue.command import EVERYWHERE, Command, Job, Line
from lattice_wordcraft.refusals import CommandRefused

# A control inside of the one that is filled, and data bound to it, are not to be lost.
_CAREFUL: Final = {"bindingPolicy": "preserve", "nestedControls": "refuse"}

ControlName = Annotated[
    str, Field(min_length=1, max_length=200, description="The title or the tag of a content control of the document.")
]


class FillControl(Command):
    """Write into a text field."""

    id: ClassVar[str] = "fill_control"
    label: ClassVar[str] = "Fill content control"
    description: ClassVar[str] = (
        "Writes words into a text field of a form, named by its title or tag. Refused with the fields there are when "
        "none, or more than one, is named so, or when it takes no text."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "fill out a form field", "complete the form", "enter a name in the template", "fill a placeholder",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"control": "Full name", "text": "Mara Quist"}

    control: ControlName
    text: Line = Field(min_length=1)

    async def apply(self, job: Job) -> None:
        """Fill it."""
        control = await _control(job, self.control, "plain_text", "rich_text", "combo_box")
        await job.edit("fill_content_control_text", anchorId=control["anchorId"], text=self.text, options=_CAREFUL)
        job.quotes.forget()


class CheckControl(Command):
    """Tick or clear a check box."""

    id: ClassVar[str] = "check_control"
    label: ClassVar[str] = "Tick check box"
    description: ClassVar[str] = (
        "Ticks (or clears, with false) a check box, named by its title or tag; refused as `fill_control` is. Made "
        "directly, also by agents: documents have no tracked change for it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "tick a box",
        "check the box",
        "untick",
        "uncheck",
        "cross a box",
    )
    example: ClassVar[dict[str, Any]] = {"control": "Agreed", "checked": True}

    control: ControlName
    checked: bool = True

    async def apply(self, job: Job) -> None:
        """Set its state."""
        control = await _control(job, self.control, "checkbox")
        await job.edit_directly(
            "set_content_control_checked", anchorId=control["anchorId"], checked=self.checked, options=_CAREFUL
        )
        job.quotes.forget()


class PickControlItem(Command):
    """Choose an item of a list."""

    id: ClassVar[str] = "pick_control_item"
    label: ClassVar[str] = "Choose list item"
    description: ClassVar[str] = (
        "Chooses an item of a drop-down list, named by its title or tag; refused as `fill_control` is, and with the "
        "items there are when this is none of them. Made directly, also by agents: documents have no tracked change "
        "for it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("choose from a drop-down", "select an option", "pick from the list")
    example: ClassVar[dict[str, Any]] = {"control": "Color", "item": "Blue"}

    control: ControlName
    item: str = Field(min_length=1, max_length=1_000, description="The item as the list shows it, or its value.")

    async def apply(self, job: Job) -> None:
        """Choose it."""
        control = await _control(job, self.control, "drop_down_list", "combo_box")
        try:
            await job.edit_directly(
                "select_content_control_item", anchorId=control["anchorId"], value=self.item, options=_CAREFUL
            )
        except CommandRefused as error:
            raise CommandRefused(f"{error}; the list has: {', '.join(control['itemValues'])}") from error
        job.quotes.forget()


class SetControlDate(Command):
    """Set a date field."""

    id: ClassVar[str] = "set_control_date"
    label: ClassVar[str] = "Set date field"
    description: ClassVar[str] = (
        "Sets the date of a date field, named by its title or tag; refused as `fill_control` is. Made directly, also "
        "by agents: documents have no tracked change for it."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("pick a date", "enter the due date in the form", "date picker")
    example: ClassVar[dict[str, Any]] = {"control": "Due", "date": "2026-05-04", "shown_as": "4 May 2026"}

    control: ControlName
    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="Year, month and day, such as 2026-05-04.")
    shown_as: Line | None = Field(default=None, min_length=1, description="The date as the text shows it.")

    async def apply(self, job: Job) -> None:
        """Set it."""
        try:
            dt.date.fromisoformat(self.date)
        except ValueError as error:
            raise CommandRefused(f"there is no such day as {self.date}") from error
        control = await _control(job, self.control, "date")
        await job.edit_directly(
            "set_content_control_date",
            anchorId=control["anchorId"],
            value=self.date,
            displayText=self.shown_as or self.date,
            options=_CAREFUL,
        )
        job.quotes.forget()


COMMANDS: Final = (FillControl, CheckControl, PickControlItem, SetControlDate)
"""In the order of the catalogue."""


async def _control(job: Job, name: str, *kinds: str) -> dict[str, Any]:
    """The one control of this title or tag, as the engine lists it; refused where it is of another kind or locked."""
    controls = await job.document.ask("list_content_controls", scope=EVERYWHERE)
    named = [it for it in controls if name in (it.get("alias"), it.get("tag"))]
    if len(named) != 1:
        listed = "; ".join(f"{it.get('alias') or it.get('tag') or 'without a name'} ({it['type']})" for it in controls)
        raise CommandRefused(f"{len(named)} content controls are named {name!r}; there are: {listed or 'none'}")
    control: dict[str, Any] = named[0]
    if control["type"] not in kinds:
        raise CommandRefused(f"the content control {name!r} is of the kind {control['type']}")
    if not control["canMutate"] and control.get("lock"):
        raise CommandRefused(f"the content control {name!r} is locked")
    return control
