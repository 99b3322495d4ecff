"""OpenSSH private key files: read and write the key in them (protocol §3)."""

from __future__ import annotations

import base64
import re
import struct
from typing import Final

from pbem.format import crypto
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import ALGORITHM, SigningKey, parse_public_blob
from pbem.text.encodings_and_unusual_characters import as_utf8
from pbem.text.terminal_and_page_wording import TerminalText

_ARMOR: Final = (b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----")
_MAGIC: Final = b"openssh-key-v1\x00"
_NAME: Final = re.compile(r"[a-z0-9@.-]{1,64}")
_MAX_FILE: Final = 1 << 16
_BAD_FILE: Final = "this is not a complete OpenSSH private key"


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
    if algorithm != ALGORITHM and not _NAME.fullmatch(name):
        raise RecordError("key", _BAD_FILE)
    if algorithm != ALGORITHM:
        reason = f"this is a key of type {name}; pbem needs an Ed25519 key"
        if name.startswith("sk-"):
            reason = "this is a hardware key: it can sign, but pbem cannot derive secrets from it"
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
        raise RecordError("key", "this file is far too long to be a key")
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
    return _BAD_FILE


def _field(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack_from(">I", data)
    if len(data) < 4 + size:
        raise struct.error
    return data[4 : 4 + size], data[4 + size :]


def public_of_file(data: bytes) -> bytes:
    """Return the public key in a private key file, without its passphrase. Raises RecordError
    `key`."""
    return _inspect(data)[1]
