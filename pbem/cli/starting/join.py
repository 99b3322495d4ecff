"""The command `join`: take a seat."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.options import (
    FolderOption,
    PassphraseOption,
    ProfileOption,
)


def join(
    invite: Annotated[
        str,
        Option(
            "--invite", help="The invite that the referee sent you. Use - to paste it when asked."
        ),
    ],
    name: Annotated[
        str, Option("--name", help="The name to play under, if you want a different one.")
    ] = "",
    recovery: Annotated[
        str,
        Option(
            "--recovery",
            metavar="KEY",
            help="The public half of a recovery key that you keep elsewhere.",
        ),
    ] = "",
    contact: Annotated[str, Option("--contact", help="How the referee can reach you.")] = "",
    profile: ProfileOption = "default",
    folder: FolderOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Take your seat in a game."""
    from pbem.cli.session.session import Session
    from pbem.cli.starting.take_seat import take_seat

    session = Session(folder, None, passphrase_file)
    take_seat(session, invite, name, contact, profile, recovery=recovery)
