"""The marks around what others wrote."""

import re

import pytest
from artifactr.core.marks import ARTIFACT, CHANGES, PROPOSALS, element, inert, line
from hypothesis import given
from hypothesis import strategies as st

MARKS = (ARTIFACT, PROPOSALS, CHANGES)

BESIDE = ("<", "</", "\uff1c", ">", "/", " ", "\n", "\u200b", "\ufeff", '"', "=", "&lt;", "&", "x", "id")
PIECES = (*BESIDE, *MARKS, "Artifact")

hostile = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3))).map("".join)


def tags_in(text: str) -> list[str]:
    """What a careless reader takes for tags of ours: in any case, with spaces, with characters that nobody sees."""
    seen = re.sub("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]", "", text).replace("\uff1c", "<").lower()
    found = re.findall(r"<\s*(/?)\s*(artifact|proposals|workspace-changes)(?![\w:.-])", seen)
    return [slash + mark for slash, mark in found]


@given(text=hostile, value=hostile, mark=st.sampled_from(MARKS))
def test_no_text_and_no_id_breaks_out_of_its_mark(text: str, value: str, mark: str) -> None:
    """SE-05: the only tags are the first and the last line."""
    marked = element(mark, text, id=value)
    assert tags_in(marked) == [mark, f"/{mark}"]
    opening, *_, closing = marked.split("\n")
    assert opening.endswith(">")
    assert opening.count(">") == 1
    assert closing == f"</{mark}>"


@given(text=hostile)
def test_a_line_is_one_line_without_a_mark(text: str) -> None:
    """SE-05: however it is broken."""
    assert len(line(text).splitlines()) <= 1
    assert tags_in(line(text)) == []


@pytest.mark.parametrize(
    "text", ["a < b", "<b>bold</b>", "<artifactId>core</artifactId>", "</html>", "<my-artifact/>", "&lt;"]
)
def test_what_is_no_mark_of_ours_reads_as_it_is(text: str) -> None:
    """AT-11: an edit names the passage as it reads."""
    assert inert(text) == text
