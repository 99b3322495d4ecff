"""Set up a mailbox from options, or from answers to questions; the servers of known providers."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from getpass import getpass
from pathlib import Path
from typing import Final, NamedTuple

from engine.value_classes import Value
from pbem.errors import CliError
from pbem.post.mail_account import (
    SECURITIES,
    SECURITY_HINT,
    Account,
    PostBox,
    Server,
    check_address,
    check_server,
)
from pbem.post.mail_password import SERVICE, check_file, keyring_name_of, system_keyring
from pbem.terminal.printing import say

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
        raise CliError(f"{security!r} is not a kind of encryption", SECURITY_HINT)
    return Server(host, int(number), security)


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
        with system_keyring() as keyring:
            keyring.set_password(SERVICE, keyring_name_of(account), password)
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
