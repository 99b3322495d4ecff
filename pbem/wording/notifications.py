"""Notifications in words, and the addresses to which they go."""

from __future__ import annotations

from typing import Final

from engine.counts_and_lists_in_prose import counted
from pbem.judge.deadline_status import DeadlineStatus
from pbem.text.clock import now
from pbem.wording.deadlines_and_absences import describe_deadline

_LOSS: Final = "{loss}. To prevent this: {command}"
_GAME_OVER: Final = "The game is over: {end}."
_YOUR_MOVE: Final = "It is your move: {kinds}."
_YOUR_MOVE_UNTIL: Final = "It is your move: {kinds}, until {deadline}."
_YOUR_LATE_MOVE: Final = "It is your move: {kinds}. The deadline has passed: {deadline}."
_DEADLINE_NEAR: Final = "The deadline is near: {kinds}, until {deadline}."
_TROUBLE: Final = "Something is wrong: {trouble}. `pbem run` says more."
_MORE_NOTIFICATIONS: Final = "And {count} more notifications."


def loss_notification(loss: str, command: str) -> str:
    """Say what the user will lose, and how to cancel it."""
    return _LOSS.format(loss=f"{loss[:1].upper()}{loss[1:]}", command=command)


def game_over_notification(end: str) -> str:
    """Say that a game is over."""
    return _GAME_OVER.format(end=end)


def move_notification(kinds: str, status: DeadlineStatus) -> str:
    """Say that it is the user's move, and until when."""
    template = _YOUR_MOVE_UNTIL if status else _YOUR_MOVE
    if status and status.deadline <= now():
        template = _YOUR_LATE_MOVE
    return template.format(kinds=kinds, deadline=describe_deadline(status))


def deadline_notification(kinds: str, status: DeadlineStatus) -> str:
    """Say that the user's deadline is near."""
    return _DEADLINE_NEAR.format(kinds=kinds, deadline=describe_deadline(status))


def trouble_notification(trouble: str) -> str:
    """Say that `pbem run` is in trouble."""
    return _TROUBLE.format(trouble=trouble)


def more_notifications(count: int) -> str:
    """Say how many notifications were left out."""
    return _MORE_NOTIFICATIONS.format(count=count)


# ---- The addresses to which they go

UNKNOWN_ADDRESS_CLAUSE: Final = "(pbem can no longer use this address; remove it, and add it again)"
"""An address of notifications that no service understands any more."""
TEST_NOTIFICATION: Final = "This is a test. pbem run will tell you when it is your move."
TEST_NOTIFICATION_STEP: Final = "next: pbem notify test"
NO_ADDRESSES_SENTENCE: Final = "there are no addresses yet; next: pbem notify add URL"
_SENT_TEST: Final = "sent the test to {addresses}"


def sent_test_line(address_count: int) -> str:
    """Say to how many addresses a test was sent."""
    return _SENT_TEST.format(addresses=counted(address_count, "address", "addresses"))
