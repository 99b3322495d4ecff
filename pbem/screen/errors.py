"""What errors, words and exit codes mean, for `explain`; and which of many bad files to name."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Final

from games.data import package_data


@cache
def explanations() -> dict[str, dict[str, str]]:
    """Return what pbem's own words mean, by group: `problems` in order files, `reasons` why a file
    cannot be used, `words`, and `exits` (exit codes)."""
    import tomllib  # only `explain` needs it

    return tomllib.loads(package_data("pbem.screen", "texts.toml"))


# ---- Which of many bad files to name

MOST_ALIKE: Final = 3
"""How many files in one folder are named for which the same is said."""
MOST_NAMED: Final = 12
"""How many files in one folder are named for one reason."""


class FewOfMany:
    """Chooses which files to name: ask `shows` about one after the other, then `rest`.

    Somebody can fill a game's folder with junk; a line for each file would bury what matters.
    """

    def __init__(self) -> None:
        self._alike = Counter[tuple[str, str, str]]()
        self._named = Counter[tuple[str, str]]()
        self._hidden = Counter[str]()

    def shows(self, path: str, reason: str, sentence: str) -> bool:
        """Return whether to name this file, and count it otherwise."""
        folder = path.rpartition("/")[0]
        alike = (folder, reason, re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", sentence))
        if self._alike[alike] == MOST_ALIKE or self._named[alike[:2]] == MOST_NAMED:
            self._hidden[folder] += 1
            return False
        self._alike[alike] += 1
        self._named[alike[:2]] += 1
        return True

    def rest(self, command: str) -> list[str]:
        """Return a sentence for each folder with unnamed files; `command` lists them."""
        return [
            f"{count} more {'file' if count == 1 else 'files'} in {folder or 'the game folder'}"
            f"{folder and '/'} {'does' if count == 1 else 'do'} not count either; {command} lists "
            "them all"
            for folder, count in self._hidden.items()
        ]
