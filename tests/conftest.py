"""What all tests share: hypothesis settings, and the count of tests that miss `../shared`."""

from typing import Any

import pytest
from hypothesis import settings

# Wall time says nothing on a shared machine; the same examples each time, so a red run is a bug.
settings.register_profile("pbem", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("pbem")

NEEDS_SHARED = "needs ../shared"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missing = [r for r in skipped if NEEDS_SHARED in str(r.longrepr)]
    terminalreporter.write_line(f"{NEEDS_SHARED}: {len(missing)} tests skipped for want of it")
