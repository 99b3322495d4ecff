"""Somebody at a pseudo-terminal: what a command shows, and what they type."""

import codecs
import contextlib
import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from typing import Self
from unittest.mock import patch

from pbem.cli import run_command
from tests.kit.people import PBEM, Person

WAIT = 600
"""Seconds without a letter after which a program counts as stuck."""
PROMPT = re.compile(r"[>:] $")


def terminal(columns: int) -> tuple[int, int]:
    """A pseudo-terminal with so many columns, that does not repeat what is typed."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    quiet = termios.tcgetattr(slave)
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, quiet)
    return master, slave


class Typist:
    """A command in a pseudo-terminal; it runs in this process, which is much quicker."""

    def __init__(self, person: Person, line: str, columns: int) -> None:
        self.person, self.line = person, line.split()
        self.master, self.slave = terminal(columns)
        self.shown = ""
        """All that was shown so far."""
        self.exit: int | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def _run(self) -> None:
        env = {k: v for k, v in self.person.environ({}).items() if k not in ("COLUMNS", "LINES")}
        with (
            open(os.dup(self.slave)) as reading,
            io.TextIOWrapper(open(os.dup(self.slave), "wb", 0), "utf-8", write_through=True) as out,
            contextlib.chdir(self.person.place),
            patch.dict(os.environ, env, clear=True),
            patch.object(sys, "stdin", reading),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            self.exit = run_command(self.line)
        os.close(self.slave)

    def __exit__(self, *_: object) -> None:
        os.close(self.master)  # ends a program that still waits
        self._thread.join(WAIT)

    def read(self) -> str:
        """What is shown until the program waits for an answer; empty when it has ended."""
        text = shown_until(self.master, lambda: self._thread.is_alive())
        self.shown += text
        return text if PROMPT.search(text) else ""

    def type(self, text: str) -> None:
        """Type a line."""
        self.shown += "\n"
        os.write(self.master, f"{text}\n".encode())


def shown_until(master: int, alive) -> str:
    """What a terminal shows until there is a prompt or the program has ended."""
    text, until = "", time.monotonic() + WAIT
    decoder = codecs.getincrementaldecoder("utf-8")()  # a letter may come in two parts
    while not PROMPT.search(text):
        assert time.monotonic() < until, f"no prompt came after: {text}"
        living = alive()  # asked first: what it shows last may come before it ends
        if not select.select([master], [], [], 0.05)[0]:
            if not living:
                return text
            continue
        try:
            got = os.read(master, 1 << 16)
        except OSError:  # the other side is closed
            return text
        text = (text + decoder.decode(got)).replace("\r\n", "\n")
    return text


class RealTypist:
    """The same in a process of its own, which Ctrl-C can interrupt."""

    def __init__(self, person: Person, line: str, columns: int = 80) -> None:
        self.master, slave = terminal(columns)
        env = {k: v for k, v in person.environ({}).items() if k not in ("COLUMNS", "LINES")}
        self.program = subprocess.Popen(
            [str(PBEM), *line.split()], cwd=person.place, env=env, start_new_session=True,
            stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        os.close(self.master)

    def read(self) -> str:
        return shown_until(self.master, lambda: self.program.poll() is None)

    def type(self, text: str) -> None:
        os.write(self.master, f"{text}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, then Enter: a program that has shown its prompt, but does not read yet,
        notices Ctrl-C only when it has read something."""
        os.write(self.master, b"\x03\n")
