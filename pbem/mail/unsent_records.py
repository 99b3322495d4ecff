"""Find out which records of the game another player may not have yet."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from itertools import groupby, islice

from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import join_not_here
from pbem.judge.order_fates import OrderFate, OrderHistory, fate_of, make_history, orders_header
from pbem.judge.read_and_make_messages import PressReader, seating_with
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.unlisted_notices import sort_unlisted_notices, unlisted_notices
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Content, Record
from pbem.records.turn import Turn
from pbem.text.clock import now


class UnsentRecords:
    """Finds out who lacks which records of the game in one folder; each record is checked first."""

    def __init__(
        self, game_folder: Archive, was_sent: Callable[[str, bytes], bool] | None = None
    ) -> None:
        """`was_sent` tells whether a seat or `referee` was sent the record with this id; None
        stands for everything.

        Raises FileError for a file that is not a turn.
        """
        self.game_folder = game_folder
        self.was_sent = was_sent or (lambda _to, _record: True)
        self.turns = list(game_folder.turns())
        self.chain = game_folder.chain_of(self.turns)
        self.standing = self.chain.standing

    # -------------------------------------------------------------- a player
    def of_seat(self, seat: str, includes_all: bool = False) -> list[Record[Content]]:
        """Return the records that the player in a seat lacks.

        With `includes_all`, these are all records from the start; also if somebody new is invited
        to the seat, who has nothing of the game.

        This includes the orders of the other seats that turns list: nobody can check a turn without
        them, although the player cannot open them. What the seat's own key signed is left out, but
        not what an earlier key signed: the seat may have a new player.

        Raises FileError, and RecordError `parent` if something that a turn lists is not here.
        """
        includes_all = includes_all or self._awaits_new_player(seat)
        after_turn, left_out_seat = (0, "") if includes_all else (self.confirmed(seat), seat)
        records = self._records_after(after_turn, seat, left_out_seat)
        if not includes_all and self.has_joined(seat):
            return records  # a player who joined has the charter, because the join builds on it
        return [self.game_folder.charter, *records]

    def _awaits_new_player(self, seat: str) -> bool:
        """Return whether the seat is open, and the referee has made an invite to it that nobody
        has used: a notice in the folder is enough."""
        if not self.turns or self.chain.is_over:
            return False
        time = max(now(), self.chain.time)
        next_standing = sort_unlisted_notices(self.game_folder, self.chain, time).next_standing
        return seat in next_standing.doors and next_standing.is_open(seat)

    def of_co_dealer(self, recipient: str, includes_all: bool = False) -> list[Record[Content]]:
        """Return the records that a co-dealer lacks, who is called `co-dealer-0` here: those that
        came after its last deal, or all. Raises what `of_seat` raises."""
        dealt_turn = -1 if includes_all else self._last_dealt_turn(recipient)
        records = self._records_after(max(dealt_turn, 0), recipient, "")
        return records if dealt_turn >= 0 else [self.game_folder.charter, *records]

    def _last_dealt_turn(self, co_dealer: str) -> int:
        """Return the last turn after which a deal of this co-dealer is here, and so the last turn
        that it must have; -1 if none is here."""
        number = int(co_dealer.rpartition("-")[2])
        for turn in range(self.chain.turn, -1, -1):
            for deal in self.game_folder.deals_after(turn):
                if deal.content.dealer == number and deal.content.prev == self.chain.heads[turn]:
                    return turn
        return -1

    def _records_after(
        self, after_turn: int, recipient: str, left_out_seat: str
    ) -> list[Record[Content]]:
        """Return what came after this turn, without what the present key of `left_out_seat`
        signed."""
        records: list[Record[Content]] = [*self._joins(after_turn, left_out_seat)]
        for turn in self.turns[after_turn:]:
            records += map(self.game_folder.find_deal, turn.content.deals)
            records.append(turn)
            records += self._orders(turn.content, left_out_seat)
        if final := self.game_folder.final():
            records.append(final)
        if self.chain.is_over:  # what opens all cards
            records += self.game_folder.deals_after(self.chain.turn)
        own_key = self.standing.signer(left_out_seat)
        records += [notice for notice in self._notices(after_turn) if notice.signed.key != own_key]
        records += self._messages(recipient, after_turn, left_out_seat)
        return records

    def confirmed(self, seat: str) -> int:
        """Return the last turn that the seat must have, because the seat's newest valid orders
        build on that turn; 0 if the seat has no orders."""
        join = self.standing.roster.get(seat)
        if join is None:
            return 0
        for record in self.game_folder.orders_of(seat, join.key):
            answered_turn = record.content.turn
            if (
                answered_turn <= self.chain.turn
                and record.content.prev == self.chain.heads[answered_turn]
            ):
                return answered_turn
        return 0

    def _notices(
        self, after_turn: int, author_seats: Collection[str] | None = None
    ) -> list[Record[Notice]]:
        """Return the notices that turns after `after_turn` list; of those that no turn lists, only
        those by the seats in `author_seats` (None: by anybody)."""
        turns = (turn.content for turn in self.turns)
        turn_by_notice = {row.id: turn.turn for turn in turns for row in turn.notices}
        find = self.game_folder.find_notice
        listed_notices = [
            find(ident) for ident, turn in turn_by_notice.items() if turn > after_turn
        ]
        other_notices = unlisted_notices(self.game_folder, turn_by_notice)
        return [
            *listed_notices,
            *(r for r in other_notices if author_seats is None or r.content.seat in author_seats),
        ]

    def _messages(self, recipient: str, first_turn: int, left_out_seat: str) -> list[Record[Press]]:
        """Return the messages written after turn `first_turn` or later, or never sent to this
        recipient, without those that the key of the seat `left_out_seat` signed."""
        own_key = self.standing.signer(left_out_seat)
        return [
            record
            for record in self._all_messages
            if record.signed.key != own_key
            and (record.content.turn >= first_turn or not self.was_sent(recipient, record.id))
        ]

    @cached_property
    def _all_messages(self) -> list[Record[Press]]:
        seating = seating_with(self.standing)
        return PressReader(self.game_folder, self.chain.heads, seating).records()

    def _joins(self, after_turn: int, left_out_seat: str) -> list[Record[Join]]:
        """Return the joins that turns after `after_turn` name, except those with the present key
        of `left_out_seat`. Raises RecordError `parent` if somebody took a seat over with a join
        that is not here."""
        present_joins, join_ids = self.game_folder.joins(), self.chain.join_ids.values()
        joins = [present_joins[join_id] for join_id in join_ids if join_id in present_joins]
        joins = [] if after_turn else joins
        later_take_ins = [
            take_in for turn, take_in in self.game_folder.take_ins() if turn > after_turn
        ]
        for take_in in later_take_ins:
            if take_in.join not in present_joins:
                raise RecordError("parent", join_not_here(take_in))
        joins += [present_joins[take_in.join] for take_in in later_take_ins]
        own_key = self.standing.signer(left_out_seat)
        return [join for join in joins if join.content.key != own_key]

    def has_joined(self, seat: str) -> bool:
        """Return whether somebody joined with this seat."""
        return any(record.content.seat == seat for record in self.game_folder.joins().values())

    def _orders(self, turn: Turn, left_out_seat: str) -> list[Record[Content]]:
        """Return the orders that a turn names, without those of the present player of
        `left_out_seat`.

        The player's predecessor signed the orders of turns before the key counted: these are not
        left out.
        """
        keys = self.standing.seats_of_keys()
        find = self.game_folder.find_orders(lambda _, key: key in keys)
        order_ids = dict.fromkeys([*(row.id for row in turn.orders), *turn.own])
        own_seat = (
            left_out_seat if turn.turn > self.standing.keys_valid_from.get(left_out_seat, 0) else ""
        )
        own_ids = {row.id for row in turn.orders if row.seat == own_seat}
        return [find(order_id) for order_id in order_ids if order_id not in own_ids]

    def late_order_sentences(self, seat: str, after_turn: int) -> list[str]:
        """Say which of a seat's orders came too late, as a turn after `after_turn` shows. Orders
        that later ones replaced did not: only the newest are sent."""
        if seat not in self.standing.roster:
            return []
        own_orders = [*self.game_folder.orders_of(seat, self.standing.roster[seat].key)]
        fates = (
            fate_of(orders_header(record), self._history, {}) for record in reversed(own_orders)
        )
        return [self._say_late(fate) for fate in fates if self._is_shown_late(fate, after_turn)]

    def _is_shown_late(self, fate: OrderFate, after_turn: int) -> bool:
        """Return whether orders came too late, and a turn after `after_turn` is the first to show
        it."""
        listing = self._history.listed_sets.get(fate.orders.id)
        shown_turn = listing.turn if listing else fate.settling_turn
        return fate.is_uncounted and shown_turn > after_turn

    def _say_late(self, fate: OrderFate) -> str:
        orders = fate.orders
        return (
            f"orders {orders.id[:6]}, which answer turn {orders.turn}, came too late: turn "
            f"{fate.settling_turn} was made without them"
        )

    @cached_property
    def _history(self) -> OrderHistory:
        """Return the chain's turns and the folder's orders in the form in which `order_fates` asks
        for them."""
        chain, archive = self.chain, self.game_folder
        return make_history(
            heads=[head.hex() for head in chain.heads],
            dates=chain.times,
            log_lengths=chain.log_lengths,
            listed_sets={ident.hex(): row for ident, row in chain.listed_orders.items()},
            find=archive.orders_with_id,
            maker=archive.maker,
            is_over=chain.is_over,
        )

    # -------------------------------------------------------------- the referee
    def of_referee(
        self, seats: Collection[str], dealer_keys: Collection[bytes] = ()
    ) -> list[Record[Content]]:
        """Return what the referee lacks from these seats: joins and orders that no turn uses yet;
        and the parts that co-dealers with these keys signed after the last turn.

        Before turn 1 these are the joins. Later they are, for each seat, the orders that can count
        for the next turn.
        """
        parts = self.game_folder.deals_after(self.chain.turn) if dealer_keys else []
        own_parts = [record for record in parts if record.signed.key in dealer_keys]
        if not self.turns:
            joins = self.game_folder.joins().values()
            return [*own_parts, *(record for record in joins if record.content.seat in seats)]
        orders = list[Record[Content]](own_parts)
        for seat in sorted(self.standing.roster.keys() & {*seats}):
            key = self.standing.roster[seat].key
            present_orders = self.game_folder.orders_of(seat, key, self.chain.asking_turn)
            unlisted_orders = (
                record for record in present_orders if record.id not in self.chain.listed_orders
            )
            places = groupby(
                unlisted_orders,
                key=lambda orders_record: (
                    orders_record.content.turn,
                    orders_record.content.revision,
                ),
            )
            for _, tied_orders in islice(places, 1):  # two sets may have one place
                orders += tied_orders
        messages = self._messages(REFEREE, self.chain.turn, left_out_seat=REFEREE)
        notices = self._notices(self.chain.turn, seats)
        return [
            *orders,
            *notices,
            *(record for record in messages if record.content.writer in seats),
        ]
