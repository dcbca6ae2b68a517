"""The waterfall page in a real browser: what is drawn stands where it should, and answers to mouse and keys."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from browser.chromium import Page, browsing, installed
from lattice_cli.traces import Span, SpanLink, Trace
from lattice_cli.waterfall.page import page

PAUSED, RESUMED = "a" * 32, "b" * 32
LONG: Final = "tool_" + "very_" * 30 + "long"
HOSTILE: Final = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"

pytestmark = pytest.mark.skipif(installed() is None, reason="NO CHROMIUM HERE: the waterfall page is not looked at")


def span(trace_id: str, number: int, parent: int | None, start: int, end: int, **more: Any) -> Span:  # noqa: ANN401 - fields of the span
    """A span, from and to so many milliseconds."""
    given = {"name": f"step {number}", "kind": "INTERNAL", "service": f"service-{number % 5}"}
    return Span(
        trace_id=trace_id,
        span_id=f"{number:016x}",
        parent_id=None if parent is None else f"{parent:016x}",
        start=1_800_000_000_000_000_000 + start * 1_000_000,
        end=1_800_000_000_000_000_000 + end * 1_000_000,
        **(given | more),
    )


def traces() -> list[Trace]:
    """A run that paused and was resumed, with all that is hard to draw."""
    paused = [
        span(PAUSED, 1, None, 0, 1000, name="run"),
        span(PAUSED, 2, 1, 0, 400),
        span(PAUSED, 3, 2, 100, 300, name=HOSTILE, attributes={"lattice.note": HOSTILE}),
        span(PAUSED, 4, 1, 400, 900, name=LONG, service="a-service-with-a-name-of-" + "many-" * 10 + "words"),
        span(PAUSED, 5, 4, 500, 500, failed=True, attributes={"lattice.reason": "NOT_ENABLED"}),
        *(span(PAUSED, number, number - 1, 500, 900, attributes={"k" * 90: "v" * 900}) for number in range(6, 30)),
    ]
    cause = SpanLink(trace_id=PAUSED, span_id=f"{1:016x}")
    resumed = [span(RESUMED, 101, None, 5000, 5100, name="run", links=[cause]), span(RESUMED, 102, 101, 5000, 5100)]
    return [Trace.of(PAUSED, paused), Trace.of(RESUMED, resumed)]


@pytest.fixture
async def browser() -> AsyncIterator[Page]:
    program = installed()
    assert program is not None
    async with browsing(program) as opened:
        yield opened


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The page of these traces."""
    file = tmp_path / "trace.html"
    file.write_text(page("run_1", traces()), encoding="utf-8")
    return file.as_uri()


BARS = """[...document.querySelectorAll('#t-%s .span')].map(row => {
  const [bar, axis] = ['.bar', '.time'].map(it => row.querySelector(it).getBoundingClientRect());
  return [row.id, (bar.left - axis.left) / axis.width, bar.width / axis.width];
})"""

SPILT = """[...document.querySelectorAll('body *')].filter(it => {
  if (!it.offsetParent) return false;
  const box = it.getBoundingClientRect();
  return box.left < -0.5 || box.right > innerWidth + 0.5 || (it.scrollWidth > it.clientWidth + 1 && it.clientWidth);
}).map(it => it.outerHTML.slice(0, 200))"""

OVERLAPPING = """[...document.querySelectorAll('.span')].filter(it => it.offsetParent).flatMap(row => {
  const boxes = [...row.children].map(it => it.getBoundingClientRect());
  const apart = (a, b) => a.right < b.left + 1 || b.right < a.left + 1 || a.bottom < b.top + 1 || b.bottom < a.top + 1;
  return boxes.some((a, i) => boxes.slice(i + 1).some(b => !apart(a, b))) ? [row.id] : [];
})"""

CONTRASTS = """[...document.querySelectorAll('body *')].filter(it => it.offsetParent && [...it.childNodes]
  .some(node => node.nodeType === 3 && node.data.trim())).map(it => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let ground = it;
  while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
  const [a, b] = [light(getComputedStyle(it).color), light(getComputedStyle(ground).backgroundColor)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})"""

SHOWN = "[...document.querySelectorAll('#t-%s .span')].filter(it => it.offsetParent).map(it => it.id)"


