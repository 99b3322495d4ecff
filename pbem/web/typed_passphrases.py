"""The passphrases of keys that somebody typed on a page since `pbem table` started."""

from __future__ import annotations

from pbem.errors import KEY, CliError
from pbem.files.home import Home
from pbem.format.key_files import read_key


class LockedError(CliError):
    """Raised if a key has a passphrase that nobody has typed on the page yet."""

    def __init__(self, profile: str) -> None:
        super().__init__(f"the key of profile {profile} has a passphrase", "", KEY)
        self.profile = profile


class Passphrases:
    """The passphrases typed since `pbem table` started; none is written to a disk."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._passphrases: dict[str, bytes] = {}

    def ask(self, profile: str) -> bytes:
        """Return the passphrase of a profile's key. Raises LockedError if nobody typed it yet."""
        if profile not in self._passphrases:
            raise LockedError(profile)
        return self._passphrases[profile]

    def learn(self, profile: str, passphrase: bytes) -> None:
        """Remember a passphrase if it is right. Raises RecordError `key` if it is wrong."""
        read_key(self.home.read_key(profile), passphrase)
        self._passphrases[profile] = passphrase
