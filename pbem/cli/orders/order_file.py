"""Find and read an order file; if it cannot be read, say why."""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import FINDINGS, KEY, USAGE, CliError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View

MOST = 1 << 17
"""The most bytes that an order file may have."""
TOO_LONG = f"is longer than {MOST >> 10} kB, which is too long for an order file"
NAME_IT = "give the path of your order file; to use your draft, give no path"
SAVE = "in your editor, save it with the encoding UTF-8"


def read_file(session: Session, view: View, file: str | None) -> tuple[Draft, str]:
    """Read the order file that was named, else the draft; return it with its name for messages."""
    if file == "-":
        from pbem.drafts.read.read_draft import read_draft

        return read_draft(_typed(), view), "standard input"
    path = Path(file) if file else session.home.game(view.game).draft(view.turn, view.seat)
    if not file and not path.exists():
        older = older_draft(session, view)
        told = f"; your draft for turn {int(older.name[:4])} is {older}" if older else ""
        raise CliError(f"you have no draft for this turn yet{told}", "pbem orders --edit")
    return read(path, view), file or f"drafts/{path.name}"


def older_draft(session: Session, view: View) -> Path | None:
    """Return the newest draft of the seat for an earlier turn, if there is one."""
    this = session.home.game(view.game).draft(view.turn, view.seat)
    try:
        there = os.listdir(this.parent)  # this looks into the folder once, however long the game is
    except FileNotFoundError:
        return None
    ending = f"-{view.seat}.toml"
    turns = [name.removesuffix(ending) for name in there if name.endswith(ending)]
    older = [turn for turn in turns if turn.isdecimal() and int(turn) < view.turn]
    return this.with_name(f"{max(older, key=int)}{ending}") if older else None


def read(path: Path, view: View) -> Draft:
    """Read and check an order file. Raises CliError if it is not text."""
    from pbem.drafts.read.read_draft import read_draft
    from pbem.storage.errors import FileError
    from pbem.storage.read_file import read_file as bytes_of

    if not os.path.lexists(path):
        raise CliError(f"there is no file {path}", NAME_IT, USAGE)
    try:
        data = bytes_of(path.absolute(), MOST)
    except FileError as error:
        if error.reason == "size":
            raise CliError(f"{path} {TOO_LONG}", NAME_IT, KEY) from None
        raise CliError(f"{path} {error.sentence}", NAME_IT, USAGE) from None
    return read_draft(text_of(data, str(path)), view)


def text_of(data: bytes, name: str) -> str:
    """Return the bytes as text. Raises CliError with the first line that is not UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CliError(f"{name} is UTF-16 text, which cannot be read", SAVE, FINDINGS)
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        told = f"{name}:{line}: a character here is not UTF-8"
        raise CliError(told, SAVE, FINDINGS) from None


def _typed() -> str:
    try:
        text = sys.stdin.read(MOST + 1)
    except UnicodeDecodeError:
        raise CliError("standard input is not UTF-8 text", "", FINDINGS) from None
    if len(text) > MOST:
        raise CliError(f"what you typed {TOO_LONG}", "", KEY)
    return text
