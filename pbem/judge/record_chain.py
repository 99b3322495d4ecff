"""The chain: what the published records of a game say, turn by turn (protocol §5).

Only charter, joins, turns and notices are read: no table is played and no secret is needed. So a
host can fold a folder's chain to know who sits where, with which keys. A reader or a referee, who
also play the tables, hold a chain and check or make each turn before they add it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import Absence, absence_of, round_of
from pbem.judge.order_fates import ListedSet, OpenQuestions, listed_sets_by_id
from pbem.judge.seat_holders_keys_and_agreements import Acts, Standing
from pbem.judge.which_notices_count import FindNotice, after_turn, believed, no_notice
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.game_id_and_chain_heads import first_head, game_id, next_head
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import ListedOrders, Turn

FindOrders = Callable[[bytes], Record[Orders]]
"""Finds the signed orders with this id. Raises RecordError if they are not here."""


def no_deal(deal_id: bytes) -> Record[Deal]:
    """Raise RecordError `parent`: this deal is not here."""
    raise RecordError(
        "parent", f"the dealer's file {deal_id.hex()[:6]} is missing from this folder"
    )


class Finder(NamedTuple):
    """Finds the records that turns name: three functions."""

    orders: FindOrders
    joins: Callable[[], Mapping[bytes, Record[Join]]]
    """Returns the joins that are here, by id."""
    notice: FindNotice = no_notice
    """Returns the notice with this id. Raises RecordError if it is not here."""
    deal: Callable[[bytes], Record[Deal]] = no_deal
    """Returns the deal with this id. Raises RecordError if it is not here."""


class Chain:
    """A game after its last published turn, as far as the records alone tell.

    `follow` adds a turn without a check. A reader or referee, who also plays the tables, checks a
    turn and adds it in steps: `seat_players` or `list_notices`, then `add`.
    """

    def __init__(self, charter: Record[Charter]) -> None:
        """Begin the chain of the charter's game: no turn is there, and nobody is seated."""
        self.charter = charter.content
        self.game = game_id(charter.signed.body)
        self.last_turn: Turn | None = None
        """The last turn; None before turn 1."""
        self.heads = [first_head(self.game)]
        """The head before turn 1, then the head after each turn."""
        self.times: list[int] = []
        """The date of each turn."""
        self.log_lengths: list[int] = []
        """The number of log entries after each turn."""
        self.asking_turn = 0
        """The turn that asked the open questions: the last one in which something happened."""
        self.round = 0
        """The round of the open questions. Without tables it is at first that of the last entry;
        the next turn shows whether a new round had begun."""
        self.join_ids: dict[str, bytes] = {}
        """For each seat that plays: the id of its first player's join."""
        self.standing = Standing(self.charter)
        """The standing, with the notices of the turn that is being read or made."""
        self.absence = Absence(frozenset(), 0)
        """The silence of each seat after the last turn: its missed deadlines, and the reasons why
        nobody waits for it."""
        self.listed_orders = dict[bytes, ListedSet]()
        """The rows with which turns list sets of orders, by id: listing turn, seat, status,
        reason."""
        self.listed_notices = set[bytes]()
        """The ids of all notices that turns list."""
        self.listed_deals = set[bytes]()
        """The ids of all deals that turns list."""
        self.missing_record: RecordError | None = None
        """The error for the first join or notice that `follow` could not find or apply. The
        standing then lacks that join, or is from before that notice. None if nothing was
        missing."""

    @property
    def turn(self) -> int:
        """The number of the last turn; 0 before turn 1."""
        return len(self.heads) - 1

    @property
    def head(self) -> bytes:
        """The head after the last turn."""
        return self.heads[-1]

    @property
    def time(self) -> int:
        """The date of the last turn; 0 before turn 1."""
        return self.times[-1] if self.times else 0

    @property
    def deadline(self) -> int:
        """The deadline that the last turn names; 0 if it names none."""
        return self.last_turn.deadline if self.last_turn else 0

    @property
    def is_over(self) -> bool:
        """Whether the last turn says that the game is over."""
        return self.last_turn is not None and self.last_turn.over

    @property
    def awaited(self) -> dict[str, tuple[str, ...]]:
        """For each seat that the last turn asks something: the kinds of its open decisions."""
        return {row.seat: row.kinds for row in self.last_turn.awaited} if self.last_turn else {}

    @property
    def own_order_ids(self) -> tuple[bytes, ...]:
        """The ids of the early orders that the last turn names (see pbem.judge.next_turn)."""
        return self.last_turn.own if self.last_turn else ()

    @property
    def open_questions(self) -> OpenQuestions | None:
        """The facts that decide whether orders may still count; None before turn 1 and after the
        end of the game. Heads and ids are hex in them."""
        if self.is_over or not self.turn:
            return None
        heads = [head.hex() for head in self.heads]
        listed_sets = {order_id.hex(): row for order_id, row in self.listed_orders.items()}
        return OpenQuestions(
            self.turn, self.asking_turn, heads, listed_sets, self.standing.seats_out
        )

    def may_sign_orders(self, _kind: str, key: bytes) -> bool:
        """Return whether this is the signing key of a seat now. The kind of record does not matter:
        `read_as` takes this method as its `is_known_key`, which gets kind and key."""
        return any(join.key == key for join in self.standing.roster.values())

    # -------------------------------------------------------------- the next turn, step by step
    def seat_players(
        self, join_ids: Mapping[str, bytes], joins: Mapping[bytes, Record[Join]]
    ) -> None:
        """Seat the players whose joins turn 1 names, as far as `joins` has them: `join_ids` is by
        seat, `joins` by id. Raises RecordError `field` for a bad policy."""
        self.join_ids = dict(join_ids)
        roster = {
            seat: joins[join_id].content for seat, join_id in join_ids.items() if join_id in joins
        }
        self.standing = Standing(self.charter, roster, joins=joins)
        self.absence = absence_of(self.charter, join_ids)

    def standing_at(self, now: int, joins: Mapping[bytes, Record[Join]]) -> Standing:
        """Return the standing before the notices of the next turn, which is made `now`; `joins` are
        the joins that are here."""
        last_times = self.time, self.deadline
        standing = self.standing.seeing(self.absence, self.round, now, last_times, self.asking_turn)
        return replace(standing, joins=joins)

    def list_notices(self, turn: Turn, find: Finder) -> Standing:
        """Apply the notices that the next turn lists, and return the standing before them. Raises
        RecordError `rule` for a notice that cannot count, `parent` for a missing record."""
        previous_standing = self.standing_at(turn.time, find.joins())
        # orders are needed only if they may cancel an act that would take effect now
        acts = acts_of(turn.orders, find.orders) if previous_standing.matured_acts else ()
        self.standing = after_turn(previous_standing, turn, find.notice, self.heads, acts)
        return previous_standing

    def absence_with(self, accepted: Collection[str], silent: Collection[str]) -> Absence:
        """Return the absence after a next turn that accepts orders of some seats, and names others
        as silent. A seat whose player is present, as a notice of that turn shows, counts like one
        with accepted orders."""
        present_seats = {*self.standing.seats_shown(self.turn + 1), *accepted}
        absence = self.absence.after_turn(present_seats, silent, self.round)
        return replace(absence, declared_reasons=self.standing.absence_reasons)

    def add(self, turn: Record[Turn], round_: int, acts: Acts = ()) -> None:
        """Add the turn whose players were seated, or whose notices were applied, before. `round_`
        is the round of the questions that it asks; `acts` are its orders (see `acts_of`)."""
        content = turn.content
        accepted = {row.seat for row in content.orders if row.status == "accepted"}
        self.absence = self.absence_with(accepted, content.silent)
        self.last_turn = content
        self.heads.append(next_head(self.head, turn.id))
        self.times.append(content.time)
        self.log_lengths.append(
            (self.log_lengths[-1] if self.log_lengths else 0) + len(content.log)
        )
        self.asking_turn = content.turn if content.has_play else self.asking_turn
        self.listed_orders |= listed_sets_by_id(content)
        self.listed_notices |= {row.id for row in content.notices}
        self.listed_deals |= {*content.deals}
        self._end(content, round_, acts)

    def _end(self, turn: Turn, round_: int, acts: Acts = ()) -> None:
        self.round = round_
        self.standing = self.standing.at_end(turn, self.absence, round_, acts)
        self.absence = replace(self.absence, declared_reasons=self.standing.absence_reasons)

    # -------------------------------------------------------------- without tables
    def follow(self, turn: Record[Turn], find: Finder) -> None:
        """Add the next turn without a check.

        If a join or a notice that it names cannot be found or applied, `missing_record` has the
        error, and from then on no notice changes the standing. Missing orders cancel no announced
        act. `find` may raise RecordError; this method does not.
        """
        content, previous_standing = turn.content, self.standing
        first_round = round_of(content.log[0].key) if content.log else self.round
        if self.last_turn and first_round != self.round:
            # without a table nobody could know that the last turn's questions began a new round:
            # this log shows it, so that turn ends once more, in the right round
            self._end(self.last_turn, first_round)
        try:
            if content.joins is not None:
                self.seat_players(content.joins, find.joins())
                previous_standing = self.standing
                if missing_seats := content.joins.keys() - previous_standing.roster.keys():
                    raise RecordError(
                        "parent",
                        f"the join of seat {min(missing_seats)} is missing from this folder",
                    )
            elif self.missing_record is None:
                records = [find.notice(row.id) for row in content.notices]
                previous_standing = self.standing_at(content.time, find.joins())
                standing = believed(previous_standing, records, content.turn)
                self.standing = standing.with_agreed_end(content.turn)
        except (RecordError, KeyError) as error:  # KeyError: a notice does not fit the standing
            sentence = f"turn {content.turn} lists a notice that the rules do not allow"
            missing_record = (
                error if isinstance(error, RecordError) else RecordError("rule", sentence)
            )
            self.missing_record, self.standing = (
                self.missing_record or missing_record,
                previous_standing,
            )
        acts = list[tuple[str, int]]()
        for row in content.orders if self.standing.announced_acts else ():
            with suppress(RecordError):
                acts += acts_of([row], find.orders)
        self.add(turn, round_of(content.log[-1].key) if content.log else self.round, acts)


def acts_of(orders: Iterable[ListedOrders], find: FindOrders) -> list[tuple[str, int]]:
    """Return the seat and the answered turn of each set of orders that a turn lists, except the
    sets listed as `forked`, which answer another chain.

    Each shows that somebody with the seat's key was there after that turn, and cancels what that
    person may cancel. Raises RecordError if `find` does.
    """
    rows = [row for row in orders if row.reason != "forked"]
    return [(row.seat, find(row.id).content.turn) for row in rows]


def other_version_in_words(turn: int) -> str:
    """Return words for a version of a turn that the chain in the folder does not have."""
    return f"a version of turn {turn} that differs from the one in this folder"
