"""The view of a game from one seat, or for a spectator."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import PUBLIC, Entry, Game, Line, Table
from engine.last_round_start import RoundStart, start_of_round
from engine.resumed_orders import resumed_orders
from pbem.judge.absent_seats import round_of
from pbem.judge.game_ruleset import ruleset_with
from pbem.judge.order_fates import ListedSet, OpenQuestions
from pbem.judge.order_line_checks import read_lines
from pbem.judge.seat_holders_keys_and_agreements import Fields
from pbem.records.deadline_and_silence_policies import Policies

if TYPE_CHECKING:
    from pbem.judge.public_turn_reader import PublicReader


SPECTATOR = ""


class View:
    """The knowledge of one seat or a spectator about a game, as plain data for a cache: ids are
    hex, log entries are (key, seat, text, by, to).

    Its table is borrowed from a seat's reader, or replayed in milliseconds.
    """

    game: str
    title: str
    ruleset: str
    cards: str
    """The owner's card file, if the game has one."""
    options: dict[str, str]
    policies: Policies
    """The charter's policies, with deadlines that the players agreed on later."""
    referee: str
    names: dict[str, str]
    """The name of the player at each seat that plays."""
    plays: list[str]
    """The seats that the referee plays, in person or with bots."""
    bots: dict[str, str]
    """For each seat that a bot plays: the bot's name."""
    seat: str
    """The seat that the view belongs to; empty for a spectator."""
    turn: int
    """The number of the last turn, a preview included."""
    heads: list[str]
    """The head before turn 1, then the head after each turn, in hex."""
    times: list[int]
    """The date of each turn, in seconds since 1970 UTC."""
    log_lengths: list[int]
    """The number of log entries after each turn."""
    asking_turn: int
    """The turn that asked the open questions: the last one in which something happened. Orders
    that answer it are still in time."""
    deadline: int
    """The deadline that the last turn names, in seconds since 1970 UTC; 0 if it names none."""
    is_over: bool
    awaited: dict[str, list[str]]
    """For each seat that the last turn asks something: the kinds of its open decisions."""
    accepted: dict[str, int]
    """For each seat with orders in force: the turn that accepted them."""
    silent: list[str]
    """The seats that the last turn names as silent."""
    absence_reasons: dict[str, str]
    """For each seat that nobody waits for: the absence reason, `absent` for the rest of the round,
    or for example `idle`."""
    entries: list[tuple[str, str, str, str, str]]
    """The log as the view's seat may read it: key, seat, text, by, to."""
    notices: list[tuple[int, str, str, Fields]]
    """The listed notices: turn, writer (a seat or `referee`), kind, fields of the event."""
    conceded: list[str]
    """The seats that conceded."""
    ended: str
    """The agreed end of the game: `score`, `draw` or `no winner`; `last turn` if the turns ran out;
    else empty."""
    ended_by: list[str]
    """The writers of the notices that agreed on this end."""
    removed: dict[str, int]
    """For each seat that was removed for being silent too long: the turn that removed it."""
    absences: dict[str, list[int]]
    """For each seat with an announced absence: when it begins and ends."""
    proposed_deadlines: dict[str, list[str]]
    """For each seat that proposes a different deadline: the phase, or empty, and the rule."""
    by_mail: list[str]
    """The seats whose players answer by plain email."""
    delay_left: int
    """The number of hours by which the view's seat may still put deadlines off."""
    orders: str
    """The id of the seat's own orders in force."""
    revision: int
    """The revision of `orders`."""
    texts: list[str]
    """The lines of `orders`."""
    rule_refusals: list[tuple[str, str, str]]
    """The seat's lines that the last turn refused by the rules: orders' id, line, reason."""
    excluded_orders: list[tuple[str, str]]
    """The seat's orders that the last turn refused: id, and `late`, `forked` or `unopenable`."""
    listed_orders: dict[str, tuple[int, str, str, str]]
    """For each order set that a turn lists, by id in hex: turn, seat, status, reason."""
    dealers: list[str]
    """Mode `dealers`: the names of the co-dealers, in their order."""
    owed: list[int]
    """Mode `dealers`: the numbers of the co-dealers whose parts the last turn owes: it asks
    nobody."""
    preview: bool
    """Whether the referee has not published the last turn yet."""
    preview_seats: list[str]
    """In a preview: the seats in `plays` that must answer before the referee publishes the turn."""

    def __init__(self, **values: Any) -> None:
        """Make a view from its fields; those in `_unset` may be left out, and get empty values.
        Raises TypeError for missing and unknown fields.

        A dataclass with so many fields takes longer to define than a cached view takes to read.
        """
        values = _unset() | values
        if values.keys() != View.__annotations__.keys():
            raise TypeError("the fields of this view are not those of this version of pbem")
        self.__dict__.update(values)
        self.policies = Policies(self.policies)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.to_data() == other.to_data()

    @property
    def head(self) -> str:
        """The head after the last turn."""
        return self.heads[-1]

    @property
    def open_questions(self) -> OpenQuestions | None:
        """The facts that decide which orders may still count; None if the game is over, or if the
        last turn is a preview."""
        if self.is_over or self.preview:
            return None
        listed_sets = {
            order_id_hex: ListedSet(*row) for order_id_hex, row in self.listed_orders.items()
        }
        departed_seats = {*self.conceded, *self.removed}
        return OpenQuestions(self.turn, self.asking_turn, self.heads, listed_sets, departed_seats)

    @property
    def published(self) -> int:
        """The number of the last published turn; 0 before there is one."""
        return self.turn - self.preview

    @property
    def published_head(self) -> str:
        """The head after the last published turn. (A preview changes with each order.)"""
        return self.heads[-2] if self.preview else self.head

    @cached_property
    def play(self) -> Game[Any]:
        """The game: its ruleset with the seats that play."""
        rules = ruleset_with(self.ruleset, self.cards)
        return rules.game("".join(sorted(self.names)), self.options)

    def question_of(self, kind: str) -> str:
        """Return the question of a kind in `awaited`; the kind itself if no ruleset asks it, but
        the cards wait for it."""
        kinds = self.play.ruleset.kinds
        return kinds[kind].question if kind in kinds else kind

    @cached_property
    def log(self) -> list[Entry]:
        """The log as the view's seat may read it."""
        return [Entry(*entry) for entry in self.entries]

    @cached_property
    def table(self) -> Table[Any]:
        """The table after the last turn. The log was checked when the view was made."""
        return Table(self.play, self.seat or PUBLIC, self.log)

    def table_at(self, turn: int) -> Table[Any]:
        """Return the table after the given turn."""
        return Table(self.play, self.seat or PUBLIC, self.log[: self.log_lengths[turn - 1]])

    @cached_property
    def phases_of(self) -> dict[str, set[str]]:
        """The phases in which each kind of question in the log was asked."""
        phases_by_kind: dict[str, set[str]] = {}
        for key, *_ in self.entries:
            _, phase, kind, *_ = key.split(".")
            phases_by_kind.setdefault(kind, set()).add(phase)
        return phases_by_kind

    @cached_property
    def round_start(self) -> RoundStart[Any]:
        """The start of the current round, as the view's seat knows it."""
        return start_of_round(self.play, self.seat or PUBLIC, self.log)

    def table_again(self, viewpoint: str | None = None) -> Table[Any]:
        """Make another table after the last turn, for any viewpoint; only this round is
        replayed."""
        return self.round_start.table(self.log, viewpoint)

    def round_at(self, turn: int) -> int:
        """Return the round of the table after the given turn."""
        end = self.log_lengths[turn - 1]
        if end < len(self.log):
            return round_of(self.log[end].key)
        return int(self.table.state.round)

    @property
    def log_length_before_orders(self) -> int:
        """The number of log entries before those that the seat's orders in force could settle: the
        turn that accepted them has these. Raises KeyError if the seat has no orders in force."""
        return self.log_lengths[self.accepted[self.seat] - 2]

    @property
    def lines(self) -> list[Line]:
        """The lines of the seat's orders in force."""
        return read_lines(self.texts)

    def to_data(self) -> dict[str, Any]:
        """Return the view as plain data for a cache."""
        return {name: getattr(self, name) for name in View.__annotations__}

    def changed(self, **values: Any) -> View:
        """Return a view with other values for these fields."""
        return View(**self.to_data() | values)


