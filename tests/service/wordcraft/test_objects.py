"""Commands on links, bookmarks, images, content controls and contents tables."""

import base64
import re

import pytest
from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.refusals import AppRefused
from lattice_wordcraft.wordcraft import WordCraft
from lxml import etree
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import form, main_of, parts_of, plan, png, text_of

pytestmark = pytest.mark.documents

Step = tuple[str, dict[str, object]]

RED, BLUE = png((255, 0, 0), 8, 4), png((0, 0, 255), 8, 4)
RELATIONSHIPS = "word/_rels/document.xml.rels"

LINK = ("add_link", {"quote": "in Berlin", "address": "https://www.example.org/a?b=1&c=2"})
BOOKMARK_OF_POINT = ("add_bookmark", {"quote": "First point", "name": "Point"})
BOOKMARK = ("add_bookmark", {"quote": "in Berlin", "name": "Venue"})
IMAGE = ("insert_image", {"quote": "Closing", "image": RED, "alt_text": "A red bar", "width": 100})


@pytest.mark.parametrize(
    ("before", "command"),
    [
        ((), LINK),
        ((LINK,), ("change_link", {"quote": "Berlin", "address": "mailto:a@example.org"})),
        ((LINK,), ("remove_link", {"quote": "Berlin"})),
        ((), BOOKMARK),
        ((BOOKMARK,), ("rename_bookmark", {"name": "Venue", "new_name": "Place"})),
        ((BOOKMARK,), ("remove_bookmark", {"name": "Venue"})),
        ((), ("check_control", {"control": "Agreed"})),
        ((), ("pick_control_item", {"control": "Color", "item": "Blue"})),
        ((), ("set_control_date", {"control": "Due", "date": "2026-05-04"})),
        ((), ("insert_contents", {"quote": "Launch plan"})),
        ((), ("insert_list_of_figures", {"quote": "Launch plan"})),
    ],
    ids=lambda it: it[0] if it and isinstance(it[0], str) else "",
)
async def test_what_has_no_tracked_change_is_made_directly_also_by_agents_and_is_said_to_be(
    app: WordCraft,
    edits: Edits,
    before: tuple[tuple[str, dict[str, object]], ...],
    command: tuple[str, dict[str, object]],
) -> None:
    """F-09: the review shows nothing; what an agent does next in the batch is tracked again."""
    result = await edits(form(), *before, command, ("replace_text", {"quote": "Closing", "replacement": "Last"}))
    review = (await app.extract(result.content)).review
    assert [(it["state"], it["text"]) for it in review] == [("deletion", "Closing"), ("insertion", "Last")]
    assert "also by agents" in " ".join(CATALOGUE[command[0]].description.split())


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "file:///etc/passwd", "\\\\server\\share", "no address", "https://a b"]
)
async def test_a_link_leads_to_the_web_or_a_mailbox_only(edits: Edits, address: str) -> None:
    """SE-07: nothing that runs, and no file of the reader's machine."""
    with pytest.raises(AppRefused, match="address"):
        await edits(plan(), ("add_link", {"quote": "in Berlin", "address": address}))


async def test_a_link_is_found_by_its_words_and_leaves_no_relationship_behind(edits: Edits) -> None:
    """N-17: only the parts that a link needs change."""
    linked = await edits(plan(), LINK)
    assert linked.changed_parts == [RELATIONSHIPS, "word/document.xml"]
    assert b'Target="https://www.example.org/a?b=1&amp;c=2"' in parts_of(linked.content)[RELATIONSHIPS]
    for twice in (LINK, ("add_link", {"quote": "Monday in Berlin", "address": "https://example.org"})):
        with pytest.raises(AppRefused, match="is linked already"):
            await edits(linked.content, twice)
    with pytest.raises(AppRefused, match="there are 0 links"):
        await edits(linked.content, ("remove_link", {"quote": "Closing"}))
    removed = await edits(linked.content, ("remove_link", {"quote": "Berlin"}))
    assert b"example.org" not in parts_of(removed.content)[RELATIONSHIPS]
    assert text_of(removed.content) == text_of(plan())
    in_header = await edits(plan(), ("add_link", {"quote": "Confidential", "address": "https://example.org"}))
    assert in_header.changed_parts == ["word/_rels/header1.xml.rels", "word/header1.xml"]


async def test_bookmarks_and_references_are_checked_by_name(edits: Edits) -> None:
    """R-06: with the names there are."""
    marked = await edits(plan(), BOOKMARK)
    with pytest.raises(AppRefused, match="there is a bookmark 'venue' already"):
        await edits(marked.content, ("add_bookmark", {"quote": "Closing", "name": "venue"}))
    for command in ("remove_bookmark", "rename_bookmark", "add_cross_reference"):
        more = {"rename_bookmark": {"name": "Place", "new_name": "Spot"}, "remove_bookmark": {"name": "Place"}}
        arguments = more.get(command, {"quote": "Closing", "bookmark": "Place"})
        with pytest.raises(AppRefused, match="there is no bookmark 'Place'; there are: Venue"):
            await edits(marked.content, (command, arguments))
    for tracked in (True, False):
        referred = await edits(
            marked.content, ("add_cross_reference", {"quote": "Closing", "bookmark": "Venue"}), tracked=tracked
        )
        assert "Closingin Berlin words." in text_of(referred.content)
        assert ("<w:ins " in main_of(referred.content)) == tracked


