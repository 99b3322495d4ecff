"""The servers of well-known providers, so that an address is often enough to set up a mailbox."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.cli.failure import CliError
from pbem.post.account.account import Security, Server

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

_BY_PORT: Final[dict[int, Security]] = {143: "starttls", 587: "starttls", 25: "starttls"}


def provider_of(address: str) -> Provider | None:
    """Return what is known about the provider of an address; None if it is not in the list."""
    return PROVIDERS.get(address.rpartition("@")[2].lower())


def read_server(typed: str, port: int, security: str = "") -> Server:
    """Read a server as somebody typed it: `imap.example.org` or `imap.example.org:993`.

    If no security was typed, the port decides. Raises CliError.
    """
    host, colon, number = typed.strip().rpartition(":")
    if not colon:
        host, number = typed.strip(), str(port)
    if not host or not number.isdecimal() or not 0 < int(number) < 1 << 16:
        raise CliError(f"{typed!r} is not a server", "write it like imap.example.org:993")
    told = security or _BY_PORT.get(int(number), "tls")
    if told not in ("tls", "starttls", "clear"):
        raise CliError(f"{told!r} is not a kind of encryption", "tls, starttls or clear")
    return Server(host, int(number), told)  # type: ignore[arg-type]