def _unset() -> dict[str, Any]:
    """Return the values of the fields that a view has if nothing sets them."""
    return {
        "notices": [], "conceded": [], "by_mail": [], "texts": [], "rule_refusals": [],
        "excluded_orders": [], "listed_orders": {}, "preview_seats": [], "removed": {},
        "absences": {}, "proposed_deadlines": {},
        "dealers": [], "owed": [], "ended": "", "ended_by": [], "orders": "",
        "revision": 0, "delay_left": 0,
        "preview": False,
    }  # fmt: skip


def view_of(reader: PublicReader) -> View:
    """Return the view after all turns that the reader absorbed: the seat's, if it is the reader of
    a seat, else that of a spectator. Raises RecordError before turn 1."""
    from pbem.judge.seat_turn_reader import SeatReader

    chain, charter = reader.chain, reader.charter
    standing, calendar, pending = chain.standing, chain.standing.calendar, reader.public.pending
    last_turn = chain.last_turn
    assert last_turn is not None  # `public` has seen it
    view = View(
        game=chain.game.hex(),
        title=charter.title,
        ruleset=charter.ruleset,
        cards=charter.cards,
        options=dict(reader.public.game.options),
        policies=standing.policies,
        referee=standing.referee_name,
        names={seat: join.name for seat, join in standing.roster.items()},
        plays=list(charter.plays),
        bots=charter.bots,
        seat=SPECTATOR,
        turn=chain.turn,
        heads=[head.hex() for head in chain.heads],
        times=list(chain.times),
        log_lengths=list(chain.log_lengths),
        asking_turn=chain.asking_turn,
        deadline=chain.deadline,
        is_over=chain.is_over,
        awaited={} if chain.is_over else {s: list(k) for s, k in reader.awaited.items()},
        accepted={seat: orders.record.content.turn + 1 for seat, orders in reader.in_force.items()},
        silent=list(last_turn.silent),
        dealers=[dealer.name for dealer in charter.dealers],
        owed=list(last_turn.owed),
        absence_reasons={} if chain.is_over else dict(chain.absence.absence_reasons(pending)),
        entries=_entry_rows(reader.log),
        preview=False,
        removed=dict(standing.removal_turns),
        by_mail=sorted(standing.by_mail),
        conceded=sorted(standing.seats_out - standing.removal_turns.keys()),
        ended=standing.ended,
        ended_by=list(standing.ended_by),
        notices=[(n.turn, n.writer, n.kind, n.fields) for n in standing.applied_notices],
        absences={seat: [days.begins, days.ends] for seat, days in calendar.absences.items()},
        proposed_deadlines={seat: list(wish) for seat, wish in calendar.proposals.items()},
    )
    view.listed_orders = {
        order_id.hex(): (row.turn, row.seat, row.status, row.reason)
        for order_id, row in chain.listed_orders.items()
    }
    if not isinstance(reader, SeatReader):
        return view
    # the cached property `table` gets the reader's own, so that the log is not replayed
    view.seat, view.table, view.preview = reader.seat, reader.lend_table(), reader.preview
    view.entries = _entry_rows(reader.own_log)
    view.delay_left = calendar.hours_left(charter.policies, reader.seat)
    view.rule_refusals = [(r.order.hex(), r.line, r.why) for r in reader.rule_refusals]
    view.excluded_orders = [
        (row.id.hex(), row.reason)
        for row in last_turn.orders
        if row.seat == reader.seat and row.reason not in ("", "rule")
    ]
    orders = reader.in_force.get(reader.seat)
    if orders is not None and reader.unsealed is not None and reader.seat not in view.removed:
        view.orders = orders.record.id.hex()
        view.revision = orders.record.content.revision
        view.texts = reader.seat_cards.typed_texts(reader.unsealed.texts)
    return view


