"""What a command removed from a home, in words: caches, and games that are gone."""

from __future__ import annotations

from typing import Final

from pbem.text.numbers_and_lists import counted

# ---- Caches

_DELETED_CACHES: Final = "deleted the caches of {games}; pbem will rebuild them when it needs them"
_COPIES_KEPT: Final = "could not delete the cached copies of {location}: {error}"


def deleted_caches_line(game_count: int) -> str:
    """Say of how many games the caches are deleted."""
    return _DELETED_CACHES.format(games=counted(game_count, "game"))


def copies_kept_line(location: object, error: Exception) -> str:
    """Say why the copies of a store's files could not be deleted."""
    return _COPIES_KEPT.format(location=location, error=error)


# ---- Games whose folder is gone

_FORGOTTEN: Final = (
    "pbem list no longer shows the game {digits}; to bring it back, run any pbem "
    "command in its folder"
)
_KEPT_FILES: Final = "your keys stay, and your private files of this game are still in {folder}"


def forgotten_game_lines(game_digits: str, private_folder: object) -> list[str]:
    """Say that a game is no longer in the list, and what is kept."""
    return [_FORGOTTEN.format(digits=game_digits), _KEPT_FILES.format(folder=private_folder)]
