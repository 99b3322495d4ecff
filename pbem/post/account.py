"""The mailbox of a profile: its servers, its address, and where its password is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from getpass import getpass
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.values import Value
from pbem.errors import KEY, CliError, extra
from pbem.files.disk import read_file, read_if_there
from pbem.files.disk import replace as replace_file
from pbem.files.home import Home
from pbem.format.canonical import emit
from pbem.mail.message import ADDRESS
from pbem.person.books import ACCOUNT_FILE, mailboxes
from pbem.terminal.terminal import say
from pbem.text.handwritten_toml import decoded

# ---- The mailbox of a profile, as `pbem post setup` writes it into the home

SECURITIES: Final = ("tls", "starttls", "clear")
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
SETUP: Final = "pbem post setup"
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
        return self.root / ACCOUNT_FILE

    def read(self) -> Account:
        """Read the account. Raises CliError if there is none, or if its file is wrong."""
        data = read_if_there(self.path)
        if data is None:
            profile = f" for the profile {self.profile}" if self.profile != "default" else ""
            raise CliError(f"no mailbox is set up{profile}", SETUP)
        try:
            return _account_of(decoded(data))
        except (ValueError, TypeError) as error:
            sentence = f"{self.path} is not an account file that pbem wrote: {error}"
            raise CliError(sentence, f"run {SETUP} again") from None

    def write(self, account: Account) -> Path:
        """Write the account into the home, in a private file. Raises StorageError."""
        replace_file(self.path, emit(asdict(account)))
        return self.path


def _account_of(fields: dict[str, Any]) -> Account:
    """Return the account with these fields of its file. Raises ValueError or TypeError."""
    for name, protocol in (("imap", "IMAP"), ("smtp", "SMTP")):
        section = fields.get(name)
        if not isinstance(section, dict):
            raise ValueError(f"it has no section [{name}]")
        if missing := next((key for key in Server.__annotations__ if key not in section), ""):
            raise ValueError(f"its section [{name}] has no {missing}")
        server = Server(str(section["host"]), int(section["port"]), str(section["security"]))
        fields[name] = check_server(server, protocol)
    if unknown := next((name for name in fields if name not in Account.__annotations__), ""):
        raise ValueError(f"pbem does not know {unknown}")
    for name in _TEXTS:
        if not isinstance(fields.get(name, ""), str):
            raise TypeError(f"{name} must be text")
    if missing := next((name for name in ("address", "user", "secret") if name not in fields), ""):
        raise ValueError(f"it has no {missing}")
    account = Account(**fields)
    for name in ("per_hour", "wait_for_copy"):
        if type(getattr(account, name)) is not int or getattr(account, name) < 0:
            raise ValueError(f"{name} must be a number, 0 or more")
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


def check_server(server: Server, what: str) -> Server:
    """Return the server if connections to it are protected. Raises CliError otherwise."""
    if server.security not in SECURITIES:
        raise CliError(f"{what}: {server.security!r} is not one of {', '.join(SECURITIES)}")
    if server.security == "clear" and server.host not in LOOPBACK:
        who = "anybody between you and the server"
        told = f"{what}: without encryption, {who} can read your password"
        raise CliError(told, "use encryption, except for a server on this computer (localhost)")
    return server


# ---- Get a mailbox's password from the system's keyring, from a command, or from a private file
#
# A command can also print an access token, for servers that accept no passwords.

SERVICE: Final = "pbem post"
SECONDS: Final = 60
"""How long the command that prints the password or the token may take."""
_LONGEST: Final = 1 << 14


def password_of(account: Account) -> str:
    """Return the mailbox's password, or a new access token.

    Raises CliError (exit 4) that says how to provide it.
    """
    if account.secret in ("command", "token"):
        password = _from_command(account.where, account.secret_name)
    elif account.secret == "file":
        check_file(Path(account.where))
        data = read_file(Path(account.where), _LONGEST)
        password = data.decode("utf-8", "replace").strip("\r\n")
    else:
        with _keyring() as keyring:
            kept = keyring.get_password(SERVICE, _name(account))
        if kept is None:
            told = f"the system's keyring has no password for {account.user}"
            raise CliError(told, SETUP, KEY)
        password = str(kept)
    if not password:
        raise CliError(f"the {account.secret_name} of {account.user} is empty", SETUP, KEY)
    return password


def check_file(path: Path) -> None:
    """Raise CliError if a password file does not exist, or if other users can read it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise CliError(
            f"{path}: {error.strerror}", "give the path of the file with the password", KEY
        ) from None
    if os.name != "nt" and mode & 0o077:
        raise CliError(f"other users of this computer can read {path}", f"chmod 600 {path}", KEY)


