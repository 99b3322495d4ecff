"""Names of people: which look the same, and which nobody can have; and which texts are email
addresses."""

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


def lookalike_form(name: str) -> str:
    """Return a simplified form of a name: two names with the same form look the same to people."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    decomposed = unicodedata.normalize("NFKD", folded)
    signs = [s for s in decomposed if unicodedata.category(s) not in _INVISIBLE_CATEGORIES]
    return "".join(signs).translate(_LATIN_TWINS)


def first_lookalikes(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two of these names that look the same; None if all differ."""
    names_by_form: dict[str, str] = {}
    for name in names:
        earlier_name = names_by_form.setdefault(lookalike_form(name), name)
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
    simple = lookalike_form(name)
    if simple in map(lookalike_form, _WORDS_FOR_ALL):
        return "all players"
    if simple in map(lookalike_form, _WORDS_FOR_REFEREE):
        return UNNAMED_REFEREE
    return f"seat {simple}" if len(simple) == 1 and simple in _SEAT_LETTERS else ""


def name_of_host(address: str) -> str:
    """Return the name under which the host at an address deals, as `the host pond.example.org`."""
    return f"the host {address.rpartition('://')[2].rstrip('/')}"[:MAX_HOST_NAME_CHARACTERS]


def is_name_of_host(name: str) -> bool:
    """Return whether a dealer has the name of a host: it deals without a person."""
    return name == name_of_host(f"://{name.rpartition(' ')[2]}")


def check_player_name(name: str) -> None:
    """Raise CliError for a name without a letter or digit of any script, and for one that commands
    and emails take for something else."""
    if not any(sign.isalnum() for sign in lookalike_form(name)):
        problem = f"the name {name!r} must contain a letter or a digit"
        raise CliError(problem, "choose a name such as Ann or Bo")
    if meaning := word_of_commands(name):
        problem = f"a player cannot be called {name!r}, because pbem reads that as {meaning}"
        raise CliError(problem, "choose a different name, such as Ann or Bo")


# ---- Email addresses

_LOCAL, _DOMAIN = r"[!#-'*+/-9=?A-Z^-~.-]{1,64}", r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_ADDRESS = re.compile(f"{_LOCAL}@{_DOMAIN}")


def is_address(text: str) -> bool:
    """Return whether a text is an email address of ASCII letters, such as `bo@example.org`."""
    return bool(_ADDRESS.fullmatch(text)) and len(text) <= 254 and ".." not in text


def check_address(text: str) -> None:
    """Raise CliError unless a text is an email address."""
    if not is_address(text):
        problem = f"{text[:80]!r} is not an email address"
        raise CliError(problem, "write an address with plain letters, as in bo@example.org")
