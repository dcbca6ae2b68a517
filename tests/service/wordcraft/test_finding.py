"""Finding commands by what people ask for, over the whole catalogue."""

from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.finding import found
from service.wordcraft.queries import QUERIES


def test_at_least_nine_in_ten_queries_rank_a_right_command_among_the_first_three() -> None:
    """A-06, N-16: over every query whose command is in the catalogue."""
    assert len(QUERIES) >= 60
    asked = {query: commands & CATALOGUE.keys() for query, commands in QUERIES}
    asked = {query: commands for query, commands in asked.items() if commands}
    ranked = {query: [it.id for it in found(query, 3)] for query in asked}
    missed = [query for query in asked if not asked[query] & set(ranked[query])]
    for query in missed:
        print(f"{query!r} wants {sorted(asked[query])}, finds {ranked[query]}")
    assert len(missed) <= len(asked) / 10


def test_every_command_is_found_by_its_label_and_by_each_of_its_other_names() -> None:
    """N-16: a name that does not find its command is no name of it."""
    for command in CATALOGUE.values():
        for name in (command.label, *command.also_known_as):
            assert command in found(name, 10), (command.id, name)
