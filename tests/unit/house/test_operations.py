"""docs/operations.md, the measurements that it names and the tests."""

import re
from typing import Final

from suite.tracing.table import rows
from unit.house.named_tests import ROOT

TEXT: Final = (ROOT / "docs" / "operations.md").read_text()


def test_every_alert_is_on_something_that_is_measured() -> None:
    alerts = TEXT[TEXT.index("## Alerts") :]
    first_cells = [line.split(" | ")[0] for line in alerts.splitlines() if line.startswith("| `")]
    measured = {row.title: row.attributes for row in rows("Metrics")}
    assert first_cells
    for cell in first_cells:
        metric, *values = re.findall(r"`([^`]+)`", cell)
        assert metric in measured
        assert {it for it in values if "." in it} <= measured[metric]


def test_every_test_that_operations_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`", TEXT)
    assert named
    assert [it for it in named if not (ROOT / it).is_file()] == []
