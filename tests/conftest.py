"""What all tests share: hypothesis settings, and the count of tests that miss `../shared`."""

import signal
from typing import Any

import pytest
from hypothesis import settings

# Wall time says nothing on a shared machine; the same examples each time, so a red run is a bug.
settings.register_profile("pbem", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("pbem")

# A shell starts what runs in the background with Ctrl-C ignored, and commands inherit that: the
# tests that interrupt one would wait for it for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

NEEDS_SHARED = "needs ../shared"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missing = [r for r in skipped if NEEDS_SHARED in str(r.longrepr)]
    terminalreporter.write_line(f"{NEEDS_SHARED}: {len(missing)} tests skipped for want of it")
