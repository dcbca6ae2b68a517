"""What a document names outside itself stands in its review, and nowhere else."""

import pytest
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import parts_of, plan
from service.wordcraft.hostile import outside

pytestmark = pytest.mark.documents

SERVER = "http://127.0.0.1:9"
TOLD = {
    "a picture on a server": ("image", f"{SERVER}/picture.png"),
    "a picture on a share": ("image", r"\\127.0.0.1:9\share\picture.png"),
    "a picture of VML on a server": ("imagedata", f"{SERVER}/vml.png"),
    "a template on a server": ("attachedTemplate", f"{SERVER}/a.dotm"),
    "a frame on a server": ("frame", f"{SERVER}/frame.htm"),
    "a sub-document on a server": ("subDocument", f"{SERVER}/sub.docx"),
    "a linked object on a server": ("oleObject", f"{SERVER}/sheet.xlsx"),
    "a mail merge source on a server": ("mailMergeSource", f"{SERVER}/a.csv"),
    "a chunk on a server": ("aFChunk", f"{SERVER}/a.html"),
    "INCLUDEPICTURE": ("INCLUDEPICTURE", f'INCLUDEPICTURE "{SERVER}/field.png" \\d'),
    "INCLUDETEXT": ("INCLUDETEXT", f'INCLUDETEXT "{SERVER}/text.docx"'),
    "LINK": ("LINK", f'LINK Excel.Sheet.12 "{SERVER}/a.xlsx" "R1C1"'),
    "DDEAUTO": ("DDEAUTO", r'DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc.exe"'),
}
MADE = {case.name: case.made for case in outside.CASES}


@pytest.mark.parametrize("name", TOLD)
async def test_an_external_target_is_an_item_of_the_review(app: WordCraft, name: str) -> None:
    """SE-09, N-14: with what it is for and its address, as it stands there."""
    (item,) = (await app.extract(MADE[name](SERVER))).review
    assert (item["type"], item["id"]) == ("external_target", "external-1")
    assert (item["state"], item["text"]) == TOLD[name]


async def test_an_edit_keeps_external_targets(app: WordCraft, edits: Edits) -> None:
    """SE-09, F-08: byte for byte, in the part that names them."""
    document = MADE["a template on a server"](SERVER)
    result = await edits(document, ("replace_text", {"quote": "on Monday", "replacement": "on Friday"}))
    relations = "word/_rels/settings.xml.rels"
    assert parts_of(result.content)[relations] == parts_of(document)[relations]
    assert (await app.extract(result.content)).review[-1]["state"] == "attachedTemplate"


async def test_a_hyperlink_and_a_page_number_are_no_external_targets(app: WordCraft) -> None:
    """SE-09: a person follows the one, and the other reads nothing."""
    assert (await app.extract(plan())).review == []
    for document in (outside.related("word/document.xml", "hyperlink", SERVER), outside.field("PAGE \\* MERGEFORMAT")):
        assert (await app.extract(document)).review == []
