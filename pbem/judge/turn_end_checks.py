"""Check the end of a turn: its questions, deadline, silences, cards, and the table in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from engine import CHANCE, UNKNOWN, Pending, Scene, Table, forced
from engine.counts_and_lists_in_prose import count_times, counted, join_words
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import Absence, phase_of, round_of
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.records.turn import Turn


def awaited_kinds_by_seat(
    pending: Pending, card_kinds: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return, for each seat that the game waits for, the kinds of its open decisions, then the
    kinds that the cards wait for (`card_kinds`)."""
    kinds_by_seat: dict[str, list[str]] = {}
    for _, decision in pending:
        if decision.seat != CHANCE:
            kinds_by_seat.setdefault(decision.seat, []).append(decision.kind)
    for seat, kinds in card_kinds.items():
        kinds_by_seat.setdefault(seat, []).extend(kinds)
    return {seat: tuple(dict.fromkeys(kinds)) for seat, kinds in kinds_by_seat.items()}


def check_end(
    turn: Turn,
    table: Table[Any],
    standing: Standing,
    absence: Absence,
    previous_deadline: int,
    card_kinds: Mapping[str, tuple[str, ...]],
) -> None:
    """Check the end of a turn against the public table after its log (protocol §3, c, e, g). Raises
    RecordError `rule`.

    A question left open must really be open: somebody must be asked, and not be away. `standing`
    and `absence` include the notices and silences of the turn; `previous_deadline` is the deadline
    of the previous turn; `card_kinds` has, for each seat that the cards wait for, the kinds
    awaited. Also raises RecordError `chain` if a card is in play too often.
    """
    if {row.seat: row.kinds for row in turn.awaited} != awaited_kinds_by_seat(
        table.pending, card_kinds
    ):
        raise RecordError(
            "rule", "the turn must list the questions that are still open, and no others"
        )
    if turn.over != table.over:
        sentence = "the game is over, but the turn does not say so"
        if turn.over:
            sentence = "the turn says that the game is over, but the game is not"
        raise RecordError("rule", sentence)
    open_decisions = [
        (key, decision)
        for key, decision in table.pending
        if not (decision.seat == CHANCE or decision.fact or forced(decision))
    ]
    if not table.over and not open_decisions and not card_kinds:
        raise RecordError("rule", "the turn stops too early: no player has anything to decide")
    asks_nobody = all(absence.unasked(key, decision) for key, decision in open_decisions)
    if open_decisions and not card_kinds and asks_nobody:
        seats = sorted({decision.seat for _, decision in open_decisions})
        awaited = f"{'seat' if len(seats) == 1 else 'seats'} {join_words(seats)}"
        cause = "the rules ask nobody now"
        if all(absence.absence_reason(one.seat, round_of(key)) for key, one in open_decisions):
            cause = "its player is away" if len(seats) == 1 else "their players are away"
        raise RecordError("rule", f"the turn waits for {awaited}, although {cause}")
    _check_described_table(turn, table)
    check_deadline(turn, table, standing, previous_deadline)
    check_cards(table)


def check_stop(turn: Turn, table: Table[Any]) -> None:
    """Check the end of a turn that asks nobody, because dealers owe something or a card spoiled the
    game. Raises RecordError `rule`, `chain`."""
    if turn.awaited or turn.deadline or turn.own:
        raise RecordError(
            "rule", "the turn asks players something, but the game must wait for a dealer first"
        )
    if turn.over != bool(turn.spoiled):
        sentence = "the turn says that the game is over, but the game waits for a dealer"
        if turn.spoiled:
            sentence = "a card that breaks the rules has ended the game, but the turn does not say "
            sentence += "so"
        raise RecordError("rule", sentence)
    _check_described_table(turn, table)
    check_cards(table)


def _check_described_table(turn: Turn, table: Table[Any]) -> None:
    if turn.table != turn_table_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "the turn describes the table wrongly")


def check_deadline(
    turn: Turn, table: Table[Any], standing: Standing, previous_deadline: int
) -> None:
    """Check that a turn's deadline follows from the rules and from the listed delays; a turn that
    only lists notices must keep the previous deadline. Raises RecordError `rule`."""
    delay_seconds = standing.calendar.seconds_put_off(turn.turn)
    deadline = turn.deadline - delay_seconds if turn.deadline else 0
    if 0 < turn.deadline <= delay_seconds:
        sentence = "the deadline is too early: players put it off by more hours"
        raise RecordError("rule", sentence)
    if not turn.has_play and not standing.calendar.renews(turn.turn):
        if deadline != previous_deadline:
            sentence = "the turn changes the deadline, although it only lists notices"
            raise RecordError("rule", sentence)
    elif not standing.policies.rule(phase_of(table.pending)).may_give(deadline, turn.time):
        raise RecordError(
            "rule", "the deadline does not follow from the deadline rule of this game"
        )


