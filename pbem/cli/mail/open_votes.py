"""Tell a player without `pbem` how others voted to end the game, and how to agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


def votes_of_others(session: Session, view: View) -> list[str]:
    """Return a sentence for each player who has voted to end the game, and how to agree."""
    from pbem.cli.notices.notice_here import votes_here
    from pbem.records.notices.sayings import DRAW

    if not session.listing.notices or view.over:
        return []
    votes = votes_here(session)
    return [
        f"{clean(view.names[voter])} votes {vote_words(result)}. If you want the same, write: "
        f"vote {'draw' if result == DRAW else 'end'}"
        for voter, result in sorted(votes.items())
        if voter != view.seat and votes.get(view.seat) != result
    ]


def vote_words(result: str) -> str:
    """Say what a vote wants, in words."""
    from pbem.records.notices.sayings import DRAW, PLAY_ON

    if result == PLAY_ON:
        return "to play on"
    return f"to end the game {'as a draw' if result == DRAW else 'with the scores as they are'}"
