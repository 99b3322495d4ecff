"""The games of a person in the words of `list`: a line for each, and for one that the list no
longer shows."""

from __future__ import annotations

from typing import Final

from pbem.judge.deadline_status import DeadlineStatus
from pbem.judge.game_view import View
from pbem.person.situation import Situation, is_out
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import TerminalText, join_texts
from pbem.wording.deadlines_and_absences import COME_BACK, describe_deadline

NO_GAMES_SENTENCE: Final = TerminalText(
    "there are no games yet[[; next: pbem new, or pbem join with an invite]]"
)
GONE_FOLDER_STATE: Final = (
    "the game's folder is no longer there. If you moved the folder, run any pbem command in it "
    "once. If you lost the folder, ask another player for a copy"
)
_FORGET_GAME: Final = "to leave the game out of this list: pbem list --forget {digits}"
_UNREADABLE_GAME: Final = "cannot be read: {reason}"
OTHER_GAME_SENTENCE: Final = (
    "the game's folder contains a different game now. If you moved the game, run any pbem command "
    "in its new folder once"
)
NOT_BEGUN_CLAUSE: Final = "not begun"
_RUNNING_GAME: Final = "{ruleset}, turn {turn}"
_OVER_GAME: Final = "{ruleset}, over"
_CONCEDED_CLAUSE: Final = "you have conceded"
_REMOVED_CLAUSE: Final = "you were removed"
_DEADLINE: Final = "{state}, deadline {deadline}"
_PAST_DEADLINE: Final = "{state}, deadline {deadline} (passed)"


def forget_game_step(game_digits: str) -> str:
    """Return what to type to leave a game out of the list whose folder is gone."""
    return _FORGET_GAME.format(digits=game_digits)


def unreadable_state(reason: str) -> str:
    """Say why a game cannot be read."""
    return _UNREADABLE_GAME.format(reason=reason)


def game_state(view: View, situation: Situation) -> str:
    """Return the ruleset and turn of a game that has begun, and whether the user is away."""
    template = _OVER_GAME if view.is_over else _RUNNING_GAME
    state = template.format(ruleset=view.ruleset, turn=view.turn)
    reason = view.absence_reasons.get(view.seat, "")
    if is_out(view, view.seat):
        return f"{state}; {_CONCEDED_CLAUSE if reason == 'conceded' else _REMOVED_CLAUSE}"
    return f"{state}; {COME_BACK}" if reason and view.seat not in situation.sealed_seats else state


def state_with_deadline(state: str, status: DeadlineStatus, step: str) -> str:
    """Return the state of a game with its deadline and the next step, if there are any."""
    if status:
        template = _PAST_DEADLINE if status.is_over(now()) else _DEADLINE
        state = template.format(state=state, deadline=describe_deadline(status))
    return join_texts("; ", [state, step]) if step else state


# ---- A game that the list no longer shows

_FORGOTTEN: Final = (
    "pbem list no longer shows the game {digits}; to bring it back, run any pbem "
    "command in its folder"
)
_KEPT_FILES: Final = "your keys stay, and your private files of this game are still in {folder}"


def forgotten_game_lines(game_digits: str, private_folder: object) -> list[str]:
    """Say that a game is no longer in the list, and what is kept."""
    return [_FORGOTTEN.format(digits=game_digits), _KEPT_FILES.format(folder=private_folder)]
