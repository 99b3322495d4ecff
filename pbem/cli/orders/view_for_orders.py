"""Find the view for which orders are written, or raise an error that says why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import STALE, CliError
from pbem.storage.errors import FileError
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


def need_view(session: Session, *, fresh: bool = False) -> View:
    """Return the view of the user's seat. Raises an error if the game has not begun."""
    return need_seated(session, session.view(fresh))


def need_seated(session: Session, view: View) -> View:
    """Return the view if its seat can still give orders. Raises FileError, CliError."""
    if session.gaps:
        where = turn_path(session.gaps[0])
        raise FileError("parent", where, "is missing, but later turns are here; get it first")
    if not view.seat:
        session.need_seat()
    if view.over:
        raise CliError("the game is over; no more orders are accepted", "pbem audit", STALE)
    if view.seat in view.conceded:
        told = "you have conceded: orders of your seat no longer count"
        raise CliError(told, "pbem status", STALE)
    if view.seat in view.removed:
        told = "your seat was removed from the game, because it was silent for too long"
        raise CliError(f"{told}: its orders no longer count", "pbem status", STALE)
    return view


def need_open(session: Session, view: View) -> View:
    """Return the view if orders can be given now. Raises CliError if the answer is final."""
    from pbem.cli.status.game_status import read_status
    from pbem.cli.status.my_orders import answered_for_good

    if told := answered_for_good(session, view):
        raise CliError(told, read_status(session).next, STALE)
    return view
