"""Words for the announced acts that the user can still cancel."""

from __future__ import annotations

from typing import Final

from pbem.judge.standing import Wait
from pbem.person.losses import AnnouncedLoss
from pbem.screen.notice_words import describe_announcement
from pbem.screen.terminal import clean
from pbem.text.dates import local_date

CANCEL_COMMAND: Final = "pbem notice end --no"
"""The command with which a player cancels the announced acts against them."""
_SUBJECTS: Final = {"vote": "the end of the game", "vouch": "the new key for your seat"}


def describe_announced_act(announced_act: Wait) -> str:
    """Return what an announced act will do, and when."""
    announcement = describe_announcement(announced_act.about, announced_act.fields)
    return f"{announcement}, in the first turn from {local_date(announced_act.until)} on"


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
    subject = _SUBJECTS.get(loss.announced_act.about, "giving away your seat")
    return f"{cancel_command(loss)} (cancels {subject})"
