"""Explain how a turn differs from the turn that its orders and the seed give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from pbem.format.record_error import Reason, RecordError
from pbem.judge.dealing_mode_interfaces import CardDifferences, Difference
from pbem.records.packet import open_packet
from pbem.records.turn import ListedOrders, LogEntry, Turn


def _explain_orders(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first row of `[[orders]]` with a wrong status or reason."""
    expected_by_id = {row.id: row for row in expected_turn.orders}
    for row in turn.orders:
        if (expected_row := expected_by_id[row.id]) != row:
            sentence = (
                f"the turn calls orders {row.id.hex()[:6]} of seat {row.seat} "
                f"{_format_status(row)}, but must call them {_format_status(expected_row)}"
            )
            return RecordError("rule", sentence)
    raise AssertionError("the audit makes each turn again from the orders that the turn lists")


def _format_status(row: ListedOrders) -> str:
    return f"{row.status} ({row.reason})" if row.reason else row.status


def _explain_silent(turn: Turn, expected_turn: Turn) -> RecordError:
    published_seats = ", ".join(turn.silent) or "nobody"
    expected_seats = ", ".join(expected_turn.silent) or "nobody"
    return RecordError(
        "rule",
        f"silent seats, as the turn says: {published_seats}; as the orders show: {expected_seats}",
    )


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
    subject, source = f"log, entry {number}, {entry.key}", expected_entry.by
    if (entry.key, entry.text, entry.by) == (expected_entry.key, expected_entry.text, source):
        return RecordError("commitment", f"{subject}: {cards.in_entry}")
    if (entry.key, entry.text) == (expected_entry.key, expected_entry.text):
        sentence = (
            f"{subject}: the turn must say that {entry.text!r} comes from {source!r}, not from "
            f"{entry.by!r}"
        )
    elif entry.key == expected_entry.key:
        sentence = (
            f"{subject}: the turn says {entry.text!r} (source: {entry.by}), but the orders and the "
            f"seed give {expected_entry.text!r} (source: {source})"
        )
    else:
        sentence = (
            f"{subject}: the turn says {entry.text!r} (source: {entry.by}), but the next question "
            f"is {expected_entry.key}"
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
    return RecordError("padding", f"{subject}: the box has the wrong size for this turn")


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
            "this turn was made too early, because the orders that it lists answer no question"
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
        f"the field {name} does not have the value that the orders and the seed of this game give",
    )
