"""A view: what one seat (or a spectator) knows of a game, for commands such as `show`.

It is made from a TableReader that has checked every turn. A view is plain data that pbem can cache.
It borrows its table from the reader of a seat, or replays the table in milliseconds.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import PUBLIC, Entry, Game, Line, Table
from engine.table import RoundStart, start_of_round

if TYPE_CHECKING:
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.checking.table_reader import TableReader
    from pbem.play.seats.standing import Standing

SPECTATOR = ""
Plain = dict[str, Any]


class View:
    """What one seat or a spectator knows of a game.

    Log entries are (key, seat, text, by, to); ids are hex.
    """

    game: str
    title: str
    ruleset: str
    cards: str
    """The owner's card file, if the game has one."""
    options: dict[str, str]
    policies: Plain
    """The charter's policies, with deadlines that the players agreed on later."""
    referee: str
    names: dict[str, str]
    """The name of the player at each seat that plays."""
    plays: list[str]
    bots: dict[str, str]
    seat: str
    """The seat that the view belongs to; empty for a spectator."""
    turn: int
    heads: list[str]
    times: list[int]
    ends: list[int]
    deadline: int
    over: bool
    awaited: dict[str, list[str]]
    accepted: dict[str, int]
    """For each seat with orders in force: the turn that accepted them."""
    silent: list[str]
    away: dict[str, str]
    """The seats that nobody waits for, and why: `absent` for the rest of the round, or `idle`."""
    entries: list[tuple[str, str, str, str, str]]
    notices: list[tuple[int, str, str, str]]
    """The listed notices: turn, writer (a seat or `referee`), kind, what happened."""
    conceded: list[str]
    """The seats that conceded."""
    ended: str
    """How the players agreed to end the game: `score`, `draw` or `no winner`; `last turn` if the
    turns ran out; else empty."""
    ended_by: str
    """Who agreed on this, in words."""
    removed: dict[str, int]
    """For each seat that was removed for being silent too long: the turn that removed it."""
    absences: dict[str, list[int]]
    """For each seat with an announced absence: when it begins and ends."""
    wanted: dict[str, list[str]]
    """For each seat that proposes a different deadline: the phase, or empty, and the rule."""
    by_mail: list[str]
    """The seats whose players answer by plain email."""
    delay_left: int
    """By how many hours the view's seat may still put deadlines off."""
    orders: str
    """The id of the seat's own orders in force."""
    revision: int
    texts: list[str]
    """The lines of those orders."""
    refused: list[tuple[str, str, str]]
    """The seat's lines that the last turn refused by the rules: orders' id, line, reason."""
    passed_over: list[tuple[str, str]]
    """The seat's orders that the last turn refused: id, and `late`, `forked` or `unopenable`."""
    listed: list[str]
    """The first six hex digits of the ids of all orders that a turn lists."""
    preview: bool
    """Whether the last turn is one that the referee has not published yet."""
    first: list[str]
    """In a preview: the seats in `plays` that must answer before the referee publishes the turn."""

    def __init__(self, **values: Any) -> None:
        """Make a view from the values of its fields; those that `_unset` lists may be left out.

        Raises TypeError for missing or unknown fields. (A dataclass with so many fields takes
        longer to define than a cached view takes to read.)
        """
        values = _unset() | values
        if values.keys() != View.__annotations__.keys():
            raise TypeError("these are not the fields of a view")
        self.__dict__.update(values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.plain() == other.plain()

    @property
    def head(self) -> str:
        """The head after the last turn."""
        return self.heads[-1]

    @property
    def published(self) -> int:
        """The number of the last published turn; 0 before there is one."""
        return self.turn - self.preview

    @property
    def published_head(self) -> str:
        """The head after the last published turn. (A preview changes with each order.)"""
        return self.heads[-2] if self.preview else self.head

    @property
    def asked_by(self) -> int:
        """The last turn in which something happened; orders that answer this turn are still in
        time.

        Later turns only list notices.
        """
        ends = [0, *self.ends]
        return next((n for n in range(len(self.ends), 1, -1) if ends[n] != ends[n - 1]), 1)

    @cached_property
    def play(self) -> Game[Any]:
        """The game: its ruleset with the seats that play."""
        from pbem.play.installed_rules import ruleset_with

        rules = ruleset_with(self.ruleset, self.cards)
        return rules.game("".join(sorted(self.names)), self.options)

    @cached_property
    def log(self) -> list[Entry]:
        """The log as the view's seat may read it."""
        return [Entry(*entry) for entry in self.entries]

    @cached_property
    def table(self) -> Table[Any]:
        """The table after the last turn. The log was checked when the view was made."""
        return Table(self.play, self.seat or PUBLIC, self.log)

    def table_at(self, turn: int) -> Table[Any]:
        """Return the table as it was after that turn."""
        return Table(self.play, self.seat or PUBLIC, self.log[: self.ends[turn - 1]])

    @cached_property
    def phases_of(self) -> dict[str, set[str]]:
        """The phases in which each kind of question in the log was asked."""
        found: dict[str, set[str]] = {}
        for key, *_ in self.entries:
            _, phase, kind, *_ = key.split(".")
            found.setdefault(kind, set()).add(phase)
        return found

    @cached_property
    def round_start(self) -> RoundStart[Any]:
        """The beginning of the current round, as the view's seat knows it."""
        return start_of_round(self.play, self.seat or PUBLIC, self.log)

    def table_again(self, viewpoint: str | None = None) -> Table[Any]:
        """Make a separate copy of the table after the last turn; with `viewpoint`, as that
        viewpoint sees it.

        Only the current round is replayed.
        """
        return self.round_start.table(self.log, viewpoint)

    def round_at(self, turn: int) -> int:
        """Return the number of the round that the table is in after that turn."""
        end = self.ends[turn - 1]
        if end < len(self.log):
            return int(self.log[end].key.split(".")[0])
        return int(self.table.state.round)

    @property
    def lines(self) -> list[Line]:
        """The seat's own order lines that count now."""
        from pbem.play.orders.check_lines import read_lines

        return read_lines(self.texts)

    def plain(self) -> Plain:
        """Return the view as plain data for a cache."""
        return {name: getattr(self, name) for name in View.__annotations__}

    def changed(self, **values: Any) -> "View":
        """Return a view with other values for these fields."""
        return View(**self.plain() | values)


def _unset() -> Plain:
    """Return the values of the fields that most views leave as they are."""
    return {
        "notices": [],
        "conceded": [],
        "ended": "",
        "ended_by": "",
        "removed": {},
        "absences": {},
        "wanted": {},
        "by_mail": [],
        "delay_left": 0,
        "orders": "",
        "revision": 0,
        "texts": [],
        "refused": [],
        "passed_over": [],
        "listed": [],
        "preview": False,
        "first": [],
    }


def view_of(reader: "TableReader", preview: bool = False) -> View:
    """Make the view after all turns that the reader absorbed. Raises RecordError before turn 1."""
    from pbem.play.checking.seat_reader import SeatReader

    charter = reader.charter
    view = View(
        game=reader.game.hex(),
        title=charter.title,
        ruleset=charter.ruleset,
        cards=charter.cards,
        options=dict(reader.public.game.options),
        policies=reader.standing.policies,
        referee=reader.standing.referee_name,
        names={seat: join.name for seat, join in reader.roster.items()},
        plays=list(charter.plays),
        bots={plan.seat: plan.bot for plan in charter.seats if plan.bot},
        seat=SPECTATOR,
        turn=reader.turn,
        heads=[head.hex() for head in reader.heads],
        times=list(reader.times),
        ends=list(reader.ends),
        deadline=reader.deadline,
        over=reader.over,
        awaited={seat: list(kinds) for seat, kinds in reader.awaited.items()},
        accepted={seat: force.record.content.turn + 1 for seat, force in reader.in_force.items()},
        silent=list(reader.silent),
        away={} if reader.over else dict(reader.absence.now(reader.public.pending)),
        entries=_plain(reader.log),
        preview=preview,
    )
    _add_standing(view, reader.standing)
    calendar = reader.standing.calendar
    view.absences = {seat: list(span) for seat, span in calendar.absences.items()}
    view.wanted = {seat: list(wish) for seat, wish in calendar.wanted.items()}
    if isinstance(reader, SeatReader):
        _add_own(view, reader)
        view.delay_left = calendar.hours_left(charter.policies, reader.seat)
    return view


def _add_standing(view: View, standing: "Standing") -> None:
    """Add to the view what notices and long silence have changed."""
    view.removed, view.by_mail = dict(standing.removed), sorted(standing.by_mail)
    view.conceded = sorted(standing.out - standing.removed.keys())
    view.ended, view.ended_by = standing.ended, standing.called(standing.ended_by)
    view.notices = [(n.turn, n.writer, n.about, n.told) for n in standing.listed]


def _add_own(view: View, reader: "SeatReader") -> None:
    view.seat = reader.seat
    view.entries = _plain(reader.own_log)
    view.table = reader.lend_table()
    view.refused = [(r.order.hex(), r.line, r.why) for r in reader.refused]
    mine = [one for one in reader.passed_over if one.seat == reader.seat]
    view.passed_over = [(one.id.hex(), one.reason) for one in mine]
    view.listed = sorted(ident.hex()[:6] for ident in reader.listed)
    force = reader.in_force.get(reader.seat)
    if force is not None and reader.sealed is not None and reader.seat not in view.removed:
        view.orders = force.record.id.hex()
        view.revision = force.record.content.revision
        view.texts = list(reader.sealed.texts)


def _plain(log: list[Entry]) -> list[tuple[str, str, str, str, str]]:
    return [(e.key, e.seat, e.text, e.by, e.to) for e in log]


def restored(plain: Mapping[str, Any]) -> View | None:
    """Return the view from cached data; None if a different version of pbem wrote the data."""
    try:
        return View(**plain)
    except TypeError:
        return None
