"""The mailbox of a profile: its servers, its address, and where its password is."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from engine.value_classes import Value
from pbem.errors import CliError
from pbem.files.disk import read_if_there
from pbem.files.disk import replace as replace_file
from pbem.files.home import Home
from pbem.format.canonical_toml import emit
from pbem.mail.incoming_email import ADDRESS
from pbem.person.mail_notebooks import ACCOUNT_FILE, mailboxes
from pbem.text.handwritten_toml_within_limits import decoded

# ---- The mailbox of a profile, as `pbem post setup` writes it into the home

SECURITIES: Final = ("tls", "starttls", "clear")
SECURITY_HINT: Final = "write tls, starttls or clear"
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
SETUP_COMMAND: Final = "pbem post setup"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_TEXTS: Final = ("address", "user", "secret", "where", "folder", "sent_folder", "games", "ca")
"""The fields of an account that are text."""


class Server(Value):
    """A server: its host and port, and how the connection is protected."""

    host: str
    port: int
    security: str
    """`tls`, `starttls` or `clear`."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Account(Value):
    """A mailbox and its servers; it says where the password is, but does not contain it."""

    address: str
    user: str
    imap: Server
    smtp: Server
    secret: str
    """The source of the password: `keyring`, `command` or `file`. With `token`, the mailbox has no
    password, and a command prints an access token (OAuth 2)."""
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
    """The seconds to wait for the copy of a message whose sending was interrupted."""

    @property
    def by_token(self) -> bool:
        """Whether the servers are sent an access token, not a password."""
        return self.secret == "token"

    @property
    def secret_name(self) -> str:
        """The word in messages for the secret of the mailbox: `password` or `access token`."""
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
        return self.root / ACCOUNT_FILE

    def read(self) -> Account:
        """Read the account. Raises CliError if there is none, or if its file is wrong."""
        data = read_if_there(self.path)
        if data is None:
            profile = f" for the profile {self.profile}" if self.profile != "default" else ""
            raise CliError(f"no mailbox is set up{profile}", SETUP_COMMAND)
        try:
            return _account_of(decoded(data))
        except (ValueError, TypeError) as error:
            sentence = f"{self.path} is not an account file that pbem wrote: {error}"
            raise CliError(sentence, f"run {SETUP_COMMAND} again") from None

    def write(self, account: Account) -> Path:
        """Write the account into the home, in a private file. Raises StorageError."""
        replace_file(self.path, emit(asdict(account)))
        return self.path


def _account_of(fields: dict[str, Any]) -> Account:
    """Return the account that a file with these fields describes, and replace the two sections in
    `fields` by servers. Raises ValueError or TypeError, with a clause about the file, and CliError
    if the password would travel without encryption."""
    for name, protocol in (("imap", "IMAP"), ("smtp", "SMTP")):
        section = fields.get(name)
        if not isinstance(section, dict):
            raise ValueError(f"the file has no section [{name}]")
        if missing_name := next((key for key in Server.__annotations__ if key not in section), ""):
            raise ValueError(f"the section [{name}] of the file has no {missing_name}")
        server = Server(str(section["host"]), int(section["port"]), str(section["security"]))
        fields[name] = check_server(server, protocol)
    if unknown_name := next((name for name in fields if name not in Account.__annotations__), ""):
        raise ValueError(f"pbem knows no setting {unknown_name!r} of a mailbox")
    for name in _TEXTS:
        if not isinstance(fields.get(name, ""), str):
            raise TypeError(f"the value of {name} must be text in quotes")
    if missing_name := next(
        (name for name in ("address", "user", "secret") if name not in fields), ""
    ):
        raise ValueError(f"the file has no {missing_name}")
    account = Account(**fields)
    for name in ("per_hour", "wait_for_copy"):
        if type(getattr(account, name)) is not int or getattr(account, name) < 0:
            raise ValueError(f"the value of {name} must be a number, 0 or more")
    return account


def boxes(home: Home) -> list[PostBox]:
    """Return the profiles of this home that have a mailbox, sorted by name."""
    names = (path.parent.name for path in mailboxes(home).glob(f"*/{ACCOUNT_FILE}"))
    return [PostBox(home, name) for name in sorted(names) if _NAME.fullmatch(name)]


def check_address(address: str) -> str:
    """Return the address if it looks like one. Raises CliError otherwise."""
    if not ADDRESS.fullmatch(address):
        raise CliError(f"{address!r} is not an email address", "write it like bo@example.org")
    return address


def check_server(server: Server, protocol: str) -> Server:
    """Return the server if connections to it are protected, or stay on this computer. Raises
    CliError otherwise; `protocol` is IMAP or SMTP."""
    if server.security not in SECURITIES:
        sentence = f"{protocol}: {server.security!r} is not a kind of encryption"
        raise CliError(sentence, SECURITY_HINT)
    if server.security == "clear" and server.host not in LOOPBACK:
        reader = "anybody between you and the server"
        sentence = f"{protocol}: without encryption, {reader} can read your password"
        raise CliError(sentence, "use encryption, except for a server on this computer (localhost)")
    return server
