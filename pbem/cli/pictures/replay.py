"""The command `replay`: write a game as one web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.failure import NOT_YET, CliError, say
from pbem.cli.options import NoPressOption, PassphraseOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.play.press.read_messages import Message
    from pbem.play.view import View
    from pbem.storage.folder import SharedFolder

TABLE = "table"
"""The value of `--as` that asks for a spectator's view."""
FolderArgument = Annotated[
    str | None, Argument(metavar="FOLDER", help="The game folder (default: here).")
]
OutputOption = Annotated[
    Path | None,
    Option(
        "-o",
        "--output",
        metavar="FILE",
        help="The file to write (default: a page beside the game folder).",
    ),
]
AsOption = Annotated[
    str,
    Option(
        "--as",
        metavar="SEAT",
        help="Show the game as one of your seats sees it, or as everybody does (table). "
        "Default: all hands "
        "if the game is over, otherwise the table.",
    ),
]


def replay(
    folder: FolderArgument = None,
    output: OutputOption = None,
    seat: AsOption = "",
    start: Annotated[
        int | None, Option("--from", metavar="TURN", help="The first turn (default: 1).")
    ] = None,
    stop: Annotated[
        int | None, Option("--to", metavar="TURN", help="The last turn (default: all).")
    ] = None,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Write a game as one web page: step through it without a server or a network."""
    from pbem.cli.session.session import Session
    from pbem.records.joining import slug
    from pbem.screen.terminal import brief

    wish = "" if seat == TABLE else seat
    session = Session(folder, wish or None, passphrase_file)
    view = view_to_show(session, seat)
    turns = _turns(view, start, stop)
    path = output or session.folder.beside / f"{slug(view.title)}.html"
    messages = [] if no_press else messages_for(session, view)
    size = write_replay(view, turns, path, session.folder, messages)
    print(f"wrote {brief(path)} ({size:,} bytes): {what_it_shows(view, turns)}")
    if view.seat in view.names and not view.over:
        say(
            f"the page shows the hand of seat {view.seat}, so show it to nobody until the game "
            "is over"
        )


def write_replay(
    view: View, turns: range, path: Path, folder: SharedFolder, messages: Sequence[Message] = ()
) -> int:
    """Write the page of these turns outside the game folder; return its size in bytes.

    Raises CliError if a file with other contents has this name, StorageError if writing fails.
    """
    from pbem.cli.pictures.write_picture import write_picture
    from pbem.replay.page import BEGINS

    return write_picture(path, page_text(view, turns, messages), BEGINS, view, folder)


def page_text(view: View, turns: range, messages: Sequence[Message] = ()) -> str:
    """Return the web page of these turns, as HTML."""
    from pbem.replay.page import replay_page
    from pbem.screen.scores import score_lines

    ends = view.over and turns[-1] == view.turn
    about = f"{what_it_shows(view, turns)}."
    return replay_page(view, turns, about, score_lines(view) if ends else [], messages)


def messages_for(session: Session, view: View) -> list[Message]:
    """Return the messages that the page may show: those to everybody, and those that its seat sent
    or received.

    A page with all hands has only messages to everybody.
    """
    from pbem.cli.press.messages_here import MessagesHere

    here = MessagesHere(session, view)
    here.mine = [view.seat] if view.seat in view.names else []
    return here.read()


def what_it_shows(view: View, turns: range) -> str:
    """Say which turns a page shows and who could see that: `turns 1 to 9, with all hands`."""
    from engine import ALL
    from pbem.screen.terminal import clean

    which = f"turns {turns[0]} to {turns[-1]}" if len(turns) > 1 else f"turn {turns[0]}"
    if view.seat == ALL:
        return f"{which}, with all hands"
    if not view.seat:
        return f"{which}, as a spectator sees them"
    return f"{which}, as {clean(view.names[view.seat])} (seat {view.seat}) sees them"


def open_view(session: Session) -> View | None:
    """Return the view with all hands; None if `final` is missing or the audit finds a fault."""
    from pbem.play.auditing.audit import audit
    from pbem.replay.steps import all_hands

    if session.game_folder.final() is None:
        return None
    report = audit(session.folder)
    return all_hands(session.reading.fresh_view(""), report.log) if report.proven else None


def view_to_show(session: Session, seat: str) -> View:
    """Choose the view that the page shows. Raises CliError before turn 1 or for somebody else's
    seat."""
    if seat and seat != TABLE:
        session.need_seat()
        return session.view()
    session.reading.need_turn()
    opened = None if seat == TABLE else open_view(session)
    return opened or session.reading.fresh_view("")


def _turns(view: View, start: int | None, stop: int | None) -> range:
    """Return the turns that were asked for. Raises CliError for turns that are not published."""
    most = view.published
    first, last = 1 if start is None else start, most if stop is None else stop
    if not 1 <= first <= last <= most:
        if not most:
            raise CliError("there is no turn to show yet", "pbem status", NOT_YET)
        told = f"there are no turns from {first} to {last}; the last turn is {most}"
        raise CliError(told, f"--from 1 --to {most}")
    return range(first, last + 1)
