"""The command `join`: take a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.options import (
    FolderOption,
    PassphraseOption,
    ProfileOption,
)


def join(
    pasted: Annotated[
        list[str] | None,
        Argument(
            metavar="[INVITE]",
            help="The invite that the referee sent you, or the whole line in which it is. Use - to "
            "paste it when asked.",
        ),
    ] = None,
    invite: Annotated[str, Option("--invite", help="The invite, as an option.")] = "",
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
    from pbem.cli.starting.take_seat import invited_place, take_seat, typed_invite
    from pbem.mail.find_folder import game_in

    invite = typed_invite(invite or " ".join(pasted or ()))
    folder = folder or next((word for word in pasted or () if game_in(Path(word))), None)
    session = Session(folder or invited_place(invite), None, passphrase_file)
    take_seat(session, invite, name, contact, profile, recovery=recovery)
