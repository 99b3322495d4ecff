"""Bundles for emails: the records of a game that a person still lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby, islice
from textwrap import fill
from typing import Final

from pbem import __version__
from pbem.format.canonical import RecordError
from pbem.format.mail_block import encode
from pbem.judge.archive import Archive
from pbem.judge.notice_files import unlisted_notices
from pbem.judge.notice_kinds import join_not_here
from pbem.judge.order_fates import OrderFate, OrderHistory, fate_of, make_history, order_set
from pbem.judge.press import PressReader, seating_with
from pbem.judge.rules import ruleset_of
from pbem.records.charter import Charter, FinalRecord, Join, Orders
from pbem.records.notice import Notice
from pbem.records.press import REFEREE, Press
from pbem.records.read_record import Content, Record
from pbem.records.turn import Turn

# ---- Say in a mail to somebody new what the game is, and how to get `pbem`


def about_the_game(charter: Charter, seat: str) -> str:
    """Say to the invited player of a seat which game it is, who plays, how it goes on, and where
    its rules are."""
    rules = charter.ruleset
    with suppress(RecordError):  # it is not installed here
        ruleset = ruleset_of(charter)
        about = ruleset.about.rstrip(".")
        rules = ruleset.title + (f" ({about[:1].lower()}{about[1:]})" if about else "")
    others = ", ".join(plan.name for plan in charter.seats if plan.seat != seat)
    rule = charter.policies.get("deadline", "never")
    due = "there is no deadline" if rule == "never" else f"the deadline of each turn: {rule}"
    told = f"{charter.referee} invites you to a card game, {rules}; the other players: {others}. "
    told += "You play over several days, in your own time, and a turn takes you a few minutes"
    how = "you need not know the rules: “How to play” at the top of the game's page teaches them"
    return f"{told}; {due}; {how}, and so does `pbem explain rules --game {charter.ruleset}`."


def how_to_get_pbem(who: str) -> list[str]:
    """Say how to install `pbem`, which this person can send you while it is on no index: a
    paragraph, and the line to type."""
    told = "You need pbem, a free program for Linux, macOS and Windows, with Python 3.11 or newer. "
    told += f"It is not in the Python package index yet: {who} can send you the file "
    told += f"pbem-{__version__}-py3-none-any.whl. Install pipx (pipx.pypa.io), and type in the "
    line = f'    pipx install "./pbem-{__version__}-py3-none-any.whl[table]"'
    return [f"{told}folder of the file:", line]


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
        """`was_sent` tells whether a seat or `referee` was sent the record with this id.

        Raises FileError for a file that is not a turn.
        """
        self.game_folder = game_folder
        self.was_sent = was_sent or (lambda _to, _record: True)
        self.turns = list(game_folder.turns())
        self.chain = game_folder.chain_of(self.turns)
        self.standing = self.chain.standing

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
        for turn in self.turns[since:]:
            records.append(turn)
            records += self._orders(turn.content, but)
        if final := self.game_folder.final():
            records.append(final)
        own = self.standing.signer(but)
        records += [notice for notice in self._notices(since) if notice.signed.key != own]
        records += self._messages(seat, since, but)
        if not everything and self.has_joined(seat):
            return records  # a player who joined has the charter, because the join builds on it
        return [self.game_folder.charter, *records]

    def confirmed(self, seat: str) -> int:
        """Return the last turn that the seat must have, because its orders build on it.

        It is 0 if the seat has no orders.
        """
        join = self.standing.roster.get(seat)
        if join is None:
            return 0
        for record in self.game_folder.orders_of(seat, join.key):
            answered = record.content.turn
            if answered <= self.chain.turn and record.content.prev == self.chain.heads[answered]:
                return answered
        return 0

    def _notices(self, since: int, of: Collection[str] | None = None) -> list[Record[Notice]]:
        """Return the notices that turns after `since` list; of those that no turn lists, only those
        by the seats in `of` (None: by anybody)."""
        turns = (turn.content for turn in self.turns)
        listed = {row.id: turn.turn for turn in turns for row in turn.notices}
        find = self.game_folder.find_notice
        old = [find(ident) for ident, turn in listed.items() if turn > since]
        new = unlisted_notices(self.game_folder, listed)
        return [*old, *(r for r in new if of is None or r.content.seat in of)]

    def _messages(self, to: str, since: int, but: str) -> list[Record[Press]]:
        """Return the messages written after turn `since` or later, or never sent to this person,
        without those that the key of the seat `but` signed."""
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
        return PressReader(self.game_folder, self.chain.heads, seating).records()

    def _joins(self, since: int, but: str) -> list[Record[Join]]:
        """Return the joins that turns after `since` name, except this seat's. Raises RecordError
        `parent` if somebody took a seat over with a join that is not here."""
        here, named = self.game_folder.joins(), self.chain.join_ids.items()
        first = [here[wanted] for seat, wanted in named if seat != but and wanted in here]
        later = [said for turn, said in self.game_folder.take_ins() if turn > since]
        for said in later:
            if said.join not in here:
                raise RecordError("parent", join_not_here(said))
        own = self.standing.signer(but)
        joins = (here[said.join] for said in later)
        return [*([] if since else first), *(join for join in joins if join.content.key != own)]

    def has_joined(self, seat: str) -> bool:
        """Return whether somebody joined with this seat."""
        return any(record.content.seat == seat for record in self.game_folder.joins().values())

    def _orders(self, turn: Turn, but: str) -> list[Record[Content]]:
        """Return the orders that a turn names, without those of the present player of seat
        `but`."""
        keys = self.standing.seats_of_keys()
        find = self.game_folder.find_orders(lambda _, key: key in keys)
        named = dict.fromkeys([*(listed.id for listed in turn.orders), *turn.own])
        mine = but if turn.turn > self.standing.keys_valid_from.get(but, 0) else ""
        own = {listed.id for listed in turn.orders if listed.seat == mine}
        return [find(wanted) for wanted in named if wanted not in own]

    def late(self, seat: str, since: int) -> list[str]:
        """Say which of a seat's orders came too late, as a turn after `since` shows. Orders that
        later ones replaced did not: only the newest are sent."""
        if seat not in self.standing.roster:
            return []
        mine = [*self.game_folder.orders_of(seat, self.standing.roster[seat].key)]
        fates = (fate_of(order_set(record), self._history, {}) for record in reversed(mine))
        return [self._say_late(fate) for fate in fates if self._is_shown_late(fate, since)]

    def _is_shown_late(self, fate: OrderFate, since: int) -> bool:
        listed = self._history.listed_sets.get(fate.orders.id)
        shown = listed.turn if listed else fate.settling_turn
        return fate.is_uncounted and shown > since

    def _say_late(self, fate: OrderFate) -> str:
        orders = fate.orders
        told = f"orders {orders.id[:6]}, which answer turn {orders.turn}, came too late"
        return f"{told}: turn {fate.settling_turn} was made without them"

    @cached_property
    def _history(self) -> OrderHistory:
        chain, archive = self.chain, self.game_folder
        return make_history(
            heads=[head.hex() for head in chain.heads],
            dates=chain.times,
            log_lengths=chain.log_lengths,
            listed_sets={ident.hex(): one for ident, one in chain.listed_orders.items()},
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
            here = self.game_folder.orders_of(seat, key, self.chain.asking_turn)
            mine = (record for record in here if record.id not in self.chain.listed_orders)
            places = groupby(mine, key=lambda one: (one.content.turn, one.content.revision))
            for _, first in islice(places, 1):  # two sets may have one place
                orders += first
        said = self._messages(REFEREE, self.chain.turn, but=REFEREE)
        notices = self._notices(self.chain.turn, seats)
        return [*orders, *notices, *(record for record in said if record.content.writer in seats)]


# ---- Write bundles: text files with mail blocks, to attach to an email or paste into it

ENDING: Final = ".pbem"

_KINDS: Final[tuple[tuple[type[Content], str, str], ...]] = (
    (Charter, "the charter", ""),
    (Join, "join", "joins"),
    (Turn, "turn", "turns"),
    (Orders, "set of orders", "sets of orders"),
    (FinalRecord, "the final record", ""),
    (Notice, "notice", "notices"),
    (Press, "message", "messages"),
)


def bundle(records: Iterable[Record[Content]], about: str, notes: Iterable[str] = ()) -> str:
    """Write a bundle: first what it is and what to type, then a block for each record.

    It is ASCII with LF. `about` says what the bundle is; each of the `notes` is a paragraph. Both
    are ASCII.
    """
    told = "".join(f"{fill(note, 72)}\n" for note in notes)
    head = (
        f"A pbem bundle: {about}\n{told}"
        "Save this email, or the attached file, and type:  pbem receive FILE\n"
        "Or type  pbem receive -  and paste the whole email.\n\n"
    )
    return head + encode(record.file for record in records)


def what_is_in(records: Sequence[Record[Content]]) -> str:
    """Say what is in a bundle: `the charter, 2 joins, turns 1 to 3, 1 set of orders`."""
    parts = list[str]()
    for kind, one, several in _KINDS:
        turns = sorted(r.content.turn for r in records if isinstance(r.content, kind))
        name = one if len(turns) == 1 or not several else several
        if kind is Turn and turns:
            whole = len(turns) > 1 and turns == list(range(turns[0], turns[-1] + 1))
            span = f"{turns[0]} to {turns[-1]}" if whole else ", ".join(map(str, turns))
            parts.append(f"{name} {span}")
        elif turns:
            parts.append(f"{len(turns)} {name}" if several else name)
    return ", ".join(parts)
