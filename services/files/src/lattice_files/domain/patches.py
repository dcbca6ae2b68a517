"""What turned one version's data into the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonpatch

Data = Mapping[str, Any]
"""The data of an artifact: a JSON object."""


@dataclass(frozen=True, kw_only=True)
class JsonPatch:
    """An RFC 6902 patch [AT-10]."""

    operations: tuple[Mapping[str, Any], ...]


def difference(before: Data, after: Data) -> JsonPatch:
    """The patch on record: it turns exactly the one into the other [AT-13]."""
    return JsonPatch(operations=tuple(jsonpatch.make_patch(before, after)))
