"""Twelve words for a head or a key, by which people compare them on the phone (BIP-39)."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

from games.data_and_icon_files import package_data
from pbem.format.record_error import RecordError

_SPOKEN_BYTES: Final = 16
"""The number of bytes of a head in the twelve words; four more bits are a checksum."""


@cache
def word_list() -> tuple[str, ...]:
    """Return the 2048 English words of BIP-39: no two of them share their first four letters.

    `bip39_words.txt` is that of trezor/python-mnemonic, MIT licence, (c) 2013-2016 Pavol Rusnak.
    """
    return tuple(package_data("pbem.records", "bip39_words.txt").split())


def words_of(head: bytes) -> list[str]:
    """Return twelve words for the first 16 bytes of a head, as in BIP-39, with a checksum. Each
    word stands for 11 bits."""
    spoken = head[:_SPOKEN_BYTES]
    check = hashlib.sha256(spoken).digest()[0] >> 4
    number = int.from_bytes(spoken, "big") << 4 | check
    return [word_list()[number >> 11 * i & 2047] for i in reversed(range(12))]


def parse_words(spoken: str) -> bytes:
    """Return the first 16 bytes of a head, from its twelve words; capitals, commas and the letters
    after a word's fourth do not matter. Raises RecordError `grammar`."""
    input_words = spoken.lower().replace(",", " ").split()
    if len(input_words) != 12:
        raise RecordError("grammar", f"give all 12 words of the turn; you gave {len(input_words)}")
    numbers, number = {word[:4]: number for number, word in enumerate(word_list())}, 0
    for word in input_words:
        if word[:4] not in numbers:
            sentence = f'"{word}" is not one of the words that pbem uses: ask for the word again'
            raise RecordError("grammar", sentence)
        number = number << 11 | numbers[word[:4]]
    head = (number >> 4).to_bytes(_SPOKEN_BYTES, "big")
    if [word[:4] for word in words_of(head)] != [word[:4] for word in input_words]:
        sentence = "one of these words is wrong, perhaps misheard: ask for the words again"
        raise RecordError("grammar", sentence)
    return head
