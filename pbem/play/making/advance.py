"""Work out the next records of a game from its folder, the referee's key and the time.

This module writes nothing. Two runs on the same folder with the same time make the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pbem.format.errors import RecordError
from pbem.format.keys import SigningKey
from pbem.play.calendar.charter_deadlines import change_of_mind, phase_of
from pbem.play.checking.charter_rules import ruleset_of
from pbem.play.checking.game_folder import GameFolder
from pbem.play.checking.which_join_counts import claim_of, seat_players
from pbem.play.deputy.referee_secrets import RefereeSecrets, referee_secrets
from pbem.play.making.outcome import Outcome, Wishes
from pbem.play.making.progress import Progress
from pbem.play.making.remake import inputs_of, remake
from pbem.play.making.silence import not_heard, waiting
from pbem.play.making.sort_orders import OrderSorter, SortedOrders
from pbem.play.making.turn_maker import TurnMaker
from pbem.play.notices.new_for_turn import NewNotices, not_yours
from pbem.play.notices.notice_files import notice_name
from pbem.play.orders.in_force import FindOrders
from pbem.play.orders.late_or_counted import set_that_counts, why_unusable
from pbem.play.seats.listed_notices import SignedNotice, all_counted
from pbem.play.seats.standing import Standing
from pbem.records.charter_join_orders import Join, Orders
from pbem.records.read_record import Record, make
from pbem.records.turn import Turn
from pbem.storage.errors import FileError
from pbem.storage.file_names import Name, turn_path

_GET_BACK: Final = (
    "let the folder sync, or get the file back: from the drive's history; from a player who got it "
    "by mail (ask them to run pbem send --all); or, if you play the seat, by running pbem advance "
    "on the computer that sealed it"
)
_MOVE_AWAY: Final = "move the file away; pbem advance will then write the right one"
MOST_ORDERS: Final = 16
"""How many order files of one seat a turn may list; opening each one takes a while."""


def secrets_of(game_folder: GameFolder, key: SigningKey) -> RefereeSecrets:
    """Return the referee's secrets for the game in a folder.

    Raises what `referee_secrets` raises.
    """
    charter = game_folder.charter.content
    first = next(game_folder.turns(), None) if key.public != charter.key else None
    return referee_secrets(charter, game_folder.game, first.content if first else None, key)


class Advance:
    """One run of `advance`: call `run` once."""

    def __init__(
        self,
        game_folder: GameFolder,
        key: SigningKey,
        now: int,
        wishes: Wishes | None = None,
        progress: Progress | None = None,
        keep: Callable[[Progress], None] | None = None,
        only_notices: bool = False,
    ) -> None:
        """`progress` is what an earlier run left; see the module `progress`.

        With `only_notices`, the next turn takes no orders except those that it must take. `keep` is
        called once the earlier turns are made again, before this run makes anything new.
        """
        self.game_folder, self.key, self.now = game_folder, key, now
        self._before, self._keep, self._only_notices = progress, keep, only_notices
        self.progress: Progress | None = None
        """What this run leaves for the next one; None if it made no turn."""
        self.wishes = wishes or Wishes()
        self.secrets = secrets_of(game_folder, key)
        self.heads: list[bytes] = []
        self.last: Turn | None = None
        self.listed: set[bytes] = set()
        self._by_word: tuple[bytes, ...] = ()
        self._taken_in: list[SignedNotice] = []
        """The notices with which this run gives open seats to new players."""
        self._contested: dict[str, list[Record[Join]]] = {}

    def run(self) -> Outcome:
        """Work out what can be made. Raises RecordError or FileError for a wrong file."""
        if self.game_folder.gaps:
            gap = self.game_folder.gaps[0]
            raise FileError("parent", turn_path(gap), f"is missing: {_GET_BACK}")
        self._wait_for_half()
        if self._before and self._before.holds(self.game_folder.listing):
            maker = self._resume(self._before)
        else:
            joins = self._joins()
            if isinstance(joins, Outcome):
                return joins
            maker = TurnMaker(self.game_folder.charter, joins, self.secrets)
            self.heads = [maker.head]
        known = maker.turn
        self._redo(maker)
        if self._keep and maker.turn > known:
            self._keep(Progress(maker, self.heads, self.last, self.listed))
        if self.last and self.last.over:
            return self._finish(maker)
        outcome = self._next(maker)
        bots = {plan.seat for plan in maker.charter.seats if plan.bot}
        asked = {*outcome.first} - bots  # bots answer at once, but the referee may take days
        waits = bool(outcome.held or outcome.held_until or asked)
        if waits and maker.pressing and not self._only_notices:
            return self._without_orders()
        outcome.policies, outcome.contested = maker.standing.policies, self._contested
        return outcome

    def _without_orders(self) -> Outcome:
        """Make a turn that lists the notices, because they cannot wait until everybody has sent
        orders for the round."""
        again = Advance(self.game_folder, self.key, self.now, self.wishes, only_notices=True)
        outcome = again.run()
        self.heads, self.progress = again.heads, again.progress
        return outcome

    def _wait_for_half(self) -> None:
        """Raise FileError if part of the next turn may be here, from the referee's other machine.

        A different turn in that place would look like proof that the referee cheated.
        """
        game_folder, wishes = self.game_folder, self.wishes
        for found in game_folder.strays[:1]:
            if found.name.turn > len(game_folder.listing.turns) + 1 or wishes.go_on:
                return
            worth = game_folder.worth(found)
            if worth == "junk" or (worth == "damaged" and wishes.all_here):
                return
            told = "is empty or only part of a turn: let the folder sync; if that does not help,"
            if worth == "damaged":
                told = "is a turn of this game whose signature does not match: get it again if "
                told += "you made it on another machine; if you did not,"
            told += " --go-on sets it aside and makes the turn"
            raise FileError("parent", found.path, told)

    # -------------------------------------------------------------- who plays
    def _joins(self) -> dict[str, Record[Join]] | Outcome:
        first = next(self.game_folder.turns(), None)
        if first is None:
            return self._gather()
        return self.game_folder.joins_of(first.content)

    def _gather(self) -> dict[str, Record[Join]] | Outcome:
        charter = self.game_folder.charter
        joins = self.game_folder.joins().values()
        claims = [claim_of(charter, record, self.secrets.audit) for record in joins]
        wishes, plans = self.wishes, charter.content.seats
        found = seat_players(charter.content, claims, wishes.accept, wishes.refuse)
        empty = [plan.seat for plan in plans if plan.seat not in found.taken]
        enough = len(found.taken) in ruleset_of(charter.content).players
        if found.contested or (empty and not (wishes.start and enough)):
            waiting: dict[str, tuple[str, ...]] = dict.fromkeys(empty, ("join",))
            return Outcome(waiting=waiting, doubtful=found.doubtful, contested=found.contested)
        self._by_word = tuple(found.by_word)
        return found.taken

    # -------------------------------------------------------------- the turns so far
    def _redo(self, maker: TurnMaker) -> None:
        """Make every earlier turn again; each must be identical to the one in the folder."""
        for record in self.game_folder.turns(maker.turn):
            turn = record.content
            find, notice = self._find(maker), self.game_folder.find_notice
            joins = self.game_folder.joins()
            if remake(maker, turn, self.heads, self.last, find, notice, joins) != turn:
                where = turn_path(turn.turn)
                told = "is not the turn that these orders and your key produce: run pbem audit"
                raise FileError("fork", where, told)
            maker.made(record)
            self.heads.append(maker.head)
            self._note_listed(turn)
            self.last = turn

    def _resume(self, before: Progress) -> TurnMaker:
        self.heads, self.last, self.listed = before.heads, before.last, before.listed
        return before.maker

    def _leave(self, maker: TurnMaker, turn: Turn) -> None:
        """After a turn was made, keep what the next run in this process can use."""
        self.heads.append(maker.head)
        self._note_listed(turn)
        self.progress = Progress(maker, self.heads, turn, self.listed)
        self.progress.note_files(self.game_folder.listing)

    def _note_listed(self, turn: Turn) -> None:
        self.listed |= {listed.id for listed in turn.orders}
        self.listed |= {listed.id for listed in turn.notices}

    def _own(self) -> tuple[bytes, ...]:
        return self.last.own if self.last else ()

    def _known(self, maker: TurnMaker, kind: str, key: bytes) -> bool:
        return any(join.key == key for join in maker.standing.roster.values())

    def _find(self, maker: TurnMaker) -> FindOrders:
        search = self.game_folder.find_orders(lambda kind, key: self._known(maker, kind, key))

        def find(wanted: bytes) -> Record[Orders]:
            try:
                return search(wanted)
            except FileError:
                raise
            except RecordError:
                where = f"orders/*-{wanted.hex()[:6]}.toml"
                told = f"is missing, although a turn lists these orders: {_GET_BACK}"
                raise FileError("parent", where, told) from None

        return find

    # -------------------------------------------------------------- the next turn
    def _next(self, maker: TurnMaker) -> Outcome:
        time = self._take_notices(maker)
        sorted_ = self._sort(maker)
        _refuse_strange(sorted_.strange)
        own = self._ahead(maker, sorted_)
        ids = tuple(record.id for record in own.values())
        inputs = replace(inputs_of(maker, sorted_, ids, self.last, time), by_word=self._by_word)
        phase = phase_of(maker.pending)
        before = waiting(maker, maker.absence_with(sorted_.accepted, inputs.silent))
        round_ = maker.table.full.state.round
        turn = maker.make(inputs)
        if turn is None or not (turn.log or maker.pressing):
            here = maker.answered()
            open_ = tuple(s for s in sorted(sorted_.accepted) if s in before and s not in here)
            return Outcome(
                waiting=before, answered=here, left_open=open_, turn=self.last, phase=phase
            )
        if turn.log and (until := self._held_until(maker, sorted_, time)):
            here = tuple(before)
            return Outcome(
                waiting=before, answered=here, turn=self.last, phase=phase, held_until=until
            )
        wait = turn.log and not self.wishes.no_wait and not self._only_notices
        if wait and (held := not_heard(maker, self.last, round_, time)):
            return Outcome(held=held, turn=self.last, phase=phase)
        record = make(turn, self.key)
        if not turn.over and (unanswered := still_to_answer(maker, own, again=not turn.log)):
            found = Outcome(first=unanswered, preview=record, waiting=waiting(maker))
            found.notices = [(notice_name(one), one) for one in self._taken_in]
            return found
        return self._made(maker, record)

    def _made(self, maker: TurnMaker, record: Record[Turn]) -> Outcome:
        """Continue from a turn that was just signed; after the last one, make the final record."""
        turn = record.content
        maker.made(record)
        self._leave(maker, turn)
        asked = {} if turn.over else waiting(maker)
        made = Outcome([(Name("turn", turn.turn), record)], waiting=asked, over=turn.over)
        made.notices = [(notice_name(one), one) for one in self._taken_in]
        made.turn, made.phase = turn, phase_of(maker.pending)
        made.answered = tuple(seat for seat in maker.answered() if seat in asked)
        if set(made.waiting) & {*maker.charter.plays}:
            made.preview = record
        if turn.over:
            made.write += self._finish(maker).write
        return made

    def _take_notices(self, maker: TurnMaker) -> int:
        """Apply the new notices that count now, and let new players take over open seats.

        Returns the date of the next turn.
        """
        if not self.last:
            return self.now
        time = max(self.now, self.last.time)
        if self.now < time and (back := self._set_back(maker)):
            time = max(self.now, back)
        before, new = self._notices(maker, time)
        self._taken_in = new.take_over(self.key) if self.wishes.take_over else []
        self._taken_in += new.take_in(self.key)
        self._contested = new.contested
        maker.take_notices(before, new.good(), new.acts)
        if maker.standing.referee_key != self.key.public:
            raise not_yours(maker.standing, time)
        return time

    def _notices(self, maker: TurnMaker, time: int) -> tuple[Standing, NewNotices]:
        """Return the standing before a turn with this date, and the notices for it."""
        before = maker.standing_with(self.game_folder.joins(), time, self.last)
        accept, refuse = self.wishes.accept, self.wishes.refuse
        seats = _who_can_cancel(before)
        orders = [one.content for one in self._unlisted(maker, seats)] if seats else []
        places = set(enumerate(self.heads))
        acts = [(one.seat, one.turn) for one in orders if (one.turn, one.prev) in places]
        folder, listed = self.game_folder, self.listed
        return before, NewNotices(folder, listed, self.heads, before, accept, refuse, acts)

    def _set_back(self, maker: TurnMaker) -> int:
        """Return the earliest date of the next turn, if all agree that the last turn's date is
        wrong; else 0."""
        before, new = self._notices(maker, self.now)
        calendar = all_counted(before, new.good(), maker.turn + 1).calendar
        return calendar.earliest if calendar.set_back == maker.turn + 1 else 0

    def _held_until(self, maker: TurnMaker, found: SortedOrders, time: int) -> int:
        """Return until when players may change their orders; 0 if they no longer may.

        The delay begins when this machine first saw the last orders, and ends at the deadline at
        the latest. Orders that were read from an email in free words have a delay of their own.
        """
        delay, last = change_of_mind(maker.charter.policies), self.last
        new = [r for s, r in found.accepted.items() if s not in maker.charter.plays]
        if not last or not new:
            return 0
        seen = [self.wishes.arrived.get(orders_name(record).path, time) for record in new]
        held = [self.wishes.held.get(orders_name(record).path, 0) for record in new]
        until = max(min(max(seen), time) + delay, *held)
        if last.deadline:
            until = min(until, last.deadline)
        return until if time < until else 0

    def _sort(self, maker: TurnMaker) -> SortedOrders:
        if not self.last:
            return SortedOrders(ahead=self._first_orders(maker))
        if maker.standing.ended:
            return SortedOrders()
        records: dict[str, list[Record[Orders]]] = {}
        seats = {*maker.standing.roster} - maker.standing.out
        if self._only_notices:
            seats &= _who_can_cancel(maker.standing)
        for record in self._unlisted(maker, seats):
            records.setdefault(record.content.seat, []).append(record)
        latest = [one for mine in records.values() for one in _latest(mine)]
        latest += self._named(maker, {one.id for one in latest})
        wishes = self.wishes
        sorter = OrderSorter(maker, self.heads, self._own(), wishes.go_on, wishes.all_here)
        return sorter.sort(latest)

    def _unlisted(self, maker: TurnMaker, seats: Collection[str]) -> Iterable[Record[Orders]]:
        """Return the newest orders of these seats that no turn lists."""
        keys = {s: join.key for s, join in maker.standing.roster.items() if s in seats}
        opened = {ident.hex()[:6] for ident in self.listed}
        orders = self.game_folder.listing.orders
        besides = {found.path for found in orders if found.name.digits in opened}
        return self.game_folder.newest_orders(keys, besides, MOST_ORDERS)

    def _named(self, maker: TurnMaker, here: Collection[bytes]) -> list[Record[Orders]]:
        """Return the orders that the last turn names as `own`, except those in `here`.

        The next turn must accept them, unless their seat concedes in it. Raises FileError for one
        that is missing.
        """
        found = []
        for wanted in self._own():
            try:
                record = [] if wanted in here else [self._find(maker)(wanted)]
                found += [one for one in record if one.content.seat not in maker.standing.out]
            except FileError as error:
                if error.reason != "parent":
                    raise
                told = f"is missing, and turn {maker.turn} names these orders as your own. "
                told += f"You need them to make the next turn: {_GET_BACK}"
                where = f"orders/{maker.turn:04}-*-{wanted.hex()[:6]}.toml"
                raise FileError("parent", where, told) from None
        return found

    def _by_its_seat(self, maker: TurnMaker, record: Record[Orders]) -> bool:
        return maker.standing.signer(record.content.seat) == record.signed.key

    def _first_orders(self, maker: TurnMaker) -> dict[str, list[Record[Orders]]]:
        """Return the orders for turn 1; before turn 1, only seats in `plays` can have any."""
        found: dict[str, list[Record[Orders]]] = {}
        for record in self.game_folder.all_orders(lambda k, key: self._known(maker, k, key)):
            orders = record.content
            right = (orders.turn, orders.prev) == (1, self.heads[0])
            if right and orders.seat in maker.charter.plays and self._by_its_seat(maker, record):
                found.setdefault(orders.seat, []).append(record)
        return found

    def _ahead(self, maker: TurnMaker, sorted_: SortedOrders) -> dict[str, Record[Orders]]:
        """Return the orders that count for the next turn, for each seat in `plays`."""
        return {seat: set_that_counts(records) for seat, records in sorted_.ahead.items()}

    def _finish(self, maker: TurnMaker) -> Outcome:
        right = maker.final()
        try:
            there = self.game_folder.final()
        except FileError:
            there = None  # it is no final record of this game: the right one takes its place
        if there is None:
            return Outcome([(Name("final"), make(right, self.key))], over=True)
        if there.content != right:
            raise FileError("fork", "final.toml", f"does not match this game; {_MOVE_AWAY}")
        return Outcome(over=True)


def _who_can_cancel(standing: Standing) -> set[str]:
    """Return the seats whose orders can cancel what would take effect now."""
    return {seat for wait in standing.due for seat in wait.cancels}


def _refuse_strange(records: Sequence[Record[Orders]]) -> None:
    """Raise FileError if there are orders for a turn that is not here."""
    if records:
        first = min(records, key=lambda r: (r.content.turn, r.id))
        told = "answers a turn that is not here; if you made that turn on another machine, let "
        told += "the folder sync first; if you did not, --go-on lists these orders as forked"
        raise FileError("fork", orders_name(first).path, told)


def _latest(records: list[Record[Orders]]) -> list[Record[Orders]]:
    """Return a seat's newest orders, at most as many as a turn can list; older orders must wait."""
    records.sort(key=lambda r: (-r.content.turn, -r.content.revision, r.id))
    return records[:MOST_ORDERS]


def still_to_answer(
    maker: TurnMaker, own: Mapping[str, Record[Orders]], *, again: bool = False
) -> tuple[str, ...]:
    """Return the seats in `plays` that still must answer the turn just made.

    These seats sent nothing, or wrong orders. (If the turn named wrong orders, the next turn would
    have to refuse them.) With `again`, the turn only lists notices and repeats the previous
    questions, so answers that already count are enough.
    """
    full = maker.table.full
    wrong = {seat for seat, orders in own.items() if why_unusable(orders, maker.open, full)[0]}
    for key, decision in maker.pending:
        seat = decision.seat
        if seat not in maker.charter.plays or seat in wrong:
            continue
        if maker.absence_now.settles(key, decision):
            continue
        held = maker.in_force.get(seat) if again else None
        lines = maker.lines_now(own[seat]) if seat in own else held.lines if held else None
        if lines is None or lines.answer(key, decision, full.state) is None:
            wrong.add(seat)
    return tuple(sorted(wrong))


def orders_name(record: Record[Orders]) -> Name:
    """Return the name that an order file must have in the folder."""
    orders = record.content
    return Name("orders", orders.turn, orders.seat, orders.revision, record.id.hex()[:6])
