"""What a seat that gets new keys is handed over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine import CHANCE, Entry, Illegal, Misfit, Table, Tag
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import TAG
from pbem.judge.sealed_openings import ChanceChecker, TurnDeals
from pbem.records.deck import place_of
from pbem.records.turn import OpenCard, Packet, Turn, handover_size


def known_cards(seat: str, log: Sequence[Entry]) -> int:
    """Count the cards in a public log that are opened only to this seat."""
    count = 0
    for entry in log:
        if entry.seat == CHANCE and entry.to == seat:
            hides = entry.kind == "under"
            count += int(entry.text.split()[2]) if hides else entry.text.count("[")
        elif entry.seat == seat:
            count += entry.text.count("[")
    return count


def check_handovers(turn: Turn, seats: Collection[str], log: Sequence[Entry]) -> None:
    """Check that a turn, whose entries end `log`, hands over exactly these seats, in boxes of the
    right size. Raises RecordError `field`, `padding`."""
    boxes = turn.handover or {}
    if set(boxes) != set(seats):
        raise RecordError("field", "handover: must have a box for each seat that gets new keys")
    for seat, box in boxes.items():
        size = handover_size(known_cards(seat, log)) + TAG
        if len(box) != size:
            raise RecordError("padding", f"handover: the box of seat {seat} needs {size} bytes")


class HandoverReplay:
    """Replays a seat's log on a new table, with the cards that a handover opens.

    The box opens every card that the seat got or put down since turn 1, so the new player can check
    each as the previous player did (protocol §5, *Handover*).
    """

    def __init__(
        self,
        table: Table[Any],
        packet: Packet,
        deals: Sequence[TurnDeals],
        handles: Mapping[Tag, bytes],
        chance: ChanceChecker,
    ) -> None:
        """`deals` are those of all turns so far; `handles` those of cards put down, by entry and
        bracket."""
        self.table, self.handles, self.chance = table, handles, chance
        self._at = {
            one.entry: one.positions for some in deals for one in (*some.dealt, *some.under)
        }
        self._cards = {place_of(opening): opening for opening in (*packet.dealt, *packet.under)}
        self._hidden = {opening.handle: opening for opening in packet.hidden}
        self.opened: dict[Tag, OpenCard] = {}
        """The cards that the seat put down, for the reader to check."""

    def play(self, log: Sequence[Entry]) -> list[Entry]:
        """Return the public log as the seat reads it, with its cards shown. Raises RecordError."""
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
        seat, cards = self.table.viewpoint, list[str]()
        if entry.seat == CHANCE and entry.to == seat:
            for at in self._at[number]:
                dealt = self._cards.pop(at, None)
                if dealt is None:
                    told = f"handover: does not open card {at.k} of {at.deck}"
                    raise RecordError("opening", told)
                self.chance.check_dealt(dealt)
                cards.append(dealt.card)
        elif entry.seat == seat:
            for bracket in range(entry.text.count("[")):
                put = self._hidden.pop(self.handles[number, bracket], None)
                if put is None:
                    told = f"handover: does not open a card of entry {number}"
                    raise RecordError("opening", told)
                self.opened[number, bracket] = put
                cards.append(put.card)
        return with_cards(entry, cards) if cards and "[" in entry.text else entry


def with_cards(entry: Entry, cards: list[str]) -> Entry:
    """Return a log entry with these cards in place of each `[?]`, in their order."""
    first, *rest = entry.text.split("[?]")
    pairs = zip(cards, rest, strict=True)
    return entry._replace(text=first + "".join(f"[{card}]{after}" for card, after in pairs))
