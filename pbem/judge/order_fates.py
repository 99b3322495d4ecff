"""The fate of a seat's orders, as turns and receipts tell it: one answer for audit, `status`,
`doctor`, bundles and hosts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from engine.value_classes import Value
from pbem.files.record_file_names import Name, parse_name
from pbem.files.signed_and_seen import CLOCK_TOLERANCE_SECONDS
from pbem.judge.referee_or_deputy import Maker
from pbem.records.orders import Orders, orders_rank
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn

# ---- a set of orders, and how turns list sets


class OrdersHeader(NamedTuple):
    """A set of orders: its seat, its place, and its id in hex."""

    seat: str
    turn: int
    """The turn that it answers."""
    revision: int
    """The number of the set among the seat's sets for that turn; a higher one counts first."""
    id: str
    head: str = ""
    """The head that it builds on, in hex; empty if only the name of the file is known."""

    @property
    def rank(self) -> tuple[int, int, str]:
        """The key that sorts the sets of one seat, the one that counts first."""
        return orders_rank(self.turn, self.revision, self.id)

    @property
    def path(self) -> str:
        """The path of its file in the game folder."""
        return Name("orders", self.turn, self.seat, self.revision, self.id[:6]).path


def orders_header(record: Record[Orders]) -> OrdersHeader:
    """Return what a record of orders is as a set."""
    orders = record.content
    return OrdersHeader(
        orders.seat, orders.turn, orders.revision, record.id.hex(), orders.prev.hex()
    )


def headers_of_seat(paths: Mapping[str, str], seat: str) -> dict[str, OrdersHeader]:
    """Return a seat's sets of orders, by id in hex, among the files at these paths, by id in hex.
    Only the names of the files are read, so the sets have no head."""
    names = {order_id: parse_name(path) for order_id, path in paths.items()}
    return {
        order_id: OrdersHeader(seat, name.turn, name.revision, order_id)
        for order_id, name in names.items()
        if name and (name.kind, name.seat) == ("orders", seat)
    }


class ListedSet(NamedTuple):
    """The row with which a turn lists a set of orders."""

    turn: int
    """The turn that lists it."""
    seat: str
    status: str
    """`accepted`, `replaced` or `refused`."""
    reason: str = ""
    """The reason for a refusal; may be empty."""


def listed_sets_by_id(turn: Turn) -> dict[bytes, ListedSet]:
    """Return the rows with which a turn lists sets of orders, by id."""
    return {row.id: ListedSet(turn.turn, row.seat, row.status, row.reason) for row in turn.orders}


FindListed = Callable[[bytes], Record[Orders] | None]
"""Finds the orders with this id; None if they are not here."""


# ---- the fate of a set

Fate = Literal["waiting", "accepted", "replaced", "refused", "late", "forked", "unlisted"]
"""The fate of a set. `waiting`: no turn settles its questions yet. `replaced`: a turn accepted a
set that counts before it. `late`: a turn, or this machine's receipt, says that it came too late.
`forked`: it builds on another turn. `unlisted`: no turn lists it, and nothing here explains
that."""


class OrderFate(NamedTuple):
    """The fate of one set of orders, and the facts that explain it."""

    orders: OrdersHeader
    fate: Fate
    settling_turn: int
    """The turn that settles what the set answers; 0 if none does yet."""
    settled_at: int
    """The date of that turn."""
    maker: str
    """The name of the person who made that turn."""
    sealed_at: int | None
    """The time at which this machine sealed the set; None if unknown."""
    is_gone: bool
    """Whether the file is not here any more."""

    @property
    def is_uncounted(self) -> bool:
        """Whether the questions were settled without the set, and no other set replaced it."""
        return self.fate in ("late", "unlisted") and self.settling_turn > 0

    @property
    def should_ask(self) -> bool:
        """Whether the owner of the set should ask the referee: neither clocks that differ nor slow
        folders explain its fate."""
        sealed_at = self.sealed_at
        is_in_time = sealed_at is None or sealed_at <= self.settled_at - CLOCK_TOLERANCE_SECONDS
        return self.is_uncounted and is_in_time


class OrderHistory(Value):
    """The facts of the published turns that decide what became of orders."""

    heads: Sequence[str]
    """The head before turn 1, then the head after each turn, in hex."""
    dates: Sequence[int]
    """The date of each turn."""
    settles: Sequence[bool]
    """For each turn, whether it settled questions: it has a log, or ended the game."""
    listed_sets: Mapping[str, ListedSet]
    """The rows with which turns list sets of orders; by id in hex."""
    find: FindListed
    """The function that reads listed orders: the name of a file is no proof of its content."""
    maker: Callable[[int], Maker]
    """The function that returns the maker of a turn."""

    def settling_turn(self, turn: int) -> int:
        """Return the turn that settles what this turn asks; 0 if there is none yet."""
        later_turns = range(turn + 1, len(self.settles) + 1)
        return next((number for number in later_turns if self.settles[number - 1]), 0)

    def is_replaced(self, orders: OrdersHeader) -> bool:
        """Return whether a turn, up to the one that settles the questions, accepted a set of the
        seat that counts before this one."""
        last_turn = self.settling_turn(orders.turn) or len(self.dates)
        accepted_ids = (
            order_id
            for order_id, listed_set in self.listed_sets.items()
            if (listed_set.seat, listed_set.status) == (orders.seat, "accepted")
            and orders.turn <= listed_set.turn <= last_turn
        )
        return any(accepted_set.rank < orders.rank for accepted_set in self.sets(accepted_ids))

    def sets(self, order_ids: Iterable[str]) -> Iterator[OrdersHeader]:
        """Yield the listed sets with these ids whose files are here."""
        records = (self.find(bytes.fromhex(order_id)) for order_id in order_ids)
        return (orders_header(record) for record in records if record)


