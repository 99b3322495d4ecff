"""Whether a new turn seems to have a wrong date: this computer's clock, or a typed time, against
the files of the game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from pbem.errors import NOT_YET, CliError
from pbem.files.folder import Name
from pbem.judge.record_files import file_name
from pbem.person.user_game import UserGame
from pbem.records.policies import DAY
from pbem.records.turn import Turn
from pbem.text.clock import is_typed, now
from pbem.text.dates import local_date, span

if TYPE_CHECKING:
    from pbem.judge.turn_inputs import Outcome

MAX_DIFFERENCE_SECONDS: Final = 14 * DAY
"""The largest difference between a turn's date and the clock, or everything else in the game."""
GO_ON_HINT: Final = "to go on all the same: pbem advance --time-is-right"


def clock_doubt(game: UserGame, outcome: Outcome) -> CliError | None:
    """Return why a new turn seems to have a wrong date; None if it does not.

    A turn that is dated far ahead spoils the game: no later turn can have an earlier date. In a
    turn that is dated long ago, nobody has time to answer. A typed time is compared with the clock
    as well.
    """
    turn = outcome.write[0][1].content if outcome.write else None
    if not isinstance(turn, Turn):
        return None
    date, hint = turn.time, "if it is right: pbem advance --time-is-right"
    file_dates, previous_turn = _dates(game, turn)
    seconds_before = 0 if previous_turn or is_typed() else file_dates[0] - now()
    if seconds_before > MAX_DIFFERENCE_SECONDS:
        clause = f"this computer's clock says {local_date(now())}, {span(seconds_before)} before"
        return CliError(f"{clause} the game was made", f"set the clock; {hint}", NOT_YET)
    if not is_typed() and date > now() + MAX_DIFFERENCE_SECONDS:
        sentence = f"this computer's clock says {local_date(now())}, {span(date - now())} before "
        sentence += f"the last turn, and no turn can have an earlier date ({local_date(date)})"
        hint = f"set the clock; if it is right, type pbem notice clock; {GO_ON_HINT}"
        return CliError(sentence, hint, NOT_YET)
    # a later file proves nothing
    newest_date = max((seconds for seconds in file_dates if seconds < date + DAY), default=0)
    if previous_turn:
        newest_date = max(newest_date, previous_turn.time, previous_turn.deadline)
    newest_date = max(newest_date, int(time.time())) if is_typed() else newest_date
    # a host tells no times of files
    if not newest_date or date <= newest_date + MAX_DIFFERENCE_SECONDS:
        return None
    subject = "the time that you typed is" if is_typed() else "this computer's clock says"
    sentence = f"{subject} {local_date(date)}, {span(date - newest_date)} after "
    sentence += "the last turn, its deadline and all that players have sent"
    sentence += ", and after the clock's time" if is_typed() else f" ({local_date(newest_date)})"
    return CliError(sentence, f"set the clock; {hint}", NOT_YET)


def _dates(game: UserGame, turn: Turn) -> tuple[list[int], Turn | None]:
    """Return when the players' files that count in a new turn came here (others are anybody's
    junk), and the turn before; for turn 1, when the charter came, then the joins, and None."""
    listing, game_folder = game.listing, game.game_folder
    plays = game_folder.charter.content.plays
    names, previous_turn = [Name("charter")], None
    if turn.joins is not None:
        names += [Name("join", seat=s, short_id=i.hex()[:6]) for s, i in turn.joins.items()]
    else:
        previous_turn = game_folder.turn(listing.turns[listing.reached - 1]).content
        find_orders = game_folder.find_orders(lambda _kind, _key: True)
        order_sets = [entry for entry in turn.orders if entry.status in ("accepted", "replaced")]
        names = [file_name(find_orders(entry.id)) for entry in order_sets]
        notice_ids = [entry.id for entry in turn.notices if entry.seat]  # not by the referee
        names += [file_name(game_folder.find_notice(notice_id)) for notice_id in notice_ids]
    marks = listing.marks
    file_marks = [marks.get(name.path) for name in names if name.seat not in plays]
    return [mark.mtime_ns // 10**9 for mark in file_marks if mark], previous_turn
