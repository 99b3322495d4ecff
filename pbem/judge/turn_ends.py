"""Whether a turn ends as the rules want it: questions, deadline, silence, cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from engine import CHANCE, UNKNOWN, Pending, Table, forced
from pbem.format.canonical import RecordError
from pbem.judge.absence import Absence, phase_of, round_of
from pbem.judge.rules import board_lines
from pbem.judge.standing import Standing
from pbem.records.turn import Turn


def awaited(
    pending: Pending, card_waits: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return, for each seat that the game waits for, the kinds of its open decisions, and of what
    the cards wait for."""
    kinds_by_seat: dict[str, list[str]] = {}
    for _, decision in pending:
        if decision.seat != CHANCE:
            kinds_by_seat.setdefault(decision.seat, []).append(decision.kind)
    for seat, kinds in card_waits.items():
        kinds_by_seat.setdefault(seat, []).extend(kinds)
    return {seat: tuple(dict.fromkeys(kinds)) for seat, kinds in kinds_by_seat.items()}


def check_end(
    turn: Turn,
    table: Table[Any],
    standing: Standing,
    absence: Absence,
    before: int,
    card_waits: Mapping[str, tuple[str, ...]],
) -> None:
    """Check the end of a turn against the public table after its log (protocol §3, c, e, g). Raises
    RecordError `rule`.

    `standing` and `absence` include what the turn lists; `before` is the deadline of the turn
    before; `card_waits` names whom the cards wait for.
    """
    if {asked.seat: asked.kinds for asked in turn.awaited} != awaited(table.pending, card_waits):
        raise RecordError("rule", "awaited: must list all open questions, and nothing else")
    if turn.over != table.over:
        told = f"over: wrong, because the game is {'' if table.over else 'not '}over"
        raise RecordError("rule", told)
    asked = [
        (key, one)
        for key, one in table.pending
        if not (one.seat == CHANCE or one.fact or forced(one))
    ]
    if not table.over and not asked and not card_waits:
        raise RecordError("rule", "log: the turn stops, although nobody has to be asked")
    if asked and not card_waits and all(absence.unasked(key, one) for key, one in asked):
        who = ", ".join(sorted(awaited(table.pending, {}).keys() & absence.missed_turns.keys()))
        raise RecordError("rule", f"log: the turn is waiting for seat {who}, which is away")
    if turn.table != board_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "table: must match what is on the table after this turn")
    check_deadline(turn, table, standing, before)
    check_cards(table)


def check_deadline(turn: Turn, table: Table[Any], standing: Standing, before: int) -> None:
    """Check that a turn's deadline follows from the rules and from the delays that it lists; it
    stays if nothing happened. Raises RecordError `rule`."""
    off = standing.calendar.seconds_put_off(turn.turn)
    named = turn.deadline - off if turn.deadline else 0
    if 0 < turn.deadline <= off:
        raise RecordError("rule", "deadline: is too early for the delays that the turn lists")
    if not turn.log and not standing.calendar.renews(turn.turn):
        if named != before:
            told = "deadline: a turn that only lists notices must keep the deadline"
            raise RecordError("rule", told)
    elif not standing.policies.rule(phase_of(table.pending)).may_give(named, turn.time):
        raise RecordError("rule", "deadline: must be the deadline that follows from the charter")


class Unheard(NamedTuple):
    """The seats that were not asked, but whose orders the game waited for until the deadline."""

    seats: Collection[str] = ()
    round: int = 0
    deadline: int = 0

    def check(self, turn: Turn, table: Table[Any], silences: Collection[tuple[str, int]]) -> None:
        """Check that, of these seats, the turn names as silent those it asks. Raises RecordError
        `rule`.

        `silences` has the seat and the round of each question that its default settled because
        the seat was silent.
        """
        open_ = {d.seat for key, d in table.pending if round_of(key) == self.round and d.default}
        settled = {seat for seat, round_ in silences if round_ == self.round}
        named = {*turn.silent} & {*self.seats}
        if more := named - open_ - settled:
            raise RecordError("rule", f"silent: names seat {min(more)}, which was not asked")
        late = turn.log and 0 < self.deadline <= turn.time
        if late and (quiet := open_ & {*self.seats} - named):
            told = (
                f"log: the turn asks seat {min(quiet)}, although its orders for this round "
                "are overdue"
            )
            raise RecordError("rule", told)


def check_agreed_end(turn: Turn, table: Table[Any]) -> None:
    """Check that a turn that ends the game by agreement does nothing else. Raises RecordError
    `rule`."""
    if turn.log or turn.orders or turn.silent or turn.awaited or turn.own:
        raise RecordError("rule", "log: the players have ended the game, but the turn goes on")
    if not turn.over or turn.deadline:
        told = "over: the players have ended the game, but the turn does not say so"
        raise RecordError("rule", told)
    if turn.table != board_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "table: must match what is on the table after this turn")


def check_silence(turn: Turn, asked: Collection[str], deadline: int, away: Collection[str]) -> None:
    """Check that silent seats were asked, not away, and had their time. Raises RecordError
    `rule`."""
    if not set(turn.silent) <= set(asked):
        raise RecordError("rule", "silent: names a seat that was not asked")
    if turn.silent and turn.turn > 1 and not turn.log:
        raise RecordError("rule", "silent: names a seat although nothing happens in this turn")
    if turn.silent and not 0 < deadline <= turn.time:
        raise RecordError("rule", "silent: names a seat before the deadline")
    if seats := set(turn.silent) & set(away):
        told = f"silent: seat {min(seats)} was away already: nobody waited for it"
        raise RecordError("rule", told)


def check_cards(table: Table[Any]) -> None:
    """Check that no card is in play more often than it was printed. Raises RecordError `chain`."""
    ruleset = table.game.ruleset
    printed = Counter(card for deck in ruleset.decks.values() for card in deck)
    known = Counter(card for card in table.state.cards() if card != UNKNOWN)
    if more := known - printed:
        card = min(more)
        copies = f"but the game has only {printed[card]}"
        raise RecordError("chain", f"{card} appears {known[card]} times, {copies}")
