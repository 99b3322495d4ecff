"""The referee's step: make the next turn from the folder, a key and the time (protocol §5).

A seat in `plays` answers a turn before it is published. Its orders for that turn are *early
orders*: they are on the head of a turn that is only previewed (`Outcome.preview`), and
`why_misplaced` says `ahead`. `SortedOrders.early_orders` has them until the turn is made;
`Outcome.preview_seats` are the seats whose early orders are missing (`first` in `advance --json`).
The turn names them in its `own` (`TurnInputs.own_order_ids`); then they are `Chain.own_order_ids`,
and the next turn lists them as accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from pbem.files.file_errors import FileError
from pbem.files.game_folder import files_with_ids
from pbem.files.record_file_names import Name, turn_path
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.absent_seats import phase_of
from pbem.judge.awaited_and_silent_seats import awaited_kinds_of, find_unheard_seats, inputs_of
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.hidden_dealer import HiddenDealer
from pbem.judge.notices_for_next_turn import NextTurnNotices
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.orders_in_force import by_rank, why_unusable
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.remake_turn import remake
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.turn_inputs_and_outcome import (
    JOIN,
    AdvanceOptions,
    Outcome,
    RefereeMemory,
    SortedOrders,
)
from pbem.judge.turn_maker import Progress, TurnMaker, has_answer
from pbem.judge.which_joins_count import (
    Seating,
    claim_of,
    seat_players,
)
from pbem.judge.which_notices_count import SignedNotice
from pbem.records.deal_record import Deal
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make
from pbem.records.record_count_and_size_limits import MAX_READ_ORDER_SETS
from pbem.text.dates import utc_date
from pbem.text.terminal_and_page_wording import TerminalText

_GET_BACK: Final = TerminalText(
    "let the folder sync. If the file does not come, look among your drive's old files, or ask a "
    "player who plays by mail for the file[[ (the player types pbem send --all). Or run pbem "
    "advance on the computer that made the file]]"
)


def seating_of(game_folder: Archive, audit: bytes, options: AdvanceOptions) -> Seating:
    """Return the seating that the joins in a folder give, with the cases left to the referee;
    `audit` is the X25519 secret that `final` opens. `options` has the referee's decisions."""
    charter, joins = game_folder.charter, game_folder.joins().values()
    claims = [claim_of(charter, record, audit) for record in joins]
    return seat_players(charter.content, claims, options.accept, options.refuse)


