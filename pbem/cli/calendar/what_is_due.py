"""Find what is due in your games, as events for a calendar.

An event contains only what every player of that game may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.clock import now
from pbem.screen.terminal import clean
from pbem.storage.store.address import Place, is_gone

if TYPE_CHECKING:
    from pbem.cli.deadlines.due import Due
    from pbem.cli.status.game_status import GameStatus
    from pbem.play.view import View
    from pbem.storage.private.home import Home
    from pbem.text.ics_file import Event

    Found = tuple[list[Event], list[str]]
    """The events, and notes on games that have none."""


def everywhere() -> Found:
    """Find what is due in all games that the home knows; add a note on each game that cannot be
    read."""
    from pbem.cli.failure import CliError
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError
    from pbem.storage.private.home import Home

    home = Home.find()
    events: list[Event] = []
    notes: list[str] = []
    for ident in home.games():
        place = home.game(ident).place
        if place is None or is_gone(place):
            continue
        try:
            found, said = due_here(place, home, ident)
        except (RecordError, StorageError, NoGameError, CliError) as error:
            found, said = [], [f"{place} cannot be read: {getattr(error, 'sentence', error)}"]
        events += found
        notes += said
    return sorted(events, key=lambda event: (event.start, event.uid)), notes


def due_here(place: str | Place, home: Home | None = None, ident: str = "") -> Found:
    """Find what is due in the game in one folder. Raises NoGameError, FileError, CliError.

    If `ident` is given and the folder now contains a different game, nothing is due.
    """
    from pbem.cli.session.session import Session
    from pbem.cli.status.before_turn_one import BeforeTurnOne
    from pbem.cli.status.game_status import read_status

    session = Session(place, home=home)
    if ident and session.game_folder.game.hex() != ident:
        return [], []
    status = read_status(session)
    if isinstance(status, BeforeTurnOne) or status.view.over:
        return [], []
    return _due(status)


def _due(status: GameStatus) -> Found:
    from pbem.cli.deadlines.due import due_of

    view = status.view
    asked = view.awaited.keys() - view.away.keys() - status.sealed - status.answered
    asked |= view.awaited.keys() & {*status.late}  # sealed orders may leave a question open
    mine = [seat for seat in status.session.roles.seats if seat in asked]
    waits = sorted(asked - {*view.plays})
    if not mine and not (status.session.roles.referee and waits):
        return [], []
    due, title = due_of(view), clean(view.title)
    if not due or view.preview:
        return [], [
            f"{title} is waiting {'for you' if mine else 'for players'}, and there is no deadline"
        ]
    return [_event(view, due, mine, waits)], []


def _event(view: View, due: Due, mine: list[str], waits: list[str]) -> Event:
    """Return the calendar event for your orders or, if you are only the referee, for the turn."""
    from pbem.screen.tell_entries import listed
    from pbem.text.ics_file import Event

    title = clean(view.title)
    kinds = dict.fromkeys(kind for seat in mine for kind in view.awaited[seat])
    if mine:
        told = f"{title}: your orders for turn {view.turn} ({', '.join(kinds)})"
        text = (
            "After this deadline, the least harmful choice is made for you.\nNext: pbem "
            "orders --edit"
        )
        start = due.deadline
    else:
        told = f"{title}: turn {view.turn} is over"
        who = listed(clean(view.names[seat]) for seat in waits)
        text = f"As of {_day(now())}, the game is waiting for {who}.\nNext: pbem advance"
        start = due.counts
    if due.grace:
        text += f"\nOrders count until {_day(due.counts)}."
    left = start - due.made
    early = tuple(part for part in (left // 2, left // 4) if 60 <= part < start - now())
    uid = f"{view.game[:32]}-{view.asked_by}@pbem"  # the same when a delay moves the deadline
    return Event(uid, start, told, text, early)


def _day(seconds: int) -> str:
    from pbem.text.dates import utc_date

    return utc_date(seconds)
