"""The group that hides cards: the points of prime order of edwards25519 (protocol §12).

A point is 32 bytes, a scalar is an integer. No curve arithmetic is here: outside a browser tab,
libsodium computes (library PyNaCl, extra `dealers`); in a tab
`pbem/format/curve_group_in_browser.py` has the same functions by @noble/curves. Callers import
this module at the top; the library is loaded, and tested, at the first call. Every function here
raises CliError if it is missing or unusable.

libsodium's multiplications take the same time for all scalars; Python's integers do not.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from pbem.errors import CliError
from pbem.format.hashes_and_streams import pae, u
from pbem.format.protocol_labels import Label
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import L, P
from pbem.missing_libraries import install_command_for, needing_libraries

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
IDENTITY: Final = (1).to_bytes(POINT_BYTES, "little")
"""The neutral point. No record contains it, and libraries refuse to multiply it."""
LIBRARY: Final = '"pynacl>=1.6.2"'
_NO_LIBRARY: Final = "the library PyNaCl, which games in mode dealers need, is not installed"
"""The requirement of the extra `dealers`, quoted for a shell. Older builds accept points of mixed
order (CVE-2025-69277)."""

_ORDER_2: Final = (P - 1).to_bytes(POINT_BYTES, "little")


@dataclass(frozen=True, slots=True)
class CurveLibrary:
    """The functions of a library. Points are 32 bytes; scalars are 32 bytes, little-endian."""

    add: Callable[[bytes, bytes], bytes]
    """Adds two points of the curve, of any order. Raises RuntimeError or ValueError for others."""
    subtract: Callable[[bytes, bytes], bytes]
    """Subtracts the second point; otherwise as `add`."""
    multiply: Callable[[bytes, bytes], bytes]
    """Multiplies a point of prime order by a scalar from 1 to L - 1, which comes first."""
    multiply_base: Callable[[bytes], bytes]
    """Multiplies the base point by a scalar from 1 to L - 1."""
    is_valid: Callable[[bytes], bool]
    """Returns whether 32 bytes are the canonical encoding of a point of prime order."""
    weighted_sum: Callable[[bytes, bytes], bytes] | None = None
    """Adds up the products of scalars, which come first, and points, all in one piece; None if the
    library does it no faster than `multiply` and `add`. The time depends on the values."""


def load_library() -> CurveLibrary:
    """Load the library, and test that it refuses points of mixed order.

    Raises CliError, with the command that installs the library, if it is missing or too old.
    """
    if sys.platform == "emscripten":
        from pbem.format.curve_group_in_browser import (
            add,
            is_valid,
            multiply,
            multiply_base,
            subtract,
            weighted_sum,
        )

        return CurveLibrary(add, subtract, multiply, multiply_base, is_valid, weighted_sum)
    with needing_libraries(["nacl"], _NO_LIBRARY, LIBRARY):
        from nacl import bindings
    library = CurveLibrary(
        bindings.crypto_core_ed25519_add,
        bindings.crypto_core_ed25519_sub,
        bindings.crypto_scalarmult_ed25519_noclamp,
        bindings.crypto_scalarmult_ed25519_base_noclamp,
        bindings.crypto_core_ed25519_is_valid_point,
    )
    if not refuses_mixed_order(library):
        problem = "pbem cannot use the library PyNaCl that is installed: its libsodium is too old"
        raise CliError(problem, install_command_for(LIBRARY))
    return library


def refuses_mixed_order(library: CurveLibrary) -> bool:
    """Return whether a library knows the base point and refuses a point of mixed order.

    A build without these functions does not.
    """
    try:
        base_point = library.multiply_base(scalar_bytes(1))
        mixed_order = library.add(base_point, _ORDER_2)
        return library.is_valid(base_point) and not library.is_valid(mixed_order)
    except RuntimeError:  # the library has been built without them
        return False


_library = cache(load_library)


# ---- what records contain


def scalar_bytes(scalar: int) -> bytes:
    """Return a scalar modulo L as 32 bytes, little-endian."""
    return (scalar % L).to_bytes(SCALAR_BYTES, "little")


def read_scalar(data: bytes) -> int:
    """Read a scalar from 32 bytes. Raises RecordError `field` unless it is below L: libraries
    would reduce it, and then two proofs would say the same."""
    scalar = int.from_bytes(data, "little")
    if len(data) != SCALAR_BYTES or scalar >= L:
        raise RecordError(
            "field",
            "a proof or secret in this file is damaged or forged: one of its numbers does not have "
            "32 bytes, or is too large",
        )
    return scalar


def read_point(data: bytes) -> bytes:
    """Return these bytes. Raises RecordError `field` unless they are the canonical encoding of a
    point of prime order, which the identity is not."""
    if not _is_canonical(data) or not _library().is_valid(data):
        raise RecordError(
            "field",
            "a card, key or share in this file is damaged or forged: it is no point of the curve",
        )
    return data


def _is_canonical(data: bytes) -> bool:
    """Return whether 32 bytes, if they encode a point, are its only encoding: libsodium also adds
    points with y ≥ p, and "-0", a sign where x is 0."""
    if len(data) != POINT_BYTES:
        return False
    number = int.from_bytes(data, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    return y < P and not (sign and y in (1, P - 1))


# ---- arithmetic


def add(point: bytes, other_point: bytes) -> bytes:
    """Return the sum of two points."""
    return _library().add(point, other_point)


def subtract(point: bytes, subtracted_point: bytes) -> bytes:
    """Return a point minus another."""
    return _library().subtract(point, subtracted_point)


def multiply(scalar: int, point: bytes) -> bytes:
    """Return a point of prime order, or the identity, times a scalar."""
    if scalar % L == 0 or point == IDENTITY:
        return IDENTITY
    return _library().multiply(scalar_bytes(scalar), point)


def multiply_base(scalar: int) -> bytes:
    """Return the base point times a scalar."""
    return _library().multiply_base(scalar_bytes(scalar)) if scalar % L else IDENTITY


def weighted_sum(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    """Return the sum of all products of a scalar and its point."""
    terms = [*zip(scalars, points, strict=True)]
    if in_one_piece := _library().weighted_sum:
        return in_one_piece(b"".join(map(scalar_bytes, scalars)), b"".join(points))
    total = IDENTITY
    for scalar, point in terms:
        total = add(total, multiply(scalar, point))
    return total


# ---- hashes to scalars and to points


def scalar_of(label: Label, *parts: bytes) -> int:
    """Hash parts to a scalar: SHA-512(PAE(label, parts…)), little-endian, modulo L."""
    return int.from_bytes(hashlib.sha512(pae(label, *parts)).digest(), "little") % L


@lru_cache(maxsize=4096)
def point_of(label: Label, *parts: bytes) -> bytes:
    """Hash public parts to a point whose logarithm nobody knows; the time depends on the parts.

    The first 32 bytes of SHA-512(PAE(label, parts…, bytes([n]))) are tried for n = 0, 1, …; the
    first that are the canonical encoding of a point of the curve give 8 times this point, which has
    prime order.
    """
    number = 0
    while True:
        point = hashlib.sha512(pae(label, *parts, bytes([number]))).digest()[:POINT_BYTES]
        number += 1
        if not _is_canonical(point):
            continue
        with suppress(RuntimeError, ValueError):  # it is not on the curve
            for _ in range(3):
                point = add(point, point)
            return point


class ScalarStream:
    """A stream of scalars from a 32-byte key: HMAC-SHA512(key, u(0)), u(1), … modulo L."""

    __slots__ = ("_count", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._count = 0

    def next_scalars(self, count: int) -> list[int]:
        """Return the next scalars of the stream."""
        numbers = range(self._count, self._count + count)
        self._count += count
        blocks = (hmac.digest(self._key, u(number), "sha512") for number in numbers)
        return [int.from_bytes(block, "little") % L for block in blocks]
