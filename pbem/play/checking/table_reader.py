"""Check a game turn by turn, without any key, as everybody can (protocol §7).

The reader replays the public log, and checks against this log all that a turn publishes: signed
orders, openings, decks, dice, handles. If one byte is wrong, `absorb` raises an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, Illegal, Misfit, Table, Tag, cards_in
from pbem.format.encrypted_box import TAG
from pbem.format.errors import RecordError
from pbem.play.checking.charter_rules import game_of
from pbem.play.checking.dealt_cards_and_dice import ChanceChecker, TurnDeals
from pbem.play.checking.handover import check_handovers
from pbem.play.checking.openings import Openings
from pbem.play.checking.turn_end import Unheard, awaited, check_agreed_end, check_end, check_silence
from pbem.play.orders.absence import Absence, absence_of, check_unasked, round_asked, unheard_in
from pbem.play.orders.in_force import FindOrders, HandleOrigin, OrdersInForce
from pbem.play.orders.late_or_counted import acts_of, check_choice, check_status, why_misplaced
from pbem.play.orders.line_fits import LinesOfKind
from pbem.play.seats.listed_notices import FindNotice, after_turn, check_needed, nowhere
from pbem.play.seats.standing import Standing
from pbem.records.chain import first_head, game_id, next_head
from pbem.records.charter_join_orders import Charter, Join, Orders
from pbem.records.deck import check_hidden_ref
from pbem.records.joining import check_keys, check_share, is_let_in
from pbem.records.packet import packet_size
from pbem.records.read_record import Record
from pbem.records.sealed_orders import (
    OrderPlace,
    check_hidden,
    check_line_opening,
    handles_in,
)
from pbem.records.turn import Listed, LogEntry, OpenCard, OpenLine, Turn


class TableReader:
    """The game as everybody knows it, up to the last turn that was absorbed."""

    unheard = Unheard()
    """The seats that were not asked, but waited for, when the last turn was read."""

    def __init__(self, charter: Record[Charter]) -> None:
        self.charter = charter.content
        self.game = game_id(charter.signed.body)
        self.head = first_head(self.game)
        self.heads = [self.head]
        self.turn = 0
        self.time = 0
        self.deadline = 0
        self.entries = 0
        self.over = False
        self.roster: Mapping[str, Join] = {}
        """The join of each seat's player, with the keys that count now."""
        self.standing = Standing(self.charter)
        self.join_ids: dict[str, bytes] = {}
        self.in_force: dict[str, OrdersInForce] = {}
        self.listed: set[bytes] = set()  # ids of the orders that turns have listed
        self.passed_over: list[Listed] = []
        """Orders that the last turn refused: late, forked or unopenable."""
        self.acts: list[tuple[str, int]] = []
        """For each set of orders in the turn being read: its seat, and the turn it answers."""
        self.awaited: dict[str, tuple[str, ...]] = {}
        self.asked_by = 0
        """The turn that asked the open questions: the last one in which something happened."""
        self.asked: set[str] = set()  # keys of the decisions that are open after the last turn
        self.opened: dict[bytes, dict[int, OpenLine]] = {}
        """Lines opened so far, by order and slot."""
        self.handle_origins: dict[Tag, HandleOrigin] = {}
        self.silent: tuple[str, ...] = ()
        self.absence = Absence(frozenset(), 0)
        self.own: dict[str, bytes] = {}
        """For each seat in `plays`: the id of the orders that answer the last turn."""
        self.used_handles: set[bytes] = set()
        self.line_handles: set[bytes] = set()
        """The handles in the lines opened so far."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """Lines of scripts that were carried out; each is used only once."""
        self.chance = ChanceChecker(self.game)
        self.log: list[Entry] = []
        self.ends: list[int] = []
        """How many log entries there were after each turn."""
        self.times: list[int] = []
        self.table: Table[Any] | None = None

    @property
    def public(self) -> Table[Any]:
        """The table as everybody knows it. Raises RecordError `state` before turn 1."""
        if self.table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.table

    # -------------------------------------------------------------- one turn
    def absorb(
        self,
        turn: Record[Turn],
        find: FindOrders,
        joins: Mapping[bytes, Record[Join]],
        find_notice: FindNotice = nowhere,
    ) -> TurnDeals:
        """Check the next turn against all earlier ones, absorb it and return the cards it dealt.

        Raises RecordError with what is wrong; do not use the reader after that.
        """
        content = turn.content
        self._place(content)
        if content.turn == 1:
            self._begin(content, joins)
        if content.turn > 1:
            asked, last = round_asked(self.public.pending), (self.times[-1], self.deadline)
            seen = self.standing.seeing(self.absence, asked, content.time, last, self.asked_by)
            seen = replace(seen, joins=joins)
            acts = acts_of(content, find) if seen.due else ()
            self.stand(after_turn(seen, content, find_notice, self.heads, acts))
            check_needed(turn, self.standing)
            check_handovers(content, self.standing.new_keys(content.turn), self.log)
        self._check_time(content)
        self._list_orders(content, find)
        self._note_silence(content)
        deals = TurnDeals(content, self.entries)
        openings = Openings(content)
        for logged in content.log:
            self._entry(logged, openings, deals)
        openings.all_used()
        self._close(content)
        self._check_size(content, deals)
        self._own(content, find)
        self.head = next_head(self.head, turn.id)
        self.heads.append(self.head)
        self.ends.append(self.entries)
        self.times.append(content.time)
        return deals

    def _place(self, turn: Turn) -> None:
        if turn.game != self.game:
            raise RecordError("place", "this turn belongs to another game")
        if turn.turn != self.turn + 1:
            raise RecordError(
                "place", f"this is turn {turn.turn}, where turn {self.turn + 1} should be"
            )
        if turn.prev != self.head:
            told = f"a different version of turn {self.turn} from the one here"
            raise RecordError("place", f"turn {turn.turn} builds on {told}")
        if self.over:
            raise RecordError("state", f"the game ended with turn {self.turn}")
        self.turn = turn.turn

    def _check_time(self, turn: Turn) -> None:
        """Check that the turn's date is no earlier than that of the turn before, unless all agreed
        that that date was wrong."""
        calendar = self.standing.calendar
        least = calendar.earliest if calendar.set_back == turn.turn else self.time
        if turn.time < least:
            told = f"time: turn {turn.turn} is dated before turn {turn.turn - 1}"
            raise RecordError("field", told)
        self.time = turn.time

    def _begin(self, turn: Turn, joins: Mapping[bytes, Record[Join]]) -> None:
        """Read from turn 1 who plays and where the dice chain ends."""
        if bool(turn.deputy) != bool(self.charter.deputy_key):
            raise RecordError("field", "deputy: turn 1 must have a box for the charter's deputy")
        self.sit(turn.joins or {}, joins)
        doors = {plan.seat: plan.door for plan in self.charter.seats}
        for seat, join in self.roster.items():
            ident = self.join_ids[seat]
            if is_let_in(join, doors[seat]) == (ident in turn.by_word):
                was = "was" if ident in turn.by_word else "was not"
                told = f"the join {ident.hex()[:6]} of seat {seat} {was} made with its invite"
                raise RecordError("rule", f"joins: {told}, and by_word does not fit that")
        self.chance.link = turn.link0
        seats = "".join(sorted(self.roster))
        self.table = Table(game_of(self.charter, seats), PUBLIC)

    def sit(self, named: Mapping[str, bytes], joins: Mapping[bytes, Record[Join]]) -> None:
        """Seat the players, from the joins with these ids. Raises RecordError for a wrong join."""
        planned, roster = {plan.seat for plan in self.charter.seats}, dict[str, Join]()
        for seat, wanted in named.items():
            if wanted not in joins:
                raise RecordError(
                    "parent", f"the join {wanted.hex()[:6]} of seat {seat} is not here"
                )
            join = joins[wanted].content
            if (join.seat, join.game) != (seat, self.game) or seat not in planned:
                raise RecordError("place", f"the join {wanted.hex()[:6]} is not for seat {seat}")
            check_share(self.charter, join)
            roster[seat], self.join_ids[seat] = join, wanted
        check_keys(self.charter, roster)
        self.absence = absence_of(self.charter, roster)
        self.stand(Standing(self.charter, roster))

    def stand(self, standing: Standing) -> None:
        """Use the standing that follows from the listed notices, from now on."""
        for seat in {*standing.lapsed(self.standing), *standing.removed}:
            self.in_force.pop(seat, None)
        self.standing, self.roster = standing, standing.roster
        self.absence = replace(self.absence, gone=standing.away)

    # -------------------------------------------------------------- orders
    def _list_orders(self, turn: Turn, find: FindOrders) -> None:
        self.passed_over = [one for one in turn.orders if one.reason not in ("", "rule")]
        self.acts = list[tuple[str, int]]()
        good: dict[str, list[Record[Orders]]] = {}
        passed: dict[str, list[Record[Orders]]] = {}
        for listed in turn.orders:
            record = self._listed(listed, find)
            self.acts += [(listed.seat, record.content.turn)] if listed.reason != "forked" else []
            if listed.status != "refused":
                chosen = good if listed.status == "accepted" else passed
                chosen.setdefault(listed.seat, []).append(record)
        for seat in sorted(good.keys() | passed.keys()):
            check_choice(seat, good.get(seat, []), passed.get(seat, []))
            self.in_force[seat] = OrdersInForce(good[seat][0], self.public.state.round)
        for seat, wanted in () if self.standing.ended else self.own.items():
            force = self.in_force.get(seat)
            if seat not in self.standing.out and (force is None or force.record.id != wanted):
                raise RecordError(
                    "opening",
                    f"turn {self.turn - 1} names orders of seat {seat} that do not count here",
                )

    def _listed(self, listed: Listed, find: FindOrders) -> Record[Orders]:
        """Return orders that a turn lists: each set must be signed by its seat and listed once."""
        record = self.signed(listed.id, find)
        orders = record.content
        if orders.seat != listed.seat or listed.id in self.listed:
            raise RecordError(
                "opening", f"orders {listed.id.hex()[:6]}: listed twice, or for another seat"
            )
        self.listed.add(listed.id)
        held, named = orders.seat in self.charter.plays, self.own.get(orders.seat) == record.id
        check_status(listed, why_misplaced(orders, self.heads, held, named, self.asked_by))
        return record

    def signed(self, wanted: bytes, find: FindOrders) -> Record[Orders]:
        """Find orders of this game, signed with the key of the seat that they name."""
        record = find(wanted)
        join = self.roster.get(record.content.seat)
        if record.content.seat in self.standing.out:
            why = "was removed" if record.content.seat in self.standing.removed else "conceded"
            told = f"orders {wanted.hex()[:6]} are from seat {record.content.seat}, which {why}"
            raise RecordError("rule", told)
        if join is None or join.key != record.signed.key or record.content.game != self.game:
            raise RecordError(
                "key", f"orders {wanted.hex()[:6]} are not signed by seat {record.content.seat}"
            )
        return record

    def _note_silence(self, turn: Turn) -> None:
        """Check that the turn names the right seats as silent, and note who is away from now on."""
        pending, round_ = self.public.pending, round_asked(self.public.pending)
        accepted = {one.seat for one in turn.orders if one.status == "accepted"}
        accepted |= self.standing.seats_shown(turn.turn)
        here = self.absence.after(accepted, (), round_)
        spoke = accepted | {s for s, force in self.in_force.items() if force.round == round_}
        quiet = unheard_in(self.charter, self.roster, round_, spoke, self.awaited)
        self.unheard = Unheard(quiet - here.now(pending).keys(), round_, self.deadline)
        asked = {*self.awaited, *self.unheard.seats}
        check_silence(turn, asked, self.deadline, here.now(pending))
        self.absence = here.after((), turn.silent, round_)

    def _own(self, turn: Turn, find: FindOrders) -> None:
        """Note the orders of seats in `plays` that were in the folder before this turn was made."""
        self.own = {}
        for wanted in turn.own:
            orders = self.signed(wanted, find).content
            if orders.seat not in self.charter.plays or orders.seat in self.own:
                raise RecordError(
                    "opening",
                    f"orders {wanted.hex()[:6]} are not signed by the referee, or the seat has "
                    "other orders as well",
                )
            if (orders.turn, orders.prev) != (turn.turn, turn.prev):
                raise RecordError("opening", f"orders {wanted.hex()[:6]} do not answer this turn")
            self.own[orders.seat] = wanted

    # -------------------------------------------------------------- the log
    def _entry(self, logged: LogEntry, openings: Openings, deals: TurnDeals) -> None:
        table, deals.entry = self.public, self.entries
        if not table.pending:
            raise RecordError("rule", f"{logged.key}: the game was already over")
        key, decision = table.pending[0]
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        try:
            if logged.key != key:
                raise Misfit(f"{logged.key}: the next question is {key}")
            if reason := table.why_not_entry(decision, entry):
                raise Illegal(f"{logged.key}: {reason}")
        except (Misfit, Illegal) as error:
            raise RecordError("rule", str(error)) from None
        if decision.seat == CHANCE:
            self.chance.check(key, decision, logged.text, openings, deals)
        elif not decision.fact:
            self._choice(key, decision, logged, openings)
            deals.handles += [(decision.seat, handle) for handle in logged.hidden]
        ruleset = table.game.ruleset
        for tag, card in ruleset.turned_up(table.state, logged.text, self.entries):
            self._turned_up(tag, card, openings)
        if decision.seat != CHANCE:
            for card in ruleset.shows(table.state, logged.text):
                self.chance.show(decision.seat, card, openings)
        table.send(logged.text)
        self.log.append(entry)
        self.entries += 1

    def _choice(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        if len(cards_in(logged.text)) != len(logged.hidden):
            raise RecordError("opening", f"{key}: must have one handle for each card put down")
        fresh = set(logged.hidden) - self.used_handles
        if len(fresh) != len(logged.hidden):
            raise RecordError("opening", f"{key}: a handle that is used here was already used")
        for bracket, handle in enumerate(logged.hidden):
            self.handle_origins[self.entries, bracket] = HandleOrigin(handle)
        if logged.by.startswith("line"):
            self._by_line(key, decision, logged, openings)
        elif logged.by.startswith("always") and decision.seat not in self.in_force:
            raise RecordError("rule", f"{key}: seat {decision.seat} has no orders in force")
        elif logged.by in ("default", "bot"):
            check_unasked(self.absence, key, decision, logged.by)
        self.used_handles.update(logged.hidden)

    def _by_line(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        """Check an entry settled by a plain line: the line must count, be opened, and say the same
        as the entry."""
        force = self.in_force.get(decision.seat)
        if force is None or force.round != self.public.state.round:
            raise RecordError(
                "rule", f"{key}: seat {decision.seat} has no orders in force for this round"
            )
        opened = self.opened.setdefault(force.record.id, {})
        for opening in openings.lines_of(force.record.id):
            if opening.slot not in opened:
                self.line_handles.update(check_line_opening(force.record.content, opening))
                opened[opening.slot] = opening
        scripted = decision.script or self.public.game.ruleset.kinds[decision.kind].script
        lines = LinesOfKind(self.public, decision, opened.values())
        handles = list(logged.hidden)
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            found = self._lines_saying(lines.saying(step), step, handles)
            if not found:
                raise RecordError("opening", f"{key}: no opened line says {step!r}")
            self._trace(found[0], force.record.content, logged)
            for line in (*found, *lines.holding(found)):  # if two lines say the same,
                openings.use_line(line)  # either may have settled the entry
            if scripted:
                self.spent_lines.add((found[0].order, found[0].slot))
            del handles[: len(cards_in(step))]

    def _lines_saying(
        self, lines: list[OpenLine], step: str, handles: list[bytes]
    ) -> list[OpenLine]:  # fmt: skip
        """Return the unused lines that say the step and put down these cards."""
        says = [line for line in lines if (line.order, line.slot) not in self.spent_lines]
        exact = [o for o in says if handles_in(o.text) == handles[: len(cards_in(step))]]
        # a line's handle is used only once; after that, the referee makes a new handle for the card
        return exact or [o for o in says if self.used_handles.intersection(handles_in(o.text))]

    def _trace(self, opening: OpenLine, orders: Orders, logged: LogEntry) -> None:
        """Note from which line and bracket each handle of this entry comes."""
        handles = handles_in(opening.text)
        for bracket, handle in enumerate(logged.hidden):
            if handle in handles:
                place = OrderPlace.of(orders)
                at = handles.index(handle)
                self.handle_origins[self.entries, bracket] = HandleOrigin(
                    handle, place, opening.slot, at
                )

    def _turned_up(self, tag: Tag, card: str, openings: Openings) -> None:
        """Check that a face-down card that turns up is the one that was put down."""
        put = self.handle_origins.get(tag)
        if put is None:
            raise RecordError("opening", f"{card} turns up where no card was put down")
        shown = openings.card(put.handle)
        if shown.card != card:
            raise RecordError("opening", f"{card} turns up, but the turn opens {shown.card}")
        self._check_card(tag, put, shown)

    def _check_card(self, tag: Tag, put: HandleOrigin, shown: OpenCard) -> None:
        if put.place is None:
            check_hidden_ref(self.game, *tag, shown)
        else:
            check_hidden(put.place, put.slot, put.bracket, shown)

    # -------------------------------------------------------------- the end of a turn
    def _close(self, turn: Turn) -> None:
        if self.standing.ended:
            check_agreed_end(turn, self.public)
        else:
            self.unheard.check(turn, self.public)
            check_end(turn, self.public, self.standing, self.absence, self.deadline)
        if turn.packets.keys() != self.roster.keys():
            raise RecordError("field", "packets: there must be one for each seat")
        self.deadline, self.silent, self.over = turn.deadline, turn.silent, turn.over
        self.asked_by = turn.turn if turn.log else self.asked_by
        self.note_questions()
        self.remove(self.standing.at_end(turn, self.absence, self.public.pending, self.acts))
        self.acts = []

    def remove(self, standing: Standing) -> None:
        """Note who was removed at the end of a turn; the next turn drops their orders."""
        self.standing = standing
        self.absence = replace(self.absence, gone=standing.away)

    def note_questions(self) -> None:
        """Note what the game asks now, according to the public table."""
        pending = self.public.pending
        pending = [] if self.over else pending
        self.awaited, self.asked = awaited(pending), {key for key, _ in pending}

    def _check_size(self, turn: Turn, deals: TurnDeals) -> None:
        """Check that the packets have the size that follows from the turn; a different size could
        reveal a secret."""
        size = packet_size(deals.opened(self.line_handles).values(), turn.orders)
        if any(len(box) != size + TAG for box in turn.packets.values()):
            told = f"packets: what this turn opens needs boxes of {size + TAG} bytes"
            raise RecordError("padding", f"{told}; these are a different size")