def _entry_rows(log: list[Entry]) -> list[tuple[str, str, str, str, str]]:
    return [(e.key, e.seat, e.text, e.by, e.to) for e in log]


def view_from_data(fields: Mapping[str, Any]) -> View | None:
    """Return a view from the data of `View.to_data`; None if another version of pbem wrote it."""
    try:
        return View(**fields)
    except TypeError:
        return None


def unheard_seats(view: View, sealed_seats: Collection[str]) -> list[str]:
    """Return the seats that may still answer in this round, but have no orders for it: neither in
    force nor in the folder. Seats that are asked now, are away, or are in `plays` are left out.

    Only what everybody can see decides this. `sealed_seats` have orders in the folder that wait for
    the next turn.
    """
    seats = {*view.names} - {*view.awaited, *view.plays, *view.absence_reasons, *sealed_seats}
    return [seat for seat in sorted(seats) if not has_answered_this_round(view, seat)]


def has_answered_this_round(view: View, seat: str) -> bool:
    """Return whether the seat's orders in force answered a question of this round."""
    answered_turn = view.accepted.get(seat, 0) - 1
    return answered_turn > 0 and view.round_at(answered_turn) == view.table.state.round


def answers_everything(view: View) -> bool:
    """Return whether the seat's orders in force answer everything that it is asked now."""
    questions = [(key, d) for key, d in view.table.pending if d.seat == view.seat]
    if not questions or view.seat not in view.accepted:
        return False
    number = view.round_at(view.accepted[view.seat] - 1)
    orders = resumed_orders(
        view.table, view.seat, number, view.lines, view.log, view.log_length_before_orders
    )
    return all(orders.answer(key, d, view.table.state) is not None for key, d in questions)
