"""What is read of a document: its words in the final view, and its review."""

from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppRefused, FileRefused
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import packed, parts_of, plan, text_of, with_body


async def test_headings_paragraphs_cells_headers_and_footers_are_read_in_order() -> None:
    """N-13: nothing with words is skipped."""
    assert text_of(plan()).splitlines() == [
        "Launch plan",
        "The launch is on Monday in Berlin, and Acme pays.",
        "First point",
        "Second point",
        "Item | Cost",
        "Venue | 1200",
        "Name:\tMara. Acme again: the Acme Group.",
        "Closing words.",
        "Step one",
        "Step two",
        "Other step",
        "[header]",
        "Confidential, by Acme",
        "[footer]",
        "Page footer",
    ]


async def test_a_text_box_is_read_once_and_a_field_by_its_result() -> None:
    """N-13: the copy of a text box for older programs is not read, nor is a field's code."""
    box = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>"
    either = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    read = text_of(with_body(f"<w:p><w:r><w:t>page </w:t></w:r>{field}<w:r>{either}</w:r></w:p>"))
    assert read.splitlines()[:2] == ["page 7", "in the box"]


@pytest.mark.documents
async def test_a_text_box_goes_with_the_paragraph_that_it_is_anchored_in(
    app: WordCraft, edits: Edits, corpus: Path
) -> None:
    """N-13: once that is deleted, tracked or not, none of its words are read or can be quoted."""
    content = (corpus / "c04-comment-overlapping-tracked.docx").read_bytes()
    command = ("delete_paragraph", {"quote": "test"})
    tracked = (await edits(content, command)).content
    accepted = (await edits(tracked, ("accept_all_changes", {"author": "assistant"}))).content
    assert text_of(tracked) == text_of(accepted) == text_of((await edits(content, command, tracked=False)).content)
    assert text_of((await edits(tracked, ("reject_all_changes", {"author": "assistant"}))).content) == text_of(content)
    words = "On the Insert tab, the galleries include items that are designed to coordinate with the ovlook"
    assert words in text_of(content)
    with pytest.raises(AppRefused, match="occurs 0 times"):
        await edits(tracked, ("delete_text", {"quote": words}))


async def test_a_thread_is_read_with_its_words_parent_and_state(app: WordCraft, edits: Edits) -> None:
    """N-14: a comment names the words it stands at, a reply its parent, a resolved thread its state."""
    commented = await edits(plan(), ("add_comment", {"quote": "in Berlin", "text": "Is *it* booked?\nReally?"}))
    answered = await edits(
        commented.content, ("reply_to_comment", {"comment_id": "comment-1", "text": "Yes."}), author="Nadia Haddad"
    )
    resolved = await edits(answered.content, ("resolve_comment", {"comment_id": "comment-1"}))
    comment, reply = (await app.extract(resolved.content)).review
    assert comment == {
        "id": "comment-1",
        "type": "comment",
        "author": "assistant",
        "date": "2026-01-02T12:00:00Z",
        "text": "Is *it* booked? Really?",
        "state": "resolved",
        "anchored_text": "in Berlin",
    }
    assert (reply["author"], reply["parent_id"], reply["anchored_text"]) == ("Nadia Haddad", "comment-1", "in Berlin")


async def test_a_part_that_is_not_well_formed_is_refused_typed(app: WordCraft) -> None:
    """SE-07: the engine never sees it."""
    parts = parts_of(plan())
    parts["word/document.xml"] = b"<w:document" + b"<a>" * 500
    with pytest.raises(FileRefused) as refused:
        await app.extract(packed(parts))
    assert refused.value.guard == "malformed_xml"