async def test_each_bar_stands_where_its_span_was_and_below_its_parent(browser: Page, url: str) -> None:
    await browser.show(url, width=1280)
    bars = await browser.value(BARS % PAUSED)
    assert [name for name, _, _ in bars] == [f"s-{number:016x}" for number in range(1, 30)]
    where = {name: (left, width) for name, left, width in bars}
    assert where[f"s-{1:016x}"] == pytest.approx((0, 1), abs=0.01)
    assert where[f"s-{3:016x}"] == pytest.approx((0.1, 0.2), abs=0.01)
    left, width = where[f"s-{5:016x}"]
    assert left == pytest.approx(0.5, abs=0.01)
    assert width > 0, "a span without length is seen all the same"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800, 390])
async def test_nothing_is_cut_or_covered_and_all_text_can_be_read(
    browser: Page, url: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    """With every row told of, at the widths of a desk, half a desk and a hand."""
    await browser.show(url, width=width, scheme=scheme)
    await browser.value("document.querySelectorAll('.told').forEach(it => it.hidden = false)")
    assert await browser.value("document.documentElement.scrollWidth") <= width
    assert await browser.value(SPILT) == []
    assert await browser.value(OVERLAPPING) == []
    contrasts = await browser.value(CONTRASTS)
    assert len(contrasts) > 100
    assert min(contrasts) >= 4.5
    ground = await browser.value("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") is (scheme == "light")


async def test_what_a_span_says_runs_nowhere(browser: Page, url: str) -> None:
    await browser.show(url, width=1280)
    assert await browser.value("document.title") == "run_1 · trace"
    assert await browser.value("document.querySelectorAll('img').length") == 0
    assert HOSTILE in await browser.value("document.body.textContent")


async def test_keys_walk_the_tree_close_it_and_tell_of_a_span(browser: Page, url: str) -> None:
    await browser.show(url, width=1280)

    async def focused() -> Any:  # noqa: ANN401 - the id of what has the focus
        return await browser.value("document.activeElement.id")

    await browser.value("document.querySelector('.span').focus()")
    await browser.press("ArrowDown")
    assert await focused() == f"s-{2:016x}"
    await browser.press("ArrowLeft")
    assert f"s-{3:016x}" not in await browser.value(SHOWN % PAUSED)
    await browser.press("ArrowDown")
    assert await focused() == f"s-{4:016x}"
    await browser.press("ArrowUp")
    await browser.press("ArrowRight")
    assert f"s-{3:016x}" in await browser.value(SHOWN % PAUSED)
    await browser.press("ArrowRight")
    assert await focused() == f"s-{3:016x}"
    await browser.press("Enter")
    below = "document.activeElement.nextElementSibling"
    assert HOSTILE in await browser.value(f"{below}.innerText")
    assert await browser.value(f"{below}.hidden") is False
    await browser.press("Enter")
    assert await browser.value(f"{below}.hidden") is True
    await browser.press("ArrowLeft")
    assert await focused() == f"s-{2:016x}"


async def test_a_click_tells_of_a_span_and_buttons_open_and_close_all(browser: Page, url: str) -> None:
    await browser.show(url, width=1280)
    await browser.value(f"document.querySelector('#s-{5:016x} .bar').click()")
    assert "NOT_ENABLED" in await browser.value(f"document.querySelector('#s-{5:016x}').nextElementSibling.innerText")
    await browser.value("document.querySelector('button[data-all=false]').click()")
    assert await browser.value(SHOWN % PAUSED) == [f"s-{1:016x}"]
    await browser.value("document.querySelector('button[data-all=true]').click()")
    assert len(await browser.value(SHOWN % PAUSED)) == 29


async def test_screen_readers_find_rows_with_levels_and_the_failure_in_words(browser: Page, url: str) -> None:
    await browser.show(url, width=1280)
    told = (await browser.call("Accessibility.getFullAXTree"))["nodes"]
    rows = [it for it in told if it.get("role", {}).get("value") == "row"]
    levels = [next(p["value"]["value"] for p in it["properties"] if p["name"] == "level") for it in rows]
    assert levels == [1, 2, 3, 2, *range(3, 28), 1, 2]
    assert any("failed step 5 NOT_ENABLED" in " ".join(it["name"]["value"].split()) for it in rows)