def make_history(
    heads: Sequence[str],
    dates: Sequence[int],
    log_lengths: Sequence[int],
    listed_sets: Mapping[str, ListedSet],
    find: FindListed,
    maker: Callable[[int], Maker],
    *,
    is_over: bool,
) -> OrderHistory:
    """Make the history of turns from the facts of a chain or a view.

    `heads` has the head before turn 1, then the head after each turn, in hex; `dates` the date of
    each turn; `log_lengths` the number of log entries after each turn; `listed_sets` the rows with
    which turns list sets of orders, by id in hex. `find` reads listed orders, and `maker` returns
    the maker of a turn.
    """
    settles = [end > begin for begin, end in zip([0, *log_lengths], log_lengths, strict=False)]
    # the turn that ends a game by agreement has no log, but nothing stays open after it
    settles[-1:] = [is_over or has_settled for has_settled in settles[-1:]]
    return OrderHistory(heads, dates, settles, listed_sets, find, maker)


def fate_of(
    orders: OrdersHeader,
    history: OrderHistory,
    sealing_times: Mapping[str, int],
    *,
    is_gone: bool = False,
) -> OrderFate:
    """Return the fate of a set of orders. `sealing_times` are the times at which this machine
    sealed sets, in seconds since 1970 UTC, by id in hex; `is_gone`: the file is not here any
    more."""
    settling_turn = history.settling_turn(orders.turn)
    settled_at = history.dates[settling_turn - 1] if settling_turn else 0
    maker = history.maker(settling_turn).name if settling_turn else ""
    sealed_at, heads = sealing_times.get(orders.id), history.heads
    fate: Fate = "waiting"
    listed_set = history.listed_sets.get(orders.id)
    # a set that came late because a better one was accepted before is replaced, not late
    if listed_set and not (listed_set.reason == "late" and history.is_replaced(orders)):
        fates: dict[str, Fate] = {"accepted": "accepted", "replaced": "replaced"}
        reasons: dict[str, Fate] = {"late": "late", "forked": "forked"}
        fate = fates.get(listed_set.status) or reasons.get(listed_set.reason, "refused")
    elif history.is_replaced(orders):
        fate = "replaced"
    elif orders.head and orders.turn < len(heads) and orders.head != heads[orders.turn]:
        fate = "forked"
    elif settling_turn:
        fate = "late" if sealed_at is not None and sealed_at >= settled_at else "unlisted"
    return OrderFate(orders, fate, settling_turn, settled_at, maker, sealed_at, is_gone)


def fates_of_gone_orders(
    own_sets: Iterable[OrdersHeader],
    stored_sets: Iterable[OrdersHeader],
    history: OrderHistory,
    sealing_times: Mapping[str, int],
) -> Iterator[OrderFate]:
    """Yield the fate of each unlisted set that this machine sealed in time and whose file is gone.

    Per answered turn, only the newest set counts; sets that may be late by another clock come
    after all others. A set is not yielded if the folder has its revision or a later one.
    `own_sets` are the seat's sets that were sealed here; `stored_sets` are its sets in the folder.
    """
    newest_rows = dict[int, tuple[bool, int, OrderFate]]()
    for orders in own_sets:
        fate = fate_of(orders, history, sealing_times, is_gone=True)
        if fate.settling_turn and fate.sealed_at is not None and fate.sealed_at < fate.settled_at:
            is_in_time = fate.sealed_at <= fate.settled_at - CLOCK_TOLERANCE_SECONDS
            row = is_in_time, orders.revision, fate
            rows = row, newest_rows.get(orders.turn, row)
            newest_rows[orders.turn] = max(rows, key=lambda row: row[:2])
    revisions = [(orders.turn, orders.revision) for orders in stored_sets]
    for answered_turn, (_, revision, fate) in sorted(newest_rows.items(), key=lambda row: row[0]):
        is_outranked = any(
            stored_turn == answered_turn and stored_revision >= revision
            for stored_turn, stored_revision in revisions
        )
        if fate.is_uncounted and fate.orders.id not in history.listed_sets and not is_outranked:
            yield fate


# ---- which sets may still count


class OpenQuestions(NamedTuple):
    """The facts of the published turns that decide whether orders may still count."""

    turn: int
    """The number of the last turn."""
    asking_turn: int
    """The turn that asked the questions."""
    heads: Sequence[str]
    """The heads after the turns, in hex."""
    listed_sets: Mapping[str, ListedSet]
    """The rows with which turns list sets of orders, by id in hex."""
    departed_seats: Collection[str]
    """The seats whose orders no longer count: they conceded, or were removed."""

    def may_count(self, orders: OrdersHeader) -> bool:
        """Return whether a set answers the questions, on this chain."""
        is_asked = (
            self.asking_turn <= orders.turn <= self.turn and orders.seat not in self.departed_seats
        )
        return is_asked and orders.head == self.heads[orders.turn]
