"""Names, addresses and characters that people could confuse; and numbers with their nouns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_UNSEEN: Final = ("Mn", "Me", "Cf", "Cc", "Zs")
"""Unicode categories of marks on letters, invisible characters and spaces."""
_TWINS: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03b1\u03bf\u03bd\u03b9",
    "aeopcyxijsaovi",
)
"""Some of the Cyrillic and Greek small letters that look like Latin ones."""


def look(name: str) -> str:
    """Return a simplified form of a name: two names with the same form look the same to people."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    apart = unicodedata.normalize("NFKD", folded)
    seen = "".join(sign for sign in apart if unicodedata.category(sign) not in _UNSEEN)
    return seen.translate(_TWINS)


def alike(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two of these names that look the same; None if all differ."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(look(name), name)
        if other is not name:
            return other, name
    return None


_FOR_ALL: Final = ("all", "everybody", "everyone", "all players")
_FOR_REFEREE: Final = ("referee", "the referee")
_SEATS: Final = "abcdefghijklmnop"


def word_of_commands(name: str) -> str:
    """Return what commands and emails take a name for, if it is no name for a player: `all
    players`, `the referee`, or `seat b`; empty for any other name."""
    simple = look(name)
    if simple in map(look, _FOR_ALL):
        return "all players"
    if simple in map(look, _FOR_REFEREE):
        return "the referee"
    return f"seat {simple}" if len(simple) == 1 and simple in _SEATS else ""


_LOCAL, _DOMAIN = r"[!#-'*+/-9=?A-Z^-~.-]{1,64}", r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_ADDRESS = re.compile(f"{_LOCAL}@{_DOMAIN}")


def is_address(text: str) -> bool:
    """Return whether a text is an email address of ASCII letters, such as `bo@example.org`."""
    return bool(_ADDRESS.fullmatch(text)) and len(text) <= 254 and ".." not in text


_CONTROLS = {0: "NULL", 0x1B: "ESCAPE"}


def strange(character: str) -> str:
    """Return the name of an unusual character, as `a no-break space (U+00A0)`; else an empty
    text."""
    if not character or character in "\t\n\r" or " " <= character <= "~":
        return ""
    code = ord(character)
    name = unicodedata.name(character, _CONTROLS.get(code, "control character")).lower()
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} (U+{code:04X})"


def strangers(text: str) -> str:
    """Return the names of the first two unusual characters in the text; empty if there are none."""
    found = [name for character in dict.fromkeys(text) if (name := strange(character))]
    return " and ".join(found[:2])


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun: `1 error`, `2 errors`, `3 dice`."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def join_words(words: Iterable[str]) -> str:
    """Join words to a list in prose: `a`, `a and b`, `a, b and c`."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last
