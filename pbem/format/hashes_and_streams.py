"""Hashes, derived keys, and streams of numbers from a key (protocol §2)."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import TypeVar

from pbem.format.protocol_labels import Label

T = TypeVar("T")

_WORD = 1 << 64
_LE64 = struct.Struct("<Q").pack
_BE64 = struct.Struct(">Q").pack


def u(number: int) -> bytes:
    """Return `number` as 8 bytes, big-endian. Raises `struct.error` outside 0 ≤ number < 2^64."""
    return _BE64(number)


def pae(*parts: bytes) -> bytes:
    """Encode parts (PAE): LE64 of their number, then LE64 of each length and the part."""
    pieces = [_LE64(len(parts))]
    for part in parts:
        pieces += (_LE64(len(part)), part)
    return b"".join(pieces)


def th(label: Label, *parts: bytes) -> bytes:
    """Compute a tagged hash, 32 bytes: SHA-256(PAE(label, parts…))."""
    return hashlib.sha256(pae(label, *parts)).digest()


class Kdf:
    """HKDF-SHA256 with an empty salt and one input key; the extract step is done only once."""

    __slots__ = ("_prk",)

    def __init__(self, ikm: bytes) -> None:
        self._prk = hmac.digest(bytes(32), ikm, "sha256")

    def derive(self, label: Label, *parts: bytes) -> bytes:
        """Derive 32 bytes, with info = PAE(label, parts…)."""
        return hmac.digest(self._prk, pae(label, *parts) + b"\x01", "sha256")


def kdf(ikm: bytes, label: Label, *parts: bytes) -> bytes:
    """Derive a single key, as `Kdf(ikm).derive(label, *parts)` does."""
    return Kdf(ikm).derive(label, *parts)


class Stream:
    """A stream of random numbers below any bound, from a 32-byte key.

    HMAC-SHA256(key, u(0)), u(1), … are read as 64-bit big-endian words; a word at or above the
    largest multiple of the bound is skipped.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, u(self._block), "sha256")
            self._block += 1
            self._words = list(struct.unpack(">4Q", block))[::-1]
        return self._words.pop()

    def number_below(self, bound: int) -> int:
        """Return the next number from 0 to bound - 1, each equally likely. `bound` ≥ 1."""
        limit = _WORD - _WORD % bound
        word = self._word()
        while word >= limit:
            word = self._word()
        return word % bound


def shuffle(items: Sequence[T], stream: Stream) -> list[T]:
    """Return a shuffled copy (Fisher-Yates): for i = last … 1, swap i and a number below i + 1."""
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = stream.number_below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled
