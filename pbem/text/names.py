"""Names, addresses and characters that people could confuse."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from pbem.errors import CliError

MAX_HOST_NAME_CHARACTERS: Final = 40
_INVISIBLE_CATEGORIES: Final = ("Mn", "Me", "Cf", "Cc", "Zs")
"""Unicode categories of marks on letters, invisible characters and spaces."""
_LATIN_TWINS: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03b1\u03bf\u03bd\u03b9",
    "aeopcyxijsaovi",
)
"""Cyrillic and Greek small letters that look like Latin letters (not all such letters)."""


def look(name: str) -> str:
    """Return a simplified form of a name: two names with the same form look the same to people."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    decomposed = unicodedata.normalize("NFKD", folded)
    signs = [s for s in decomposed if unicodedata.category(s) not in _INVISIBLE_CATEGORIES]
    return "".join(signs).translate(_LATIN_TWINS)


def alike(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two of these names that look the same; None if all differ."""
    names_by_look: dict[str, str] = {}
    for name in names:
        earlier_name = names_by_look.setdefault(look(name), name)
        if earlier_name is not name:
            return earlier_name, name
    return None


_WORDS_FOR_ALL: Final = ("all", "everybody", "everyone", "all players")
UNNAMED_REFEREE: Final = "the referee"
"""The name of a referee who gave none."""
_WORDS_FOR_REFEREE: Final = ("referee", UNNAMED_REFEREE)
_SEAT_LETTERS: Final = "abcdefghijklmnop"


def word_of_commands(name: str) -> str:
    """Return the meaning of a name that no player can have: `all players`, `the referee`, or
    `seat b`, as commands and emails read it; empty for any other name."""
    simple = look(name)
    if simple in map(look, _WORDS_FOR_ALL):
        return "all players"
    if simple in map(look, _WORDS_FOR_REFEREE):
        return UNNAMED_REFEREE
    return f"seat {simple}" if len(simple) == 1 and simple in _SEAT_LETTERS else ""


_LOCAL, _DOMAIN = r"[!#-'*+/-9=?A-Z^-~.-]{1,64}", r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_ADDRESS = re.compile(f"{_LOCAL}@{_DOMAIN}")


def is_address(text: str) -> bool:
    """Return whether a text is an email address of ASCII letters, such as `bo@example.org`."""
    return bool(_ADDRESS.fullmatch(text)) and len(text) <= 254 and ".." not in text


def check_address(text: str) -> None:
    """Raise CliError unless a text is an email address."""
    if not is_address(text):
        problem = f"{text[:80]!r} is not an email address"
        raise CliError(problem, "an address has only ASCII letters, as in bo@example.org")


_CONTROLS = {0: "NULL", 0x1B: "ESCAPE"}


def unusual_name(character: str) -> str:
    """Return the name of an unusual character, as `a no-break space (U+00A0)`; else an empty
    text."""
    if not character or character in "\t\n\r" or " " <= character <= "~":
        return ""
    code = ord(character)
    name = unicodedata.name(character, _CONTROLS.get(code, "control character")).lower()
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} (U+{code:04X})"


def unusual_names(text: str) -> str:
    """Return the names of the first two unusual characters in the text; empty if there are none."""
    names = [name for character in dict.fromkeys(text) if (name := unusual_name(character))]
    return " and ".join(names[:2])


def name_of_host(address: str) -> str:
    """Return the name under which the host at an address deals, as `the host pond.example.org`."""
    return f"the host {address.rpartition('://')[2].rstrip('/')}"[:MAX_HOST_NAME_CHARACTERS]


def check_player_name(name: str) -> None:
    """Raise CliError for a name without a letter or digit, and for one that commands and emails
    take for something else."""
    if not look(name):
        raise CliError(
            f"the name {name!r} must contain a letter", "choose a name such as Ann or Bo"
        )
    if meaning := word_of_commands(name):
        problem = f"a player cannot be called {name!r}, because pbem reads that as {meaning}"
        raise CliError(problem, "choose a different name, such as Ann or Bo")
