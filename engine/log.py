"""The log of a game: every choice, die and dealt or revealed card; nothing that can be computed. A
viewpoint says who looks at it, or at a table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.sentences.cards_in_brackets import UNKNOWN, mask

Seat = str
"""A seat's letter, or one of CHANCE, PUBLIC, ALL."""

CHANCE = "*"
"""The seat to which dice and decks belong."""
PUBLIC = ""
"""The viewpoint of the table: what everybody may see."""
ALL = "ALL"
"""The viewpoint that sees everything: the referee's, or anybody's after the game."""


SETTLING_PATTERN = r"forced|default|bot|chance|fact|(?:line|always) \[(?:\?|[0-9]+)\]"
"""The ways in which an entry can be settled. The number of an order line is secret to its seat."""


class Entry(NamedTuple):
    """One answer in the log.

    ``key`` is ``round.phase.kind.seat.n``, which everybody may know. ``by`` says how the entry was
    settled: ``forced``, ``line [n]``, ``always [n]``, ``default``, ``bot``, ``chance`` or ``fact``.
    The seat in ``to`` can read brackets in ``text``; the entry's own seat can read brackets in
    ``by``.
    """

    key: str
    seat: Seat
    text: str
    by: str
    to: Seat = PUBLIC

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return self.key.split(".")[2]

    def masked_for(self, viewpoint: Seat) -> Entry:
        """Return the entry with every bracket masked that this viewpoint may not read; the same
        object if nothing had to be masked."""
        if viewpoint == ALL:
            return self
        text = self.text if viewpoint == self.to != PUBLIC else mask(self.text)
        # the bracket in `by` is the number of an order line, which only the line's seat may know
        masked_by = self.by if viewpoint == self.seat else mask(self.by)
        return (
            self
            if text is self.text and masked_by is self.by
            else self._replace(text=text, by=masked_by)
        )


def view(log: Iterable[Entry], viewpoint: Seat) -> list[Entry]:
    """Return the log from this viewpoint: every bracket that this viewpoint may not read is
    masked."""
    return [entry.masked_for(viewpoint) for entry in log]


def merge(first_view: Entry, second_view: Entry) -> Entry:
    """Combine two views of one entry into an entry with everything that either view shows."""
    text = min(first_view.text, second_view.text, key=_unknown_count)
    settling = min(first_view.by, second_view.by, key=_unknown_count)
    return first_view._replace(text=text, by=settling)


def _unknown_count(text: str) -> int:
    return text.count(UNKNOWN)


def line_number(settling: str) -> int | None:
    """Return the number of the order line that settled the entry; None if no line did, or the
    number is masked."""
    bracket = settling.partition("[")[2].rstrip("]")
    return int(bracket) if bracket.isdecimal() else None
