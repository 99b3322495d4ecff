"""Which public keys are usable: canonical points of prime order (protocol §2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pbem.format import crypto
from pbem.format.record_error import RecordError

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, P - 2, P) % P
_SQRT_M1: Final = pow(2, (P - 1) // 4, P)
_Y_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_Y: Final = frozenset({0, 1, P - 1, _Y_ORDER_8, P - _Y_ORDER_8})
"""The y coordinates of the eight points of small order."""
_U_ORDER_8: Final = frozenset(
    {
        0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
        0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
    }
)
_LOW_U: Final = _U_ORDER_8 | {0, 1, P - 1}
_SIGN: Final = 1 << 255

Point = tuple[int, int]
"""The coordinates x and y on edwards25519."""


@lru_cache(maxsize=1 << 14)
def why_not_ed25519(key: bytes) -> str | None:
    """Say why this is not the canonical encoding of a point of prime order; None if it is.

    Libraries accept keys of small order, and then forged signatures. Nothing here is secret, so the
    time it takes may depend on the values.
    """
    point = _decode(key)
    if point and point[1] not in _SMALL_Y:
        y = point[1]
        u = ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")
        if _freed(u) == u:
            return None
    return "it is not a valid point of the curve, or not written in the standard form"


def _freed(u: bytes) -> bytes:
    """Return the coordinate u of a point without its part of small order.

    It uses X25519, which takes a fiftieth of the time that Python takes to multiply by L. 5L - 1 is
    a valid X25519 secret key (8 divides it, bit 254 is the highest), so a part of small order
    vanishes; and 5L - 1 is -1 modulo L, so the rest only changes its sign, which u does not show.
    """
    return crypto.x25519_shared((5 * L - 1).to_bytes(32, "little"), u)


def has_small_order(encoded: bytes) -> bool:
    """Return whether 32 bytes encode, canonically or not, a point of small order (1, 2, 4, 8)."""
    return (int.from_bytes(encoded, "little") & (_SIGN - 1)) % P in _SMALL_Y


def why_not_x25519(key: bytes) -> str | None:
    """Say why these bytes are not a usable X25519 public key; None if they are."""
    number = int.from_bytes(key, "little")
    if len(key) != 32 or number >= P:
        return "it is not written in the standard form"
    return (
        "it is so weak that others could read what is encrypted for it"
        if number in _LOW_U
        else None
    )


def check_x25519(public: bytes) -> None:
    """Raise RecordError `key` unless this is a usable X25519 public key."""
    if reason := why_not_x25519(public):
        raise RecordError("key", f"this X25519 key cannot be used: {reason}")


def _decode(key: bytes) -> Point | None:
    """Return the point that these bytes encode; None unless they are the canonical encoding of a
    point on the curve (RFC 8032 §5.1.3)."""
    number = int.from_bytes(key, "little")
    y, sign_bit = number & (_SIGN - 1), number >> 255
    if len(key) != 32 or y >= P:
        return None
    x = _root((y * y - 1) % P, (_D * y * y + 1) % P)
    if x is None or (x == 0 and sign_bit):
        return None
    if x & 1 != sign_bit:
        x = P - x
    return x, y


def _root(numerator: int, denominator: int) -> int | None:
    """Return a square root of the fraction; None if it has none (RFC 8032 §5.1.3)."""
    x = numerator * denominator**3 * pow(numerator * denominator**7, (P - 5) // 8, P) % P
    if (denominator * x * x - numerator) % P:
        x = x * _SQRT_M1 % P
    return None if (denominator * x * x - numerator) % P else x
