"""Keys in words: that there are none, and why to back one up."""

from __future__ import annotations

from typing import Final

from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.session import Session

NO_KEYS_SENTENCE: Final = (
    "there are no keys yet; pbem makes a key when you first need one. To make a key now: pbem "
    "keys new"
)


_BACK_UP_REASON: Final = "with this key file and {place}, you can always continue"
BACK_UP_REASON: Final = _BACK_UP_REASON.format(place="the game folder")
_BACK_UP: Final = "BACK UP {path}: {reason}"


def back_up_key_line(session: Session, profile: str) -> str:
    """Tell the user to back up the key file of a profile."""
    reason = BACK_UP_REASON
    if session.place.is_remote:
        reason = _BACK_UP_REASON.format(place=session.place)
    return _BACK_UP.format(path=session.home.key_path(profile), reason=reason)


def back_up_reminder(session: Session, profile: str) -> list[str]:
    """Return the line on the backup of a profile's key, for somebody who begins a game; for the
    usual profile, only in the first game."""
    other_games = {*session.home.games()} - {session.game_folder.game.hex()}
    needs_backup = profile != DEFAULT_PROFILE or not other_games
    return [back_up_key_line(session, profile)] if needs_backup else []
