"""Whether a new turn seems to have a wrong date: this computer's clock, or a typed time, against
the files of the game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Literal

from engine.value_classes import Value
from pbem.files.record_file_names import Name
from pbem.judge.read_and_check_record_file import file_name
from pbem.person.user_game import UserGame
from pbem.records.turn import Turn
from pbem.text.clock import is_typed, now
from pbem.text.dates import DAY

if TYPE_CHECKING:
    from pbem.judge.turn_inputs_and_outcome import Outcome

MAX_DIFFERENCE_SECONDS: Final = 14 * DAY
"""The largest difference between a turn's date and the clock, or everything else in the game."""


class ClockDoubt(Value):
    """The facts that make the date of a new turn look wrong."""

    kind: Literal["before game", "before turn", "after records"]
    """The position of the clock's time, or of a typed time, among the dates of the game."""
    clock_date: int
    """The clock's time, or the typed time."""
    other_date: int
    """The date of the charter, of the last turn, or of the newest file that counts."""
    is_typed: bool
    """Whether the time is typed, and not the clock's."""


def find_clock_doubt(game: UserGame, outcome: Outcome) -> ClockDoubt | None:
    """Return why a new turn seems to have a wrong date; None if it does not.

    A turn that is dated far ahead spoils the game: no later turn can have an earlier date. In a
    turn that is dated long ago, nobody has time to answer. A typed time is compared with the clock
    as well.
    """
    turn = outcome.new_records[0][1].content if outcome.new_records else None
    if not isinstance(turn, Turn):
        return None
    date, clock_date = turn.time, now()
    file_dates, previous_turn = _dates(game, turn)
    if previous_turn is None and not is_typed():
        charter_date = file_dates[0]
        if charter_date - clock_date > MAX_DIFFERENCE_SECONDS:
            return ClockDoubt("before game", clock_date, charter_date, is_typed=False)
    if not is_typed() and date > clock_date + MAX_DIFFERENCE_SECONDS:
        return ClockDoubt("before turn", clock_date, date, is_typed=False)
    # a later file proves nothing
    newest_date = max((s for s in file_dates if s < date + DAY), default=0)
    if previous_turn:
        newest_date = max(newest_date, previous_turn.time, previous_turn.deadline)
    newest_date = max(newest_date, int(time.time())) if is_typed() else newest_date
    # a host tells no times of files
    if not newest_date or date <= newest_date + MAX_DIFFERENCE_SECONDS:
        return None
    return ClockDoubt("after records", date, newest_date, is_typed())


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
