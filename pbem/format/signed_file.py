"""Sign and verify files: a body, then its OpenSSH signature as comment lines (protocol §2).

Other tools can check a file: `sed -n 's/^# //p'` gives the signature, `grep -v '^#'` the body for
`ssh-keygen -Y verify -n <kind>@pbem-1`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import struct
from functools import cached_property
from typing import Final

from engine.value_classes import Value
from pbem.format import crypto
from pbem.format.canonical_toml import MAX_BYTES, too_long
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey, check_public, public_blob
from pbem.format.usable_public_keys import has_small_order

_MAGIC: Final = b"SSHSIG"
_VERSION: Final = 1
_HASH: Final = b"sha512"
_BEGIN: Final = "-----BEGIN SSH SIGNATURE-----"
_END: Final = "-----END SSH SIGNATURE-----"
_COLUMNS: Final = 70
_KEY_END_OFFSET: Final = 65
"""The offset in a binary signature at which the key ends."""
_BYTES_AFTER_NAMESPACE: Final = 101
"""The number of bytes in a binary signature after the namespace."""
_NAMESPACE = re.compile(r"([a-z]{1,16})@pbem-1")
_SHAPE = re.compile(
    rf"# {_BEGIN}\n((?:# [A-Za-z0-9+/=]{{1,{_COLUMNS}}}\n){{1,8}})# {_END}\n".encode()
)


class Signed(Value):
    """A body and its signature, whose namespace gives the `kind`; nothing in the body is believed,
    or even parsed, before `verify` has passed."""

    body: bytes
    kind: str
    key: bytes
    """The Ed25519 public key that the signature names: 32 bytes."""
    signature: bytes
    """64 bytes."""

    @cached_property
    def id(self) -> bytes:
        """The record's id: SHA-256 of the body."""
        return hashlib.sha256(self.body).digest()

    @cached_property
    def file(self) -> bytes:
        """The bytes of the file."""
        return self.body + _trailer(self.kind, self.key, self.signature)


def sign(kind: str, body: bytes, key: SigningKey) -> Signed:
    """Sign a body (canonical, ending in LF) as a record of this kind; the same inputs give the same
    bytes."""
    return Signed(body, kind, key.public, key.sign(_message(kind, body)))


def split(data: bytes) -> Signed:
    """Split a file into body and signature, without verifying anything.

    Raises RecordError `size`, or `trailer` unless the bytes from the first line that begins with
    `#` to the end are exactly what `sign` would write for the signature in them.
    """
    if len(data) > MAX_BYTES:
        raise RecordError("size", too_long(len(data)))
    body_size = 0 if data.startswith(b"#") else data.find(b"\n#") + 1
    if body_size == 0:
        sentence = (
            "this file does not end with a signature; perhaps it was cut off, or is not a file of "
            "a game"
        )
        raise RecordError("trailer", sentence)
    body, trailer = data[:body_size], data[body_size:]
    match = _SHAPE.fullmatch(trailer)
    if not match and b"\r\n" in trailer:
        sentence = (
            "git, Windows or a mail program has changed the line endings of this file. Switch such "
            "changes off (for git: `* -text` in the folder's file .gitattributes), then get the "
            "file again"
        )
        raise RecordError("trailer", sentence)
    if not match:
        raise RecordError(
            "trailer", "below its text, this file must have one signature and nothing else"
        )
    kind, key, signature = _parse_blob(match[1])
    if _trailer(kind, key, signature) != trailer:
        raise RecordError("trailer", "the signature is not written exactly as pbem writes it")
    return Signed(body, kind, key, signature)


def verify(signed: Signed) -> None:
    """Check the signature with the key that it names. Raises RecordError `key`, `signature`."""
    check_public(signed.key)
    if has_small_order(signed.signature[:32]):
        raise RecordError(
            "signature",
            "the signature is forged: no real signature has such a first half (R)",
        )
    if not crypto.signed_by(signed.key, _message(signed.kind, signed.body), signed.signature):
        raise RecordError("signature", "the signature does not match: the file was changed")


def namespace(kind: str) -> str:
    """Return the namespace for `ssh-keygen -Y verify -n`: `<kind>@pbem-1`."""
    return f"{kind}@pbem-1"


def armor(signed: Signed) -> bytes:
    """Return the signature as a file for `ssh-keygen -Y verify -s`."""
    return _armor(signed.kind, signed.key, signed.signature).encode()


def _message(kind: str, body: bytes) -> bytes:
    digest = hashlib.sha512(body).digest()
    return _MAGIC + b"".join(map(_string, (namespace(kind).encode(), b"", _HASH, digest)))


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _armor(kind: str, key: bytes, signature: bytes) -> str:
    inner = _string(b"ssh-ed25519") + _string(signature)
    fields = (public_blob(key), namespace(kind).encode(), b"", _HASH, inner)
    blob = _MAGIC + struct.pack(">I", _VERSION) + b"".join(map(_string, fields))
    text = base64.b64encode(blob).decode()
    rows = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([_BEGIN, *rows, _END, ""])


def _trailer(kind: str, key: bytes, signature: bytes) -> bytes:
    lines = _armor(kind, key, signature).splitlines()
    return "".join(f"# {line}\n" for line in lines).encode()


def _parse_blob(rows: bytes) -> tuple[str, bytes, bytes]:
    """Read kind, key and signature from fixed positions; `split` checks that no other byte
    differs."""
    try:
        blob = base64.b64decode(rows)  # b64decode skips characters that are not base64
    except ValueError:
        raise RecordError("trailer", "the signature is not base64") from None
    name = blob[_KEY_END_OFFSET + 4 : -_BYTES_AFTER_NAMESPACE].decode("ascii", "replace")
    match = _NAMESPACE.fullmatch(name)
    if not match:
        raise RecordError(
            "trailer",
            "the signature was not made with an Ed25519 key for a file of protocol pbem/1",
        )
    return match[1], blob[_KEY_END_OFFSET - 32 : _KEY_END_OFFSET], blob[-64:]
