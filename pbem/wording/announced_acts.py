"""Announced acts in words: what each brings about and when, and how to cancel it."""

from __future__ import annotations

from typing import Final

from pbem.judge.game_view import View
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct, Standing
from pbem.person.announced_acts_against_user import AnnouncedLoss, announced_losses
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import standing_now
from pbem.terminal.clean_text import clean
from pbem.text.dates import local_date
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.notices import describe_announcement

CANCEL_COMMAND: Final = "pbem notice end --no"
"""The command that shows that a player is there, and so cancels acts against the player."""
_ANNOUNCED: Final = "in the first turn after {date}: {announcement}"
_ONLY_RECOVERY_CANCELS: Final = (
    "{announcement}; the only way to prevent this is to sign another new key with the seat's "
    "recovery key"
)
_YOU_CAN_CANCEL: Final = TerminalText(
    "{announcement}; to prevent this, send orders[[, or type: {command}]]"
)
_SEAL_TO_CANCEL: Final = "{loss}; to prevent this, send orders, or type: {command}"
_OTHERS_CAN_CANCEL: Final = "{announcement}; only {people} can still prevent this"
_SUBJECTS: Final = {"vote": "the end of the game", "vouch": "the new key for your seat"}


def describe_announced_act(act: AnnouncedAct) -> str:
    """Say what an announced act brings about, and when."""
    announcement = describe_announcement(act.kind, act.fields)
    return _ANNOUNCED.format(announcement=announcement, date=local_date(act.effective_at))


def describe_loss(loss: AnnouncedLoss) -> str:
    """Return what will happen and when, unless you cancel it."""
    return clean(describe_announced_act(loss.announced_act))


def new_key_command(profile: str, seat: str = "") -> str:
    """Return the command that gives a seat a new key, signed with this profile's recovery key; a
    key that several seats name needs the seat."""
    return f"pbem notice key --recovery {profile}{f' --as {seat}' if seat else ''}"


def cancel_command(loss: AnnouncedLoss) -> str:
    """Return the command that cancels a loss."""
    if loss.recovery_profile:
        return new_key_command(loss.recovery_profile, loss.ambiguous_seat)
    return CANCEL_COMMAND


def say_cancel(loss: AnnouncedLoss) -> str:
    """Return the command that cancels a loss, and what it is for."""
    subject = _SUBJECTS.get(loss.announced_act.kind, "the new player for your seat")
    return f"{cancel_command(loss)} (cancels {subject})"


def cancel_line(loss: str) -> str:
    """Return a line for somebody who writes orders about a loss that they can still cancel."""
    return _SEAL_TO_CANCEL.format(loss=loss, command=CANCEL_COMMAND)


def announced_act_line(standing: Standing, act: AnnouncedAct, user_seat: str) -> str:
    """Return a line about an announced act, and how to cancel it."""
    announcement = describe_announced_act(act)
    if act.disputed:
        return clean(_ONLY_RECOVERY_CANCELS.format(announcement=announcement))
    if user_seat and user_seat in act.cancels:
        return clean(_YOU_CAN_CANCEL.format(announcement=announcement, command=CANCEL_COMMAND))
    names = [standing.names[seat] for seat in act.cancels if seat != user_seat]
    return clean(_OTHERS_CAN_CANCEL.format(announcement=announcement, people=" or ".join(names)))


_LOSS: Final = (
    "In the first turn after {date}: {announcement}. To prevent this, choose something below, "
    "or write: vote no"
)


def loss_sentence(act: AnnouncedAct) -> str:
    """Tell a player without pbem about an announced loss, and how to cancel it."""
    announcement = clean(describe_announcement(act.kind, act.fields))
    return _LOSS.format(date=local_date(act.effective_at), announcement=announcement)


def announced_acts_data(session: Session, view: View) -> list[dict[str, object]]:
    """Return the acts that can still be cancelled, as data."""
    if not session.listing.notices or view.is_over or view.preview:
        return []
    return [
        {
            "about": act.kind,
            "seat": act.seat,
            "told": describe_announcement(act.kind, act.fields),
            "until": act.effective_at,
            "cancels": act.cancels,
        }
        for act in standing_now(session).announced_acts
    ]


def lines_on_losses(session: Session, view: View) -> list[str]:
    """Tell a player without `pbem` of announced losses, and how to cancel each."""
    return [loss_sentence(loss.announced_act) for loss in announced_losses(session, view)]
