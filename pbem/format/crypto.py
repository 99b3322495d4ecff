"""The ciphers that pbem uses: Ed25519, X25519, AES-SIV; and OpenSSH key files.

In a browser tab, where the library `cryptography` does not run,
`pbem/format/crypto_and_key_files_in_browser.py` has the same functions. Callers import this module
at the top; the library is loaded at the first call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

if sys.platform == "emscripten":
    from pbem.format.crypto_and_key_files_in_browser import (
        key_file_bytes,
        open_key_file,
        signed_by,
        signer,
        siv_open,
        siv_seal,
        x25519_public,
        x25519_shared,
    )
else:

    def signer(seed: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:
        """Return the Ed25519 public key of a seed (32 bytes), and the function that signs."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        private = Ed25519PrivateKey.from_private_bytes(seed)
        return private.public_key().public_bytes_raw(), private.sign

    def signed_by(public: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether an Ed25519 key signed a message; see `keys.signed_by` for weak keys.

        Raises ValueError for a public key that has not 32 bytes.
        """
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def x25519_public(secret: bytes) -> bytes:
        """Return the X25519 public key of a secret (32 bytes)."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()

    def x25519_shared(secret: bytes, public: bytes) -> bytes:
        """Return the secret that two X25519 keys share. Raises ValueError for a key of low
        order."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import (
            X25519PrivateKey,
            X25519PublicKey,
        )

        private = X25519PrivateKey.from_private_bytes(secret)
        return private.exchange(X25519PublicKey.from_public_bytes(public))

    def siv_seal(key: bytes, plaintext: bytes, associated: bytes) -> bytes:
        """Encrypt with AES-SIV; the same inputs give the same bytes."""
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        return AESSIV(key).encrypt(plaintext, [associated])

    def siv_open(key: bytes, box: bytes, associated: bytes) -> bytes | None:
        """Decrypt with AES-SIV; None if the key, the associated data or the box is wrong."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        try:
            return AESSIV(key).decrypt(box, [associated])
        except (InvalidTag, ValueError):
            return None

    def open_key_file(data: bytes, passphrase: bytes | None) -> bytes | None:
        """Return the seed in an OpenSSH private key file; None if it is no Ed25519 key. Raises
        ValueError for a wrong passphrase or a damaged file."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        try:
            key = load_ssh_private_key(data, passphrase)
        except (TypeError, UnsupportedAlgorithm) as error:
            raise ValueError(str(error)) from None
        return key.private_bytes_raw() if isinstance(key, Ed25519PrivateKey) else None

    def key_file_bytes(seed: bytes, passphrase: bytes | None) -> bytes:
        """Return an OpenSSH private key file; its random check number and salt differ each
        time."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            lock = serialization.BestAvailableEncryption(passphrase)
        return Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock
        )


__all__ = [
    "key_file_bytes",
    "open_key_file",
    "signed_by",
    "signer",
    "siv_open",
    "siv_seal",
    "x25519_public",
    "x25519_shared",
]
