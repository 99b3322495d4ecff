"""Do the work of `pbem post setup`: make an account from options, or from answers to questions."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pbem.cli.failure import CliError, say
from pbem.frozen import frozen
from pbem.post.account.account import Account, PostBox, Server, check_address, check_server
from pbem.post.account.password import check_file, keep_in_keyring
from pbem.post.account.providers import provider_of, read_server

TLS_PORTS: Final = {"IMAP": 993, "SMTP": 465}
GAMES: Final = "pbem-games"
"""The name of the folder, in the user's own folder, for games that come by mail."""


@frozen
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
    token_command: str = ""
    folder: str = ""
    games: Path | None = None
    ca: Path | None = None
    per_hour: int | None = None
    wait_for_copy: int | None = None


def set_up(box: PostBox, typed: Typed) -> Account:
    """Make and write the account; ask for what was not typed. Raises CliError, StorageError.

    Without an address, what was typed changes the account that is there.
    """
    if not typed.address and typed != Typed() and box.path.exists():
        account = _changed(box.read(), typed)
    else:
        account = _new(typed)
    box.write(account)
    return account


def _new(typed: Typed) -> Account:
    address = check_address(typed.address or _ask("your email address", "--address"))
    known = provider_of(address)
    if known and known.note and not typed.token_command:
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
        where=_where(typed),
        games=_full(typed.games or Path.home() / GAMES),
        **_others(typed),
    )
    if account.secret == "keyring":
        keep_in_keyring(account, _ask_password(account))
    return account


def _changed(old: Account, typed: Typed) -> Account:
    """Apply the typed options to the account; everything else stays the same."""
    secret, where = old.secret, old.where
    if _where(typed):
        secret, where = _secret(typed), _where(typed)
    account = replace(
        old,
        user=typed.user or old.user,
        imap=_server(old.imap, typed.imap, typed.imap_security, "IMAP"),
        smtp=_server(old.smtp, typed.smtp, typed.smtp_security, "SMTP"),
        secret=secret,
        where=where,
        games=_full(typed.games) or old.games,
        **_others(typed),
    )
    moved = (account.user, account.imap.host) != (old.user, old.imap.host)
    if account.secret == "keyring" and moved:  # the keyring knows it by these two
        keep_in_keyring(account, _ask_password(account))
    return account


def _server(old: Server, typed: str, security: str, what: str) -> Server:
    if not typed and not security:
        return old
    return check_server(read_server(typed or str(old), TLS_PORTS[what], security), what)


def _others(typed: Typed) -> dict[str, Any]:
    """Return the other options that were typed, under the names that the account uses."""
    found = {
        "folder": typed.folder,
        "ca": _full(typed.ca),
        "per_hour": typed.per_hour,
        "wait_for_copy": typed.wait_for_copy,
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


def _where(typed: Typed) -> str:
    """Return the command or the file that was typed; empty means the system's keyring."""
    return typed.password_command or typed.token_command or _full(typed.password_file)


def _secret(typed: Typed) -> str:
    if sum(map(bool, (typed.password_command, typed.password_file, typed.token_command))) > 1:
        told = "--password-command, --password-file and --token-command cannot be combined"
        raise CliError(told, "leave out all but one of them")
    if typed.token_command:
        return "token"
    if typed.password_command:
        return "command"
    if typed.password_file:
        check_file(typed.password_file.expanduser())
        return "file"
    return "keyring"


def _full(path: Path | None) -> str:
    return os.path.abspath(path.expanduser()) if path else ""


def _ask(what: str, option: str, default: str = "") -> str:
    """Ask a question on the terminal. Raises CliError if there is none."""
    if not sys.stdin.isatty():
        raise CliError(f"{option} is missing: {what}", f"pbem post setup {option} …")
    typed = input(f"{what}{f' [{default}]' if default else ''}: ").strip()
    return typed or default


def _ask_password(account: Account) -> str:
    if not sys.stdin.isatty():
        told = "pbem cannot ask for the password, because there is no terminal"
        raise CliError(told, "use --password-file FILE or --password-command COMMAND")
    from getpass import getpass

    return getpass(f"password of {account.user} (it will be kept in the system's keyring): ")
