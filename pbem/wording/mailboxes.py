"""A mailbox and its test in words, and addresses of notifications."""

from __future__ import annotations

from typing import Final

TEST_MAILBOX_STEP: Final = "next: pbem post test"
_TEST_PROFILE_STEP: Final = "next: pbem post test --profile {profile}"
RUN_STEP: Final = "next: pbem run"
TEST_NOTIFICATION_STEP: Final = "next: pbem notify test"
NO_ADDRESSES_SENTENCE: Final = "there are no addresses yet; next: pbem notify add URL"
_ARRIVED_TEST: Final = "the message arrived after {seconds:.0f} s; everything works"
_FOLDERS: Final = "folder: {folder}; new games go to {games}"
WAITING_MAIL: Final = "waiting"
REFUSED_MAIL: Final = "refused by the server"


def mailbox_step(profile: str) -> str:
    """Return the next step after a mailbox is set up; `profile` is empty for the usual one."""
    return _TEST_PROFILE_STEP.format(profile=profile) if profile else TEST_MAILBOX_STEP


def arrived_test_line(seconds: float) -> str:
    """Say that the test message has arrived."""
    return _ARRIVED_TEST.format(seconds=seconds)


def folders_line(folder: str, games: str) -> str:
    """Return the folder of a mailbox, and where new games are made."""
    return _FOLDERS.format(folder=folder, games=games)
