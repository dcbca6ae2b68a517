"""Whether a new schema of a type accepts all that the old one accepted [AT-01].

Decided by comparing the two documents, without any data. It errs on one side only: an empty answer is
certain, while a narrowing may be one that no data would meet. `schemas.Schema` must have accepted both
documents: then references are pointers into the document itself, and no schema applies itself to the
same value.

A schema is a conjunction: its own keywords, what its `$ref` refers to, each branch of `allOf`, and one
branch of its `anyOf` and `oneOf`. The new schema is wide enough if each of its parts is, and a part is if
it covers any one part of the old schema. A pair of schemas that is met again inside itself is taken to be
wide enough: data is finite, so what told otherwise would end at a pair that is compared.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lattice_files.domain.json_data import pointer, same_json
from lattice_files.domain.schema_values import VALUE_KEYWORDS, narrowings_of_values
from lattice_files.domain.schemas import IN_PLACE, target_of

Node = Mapping[str, Any]
Path = tuple[str, ...]

_MOST_COMPARISONS = 20_000
_MOST_NARROWINGS = 20
_ANYTHING: Node = {}
_PARTS = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
_ANNOTATIONS = frozenset({
    "$schema", "$id", "$comment", "$defs", "$anchor", "$dynamicAnchor", "$vocabulary", "title", "description",
    "default", "examples", "deprecated", "readOnly", "writeOnly", "discriminator",
})  # fmt: skip
_COMPARED = VALUE_KEYWORDS | {
    "properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "prefixItems", "items", "unevaluatedItems",
}  # fmt: skip
_WHOLE = {"contains": ("minContains", "maxContains"), "if": ("then", "else")}
"""Keywords that mean something together only."""


def narrowings(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What the new schema might refuse that the old one accepted: pointers into it, and sentences, at most 20.

    None only if it is certain that the new schema accepts every value that the old one accepts.
    """
    if same_json(old, new):
        return []
    try:
        found = _Comparison(old, new).narrowings(old, new, ())
    except (_TooLargeError, RecursionError):
        return ["the schemas are too large to tell what the new one refuses"]
    return list(dict.fromkeys(found))[:_MOST_NARROWINGS]


class _TooLargeError(Exception):
    """The comparison would take too long."""


