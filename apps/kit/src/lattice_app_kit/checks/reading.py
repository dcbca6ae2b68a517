"""The text and the review of a file."""

from typing import Final

from lattice.type.v1 import text_pb2

from lattice_app_kit.app import Document
from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.checks.refusals import refused
from lattice_app_kit.verdicts import require

CHECKS: Final = Checks("reading")

_TYPES: Final = frozenset({"comment", "tracked_change", "external_target"})


@CHECKS.add
async def reads_documents(trial: Trial) -> None:
    """Extract answers the text and the review of each document, the same each time."""
    for document in trial.documents:
        first = await trial.app.extract(document)
        require(first == await trial.app.extract(document), f"two extracts of {document.name} differ")


@CHECKS.add
async def writes_plain_text(trial: Trial) -> None:
    """The text has no page breaks and no other control characters than tabs and line breaks."""
    for document in trial.documents:
        text = (await trial.app.extract(document)).text
        control = next((it for it in text if it < " " and it not in "\t\n"), None)
        require(control is None, f"the text of {document.name} holds {control!r}")


@CHECKS.add
async def identifies_review_items(trial: Trial) -> None:
    """Each item of the review has an id of its own, and is a comment, a tracked change or an external target."""
    for document in trial.documents:
        review = (await trial.app.extract(document)).review
        ids = [it.get("id") for it in review]
        require(all(isinstance(it, str) and it for it in ids), f"an item of {document.name} has no id")
        require(len(set(ids)) == len(ids), f"two items of {document.name} have one id")
        types = {it.get("type") for it in review} - _TYPES
        require(not types, f"items of {document.name} are of the types {types}")


@CHECKS.add
async def refuses_other_content(trial: Trial) -> None:
    """What is no file of the format is refused as FILE_REFUSED with its guard."""
    true = trial.document
    contents = {
        "noise": bytes(range(256)) * 64,
        "the first half of a file": true.content[: len(true.content) // 2],
    }
    for name, content in contents.items():
        broken = Document(name=name, format=true.format, content=content)
        await refused(trial.app.extract(broken), "FILE_REFUSED", "guard")
        await refused(trial.app.page(broken, 1), "FILE_REFUSED", "guard")


@CHECKS.add
async def refuses_other_views(trial: Trial) -> None:
    """A view that is none is refused as VALIDATION_FAILED."""
    await refused(trial.app.extract(trial.document, text_pb2.TextView.ValueType(99)), "VALIDATION_FAILED")
