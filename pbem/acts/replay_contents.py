"""What a replay shows: whose view, the messages, and the page with both."""

from __future__ import annotations

from collections.abc import Sequence

from engine import ALL
from pbem.errors import PbemError
from pbem.judge.game_view import View
from pbem.judge.messages import Message
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
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
    from pbem.replay.steps import all_hands

    report = audit(session.folder)
    return all_hands(view, report.log) if report.proven else view
