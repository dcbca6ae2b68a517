"""Documents whose size is honest and whose shape is not: once they took minutes, now their size alone counts."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from lattice_wordcraft import reading, review
from lattice_wordcraft.externals import external_targets
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import opened
from lattice_wordcraft.quotes import _lenient
from service.wordcraft.hostile.case import MAIN, with_inserted

MANY = 20_000
SECONDS = 10
"""Of the processor; the shapes below took minutes or hours."""


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Fails a test that takes long."""
    with _within_seconds():
        yield


@contextmanager
def _within_seconds() -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def test_styles_may_be_based_on_each_other_in_a_long_chain() -> None:
    """N-13: whether a style hides its words is found once."""
    chain = "".join(
        f'<w:style w:type="character" w:styleId="s{number}"><w:basedOn w:val="s{number - 1}"/></w:style>'
        for number in range(1, MANY)
    )
    hiding = '<w:style w:type="character" w:styleId="s0"><w:rPr><w:vanish/></w:rPr></w:style>'
    read = opened(with_inserted("word/styles.xml", "</w:styles", chain + hiding), Limits())
    assert f"s{MANY - 1}" in reading._hiding_styles(read)


def test_styles_may_be_based_on_each_other_in_a_circle() -> None:
    """N-13: none of them hides anything."""
    circle = "".join(
        f'<w:style w:styleId="s{number}"><w:basedOn w:val="s{(number + 1) % 3}"/></w:style>' for number in range(3)
    )
    hiding = '<w:style w:styleId="h"><w:rPr><w:vanish/></w:rPr></w:style>'
    read = opened(with_inserted("word/styles.xml", "</w:styles", circle + hiding), Limits())
    assert reading._hiding_styles(read) == {"h"}


def test_comments_may_lie_over_each_other() -> None:
    """N-14: each tells the first words that it stands at, and not the whole document once more."""
    starts = "".join(f'<w:commentRangeStart w:id="{number}"/>' for number in range(MANY))
    ends = starts.replace("commentRangeStart", "commentRangeEnd")
    words = "".join(f"<w:r><w:t>{number} </w:t></w:r>" for number in range(MANY))
    read = opened(with_inserted(MAIN, "<w:sectPr", f"<w:p>{starts}{words}{ends}</w:p>"), Limits())
    texts = review._anchored_texts(read)
    assert len(texts) >= MANY
    assert texts[str(MANY - 1)].startswith("0 1 2 ")
    assert len(texts[str(MANY - 1)]) == 1_000


def test_a_field_may_have_an_instruction_of_many_pieces() -> None:
    """SE-09: it is put together once."""
    pieces = "".join(f"<w:r><w:instrText>{number:020}</w:instrText></w:r>" for number in range(MANY))
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{it}"/></w:r>' for it in ("begin", "end"))
    name = "<w:r><w:instrText>INCLUDETEXT </w:instrText></w:r>"
    read = opened(with_inserted(MAIN, "<w:sectPr", f"<w:p>{begin}{name}{pieces}{end}</w:p>"), Limits())
    assert [it.kind for it in external_targets(read)] == ["INCLUDETEXT"]


def test_a_quote_that_begins_with_white_space_is_found_in_long_runs_of_it() -> None:
    """F-10: each run is gone through once."""
    text = f"one{' ' * 1_000_000}two\u00a0 in Berlin"
    assert [match[0] for match in re.finditer(_lenient(" in Berlin"), text)] == ["\u00a0 in Berlin"]
