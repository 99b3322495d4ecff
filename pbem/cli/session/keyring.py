"""Your keys, one for each profile; a key is read only when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, CliError

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.format.keys import SigningKey
    from pbem.storage.private.home import Home

DEFAULT = "default"
Ask = Callable[[str], "bytes | None"]
"""A function that asks for the passphrase of a profile's key; it gives None if nobody is there."""


def ask_on_terminal(profile: str) -> bytes | None:
    """Ask for a passphrase on the terminal; None if there is no terminal.

    Raises CliError for bytes that are not text on this terminal.
    """
    import sys

    if not sys.stdin.isatty():
        return None
    from getpass import getpass

    try:
        return getpass(f"passphrase of the key of {profile}: ").encode(errors="surrogateescape")
    except UnicodeDecodeError:
        hint = "put the passphrase into a file, and add --passphrase-file FILE"
        raise CliError("a character of the passphrase is not UTF-8", hint, KEY) from None


class Keyring:
    """The keys of one home; a passphrase is asked for only once in a run."""

    def __init__(
        self, home: Home, passphrase_file: Path | None = None, ask: Ask = ask_on_terminal
    ) -> None:
        self.home = home
        self._ask = ask
        self._passphrase_file = passphrase_file
        self._keys: dict[str, SigningKey] = {}
        self._publics: dict[str, bytes] | None = None

    @property
    def publics(self) -> dict[str, bytes]:
        """The public key of each of your profiles; no passphrase is asked for."""
        if self._publics is None:
            from pbem.format.keys import public_of_file

            found = {}
            for profile in self.home.profiles():
                with self._key_file(profile) as data:
                    found[profile] = public_of_file(data)
            self._publics = found
        return self._publics

    def key(self, profile: str) -> SigningKey:
        """Return the key of a profile. If the key has a passphrase, asks for it on a terminal."""
        if profile not in self._keys:
            from pbem.format.keys import is_encrypted, read_key

            with self._key_file(profile) as data:
                passphrase = self._passphrase(profile) if is_encrypted(data) else None
                self._keys[profile] = read_key(data, passphrase)
        return self._keys[profile]

    @contextmanager
    def not_asking(self) -> Iterator[None]:
        """In the block, do not ask for passphrases: a key that needs one cannot be read."""
        asking, self._ask = self._ask, lambda profile: None
        try:
            yield
        finally:
            self._ask = asking

    def key_or_new(self, profile: str) -> SigningKey:
        """Return the key of a profile; for `default`, a new key is made if there is none.

        Raises CliError for any other profile that has no key.
        """
        try:
            there = profile in self.home.profiles()
            self.home.key_path(profile)
        except ValueError as error:
            raise CliError(str(error)) from None
        if there:
            return self.key(profile)
        if profile != DEFAULT:
            hint = f"pbem keys new --profile {profile}"
            raise CliError(f"you have no profile called {profile}", hint, KEY)
        return self.make(profile)

    def make(self, profile: str) -> SigningKey:
        """Make a new key for a profile and write it to the home."""
        import secrets

        from pbem.format.keys import SigningKey, write_key

        key = SigningKey(secrets.token_bytes(32))
        self.home.write_key(profile, write_key(key))
        self._publics = None
        return key

    @contextmanager
    def _key_file(self, profile: str) -> Iterator[bytes]:
        """Yield the bytes of a key file; add the file's path to an error in the block."""
        from pbem.format.errors import RecordError
        from pbem.storage.errors import FileError

        try:
            yield self.home.read_key(profile)
        except FileError:
            raise
        except RecordError as error:
            where = self.home.key_path(profile)
            raise FileError(error.reason, where, error.sentence) from None

    def _passphrase(self, profile: str) -> bytes | None:
        if self._passphrase_file is not None:
            from pbem.storage.read_file import read_file

            return read_file(self._passphrase_file.absolute()).rstrip(b"\r\n")
        return self._ask(profile)
