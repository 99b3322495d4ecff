"""What became of a seat's orders, as turns and receipts tell it: one answer for audit, `status`,
`doctor`, bundles and hosts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from engine.values import Value
from pbem.files.folder import Name, parse_name
from pbem.files.home import CLOCK_TOLERANCE_SECONDS as SLACK_SECONDS
from pbem.judge.deputy import Maker
from pbem.records.charter import Orders, orders_rank
from pbem.records.read_record import Record
from pbem.records.turn import Turn

# ---- a set of orders, and how turns list sets


class OrderSet(NamedTuple):
    """A set of orders: whose it is, its place, and its id in hex."""

    seat: str
    turn: int
    """The turn that it answers."""
    revision: int
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


def order_set(record: Record[Orders]) -> OrderSet:
    """Return what a record of orders is as a set."""
    orders = record.content
    return OrderSet(orders.seat, orders.turn, orders.revision, record.id.hex(), orders.prev.hex())


def sets_of_seat(paths: Mapping[str, str], seat: str) -> dict[str, OrderSet]:
    """Return a seat's sets of orders among files that were sealed here; both by id in hex."""
    names = {ident: parse_name(path) for ident, path in paths.items()}
    return {
        ident: OrderSet(seat, name.turn, name.revision, ident)
        for ident, name in names.items()
        if name and (name.kind, name.seat) == ("orders", seat)
    }


class ListedSet(NamedTuple):
    """How a turn lists a set of orders."""

    turn: int
    """The turn that lists it."""
    seat: str
    status: str
    """`accepted`, `replaced` or `refused`."""
    reason: str = ""
    """Why it was refused."""


def listed_sets(turn: Turn) -> dict[bytes, ListedSet]:
    """Return how a turn lists sets of orders, by id."""
    return {one.id: ListedSet(turn.turn, one.seat, one.status, one.reason) for one in turn.orders}


FindListed = Callable[[bytes], Record[Orders] | None]
"""Finds the orders with this id; None if they are not here."""


# ---- the fate of a set

Fate = Literal["waiting", "accepted", "replaced", "refused", "late", "forked", "unlisted"]
"""`waiting`: no turn settles its questions yet. `replaced`: a turn accepted a set that counts
before it. `late`: a turn, or this machine's receipt, says that it came too late. `unlisted`: no
turn lists it, and nothing here explains that."""


class OrderFate(NamedTuple):
    """What became of one set of orders."""

    orders: OrderSet
    fate: Fate
    settled_in: int
    """The turn that settles what the set answers; 0 if none does yet."""
    settled_at: int
    """The date of that turn."""
    maker: str
    """The name of who made that turn."""
    sealed_at: int | None
    """When this machine sealed the set; None if it did not, or does not remember it."""
    is_gone: bool
    """Whether the file is not here any more."""

    @property
    def is_uncounted(self) -> bool:
        """Whether the questions were settled without the set, and no other set replaced it."""
        return self.fate in ("late", "unlisted") and self.settled_in > 0

    @property
    def should_ask(self) -> bool:
        """Whether the owner of the set should ask the referee: neither clocks that differ nor slow
        folders explain its fate."""
        when = self.sealed_at
        return self.is_uncounted and (when is None or when <= self.settled_at - SLACK_SECONDS)


class OrderHistory(Value):
    """The facts of the published turns that decide what became of orders."""

    heads: Sequence[str]
    """The head before turn 1, then the head after each turn, in hex."""
    dates: Sequence[int]
    """The date of each turn."""
    settles: Sequence[bool]
    """Of each turn, whether it settled questions: something happened in it, or it ended the
    game."""
    listed: Mapping[str, ListedSet]
    """How turns list sets of orders; by id in hex."""
    find: FindListed
    """Finds the orders that a turn lists: what a file's name says of them, anybody can write."""
    maker: Callable[[int], Maker]
    """Returns who made a turn."""

    def settling_turn(self, turn: int) -> int:
        """Return the turn that settles what this turn asks; 0 if there is none yet."""
        later = range(turn + 1, len(self.settles) + 1)
        return next((number for number in later if self.settles[number - 1]), 0)

    def is_replaced(self, orders: OrderSet) -> bool:
        """Return whether a turn, up to the one that settles the questions, accepted a set of the
        seat that counts before this one."""
        last = self.settling_turn(orders.turn) or len(self.dates)
        accepted = (
            ident
            for ident, listed in self.listed.items()
            if (listed.seat, listed.status) == (orders.seat, "accepted")
            and orders.turn <= listed.turn <= last
        )
        return any(found.rank < orders.rank for found in self.sets(accepted))

    def sets(self, listed: Iterable[str]) -> Iterator[OrderSet]:
        """Yield the sets with these ids, which turns list, as far as their files are here."""
        records = (self.find(bytes.fromhex(ident)) for ident in listed)
        return (order_set(record) for record in records if record)


