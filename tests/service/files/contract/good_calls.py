"""A good call of every RPC of files, together setting every field that a caller may set.

What is wrong with a request, and what a repeat of it does, is derived from these; a test fails where an
RPC or a field is missing here.
"""

from collections.abc import Sequence
from typing import Final

from service.files.contract.calls import METHODS, request_id_path
from service.files.contract.good_artifacts import ARTIFACTS
from service.files.contract.good_call import GoodCall
from service.files.contract.good_native import NATIVE
from service.files.contract.good_proposals import CHANGES, PROPOSALS
from service.files.contract.places import Preparation

GOOD_CALLS: Final[Sequence[GoodCall]] = (*ARTIFACTS, *PROPOSALS, *CHANGES, *NATIVE)

REPEATABLE: Final[Sequence[GoodCall]] = [it for it in GOOD_CALLS if request_id_path(METHODS[it.method]) is not None]
"""Those that carry a request id."""

EVERYTHING: Final[Sequence[Preparation]] = list(dict.fromkeys(need for call in GOOD_CALLS for need in call.needs))
"""What all of them need; they are about different things, so that one workspace may hold it all."""
