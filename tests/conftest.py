"""What all tests share: settings, what saves them time, the count of those without `../shared`."""

import os
import signal
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import typer.main
from hypothesis import settings

from pbem.cli.lazy_commands import Outline

# Wall time says nothing on a shared machine; the same examples each time, so a red run is a bug.
settings.register_profile("pbem", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("pbem")

# A shell starts what runs in the background with Ctrl-C ignored, and commands inherit that: the
# tests that interrupt one would wait for it for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def quick() -> Iterator[None]:
    """Many commands run in this process: each is built once, and none waits for the disk.

    tests/storage waits for it (see the conftest there), and so does every command in a process of
    its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(Outline, "built", cache(Outline.built))
        patch.setattr(os, "fsync", lambda fd: None)
        yield


NEEDS_SHARED = "needs ../shared"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missing = [r for r in skipped if NEEDS_SHARED in str(r.longrepr)]
    terminalreporter.write_line(f"{NEEDS_SHARED}: {len(missing)} tests skipped for want of it")
