"""The command `join`: take a seat in a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.join import invited_place, split_invite, take_seat
from pbem.acts.rematch_invites import invite_after
from pbem.cli.shared_options import (
    FolderOption,
    PassphraseOption,
    ProfileOption,
)
from pbem.files.game_folder import Folder
from pbem.files.home import note_if_writable
from pbem.judge.records_of_game_folder import NoGameError, read_game_id
from pbem.person.due_mail import mail_method
from pbem.person.next_step import step_after_signing
from pbem.person.session import Session
from pbem.terminal.printing import say
from pbem.text.clock import now
from pbem.wording.game_to_join import PASTE_INVITE_SENTENCE, joined_lines, next_line_after_join
from pbem.wording.joins import join_warnings
from pbem.wording.key_backup_loss_and_theft import back_up_reminder


def join(
    pasted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INVITE]",
            help="The invite that the referee sent you, or the whole line that contains it. Use - "
            "to paste the invite when pbem asks for it.",
        ),
    ] = None,
    invite: Annotated[str, typer.Option(help="The invite, as an option.")] = "",
    after: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="Take a seat in the game that follows an old game. GAME is the folder, address or "
            "title of the old game; pbem finds the invite among your messages in it.",
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(
            help="The name to play under, if it is not the one that the referee gave you."
        ),
    ] = "",
    recovery: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="Your recovery key: the name of its profile, or the public half of a key that you "
            "keep elsewhere.",
        ),
    ] = "",
    contact: Annotated[
        str, typer.Option(help="How the referee can reach you, such as your email address.")
    ] = "",
    profile: ProfileOption = "default",
    folder: FolderOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Take your seat in a game."""
    if after:
        invite = invite_after(after)
    invite, place = split_invite(_typed_invite(invite or " ".join(pasted or ())))
    # a pasted line may also name the folder of the game
    pasted_folders = (word for word in pasted or () if read_game_id(Folder(Path(word))))
    folder = folder or place or next(pasted_folders, None)
    session = Session(folder or invited_place(invite), None, passphrase_file)
    try:
        record = take_seat(session, invite, name, contact, profile, recovery=recovery)
    except NoGameError as error:
        if not session.place.is_remote:
            error.hint = "if the game came by mail, first type: pbem receive FILE"
        raise
    note_if_writable(session.game_home.sightings.note_dates, [], now())
    print("\n".join(joined_lines(session.charter, record)))
    for line in join_warnings(session):
        say(line)
    step = step_after_signing(mail_method(session))
    next_line = next_line_after_join(step, session.place)
    print("\n".join([*back_up_reminder(session, profile), next_line]))


def _typed_invite(text: str) -> str:
    """Return the text; if it is empty or `-`, a line of standard input, for which a terminal first
    asks. Without a terminal, an empty text is returned as it is."""
    is_terminal = sys.stdin.isatty()
    if text.strip() != "-" and (text.strip() or not is_terminal):
        return text
    if is_terminal:
        say(PASTE_INVITE_SENTENCE)
    return sys.stdin.readline()
