"""A demo in words: which bots play what, and where its files are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.text.numbers_and_lists import join_words

_DEMO_HEADING: Final = (
    "{names} are bots and play {game}. Each seals order files;\n"
    "Rhea publishes signed turn files in {folder}"
)
_DEMO_PAGE: Final = "To step through the game, open this page: {page}"
_DEMO_FOLDER: Final = "The folder of the game, for pbem audit, pbem show and pbem log: {folder}"


def demo_heading(names: Iterable[str], game: str, folder: object) -> str:
    """Say which bots play which game, and where."""
    return _DEMO_HEADING.format(names=join_words(names), game=game, folder=folder)


def demo_lines(page: object, folder: object) -> Sequence[str]:
    """Return where the game of a demo is."""
    return [_DEMO_PAGE.format(page=page), _DEMO_FOLDER.format(folder=folder)]
