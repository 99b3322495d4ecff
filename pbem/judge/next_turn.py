"""The referee's step: from the folder, a key and the time to the next turn (protocol §5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from pbem.files.disk import FileError
from pbem.files.folder import Name, found_by_id, turn_path
from pbem.format.keys import SigningKey
from pbem.judge.absence import phase_of
from pbem.judge.archive import Archive
from pbem.judge.chain import Chain, Finder
from pbem.judge.deputy import RefereeSecrets, referee_secrets
from pbem.judge.joins import Seating, claim_of, seat_players
from pbem.judge.lines import by_rank, why_unusable
from pbem.judge.next_notices import UnlistedNotices, wrong_maker_error
from pbem.judge.notices import SignedNotice
from pbem.judge.order_sorting import OrderSorter, inputs_of, not_heard, remake, waiting
from pbem.judge.record_files import file_name
from pbem.judge.rules import ruleset_of
from pbem.judge.standing import Standing
from pbem.judge.turn_inputs import JOIN, Outcome, Remembered, SortedOrders, Wishes
from pbem.judge.turn_maker import Progress, TurnMaker, answers
from pbem.records.charter import Join, Orders
from pbem.records.limits import MAX_READ_ORDER_SETS
from pbem.records.read_record import Record, make
from pbem.records.turn import Turn

_GET_BACK: Final = (
    "let the folder sync, or get the file back: from the drive's history; from a player who got it "
    "by mail (ask them to run pbem send --all); or, if you play the seat, by running pbem advance "
    "on the computer that sealed it"
)
_MOVE_AWAY: Final = "move the file away; pbem advance will then write the right one"


def secrets_of(game_folder: Archive, key: SigningKey) -> RefereeSecrets:
    """Return the referee's secrets for a folder's game. Raises what `referee_secrets` raises."""
    charter = game_folder.charter.content
    first = next(game_folder.turns(), None) if key.public != charter.key else None
    return referee_secrets(charter, game_folder.game, first.content if first else None, key)


def seating_of(game_folder: Archive, audit: bytes, wishes: Wishes) -> Seating:
    """Return who takes which seat with the joins in a folder, and what the referee must decide;
    `audit` is the X25519 secret that `final` opens."""
    charter, joins = game_folder.charter, game_folder.joins().values()
    claims = [claim_of(charter, record, audit) for record in joins]
    return seat_players(charter.content, claims, wishes.accept, wishes.refuse)


class Advance:
    """One run of `advance`: from a folder, a key and the time to the next records; call `run` once.

    Nothing is written. Two runs on the same folder with the same time make the same bytes.
    """

    def __init__(
        self,
        game_folder: Archive,
        key: SigningKey,
        now: int,
        wishes: Wishes | None = None,
        progress: Progress | None = None,
        keep: Callable[[Progress], None] | None = None,
        remembered: Remembered | None = None,
        only_notices: bool = False,
    ) -> None:
        """`progress` is what an earlier run left; `keep` is called once the earlier turns are made
        again. With `only_notices`, the next turn takes no orders except those that it must take."""
        self.game_folder, self.key, self.now = game_folder, key, now
        self._before, self._keep, self._only_notices = progress, keep, only_notices
        self.progress: Progress | None = None
        """What this run leaves for the next one; None if it made no turn."""
        self.wishes, self.remembered = wishes or Wishes(), remembered or Remembered()
        self.secrets = secrets_of(game_folder, key)
        self.chain = Chain(game_folder.charter)
        """The turns in the folder, and the one that was just made."""
        self._by_word: tuple[bytes, ...] = ()
        self._taken_in: list[SignedNotice] = []
        """The notices with which this run gives open seats to new players."""
        self._contested: dict[str, list[Record[Join]]] = {}

    def run(self) -> Outcome:
        """Work out what can be made. Raises RecordError or FileError for a wrong file."""
        if self.game_folder.listing.gaps:
            gap = self.game_folder.listing.gaps[0]
            raise FileError("parent", turn_path(gap), f"is missing: {_GET_BACK}")
        self._wait_for_half()
        if self._before and self._before.holds(self.game_folder.listing):
            maker = self._before.maker
        else:
            first = next(self.game_folder.turns(), None)
            joins = self.game_folder.joins_of(first.content) if first else self._gather()
            if isinstance(joins, Outcome):
                return joins
            maker = TurnMaker(self.game_folder.charter, joins, self.secrets)
        self.chain, known = maker.chain, maker.chain.turn
        self._redo(maker)
        if self._keep and self.chain.turn > known:
            self._keep(Progress(maker))
        if self.chain.is_over:
            return self._finish(maker)
        outcome = self._next(maker)
        asked = {
            *outcome.first
        } - maker.charter.bots.keys()  # bots answer at once, but the referee may take days
        waits = bool(outcome.held or outcome.held_until or asked)
        if waits and maker.pressing and not self._only_notices:
            # the notices cannot wait until everybody has sent orders for the round
            again = Advance(
                self.game_folder, self.key, self.now, self.wishes,
                remembered=self.remembered, only_notices=True,
            )  # fmt: skip
            outcome = again.run()
            self.chain, self.progress = again.chain, again.progress
            return outcome
        outcome.policies, outcome.contested = maker.chain.standing.policies, self._contested
        return outcome

    def _wait_for_half(self) -> None:
        """Raise FileError if part of the next turn may be here, from the referee's other machine:
        another turn in its place would look like cheating."""
        game_folder, wishes = self.game_folder, self.wishes
        for found in game_folder.stray_files[:1]:
            if found.name.turn > len(game_folder.listing.turns) + 1 or wishes.go_on:
                return
            state = game_folder.state_of(found)
            if state == "junk" or (state == "damaged" and self.remembered.made_last_turn):
                return
            told = "is empty or only part of a turn: let the folder sync; if that does not help,"
            if state == "damaged":
                told = "is a turn of this game whose signature does not match: get it again if "
                told += "you made it on another machine; if you did not,"
            told += " --go-on sets it aside and makes the turn"
            raise FileError("parent", found.path, told)

    # -------------------------------------------------------------- who plays

    def _gather(self) -> dict[str, Record[Join]] | Outcome:
        charter, wishes = self.game_folder.charter, self.wishes
        plans = charter.content.seats
        found = seating_of(self.game_folder, self.secrets.audit, wishes)
        empty = [plan.seat for plan in plans if plan.seat not in found.seated_joins]
        enough = len(found.seated_joins) in ruleset_of(charter.content).players
        if found.contested or (empty and not (wishes.start and enough)):
            waiting: dict[str, tuple[str, ...]] = dict.fromkeys(empty, JOIN)
            return Outcome(waiting=waiting, doubtful=found.doubtful, contested=found.contested)
        self._by_word = tuple(found.by_word)
        return found.seated_joins

    # -------------------------------------------------------------- the turns so far
    def _redo(self, maker: TurnMaker) -> None:
        for record in self.game_folder.turns(self.chain.turn):
            turn = record.content
            if remake(maker, turn, self._find) != turn:
                where = turn_path(turn.turn)
                told = "is not the turn that these orders and your key produce: run pbem audit"
                raise FileError("fork", where, told)
            maker.made(record)

    @cached_property
    def _find(self) -> Finder:
        told = f"is missing, although a turn lists these orders: {_GET_BACK}"
        return self.game_folder.finder(self.chain.may_sign_orders, told)

    # -------------------------------------------------------------- the next turn
    def _next(self, maker: TurnMaker) -> Outcome:
        time = self._take_notices(maker)
        sorted_ = self._sort(maker)
        if sorted_.strange:
            first = min(sorted_.strange, key=lambda r: (r.content.turn, r.id))
            told = "answers a turn that is not here; if you made that turn on another machine, let "
            told += "the folder sync first; if you did not, --go-on lists these orders as forked"
            raise FileError("fork", file_name(first).path, told)
        own = {seat: by_rank(records)[0] for seat, records in sorted_.ahead.items()}
        ids = tuple(record.id for record in own.values())
        inputs = replace(inputs_of(maker, sorted_, ids, time), by_word=self._by_word)
        phase, last = phase_of(maker.pending), self.chain.last_turn
        before = waiting(maker, self.chain.absence_with(sorted_.accepted, inputs.silent))
        round_ = maker.table.public_table.state.round
        turn = maker.make(inputs)
        outcome = Outcome(waiting=before, turn=last, phase=phase)
        if turn is None or not (turn.log or maker.pressing or turn.turn == 1):
            here = maker.answered()
            open_ = tuple(s for s in sorted(sorted_.accepted) if s in before and s not in here)
            outcome.answered, outcome.left_open = here, open_
            return outcome
        if turn.log and (until := self._held_until(maker, sorted_, time)):
            outcome.answered, outcome.held_until = tuple(before), until
            outcome.thought_over = _thought_over(maker, sorted_)
            return outcome
        wait = turn.log and not self.wishes.no_wait and not self._only_notices
        if wait and (held := not_heard(maker, round_, time)):
            return Outcome(held=held, turn=last, phase=phase)
        record = make(turn, self.key)
        if not turn.over and (unanswered := still_to_answer(maker, own, again=not turn.log)):
            found = Outcome(first=unanswered, preview=record, waiting=waiting(maker))
            found.notices = [(file_name(one), one) for one in self._taken_in]
            return found
        return self._made(maker, record)

    def _made(self, maker: TurnMaker, record: Record[Turn]) -> Outcome:
        turn = record.content
        maker.made(record)
        self.progress = Progress(maker)
        self.progress.note_files(self.game_folder.listing)
        asked = {} if turn.over else waiting(maker)
        made = Outcome([(Name("turn", turn.turn), record)], waiting=asked, over=turn.over)
        made.notices = [(file_name(one), one) for one in self._taken_in]
        made.turn, made.phase = turn, phase_of(maker.pending)
        made.answered = tuple(seat for seat in maker.answered() if seat in asked)
        if set(made.waiting) & {*maker.charter.plays}:
            made.preview = record
        if turn.over:
            made.write += self._finish(maker).write
        return made

    def _take_notices(self, maker: TurnMaker) -> int:
        """Apply the new notices that count now, and return the date of the next turn."""
        if not self.chain.turn:
            return self.now
        time = max(self.now, self.chain.time)
        if self.now < time:  # all may have agreed that the last date is wrong
            _, after = self._notices(self.now).counting_notices()
            time = max(self.now, after.calendar.earliest_date(self.chain.turn + 1, time))
        new = self._notices(time)
        self._taken_in = new.take_over(self.key) if self.wishes.take_over else []
        self._taken_in += new.take_in(self.key)
        self._contested = new.contested
        maker.take_notices(new.standing, *new.counting_notices())
        if self.chain.standing.referee_key != self.key.public:
            raise wrong_maker_error(self.chain.standing, time)
        return time

    def _notices(self, time: int) -> UnlistedNotices:
        chain, wishes = self.chain, self.wishes
        before = chain.standing_at(time, self.game_folder.joins())
        seats = _who_can_cancel(before)
        orders = [one.content for one in self._unlisted(seats)] if seats else []
        places = set(enumerate(chain.heads))
        acts = [(one.seat, one.turn) for one in orders if (one.turn, one.prev) in places]
        return UnlistedNotices(self.game_folder, chain, before, wishes.accept, wishes.refuse, acts)

    def _held_until(self, maker: TurnMaker, found: SortedOrders, time: int) -> int:
        """Return until when players may change their orders; 0 if they no longer may.

        The delay begins when this machine first saw the last orders. It begins again when somebody
        changes theirs, but ends at the latest after twice that time, and at the deadline: so nobody
        can hold up the game.
        """
        delay = maker.charter.policies.change_of_mind
        asked, *new = _thought_over(maker, found)
        if not self.chain.turn or not new:
            return 0
        seen = min(max(self.remembered.arrivals.get(path, time) for path in new), time)
        first = min(self.remembered.arrivals.get(asked, time), time)
        until = min(seen + delay, first + 2 * delay)
        if self.chain.deadline:
            until = min(until, self.chain.deadline)
        return until if time < until else 0

    def _sort(self, maker: TurnMaker) -> SortedOrders:
        if not self.chain.turn:
            return SortedOrders(ahead=self._first_orders())
        standing = self.chain.standing
        if standing.ended:
            return SortedOrders()
        seats = {*standing.roster} - standing.seats_out
        if self._only_notices:
            seats &= _who_can_cancel(standing)
        latest = self._unlisted(seats)
        latest += self._named({one.id for one in latest})
        return OrderSorter(maker, self.wishes.go_on, self.remembered.made_last_turn).sort(latest)

    def _unlisted(self, seats: Collection[str]) -> list[Record[Orders]]:
        keys = {s: join.key for s, join in self.chain.standing.roster.items() if s in seats}
        listed = found_by_id(self.game_folder.listing.orders, self.chain.listed_orders)
        besides = {found.path for found in listed}
        return self.game_folder.newest_orders(keys, besides, MAX_READ_ORDER_SETS)

    def _named(self, here: Collection[bytes]) -> list[Record[Orders]]:
        """Return the orders that the last turn names as `own`, except those in `here`: the next
        turn must accept them, unless their seat concedes in it. Raises FileError."""
        found = []
        out, turn = self.chain.standing.seats_out, self.chain.turn
        for wanted in self.chain.early_order_ids:
            try:
                record = [] if wanted in here else [self._find.orders(wanted)]
                found += [one for one in record if one.content.seat not in out]
            except FileError as error:
                if error.reason != "parent":
                    raise
                told = f"is missing, and turn {turn} names these orders as your own. "
                told += f"You need them to make the next turn: {_GET_BACK}"
                where = f"orders/{turn:04}-*-{wanted.hex()[:6]}.toml"
                raise FileError("parent", where, told) from None
        return found

    def _first_orders(self) -> dict[str, list[Record[Orders]]]:
        found: dict[str, list[Record[Orders]]] = {}
        for record in self.game_folder.all_orders(self.chain.may_sign_orders):
            orders = record.content
            right = (orders.turn, orders.prev) == (1, self.chain.head)
            signed = self.chain.standing.signer(orders.seat) == record.signed.key
            if right and orders.seat in self.chain.charter.plays and signed:
                found.setdefault(orders.seat, []).append(record)
        return found

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


def _thought_over(maker: TurnMaker, found: SortedOrders) -> tuple[str, ...]:
    """Return the path of the turn that asked, then those of the players' orders that count."""
    new = [one for seat, one in found.accepted.items() if seat not in maker.charter.plays]
    asked = Name("turn", maker.chain.asking_turn).path
    return asked, *(file_name(one).path for one in new)


def _who_can_cancel(standing: Standing) -> set[str]:
    return {seat for wait in standing.matured_acts for seat in wait.cancels}


def still_to_answer(
    maker: TurnMaker, own: Mapping[str, Record[Orders]], *, again: bool = False
) -> tuple[str, ...]:
    """Return the seats in `plays` that sent nothing, or wrong orders, for the turn just made. (If
    it named wrong orders, the next turn would have to refuse them.)

    With `again`, it only repeats the previous questions, so answers that already count are enough.
    """
    table = maker.orders_table
    wrong = {seat for seat, orders in own.items() if why_unusable(orders, maker.open, table)[0]}
    for key, decision in maker.questions:
        seat = decision.seat
        if seat not in maker.charter.plays or seat in wrong:
            continue
        there = (seat in own or again) and answers(maker, key, decision, own)
        if not there and not maker.absence_now.unasked(key, decision):
            wrong.add(seat)
    return tuple(sorted(wrong))
