"""Keys, hashes and streams of numbers: a person's one secret, and all that follows from it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeVar

from pbem.format import crypto, protocol_labels
from pbem.format.protocol_labels import Label
from pbem.format.record_error import RecordError
from pbem.text.encodings import as_utf8
from pbem.text.terminal_and_page_wording import TerminalText

# ---- hashes, derived keys, streams of numbers

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


# ---- which public keys are usable

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
    return "not a valid point (of prime order, in canonical form)"


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
        return "not a coordinate in canonical form"
    return "of low order" if number in _LOW_U else None


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


# ---- a person's secret, and their key file

_ALGORITHM: Final = b"ssh-ed25519"
_BLOB_HEAD: Final = struct.pack(">I", 11) + _ALGORITHM + struct.pack(">I", 32)
_ARMOR: Final = (b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----")
_MAGIC: Final = b"openssh-key-v1\x00"
_NAME: Final = re.compile(r"[a-z0-9@.-]{1,64}")
_MAX_FILE: Final = 1 << 16
_BAD_FILE: Final = "damaged: this is not a complete OpenSSH private key"


class SigningKey:
    """An Ed25519 key pair; `seed` (32 bytes) is the secret, `public` (32 bytes) is not."""

    __slots__ = ("_sign", "public", "seed")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.public, self._sign = crypto.signer(seed)

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the Ed25519 signature of a message."""
        return self._sign(message)

    def __repr__(self) -> str:
        return f"SigningKey({public_line(self.public)})"


