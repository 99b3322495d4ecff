"""How a turn differs from the one that its orders and the seed give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from pbem.format.canonical import Reason, RecordError
from pbem.records.turn import ListedOrders, LogEntry, NewCards, Turn, open_packet

Keys = Mapping[str, bytes]
"""For each seat, the key of the boxes between the seat and `audit`."""


def _decks(turn: Turn, right: Turn, keys: Keys) -> RecordError:
    made = {(new.deck, new.epoch, new.first): new for new in right.decks}
    for new in turn.decks:
        wanted = made.get((new.deck, new.epoch, new.first))
        if wanted is None:
            return RecordError("chain", f"{_deck(new)}: no cards enter the deck here")
        pairs = enumerate(zip(new.cards, wanted.cards, strict=False))
        if wrong := [k for k, (one, other) in pairs if one != other]:
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
            told = f"the turn lists orders {listed.id.hex()[:6]} of seat {listed.seat} as "
            return RecordError("rule", f"{told}{_status(listed)}, but they are {_status(wanted)}")
    raise AssertionError("the audit makes each turn again from the orders that the turn lists")


def _status(listed: ListedOrders) -> str:
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
    where = f"packet of seat {seat}"
    try:
        said = open_packet(turn.turn, seat, turn.packets[seat], keys[seat])
    except RecordError as error:
        return RecordError(error.reason, f"{where}: {error.sentence}")
    wanted = open_packet(right.turn, seat, right.packets[seat], keys[seat])
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
_LINKS: Final = RecordError("chain", "the dice do not come from this seed: the chain is different")
_USED: Final = RecordError("opening", "the turn must open exactly the lines and cards used")
_TELL: Final[dict[str, RecordError | Callable[[Turn, Turn, Keys], RecordError]]] = {
    "joins": RecordError("commitment", "joins: differ from those that the seed was made from"),
    "link0": _LINKS,
    "orders": _orders,
    "silent": _silent,
    "decks": _decks,
    "log": _log,
    "links": _LINKS,
    "lines": _USED,
    "cards": _USED,
    "dealt": _USED,
    "shown": _shown,
    "packets": _packets,
}
"""The fields of a turn, in the order in which they are compared, with what a difference means."""


def difference(turn: Turn, right: Turn | None, keys: Keys) -> RecordError:
    """Return what is wrong with a turn; `right` is the correct turn, None if nothing can be
    settled."""
    if right is None:
        told = "the listed orders do not settle anything, so no turn can be made from them"
        return RecordError("rule", f"log: {told}")
    for name, wrong in _TELL.items():
        if getattr(turn, name) != getattr(right, name):
            return wrong if isinstance(wrong, RecordError) else wrong(turn, right, keys)
    other = next(f.name for f in fields(turn) if getattr(turn, f.name) != getattr(right, f.name))
    return RecordError("field", f"{other}: differs from what these orders and the seed give")
