"""Write to terminals: find their width and colours, fold lines, use plain ASCII."""

from __future__ import annotations

import os
import sys
import textwrap
from contextlib import suppress
from typing import NamedTuple, TextIO
from unicodedata import combining, normalize

from pbem.terminal.commands_and_paths_to_type import with_tilde

MIN_WIDTH = 40
MIN_HEIGHT, DEFAULT_HEIGHT = 24, 40
"""The lines of the smallest supported screen, and of a screen whose height is unknown."""


_ASCII = dict(zip("·→─│┌┐└┘×–’", "*>-|++++x-'", strict=True)) | {"…": "..."}


class Style(NamedTuple):
    """The way to write on one output stream."""

    colour: bool = False
    ascii: bool = False
    width: int = 80
    height: int = DEFAULT_HEIGHT

    def bold(self, text: str) -> str:
        """Return the text in bold, if colour may be used."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def tint(self, text: str, number: int) -> str:
        """Return the text in one of the six plain colours (0 to 5), if colour may be used."""
        return f"\x1b[{31 + number % 6}m{text}\x1b[0m" if self.colour else text

    def encodable(self, text: str) -> str:
        """Return the text, in ASCII if the stream accepts nothing else."""
        if not self.ascii:
            return text
        for sign, replacement in _ASCII.items():
            text = text.replace(sign, replacement)
        text = normalize("NFKD", text)
        text = "".join(c for c in text if not combining(c))
        return text.encode("ascii", "replace").decode()


def style_for(stream: TextIO, colour_choice: str = "auto") -> Style:
    """Return the style of a stream; `colour_choice` is `auto`, `always` or `never`."""
    is_forced = colour_choice == "always"
    is_suppressed = (
        bool(os.environ.get("NO_COLOR"))
        or os.environ.get("TERM") == "dumb"
        or colour_choice == "never"
    )
    colour = is_forced or (stream.isatty() and not is_suppressed)
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    try:
        size = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        size = os.terminal_size((0, 0))
    width = _number("COLUMNS") or size.columns or 80
    height = _number("LINES") or size.lines or DEFAULT_HEIGHT
    return Style(colour, "utf" not in encoding, max(MIN_WIDTH, width), max(MIN_HEIGHT, height))


def _number(name: str) -> int:
    setting = os.environ.get(name, "")
    return int(setting) if setting.isdecimal() else 0


def say(sentence: str) -> None:
    """Print a sentence for the user on standard error, where no program reads it as output."""
    with suppress(OSError):  # if nobody can read this, the exit code still says what happened
        print(with_tilde(sentence), file=sys.stderr)


def fold(line: str, width: int, indent: int = 2) -> list[str]:
    """Break a line into lines that fit; all except the first are indented, and words stay whole."""
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, drop_whitespace=True,
        break_long_words=False, break_on_hyphens=False,
    ) or [""]  # fmt: skip


def folding_width() -> int:
    """Return the column at which standard output is wrapped; 0 (a pipe) means never."""
    is_known = sys.stdout.isatty() or _number("COLUMNS")
    return stdout_style().width if is_known else 0


def print_folded(line: str, indent: int = 2) -> None:
    """Print a line wrapped to the terminal's width; for a pipe the line is not wrapped."""
    style = stdout_style()
    width = folding_width()
    print(
        "\n".join(fold(style.encodable(line), width, indent) if width else [style.encodable(line)])
    )


def stdout_style(colour_choice: str = "auto") -> Style:
    """Return the style of the standard output."""
    return style_for(sys.stdout, colour_choice)
