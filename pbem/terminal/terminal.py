"""Write to terminals: find their width and colours, use plain ASCII, make text from outside
safe.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import textwrap
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TextIO
from unicodedata import category, combining, normalize

from pbem.text.terminal_and_page_wording import TerminalText

MIN_WIDTH = 40
MIN_HOME_CHARACTERS = 2
"""The fewest characters of a home folder that is written as `~`; that of a service may be `/`."""
MIN_HEIGHT, DEFAULT_HEIGHT = 24, 40
"""The lines of the smallest supported screen, and of a screen whose height is unknown."""


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


_ASCII = dict(zip("·→─│┌┐└┘×–’", "*>-|++++x-'", strict=True)) | {"…": "..."}


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


BLANK_LETTER: Final = "\u2800"
"""A letter of braille: records may have it, but it looks like nothing."""


def clean(text: str) -> str:
    """Make text from outside safe to show: control, bidi and invisible characters, and the letter
    of braille without a dot, are escaped."""
    if text.isascii() and text.isprintable():
        return text
    if isinstance(text, TerminalText):
        return TerminalText.of_wordings(clean(str(text)), clean(text.elsewhere))
    return "".join(
        c if c == " " or (category(c)[0] not in "CZ" and c != BLANK_LETTER) else f"\\u{ord(c):04x}"
        for c in text
    )


def brief(path: Path) -> str:
    """Return the path in short form: relative if it goes up at most one folder, else with `~` for
    the home folder."""
    try:
        relative_path = os.path.relpath(path)
    except ValueError:  # a relative path cannot lead to another drive
        return str(path)
    if not relative_path.startswith(os.path.join(os.pardir, os.pardir)):
        return relative_path
    home = os.path.expanduser("~")
    text = str(path)
    return "~" + text[len(home) :] if text.startswith(home + os.sep) else text


def with_tilde(text: str) -> str:
    """Return the text with `~` for the home folder in each path, as people type it.

    A quoted path stays as it is: a shell reads no `~` in quotes.
    """
    home = os.path.expanduser("~").rstrip(os.sep)
    if len(home) < MIN_HOME_CHARACTERS or home not in text:
        return text
    return re.sub(rf"(?<![\w./'\"~-]){re.escape(home)}(?=[{re.escape(os.sep)}\s]|$)", "~", text)


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


def shell_quote(path: object) -> str:
    """Return the path as it must be typed in a shell: quoted if necessary."""
    return shlex.quote(str(path))


def stdout_style(colour_choice: str = "auto") -> Style:
    """Return the style of the standard output."""
    return style_for(sys.stdout, colour_choice)
