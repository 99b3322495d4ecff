"""Try pbem on this computer without what Windows lacks.

`python -m tools.like_windows demo` types `pbem demo`. `python -m pytest -p tools.like_windows
@tests/windows.txt` runs tests so. Paths, locks on open files and the console are this system's.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = str(Path(__file__).parents[1])
MISSING_MODULES = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
LOCKS_PATH = f"{ROOT}/pbem/files/process_locks.py"
"""The module that asks for the system's name, and locks in Windows' way there."""
MISSING_NAMES = {
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fork killpg mkfifo nice setsid wait4",
    signal: "SIGALRM SIGCONT SIGHUP SIGSTOP SIGUSR1 alarm pthread_sigmask setitimer",
    time: "tzset",
}
"""For each module: the names that Windows lacks, and that Python's own library does without on this
system."""


class MissingModules(MetaPathFinder):
    """Finds no such module for code of this project; others, and Python itself, still get it."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError if code of this project imports a missing module; None leaves
        the search to the other finders."""
        frame = sys._getframe(1)
        while "importlib" in frame.f_code.co_filename and frame.f_back:
            frame = frame.f_back
        importer = frame.f_code.co_filename
        is_own_code = importer.startswith(ROOT) and ".venv" not in importer
        is_own_code = is_own_code and importer != LOCKS_PATH
        if name in MISSING_MODULES and is_own_code:
            raise ModuleNotFoundError(f"Windows has no module {name}", name=name)
        return None


def hide() -> None:
    """Hide it all from what is imported from now on."""
    for module, names in MISSING_NAMES.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in MISSING_MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, MissingModules())


def pytest_sessionstart() -> None:
    hide()


if __name__ == "__main__":
    hide()
    from pbem.cli import run_command

    sys.exit(run_command(sys.argv[1:]))
