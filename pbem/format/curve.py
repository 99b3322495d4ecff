"""Points of edwards25519 and curve25519: which public keys are usable (protocol §1, *Keys*).

Libraries accept keys of small order and then verify forgeries; here such keys are refused before
they meet a library. Nothing here touches a secret, so time may depend on the values.
"""

from functools import lru_cache
from typing import Final

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, P - 2, P) % P
_SQRT_M1: Final = pow(2, (P - 1) // 4, P)
_Y_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_Y: Final = frozenset({0, 1, P - 1, _Y_ORDER_8, P - _Y_ORDER_8})
"""The second coordinates of the eight points of small order."""
_U_ORDER_8: Final = frozenset(
    {
        0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
        0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
    }
)
_LOW_U: Final = _U_ORDER_8 | {0, 1, P - 1}
_SIGN: Final = 1 << 255

Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""


def why_not_ed25519(key: bytes) -> str | None:
    """Why these bytes are no Ed25519 public key for us; None if they are one.

    Accepted: exactly the canonical encodings of the points of prime order (not the identity).
    """
    return None if _is_prime_order(key) else "not a point of prime order in canonical form"


@lru_cache(maxsize=1024)
def _is_prime_order(key: bytes) -> bool:
    point = _decode(key)
    if point is None or point[1] in _SMALL_Y:
        return False
    _, y, z, _ = _times(L, point)
    return y == z


def has_small_order(encoded: bytes) -> bool:
    """True if 32 bytes encode, canonically or not, a point of small order (1, 2, 4 or 8)."""
    return (int.from_bytes(encoded, "little") & (_SIGN - 1)) % P in _SMALL_Y


def why_not_x25519(key: bytes) -> str | None:
    """Why these bytes are no X25519 public key for us; None if they are one."""
    number = int.from_bytes(key, "little")
    if len(key) != 32 or number >= P:
        return "not a coordinate in canonical form"
    return "of low order" if number in _LOW_U else None


def _decode(key: bytes) -> Point | None:
    """One of the two points with this second coordinate; the other is its negative, of the same
    order, so the sign bit says nothing here."""
    y = int.from_bytes(key, "little") & (_SIGN - 1)
    if len(key) != 32 or y >= P:
        return None
    x = _root((y * y - 1) * pow(_D * y * y + 1, P - 2, P) % P)
    return None if x is None else (x, y, 1, x * y % P)


def _root(square: int) -> int | None:
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * _SQRT_M1 % P
    return None if (x * x - square) % P else x


def _add(a: Point, b: Point) -> Point:
    """The complete addition of RFC 8032 §5.1.4."""
    t1 = (a[1] - a[0]) * (b[1] - b[0]) % P
    t2 = (a[1] + a[0]) * (b[1] + b[0]) % P
    t3 = 2 * a[3] * b[3] * _D % P
    t4 = 2 * a[2] * b[2] % P
    e, f, g, h = t2 - t1, t4 - t3, t4 + t3, t2 + t1
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total
