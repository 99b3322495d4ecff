"""The command `play`: answer a game's questions by numbers, without an editor."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import NOT_YET, CliError, say
from pbem.cli.options import (
    ColourOption,
    FolderOption,
    NoAdvanceOption,
    PassphraseOption,
    SeatOption,
    check_colour,
)

if TYPE_CHECKING:
    from pbem.cli.session.session import Session

NextOption = Annotated[
    bool,
    Option("--next", help="Go through all games that are waiting for you, one after the other."),
]


def play(
    next_: NextOption = False,
    no_advance: NoAdvanceOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    color: ColourOption = "auto",
    passphrase_file: PassphraseOption = None,
) -> None:
    """Enter your orders step by step: see what is new and what is asked, and choose by number."""
    from pbem.cli.session.session import Session

    check_colour(color)
    if isinstance(sys.stdin, io.TextIOWrapper):  # typed bytes that are no text match no answer
        sys.stdin.reconfigure(errors="backslashreplace")
    if not next_:
        _answer(Session(folder, seat, passphrase_file), color, not no_advance)
        return
    if folder or seat:
        raise CliError(
            "--next chooses the game, so it cannot be combined with -C or --as", "pbem play"
        )
    _answer_all(passphrase_file, color, not no_advance)


def _answer(session: Session, color: str, may_advance: bool) -> bool:
    """Ask the questions of one game; return whether orders were sealed."""
    from pbem.cli.planning.conversation import Conversation

    return Conversation(session, color, may_advance=may_advance).run()


def _answer_all(passphrase_file: Path | None, color: str, may_advance: bool) -> None:
    """Ask the questions of all games that wait for the user, in the order of `list`."""
    from pbem.cli.session.session import Session

    done: set[str] = set()
    while (place := _waiting(passphrase_file, done)) is not None:
        if done:
            print()
        done.add(str(place))
        say(f"the next game that is waiting for you: {place}")
        if not _answer(Session(place, None, passphrase_file), color, may_advance):
            return
    if not done:
        raise CliError("no game is waiting for you", "pbem list", NOT_YET)
    say("no other game is waiting for you")


def _waiting(passphrase_file: Path | None, done: set[str]) -> str | None:
    """Return the folder of the next game that waits for the user and was not asked about yet."""
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.status.list import games_of
    from pbem.storage.private.home import Home

    for one in games_of(Keyring(Home.find(), passphrase_file)):
        if one["asked"] and one["folder"] and one["folder"] not in done:
            return str(one["folder"])
    return None