class Advance:
    """One run of `advance`: makes the next records from a folder, a key and the time. Call `run`
    once.

    It writes nothing. Two runs on the same folder with the same time make the same bytes.
    """

    def __init__(
        self,
        game_folder: Archive,
        key: SigningKey,
        now: int,
        options: AdvanceOptions | None = None,
        previous_progress: Progress | None = None,
        keep_progress: Callable[[Progress], None] | None = None,
        remembered: RefereeMemory | None = None,
        only_notices: bool = False,
    ) -> None:
        """`key` is the referee's or the deputy's; `now` is in seconds since 1970 UTC.

        `previous_progress` comes from an earlier run: its turns need not be made again.
        `keep_progress` is called with the progress after the turns in the folder, if this run had
        to make any of them again. With `only_notices`, the next turn takes no orders except those
        that it must take. Raises what `secrets_of` raises."""
        self.game_folder, self.key, self.now = game_folder, key, now
        self._previous_progress, self._keep_progress, self._only_notices = (
            previous_progress,
            keep_progress,
            only_notices,
        )
        self.progress: Progress | None = None
        """The progress for the next run; None if this run made no turn."""
        self.options, self.remembered = options or AdvanceOptions(), remembered or RefereeMemory()
        self.secrets = secrets_of(game_folder, key)
        self.chain = Chain(game_folder.charter)
        """The chain of the turns in the folder, and of the turn just made."""
        self._by_word: tuple[bytes, ...] = ()
        """For turn 1: the ids of the joins about which the referee decided, whether accepted
        without the invite, refused or passed over."""
        self._own_notices: list[SignedNotice] = []
        """The notices that this run has signed: the deputy takes over, or open seats get new
        players."""
        self._contested: dict[str, list[Record[Join]]] = {}
        """For each open seat that several people joined: their joins."""

    def run(self) -> Outcome:
        """Make the next records, or find out whom the game waits for. Raises FileError for a wrong
        or missing file, RecordError `state` if another key makes the next turn."""
        if self.game_folder.listing.gaps:
            gap = self.game_folder.listing.gaps[0]
            raise FileError("parent", turn_path(gap), "this turn is missing: " + _GET_BACK)
        self._check_partial_turn()
        if self._previous_progress and self._previous_progress.is_current(self.game_folder.listing):
            maker = self._previous_progress.maker
        else:
            first_turn = next(self.game_folder.turns(), None)
            joins = (
                self.game_folder.joins_of(first_turn.content)
                if first_turn
                else self._seat_players()
            )
            if isinstance(joins, Outcome):
                return joins
            maker = TurnMaker(self.game_folder.charter, joins, self.secrets)
        self.chain, known_turn = maker.chain, maker.chain.turn
        self._remake_turns(maker)
        if self._keep_progress and self.chain.turn > known_turn:
            self._keep_progress(Progress(maker))
        if self.chain.is_over:
            return self._make_final(maker)
        outcome = self._make_next_turn(maker)
        # the referee may take days to answer; bots answer at once
        referee_seats = {*outcome.preview_seats} - maker.charter.bots.keys()
        is_waiting = bool(outcome.unheard_seats or outcome.revisable_until or referee_seats)
        if is_waiting and maker.pressing and not self._only_notices:
            # the notices cannot wait until everybody has answered, so a turn with them alone comes
            # first; this maker has taken the orders, so another run begins from the folder
            notices_run = Advance(
                self.game_folder, self.key, self.now, self.options,
                remembered=self.remembered, only_notices=True,
            )  # fmt: skip
            outcome = notices_run.run()
            self.chain, self.progress = notices_run.chain, notices_run.progress
            return outcome
        outcome.policies, outcome.contested = maker.chain.standing.policies, self._contested
        return outcome

    def _check_partial_turn(self) -> None:
        """Raise FileError if a file may be part of a next turn from the referee's other machine:
        another turn in its place would look like cheating."""
        game_folder, options = self.game_folder, self.options
        for file in game_folder.stray_files[:1]:
            if file.name.turn > len(game_folder.listing.turns) + 1 or options.go_on:
                return
            state = game_folder.state_of(file)
            if state == "junk" or (state == "damaged" and self.remembered.made_last_turn):
                return
            sentence = TerminalText(
                "this file is empty, or has only a part of a turn. Let the folder sync.[[ If the "
                "file stays as it is, pbem advance --go-on sets it aside and makes the turn]]"
            )
            if state == "damaged":
                sentence = TerminalText(
                    "the signature of this turn does not match. If you made the turn on another "
                    "computer, copy the file from there.[[ If not, pbem advance --go-on sets the "
                    "file aside and makes the turn]]"
                )
            raise FileError("parent", file.path, sentence)

    # -------------------------------------------------------------- who plays

    def _seat_players(self) -> dict[str, Record[Join]] | Outcome:
        """Return the join for each seat that plays, or an outcome that waits for joins."""
        charter = self.game_folder.charter.content
        seating = seating_of(self.game_folder, self.secrets.audit, self.options)
        empty_seats = [plan.seat for plan in charter.seats if plan.seat not in seating.seated_joins]
        is_enough = len(seating.seated_joins) in ruleset_of(charter).players
        if seating.contested or (empty_seats and not (self.options.start and is_enough)):
            return Outcome(
                awaited_kinds=dict.fromkeys(empty_seats, JOIN),
                doubtful=seating.doubtful,
                contested=seating.contested,
            )
        self._by_word = tuple(seating.by_word)
        return seating.seated_joins

    # -------------------------------------------------------------- the turns so far
    def _remake_turns(self, maker: TurnMaker) -> None:
        """Make the turns in the folder that the maker has not made yet. Raises FileError `fork` if
        one differs from the result."""
        for record in self.game_folder.turns(self.chain.turn):
            turn = record.content
            if remake(maker, turn, self._finder) != turn:
                sentence = TerminalText(
                    "this is not the turn that pbem makes from your key and the orders that the "
                    "turn lists[[; to see what is wrong: pbem audit]]"
                )
                raise FileError("fork", turn_path(turn.turn), sentence)
            maker.add_turn(record)

    @cached_property
    def _finder(self) -> Finder:
        sentence = "this file of orders is missing, although a turn lists the orders: " + _GET_BACK
        return self.game_folder.finder(self.chain.may_sign_orders, sentence)

    # -------------------------------------------------------------- the next turn
    def _make_next_turn(self, maker: TurnMaker) -> Outcome:
        """Make the turn after the last one in the folder; return it, or the seats to wait for.

        There are five outcomes, each under its own comment. Raises FileError if orders answer a
        turn that is not here.
        """
        time = self._next_date()
        self._take_notices(maker, time)
        sorted_orders = self._sort_orders(maker)
        accepted = sorted_orders.accepted
        if sorted_orders.unplaced_orders:
            orders = min(sorted_orders.unplaced_orders, key=lambda r: (r.content.turn, r.id))
            sentence = TerminalText(
                "these orders answer a turn that is missing from this folder. If you made that "
                "turn on another computer, let the folder sync first.[[ If you never made it, pbem "
                "advance --go-on makes the next turn without these orders]]"
            )
            raise FileError("fork", file_name(orders).path, sentence)
        early_orders = {
            seat: by_rank(records)[0] for seat, records in sorted_orders.early_orders.items()
        }
        early_ids = tuple(record.id for record in early_orders.values())
        inputs = inputs_of(maker, sorted_orders, early_ids, time)
        phase, last_turn = phase_of(maker.pending), self.chain.last_turn
        absence = self.chain.absence_with(accepted, inputs.silent)
        awaited_before = awaited_kinds_of(maker, absence)
        round_ = maker.table.public_table.state.round
        deals, awaited_dealers = self._find_deals(maker)
        outcome = Outcome(awaited_kinds=awaited_before, turn=last_turn, phase=phase)
        outcome.awaited_dealers = awaited_dealers
        if awaited_dealers and not self.chain.turn:
            return outcome  # turn 1 needs the card keys of all dealers
        turn = maker.make(replace(inputs, by_word=self._by_word, deals=deals))

        # nothing can happen yet
        if turn is None or not (turn.has_play or maker.pressing or turn.turn == 1):
            outcome.answered_seats = maker.answered_seats()
            incomplete_seats = {*accepted} & {*awaited_before} - {*outcome.answered_seats}
            outcome.incomplete_seats = tuple(sorted(incomplete_seats))
            return outcome

        # the turn could be made, but players may still change their orders, or send first orders
        if turn.has_play and (revisable_until := self._revisable_until(maker, sorted_orders, time)):
            outcome.answered_seats, outcome.revisable_until = tuple(awaited_before), revisable_until
            outcome.revisable_paths = _revisable_paths(maker, sorted_orders)
            return outcome
        may_wait = turn.has_play and not self.options.no_wait and not self._only_notices
        if may_wait and (unheard_seats := find_unheard_seats(maker, round_, time)):
            return Outcome(unheard_seats=unheard_seats, turn=last_turn, phase=phase)

        # the turn is made, but the referee's own seats must answer it before the others see it
        record = make(turn, self.key)
        notices = [(file_name(notice), notice) for notice in self._own_notices]
        if not turn.over:
            pending_seats = still_to_answer(
                maker, early_orders, repeats_questions=not turn.has_play
            )
            if pending_seats:
                outcome = Outcome(preview_seats=pending_seats, preview=record, notices=notices)
                outcome.awaited_kinds = awaited_kinds_of(maker)
                return outcome

        # the turn is ready to be written
        maker.add_turn(record)
        self.progress = Progress(maker)
        self.progress.note_files(self.game_folder.listing)
        outcome = Outcome([(Name("turn", turn.turn), record)], notices=notices, is_over=turn.over)
        outcome.awaited_kinds = {} if turn.over else awaited_kinds_of(maker)
        outcome.turn, outcome.phase = turn, phase_of(maker.pending)
        outcome.awaited_dealers = turn.owed
        outcome.answered_seats = tuple(
            seat for seat in maker.answered_seats() if seat in outcome.awaited_kinds
        )
        if set(outcome.awaited_kinds) & {*maker.charter.plays}:
            outcome.preview = record
        if turn.over:
            outcome.new_records += self._make_final(maker).new_records
        return outcome

    def _next_date(self) -> int:
        """Return the date of the next turn: now, or later if the last turn is dated later."""
        chain = self.chain
        if not chain.turn or self.now >= chain.time:
            return self.now
        # this clock is behind the last turn, whose date may be declared wrong
        _, next_standing = self._new_notices(self.now).counting_notices()
        return max(self.now, next_standing.calendar.earliest_date(chain.turn + 1, chain.time))

    def _take_notices(self, maker: TurnMaker, time: int) -> None:
        """Apply the new notices that count in the next turn, which has the date `time`. Raises
        RecordError `state` if another key makes it."""
        if not self.chain.turn:
            return
        new_notices = self._new_notices(time)
        self._own_notices = new_notices.sign_take_over(self.key) if self.options.take_over else []
        self._own_notices += new_notices.sign_take_ins(self.key)
        self._contested = new_notices.contested
        maker.take_notices(new_notices.standing, *new_notices.counting_notices())
        if self.chain.standing.referee_key != self.key.public:
            raise wrong_maker_error(self.chain.standing, time)

    def _new_notices(self, time: int) -> NextTurnNotices:
        """Return the unlisted notices as the next turn sees them if `time` is its date."""
        chain, options = self.chain, self.options
        standing = chain.standing_at(time, self.game_folder.joins())
        seats = _cancelling_seats(standing)
        orders = [record.content for record in self._unlisted_orders(seats)] if seats else []
        chain_places = set(enumerate(chain.heads))
        acts = [(o.seat, o.turn) for o in orders if (o.turn, o.prev) in chain_places]
        return NextTurnNotices(
            self.game_folder, chain, standing, options.accept, options.refuse, acts
        )

    def _find_deals(self, maker: TurnMaker) -> tuple[tuple[Record[Deal], ...], tuple[int, ...]]:
        """Return the parts of all co-dealers that owe one after the last turn, if all are here, and
        the numbers of those whose parts are missing. Of several parts that a dealer has signed, the
        first right one counts; if there is none, the first, which the maker refuses."""
        chain = self.chain
        owed = chain.last_turn.owed if chain.last_turn else range(len(chain.charter.dealers))
        candidates: dict[int, list[Record[Deal]]] = {}
        keys = dict(enumerate(chain.standing.dealer_keys))
        for record in self.game_folder.deals_after(chain.turn) if owed else ():
            deal = record.content
            is_signed = record.signed.key == keys.get(deal.dealer)  # not by a replaced dealer
            if is_signed and deal.dealer in owed and deal.prev == chain.head:
                candidates.setdefault(deal.dealer, []).append(record)
        missing_dealers = tuple(dealer for dealer in owed if dealer not in candidates)
        if missing_dealers or not isinstance(maker.cards, HiddenDealer):
            return (), missing_dealers
        is_right = maker.cards.dealing.is_right
        return tuple(
            records[0] if len(records) == 1 else next(filter(is_right, records), records[0])
            for records in candidates.values()
        ), ()

    def _revisable_until(self, maker: TurnMaker, sorted_orders: SortedOrders, time: int) -> int:
        """Return the end of the revision window, in which players may change their orders, in
        seconds since 1970 UTC; 0 if it has ended, or if there are no orders to change.

        The window begins when this machine first saw the last orders, and again when somebody
        changes orders. It ends at the latest after twice its length, and at the deadline, so that
        nobody can hold up the game.
        """
        window_seconds = maker.charter.policies.change_of_mind
        asking_path, *order_paths = _revisable_paths(maker, sorted_orders)
        if not self.chain.turn or not order_paths:
            return 0
        arrivals = self.remembered.arrivals  # what has not been seen before arrives now
        last_arrival = min(max(arrivals.get(path, time) for path in order_paths), time)
        first_arrival = min(arrivals.get(asking_path, time), time)
        ends_at = min(last_arrival + window_seconds, first_arrival + 2 * window_seconds)
        if self.chain.deadline:
            ends_at = min(ends_at, self.chain.deadline)
        return ends_at if time < ends_at else 0

    def _sort_orders(self, maker: TurnMaker) -> SortedOrders:
        """Read and sort the orders for the next turn: none if the game has ended by agreement,
        before turn 1, and while dealers owe something, only those of seats in `plays`. Raises
        FileError."""
        standing, last_turn = self.chain.standing, self.chain.last_turn
        if standing.ended:
            return SortedOrders()
        if last_turn is None or last_turn.owed:
            return SortedOrders(early_orders=self._early_orders())
        seats = {*standing.roster} - standing.seats_out
        if self._only_notices:
            seats &= _cancelling_seats(standing)
        records = self._unlisted_orders(seats)
        records += self._unread_own_orders({record.id for record in records})
        sorter = OrderSorter(maker, self.options.go_on, self.remembered.made_last_turn)
        return sorter.sort(records)

    def _unlisted_orders(self, seats: Collection[str]) -> list[Record[Orders]]:
        """Return the orders of these seats that no turn lists, signed with the seats' present keys:
        at most `MAX_READ_ORDER_SETS` of each seat, the newest."""
        roster = self.chain.standing.roster
        keys = {seat: join.key for seat, join in roster.items() if seat in seats}
        listed_files = files_with_ids(self.game_folder.listing.orders, self.chain.listed_orders)
        listed_paths = {file.path for file in listed_files}
        return self.game_folder.newest_orders(keys, listed_paths, MAX_READ_ORDER_SETS)

    def _unread_own_orders(self, read_ids: Collection[bytes]) -> list[Record[Orders]]:
        """Read the orders with which seats in `plays` answer the last turn, as its `own` says, and
        that are not in `read_ids`. The next turn must accept them, unless their seat concedes in
        it. Raises FileError."""
        records = []
        for order_id in (i for i in self.chain.own_order_ids if i not in read_ids):
            try:
                record = self._finder.orders(order_id)
            except FileError as error:
                if error.reason != "parent":
                    raise
                turn = self.chain.turn
                sentence = (
                    f"this file with your own orders for turn {turn} is missing, and the next turn "
                    "needs it: "
                ) + _GET_BACK
                path = f"orders/{turn:04}-*-{order_id.hex()[:6]}.toml"
                raise FileError("parent", path, sentence) from None
            if record.content.seat not in self.chain.standing.seats_out:
                records.append(record)
        return records

    def _early_orders(self) -> dict[str, list[Record[Orders]]]:
        """Return the orders of seats in `plays` that answer the next turn before it is made, if the
        last turn asks nobody."""
        orders_by_seat: dict[str, list[Record[Orders]]] = {}
        for record in self.game_folder.all_orders(self.chain.may_sign_orders):
            orders = record.content
            is_early = (orders.turn, orders.prev) == (self.chain.turn + 1, self.chain.head)
            has_seat_key = self.chain.standing.signer(orders.seat) == record.signed.key
            if is_early and orders.seat in self.chain.charter.plays and has_seat_key:
                orders_by_seat.setdefault(orders.seat, []).append(record)
        return orders_by_seat

    def _make_final(self, maker: TurnMaker) -> Outcome:
        """Return the outcome of a game that is over: with `final`, unless the folder has it."""
        expected_final = maker.final()
        try:
            stored_final = self.game_folder.final()
        except FileError:
            stored_final = None  # it is no final record of this game: the right one takes its place
        if stored_final is None:
            return Outcome([(Name("final"), make(expected_final, self.key))], is_over=True)
        if stored_final.content != expected_final:
            sentence = TerminalText(
                "the secrets in this file are not those that your key gives. Move the file away; "
                "pbem[[ advance]] will then write the right one"
            )
            raise FileError("fork", "final.toml", sentence)
        return Outcome(is_over=True)


