"""The view that orders are written against, or an error that says why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import STALE, CliError
from pbem.storage.errors import FileError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


# ------------------------------------------------------------------ what they share
def need_view(session: Session, *, fresh: bool = False) -> View:
    """The view of the user's seat in a game that has begun."""
    view = session.view(fresh)
    if session.gaps:
        where = f"turns/{session.gaps[0]:04}.toml"
        raise FileError("parent", where, "is missing, but later turns are here; get it first")
    if not view.seat:
        session.need_seat()
    if view.over:
        raise CliError("the game is over; no more orders are taken", "pbem audit", STALE)
    return view


def need_open(session: Session, view: View) -> View:
    """The view, if orders can be given now. Raises CliError if the answer is final."""
    from pbem.cli.orders.open_questions import answered_inside
    from pbem.cli.turns.status_report import Standing

    if told := answered_inside(session, view):
        raise CliError(told, Standing(session).step, STALE)
    return view
