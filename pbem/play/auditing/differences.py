"""Find how a turn differs from the correct turn, which follows from its orders and the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from pbem.format.errors import Reason, RecordError
from pbem.records.packet import Packet, open_packet
from pbem.records.turn import Listed, LogEntry, NewCards, Turn

Keys = Mapping[str, bytes]
"""For each seat, the key of the boxes between the seat and `audit`."""


def difference(turn: Turn, right: Turn | None, keys: Keys) -> RecordError:
    """Return what is wrong with a turn, as an error to raise. `right` is the correct turn.

    `right` is None if there should be no turn, because nothing can be settled.
    """
    if right is None:
        return RecordError(
            "rule",
            "log: the listed orders do not settle anything, so no turn can be made from them",
        )
    for name, tell in _TELL:
        if getattr(turn, name) != getattr(right, name):
            return tell(turn, right, keys)
    other = next(f.name for f in fields(turn) if getattr(turn, f.name) != getattr(right, f.name))
    return RecordError("field", f"{other}: differs from what these orders and the seed give")


def _joins(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    return RecordError("commitment", "joins: differ from those that the seed was made from")


def _links(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    return RecordError("chain", "the dice do not come from this seed: the chain is different")


def _decks(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    made = {(new.deck, new.epoch, new.first): new for new in right.decks}
    for new in turn.decks:
        wanted = made.get((new.deck, new.epoch, new.first))
        if wanted is None:
            return RecordError("chain", f"{_deck(new)}: no cards enter the deck here")
        if wrong := [
            k for k, (a, b) in enumerate(zip(new.cards, wanted.cards, strict=False)) if a != b
        ]:
            told = f"{len(wrong)} of {len(new.cards)} cards do not come from this seed"
            first = f"the first is card {new.first + wrong[0]}"
            return RecordError("chain", f"{_deck(new)}: {told}; {first}")
    return RecordError("chain", "decks: some cards that enter a deck have no commitment")


def _deck(new: NewCards) -> str:
    return f"decks, {new.deck}, epoch {new.epoch}"


def _orders(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    made = {listed.id: listed for listed in right.orders}
    for listed in turn.orders:
        if (wanted := made[listed.id]) != listed:
            return RecordError(
                "rule",
                f"the turn lists orders {listed.id.hex()[:6]} of seat {listed.seat} as "
                f"{_status(listed)}, but they are {_status(wanted)}",
            )
    raise AssertionError("a turn is made again from the orders that it lists")


def _status(listed: Listed) -> str:
    return f"{listed.status} ({listed.reason})" if listed.reason else listed.status


def _silent(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    said, wanted = (", ".join(t.silent) or "nobody" for t in (turn, right))
    return RecordError("rule", f"silent: the turn names {said}, but {wanted} was silent")


def _log(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    for n, (said, wanted) in enumerate(zip(turn.log, right.log, strict=False)):
        if said != wanted:
            return _entry(n, said, wanted)
    if len(turn.log) < len(right.log):
        told = f"the turn stops before {right.log[len(turn.log)].key}, which the orders settle"
    else:
        told = f"{turn.log[len(right.log)].key}: the orders do not settle this"
    return RecordError("rule", f"log: {told}")


def _entry(n: int, said: LogEntry, wanted: LogEntry) -> RecordError:
    where = f"log, entry {n}, {said.key}"
    if (said.key, said.text, said.by) == (wanted.key, wanted.text, wanted.by):
        told = "the handles do not match the cards put down"
        return RecordError("commitment", f"{where}: {told}")
    if said.key == wanted.key and said.text == wanted.text:
        told = f"says that {said.by} settles {said.text!r}, but {wanted.by} does"
        return RecordError("rule", f"{where}: {told}")
    told = f"says {said.text!r} by {said.by}"
    if said.key == wanted.key:
        told += f", but the orders and the seed give {wanted.text!r} by {wanted.by}"
    else:
        told += f", but the next question is {wanted.key}"
    return RecordError("rule", f"{where}: {told}")


def _openings(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    return RecordError("opening", "the turn must open exactly the lines and cards used")


def _shown(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    for said in turn.shown:
        if said not in right.shown:
            told = f"{said.card}, shown as card {said.k} of {said.deck}, did not leave the hand"
            return RecordError("opening", f"shown: {told}")
    return RecordError("opening", "shown: must list all cards that left a hand in public")


def _packets(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    if turn.packets.keys() != right.packets.keys():
        return RecordError("box", "packets: there must be one for each seat")
    seat = next(seat for seat, box in turn.packets.items() if box != right.packets[seat])
    return _packet(turn, right, seat, keys)


def _packet(turn: Turn, right: Turn, seat: str, keys: Keys) -> RecordError:
    where = f"packet of seat {seat}"
    try:
        said = open_packet(turn.turn, seat, turn.packets[seat], keys[seat])
    except RecordError as error:
        return RecordError(error.reason, f"{where}: {error.sentence}")
    wanted = open_packet(right.turn, seat, right.packets[seat], keys[seat])
    return _in_packet(where, said, wanted)


def _in_packet(where: str, said: Packet, wanted: Packet) -> RecordError:
    for name, reason in _IN_PACKET.items():
        one, other = getattr(said, name), getattr(wanted, name)
        if one != other:
            wrong = next((a for a, b in zip(one, other, strict=False) if a != b), None)
            card = getattr(wrong, "card", "")
            told = f", {card!r} among them" if card else ""
            return RecordError(reason, f"{where}: {name} differs from the correct contents{told}")
    return RecordError("padding", f"{where}: does not have the size that this turn requires")


_IN_PACKET: Final[dict[str, Reason]] = {
    "dealt": "chain",
    "under": "chain",
    "hidden": "commitment",
    "refused": "rule",
}
_TELL: Final[tuple[tuple[str, Callable[[Turn, Turn, Keys], RecordError]], ...]] = (
    ("joins", _joins),
    ("link0", _links),
    ("orders", _orders),
    ("silent", _silent),
    ("decks", _decks),
    ("log", _log),
    ("links", _links),
    ("lines", _openings),
    ("cards", _openings),
    ("dealt", _openings),
    ("shown", _shown),
    ("packets", _packets),
)