def signed_by(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a key, usable as `check_public` says, signed a message; a signature whose
    point R has small order counts as forged."""
    return not has_small_order(signature[:32]) and crypto.signed_by(public, message, signature)


class Secrets:
    """All secrets that derive from a person's key in their games (protocol §3); 32 bytes
    each."""

    __slots__ = ("_kdf",)

    def __init__(self, seed: bytes) -> None:
        self._kdf = Kdf(seed)

    def r_ref(self, table: bytes) -> bytes:
        """Return the referee's share of the seed, for the `table` (16 bytes) in the charter."""
        return self._kdf.derive(protocol_labels.R_REF, table)

    def audit(self, table: bytes) -> bytes:
        """Return the referee's X25519 secret that `final` opens."""
        return self._kdf.derive(protocol_labels.AUDIT, table)

    def desk(self, table: bytes) -> bytes:
        """Return the referee's X25519 secret that is never opened."""
        return self._kdf.derive(protocol_labels.DESK, table)

    def deputy(self) -> bytes:
        """Return the X25519 secret with which a deputy opens a referee's secrets, in any game."""
        return self._kdf.derive(protocol_labels.DEPUTY)

    def held_seat(self, game: bytes, seat: str) -> bytes:
        """Return the seed of the signing key for a seat that the referee or a bot plays."""
        return self._kdf.derive(protocol_labels.HELD_SEAT, game, seat.encode())

    def mail_token(self, game: bytes, seat: str, turn: int, head: bytes) -> bytes:
        """Return the secret in the code of an email to a seat by mail, after the turn with this
        head."""
        return self._kdf.derive(protocol_labels.MAIL_TOKEN, game, seat.encode(), u(turn), head)

    def r(self, game: bytes, seat: str) -> bytes:
        """Return a player's share of the seed."""
        return self._kdf.derive(protocol_labels.R_SEAT, game, seat.encode())

    def box(self, game: bytes, seat: str) -> bytes:
        """Return a seat's X25519 secret."""
        return self._kdf.derive(protocol_labels.BOX_SEAT, game, seat.encode())

    def sealing(self, game: bytes, seat: str, turn: int, revision: int, digest: bytes) -> bytes:
        """Return the secret s of an order file whose texts have this SHA-256 (protocol §3)."""
        seat_secret = Kdf(self._kdf.derive(protocol_labels.SEALING, game, seat.encode()))
        return seat_secret.derive(protocol_labels.ORDERS, u(turn), u(revision), digest)


def public_line(public: bytes) -> str:
    """Write a public key as `ssh-ed25519 AAAA…` without comment, as records do."""
    return "ssh-ed25519 " + base64.b64encode(public_blob(public)).decode()


def parse_public_line(line: str) -> bytes:
    """Read the 32 bytes of a public key that `public_line` wrote. Raises RecordError `key`."""
    try:
        blob = base64.b64decode(line.removeprefix("ssh-ed25519 "))
    except ValueError:
        blob = b""
    public = parse_public_blob(blob)
    if public_line(public) != line:
        raise RecordError("key", 'a public key is "ssh-ed25519 AAAA…" with nothing after it')
    return public


def public_blob(public: bytes) -> bytes:
    """Write a public key in SSH's wire form: 51 bytes."""
    return _BLOB_HEAD + public


def parse_public_blob(blob: bytes) -> bytes:
    """Read the 32 bytes of a key in SSH's wire form. Raises RecordError `key` if it is unusable."""
    if len(blob) != len(_BLOB_HEAD) + 32 or not blob.startswith(_BLOB_HEAD):
        raise RecordError("key", "not an Ed25519 public key")
    public = blob[len(_BLOB_HEAD) :]
    check_public(public)
    return public


def check_public(public: bytes) -> None:
    """Raise RecordError `key` unless this is an Ed25519 public key that is safe to use."""
    if reason := why_not_ed25519(public):
        raise RecordError("key", f"this Ed25519 key cannot be used: {reason}")


def is_encrypted(data: bytes) -> bool:
    """Return whether this private key file needs a passphrase. Raises what `read_key` raises."""
    return _inspect(data)[0] != b"none"


def read_key(data: bytes, passphrase: bytes | None = None) -> SigningKey:
    """Read the key in an OpenSSH private key file.

    Raises RecordError `key`, with what to do, for other kinds of key (RSA, ECDSA, hardware keys,
    PuTTY, PEM, public halves), a wrong passphrase, or a damaged file.
    """
    cipher, public = _inspect(data)
    encrypted = cipher != b"none"
    if encrypted and not passphrase:
        raise RecordError(
            "key",
            TerminalText("this key needs its passphrase[[: type it or use --passphrase-file]]"),
        )
    try:
        seed = crypto.open_key_file(as_utf8(data), passphrase if encrypted else None)
    except ValueError:
        wrong_passphrase = "the passphrase is wrong, or the file is damaged"
        raise RecordError("key", wrong_passphrase if encrypted else _BAD_FILE) from None
    signing = None if seed is None else SigningKey(seed)
    if signing is None or signing.public != public:
        raise RecordError("key", "the private half in this file does not match its public half")
    return signing


def write_key(key: SigningKey, passphrase: bytes | None = None) -> bytes:
    """Write a key as an OpenSSH private key file; its random check number and salt differ each
    time."""
    return crypto.key_file_bytes(key.seed, passphrase)


def _inspect(data: bytes) -> tuple[bytes, bytes]:
    """Return the name of the cipher of a private key file (`none` without a passphrase) and its
    public key: all that can be read without the passphrase. Raises RecordError `key`."""
    blob = _unwrap(data)
    try:
        cipher, fields = _field(blob[len(_MAGIC) :])
        _, fields = _field(fields)  # the way to make a key from the passphrase, and its options
        _, fields = _field(fields)
        public, _ = _field(fields[4:])  # after the number of keys
        algorithm, _ = _field(public)
    except struct.error:
        raise RecordError("key", _BAD_FILE) from None
    name = algorithm.decode("ascii", "replace")
    if algorithm != _ALGORITHM and not _NAME.fullmatch(name):
        raise RecordError("key", _BAD_FILE)
    if algorithm != _ALGORITHM:
        reason = f"this is a key of type {name}; pbem needs an Ed25519 key"
        if name.startswith("sk-"):
            reason = "a hardware key can sign, but pbem cannot derive secrets from it"
        raise RecordError(
            "key",
            TerminalText("{reason}[[. To make a key that pbem can use: pbem keys new]]").format(
                reason=reason
            ),
        )
    return cipher, parse_public_blob(public)


def _unwrap(data: bytes) -> bytes:
    """Return the binary form of an OpenSSH private key file. Raises RecordError `key`, which says
    what the file is instead, as far as can be told."""
    if len(data) > _MAX_FILE:
        raise RecordError("key", "the file is far too long to be a key")
    lines = as_utf8(data).split()
    begin, end = (b"".join(mark.split()) for mark in _ARMOR)
    text = b"".join(lines)
    if not text.startswith(begin) or not text.endswith(end):
        raise RecordError("key", _why_no_key(data))
    try:
        blob = base64.b64decode(text[len(begin) : -len(end)], validate=True)
    except ValueError:
        raise RecordError("key", _BAD_FILE) from None
    if not blob.startswith(_MAGIC):
        raise RecordError("key", _BAD_FILE)
    return blob


def _why_no_key(data: bytes) -> str:
    """Say what a file is that is no OpenSSH private key, and what to do."""
    text = as_utf8(data).lstrip()
    if text.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        return (
            "this file is the public half of a key; use the private half, which is the file "
            "without .pub"
        )
    if text.startswith(b"PuTTY-User-Key-File"):
        return "this is a PuTTY key; save it as an OpenSSH key with puttygen (menu Conversions)"
    if text.startswith(b"-----BEGIN") and b"OPENSSH" not in text[:40]:
        return TerminalText(
            "this key is not in OpenSSH's own format[[; to make such a key, type `pbem keys new`]]"
        )
    return "this is not a complete OpenSSH private key"


def _field(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack_from(">I", data)
    if len(data) < 4 + size:
        raise struct.error
    return data[4 : 4 + size], data[4 + size :]


def public_of_file(data: bytes) -> bytes:
    """Return the public key in a private key file, without its passphrase. Raises RecordError
    `key`."""
    return _inspect(data)[1]
