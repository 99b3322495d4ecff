"""Bundles for emails: the records of a game that a person still lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby, islice
from textwrap import fill
from typing import Final

from pbem import __version__
from pbem.format.mail_block import encode
from pbem.format.record_error import RecordError
from pbem.judge.folder_contents import Archive
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.messages import PressReader, seating_with
from pbem.judge.notice_kinds import join_not_here
from pbem.judge.order_fates import OrderFate, OrderHistory, fate_of, make_history, order_set
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Content, Record
from pbem.records.turn import Turn

# ---- Say in a mail to somebody new what the game is, and how to get `pbem`


def about_the_game(charter: Charter, seat: str) -> str:
    """Return a paragraph for the invited player of a seat: the game, the other players, its pace,
    and the way to its rules."""
    rules = charter.ruleset
    with suppress(RecordError):  # it is not installed here
        ruleset = ruleset_of(charter)
        description = ruleset.about.rstrip(".")
        rules = ruleset.title + (
            f" ({description[:1].lower()}{description[1:]})" if description else ""
        )
    other_names = ", ".join(plan.name for plan in charter.seats if plan.seat != seat)
    rule = charter.policies.get("deadline", "never")
    deadline_clause = (
        "there is no deadline" if rule == "never" else f"the deadline of each turn: {rule}"
    )
    sentence = (
        f"{charter.referee} invites you to a card game, {rules}; the other players: {other_names}. "
        "You play over several days, in your own time, and a turn takes you a few minutes"
    )
    learning_clause = (
        "you need not know the rules: “How to play” at the top of the game's page teaches them, "
        f"and so does `pbem explain rules --game {charter.ruleset}`"
    )
    return f"{sentence}; {deadline_clause}; {learning_clause}."


def how_to_get_pbem(sender_name: str) -> list[str]:
    """Say how to install `pbem`, which this person can send you while it is on no index: a
    paragraph, and the line to type."""
    instructions = (
        "You need pbem, a free program for Linux, macOS and Windows, with Python 3.11 or newer. "
        f"pbem is not in the Python package index yet: {sender_name} can send you the file "
        f"pbem-{__version__}-py3-none-any.whl. Install pipx (pipx.pypa.io), and type in the "
        "folder of the file:"
    )
    line = f'    pipx install "./pbem-{__version__}-py3-none-any.whl[table]"'
    return [instructions, line]


# ---- Find out which records of the game another player may not have yet
#
# A player who signs orders for turn k has everything up to turn k. Later records are sent in each
# bundle until the player's orders show that they arrived. So if an email is lost, only the next
# one is longer. Nothing shows whether a message arrived, so a message from before turn k is sent
# only once.


class MissingFiles:
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

        With `includes_all`, these are all records from the start.

        This includes the orders of the other seats that turns list: nobody can check a turn without
        them, although the player cannot open them. What the seat's own key signed is left out, but
        not what an earlier key signed: the seat may have a new player.

        Raises FileError, and RecordError `parent` if something that a turn lists is not here.
        """
        after_turn, left_out_seat = (0, "") if includes_all else (self.confirmed(seat), seat)
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
        records += self._messages(seat, after_turn, left_out_seat)
        if not includes_all and self.has_joined(seat):
            return records  # a player who joined has the charter, because the join builds on it
        return [self.game_folder.charter, *records]

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
        """Return the joins that turns after `after_turn` name, except that of `left_out_seat`.
        Raises RecordError `parent` if somebody took a seat over with a join that is not here."""
        present_joins, join_ids = self.game_folder.joins(), self.chain.join_ids.items()
        first_joins = [
            present_joins[join_id]
            for seat, join_id in join_ids
            if seat != left_out_seat and join_id in present_joins
        ]
        later_take_ins = [
            take_in for turn, take_in in self.game_folder.take_ins() if turn > after_turn
        ]
        for take_in in later_take_ins:
            if take_in.join not in present_joins:
                raise RecordError("parent", join_not_here(take_in))
        own_key = self.standing.signer(left_out_seat)
        joins = (present_joins[take_in.join] for take_in in later_take_ins)
        return [
            *([] if after_turn else first_joins),
            *(join for join in joins if join.content.key != own_key),
        ]

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
        fates = (fate_of(order_set(record), self._history, {}) for record in reversed(own_orders))
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
    def of_referee(self, seats: Collection[str]) -> list[Record[Content]]:
        """Return what the referee lacks from these seats: joins and orders that no turn uses yet.

        Before turn 1 these are the joins. Later they are, for each seat, the orders that can count
        for the next turn.
        """
        if not self.turns:
            joins = self.game_folder.joins().values()
            return [record for record in joins if record.content.seat in seats]
        orders = list[Record[Content]]()
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


# ---- Write bundles: text files with mail blocks, to attach to an email or paste into it

ENDING: Final = ".pbem"

_KINDS: Final[tuple[tuple[type[Content], str, str], ...]] = (
    (Charter, "the charter", ""),
    (Join, "join", "joins"),
    (Turn, "turn", "turns"),
    (Orders, "set of orders", "sets of orders"),
    (FinalRecord, "the final record", ""),
    (Deal, "set of dealt cards", "sets of dealt cards"),
    (Notice, "notice", "notices"),
    (Press, "message", "messages"),
)


def format_bundle(
    records: Iterable[Record[Content]], description: str, notes: Iterable[str] = ()
) -> str:
    """Write a bundle: first what it is and what to type, then a block for each record.

    It is ASCII with LF. `description` says what the bundle is; each of the `notes` is a paragraph.
    Both are ASCII.
    """
    note_lines = "".join(f"{fill(note, 72)}\n" for note in notes)
    head = (
        f"A pbem bundle: {description}\n{note_lines}"
        "Save this email, or the attached file, and type:  pbem receive FILE\n"
        "Or type  pbem receive -  and paste the whole email.\n\n"
    )
    return head + encode(record.file for record in records)


def describe_records(records: Sequence[Record[Content]]) -> str:
    """Say what is in a bundle: `the charter, 2 joins, turns 1 to 3, 1 set of orders`."""
    parts = list[str]()
    for kind, singular, plural in _KINDS:
        turns = sorted(r.content.turn for r in records if isinstance(r.content, kind))
        name = singular if len(turns) == 1 or not plural else plural
        if kind is Turn and turns:
            is_span = len(turns) > 1 and turns == list(range(turns[0], turns[-1] + 1))
            span = f"{turns[0]} to {turns[-1]}" if is_span else ", ".join(map(str, turns))
            parts.append(f"{name} {span}")
        elif turns:
            parts.append(f"{len(turns)} {name}" if plural else name)
    return ", ".join(parts)
