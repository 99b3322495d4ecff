"""Explain how a turn differs from the turn that its orders and the seed give."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Final

from engine.counts_and_lists_in_prose import join_words
from pbem.format.record_error import Reason, RecordError
from pbem.judge.dealing_mode_interfaces import CardDifferences, Difference
from pbem.judge.orders_in_force import status_in_words, wrong_status
from pbem.records.packet import open_packet
from pbem.records.turn import LogEntry, Turn

_SOURCES: Final = {
    "forced": "the only choice",
    "line": "an order",
    "always": "a standing order",
    "default": "the rule for a silent player",
    "bot": "a bot",
    "chance": "chance",
    "fact": "the cards",
}
"""The sources of an answer in words, by the first word of the field `by` of its log entry."""


def source_in_words(source: str) -> str:
    """Say where an answer comes from, whatever line of orders it was."""
    return _SOURCES[source.partition(" ")[0]]


def wrong_source(text: str, published_source: str, expected_source: str) -> str:
    """Say that a turn names the wrong source of an answer."""
    right, wrong = source_in_words(expected_source), source_in_words(published_source)
    return f"{text!r} comes from {right}, but the turn says that it comes from {wrong}"


def _explain_orders(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first row of `[[orders]]` with a wrong status or reason."""
    expected_by_id = {row.id: row for row in expected_turn.orders}
    for row in turn.orders:
        if (expected_row := expected_by_id[row.id]) != row:
            subject = f"orders {row.id.hex()[:6]} of seat {row.seat}"
            expected_status = status_in_words(expected_row.status, expected_row.reason)
            return RecordError("rule", wrong_status(subject, row, expected_status))
    raise AssertionError("the audit makes each turn again from the orders that the turn lists")


def _explain_silent(turn: Turn, expected_turn: Turn) -> RecordError:
    published_seats, expected_seats = map(_seats_in_words, (turn.silent, expected_turn.silent))
    verb = "were" if len(expected_turn.silent) > 1 else "was"
    sentence = (
        f"the turn calls {published_seats} silent, but the orders show that {expected_seats} "
        f"{verb} silent"
    )
    return RecordError("rule", sentence)


def _seats_in_words(seats: Collection[str]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {join_words(seats)}" if seats else "no seat"


def _explain_log(turn: Turn, expected_turn: Turn, cards: CardDifferences) -> RecordError:
    """Return the error for the first wrong entry of the log, or for a log of the wrong length."""
    entry_pairs = zip(turn.log, expected_turn.log, strict=False)
    for number, (published_entry, expected_entry) in enumerate(entry_pairs):
        if published_entry != expected_entry:
            return _explain_entry(number, published_entry, expected_entry, cards)
    if len(turn.log) < len(expected_turn.log):
        key = expected_turn.log[len(turn.log)].key
        sentence = f"the turn stops before question {key}, although the orders answer it"
    else:
        key = turn.log[len(expected_turn.log)].key
        sentence = f"the turn answers question {key}, but no player's orders answer it"
    return RecordError("rule", sentence)


def _explain_entry(
    number: int, entry: LogEntry, expected_entry: LogEntry, cards: CardDifferences
) -> RecordError:
    """Return the error for an entry with other cards, another source, another text or another
    question than expected. `number` counts the turn's entries from 0."""
    subject, source = f"entry {number} of the log, question {entry.key}", expected_entry.by
    if (entry.key, entry.text, entry.by) == (expected_entry.key, expected_entry.text, source):
        return RecordError("commitment", f"{subject}: {cards.in_entry}")
    if (entry.key, entry.text) == (expected_entry.key, expected_entry.text):
        sentence = f"{subject}: {wrong_source(entry.text, entry.by, source)}"
    elif entry.key == expected_entry.key:
        sentence = (
            f"{subject}: the turn says {entry.text!r} (source: {source_in_words(entry.by)}), but "
            f"the orders and the seed give {expected_entry.text!r} (source: "
            f"{source_in_words(source)})"
        )
    else:
        sentence = (
            f"{subject}: the turn says {entry.text!r} (source: {source_in_words(entry.by)}), but "
            f"the next question is {expected_entry.key}"
        )
    return RecordError("rule", sentence)


def _explain_packets(
    turn: Turn, expected_turn: Turn, keys: Mapping[str, bytes], cards: CardDifferences
) -> RecordError:
    """Return the error for the first packet that differs. `keys` has the key of each seat's
    boxes."""
    if turn.packets.keys() != expected_turn.packets.keys():
        return RecordError(
            "box",
            "the turn does not have a secret part (a packet) for each seat",
        )
    expected_boxes = expected_turn.packets
    seat = next(seat for seat, box in turn.packets.items() if box != expected_boxes[seat])
    subject = f"the secret part for seat {seat} (its packet)"
    try:
        packet = open_packet(turn.turn, seat, turn.packets[seat], keys[seat])
    except RecordError as error:
        return RecordError(error.reason, f"{subject}: {error.sentence}")
    expected_packet = open_packet(expected_turn.turn, seat, expected_boxes[seat], keys[seat])
    reasons: dict[str, Reason] = {**cards.in_packet, "refused": "rule"}
    for name, reason in reasons.items():
        rows, expected_rows = getattr(packet, name), getattr(expected_packet, name)
        if rows != expected_rows:
            row_pairs = zip(rows, expected_rows, strict=False)
            wrong_row = next((row for row, expected in row_pairs if row != expected), None)
            card = getattr(wrong_row, "card", "")
            sentence = f"{subject}: the field {name} has the wrong contents"
            if card:
                sentence = f"{sentence}, for example the card {card!r}"
            return RecordError(reason, sentence)
    return RecordError("padding", f"{subject} has the wrong size for this turn")


_JOINS_ERROR: Final = RecordError(
    "commitment",
    "the cards were not shuffled with the secrets of the players who joined",
)


def explain_difference(
    turn: Turn, expected_turn: Turn | None, keys: Mapping[str, bytes], cards: CardDifferences
) -> RecordError:
    """Return an error about the first wrong field of a turn. `expected_turn` is the turn that the
    listed orders and the seed give, None if they settle nothing.

    `keys` has, for each seat, the key of the boxes between the seat and `audit`. Fields that others
    follow from are compared first.
    """
    if expected_turn is None:
        sentence = (
            "this turn was made too early: the orders that it lists do not answer any question yet"
        )
        return RecordError("rule", sentence)
    orders: dict[str, Difference] = {"orders": _explain_orders, "silent": _explain_silent}
    before_log = {"joins": _JOINS_ERROR, **cards.before_orders, **orders, **cards.before_log}
    for name, error in before_log.items():
        if getattr(turn, name) != getattr(expected_turn, name):
            return error if isinstance(error, RecordError) else error(turn, expected_turn)
    if turn.log != expected_turn.log:
        return _explain_log(turn, expected_turn, cards)
    for name, error in cards.after_log.items():
        if getattr(turn, name) != getattr(expected_turn, name):
            return error if isinstance(error, RecordError) else error(turn, expected_turn)
    if turn.packets != expected_turn.packets:
        return _explain_packets(turn, expected_turn, keys, cards)
    names = [f.name for f in fields(turn)]
    name = next(name for name in names if getattr(turn, name) != getattr(expected_turn, name))
    return RecordError(
        "field",
        f"the field {name} is wrong: the orders and the seed of this game give a different value",
    )
