"""Orders of mine that do not count: told to me by `status`, not only to an auditor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View

MOST = 3
"""Orders that are named; the newest of them."""
WHY = {
    "late": "came too late",
    "forked": "answer another chain of turns than this one",
    "unopenable": "could not be opened",
}


def passed_over(session: Session, view: View) -> list[str]:
    """What of my orders the last turn refused, and what was sealed after its turn was made."""
    if view.seat in view.plays:
        return []  # the referee's own are in time; an older revision of them is listed as late
    lines = [
        f"your orders {order[:6]} do not count: they {WHY.get(reason, reason)} "
        f"(turn {view.turn} refused them)"
        for order, reason in view.passed_over[:MOST]
    ]
    return lines + _unlisted(session, view)


def _unlisted(session: Session, view: View) -> list[str]:
    if not view.seat or view.over:
        return []
    key, lines = session.public_of(view.seat), list[str]()
    mine = [
        found
        for found in session.listing.orders
        if (found.name.seat, found.name.digits in view.listed) == (view.seat, False)
        and found.name.turn < view.published
    ]
    for found in sorted(mine, key=lambda f: (f.name.turn, f.name.revision), reverse=True)[:MOST]:
        for record in session.game_folder.orders_signed_by(found, key):
            turn, digits = record.content.turn, record.id.hex()[:6]
            told = f"{clean(view.referee)} had made turn {turn + 1} without them"
            lines.append(f"your orders {digits} for turn {turn} came too late: {told}")
    return lines
