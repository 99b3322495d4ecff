"""Replays and pictures: whose view a replay shows, its messages and its page; write it, or a
picture, and never replace a file that pbem did not make."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine import ALL
from pbem.errors import CliError, PbemError
from pbem.files.disk import read_if_there, replace
from pbem.files.file_errors import FileError
from pbem.files.game_folder import SharedFolder
from pbem.judge.game_view import View
from pbem.judge.read_and_make_messages import Message
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.wording.results import score_lines
from pbem.wording.view_headings import turns_seen_by, turns_with_all_hands

TABLE_VIEWER = "table"
"""The value of `--as` that asks for a spectator's view."""


def page_text(view: View, turns: range, messages: Sequence[Message] = ()) -> str:
    """Return the web page of these turns, as HTML."""
    from pbem.replay.page import replay_page

    ends = view.is_over and turns[-1] == view.turn
    subject = f"{what_it_shows(view, turns)}."
    return replay_page(view, turns, subject, score_lines(view) if ends else [], messages)


def messages_for(session: Session, view: View) -> list[Message]:
    """Return the messages that the page may show: those to everybody, and those that its seat sent
    or received.

    A page with all hands has only messages to everybody.
    """
    messages_here = MessagesHere(session, view)
    messages_here.roles = [view.seat] if view.seat in view.names else []
    return messages_here.read()


def what_it_shows(view: View, turns: range) -> str:
    """Name the turns on a page and its viewpoint: `turns 1 to 9, with all hands`."""
    if view.seat == ALL:
        return turns_with_all_hands(turns)
    return turns_seen_by(turns, view.seat, view.names.get(view.seat, ""))


def view_to_show(session: Session, seat: str) -> View:
    """Choose the view that the page shows: of a seat, with all hands if an audit proves the game,
    else the table's. Raises CliError before turn 1 or for somebody else's seat."""
    if seat and seat != TABLE_VIEWER:
        session.need_seat()
        return session.view()
    session.need_turn()
    view = session.fresh_view("")
    return view if seat == TABLE_VIEWER else with_all_hands(session, view)


def with_all_hands(session: Session, view: View) -> View:
    """Return the view with every hidden card shown, if the game is over and an audit of all files
    proves it; else the view as it is."""
    try:
        if session.game_folder.final() is None:
            return view
    except PbemError:  # a damaged `final` opens nothing; the audit says what is wrong with it
        return view
    from pbem.judge.audit import audit
    from pbem.replay.steps import view_with_all_hands

    report = audit(session.folder)
    return view_with_all_hands(view, report.log) if report.proven else view


def write_replay(
    view: View, turns: range, path: Path, folder: SharedFolder, messages: Sequence[Message] = ()
) -> int:
    """Write the page of these turns outside the game folder; return its size in bytes.

    Raises CliError if a file with other contents has this name, StorageError if writing fails.
    """
    from pbem.replay.page import DOCTYPE

    return write_picture(path, page_text(view, turns, messages), DOCTYPE, view, folder)


MAX_PICTURE_BYTES = 32 << 20
"""The most bytes that are read of a file with this name; no picture is larger."""


def write_picture(path: Path, text: str, beginning: str, view: View, folder: SharedFolder) -> int:
    """Write the text and return its number of bytes. A file that `pbem` made before is replaced.

    `beginning` is the text with which all files of this kind begin. Nothing is written into
    `folder`, the game folder, because other players see it. If the file shows what one seat of a
    running game knows, only its owner can read it. Raises CliError if a different file has the
    name, StorageError if writing fails.
    """
    assert text.startswith(beginning)
    if folder.contains(path):
        problem = f"{path} would be in the game folder, which other players can see"
        raise CliError(problem, f"choose a path outside it: {shell_quote(Path('..') / path.name)}")
    try:
        old_data = read_if_there(path, MAX_PICTURE_BYTES)
    except FileError:  # the name belongs to a link or a folder
        old_data = b""
    if old_data is not None and not old_data.startswith(beginning.encode()):
        problem = f"{path} already exists and was not made by pbem, so pbem does not overwrite it"
        raise CliError(problem, "give the path of a different file")
    data = text.encode("utf-8")
    replace(path.absolute(), data, private=view.seat in view.names and not view.is_over)
    return len(data)
