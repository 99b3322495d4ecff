"""People at their machines: each has a home of his own, a place to stand, and the `pbem` command.

    table = Round(tmp_path)
    ann = table.person("ann")
    said = ann.pbem("new savannah --players Ann,Bo --table " + "00" * 16)
    assert (said.exit, said.err) == (0, "")

Commands run in this process, which is fifty times quicker; `ann.really(...)` starts a real one.
Keys are made from names, so that a game with a fixed `--table` is dealt alike every time.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from pbem.cli import run_command
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.read_and_sign_record import read
from pbem.records.twelve_words import word_list

PBEM = Path(sys.executable).with_name("pbem")
"""The console script, beside the Python that runs the tests."""
NOW = 1_700_000_000
"""What everybody's clock says, unless a test sets it."""
TABLE = "beefbeefbeefbeefbeefbeefbeefbeef"
_WORD = f"(?:{'|'.join(word_list())})"
_HEAD = re.compile(rf"\b{_WORD}(?: {_WORD}){{11}}$", re.MULTILINE)


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    exit: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return self.out + self.err

    def checked(self, code: int, out: str = "", err: str = "", text: str = "") -> "Said":
        """The same, after a look at the exit code and at what must have been printed where."""
        assert self.exit == code, self
        assert out in self.out, self
        assert err in self.err, self
        assert text in self.text, self
        return self


def key_of(name: str) -> SigningKey:
    """The key that the person of this name has in every test."""
    return SigningKey(sha256(f"pbem tests {name}".encode()).digest())


@dataclass
class Person:
    name: str
    home: Path
    shared: Path
    place: Path
    """Where he stands: his current directory."""
    env: dict[str, str] = field(default_factory=dict)

    def pbem(self, line: str | Sequence[str], stdin: str = "", **env: str) -> Said:
        """Type `pbem …`. The line is split as a shell would."""
        arguments = words_in(line) if isinstance(line, str) else list(line)
        out, err = _stream(), _stream()
        with (
            contextlib.chdir(self.place),
            _environment(self.environ(env)),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            if hasattr(time, "tzset"):  # Windows keeps its own zone
                time.tzset()  # the zone of this person's machine
            code = run_command(arguments)
        return Said(code, _text(out), _text(err))

    def really(self, line: str | Sequence[str], stdin: str = "", **env: str) -> Said:
        """The same in a process of its own, through the console script."""
        done = self.start(line, **env)
        out, err = done.communicate(stdin)
        return Said(done.returncode, out, err)

    def start(self, line: str | Sequence[str], **env: str) -> "subprocess.Popen[str]":
        arguments = words_in(line) if isinstance(line, str) else list(line)
        return subprocess.Popen(
            [str(PBEM), *arguments], cwd=self.place, env=self.environ(env), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def shell(self, line: str, stdin: str = "") -> Said:
        """Anything else that people type."""
        done = subprocess.run(
            ["sh", "-c", line], cwd=self.place, env=self.environ({}), capture_output=True,
            text=True, input=stdin,
        )  # fmt: skip
        return Said(done.returncode, done.stdout, done.stderr)

    def environ(self, env: dict[str, str]) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PBEM_", "COV", "LINES"))}
        path = f"{PBEM.parent}{os.pathsep}{kept.get('PATH', '')}"
        mine = {"PBEM_HOME": str(self.home), "PATH": path, "SOURCE_DATE_EPOCH": str(NOW)}
        mine["TZ"] = "UTC"
        terminal = {"NO_COLOR": "1", "COLUMNS": "100", "LANG": "C.UTF-8"}
        return {**kept, **mine, **terminal, **self.env, **env}

    def import_key(self, name: str = "", profile: str = "default") -> None:
        Home(self.home).write_key(profile, write_key(key_of(name or self.name)))


@contextlib.contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    """These variables and no others; only what differs is changed, for there are many commands."""
    before = dict(os.environ)
    _change(before, wanted)
    try:
        yield
    finally:
        _change(dict(os.environ), before)


def _change(now: dict[str, str], wanted: dict[str, str]) -> None:
    for name in now.keys() - wanted.keys():
        del os.environ[name]
    os.environ.update(wanted.items() - now.items())


def words_in(line: str) -> list[str]:
    """Split a line as a shell would; in Windows' paths, a backslash is a backslash."""
    return shlex.split(line.replace("\\", r"\\") if os.name == "nt" else line)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


class Round:
    """A few people and the folder that they share."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shared = root / "shared"
        self.shared.mkdir(parents=True, exist_ok=True)
        self.people: dict[str, Person] = {}

    def person(self, name: str) -> Person:
        """The person of this name; he has his key from the start."""
        if name not in self.people:
            home = self.root / "home" / name
            self.people[name] = Person(name, home, self.shared, self.shared)
            if not (home / "profiles").exists():
                self.people[name].import_key()
        return self.people[name]

    def plain(self, text: str) -> str:
        """The text without what differs from run to run: this folder, ids, words of heads."""
        text = text.replace(str(self.root), "")
        text = _HEAD.sub("<twelve words>", text)
        text = re.sub(r"pbem-demo-\w+|/tmp/pbem-\w+", "<temporary>", text)
        text = re.sub(r"(?<![0-9a-zA-Z])[0-9a-f]{64}(?![0-9a-zA-Z])", "<id>", text)
        return re.sub(r"(?<![0-9a-zA-Z])[0-9a-f]{6}(?![0-9a-zA-Z])", "<id>", text)


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder: bytes of files, and what else lies there by its kind."""

    def content(entry: os.DirEntry[str]) -> bytes | str:
        if entry.is_symlink():
            return f"link to {os.readlink(entry)}"
        if entry.is_dir():
            return "folder"
        return Path(entry).read_bytes() if entry.is_file() else "special"

    def inside(path: str, above: str) -> Iterator[tuple[str, bytes | str]]:
        for entry in os.scandir(path):
            yield above + entry.name, content(entry)
            if entry.is_dir(follow_symlinks=False):
                yield from inside(entry.path, f"{above}{entry.name}/")

    return dict(sorted(inside(str(folder), ""))) if folder.is_dir() else {}


@contextlib.contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """The folder is the same afterwards, every name and byte."""
    before = snapshot(folder)
    yield
    assert snapshot(folder) == before


def output_of(who: Person, line: str | list[str], stdin: str = "") -> str:
    """What a command prints that must not fail."""
    said = who.pbem(line, stdin)
    assert said.exit == 0, said.text
    return said.text


def whole_records(folder: Path) -> dict[str, bytes]:
    """The files of a game's folder but for the temporary ones; each must be whole."""
    found = {}
    for name, content in snapshot(folder).items():
        if isinstance(content, bytes) and ".~pbem-" not in name:
            read(content)
            found[name] = content
    return found


def stdout_of(who: Person, line: str | list[str], stdin: str = "") -> str:
    """The same without what goes to standard error."""
    said = who.pbem(line, stdin)
    assert said.exit == 0, said.text
    return said.out
