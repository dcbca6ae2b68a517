"""The page: a template, its style and its script, put together with what the traces tell.

All that spans say is text to the template, which escapes it; beside that the page allows itself no script but its own.
"""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from lattice_cli.traces import Trace
from lattice_cli.waterfall.rows import chart_of

COLOURS: Final = 8
"""How many services have a colour of their own; each is named in its rows as well."""

_templates: Final = Environment(
    loader=PackageLoader("lattice_cli.waterfall", "."),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(title: str, traces: Sequence[Trace]) -> str:
    """An HTML document with a waterfall for each trace, in this order.

    Args:
        title: what the traces are of, such as the id of a run.
        traces: what to show; each has spans.
    """
    services = dict.fromkeys(span.service for trace in traces for span in trace.walk())
    style, script = (_source(name) for name in ("page.css", "page.js"))
    return _templates.get_template("page.html").render(
        title=title,
        charts=[chart_of(trace) for trace in traces],
        colours={service: number % COLOURS for number, service in enumerate(services)},
        shown={trace.trace_id for trace in traces},
        style=style,
        script=script,
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _source(name: str) -> str:
    """A file of ours as it is."""
    return (files(__package__) / name).read_text(encoding="utf-8")
