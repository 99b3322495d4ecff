"""Find out which records of the game another player may not have yet.

A player who signs orders for turn k has everything up to turn k. Later records are sent in each
bundle until the player's orders show that they arrived. So if an email is lost, only the next one
is longer. Nothing shows whether a message arrived, so a message from before turn k is sent only
once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from pbem.format.errors import RecordError
from pbem.mail.folder_so_far import FolderSoFar
from pbem.play.checking.game_folder import GameFolder
from pbem.play.notices.notice_files import new_notices
from pbem.play.press.read_messages import PressReader
from pbem.play.press.seating import seating_with
from pbem.play.seats.standing import Standing
from pbem.play.seats.take_in import join_not_here
from pbem.records.charter_join_orders import Join, Orders
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import TakeIn
from pbem.records.press.message_record import REFEREE, Press
from pbem.records.read_record import Content, Record
from pbem.records.turn import Turn


class MissingFiles:
    """Finds out who lacks which records of the game in one folder; each record is checked first."""

    def __init__(
        self, game_folder: GameFolder, was_sent: Callable[[str, bytes], bool] | None = None
    ) -> None:
        """`was_sent` tells whether a seat or `referee` was sent the record with this id.

        Raises FileError for a file that is not a turn.
        """
        self.game_folder = game_folder
        self.was_sent = was_sent or (lambda _to, _record: True)
        self.game = FolderSoFar(game_folder)
        self.game.grow()

    @cached_property
    def standing(self) -> Standing:
        """Who has which seat and keys now."""
        return self.game.standing

    # -------------------------------------------------------------- a player
    def of_seat(self, seat: str, everything: bool = False) -> list[Record[Content]]:
        """Return the records that the player in a seat lacks.

        With `everything`, these are all records from the start.

        This includes the orders of the other seats that turns list: nobody can check a turn
        without them, although the player cannot open them. What the seat's own key signed is left
        out, but not what an earlier key signed: the seat may have a new player.
        Raises FileError, and RecordError `parent` if something that a turn lists is not here.
        """
        since, but = (0, "") if everything else (self.confirmed(seat), seat)
        records: list[Record[Content]] = [*self._joins(since, but)]
        for turn in self.game.turns[since:]:
            records.append(turn)
            records += self._orders(turn.content, but)
        if final := self.game_folder.final():
            records.append(final)
        own = self.standing.signer(but)
        records += [notice for notice in self._notices(since) if notice.signed.key != own]
        records += self._messages(seat, since, but)
        if not everything and self._sits(seat):
            return records  # a player who joined has the charter, because the join builds on it
        return [self.game_folder.charter, *records]

    def confirmed(self, seat: str) -> int:
        """Return the last turn that the seat must have, because its orders build on it.

        It is 0 if the seat has no orders.
        """
        join = self.standing.roster.get(seat)
        if join is None:
            return 0
        names = [f for f in self.game_folder.listing.orders if f.name.seat == seat]
        for found in sorted(names, key=lambda f: -f.name.turn):
            for record in self.game_folder.orders_signed_by(found, join.key):
                answered = record.content.turn
                if answered <= self.game.last and record.content.prev == self.game.heads[answered]:
                    return answered
        return 0

    def _notices(self, since: int, of: Collection[str] | None = None) -> list[Record[Notice]]:
        """Return the notices that turns after `since` list, and those that no turn lists.

        Of the notices that no turn lists, return only those by the seats in `of` (None: by
        anybody).
        """
        turns = (turn.content for turn in self.game.turns)
        listed = {row.id: turn.turn for turn in turns for row in turn.notices}
        find = self.game_folder.find_notice
        old = [find(ident) for ident, turn in listed.items() if turn > since]
        new = new_notices(self.game_folder, listed)
        return [*old, *(r for r in new if of is None or r.content.seat in of)]

    def _messages(self, to: str, since: int, but: str) -> list[Record[Press]]:
        """Return the messages that this person may lack: those written after turn `since` or later,
        or never sent to them.

        Messages that the key of the seat `but` signed are left out.
        """
        own = self.standing.signer(but)
        return [
            record
            for record in self._all_messages
            if record.signed.key != own
            and (record.content.turn >= since or not self.was_sent(to, record.id))
        ]

    @cached_property
    def _all_messages(self) -> list[Record[Press]]:
        seating = seating_with(self.standing)
        return PressReader(self.game_folder, self.game.heads, seating).records()

    def _joins(self, since: int, but: str) -> list[Record[Join]]:
        """Return the joins that turns after `since` name, except this seat's, which its player has.

        Raises RecordError `parent` if somebody took a seat over with a join that is not here.
        """
        first = [join for seat, join in self.game.roster.items() if seat != but]
        later = [self._join(said) for turn, said in self.game.taken_in if turn > since]
        own = self.standing.signer(but)
        return [*([] if since else first), *(join for join in later if join.content.key != own)]

    def _join(self, said: TakeIn) -> Record[Join]:
        try:
            return self.game_folder.joins()[said.join]
        except KeyError:
            raise RecordError("parent", join_not_here(said)) from None

    def _sits(self, seat: str) -> bool:
        return any(record.content.seat == seat for record in self.game_folder.joins().values())

    def _orders(self, turn: Turn, but: str) -> list[Record[Content]]:
        """Return the orders that a turn names, except those of this seat's player, who has them.

        The orders of an earlier player of the seat are not left out.
        """
        keys = {join.key for join in self.standing.roster.values()} | self.standing.spent
        find = self.game_folder.find_orders(lambda _, key: key in keys)
        named = dict.fromkeys([*(listed.id for listed in turn.orders), *turn.own])
        mine = but if turn.turn > self.standing.since.get(but, 0) else ""
        own = {listed.id for listed in turn.orders if listed.seat == mine}
        return [find(wanted) for wanted in named if wanted not in own]

    def late(self, seat: str, since: int) -> list[str]:
        """Say which of a seat's orders came too late, as a turn after `since` shows."""
        if seat not in self.standing.roster:
            return []
        key = self.standing.roster[seat].key
        last = self.game.asked_by  # later turns only listed notices
        files = [f for f in self.game_folder.listing.orders if f.name.seat == seat]
        return [
            told
            for found in sorted(files)
            if found.name.turn < last
            for record in self.game_folder.orders_signed_by(found, key)
            if (told := self._late(record, since))
        ]

    def _late(self, record: Record[Orders], since: int) -> str:
        """Say that this set of orders came too late; empty if it did not.

        Orders that no turn lists were not here when their turn was made, unless later orders
        replaced them: replaced orders are not sent.
        """
        orders, next_ = record.content, record.content.turn + 1
        if orders.prev != self.game.heads[orders.turn]:
            return ""
        listed = [
            (turn.content.turn, one.reason)
            for turn in self.game.turns
            for one in turn.content.orders
            if one.id == record.id
        ]
        if any(reason != "late" for _, reason in listed):
            return ""
        shown = listed[0][0] if listed else next_
        if shown <= since or (not listed and self._is_replaced(orders)):
            return ""
        told = f"orders {record.id.hex()[:6]}, which answer turn {orders.turn}, came too late"
        return f"{told}: turn {next_} was made without them"

    def _is_replaced(self, orders: Orders) -> bool:
        """Whether the next turn accepted a later revision of this seat's orders."""
        listed = self.game.turns[orders.turn].content.orders
        ids = {x.id.hex()[:6] for x in listed if (x.seat, x.status) == (orders.seat, "accepted")}
        files = self.game_folder.listing.orders
        return any(f.name.digits in ids and f.name.revision > orders.revision for f in files)

    # -------------------------------------------------------------- the referee
    def of_referee(self, seats: Collection[str]) -> list[Record[Content]]:
        """Return what the referee lacks from these seats: joins and orders that no turn uses yet.

        Before turn 1 these are the joins. Later they are, for each seat, the orders of the highest
        revision that answer the last turn.
        """
        if not self.game.turns:
            joins = self.game_folder.joins().values()
            return [record for record in joins if record.content.seat in seats]
        listed = {one.id for turn in self.game.turns for one in turn.content.orders}
        mine: list[Record[Orders]] = [
            record
            for found in self.game_folder.listing.orders
            if found.name.seat in seats and found.name.turn >= self.game.asked_by
            for record in self.game_folder.orders_signed_by(
                found, self.standing.roster[found.name.seat].key
            )
            if record.id not in listed
        ]
        newest = {
            seat: max(r.content.revision for r in mine if r.content.seat == seat)
            for seat in {r.content.seat for r in mine}
        }
        orders = [r for r in mine if r.content.revision == newest[r.content.seat]]
        said = self._messages(REFEREE, self.game.last, but=REFEREE)
        notices = self._notices(self.game.last, seats)
        return [*orders, *notices, *(record for record in said if record.content.writer in seats)]