class _Comparison:
    """The comparison of two documents; schemas are known by identity, as the documents stay as they are."""

    def __init__(self, old: Node, new: Node) -> None:
        self._old, self._new = old, new
        self._left = _MOST_COMPARISONS
        self._wide: dict[tuple[int, int], None] = {}
        """The pairs that are wide enough, and those being compared; in the order of their start."""
        self._narrow: dict[tuple[int, int], list[str]] = {}

    def narrowings(self, old: Any, new: Any, at: Path) -> list[str]:  # noqa: ANN401 (schemas, which may be true and false)
        """Why `new` might refuse what `old` accepts."""
        if old is False or new is True:
            return []
        if new is False:
            return [_narrowing(at, "nothing is accepted any more")]
        old = _ANYTHING if old is True else old
        pair = (id(old), id(new))
        if pair in self._wide:
            return []
        if pair not in self._narrow:
            self._count()
            known = len(self._wide)
            self._wide[pair] = None
            found = self._narrowings_of_parts(old, new, at)
            if not found:
                return []
            # What was found wide since may rest on this pair.
            while len(self._wide) > known:
                self._wide.popitem()
            self._narrow[pair] = found
        return self._narrow[pair]

    def _narrowings_of_parts(self, old: Node, new: Node, at: Path) -> list[str]:
        if _depends_on_what_others_saw(new):
            return [] if self._same(old, new) else [_narrowing(at, "what is left unevaluated may differ")]
        found = list(self._uncovered(old, lambda part: self._own(part, new, at)))
        if "$ref" in new:
            found += self.narrowings(old, target_of(self._new, new["$ref"]), at)
        for number, branch in enumerate(new.get("allOf", ())):
            found += self.narrowings(old, branch, (*at, "allOf", str(number)))
        if "anyOf" in new:
            found += self._uncovered(old, lambda part: self._alternatives(part, new["anyOf"], at))
        if "oneOf" in new:
            found += self._uncovered(old, lambda part: self._exclusive(part, new["oneOf"], at))
        return found

    def _uncovered(self, old: Any, narrowings_of: Callable[[Node], list[str]]) -> list[str]:  # noqa: ANN401 (a schema)
        """The least that a part of `new` refuses of any part of `old`."""
        if old is False:
            return []
        old = _ANYTHING if old is True else old
        self._count()
        refused: list[str] | None = None
        for found in self._uncovered_of_each(old, narrowings_of):
            if not found:
                return []
            refused = refused or found
        return refused or []

    def _uncovered_of_each(self, old: Node, narrowings_of: Callable[[Node], list[str]]) -> Iterator[list[str]]:
        stands_for_itself = bool(old.keys() - _PARTS - _ANNOTATIONS)
        if stands_for_itself:
            yield narrowings_of(old)
        if "$ref" in old:
            yield self._uncovered(target_of(self._old, old["$ref"]), narrowings_of)
        for branch in old.get("allOf", ()):
            yield self._uncovered(branch, narrowings_of)
        for keyword in ("anyOf", "oneOf"):
            if keyword in old:
                yield [it for branch in old[keyword] for it in self._uncovered(branch, narrowings_of)]
        if not stands_for_itself:  # last: the first answer is the one that is told
            yield narrowings_of(old)

    def _alternatives(self, old: Node, branches: Sequence[Any], at: Path) -> list[str]:
        if any(not self.narrowings(old, branch, (*at, "anyOf")) for branch in branches):
            return []
        return [_narrowing((*at, "anyOf"), "no alternative accepts all that an old one did")]

    def _exclusive(self, old: Node, branches: Sequence[Any], at: Path) -> list[str]:
        if self._same(old.get("oneOf"), branches):
            return []
        return [_narrowing((*at, "oneOf"), "more than one alternative, or none, may accept what one did")]

    def _own(self, old: Node, new: Node, at: Path) -> list[str]:
        """What the keywords of `new` refuse that those of `old` do not; each stands for itself or is compared below."""
        return [
            *(_narrowing(at, sentence) for sentence in narrowings_of_values(old, new)),
            *self._properties(old, new, at),
            *self._items(old, new, at),
            *(_narrowing((*at, keyword), "is new or differs") for keyword in self._changed(old, new)),
        ]

    def _properties(self, old: Node, new: Node, at: Path) -> Iterator[str]:
        named_before, named = old.get("properties", {}), new.get("properties", {})
        patterns_before, patterns = old.get("patternProperties", {}), new.get("patternProperties", {})
        others_before, others = _others(old), _others(new)
        if patterns_before.keys() != patterns.keys() and (patterns or others is not True):
            yield _narrowing((*at, "patternProperties"), "has other patterns")
            return
        for pattern in patterns:
            yield from self.narrowings(patterns_before[pattern], patterns[pattern], (*at, "patternProperties", pattern))
        for name, schema in named.items():
            # What a pattern says of an old unnamed property is not looked at, so anything may be there.
            before = named_before.get(name, True if patterns_before else others_before)
            yield from self.narrowings(before, schema, (*at, "properties", name))
        for name in named_before.keys() - named.keys():
            if others is False and named_before[name] is not False:
                yield _narrowing((*at, "properties", name), "is no longer accepted")
            else:
                yield from self.narrowings(named_before[name], others, (*at, "properties", name))
        yield from self.narrowings(others_before, others, (*at, "additionalProperties"))
        if "propertyNames" in new:
            names_before = old.get("propertyNames", True)
            yield from self.narrowings(names_before, new["propertyNames"], (*at, "propertyNames"))

    def _items(self, old: Node, new: Node, at: Path) -> Iterator[str]:
        first_before, first = old.get("prefixItems", []), new.get("prefixItems", [])
        if len(first_before) != len(first) and (first or "items" in new):
            yield _narrowing((*at, "prefixItems"), "has another length")
            return
        for number, schema in enumerate(first):
            yield from self.narrowings(first_before[number], schema, (*at, "prefixItems", str(number)))
        if "items" in new:
            yield from self.narrowings(old.get("items", True), new["items"], (*at, "items"))

    def _changed(self, old: Node, new: Node) -> Iterator[str]:
        """The keywords that are understood as a whole only, and are not what they were."""
        helpers = {helper for group in _WHOLE.values() for helper in group}
        for keyword in new.keys() - _PARTS - _ANNOTATIONS - _COMPARED - helpers:
            group = (keyword, *_WHOLE.get(keyword, ()))
            if not all(self._same([old[it]] if it in old else [], [new[it]] if it in new else []) for it in group):
                yield keyword

    def _same(self, old: object, new: object) -> bool:
        """Whether both are the same text, and all that they refer to, directly or not, is too."""
        self._count()
        if not same_json(old, new):
            return False
        waiting = set(_references(old))
        seen: set[str] = set()
        while waiting:
            reference = waiting.pop()
            seen.add(reference)
            before = target_of(self._old, reference)
            if not same_json(before, target_of(self._new, reference)):
                return False
            waiting |= set(_references(before)) - seen
        return True

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TooLargeError


def _others(schema: Node) -> Any:  # noqa: ANN401 (a schema)
    """What properties must be that neither a name nor a pattern describes."""
    if "additionalProperties" in schema:
        return schema["additionalProperties"]
    return True if _applies_others(schema) else schema.get("unevaluatedProperties", True)


def _applies_others(schema: Node) -> bool:
    return "$ref" in schema or bool(IN_PLACE & schema.keys())


def _depends_on_what_others_saw(schema: Node) -> bool:
    """Whether a keyword means what the schemas around it leave over, so that nothing stands for itself."""
    properties = _applies_others(schema) and schema.get("unevaluatedProperties", True) not in (True, {})
    return properties or schema.get("unevaluatedItems", True) not in (True, {})


def _references(value: object) -> Iterator[str]:
    """All that looks like a reference, in data too: too many are compared rather than too few."""
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from _references(member)
    elif isinstance(value, list):
        for member in value:
            yield from _references(member)


def _narrowing(at: Path, sentence: str) -> str:
    return f'"{pointer(at)}": {sentence}'