def _revisable_paths(maker: TurnMaker, sorted_orders: SortedOrders) -> tuple[str, ...]:
    """Return the path of the turn that asked, then the paths of the accepted orders of players; the
    referee's own seats need no time to change their minds."""
    asking_path, referee_seats = Name("turn", maker.chain.asking_turn).path, maker.charter.plays
    accepted = sorted_orders.accepted.items()
    order_paths = (file_name(record).path for seat, record in accepted if seat not in referee_seats)
    return asking_path, *order_paths


def _cancelling_seats(standing: Standing) -> set[str]:
    """Return the seats whose orders may still cancel an act that takes effect in the next turn."""
    return {seat for act in standing.matured_acts for seat in act.cancels}


def still_to_answer(
    maker: TurnMaker, early_orders: Mapping[str, Record[Orders]], *, repeats_questions: bool = False
) -> tuple[str, ...]:
    """Return the seats in `plays` that have no orders, or unusable ones, for the turn just made.
    (If the turn named unusable orders, the next turn would have to refuse them.)

    `early_orders` are the orders of such seats for that turn, by seat. With `repeats_questions`,
    the turn only repeats the previous questions, so answers in force are enough.
    """
    pending_seats = {
        seat
        for seat, record in early_orders.items()
        if why_unusable(record, maker.open, maker.orders_table, maker.mode.has_handles)[0]
    }
    for key, decision in maker.questions:
        seat = decision.seat
        if seat not in maker.charter.plays or seat in pending_seats:
            continue
        may_count = seat in early_orders or repeats_questions
        is_answered = may_count and has_answer(maker, key, decision, early_orders)
        if not is_answered and not maker.absence_now.unasked(key, decision):
            pending_seats.add(seat)
    return tuple(sorted(pending_seats))


def wrong_maker_error(standing: Standing, now: int) -> RecordError:
    """Return the error `state` for the key of the referee or of the deputy, if the other of them
    makes the next turn; `now` is its date."""
    charter = standing.charter
    if standing.deputy_since:
        sentence = f"{charter.deputy} has taken over and makes the turns now"
        return RecordError("state", sentence)
    deputy_from = standing.turn_due_at + charter.policies.deputy_after
    sentence = f"you are the deputy, and {charter.referee} makes the turns"
    if now >= deputy_from:
        return RecordError(
            "state",
            TerminalText("{sentence}[[; to take over now: pbem advance --take-over]]").format(
                sentence=sentence
            ),
        )
    sentence += f"; if no turn has been made by {utc_date(deputy_from)}, you can take over then"
    return RecordError("state", sentence)
