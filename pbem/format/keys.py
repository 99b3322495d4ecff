"""A person's only secret, an Ed25519 key in OpenSSH's file format, and all keys derived from it.

With this key and the game folder, a person can compute all other secrets again (protocol §1,
*Keys*).
"""

import base64
import re
import struct
from typing import Final

from pbem.format import labels
from pbem.format.errors import RecordError
from pbem.format.hashing import Kdf, u
from pbem.format.public_keys import has_small_order, why_not_ed25519

_ALGORITHM: Final = b"ssh-ed25519"
_BLOB_HEAD: Final = struct.pack(">I", 11) + _ALGORITHM + struct.pack(">I", 32)
_ARMOR: Final = (b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----")
_MAGIC: Final = b"openssh-key-v1\x00"
_NAME: Final = re.compile(r"[a-z0-9@.-]{1,64}")
_MAX_FILE: Final = 1 << 16
_BAD_FILE: Final = "damaged: this is not a complete OpenSSH private key"


class SigningKey:
    """An Ed25519 key pair; `seed` (32 bytes) is the secret, `public` (32 bytes) is not."""

    __slots__ = ("_private", "public", "seed")

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.seed = seed
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the Ed25519 signature of a message."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey({public_line(self.public)})"


def signed_by(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a key signed a message; `public` must be usable (see `check_public`).

    A signature whose point R has small order counts as forged.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if has_small_order(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


class Secrets:
    """All secrets that derive from a person's key in their games; 32 bytes each."""

    __slots__ = ("_kdf",)

    def __init__(self, seed: bytes) -> None:
        self._kdf = Kdf(seed)

    def r_ref(self, table: bytes) -> bytes:
        """Return the referee's share of the seed, for the `table` (16 bytes) in the charter."""
        return self._kdf.derive(labels.R_REF, table)

    def audit(self, table: bytes) -> bytes:
        """Return the referee's X25519 secret that `final` opens."""
        return self._kdf.derive(labels.AUDIT, table)

    def desk(self, table: bytes) -> bytes:
        """Return the referee's X25519 secret that is never opened."""
        return self._kdf.derive(labels.DESK, table)

    def deputy(self) -> bytes:
        """Return the X25519 secret with which a deputy opens a referee's secrets, in any game."""
        return self._kdf.derive(labels.DEPUTY)

    def held(self, game: bytes, seat: str) -> bytes:
        """Return the seed of the signing key for a seat that the referee or a bot plays."""
        return self._kdf.derive(labels.HELD, game, seat.encode())

    def mail_token(self, game: bytes, seat: str, turn: int, head: bytes) -> bytes:
        """Return the secret in the code of an email to a seat by mail; `head` is the head after the
        email's turn."""
        return self._kdf.derive(labels.MAIL_TOKEN, game, seat.encode(), u(turn), head)

    def r(self, game: bytes, seat: str) -> bytes:
        """Return a player's share of the seed."""
        return self._kdf.derive(labels.R_SEAT, game, seat.encode())

    def box(self, game: bytes, seat: str) -> bytes:
        """Return a seat's X25519 secret."""
        return self._kdf.derive(labels.BOX_SEAT, game, seat.encode())

    def sealing(self, game: bytes, seat: str, turn: int, revision: int, digest: bytes) -> bytes:
        """Return the secret s of one order file; `digest` is the SHA-256 of its texts (protocol
        §3)."""
        seat_secret = Kdf(self._kdf.derive(labels.SEALING, game, seat.encode()))
        return seat_secret.derive(labels.ORDERS, u(turn), u(revision), digest)


def public_line(public: bytes) -> str:
    """Write a public key as `ssh-ed25519 AAAA…` without comment, as records do."""
    return "ssh-ed25519 " + base64.b64encode(public_blob(public)).decode()


def parse_public_line(line: str) -> bytes:
    """Read the 32 bytes of a public key written by `public_line`.

    Raises RecordError `key` for any other text and for unusable keys.
    """
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
    reason = why_not_ed25519(public)
    if reason:
        raise RecordError("key", f"this Ed25519 key cannot be used: {reason}")


def is_encrypted(data: bytes) -> bool:
    """Return whether this private key file needs a passphrase. Raises what `read_key` raises."""
    return _inspect(data)[0] != b"none"


def read_key(data: bytes, passphrase: bytes | None = None) -> SigningKey:
    """Read the key in an OpenSSH private key file.

    Raises RecordError `key`, with what to do instead, for other kinds of key (RSA, ECDSA, hardware
    keys, PuTTY, PEM, public halves), a missing or wrong passphrase, or a damaged file.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    cipher, public = _inspect(data)
    encrypted = cipher != b"none"
    if encrypted and not passphrase:
        raise RecordError("key", "this key needs its passphrase: type it or use --passphrase-file")
    try:
        key = load_ssh_private_key(data, passphrase if encrypted else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        wrong = "the passphrase is wrong, or the file is damaged"
        raise RecordError("key", wrong if encrypted else _BAD_FILE) from None
    signing = SigningKey(key.private_bytes_raw()) if isinstance(key, Ed25519PrivateKey) else None
    if signing is None or signing.public != public:
        raise RecordError("key", "the private half in this file does not match its public half")
    return signing


def write_key(key: SigningKey, passphrase: bytes | None = None) -> bytes:
    """Write a key as an OpenSSH private key file, which `ssh-keygen` can read.

    The bytes differ each time: the library puts a random check number (and salt) into them.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        lock = serialization.BestAvailableEncryption(passphrase)
    return Ed25519PrivateKey.from_private_bytes(key.seed).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock
    )


def _inspect(data: bytes) -> tuple[bytes, bytes]:
    """Return the cipher's name and the Ed25519 public key, which need no passphrase."""
    blob = _unwrap(data)
    try:
        cipher, rest = _field(blob[len(_MAGIC) :])
        _, rest = _field(rest)
        _, rest = _field(rest)
        public, _ = _field(rest[4:])
        algorithm, _ = _field(public)
    except struct.error:
        raise RecordError("key", _BAD_FILE) from None
    _check_algorithm(algorithm)
    return cipher, parse_public_blob(public)


def _check_algorithm(algorithm: bytes) -> None:
    if algorithm == _ALGORITHM:
        return
    name = algorithm.decode("ascii", "replace")
    if not _NAME.fullmatch(name):
        raise RecordError("key", _BAD_FILE)
    if name.startswith("sk-"):
        why = "a hardware key can sign, but pbem cannot derive secrets from it"
    else:
        why = f"this is a key of type {name}; pbem needs an Ed25519 key"
    raise RecordError("key", f"{why}. To make a key that pbem can use: pbem keys new")


def _unwrap(data: bytes) -> bytes:
    """Return the binary content of an OpenSSH private key file."""
    if len(data) > _MAX_FILE:
        raise RecordError("key", "the file is far too long to be a key")
    lines = data.split()
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
    text = data.lstrip()
    if text.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        return "this is the public half; use the private half, the file without .pub"
    if text.startswith(b"PuTTY-User-Key-File"):
        return "this is a PuTTY key; save it as an OpenSSH key with puttygen (menu Conversions)"
    if text.startswith(b"-----BEGIN") and b"OPENSSH" not in text[:40]:
        return "this key is not in OpenSSH's own format; `pbem keys new` makes one that is"
    return "this is not an OpenSSH private key, or it is only part of one"


def _field(data: bytes) -> tuple[bytes, bytes]:
    """Return the first length-prefixed string, and the bytes after it."""
    (size,) = struct.unpack_from(">I", data)
    if len(data) < 4 + size:
        raise struct.error
    return data[4 : 4 + size], data[4 + size :]


def public_of_file(data: bytes) -> bytes:
    """Return the public key in a private key file, which needs no passphrase.

    Raises the same RecordError `key` as `read_key`.
    """
    return _inspect(data)[1]
