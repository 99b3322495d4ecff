"""What another lacks: the records of a game that he has not yet shown to have.

Whoever signs orders that answer turn k has everything up to it. What came after is sent until his
next orders say that it came: a mail that was lost costs nothing but the next one's length.
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.mail.sofar import SoFar
from pbem.play.chronicle import Chronicle
from pbem.records.kinds import Join
from pbem.records.reading import Content, Record
from pbem.records.turns import Turn


class Lacks:
    """Who lacks what of the game in one folder. Every record is checked before it is named."""

    def __init__(self, chronicle: Chronicle) -> None:
        """Raises FileError for a turn that is none."""
        self.chronicle = chronicle
        self.game = SoFar(chronicle)
        self.game.grow()

    # -------------------------------------------------------------- a player
    def of_seat(self, seat: str, everything: bool = False) -> list[Record[Content]]:
        """What the player in a seat lacks; empty if nothing. With `everything`, all from the start.

        The orders that turns list belong to it, the other seats' too: without them nobody can
        check a turn. Nobody can open them. Raises FileError, and RecordError `parent` where
        something that a turn lists is not here.
        """
        since = 0 if everything else self.confirmed(seat)
        records: list[Record[Content]] = []
        if since == 0:
            records += self._joins()
        for turn in self.game.turns[since:]:
            records.append(turn)
            records += self._orders(turn.content, "" if everything else seat)
        if final := self.chronicle.final():
            records.append(final)
        if not records and not everything and self._sits(seat):
            return []
        return [self.chronicle.charter, *records]  # it is short, and makes the folder if it is lost

    def confirmed(self, seat: str) -> int:
        """The last turn that the seat's own orders show it to have; 0 if none do."""
        join = self.game.roster.get(seat)
        names = [f for f in self.chronicle.listing.orders if f.name.seat == seat] if join else []
        for found in sorted(names, key=lambda f: -f.name.turn):
            for record in self.chronicle.tried(found, join.content.key if join else b""):
                answered = record.content.turn
                if answered <= self.game.last and record.content.prev == self.game.heads[answered]:
                    return answered
        return 0

    def _joins(self) -> list[Record[Join]]:
        return [join for _, join in sorted(self.game.roster.items())]

    def _sits(self, seat: str) -> bool:
        return any(record.content.seat == seat for record in self.chronicle.joins().values())

    def _orders(self, turn: Turn, but: str) -> list[Record[Content]]:
        """The orders that a turn names, but for those of one seat, which has its own."""
        keys = {join.content.key for join in self.game.roster.values()}
        find = self.chronicle.find_orders(lambda _, key: key in keys)
        named = dict.fromkeys([*(listed.id for listed in turn.orders), *turn.own])
        own = {listed.id for listed in turn.orders if listed.seat == but}
        return [find(wanted) for wanted in named if wanted not in own]

    # -------------------------------------------------------------- the referee
    def of_referee(self, seats: Collection[str]) -> list[Record[Content]]:
        """What the referee lacks of these seats: joins before turn 1, then every set of orders that
        answers the last turn. None of it is in a turn yet."""
        if not self.game.turns:
            joins = self.chronicle.joins().values()
            return [record for record in joins if record.content.seat in seats]
        listed = {listed.id for turn in self.game.turns[-1:] for listed in turn.content.orders}
        return [
            record
            for found in self.chronicle.listing.orders
            if found.name.seat in seats and found.name.turn == self.game.last
            for record in self.chronicle.tried(found, self.game.roster[found.name.seat].content.key)
            if record.id not in listed
        ]
