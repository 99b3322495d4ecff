"""The crash injector: a command is killed at each system call that changes a disk, one per run.

    for point in crash_everywhere(Command("pbem.cli:main", ["submit"], cwd=folder), fresh):
        assert whole(folder)              # after each kill; then the command has run once more

A kill is `os._exit` before the call, or, for a write, after half of its bytes. A command may be any
`module:function`; its arguments are strings (given as sys.argv too, so that a CLI's main works).
The same machinery makes a call fail as a full disk does (`how="ENOSPC"`).
"""

import errno
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).resolve().parents[2]
KILLED = 99
CALLS = ("create", "write", "fsync", "link", "rename_new", "replace", "unlink", "mkdir", "rmdir")
CALLS += ("chmod", "sync_folder")
KILLS = ("before", "half")


class Injector:
    """Counts the system calls and, at the n-th (from 1), kills the process or raises an error.

    A kill counts only the calls where it leaves files of its own: only a write can be half done,
    and after an fsync the files are what they were before.
    """

    def __init__(self, at: int, how: str) -> None:
        from pbem.files import syscalls

        self.at, self.how, self.count = at, how, 0
        self.real = {name: getattr(syscalls, name) for name in CALLS}

    def arm(self) -> None:
        from pbem.files import syscalls

        for name in CALLS:
            setattr(syscalls, name, self.wrapped(name))

    def wrapped(self, name: str) -> Callable:
        def call(*args):
            if self.counts(name):
                self.count += 1
                if self.count == self.at:
                    self.strike(name, args)
            return self.real[name](*args)

        return call

    def counts(self, name: str) -> bool:
        if self.how == "half":
            return name == "write"
        return self.how != "before" or name not in ("fsync", "sync_folder")

    def strike(self, name: str, args: tuple) -> None:
        if self.how == "half":
            fd, data = args
            os.write(fd, data[: len(data) // 2])
        if self.how in KILLS:
            os._exit(KILLED)
        code = getattr(errno, self.how)
        raise OSError(code, os.strerror(code))


def in_a_copy(act: Callable[[], int]) -> int:
    """Do this in a copy of this process, which starts ten times quicker; its exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads only wait here
        child = os.fork()
    if child == 0:
        code = 1
        try:
            code = act()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@dataclass
class Command:
    """A command in a process of its own; `env` is added to the test's."""

    target: str  # module:function
    args: list[str] = field(default_factory=list)
    cwd: Path = ROOT
    env: dict[str, str] = field(default_factory=dict)

    def run(self, at: int = 0, how: str = "before") -> subprocess.CompletedProcess[str]:
        """Run it, struck at the `at`-th call (0: not at all)."""
        with TemporaryFile("w+") as out, TemporaryFile("w+") as err:

            def act() -> int:
                sys.stdout, sys.stderr = out, err
                os.chdir(self.cwd)
                os.environ.update(self.env)
                code = self.struck(Injector(at, how))
                out.flush(), err.flush()
                return code

            code = in_a_copy(act)
            out.seek(0), err.seek(0)
            return subprocess.CompletedProcess([self.target], code, out.read(), err.read())

    def struck(self, injector: Injector) -> int:
        """The exit code, as Python ends a program."""
        module, function = self.target.split(":")
        sys.argv = [self.target, *self.args]
        injector.arm()
        try:
            getattr(import_module(module), function)(*([] if function == "main" else self.args))
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        except Exception:  # noqa: BLE001 - as Python does at the end of a program
            traceback.print_exc()
            return 1
        finally:
            if injector.count >= injector.at > 0:
                print(f"struck {injector.at}", file=sys.stderr)
        return 0


def crash_everywhere(
    command: Command, fresh: Callable[[], None], check: Callable[[], None], ok: int = 0
) -> Iterator[str]:
    """Kill the command at every call; yields a name per point when it was run again to the end.

    `fresh()` puts everything back to the start. `check()` asserts, after each kill and after each
    second run, that no torn file can be seen. The second run must end with exit code `ok`.
    Raises AssertionError if the command never reaches a call: then nothing would be tested.
    """
    for how in KILLS:
        at = 0
        while True:
            at += 1
            fresh()
            first = command.run(at, how)
            check()
            if first.returncode != KILLED:
                assert first.returncode == ok, first.stderr
                break
            again = command.run()
            assert again.returncode == ok, again.stderr
            check()
            yield f"{how} call {at}"
        assert at > 1, f"no system call was reached: {first.stdout}{first.stderr}"


def fail_everywhere(
    command: Command, how: str, fresh: Callable[[], None]
) -> Iterator[subprocess.CompletedProcess[str]]:
    """Let each call in turn fail with this errno name; yields what each run said.

    Ends with the run in which no call was left to fail.
    """
    at = 0
    while True:
        at += 1
        fresh()
        counted = command.run(at, how)
        if f"struck {at}" not in counted.stderr:
            return
        counted.stderr = counted.stderr.replace(f"struck {at}\n", "")
        yield counted
