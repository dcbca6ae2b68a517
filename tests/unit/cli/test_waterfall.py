"""The waterfall page, as text: what spans say is harmless, nothing comes from elsewhere, and all can be read."""

import re
from html.parser import HTMLParser
from pathlib import Path

import lattice_cli.waterfall
import pytest
from lattice_cli.traces import Span, SpanLink, Trace
from lattice_cli.waterfall.page import COLOURS, page
from lattice_cli.waterfall.rows import MOST_OPEN, chart_of, duration

FIRST, SECOND = "1" * 32, "2" * 32
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"' &amp; <!--"
STYLE = Path(lattice_cli.waterfall.__file__).with_name("page.css").read_text()
READABLE, VISIBLE = 4.5, 3.0
"""The contrasts that WCAG 2 (AA) asks of text, and of what is no text."""


def span(trace_id: str, number: int, parent: int | None = None, **more: object) -> Span:
    given = {
        "trace_id": trace_id,
        "span_id": f"{number:016x}",
        "parent_id": None if parent is None else f"{parent:016x}",
        "name": "run",
        "kind": "INTERNAL",
        "service": "lattice-agent",
        "start": number * 1_000_000,
        "end": 1_000_000_000,
    }
    return Span(**(given | more))  # type: ignore[arg-type]  # as the table says


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text outside of style and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_a_span_says_is_text_and_never_markup() -> None:
    told = Trace.of(FIRST, [span(FIRST, 1, name=HOSTILE, service=HOSTILE, failed=True, attributes={
        HOSTILE: HOSTILE, "lattice.reason": HOSTILE,
    })])  # fmt: skip
    elements = Elements(page(HOSTILE, [told]))
    assert [tag for tag, _ in elements.found].count("script") == 1
    assert not [tag for tag, _ in elements.found if tag == "img"]
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]
    assert elements.text.count(HOSTILE) >= 5


def test_the_page_needs_nothing_beside_itself() -> None:
    """And could not get it: its policy allows no address, and no script but its own."""
    text = page("run_1", [Trace.of(FIRST, [span(FIRST, 1)])])
    loaded = [
        (tag, name, value)
        for tag, attributes in Elements(text).found
        for name, value in attributes.items()
        if name in {"src", "srcset", "href", "data", "action"} and not str(value).startswith("#")
    ]
    assert loaded == []
    assert not re.search(r"@import|url\(|https?:", text)
    assert re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/=]{44}'", text)


def test_traces_name_what_they_follow_and_lead_there() -> None:
    """TR-03: the resumed segment leads to the paused one."""
    paused = Trace.of(FIRST, [span(FIRST, 1)])
    cause = SpanLink(trace_id=FIRST, span_id=f"{1:016x}")
    resumed = Trace.of(SECOND, [span(SECOND, 2, links=[cause])])
    both = Elements(page("run_1", [paused, resumed]))
    links = [attributes["href"] for tag, attributes in both.found if tag == "a"]
    assert links == [f"#t-{FIRST}", f"#s-{1:016x}"]
    ids = {attributes.get("id") for _, attributes in both.found}
    assert {str(link).removeprefix("#") for link in links} <= ids
    alone = Elements(page("run_1", [resumed]))
    assert f"trace {FIRST}, which is not known here" in alone.text


def test_a_failure_is_marked_by_words_and_its_reason() -> None:
    failed = span(FIRST, 1, failed=True, attributes={"lattice.reason": "NOT_ENABLED"})
    text = Elements(page("run_1", [Trace.of(FIRST, [failed])])).text
    assert "✗ run NOT_ENABLED" in " ".join(text.split())
    assert "✗ 1 failed or refused" in text


def test_a_long_trace_begins_closed_but_for_what_failed() -> None:
    spans = [span(FIRST, 1), span(FIRST, 2, 1), span(FIRST, 3, 2)]
    spans += [span(FIRST, number, 3, name="a step") for number in range(4, MOST_OPEN + 4)]
    assert [row.span for row in chart_of(Trace.of(FIRST, spans)).rows if not row.hidden] == spans[:3]
    spans[-1] = span(FIRST, MOST_OPEN + 3, 3, failed=True)
    assert not any(row.hidden for row in chart_of(Trace.of(FIRST, spans)).rows)
    assert not any(row.hidden for row in chart_of(Trace.of(FIRST, spans[:MOST_OPEN])).rows)


def test_bars_stay_on_the_axis_whatever_clocks_say() -> None:
    """Of a span that ended before it began, as clocks that are set back tell, the edge is shown."""
    spans = [span(FIRST, 1, start=100, end=200), span(FIRST, 2, 1, start=150, end=120), span(FIRST, 3, start=5, end=5)]
    chart = chart_of(Trace.of(FIRST, spans))
    assert all(0 <= row.offset <= 100 and 0 <= row.width <= 100 for row in chart.rows)
    assert all(0 <= tick.offset < 100 for tick in chart.ticks)
    instant = chart_of(Trace.of(FIRST, [span(FIRST, 1, start=7, end=7)]))
    assert [(row.offset, row.width) for row in instant.rows] == [(0, 0)]


@pytest.mark.parametrize(
    ("nanoseconds", "said"),
    [(0, "0 µs"), (840_000, "840 µs"), (12_340_000, "12.3 ms"), (999_600_000, "1 s"), (4_500_000_000, "4.5 s"),
     (119_000_000_000, "119 s"), (200_000_000_000, "3 min 20 s")],
)  # fmt: skip
def test_times_are_told_as_people_say_them(nanoseconds: int, said: str) -> None:
    assert duration(nanoseconds) == said


def test_the_page_is_small() -> None:
    """A page of a thousand spans can be sent by mail."""
    spans = [span(FIRST, 1), *(span(FIRST, number, 1) for number in range(2, 1_001))]
    assert len(page("run_1", [Trace.of(FIRST, spans)]).encode()) < 2 * 2**20


def colours_of(scheme: str) -> dict[str, str]:
    """The colours of the light page or the dark one."""
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in STYLE.split("@media", 2)[:2])
    return light if scheme == "light" else light | dark


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "raised"])
def test_all_text_can_be_read_and_all_bars_be_seen_in_light_and_in_dark(scheme: str, ground: str) -> None:
    colours = colours_of(scheme)
    for text in ("text", "quiet", "bad", "link"):
        assert contrast(colours[text], colours[ground]) >= READABLE, text
    for bar in range(COLOURS):
        assert contrast(colours[f"c{bar}"], colours[ground]) >= VISIBLE, bar
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
