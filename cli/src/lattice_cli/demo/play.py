"""Plays the steps one after the other and tells what each saw."""

import json
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from lattice_cli.demo.stage import ExpectationError, Seen, Stage, staged
from lattice_cli.demo.steps import STEPS
from lattice_cli.processes import ServiceFailedError
from lattice_cli.trace_tree import draw

PLAYED: Final = 0
FAILED: Final = 1

_LONGEST_LINE: Final = 240


async def play(console: Console, *, as_json: bool, page: Path | None) -> int:
    """Play all steps in a fresh suite; the exit status is FAILED where one saw something else than it should.

    Args:
        console: where people read along.
        as_json: print `{"steps": […], "trace": {…}}` at the end instead.
        page: where the rendered page is kept.
    """
    told = Console(quiet=True) if as_json else console
    steps: list[Seen] = []
    began = time.monotonic()
    failure = None
    trace: Seen = {}
    try:
        async with staged() as stage:
            told.print(f"the suite runs after {time.monotonic() - began:.1f} s: integrations, files, agent, wordcraft")
            try:
                await _play_steps(stage, told, steps)
            finally:
                if page is not None and (stage.folder / "page-1.png").is_file():
                    page.write_bytes((stage.folder / "page-1.png").read_bytes())
                if stage.edit_trace is not None:
                    draw(told, [stage.edit_trace])
                    trace = stage.edit_trace.as_json()
    except (ExpectationError, ServiceFailedError) as error:
        failure = str(error)
        told.print(Text.assemble(("failed:", "red"), f" {failure}"))
    if as_json:
        console.print_json(data={"steps": steps, "trace": trace} | ({} if failure is None else {"failed": failure}))
    else:
        told.print(f"{len(steps)} of {len(STEPS)} steps in {time.monotonic() - began:.1f} s")
    return PLAYED if failure is None else FAILED


async def _play_steps(stage: Stage, told: Console, steps: list[Seen]) -> None:
    for step in STEPS:
        told.print(Text(f"\n({step.letter}) {step.title}", style="bold"))
        seen = await step.act(stage)
        steps.append({"step": step.letter, "title": step.title, **seen})
        for key, value in seen.items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            told.print(Text.assemble((f"    {key}:", "dim"), f" {_clipped(shown)}"), soft_wrap=True)


def _clipped(text: str) -> str:
    """The text on one line, its end left out where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
