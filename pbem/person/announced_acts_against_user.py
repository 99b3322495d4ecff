"""Announced acts that take something from the user, who can still cancel them."""

from __future__ import annotations

from typing import NamedTuple

from pbem.judge.game_view import View
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import sort_new_notices

UNKNOWN_PROFILE = "PROFILE"
"""A placeholder for the name of a profile that is not on this computer."""


class AnnouncedLoss(NamedTuple):
    """An announced act that takes something from you, and that you can still cancel."""

    announced_act: AnnouncedAct
    recovery_profile: str = ""
    """The profile of the recovery key that alone can cancel it; empty if any sign of you does."""
    ambiguous_seat: str = ""
    """The seat to name, if that key can give a new key to another seat too."""


def announced_losses(session: Session, view: View) -> list[AnnouncedLoss]:
    """Return the announced acts that take a seat, its keys or the game from the viewer, unless the
    viewer has cancelled them; the act that takes effect first comes first.

    This alone decides that the next step is to cancel something. A second attempt at new keys is in
    the list only if the seat has a recovery key, because nothing else cancels it.
    """
    seat = view.seat
    if not seat or not session.listing.notices or view.is_over or view.preview:
        return []
    standing = sort_new_notices(session).next_standing
    announced_acts = [a for a in standing.announced_acts if a.effective_at and seat in a.cancels]
    if not announced_acts:
        return []
    key, recovery = standing.roster[seat].key, standing.roster[seat].recovery
    acts = [
        (seat, file.name.turn)
        for file in session.listing.orders
        if file.name.seat == seat and any(session.game_folder.orders_signed_by(file, key))
    ]
    losses = list[AnnouncedLoss]()
    for announced_act in announced_acts:
        if not announced_act.disputed and not announced_act.is_cancelled_by(acts):
            losses.append(AnnouncedLoss(announced_act))
        elif announced_act.disputed and recovery:
            profiles = session.keyring.publics.items()
            profile = next((name for name, key in profiles if key == recovery), UNKNOWN_PROFILE)
            joins = [join for join in standing.roster.values() if join.recovery == recovery]
            losses.append(AnnouncedLoss(announced_act, profile, seat if len(joins) > 1 else ""))
    return sorted(losses, key=lambda loss: loss.announced_act.effective_at)
