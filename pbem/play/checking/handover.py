"""Hand a seat over to new keys, in a box that only the new keys open.

The box opens every card that the seat got or put down, from turn 1 on. So the new player can replay
the seat's log and check each card against what was published, as the previous player did (protocol
§5, *Handover*).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine import CHANCE, Entry, Illegal, Misfit, Table, Tag
from pbem.format.encrypted_box import TAG
from pbem.format.errors import RecordError
from pbem.play.checking.dealt_cards_and_dice import ChanceChecker, TurnDeals
from pbem.records.deck import Position, place_of
from pbem.records.packet import Packet, handover_size
from pbem.records.turn import OpenCard, Turn


def known_cards(seat: str, log: Sequence[Entry]) -> int:
    """Count the cards in a public log that are opened only to this seat."""
    count = 0
    for entry in log:
        if entry.seat == CHANCE and entry.to == seat:
            hides = entry.key.split(".")[2] == "under"
            count += int(entry.text.split()[2]) if hides else entry.text.count("[")
        elif entry.seat == seat:
            count += entry.text.count("[")
    return count


def check_handovers(turn: Turn, seats: Collection[str], log: Sequence[Entry]) -> None:
    """Check that a turn hands over exactly these seats, in boxes of the right size.

    `log` ends with this turn. Raises RecordError `field`, `padding`.
    """
    boxes = turn.handover or {}
    if set(boxes) != set(seats):
        raise RecordError("field", "handover: must have a box for each seat that gets new keys")
    for seat, box in boxes.items():
        size = handover_size(known_cards(seat, log)) + TAG
        if len(box) != size:
            raise RecordError("padding", f"handover: the box of seat {seat} needs {size} bytes")


class HandoverReplay:
    """Replays a seat's log on a new table, with the cards that a handover opens."""

    def __init__(
        self,
        table: Table[Any],
        packet: Packet,
        deals: Sequence[TurnDeals],
        handles: Mapping[Tag, bytes],
        chance: ChanceChecker,
    ) -> None:
        """Prepare a replay.

        `deals` are those of all turns so far; `handles` are those of cards put down, by entry and
        bracket.
        """
        self.table, self.handles, self.chance = table, handles, chance
        self._at = {
            one.entry: one.positions for some in deals for one in (*some.dealt, *some.under)
        }
        self._cards = {place_of(opening): opening for opening in (*packet.dealt, *packet.under)}
        self._hidden = {opening.handle: opening for opening in packet.hidden}
        self.opened: dict[Tag, OpenCard] = {}
        """The cards that the seat put down, for the reader to check."""

    def play(self, log: Sequence[Entry]) -> list[Entry]:
        """Replay the public log, and return it as the seat reads it: with the seat's cards shown.

        Raises RecordError `opening`, `commitment`, `rule`.
        """
        own = []
        for number, entry in enumerate(log):
            own.append(told := self._told(number, entry))
            try:
                _, decision = self.table.pending[0]
                if reason := self.table.why_not_entry(decision, told):
                    raise Illegal(f"{told.key}: {reason}")
                self.table.send(told.text)
            except (Illegal, Misfit) as error:
                raise RecordError("rule", f"handover: {error}") from None
        if self._cards or self._hidden:
            raise RecordError("opening", "handover: must open only cards that the log needs")
        return own

    def _told(self, number: int, entry: Entry) -> Entry:
        seat = self.table.viewpoint
        if entry.seat == CHANCE and entry.to == seat:
            cards = [self._position(at) for at in self._at[number]]
            return entry if "[" not in entry.text else _fill(entry, cards)
        if entry.seat != seat or "[" not in entry.text:
            return entry
        return _fill(entry, [self._put(number, n) for n in range(entry.text.count("["))])

    def _position(self, at: Position) -> str:
        opening = self._cards.pop(at, None)
        if opening is None:
            raise RecordError("opening", f"handover: does not open card {at.k} of {at.deck}")
        self.chance.check_dealt(opening)
        return opening.card

    def _put(self, number: int, bracket: int) -> str:
        opening = self._hidden.pop(self.handles[number, bracket], None)
        if opening is None:
            raise RecordError("opening", f"handover: does not open a card of entry {number}")
        self.opened[number, bracket] = opening
        return opening.card


def _fill(entry: Entry, cards: list[str]) -> Entry:
    """Return the entry with these cards in its brackets; there must be one card for each
    bracket."""
    parts = entry.text.split("[?]")
    text = parts[0] + "".join(
        f"[{card}]{rest}" for card, rest in zip(cards, parts[1:], strict=True)
    )
    return entry._replace(text=text)
