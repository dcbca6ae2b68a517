"""Words: how paragraphs count them, what a replacement keeps, and how commands are found by them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.catalogue.text import _kept
from lattice_wordcraft.finding import found
from lattice_wordcraft.passages import Passage, Piece, Span, passage
from lattice_wordcraft.xml import W, parsed

QUERIES = (
    ("make this bold", "format_text"),
    ("who can answer this remark", "reply_to_comment"),
    ("fix a typo", "replace_text"),
    ("replace a word", "replace_text"),
    ("add a comment to the sentence", "add_comment"),
    ("close the comment thread", "resolve_comment"),
    ("accept every suggestion", "accept_all_changes"),
    ("throw away the tracked changes", "reject_all_changes"),
    ("new paragraph after the heading", "insert_paragraph"),
    ("remove the second bullet", "delete_paragraph"),
    ("turn this line into a heading", "set_style"),
    ("center the title", "align_paragraph"),
    ("highlight the deadline", "format_text"),
    ("rename the company throughout the document", "replace_everywhere"),
    ("keep this insertion", "accept_change"),
    ("undo one edit of Tomasz", "reject_change"),
    ("delete a remark", "delete_comment"),
    ("open the discussion again", "reopen_comment"),
    ("change the date", "replace_text"),
    ("replace text, add a comment", "replace_text"),
    ("underline words", "format_text"),
    ("append a list item", "insert_paragraph"),
    ("leave feedback in the margin", "add_comment"),
    ("approve one revision", "accept_change"),
    ("restore what was deleted", "reject_change"),
    ("font size 14", "format_text"),
    ("answer Nadia's question", "reply_to_comment"),
    ("mark as done", "resolve_comment"),
    ("find and replace all", "replace_everywhere"),
    ("clean version without markup", "accept_all_changes"),
)
"""Written down before the ranking was."""


@pytest.mark.parametrize(("query", "command"), QUERIES)
def test_a_plain_query_ranks_its_command_among_the_first_three(query: str, command: str) -> None:
    """A-06, N-16: people name what they want, not the command."""
    assert command in [it.id for it in found(query, 3)]


def test_an_empty_query_lists_and_a_strange_one_finds_nothing() -> None:
    """N-16: the limit holds either way."""
    assert [it.id for it in found("  ", 4)] == list(CATALOGUE)[:4]
    assert found("quantum chromodynamics", 10) == []
    assert len(found("change comment text paragraph", 3)) == 3


def test_finding_takes_a_few_milliseconds_at_most() -> None:
    """A-06: asked at every turn of an agent."""
    found("warm", 10)
    began = time.perf_counter()
    for query, _ in QUERIES:
        found(query, 10)
    assert (time.perf_counter() - began) / len(QUERIES) < 0.005


def test_the_engines_offsets_leave_out_what_it_does_not_count() -> None:
    """Tabs read and do not count, some text counts and does not read; beyond the basic plane one counts twice."""
    read = Passage((Piece("a\U0001f600", 3), Piece("\t", 0), Piece("", 5), Piece("bc", 2)))
    assert read.text == "a\U0001f600\tbc"
    assert read.span(3, 5) == Span(8, 2)
    assert read.span(0, 2) == Span(0, 3)
    assert read.span(2, 2) == Span(3, 0)
    assert read.span(1, 4) == Span(1, 8)
    assert read.is_plain(3, 5)
    assert not read.is_plain(1, 4)


def test_a_paragraph_reads_hyphens_breaks_equations_and_ruby() -> None:
    """N-13: as people see it, without the reading aid of ruby."""
    paragraph = parsed(
        "p",
        f'<w:p xmlns:w="{W[1:-1]}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">'
        "<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type='page'/></w:r>"
        "<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath>"
        "<w:r><w:ruby><w:rt><w:r><w:t>hint</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:r>"
        "<w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>".encode(),
    )
    read = passage(paragraph)
    assert read.text == "a-b\ncx+1baselink"
    assert [piece.text for piece in read.pieces if piece.units] == ["a", "b", "c", "link"]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("the launch is on Monday", "the launch is on Friday", ("Monday", "Friday")),
        ("EUR 48,000 in all", "EUR 42,000 in all", ("48,000", "42,000")),
        ("cat", "cats", ("cat", "cats")),
        ("one two", "one big two", ("", "big ")),
        ("one two", "two", ("one ", "")),
        ("don't go", "didn't go", ("don't", "didn't")),
    ],
)
def test_only_the_words_that_differ_are_replaced(old: str, new: str, changed: tuple[str, str]) -> None:
    """F-09: a reviewer sees what changed, not the sentence around it."""
    before, after = _kept(old, new)
    assert (old[before : len(old) - after], new[before : len(new) - after]) == changed


@given(st.text(alphabet="ab1., \u0301", max_size=12), st.text(alphabet="ab1., \u0301", max_size=12))
def test_what_is_kept_and_what_is_new_make_the_replacement(old: str, new: str) -> None:
    """F-09: whatever the words, the result is what was asked for."""
    before, after = _kept(old, new)
    assert before + after <= min(len(old), len(new))
    assert old[:before] == new[:before]
    assert old[len(old) - after :] == new[len(new) - after :]
