"""Find names that look alike: names that differ only in case, marks or invisible characters."""

from __future__ import annotations

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
