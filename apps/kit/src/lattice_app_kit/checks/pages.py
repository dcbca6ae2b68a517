"""Pages as images."""

from typing import Final

from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.checks.refusals import refused
from lattice_app_kit.verdicts import Broken, require

CHECKS: Final = Checks("pages")

_LARGEST: Final = 2**20
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


@CHECKS.add
async def draws_pages(trial: Trial) -> None:
    """A page is a PNG image of the size that is declared, within the size that was asked for, and 1 MiB."""
    for document in trial.documents:
        for long_side in (0, 100, 800):
            page = await trial.app.page(document, 1, long_side)
            require(_size(page.png) == (page.width, page.height), f"the image is {_size(page.png)} pixels large")
            longest = max(page.width, page.height)
            require(longest <= (long_side or 1600), f"{longest} pixels on the long side, {long_side} were asked for")
            require(len(page.png) <= _LARGEST, f"the image has {len(page.png)} bytes")
            require(page.count >= 1, f"the document has {page.count} pages")


@CHECKS.add
async def counts_pages(trial: Trial) -> None:
    """A page that is not there is refused as PAGE_OUT_OF_RANGE with the true count, page 0 as VALIDATION_FAILED."""
    count = (await trial.app.page(trial.document, 1, 100)).count
    for number in (count + 1, -1):
        refusal = await refused(trial.app.page(trial.document, number, 100), "PAGE_OUT_OF_RANGE", "count")
        require(refusal["count"] == str(count), f"the refusal counts {refusal['count']} pages, page 1 says {count}")
    await trial.app.page(trial.document, count, 100)
    await refused(trial.app.page(trial.document, 0, 100), "VALIDATION_FAILED")


@CHECKS.add
async def refuses_wrong_sizes(trial: Trial) -> None:
    """Sizes outside 100 to 1,600 pixels are refused as VALIDATION_FAILED."""
    for long_side in (-1, 99, 1601):
        await refused(trial.app.page(trial.document, 1, long_side), "VALIDATION_FAILED")


def _size(png: bytes) -> tuple[int, int]:
    if not png.startswith(_SIGNATURE) or png[12:16] != b"IHDR":
        raise Broken("the page is no PNG image")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