def _from_command(command: str, name: str) -> str:
    try:
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, errors="replace",
            timeout=SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        told = f"the command for the {name} took longer than {SECONDS} seconds: {command}"
        raise CliError(
            told, "run the command yourself, and see what it is waiting for", KEY
        ) from None
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        told = f"the command for the {name} failed: {command}: {why[0][:200]}"
        raise CliError(told, "run the command yourself, and see what it says", KEY)
    return done.stdout.split("\n")[0].strip("\r")


def _name(account: Account) -> str:
    return f"{account.user}@{account.imap.host}"


@contextmanager
def _keyring() -> Iterator[Any]:
    with extra(["keyring"], "the keyring needs a library that is not installed"):
        import keyring
        import keyring.errors
    try:
        yield keyring
    except keyring.errors.KeyringError as error:
        told = f"the system's keyring cannot be used: {' '.join(str(error).split())[:200]}"
        hint = "use --password-command or --password-file instead"
        raise CliError(told, hint, KEY) from None


# ---- The servers of well-known providers, so that an address is often enough

APP: Final = (
    "create an app password in the settings of your account, because the provider "
    "does not accept your normal password here"
)
NO_PASSWORDS: Final = (
    "Microsoft does not accept passwords from programs: use --token-command (docs/post.md), or a "
    "mailbox at another provider"
)


class Provider(NamedTuple):
    """What is known about a provider."""

    imap: str
    smtp: str
    note: str = ""


PROVIDERS: Final[dict[str, Provider]] = {
    "gmail.com": Provider("imap.gmail.com:993", "smtp.gmail.com:465", APP),
    "googlemail.com": Provider("imap.gmail.com:993", "smtp.gmail.com:465", APP),
    "icloud.com": Provider("imap.mail.me.com:993", "smtp.mail.me.com:587", APP),
    "me.com": Provider("imap.mail.me.com:993", "smtp.mail.me.com:587", APP),
    "yahoo.com": Provider("imap.mail.yahoo.com:993", "smtp.mail.yahoo.com:465", APP),
    "fastmail.com": Provider("imap.fastmail.com:993", "smtp.fastmail.com:465", APP),
    "gmx.de": Provider("imap.gmx.net:993", "mail.gmx.net:465"),
    "gmx.net": Provider("imap.gmx.net:993", "mail.gmx.net:465"),
    "web.de": Provider("imap.web.de:993", "smtp.web.de:587"),
    "posteo.de": Provider("posteo.de:993", "posteo.de:465"),
    "mailbox.org": Provider("imap.mailbox.org:993", "smtp.mailbox.org:465"),
    "outlook.com": Provider("outlook.office365.com:993", "smtp-mail.outlook.com:587", NO_PASSWORDS),
    "hotmail.com": Provider("outlook.office365.com:993", "smtp-mail.outlook.com:587", NO_PASSWORDS),
}

_STARTTLS: Final = (25, 143, 587)
"""The ports where connections begin without encryption."""


def read_server(typed: str, port: int, security: str = "") -> Server:
    """Read a server as somebody typed it: `imap.example.org` or `imap.example.org:993`.

    If no security was typed, the port decides. Raises CliError.
    """
    host, colon, number = typed.strip().rpartition(":")
    if not colon:
        host, number = typed.strip(), str(port)
    if not host or not number.isdecimal() or not 0 < int(number) < 1 << 16:
        raise CliError(f"{typed!r} is not a server", "write it like imap.example.org:993")
    security = security or ("starttls" if int(number) in _STARTTLS else "tls")
    if security not in SECURITIES:
        raise CliError(f"{security!r} is not a kind of encryption", "tls, starttls or clear")
    return Server(host, int(number), security)


