"""Asking for traces: the suite that runs, or the tracing backend that it sends its spans to."""

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from lattice_cli.span_receiver import TRACES_PATH
from lattice_cli.trace_json import from_json
from lattice_cli.traces import Span, Trace

MOST_TRACES: Final = 20
"""How many traces are read at the most, however many are linked."""

_ANSWER_WITHIN: Final = 10.0


class BackendFailed(Exception):
    """The tracing backend does not answer, or not as Jaeger does."""


@dataclass(frozen=True, kw_only=True)
class TraceBackend:
    """What answers by Jaeger's query API, version 3, over HTTP."""

    url: str
    """Where: `http://host:port`, with a path before `/api` where there is one."""

    def spans_of(self, trace_id: str) -> Sequence[Span]:
        """The spans of a trace; none where it is not known, or no more.

        Raises:
            BackendFailed: it does not answer, or not so.
        """
        if urlsplit(self.url).scheme not in {"http", "https"}:
            raise BackendFailed(f"{self.url} is no address of a tracing backend: give http://host:port")
        try:
            with urlopen(f"{self.url.rstrip('/')}{TRACES_PATH}{trace_id}", timeout=_ANSWER_WITHIN) as answer:  # noqa: S310 - checked
                return from_json(json.load(answer)["result"])
        except HTTPError as error:
            if error.code == HTTPStatus.NOT_FOUND:
                return ()
            raise BackendFailed(f"the tracing backend at {self.url} answers {error.code}") from error
        except (OSError, HTTPException) as error:  # URLError is the first, and what a server of another kind says
            raise BackendFailed(f"no tracing backend answers at {self.url}: {error}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise BackendFailed(f"{self.url} answers, but not as Jaeger's query API does") from error

    def with_linked(self, trace_ids: Sequence[str]) -> Sequence[Trace]:
        """The traces, with those that they link to and so on, the oldest first; unknown ones are left out.

        Raises:
            BackendFailed: it does not answer, or not so.
        """
        found: dict[str, Trace] = {}
        waiting = deque(trace_ids)
        while waiting and len(found) < MOST_TRACES:
            trace_id = waiting.popleft()
            if trace_id in found:
                continue
            found[trace_id] = Trace.of(trace_id, self.spans_of(trace_id))
            waiting.extend(found[trace_id].follows)
        return sorted((trace for trace in found.values() if trace.roots), key=lambda trace: trace.start)