@pytest.mark.parametrize(
    "quote", ["Berlin, and Acme", "Monday in Berlin", "Acme pays.", "in Berlin, and Acme pays", "is on"]
)
async def test_a_bookmark_in_a_link_leaves_the_link_whole(app: WordCraft, edits: Edits, quote: str) -> None:
    """A link in pieces would be several links for who edits it next."""
    link = ("add_link", {"quote": "in Berlin, and Acme pays", "address": "https://www.example.org/"})
    linked = (await edits(plan(), link, tracked=False)).content
    named = (await edits(linked, ("add_bookmark", {"quote": quote, "name": "Here"}), BOOKMARK_OF_POINT)).content
    (found,) = re.findall("<w:hyperlink .*?</w:hyperlink>", main_of(named))
    assert re.sub("<[^>]*>", "", found) == "in Berlin, and Acme pays"
    (marked,) = re.findall('<w:bookmarkStart [^>]*w:name="Here".*?<w:bookmarkEnd ', main_of(named))
    assert re.sub("<[^>]*>?", "", marked) == quote
    referred = await edits(
        named, ("add_cross_reference", {"quote": "Closing words", "bookmark": "Here"}), tracked=False
    )
    assert f"Closing words{quote}" in text_of(referred.content)
    with pytest.raises(AppRefused, match="within a link"):
        await edits(named, ("add_cross_reference", {"quote": "in Berlin", "bookmark": "Point"}))


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_words_inserted_in_a_link_belong_to_it_and_those_at_its_edge_do_not(sound: Edits, tracked: bool) -> None:
    """Nothing that was written beside a link leads somewhere."""
    link = ("add_link", {"quote": "in Berlin", "address": "https://www.example.org/"})
    linked = (await sound(plan(), link, tracked=False)).content
    for quote, position, words in (
        ("Monday in", "after", "in X Berlin"),
        ("Berlin", "before", "in X Berlin"),
        ("in Berlin", "after", "in Berlin"),
        ("in Berlin", "before", "in Berlin"),
    ):
        text = " X" if position == "after" else "X "
        command = ("insert_text", {"quote": quote, "text": text, "position": position})
        result = (await sound(linked, command, tracked=tracked)).content
        (found,) = re.findall("<w:hyperlink .*?</w:hyperlink>", main_of(result))
        assert re.sub("<[^>]*>", "", found) == words


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
@pytest.mark.parametrize(
    "command",
    [
        ("format_text", {"quote": "Closing words", "bold": True}),
        ("align_paragraph", {"quote": "Closing words", "alignment": "center"}),
        ("set_style", {"quote": "Closing words", "style": "heading 1"}),
        ("insert_text", {"quote": "Closing", "text": " final"}),
        ("add_footnote", {"quote": "Closing", "text": "Prices of May."}),
        ("add_bookmark", {"quote": "Closing", "name": "Here"}),
    ],
    ids=lambda it: it[0],
)
async def test_a_paragraph_with_an_image_is_changed_like_any_other(
    app: WordCraft, sound: Edits, command: Step, tracked: bool
) -> None:
    """The image stays as it is, and what comes next in the batch finds its place."""
    illustrated = (await sound(plan(), IMAGE, tracked=False)).content
    (drawing,) = re.findall("<w:drawing.*?</w:drawing>", main_of(illustrated))
    result = await sound(
        illustrated, command, ("replace_text", {"quote": "words", "replacement": "remarks"}), tracked=tracked
    )
    (now,) = re.findall("<w:drawing.*?</w:drawing>", main_of(result.content))
    assert canonical(now) == canonical(drawing)
    assert "word/media/image.png" not in result.changed_parts
    assert re.search(r"^Closing( final)? remarks", text_of(result.content), re.MULTILINE)
    accepted = await sound(result.content, ("accept_all_changes", {})) if tracked else result
    assert (await app.extract(accepted.content)).review == []
    resized = await sound(accepted.content, ("resize_image", {"described_as": "A red bar", "width": 50}))
    assert resized.changed_parts == ["word/document.xml"]


async def test_a_form_field_that_is_ticked_may_stand_beside_words_that_change(sound: Edits) -> None:
    """The engine takes no markup with a check box in it; the paragraph is changed all the same."""
    result = await sound(form(), ("format_text", {"quote": "Form:", "bold": True}))
    assert main_of(result.content).count("<w14:checkbox>") == 1


