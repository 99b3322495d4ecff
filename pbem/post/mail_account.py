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

from engine.value_classes import Value
from pbem.errors import KEY, CliError, extra
from pbem.files.disk import read_file, read_if_there
from pbem.files.disk import replace as replace_file
from pbem.files.home import Home
from pbem.format.canonical_toml import emit
from pbem.mail.incoming_email import ADDRESS
from pbem.person.mail_notebooks import ACCOUNT_FILE, mailboxes
from pbem.terminal.terminal import say
from pbem.text.handwritten_toml import decoded

# ---- The mailbox of a profile, as `pbem post setup` writes it into the home

SECURITIES: Final = ("tls", "starttls", "clear")
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
    """Return the account that a file with these fields describes. Raises ValueError or TypeError,
    with a clause about the file."""
    for name, protocol in (("imap", "IMAP"), ("smtp", "SMTP")):
        section = fields.get(name)
        if not isinstance(section, dict):
            raise ValueError(f"the file has no section [{name}]")
        if missing_name := next((key for key in Server.__annotations__ if key not in section), ""):
            raise ValueError(f"the section [{name}] of the file has no {missing_name}")
        server = Server(str(section["host"]), int(section["port"]), str(section["security"]))
        fields[name] = check_server(server, protocol)
    if unknown_name := next((name for name in fields if name not in Account.__annotations__), ""):
        raise ValueError(f"pbem does not know {unknown_name}")
    for name in _TEXTS:
        if not isinstance(fields.get(name, ""), str):
            raise TypeError(f"{name} must be text")
    if missing_name := next(
        (name for name in ("address", "user", "secret") if name not in fields), ""
    ):
        raise ValueError(f"the file has no {missing_name}")
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


def check_server(server: Server, protocol: str) -> Server:
    """Return the server if connections to it are protected, or stay on this computer. Raises
    CliError otherwise; `protocol` is IMAP or SMTP."""
    if server.security not in SECURITIES:
        raise CliError(f"{protocol}: {server.security!r} is not one of {', '.join(SECURITIES)}")
    if server.security == "clear" and server.host not in LOOPBACK:
        reader = "anybody between you and the server"
        sentence = f"{protocol}: without encryption, {reader} can read your password"
        raise CliError(sentence, "use encryption, except for a server on this computer (localhost)")
    return server


# ---- Get a mailbox's password from the system's keyring, from a command, or from a private file
#
# A command can also print an access token, for servers that accept no passwords.

SERVICE: Final = "pbem post"
MAX_COMMAND_SECONDS: Final = 60
"""The longest time for the command that prints the password or the token."""
_MAX_PASSWORD_BYTES: Final = 1 << 14


def password_of(account: Account) -> str:
    """Return the mailbox's password, or a new access token.

    Raises CliError (exit 4) that says how to provide it.
    """
    if account.secret in ("command", "token"):
        password = _from_command(account.where, account.secret_name)
    elif account.secret == "file":
        check_file(Path(account.where))
        data = read_file(Path(account.where), _MAX_PASSWORD_BYTES)
        password = data.decode("utf-8", "replace").strip("\r\n")
    else:
        with _keyring() as keyring:
            stored_password = keyring.get_password(SERVICE, _name(account))
        if stored_password is None:
            sentence = f"the system's keyring has no password for {account.user}"
            raise CliError(sentence, SETUP_COMMAND, KEY)
        password = str(stored_password)
    if not password:
        raise CliError(f"the {account.secret_name} of {account.user} is empty", SETUP_COMMAND, KEY)
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


