"""The mailbox of a profile, as `pbem post setup` writes it into the home."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pbem.cli.failure import CliError
from pbem.frozen import frozen
from pbem.mail.people import ACCOUNT, mailboxes

if TYPE_CHECKING:
    from pbem.storage.private.home import Home

Security = Literal["tls", "starttls", "clear"]
SECURITIES: Final = ("tls", "starttls", "clear")
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
SETUP: Final = "pbem post setup"
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@frozen
class Server:
    """A server: its host and port, and how the connection is protected."""

    host: str
    port: int
    security: Security

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@frozen
class Account:
    """A mailbox and its servers; it says where the password is, but does not contain it."""

    address: str
    user: str
    imap: Server
    smtp: Server
    secret: str
    """Where the password is: `keyring`, `command` or `file`; `token` means that the mailbox has no
    password, and that a command prints an access token (OAuth 2)."""
    where: str = ""
    """The command that prints the password or the token, or the file with the password."""
    folder: str = "INBOX"
    """The mailbox folder from which mail is read."""
    sent_folder: str = "pbem"
    """The mailbox folder to which the copies of sent mail are moved."""
    games: str = ""
    """The folder on this computer for games that come by mail."""
    ca: str = ""
    """A file with the certificate of your own authority.

    If it is empty, the certificates that the system trusts are used.
    """
    per_hour: int = 60
    """The most messages that are sent to one address in an hour; the others wait."""
    wait_for_copy: int = 600
    """Seconds to wait for the copy of a message whose sending was interrupted."""

    @property
    def by_token(self) -> bool:
        """Whether the servers are sent an access token, not a password."""
        return self.secret == "token"

    @property
    def secret_name(self) -> str:
        """What messages call the thing that the servers are sent: a password or an access token."""
        return "access token" if self.by_token else "password"


class PostBox:
    """The folder in the home for one profile's mail: account, outbox, marks of sent letters."""

    def __init__(self, home: Home, profile: str = "default") -> None:
        """Raise CliError for a name that no profile can have."""
        if not _NAME.fullmatch(profile):
            raise CliError(
                f"{profile!r}: a profile's name has up to 32 characters: a-z, 0-9, - and _"
            )
        self.home, self.profile = home, profile
        self.root = mailboxes(home) / profile

    @property
    def path(self) -> Path:
        """The file that contains the account."""
        return self.root / ACCOUNT

    def read(self) -> Account:
        """Read the account. Raises CliError if there is none, or if its file is wrong."""
        from pbem.storage.read_file import read_if_there
        from pbem.text.handwritten_toml import decoded

        data = read_if_there(self.path)
        if data is None:
            told = "no mailbox is set up"
            told += f" for the profile {self.profile}" if self.profile != "default" else ""
            raise CliError(told, SETUP)
        try:
            return _account(decoded(data))
        except (ValueError, KeyError, TypeError) as error:
            told = f"{self.path} is not an account file that pbem wrote: {error}"
            raise CliError(told, f"run {SETUP} again") from None

    def write(self, account: Account) -> Path:
        """Write the account into the home, in a private file. Raises StorageError."""
        from pbem.format.canonical import emit
        from pbem.storage.atomic_write import replace

        replace(self.path, emit(asdict(account)))
        return self.path


def boxes(home: Home) -> list[PostBox]:
    """Return the profiles of this home that have a mailbox, sorted by name."""
    found = []
    place = mailboxes(home)
    if place.is_dir():
        found = [f.name for f in place.iterdir() if _NAME.fullmatch(f.name)]
    return [box for box in (PostBox(home, name) for name in sorted(found)) if box.path.exists()]


def check_address(address: str) -> str:
    """Return the address if it looks like one. Raises CliError otherwise."""
    if not _ADDRESS.fullmatch(address):
        raise CliError(f"{address!r} is not an email address", "write it like bo@example.org")
    return address


def check_server(server: Server, what: str) -> Server:
    """Return the server if connections to it are protected. Raises CliError otherwise."""
    if server.security not in SECURITIES:
        raise CliError(f"{what}: {server.security!r} is not one of {', '.join(SECURITIES)}")
    if server.security == "clear" and server.host not in LOOPBACK:
        who = "anybody between you and the server"
        told = f"{what}: without encryption, {who} can read your password"
        raise CliError(told, "use encryption, except for a server on this computer (localhost)")
    return server


def _account(doc: dict[str, Any]) -> Account:
    doc["imap"], doc["smtp"] = _server(doc["imap"], "IMAP"), _server(doc["smtp"], "SMTP")
    account = Account(**doc)
    for name in ("address", "user", "secret", "where", "folder", "sent_folder", "games", "ca"):
        if not isinstance(getattr(account, name), str):
            raise TypeError(f"{name} must be text")
    if min(account.per_hour, account.wait_for_copy) < 0:
        raise ValueError("a number is negative")
    return account


def _server(doc: dict[str, Any], what: str) -> Server:
    host, port, security = str(doc["host"]), int(doc["port"]), str(doc["security"])
    return check_server(Server(host, port, cast("Security", security)), what)