async def test_an_image_comes_with_the_command_and_nothing_else_changes(app: WordCraft, edits: Edits) -> None:
    """F-08: media, relationships and types; a rejection takes it away again, an acceptance keeps the comment at it."""
    shown = await edits(plan(), IMAGE, ("add_comment", {"quote": "Closing words", "text": "Which logo?"}))
    assert "media/image.png" in shown.changed_parts
    assert parts_of(shown.content)["media/image.png"] == base64.b64decode(RED)
    assert 'cx="1270000" cy="635000"' in main_of(shown.content)
    accepted = await edits(shown.content, ("accept_all_changes", {}))
    assert [it["text"] for it in (await app.extract(accepted.content)).review] == ["Which logo?"]
    for command in (
        ("replace_image", {"described_as": "A red bar", "image": BLUE}),
        ("resize_image", {"quote": "Closing words", "height": 25}),
        ("set_alt_text", {"number": 1, "alt_text": "The logo"}),
        ("remove_image", {"number": 1}),
    ):
        tracked = await edits(accepted.content, command)
        states = {it["state"] for it in (await app.extract(tracked.content)).review if it["type"] == "tracked_change"}
        assert states <= {"insertion", "deletion", "move"}, command
        assert "deletion" in states, command
        ids = re.findall(r'<wp:docPr [^>]*\bid="(\d+)"', main_of(tracked.content))
        assert len(ids) == len(set(ids)), command
        rejected = await edits(tracked.content, ("reject_all_changes", {}))
        assert main_of(rejected.content).count("<w:drawing>") == 1, command
        assert 'descr="A red bar"' in main_of(rejected.content), command


async def test_an_image_that_is_not_there_or_not_just_one_is_refused_with_those_there_are(edits: Edits) -> None:
    """R-06."""
    with pytest.raises(AppRefused, match="0 images are meant, of 0 in the document: none"):
        await edits(plan(), ("remove_image", {"number": 1}))
    two = await edits(plan(), IMAGE, ("insert_image", {"quote": "First", "image": BLUE, "alt_text": "A blue bar"}))
    with pytest.raises(AppRefused, match="2 images are meant, of 2 in the document: 1 A blue bar; 2 A red bar"):
        await edits(two.content, ("remove_image", {}))


@pytest.mark.parametrize(
    ("image", "why"),
    [
        ("https://example.org/a.png", "not base64"),
        (base64.b64encode(b"<svg/>").decode(), "neither a PNG nor a JPEG nor a GIF"),
        (base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(4 * 2**20)).decode(), "at most 5592409 characters"),
    ],
    ids=["an address", "another format", "too large"],
)
async def test_an_image_is_bytes_of_a_few_formats_and_mebibytes(edits: Edits, image: str, why: str) -> None:
    """SE-07: no address is ever followed."""
    with pytest.raises(AppRefused, match=why):
        await edits(plan(), ("insert_image", {"quote": "Closing", "image": image, "alt_text": ""}))


async def test_a_form_is_filled(edits: Edits) -> None:
    """N-17: by the titles or tags of its fields."""
    for tracked in (True, False):
        filled = await edits(
            form(),
            ("fill_control", {"control": "name", "text": "Mara & Jun"}),
            ("check_control", {"control": "Agreed"}),
            ("pick_control_item", {"control": "Color", "item": "Blue"}),
            ("set_control_date", {"control": "Due", "date": "2026-05-04", "shown_as": "4 May 2026"}),
            tracked=tracked,
        )
        assert re.search("Form: Mara & Jun[\u2611-\u2612]Blue4 May 2026", text_of(filled.content))
        assert 'w:fullDate="2026-05-04T00:00:00Z"' in main_of(filled.content)
        assert ("<w:ins " in main_of(filled.content)) == tracked


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            ("fill_control", {"control": "Nickname", "text": "x"}),
            r"0 .* there are: Full name \(plain_text\);",
        ),
        (("fill_control", {"control": "Agreed", "text": "x"}), "is of the kind checkbox"),
        (("pick_control_item", {"control": "Color", "item": "Green"}), "the list has: Red, Blue"),
        (("set_control_date", {"control": "Due", "date": "2026-02-30"}), "no such day"),
    ],
    ids=lambda it: it[0] if isinstance(it, tuple) else "",
)
async def test_a_field_that_does_not_fit_is_refused_with_what_there_is(edits: Edits, command: Step, why: str) -> None:
    """R-06."""
    with pytest.raises(AppRefused, match=why):
        await edits(form(), command)


async def test_a_contents_table_is_a_field_of_its_own_that_is_filled_on_opening(edits: Edits) -> None:
    """N-17: marked as out of date; the document's settings stay as they are."""
    result = await edits(plan(), ("insert_contents", {"quote": "Launch plan", "levels": 2, "title": "Overview"}))
    assert result.changed_parts == ["word/document.xml", "word/styles.xml"]
    assert 'TOC \\o "1-2"' in main_of(result.content)
    assert 'w:dirty="true"' in main_of(result.content)
    assert text_of(result.content).startswith("Overview\n")
    with pytest.raises(AppRefused, match="outside of tables"):
        await edits(plan(), ("insert_contents", {"quote": "Venue"}))


def canonical(drawing: str) -> bytes:
    """The drawing without how its namespaces are declared."""
    spaces = " ".join(f'xmlns:{prefix}="urn:{prefix}"' for prefix in ("w", "wp", "a", "pic", "r", "wp14", "mc"))
    return etree.tostring(etree.fromstring(f"<x {spaces}>{drawing}</x>"), method="c14n", exclusive=True)