# ---- Make an account from options, or from answers to questions

TLS_PORTS: Final = {"IMAP": 993, "SMTP": 465}
GAMES: Final = "pbem-games"
"""The name of the folder, in the user's own folder, for games that come by mail."""


class Typed(Value):
    """The options of `pbem post setup`."""

    address: str = ""
    imap: str = ""
    smtp: str = ""
    imap_security: str = ""
    smtp_security: str = ""
    user: str = ""
    password_command: str = ""
    password_file: Path | None = None
    token_command: str = ""
    folder: str = ""
    games: Path | None = None
    ca: Path | None = None
    per_hour: int | None = None
    wait_for_copy: int | None = None


def set_up(box: PostBox, typed: Typed) -> Account:
    """Make and write the account; ask for what was not typed. Raises CliError, StorageError.

    Options without an address change the account that is there; no options at all make a new one.
    """
    changes = not typed.address and typed != Typed() and box.path.exists()
    old = box.read() if changes else _new(typed)
    secret, where = _secret(typed)
    account = replace(
        old,
        user=typed.user or old.user,
        imap=_chosen_server(old.imap, typed.imap, typed.imap_security, "IMAP"),
        smtp=_chosen_server(old.smtp, typed.smtp, typed.smtp_security, "SMTP"),
        secret=secret if where or not changes else old.secret,
        where=where or old.where,
        games=_full(typed.games) or old.games,
        folder=typed.folder or old.folder,
        ca=_full(typed.ca) or old.ca,
        per_hour=old.per_hour if typed.per_hour is None else typed.per_hour,
        wait_for_copy=old.wait_for_copy if typed.wait_for_copy is None else typed.wait_for_copy,
    )
    moved = (account.user, account.imap.host) != (old.user, old.imap.host)
    if account.secret == "keyring" and (moved or not changes):  # the keyring knows it by these two
        if not sys.stdin.isatty():
            told = "pbem cannot ask for the password, because there is no terminal"
            raise CliError(told, "use --password-file FILE or --password-command COMMAND")
        prompt = f"password of {account.user} (it will be kept in the system's keyring): "
        password = getpass(prompt)
        with _keyring() as keyring:
            keyring.set_password(SERVICE, _name(account), password)
    box.write(account)
    return account


def _new(typed: Typed) -> Account:
    address = check_address(typed.address or _ask("your email address", "--address"))
    domain = address.rpartition("@")[2]
    known = PROVIDERS.get(domain.lower())
    if known and known.note and not typed.token_command:
        say(f"note: {known.note}")
    imap = typed.imap or (known.imap if known else _ask("IMAP server", "--imap", f"imap.{domain}"))
    smtp = typed.smtp or (known.smtp if known else _ask("SMTP server", "--smtp", f"smtp.{domain}"))
    return Account(
        address=address,
        user=address,
        imap=read_server(imap, TLS_PORTS["IMAP"]),
        smtp=read_server(smtp, TLS_PORTS["SMTP"]),
        secret="keyring",
        games=_full(Path.home() / GAMES),
    )


def _chosen_server(old: Server, typed: str, security: str, what: str) -> Server:
    if not typed and not security:
        return old
    return check_server(read_server(typed or str(old), TLS_PORTS[what], security), what)


def _secret(typed: Typed) -> tuple[str, str]:
    file, commands = _full(typed.password_file), (typed.password_command, typed.token_command)
    ways = zip(("file", "command", "token"), (file, *commands), strict=True)
    given = [(kind, where) for kind, where in ways if where]
    if len(given) > 1:
        told = "--password-command, --password-file and --token-command cannot be combined"
        raise CliError(told, "leave out all but one of them")
    if typed.password_file:
        check_file(typed.password_file.expanduser())
    return given[0] if given else ("keyring", "")


def _full(path: Path | None) -> str:
    return os.path.abspath(path.expanduser()) if path else ""


def _ask(what: str, option: str, default: str = "") -> str:
    if not sys.stdin.isatty():
        raise CliError(f"{option} is missing: {what}", f"pbem post setup {option} …")
    typed = input(f"{what}{f' [{default}]' if default else ''}: ").strip()
    return typed or default
