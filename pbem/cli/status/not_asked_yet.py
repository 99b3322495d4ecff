"""Who has said nothing for a round, in games that wait for everybody's orders for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.cli.session.session import Session
    from pbem.play.view import View


def not_asked_yet(session: Session, view: View, sealed: Collection[str]) -> list[str]:
    """The seats that are not asked now and have sent nothing for this round, as everybody sees it.

    Empty unless the charter waits for them. A seat whose standing orders answer everything is among
    them too, although the game does not wait for it.
    """
    from pbem.play.making.wait_for_round import waits_for_round

    if view.over or view.preview or not waits_for_round(session.game_folder.charter.content):
        return []
    others = set(view.names) - {*view.awaited, *view.plays, *sealed}
    return [seat for seat in sorted(others) if not _said(view, seat)]


def _said(view: View, seat: str) -> bool:
    """Whether the seat's orders in force answered a turn of this round."""
    answered = view.accepted.get(seat, 0) - 1
    number = view.table.state.round
    return answered > 0 and bool(view.table_at(answered).state.round == number)
