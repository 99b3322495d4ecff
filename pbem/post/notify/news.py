"""What a person wants to be told about a game: their move, a deadline that is near, the end.

Only what every player sees is in a notification: the game's title, the turn, the kinds of question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.cli.session.session import Session
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.play.view import View

NEAR: Final = 0.25
"""The part of the time that is left when a deadline is near."""


class News(NamedTuple):
    """One notification."""

    key: str
    """The same news has the same key, and is told once."""
    title: str
    text: str
    """Empty: there is nothing to tell, but it is remembered."""
    after: str = ""
    """Tell it only if the news with this key was remembered before."""


def news_of(session: Session) -> list[News]:
    """What is new in a game for the person whose home this is. Raises what commands raise."""
    if not session.listing.reached:
        return []
    roles = session.roles
    mine = sorted(roles.seats.keys() - roles.held - roles.mail)
    found: list[News] = []
    for seat in mine or ([""] if roles.referee else []):
        one = Session(session.place, seat or None, home=session.home, keyring=session.keyring)
        found += _of_view(one, one.view())
    return found


def _of_view(session: Session, view: View) -> list[News]:
    from pbem.cli.deadlines.due import due_of
    from pbem.cli.status.game_status import sealed_seats

    game, title, seat = view.game[:16], clean(view.title), view.seat
    seen = f"{game} goes on"  # games that were over before are no news
    if view.over:
        return [News(f"{game} over", title, "The game is over.", after=seen)]
    if seat not in view.awaited or seat in sealed_seats(session, view):
        return [News(seen, title, "")]
    due, kinds = due_of(view), ", ".join(view.awaited[seat])
    until = f", until {due.words}" if due else ""
    found = [News(seen, title, "")]
    found += [News(f"{game} {view.turn} {seat}", title, f"It is your move: {kinds}{until}.")]
    if due and 0 < due.left <= NEAR:
        told = f"The deadline is near: {kinds}{until}."
        found.append(News(f"{game} {view.turn} {seat} near", title, told))
    return found


def near_moment(session: Session) -> int:
    """When the deadline of the last turn will be near; 0 if there is none, or nobody waits."""
    from pbem.cli.deadlines.due import due_of

    if not session.listing.reached:
        return 0
    roles = session.roles
    mine = sorted(roles.seats.keys() - roles.held - roles.mail)
    if not mine:
        return 0
    view = Session(session.place, mine[0], home=session.home, keyring=session.keyring).view()
    due = due_of(view) if not view.over else None
    return due.deadline - int((due.deadline - due.made) * NEAR) if due else 0
