"""Runs that are cut and properties that are set: nothing else of a paragraph changes."""

from hypothesis import given
from hypothesis import strategies as st
from lattice_wordcraft.catalogue.properties import ORDER, amend, drop, put
from lattice_wordcraft.catalogue.runs import runs_of
from lattice_wordcraft.passages import passage
from lattice_wordcraft.xml import W, parsed
from lxml import etree

PIECES = st.sampled_from(["<w:t>ab</w:t>", "<w:t>c d\U0001f600</w:t>", "<w:tab/>", "<w:br/>", "<w:footnoteReference/>"])
RUNS = st.lists(st.tuples(st.booleans(), st.lists(PIECES, min_size=1, max_size=4)), min_size=1, max_size=4)


def paragraph_of(runs: list[tuple[bool, list[str]]]) -> etree._Element:
    inner = "".join(f"<w:r>{'<w:rPr><w:b/></w:rPr>' * bold}{''.join(pieces)}</w:r>" for bold, pieces in runs)
    return parsed("p", f'<w:p xmlns:w="{W[1:-1]}">{inner}</w:p>'.encode())


def contents(paragraph: etree._Element) -> list[tuple[bool, str, str]]:
    """What the runs hold, each character with whether it is bold."""
    said = []
    for run in paragraph.iter(f"{W}r"):
        bold = run.find(f"{W}rPr/{W}b") is not None
        for piece in run.iterchildren(f"{W}t", f"{W}tab", f"{W}br", f"{W}footnoteReference"):
            said += [(bold, etree.QName(piece).localname, it) for it in piece.text or " "]
    return said


@given(RUNS, st.data())
def test_runs_are_cut_to_the_words_and_say_the_same(runs: list[tuple[bool, list[str]]], data: st.DataObject) -> None:
    """F-09: only the words that are meant are changed."""
    paragraph = paragraph_of(runs)
    text, before = passage(paragraph).text, contents(paragraph)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    meant = runs_of(paragraph, start, end)
    assert contents(paragraph) == before
    assert passage(paragraph).text == text
    holder = etree.Element(f"{W}p")
    holder.extend(meant)
    assert passage(holder).text == text[start:end]


@given(st.lists(st.sampled_from([it for it in ORDER[f"{W}pPr"] if it != "pPrChange"]), max_size=12))
def test_properties_stand_in_the_order_of_the_schema_however_they_were_set(names: list[str]) -> None:
    """Word calls another order unreadable."""
    properties = etree.Element(f"{W}pPr")
    for name in names:
        put(properties, name, val=1)
    order = ORDER[properties.tag]
    found = [etree.QName(it).localname for it in properties]
    assert found == sorted(set(names), key=order.index)


def test_attributes_that_are_not_named_stay() -> None:
    """A left indent says nothing of the right one."""
    properties = etree.Element(f"{W}pPr")
    put(properties, "ind", right=20)
    amend(properties, "ind", left=40)
    amend(properties, "ind", left=60, hanging=None)
    (indent,) = properties
    assert indent.items() == [(f"{W}right", "20"), (f"{W}left", "60")]
    drop(properties, "ind", "jc")
    assert len(properties) == 0