class UnheardSeats(NamedTuple):
    """The seats that were not asked, but whose orders the game waited for until the deadline."""

    seats: Collection[str] = ()
    round: int = 0
    """The round for which their orders were missing."""
    deadline: int = 0
    """The deadline of the last turn, in seconds since 1970 UTC; 0 = none."""

    def check(self, turn: Turn, table: Table[Any], silences: Collection[tuple[str, int]]) -> None:
        """Check that the turn names an unheard seat as silent if a question of the round reached
        the seat, and only then. Raises RecordError `rule`.

        `table` is the public table after the turn's log. `silences` has the seat and the round of
        each question in that log that the default settled because the seat was silent.
        """
        open_seats = {
            decision.seat
            for key, decision in table.pending
            if round_of(key) == self.round and decision.default
        }
        defaulted_seats = {seat for seat, round_ in silences if round_ == self.round}
        named_seats = {*turn.silent} & {*self.seats}
        if wrong_seats := named_seats - open_seats - defaulted_seats:
            raise RecordError(
                "rule",
                f"the turn calls seat {min(wrong_seats)} silent, although nobody asked it anything",
            )
        is_overdue = turn.log and 0 < self.deadline <= turn.time
        if is_overdue and (unnamed_seats := open_seats & {*self.seats} - named_seats):
            sentence = (
                f"the turn waits for seat {min(unnamed_seats)}, although the deadline for its "
                "orders has passed"
            )
            raise RecordError("rule", sentence)


def check_agreed_end(turn: Turn, table: Table[Any]) -> None:
    """Check that a turn does nothing else if it ends the game by agreement. Raises RecordError
    `rule`."""
    if turn.log or turn.orders or turn.silent or turn.awaited or turn.own:
        raise RecordError("rule", "the players have ended the game, but this turn plays on")
    if not turn.over or turn.deadline:
        sentence = "the players have ended the game, but the turn does not say so"
        raise RecordError("rule", sentence)
    _check_described_table(turn, table)


def check_silence(
    turn: Turn, asked_seats: Collection[str], deadline: int, absent_seats: Collection[str]
) -> None:
    """Check that the silent seats of a turn were asked and not away, and that the deadline has
    passed. Raises RecordError `rule`.

    `asked_seats` are the seats that the game waited for, and `deadline` is that of the last turn (0
    = none); `absent_seats` were away before this turn.
    """
    if not set(turn.silent) <= set(asked_seats):
        raise RecordError("rule", "the turn calls a seat silent that nobody had asked")
    if turn.silent and turn.turn > 1 and not turn.has_play:
        raise RecordError(
            "rule",
            "the turn calls a seat silent, although nothing happens in the turn",
        )
    if turn.silent and not 0 < deadline <= turn.time:
        raise RecordError("rule", "the turn calls a seat silent before the deadline has passed")
    if seats := set(turn.silent) & set(absent_seats):
        sentence = (
            f"the turn calls seat {min(seats)} silent, although its player was away and the "
            "game did "
            "not wait for them"
        )
        raise RecordError("rule", sentence)


def check_cards(table: Table[Any]) -> None:
    """Check that no card is in play more often than it was printed. Raises RecordError `chain`."""
    ruleset = table.game.ruleset
    printed = Counter(card for deck in ruleset.decks.values() for card in deck)
    visible_cards = Counter(card for card in table.state.cards() if card != UNKNOWN)
    if surplus_cards := visible_cards - printed:
        card = min(surplus_cards)
        sentence = (
            f"{card} is on the table {count_times(visible_cards[card])}, but the game has "
            f"{counted(printed[card], 'copy', 'copies')} of this card"
        )
        raise RecordError("chain", sentence)


_MAX_LINE_CHARACTERS = 400


def turn_table_lines(scene: Scene) -> tuple[str, ...]:
    """Return the lines of a turn's `table`: first the common facts, then each place with its
    pieces. Longer lines are cut."""
    lines = [_facts(scene.facts)]
    for place in scene.places:
        facts = (*place.facts, ("hand", f"{len(place.hand)} cards"))
        lines.append(f"{place.seat}: {_facts(facts)}")
        for piece in place.pieces:
            cards = f" | {', '.join(piece.cards)}" if piece.cards else ""
            lines.append(f"  {piece.name}: {_facts(piece.facts)}{cards}")
    return tuple(line[:_MAX_LINE_CHARACTERS] for line in lines)


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{label} {value}" for label, value in facts)
