"""A person's keys, one for each profile; a key is read only when it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Final

from pbem.errors import KEY, CliError
from pbem.files.disk import read_file
from pbem.files.file_errors import FileError
from pbem.files.home import Home
from pbem.format.openssh_key_files import is_encrypted, public_of_file, read_key, write_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.text.terminal_and_page_wording import to_type

DEFAULT_PROFILE: Final = "default"
CO_DEALER_PROFILE: Final = "co-dealer"
"""The profile of a co-dealer: a key of its own, because the key of a dealer cannot also play."""
Ask = Callable[[str], "bytes | None"]
"""A function that asks for the passphrase of a profile's key; it gives None if nobody is there."""


def ask_on_terminal(profile: str) -> bytes | None:
    """Ask for a passphrase on the terminal; None if there is no terminal.

    Raises CliError for bytes that are not text on this terminal.
    """
    if not sys.stdin.isatty():
        return None
    from getpass import getpass

    try:
        return getpass(f"passphrase of the key of profile {profile}: ").encode(
            errors="surrogateescape"
        )
    except UnicodeDecodeError:
        hint = to_type("put the passphrase into a file, and add --passphrase-file FILE")
        raise CliError("a character of the passphrase is not UTF-8", hint, KEY) from None


class Keyring:
    """The keys of one home; a passphrase is asked for only once in a run."""

    def __init__(
        self, home: Home, passphrase_file: Path | None = None, ask: Ask = ask_on_terminal
    ) -> None:
        """`passphrase_file` has the passphrase of all keys; without it, `ask` is called for the
        passphrase of a profile."""
        self.home = home
        self._ask = ask
        self._passphrase_file = passphrase_file
        self._keys: dict[str, SigningKey] = {}
        self.reported_order_notes = set[tuple[object, ...]]()
        """The notes on last orders that the face has got: it gets each once in a run, and one
        keyring serves all games of a run."""

    @cached_property
    def publics(self) -> dict[str, bytes]:
        """The public key of each of your profiles; no passphrase is asked for."""
        publics = {}
        for profile in self.home.profiles():
            with self._key_file(profile) as data:
                publics[profile] = public_of_file(data)
        return publics

    def key(self, profile: str) -> SigningKey:
        """Return the key of a profile. If the key has a passphrase, asks for it on a terminal."""
        if profile not in self._keys:
            with self._key_file(profile) as data:
                passphrase = None
                if is_encrypted(data) and self._passphrase_file is not None:
                    passphrase = read_file(self._passphrase_file.absolute()).rstrip(b"\r\n")
                elif is_encrypted(data):
                    passphrase = self._ask(profile)
                self._keys[profile] = read_key(data, passphrase)
        return self._keys[profile]

    @contextmanager
    def not_asking(self) -> Iterator[None]:
        """In the block, do not ask for passphrases: a key that needs one cannot be read."""
        usual_ask, self._ask = self._ask, lambda profile: None
        try:
            yield
        finally:
            self._ask = usual_ask

    def path(self, profile: str) -> Path:
        """Return the file of a profile's key. Raises CliError for a name that no profile has."""
        try:
            return self.home.key_path(profile)
        except ValueError as error:
            raise CliError(str(error)) from None

    def key_or_new(self, profile: str) -> SigningKey:
        """Return the key of a profile; for `default`, a new key is made if there is none.

        Raises CliError for any other profile that has no key.
        """
        self.path(profile)
        if profile in self.home.profiles():
            return self.key(profile)
        if profile != DEFAULT_PROFILE:
            hint = to_type(f"pbem keys new --profile {profile}")
            raise CliError(f"you have no profile called {profile}", hint, KEY)
        return self.make(profile)

    def make(self, profile: str) -> SigningKey:
        """Make a new key for a profile and write it to the home."""
        import secrets

        key = SigningKey(secrets.token_bytes(32))
        self.keep(profile, key)
        return key

    def keep(self, profile: str, key: SigningKey) -> None:
        """Write a key to the home, for a profile that has none. Raises TakenError."""
        self.home.write_key(profile, write_key(key))
        vars(self).pop("publics", None)

    @contextmanager
    def _key_file(self, profile: str) -> Iterator[bytes]:
        try:
            yield self.home.read_key(profile)
        except FileError:
            raise
        except RecordError as error:
            path = self.home.key_path(profile)
            raise FileError(error.reason, path, error.sentence) from None
