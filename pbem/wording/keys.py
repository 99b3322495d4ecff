"""Keys in words: which there are, and what the line of a deputy is for."""

from __future__ import annotations

from typing import Final

NO_KEYS_SENTENCE: Final = (
    "there are no keys yet; pbem makes a key when you first need one. To make a key now: pbem "
    "keys new"
)
_DEPUTY_WORDS: Final = (
    "note: the referee will ask you for these words, by phone or in person: {words}"
)


def deputy_words_note(words: str) -> str:
    """Return the words of a deputy's line, and who asks for them."""
    return _DEPUTY_WORDS.format(words=words)
