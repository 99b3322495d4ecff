"""Compute game ids, commitments to r, heads, and twelve words for a head (protocol §3, §5)."""

from __future__ import annotations

import hashlib
from typing import Final

from pbem.format import labels
from pbem.format.errors import RecordError
from pbem.format.hashing import th
from pbem.records.word_list import WORDS

_INDEX: Final = {word[:4]: i for i, word in enumerate(WORDS)}
"""The number of each word, by its first four letters; no two words share these."""
_SPOKEN: Final = 16
"""How many bytes of a head the twelve words stand for; four more bits are a checksum."""


def game_id(charter_body: bytes) -> bytes:
    """Compute the game's id: TH("game", body of the charter)."""
    return th(labels.GAME, charter_body)


def referee_commitment(table: bytes, r_ref: bytes) -> bytes:
    """Compute the referee's commitment to r_ref: `commit` in the charter."""
    return th(labels.COMMIT_REF, table, r_ref)


def seat_commitment(game: bytes, seat: str, r: bytes) -> bytes:
    """Compute a player's commitment to r: `commit` in a join."""
    return th(labels.COMMIT, game, seat.encode(), r)


def first_head(game: bytes) -> bytes:
    """Compute head_0, on which joins and turn 1 build."""
    return _head(game)


def next_head(head: bytes, turn_id: bytes) -> bytes:
    """Compute head_k, from head_{k-1} and the id of turn k."""
    return _head(head, turn_id)


def _head(*parts: bytes) -> bytes:
    return th(labels.HEAD, *parts)


def words_of(head: bytes) -> list[str]:
    """Return twelve words for the first 16 bytes of a head, as in BIP-39, with a checksum."""
    spoken = head[:_SPOKEN]
    check = hashlib.sha256(spoken).digest()[0] >> 4
    number = int.from_bytes(spoken, "big") << 4 | check
    return [WORDS[number >> 11 * i & 2047] for i in reversed(range(12))]


def parse_words(spoken: str) -> bytes:
    """Return the first 16 bytes of a head, from its twelve words.

    Capitals, commas and the letters after a word's fourth do not matter. Raises RecordError
    `grammar` unless these are twelve words of the list with the right checksum.
    """
    said = spoken.lower().replace(",", " ").split()
    if len(said) != 12:
        raise RecordError("grammar", f"a head has 12 words; you gave {len(said)}")
    number = 0
    for word in said:
        number = number << 11 | _number(word)
    head = (number >> 4).to_bytes(_SPOKEN, "big")
    if words_of(head) != [WORDS[_number(word)] for word in said]:
        raise RecordError(
            "grammar", "these words do not match their checksum; one was misheard: ask again"
        )
    return head


def _number(word: str) -> int:
    number = _INDEX.get(word[:4])
    if number is None:
        raise RecordError("grammar", f'"{word}" is not in the list of words for heads: ask again')
    return number