def make_history(
    heads: Sequence[str],
    dates: Sequence[int],
    ends: Sequence[int],
    listed: Mapping[str, ListedSet],
    find: FindListed,
    maker: Callable[[int], Maker],
    *,
    over: bool,
) -> OrderHistory:
    """Return the history of turns from what a chain or a view says of them.

    `ends` has the number of log entries after each turn; `find` reads the orders that they list.
    """
    settles = [end > begin for begin, end in zip([0, *ends], ends, strict=False)]
    settles[-1:] = [over or settled for settled in settles[-1:]]
    return OrderHistory(heads, dates, settles, listed, find, maker)


def fate_of(
    orders: OrderSet, turns: OrderHistory, sealed: Mapping[str, int], *, is_gone: bool = False
) -> OrderFate:
    """Return what became of a set of orders. `sealed` says when this machine sealed sets, by id;
    `is_gone`: the file is not here any more."""
    made = turns.settling_turn(orders.turn)
    made_at, maker = (turns.dates[made - 1], turns.maker(made).name) if made else (0, "")
    when = sealed.get(orders.id)
    fate: Fate = "waiting"
    listed = turns.listed.get(orders.id)
    if listed and not (listed.reason == "late" and turns.is_replaced(orders)):
        fates: dict[str, Fate] = {"accepted": "accepted", "replaced": "replaced"}
        reasons: dict[str, Fate] = {"late": "late", "forked": "forked"}
        fate = fates.get(listed.status) or reasons.get(listed.reason, "refused")
    elif turns.is_replaced(orders):
        fate = "replaced"
    elif orders.head and orders.turn < len(turns.heads) and orders.head != turns.heads[orders.turn]:
        fate = "forked"
    elif made:
        fate = "late" if when is not None and when >= made_at else "unlisted"
    return OrderFate(orders, fate, made, made_at, maker, when, is_gone)


def fates_of_gone_orders(
    own: Iterable[OrderSet],
    here: Iterable[OrderSet],
    turns: OrderHistory,
    sealed: Mapping[str, int],
) -> Iterator[OrderFate]:
    """Yield the fate of sets that this machine sealed in time, whose files are gone and which no
    turn lists; of each answered turn only of the newest set.

    `own` are the seat's sets that were sealed here; `here` are its sets in the folder.
    """
    newest = dict[int, tuple[bool, int, OrderFate]]()
    for orders in own:
        fate = fate_of(orders, turns, sealed, is_gone=True)
        if fate.settled_in and fate.sealed_at is not None and fate.sealed_at < fate.settled_at:
            in_time = fate.sealed_at <= fate.settled_at - SLACK_SECONDS
            row = in_time, orders.revision, fate
            newest[orders.turn] = max(row, newest.get(orders.turn, row), key=lambda x: x[:2])
    files = [*here]
    for _, (_, revision, fate) in sorted(newest.items(), key=lambda item: item[0]):
        orders = fate.orders
        is_outranked = any(x.turn == orders.turn and x.revision >= revision for x in files)
        if fate.is_uncounted and orders.id not in turns.listed and not is_outranked:
            yield fate


# ---- which sets may still count


class OpenQuestions(NamedTuple):
    """What the published turns say about the questions that are open, as far as it decides which
    orders may still count."""

    turn: int
    """The number of the last turn."""
    asked_by: int
    """The turn that asked the questions."""
    heads: Sequence[str]
    """The heads after the turns, in hex."""
    listed: Mapping[str, ListedSet]
    """How turns list sets of orders, by id in hex."""
    gone: Collection[str]
    """The seats whose orders no longer count: they conceded, or were removed."""

    def may_count(self, orders: OrderSet) -> bool:
        """Return whether a set answers the questions, on this chain."""
        is_asked = self.asked_by <= orders.turn <= self.turn and orders.seat not in self.gone
        return is_asked and orders.head == self.heads[orders.turn]
