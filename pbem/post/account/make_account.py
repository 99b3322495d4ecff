"""Do the work of `pbem post setup`: make an account from options, or from answers to questions."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.cli.failure import CliError, say
from pbem.post.account.account import Account, PostBox, check_address, check_server
from pbem.post.account.password import check_file, keep_in_keyring
from pbem.post.account.providers import provider_of, read_server

TLS_PORTS: Final = {"IMAP": 993, "SMTP": 465}
GAMES: Final = "pbem-games"
"""The name of the folder, in the user's own folder, for games that come by mail."""


@dataclass(frozen=True)
class Typed:
    """The options of `pbem post setup`."""

    address: str = ""
    imap: str = ""
    smtp: str = ""
    imap_security: str = ""
    smtp_security: str = ""
    user: str = ""
    password_command: str = ""
    password_file: Path | None = None
    folder: str = "INBOX"
    games: Path | None = None
    ca: Path | None = None
    per_hour: int = 60
    wait_for_copy: int = 600


def set_up(box: PostBox, typed: Typed) -> Account:
    """Make and write the account; ask for what was not typed. Raises CliError, StorageError."""
    address = check_address(typed.address or _ask("your email address", "--address"))
    known = provider_of(address)
    if known and known.note:
        say(f"note: {known.note}")
    domain = address.rpartition("@")[2]
    imap = typed.imap or (known.imap if known else _ask("IMAP server", "--imap", f"imap.{domain}"))
    smtp = typed.smtp or (known.smtp if known else _ask("SMTP server", "--smtp", f"smtp.{domain}"))
    account = Account(
        address=address,
        user=typed.user or address,
        imap=check_server(read_server(imap, TLS_PORTS["IMAP"], typed.imap_security), "IMAP"),
        smtp=check_server(read_server(smtp, TLS_PORTS["SMTP"], typed.smtp_security), "SMTP"),
        secret=_secret(typed),
        where=typed.password_command or _full(typed.password_file),
        folder=typed.folder,
        games=_full(typed.games or Path.home() / GAMES),
        ca=_full(typed.ca),
        per_hour=typed.per_hour,
        wait_for_copy=typed.wait_for_copy,
    )
    if account.secret == "keyring":
        keep_in_keyring(account, _ask_password(account))
    box.write(account)
    return account


def _secret(typed: Typed) -> str:
    if typed.password_command and typed.password_file:
        raise CliError("the password can be in one place only", "leave out one of the two options")
    if typed.password_command:
        return "command"
    if typed.password_file:
        check_file(typed.password_file.expanduser())
        return "file"
    return "keyring"


def _full(path: Path | None) -> str:
    return str(path.expanduser().absolute()) if path else ""


def _ask(what: str, option: str, default: str = "") -> str:
    """Ask a question on the terminal. Raises CliError if there is none."""
    if not sys.stdin.isatty():
        raise CliError(f"{option} is missing: {what}", f"pbem post setup {option} …")
    typed = input(f"{what}{f' [{default}]' if default else ''}: ").strip()
    return typed or default


def _ask_password(account: Account) -> str:
    if not sys.stdin.isatty():
        told = "nobody is there to type the password"
        raise CliError(told, "name --password-file FILE, or --password-command COMMAND")
    from getpass import getpass

    return getpass(f"password of {account.user} (it goes into the system's keyring): ")
