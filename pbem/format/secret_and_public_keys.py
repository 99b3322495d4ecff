"""A person's one secret, all keys that follow from it, and public keys in text (protocol §3)."""

from __future__ import annotations

import base64
import struct
from typing import Final

from pbem.format import crypto, protocol_labels
from pbem.format.hashes_and_streams import Kdf, u
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import has_small_order, why_not_ed25519

ALGORITHM: Final = b"ssh-ed25519"
_BLOB_HEAD: Final = struct.pack(">I", 11) + ALGORITHM + struct.pack(">I", 32)


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
        sentence = "this is not a public key as pbem writes it"
        raise RecordError("key", f'{sentence}: "ssh-ed25519 AAAA…", with nothing after it')
    return public


def public_blob(public: bytes) -> bytes:
    """Write a public key in SSH's wire form: 51 bytes."""
    return _BLOB_HEAD + public


def parse_public_blob(blob: bytes) -> bytes:
    """Read the 32 bytes of a key in SSH's wire form. Raises RecordError `key` if it is unusable."""
    if len(blob) != len(_BLOB_HEAD) + 32 or not blob.startswith(_BLOB_HEAD):
        raise RecordError("key", "this is not an Ed25519 public key")
    public = blob[len(_BLOB_HEAD) :]
    check_public(public)
    return public


def check_public(public: bytes) -> None:
    """Raise RecordError `key` unless this is an Ed25519 public key that is safe to use."""
    if reason := why_not_ed25519(public):
        raise RecordError("key", f"this Ed25519 key cannot be used: {reason}")
