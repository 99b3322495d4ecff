"""Ciphers and key files in a browser tab. `@noble/curves` and `@noble/ciphers` are JavaScript.

The worker registers them as the module `noble`; `pbem/format/crypto.py` says
what each function here does. Bytes are copied across the border, so no object of JavaScript stays.
"""

from __future__ import annotations

import base64
import os
import struct
from collections.abc import Callable
from functools import partial
from typing import Final

import noble
from pyodide.ffi import JsException, to_js

from pbem.format.record_error import RecordError

_NAME: Final = b"ssh-ed25519"
_MAGIC: Final = b"openssh-key-v1\0"
_HEAD: Final = "-----BEGIN OPENSSH PRIVATE KEY-----"
_END: Final = "-----END OPENSSH PRIVATE KEY-----"
NO_PASSPHRASE: Final = (
    "a key with a passphrase cannot be used in a browser. Copy the key file, and remove the "
    "passphrase from the copy with `ssh-keygen -p -f COPY`; or play this game with pbem in a "
    "terminal"
)


def signer(seed: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:  # noqa: D103
    return _call("publicOfSeed", seed), partial(_sign, seed)


def _sign(seed: bytes, message: bytes) -> bytes:
    return _call("sign", message, seed)


def signed_by(public: bytes, message: bytes, signature: bytes) -> bool:  # noqa: D103
    try:
        return bool(noble.verify(to_js(signature), to_js(message), to_js(public)))
    except JsException:  # a text of the wrong length, or no point of the curve
        return False


def x25519_public(secret: bytes) -> bytes:  # noqa: D103
    return _call("publicOfSecret", secret)


def x25519_shared(secret: bytes, public: bytes) -> bytes:  # noqa: D103
    try:
        return _call("shared", secret, public)
    except JsException as error:
        raise ValueError(str(error)) from None


def siv_seal(key: bytes, plaintext: bytes, associated: bytes) -> bytes:  # noqa: D103
    return _call("seal", key, plaintext, associated)


def siv_open(key: bytes, box: bytes, associated: bytes) -> bytes | None:  # noqa: D103
    try:
        return _call("open", key, box, associated)
    except JsException:
        return None


def _call(name: str, *args: bytes) -> bytes:
    output: bytes = getattr(noble, name)(*map(to_js, args)).to_bytes()
    return output


# ---- OpenSSH key files without a passphrase (openssh/PROTOCOL.key)


def open_key_file(data: bytes, passphrase: bytes | None) -> bytes | None:
    """Return the seed in an OpenSSH private key file; None if it is no Ed25519 key. Raises
    ValueError for a damaged file, RecordError `key` for one with a passphrase."""
    if passphrase:
        raise RecordError("key", NO_PASSPHRASE)
    text = b"".join(data.split())  # the lines of the head and the end lose their spaces too
    cut = len(_HEAD.replace(" ", "")), -len(_END.replace(" ", ""))
    blob = base64.b64decode(text[cut[0] : cut[1]])[len(_MAGIC) :]
    try:
        _, blob = _field(blob)  # cipher, kdf, its options: none
        _, blob = _field(blob)
        _, blob = _field(blob)
        _, blob = _field(blob[4:])  # the public half
        inner, _ = _field(blob)
        is_check_repeated = inner[:4] == inner[4:8]  # a random number, twice
        name, inner = _field(inner[8:])
        public, inner = _field(inner)
        key_pair, inner = _field(inner)
        _, padding = _field(inner)  # after the comment
    except struct.error:
        raise ValueError("cut off") from None
    if name != _NAME:
        return None
    is_padded = padding == bytes(range(1, len(padding) + 1))
    if not (is_check_repeated and is_padded and len(key_pair) == 64 and key_pair[32:] == public):
        raise ValueError("damaged")
    return key_pair[:32]


def key_file_bytes(seed: bytes, passphrase: bytes | None) -> bytes:
    """Return an OpenSSH private key file without a passphrase; its random check number differs
    each time. Raises RecordError `key` if there is a passphrase."""
    if passphrase:
        raise RecordError("key", NO_PASSPHRASE)
    public = _call("publicOfSeed", seed)
    inner = os.urandom(4) * 2 + _packed(_NAME, public, seed + public, b"")
    inner += bytes(range(1, -len(inner) % 8 + 1))
    blob = _MAGIC + _packed(b"none", b"none", b"") + struct.pack(">I", 1)
    text = base64.b64encode(blob + _packed(_packed(_NAME, public), inner)).decode()
    rows = [text[offset : offset + 70] for offset in range(0, len(text), 70)]
    return "\n".join([_HEAD, *rows, _END, ""]).encode()


def _packed(*fields: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(field)) + field for field in fields)


def _field(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack_from(">I", data)
    if len(data) < 4 + size:
        raise struct.error
    return data[4 : 4 + size], data[4 + size :]
