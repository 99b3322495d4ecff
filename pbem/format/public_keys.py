"""Which public keys are usable, as points of edwards25519 and curve25519 (protocol §1, *Keys*).

Libraries accept keys of small order and then accept forged signatures, so this module refuses
such keys first. It handles no secrets, so its running time may depend on the values.
"""

from functools import lru_cache
from typing import Final

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


def why_not_ed25519(key: bytes) -> str | None:
    """Say why these bytes are not a usable Ed25519 public key; None if they are.

    A key is usable if it is the canonical encoding of a point of prime order (not the identity).
    """
    return None if _is_prime_order(key) else "not a point of prime order in canonical form"


@lru_cache(maxsize=1 << 14)
def _is_prime_order(key: bytes) -> bool:
    point = _decode(key)
    if point is None or point[1] in _SMALL_Y:
        return False
    y = point[1]
    u = ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")
    return _freed(u) == u


def _freed(u: bytes) -> bytes:
    """Return the coordinate u of a point without its part of small order.

    It uses X25519, which takes a fiftieth of the time that Python takes to multiply by L. 5L - 1 is
    a valid X25519 secret key (8 divides it, bit 254 is the highest), so a part of small order
    vanishes; and 5L - 1 is -1 modulo L, so the rest only changes its sign, which u does not show.
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    mine = X25519PrivateKey.from_private_bytes((5 * L - 1).to_bytes(32, "little"))
    return mine.exchange(X25519PublicKey.from_public_bytes(u))


def has_small_order(encoded: bytes) -> bool:
    """Return whether 32 bytes encode, canonically or not, a point of small order (1, 2, 4, 8)."""
    return (int.from_bytes(encoded, "little") & (_SIGN - 1)) % P in _SMALL_Y


def why_not_x25519(key: bytes) -> str | None:
    """Say why these bytes are not a usable X25519 public key; None if they are."""
    number = int.from_bytes(key, "little")
    if len(key) != 32 or number >= P:
        return "not a coordinate in canonical form"
    return "of low order" if number in _LOW_U else None


def _decode(key: bytes) -> Point | None:
    number = int.from_bytes(key, "little")
    y, odd = number & (_SIGN - 1), number >> 255
    if len(key) != 32 or y >= P:
        return None
    x = _root((y * y - 1) % P, (_D * y * y + 1) % P)
    if x is None or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return x, y


def _root(above: int, below: int) -> int | None:
    """Return a square root of the fraction; None if it has none (RFC 8032 §5.1.3)."""
    x = above * below**3 * pow(above * below**7, (P - 5) // 8, P) % P
    if (below * x * x - above) % P:
        x = x * _SQRT_M1 % P
    return None if (below * x * x - above) % P else x
