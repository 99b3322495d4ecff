"""The sentences of `pbem play` around its questions: the news, the kept draft, the next game."""

from __future__ import annotations

from typing import Final

NEWS_HEADING: Final = "what is new:"
NOTHING_SEALED: Final = "nothing was sealed"
CORRECT_FIRST_SENTENCE: Final = f"{NOTHING_SEALED}: correct the errors first"
NO_OTHER_GAME_SENTENCE: Final = "no other game is waiting for you"
_DRAFT_KEPT: Final = f"{NOTHING_SEALED}; your draft is kept: {{path}}"
_NEXT_GAME: Final = "the next game that is waiting for you: {place}"


def draft_kept_sentence(path: str) -> str:
    """Say that nothing was sealed, and where the draft is."""
    return _DRAFT_KEPT.format(path=path)


def next_game_line(place: str) -> str:
    """Return the line above the next game that waits for the user."""
    return _NEXT_GAME.format(place=place)
