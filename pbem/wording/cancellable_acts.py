"""Words for the announced acts that the user can still cancel."""

from __future__ import annotations

from typing import Final

from pbem.person.cancellable_acts import AnnouncedLoss
from pbem.terminal.terminal import clean
from pbem.wording.agreements import CANCEL_COMMAND, describe_announced_act

_SUBJECTS: Final = {"vote": "the end of the game", "vouch": "the new key for your seat"}


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