def _from_command(command: str, secret_name: str) -> str:
    """Return the first line that a command prints. Raises CliError if it fails or takes too
    long."""
    try:
        finished = subprocess.run(
            command, shell=True, capture_output=True, text=True, errors="replace",
            timeout=MAX_COMMAND_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        sentence = (
            f"the command for the {secret_name} took longer than {MAX_COMMAND_SECONDS} seconds: "
            f"{command}"
        )
        hint = "run the command yourself, and see what it is waiting for"
        raise CliError(sentence, hint, KEY) from None
    if finished.returncode:
        last_lines = finished.stderr.strip().splitlines()[-1:] or [
            f"exit code {finished.returncode}"
        ]
        sentence = f"the command for the {secret_name} failed: {command}: {last_lines[0][:200]}"
        raise CliError(sentence, "run the command yourself, and see what it says", KEY)
    return finished.stdout.split("\n")[0].strip("\r")


def _name(account: Account) -> str:
    return f"{account.user}@{account.imap.host}"


@contextmanager
def _keyring() -> Iterator[Any]:
    """Give the module `keyring` to the block; its errors become CliError."""
    with extra(["keyring"], "the keyring needs a library that is not installed"):
        import keyring
        import keyring.errors
    try:
        yield keyring
    except keyring.errors.KeyringError as error:
        sentence = f"the system's keyring cannot be used: {' '.join(str(error).split())[:200]}"
        hint = "use --password-command or --password-file instead"
        raise CliError(sentence, hint, KEY) from None


# ---- The servers of well-known providers, so that an address is often enough

APP_PASSWORD_NOTE: Final = (
    "create an app password in the settings of your account, because the provider "
    "does not accept your normal password here"
)
NO_PASSWORDS_NOTE: Final = (
    "Microsoft does not accept passwords from programs: use --token-command (docs/post.md), or a "
    "mailbox at another provider"
)


class Provider(NamedTuple):
    """The mail servers of a provider."""

    imap: str
    """Host and port."""
    smtp: str
    note: str = ""
    """A clause on how to get a password that programs can use; empty if any password works."""


PROVIDERS: Final[dict[str, Provider]] = {
    "gmail.com": Provider("imap.gmail.com:993", "smtp.gmail.com:465", APP_PASSWORD_NOTE),
    "googlemail.com": Provider("imap.gmail.com:993", "smtp.gmail.com:465", APP_PASSWORD_NOTE),
    "icloud.com": Provider("imap.mail.me.com:993", "smtp.mail.me.com:587", APP_PASSWORD_NOTE),
    "me.com": Provider("imap.mail.me.com:993", "smtp.mail.me.com:587", APP_PASSWORD_NOTE),
    "yahoo.com": Provider("imap.mail.yahoo.com:993", "smtp.mail.yahoo.com:465", APP_PASSWORD_NOTE),
    "fastmail.com": Provider("imap.fastmail.com:993", "smtp.fastmail.com:465", APP_PASSWORD_NOTE),
    "gmx.de": Provider("imap.gmx.net:993", "mail.gmx.net:465"),
    "gmx.net": Provider("imap.gmx.net:993", "mail.gmx.net:465"),
    "web.de": Provider("imap.web.de:993", "smtp.web.de:587"),
    "posteo.de": Provider("posteo.de:993", "posteo.de:465"),
    "mailbox.org": Provider("imap.mailbox.org:993", "smtp.mailbox.org:465"),
    "outlook.com": Provider(
        "outlook.office365.com:993", "smtp-mail.outlook.com:587", NO_PASSWORDS_NOTE
    ),
    "hotmail.com": Provider(
        "outlook.office365.com:993", "smtp-mail.outlook.com:587", NO_PASSWORDS_NOTE
    ),
}

_STARTTLS: Final = (25, 143, 587)
"""The ports where connections begin without encryption."""


def read_server(server_text: str, port: int, security: str = "") -> Server:
    """Read a server as somebody typed it: `imap.example.org` or `imap.example.org:993`.

    If no security was typed, the port decides. Raises CliError.
    """
    host, colon, number = server_text.strip().rpartition(":")
    if not colon:
        host, number = server_text.strip(), str(port)
    if not host or not number.isdecimal() or not 0 < int(number) < 1 << 16:
        raise CliError(
            f"{server_text!r} is not a server", "write the server like imap.example.org:993"
        )
    security = security or ("starttls" if int(number) in _STARTTLS else "tls")
    if security not in SECURITIES:
        raise CliError(f"{security!r} is not a kind of encryption", "tls, starttls or clear")
    return Server(host, int(number), security)


# ---- Make an account from options, or from answers to questions

TLS_PORTS: Final = {"IMAP": 993, "SMTP": 465}
GAMES: Final = "pbem-games"
"""The name of the folder, in the user's own folder, for games that come by mail."""


class SetupOptions(Value):
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


def set_up(box: PostBox, options: SetupOptions) -> Account:
    """Make and write the account; ask for what was not typed. Raises CliError, StorageError.

    Options without an address change the account that is there; no options at all make a new one.
    """
    is_change = not options.address and options != SetupOptions() and box.path.exists()
    old_account = box.read() if is_change else _new_account(options)
    secret, secret_source = _secret(options)
    account = replace(
        old_account,
        user=options.user or old_account.user,
        imap=_chosen_server(old_account.imap, options.imap, options.imap_security, "IMAP"),
        smtp=_chosen_server(old_account.smtp, options.smtp, options.smtp_security, "SMTP"),
        secret=secret if secret_source or not is_change else old_account.secret,
        where=secret_source or old_account.where,
        games=_absolute_path(options.games) or old_account.games,
        folder=options.folder or old_account.folder,
        ca=_absolute_path(options.ca) or old_account.ca,
    )
    if options.per_hour is not None:
        account = replace(account, per_hour=options.per_hour)
    if options.wait_for_copy is not None:
        account = replace(account, wait_for_copy=options.wait_for_copy)
    has_moved = (account.user, account.imap.host) != (old_account.user, old_account.imap.host)
    # the keyring knows a password by user and host
    if account.secret == "keyring" and (has_moved or not is_change):
        if not sys.stdin.isatty():
            sentence = "pbem cannot ask for the password, because there is no terminal"
            raise CliError(sentence, "use --password-file FILE or --password-command COMMAND")
        prompt = f"password of {account.user} (it will be kept in the system's keyring): "
        password = getpass(prompt)
        with _keyring() as keyring:
            keyring.set_password(SERVICE, _name(account), password)
    box.write(account)
    return account


def _new_account(options: SetupOptions) -> Account:
    """Return a new account with the password in the keyring; ask for an address and for servers
    that neither the options nor the provider give. Raises CliError."""
    address = check_address(options.address or _ask("your email address", "--address"))
    domain = address.rpartition("@")[2]
    provider = PROVIDERS.get(domain.lower())
    if provider and provider.note and not options.token_command:
        say(f"note: {provider.note}")
    imap = options.imap or (
        provider.imap if provider else _ask("IMAP server", "--imap", f"imap.{domain}")
    )
    smtp = options.smtp or (
        provider.smtp if provider else _ask("SMTP server", "--smtp", f"smtp.{domain}")
    )
    return Account(
        address=address,
        user=address,
        imap=read_server(imap, TLS_PORTS["IMAP"]),
        smtp=read_server(smtp, TLS_PORTS["SMTP"]),
        secret="keyring",
        games=_absolute_path(Path.home() / GAMES),
    )


def _chosen_server(old_server: Server, server_text: str, security: str, protocol: str) -> Server:
    if not server_text and not security:
        return old_server
    return check_server(
        read_server(server_text or str(old_server), TLS_PORTS[protocol], security), protocol
    )


def _secret(options: SetupOptions) -> tuple[str, str]:
    """Return the `secret` and the `where` of an account that the options choose. Raises CliError if
    they choose several, or a bad password file."""
    file, commands = (
        _absolute_path(options.password_file),
        (options.password_command, options.token_command),
    )
    sources = zip(("file", "command", "token"), (file, *commands), strict=True)
    chosen_secrets = [(kind, secret_source) for kind, secret_source in sources if secret_source]
    if len(chosen_secrets) > 1:
        sentence = "--password-command, --password-file and --token-command cannot be combined"
        raise CliError(sentence, "use only one of these options")
    if options.password_file:
        check_file(options.password_file.expanduser())
    return chosen_secrets[0] if chosen_secrets else ("keyring", "")


def _absolute_path(path: Path | None) -> str:
    return os.path.abspath(path.expanduser()) if path else ""


def _ask(subject: str, option: str, default: str = "") -> str:
    """Ask on the terminal for what an option did not say. Raises CliError if there is none."""
    if not sys.stdin.isatty():
        raise CliError(f"{option} is missing: {subject}", f"pbem post setup {option} …")
    answer = input(f"{subject}{f' [{default}]' if default else ''}: ").strip()
    return answer or default
