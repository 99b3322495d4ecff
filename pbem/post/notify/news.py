"""Find what a person wants to be told about a game: their move, a deadline that is near, the end.

A notification contains only what every player sees: the game's title, the turn, the kinds of
question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.cli.session.session import Session
from pbem.screen.scores import end_sentence
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.play.view import View

NEAR: Final = 0.25
"""A deadline is near when this part of the time is left."""


class News(NamedTuple):
    """One notification."""

    key: str
    """A name for the news, so that the same news is told only once."""
    title: str
    text: str
    """The sentence to send; if empty, nothing is sent, but the key is remembered."""
    after: str = ""
    """The key of earlier news without which this one is not sent."""


def news_of(session: Session) -> list[News]:
    """Return what is new in a game for the owner of this home. Raises what commands raise."""
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
    seen = f"{game} goes on"  # games that were over before are not news
    if view.over:
        return [News(f"{game} over", title, f"The game is over: {end_sentence(view)}.", after=seen)]
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
    """Return when the deadline of the last turn will be near; 0 if there is no deadline to wait
    for."""
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
