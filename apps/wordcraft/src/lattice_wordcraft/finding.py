"""Finding commands by what people call what they want [N-16, A-06].

Words are compared by stem, a few groups of words count as one, and each is weighed by how few commands
know it; a command's label and the other names people give it count more than its description.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from lattice_wordcraft.catalogue import CATALOGUE
from lattice_wordcraft.catalogue.command import Command

_NAMED: Final = 3.0
"""How much more a word weighs in a command's names than in its description."""

_STOP_WORDS: Final = frozenset(
    """
    a an and any are as at be by can do for from get have how i in is it its me my of on or our please so that the their
    there these this those to too want was we what when where which with would you
    """.split()  # noqa: SIM905  a list of them is fifty lines
)
_SAME: Final = {
    word: words.split()[0]
    for words in (
        "delete remove erase drop cut rid discard away",
        "insert add new put append place create another",
        "edit update correct fix modify",
        "accept approve keep agree",
        "reject decline refuse undo revert",
        "image picture photo graphic logo",
        "comment remark",
        "link hyperlink url",
        "merge combine join",
    )
    for word in words.split()
}
"""What people say in one sense, by the word that stands for it."""

_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ized", "izes", "ize", "ised", "ise", "ies", "ed", "es", "e", "s")
_SHORTEST_STEM: Final = 3


def found(query: str, limit: int) -> list[type[Command]]:
    """At most `limit` commands that fit the query, best first; an empty query gives the first ones."""
    wanted = set(_stems(query))
    if not query.strip():
        return list(CATALOGUE.values())[:limit]
    scores = {command_id: _score(wanted, weights) for command_id, weights in _index().items()}
    ranked = sorted((it for it in scores if scores[it] > 0), key=lambda it: -scores[it])
    return [CATALOGUE[command_id] for command_id in ranked[:limit]]


def _score(wanted: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(stem, 0.0) * _rarity(stem) for stem in wanted)


@cache
def _index() -> Mapping[str, Mapping[str, float]]:
    """How much each stem weighs for each command, damped so that repeating a word does not win."""
    index = {}
    for command in CATALOGUE.values():
        weights: Counter[str] = Counter()
        for stem in _stems(" ".join((command.id, command.label, *command.also_known_as))):
            weights[stem] += 2
        for stem in _stems(command.description):
            weights[stem] += 1
        named = set(_stems(" ".join((command.id, command.label, *command.also_known_as))))
        index[command.id] = {
            stem: (_NAMED if stem in named else 1.0) * (1 + math.log(count)) for stem, count in weights.items()
        }
    return index


@cache
def _rarity(stem: str) -> float:
    known = sum(stem in weights for weights in _index().values())
    return math.log(1 + len(CATALOGUE) / known) if known else 0.0


def _stems(text: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+", text.lower().replace("_", " "))
    return [_stem(_SAME.get(word, word)) for word in words if word not in _STOP_WORDS]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
