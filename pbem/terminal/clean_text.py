"""Make text from outside safe to show."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from pbem.text.terminal_and_page_wording import TerminalText

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
