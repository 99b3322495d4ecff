"""Write a number with a noun, a number of times, or a list of words in prose."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "error"), counted(2, "error"), counted(3, "die", "dice")
    ('1 error', '2 errors', '3 dice')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def join_words(words: Iterable[str]) -> str:
    """Join words to a list in prose.

    >>> join_words(["a"]), join_words(["a", "b"]), join_words(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *earlier_words, last_word = list(words) or [""]
    return f"{', '.join(earlier_words)} and {last_word}" if earlier_words else last_word


def count_times(number: int) -> str:
    """Return a number of times in words.

    >>> count_times(1), count_times(2), count_times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
