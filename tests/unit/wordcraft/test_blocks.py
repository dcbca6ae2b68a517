"""The ids that paragraphs carry when the engine opens a document."""

from lattice_wordcraft import xml
from lattice_wordcraft.blocks import ENGINE_ID, anchored
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.package import TEXT_ROLES, opened
from lattice_wordcraft.xml import W
from lxml import etree
from service.wordcraft.documents import plan
from service.wordcraft.hostile.case import MAIN, with_inserted


def test_each_paragraph_and_cell_has_an_id_of_its_own_whatever_the_document_says() -> None:
    """F-10: one id for two paragraphs would let an edit reach the wrong one."""
    paragraph = '<w:p xmlns:pt="http://powertools.codeplex.com/2011" pt:Unid="1"/>'
    original = opened(with_inserted(MAIN, "<w:sectPr", paragraph * 2), Limits())
    content, stories = anchored(original)
    ids = [it.get(ENGINE_ID) for story in stories for it in story.iter(f"{W}p", f"{W}tc")]
    assert len(ids) == len(set(ids)) > 2
    assert not {None, "1"} & set(ids)
    saved = xml.parsed(MAIN, opened(content, Limits()).parts[MAIN])
    assert [it.get(ENGINE_ID) for it in saved.iter(f"{W}p")] == [it.get(ENGINE_ID) for it in stories[0].iter(f"{W}p")]


def test_ids_are_all_that_is_added() -> None:
    """F-08: no other part changes, and of the stories nothing else."""
    original = opened(plan(), Limits())
    made = opened(anchored(original)[0], Limits())
    assert list(made.parts) == list(original.parts)
    for name, part in made.parts.items():
        if name not in original.named(*TEXT_ROLES):
            assert part == original.parts[name]
            continue
        story, before = xml.parsed(name, part), xml.parsed(name, original.parts[name])
        for element in story.iter(f"{W}p", f"{W}tc"):
            del element.attrib[ENGINE_ID]
        assert _canonical(story) == _canonical(before)


def _canonical(root: etree._Element) -> bytes:
    # Exclusive: a declaration that nothing uses says nothing.
    return etree.tostring(root, method="c14n", exclusive=True)
