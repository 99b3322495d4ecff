"""Check a game turn by turn without any key, as everybody can (protocol §1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, Illegal, Misfit, Table, Tag, cards_in
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import TAG
from pbem.judge.absence import check_unasked, round_asked, round_of, waited_for
from pbem.judge.chain import Chain, Finder, acts_of
from pbem.judge.handover import check_handovers
from pbem.judge.lines import (
    HandleOrigin,
    LinesOfKind,
    OrdersInForce,
    check_choice,
    check_status,
    why_misplaced,
)
from pbem.judge.notices import check_needed
from pbem.judge.rules import game_of
from pbem.judge.sealed_openings import ChanceChecker, Openings, TurnDeals
from pbem.judge.turn_ends import Unheard, check_agreed_end, check_end, check_silence
from pbem.records.charter import Charter, Join, Orders, check_keys, check_share, is_let_in
from pbem.records.deck import check_hidden_ref
from pbem.records.read_record import Record
from pbem.records.sealed_orders import OrderPlace, check_hidden, check_line_opening, handles_in
from pbem.records.turn import ListedOrders, LogEntry, OpenCard, OpenLine, Turn, packet_size


def check_entry(table: Table[Any], decision: Decision, entry: Entry) -> None:
    """Raise RecordError `rule` if the rules, as this table shows them, do not allow an entry."""
    try:
        if reason := table.why_not_entry(decision, entry):
            raise Illegal(f"{entry.key}: {reason}")
    except (Illegal, Misfit) as error:
        raise RecordError("rule", str(error)) from None


class TableReader:
    """The game as everybody knows it, up to the last turn that was absorbed (protocol §7).

    It replays the public log, and checks against it all that a turn publishes: signed orders,
    openings, decks, dice, handles.
    """

    unheard = Unheard()
    """The seats that were not asked, but waited for, when the last turn was read."""

    def __init__(self, charter: Record[Charter]) -> None:
        self.chain = Chain(charter)
        """What the turns so far publish; see there."""
        self.charter, self.game = self.chain.charter, self.chain.game
        self.in_force: dict[str, OrdersInForce] = {}
        self.absence = self.chain.absence
        """Who is away, with what the turn that is being read says."""
        self.opened: dict[bytes, dict[int, OpenLine]] = {}
        """Lines opened so far, by order and slot."""
        self.handle_origins: dict[Tag, HandleOrigin] = {}
        self.own: dict[str, bytes] = {}
        """For each seat in `plays`: the id of the orders that answer the last turn."""
        self.used_handles: set[bytes] = set()
        self.line_handles: set[bytes] = set()
        """The handles in the lines opened so far."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """Lines of scripts that were carried out; each is used only once."""
        self.chance = ChanceChecker(self.game)
        self.log: list[Entry] = []
        self.table: Table[Any] | None = None

    @property
    def public(self) -> Table[Any]:
        """The table as everybody knows it. Raises RecordError `state` before turn 1."""
        if self.table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.table

    def absorb(self, turn: Record[Turn], find: Finder) -> TurnDeals:
        """Check the next turn against all earlier ones, absorb it and return what it dealt.

        Raises RecordError; do not use the reader after that.
        """
        content, chain = turn.content, self.chain
        self._place(content)
        if content.turn == 1:
            self._begin(content, find.joins())
        else:
            before = chain.list_notices(content, find)
            for seat in chain.standing.lapsed(before):
                self.in_force.pop(seat, None)
            check_needed(turn, chain.standing)
            check_handovers(content, chain.standing.new_keys(content.turn), self.log)
        if content.time < chain.standing.calendar.earliest_date(content.turn, chain.time):
            told = f"time: turn {content.turn} is dated before turn {chain.turn}"
            raise RecordError("field", told)
        self._list_orders(content, find)
        self._note_silence(content)
        deals = TurnDeals(content, len(self.log))
        openings = Openings(content)
        silences = set[tuple[str, int]]()
        for logged in content.log:
            decision = self._entry(logged, openings, deals)
            if logged.by == "default" and not decision.unasked:
                silences.add((decision.seat, round_of(logged.key)))
        openings.all_used()
        if chain.standing.ended:
            check_agreed_end(content, self.public)
        else:
            self.unheard.check(content, self.public, silences)
            check_end(content, self.public, chain.standing, self.absence, chain.deadline)
        if content.packets.keys() != chain.standing.roster.keys():
            raise RecordError("field", "packets: there must be one for each seat")
        size = packet_size(deals.opened(self.line_handles).values(), content.orders) + TAG
        if any(len(box) != size for box in content.packets.values()):  # it could reveal a secret
            told = f"packets: what this turn opens needs boxes of {size} bytes"
            raise RecordError("padding", f"{told}; these are a different size")
        acts = acts_of(content.orders, find.orders) if chain.standing.waits else ()
        chain.add(turn, round_asked(self.public.pending), acts)
        for seat in chain.standing.removed:
            self.in_force.pop(seat, None)
        self._own(content, find)
        return deals

    def _place(self, turn: Turn) -> None:
        if turn.game != self.game:
            raise RecordError("place", "this turn belongs to another game")
        if turn.turn != self.chain.turn + 1:
            told = f"this is turn {turn.turn}, where turn {self.chain.turn + 1} should be"
            raise RecordError("place", told)
        if turn.prev != self.chain.head:
            told = f"a different version of turn {self.chain.turn} from the one here"
            raise RecordError("place", f"turn {turn.turn} builds on {told}")
        if self.chain.over:
            raise RecordError("state", f"the game ended with turn {self.chain.turn}")

    def _begin(self, turn: Turn, joins: Mapping[bytes, Record[Join]]) -> None:
        if bool(turn.deputy) != bool(self.charter.deputy_key):
            raise RecordError("field", "deputy: turn 1 must have a box for the charter's deputy")
        self.take_joins(turn.joins or {}, joins)
        doors = self.charter.doors
        for seat, join in self.chain.standing.roster.items():
            ident = self.chain.join_ids[seat]
            if is_let_in(join, doors[seat]) == (ident in turn.by_word):
                was = "was" if ident in turn.by_word else "was not"
                told = f"the join {ident.hex()[:6]} of seat {seat} {was} made with its invite"
                raise RecordError("rule", f"joins: {told}, and by_word does not fit that")
        self.chance.link = turn.link0
        seats = "".join(sorted(self.chain.standing.roster))
        self.table = Table(game_of(self.charter, seats), PUBLIC)

    def take_joins(self, named: Mapping[str, bytes], joins: Mapping[bytes, Record[Join]]) -> None:
        """Seat the players, from the joins with these ids. Raises RecordError for a wrong join."""
        planned = {plan.seat for plan in self.charter.seats}
        for seat, wanted in named.items():
            if wanted not in joins:
                told = f"the join {wanted.hex()[:6]} of seat {seat} is not here"
                raise RecordError("parent", told)
            join = joins[wanted].content
            if (join.seat, join.game) != (seat, self.game) or seat not in planned:
                raise RecordError("place", f"the join {wanted.hex()[:6]} is not for seat {seat}")
            check_share(self.charter, join)
        self.chain.seat_players(named, joins)
        check_keys(self.charter, self.chain.standing.roster)

    # -------------------------------------------------------------- orders
    def _list_orders(self, turn: Turn, find: Finder) -> None:
        good: dict[str, list[Record[Orders]]] = {}
        passed: dict[str, list[Record[Orders]]] = {}
        for listed in turn.orders:
            record = self._listed(listed, find)
            if listed.status != "refused":
                chosen = good if listed.status == "accepted" else passed
                chosen.setdefault(listed.seat, []).append(record)
        for seat in sorted(good.keys() | passed.keys()):
            force = self.in_force.get(seat)
            accepted = good.get(seat, [])
            check_choice(seat, accepted, passed.get(seat, []), force.record if force else None)
            if accepted:
                self.in_force[seat] = OrdersInForce(accepted[0], self.public.state.round)
        standing, chain = self.chain.standing, self.chain
        for seat, wanted in () if standing.ended else self.own.items():
            force = self.in_force.get(seat)
            if seat not in standing.out and (force is None or force.record.id != wanted):
                told = f"turn {chain.turn} names orders of seat {seat} that do not count here"
                raise RecordError("opening", told)

    def _listed(self, listed: ListedOrders, find: Finder) -> Record[Orders]:
        record, chain = self.signed(listed.id, find), self.chain
        orders = record.content
        if orders.seat != listed.seat or listed.id in chain.listed_orders:
            told = f"orders {listed.id.hex()[:6]}: listed twice, or for another seat"
            raise RecordError("opening", told)
        held, named = orders.seat in self.charter.plays, self.own.get(orders.seat) == record.id
        check_status(listed, why_misplaced(orders, chain.heads, held, named, chain.asked_by))
        return record

    def signed(self, wanted: bytes, find: Finder) -> Record[Orders]:
        """Find orders of this game, signed with the key of the seat that they name."""
        record, standing = find.orders(wanted), self.chain.standing
        join = standing.roster.get(record.content.seat)
        if record.content.seat in standing.out:
            why = "was removed" if record.content.seat in standing.removed else "conceded"
            told = f"orders {wanted.hex()[:6]} are from seat {record.content.seat}, which {why}"
            raise RecordError("rule", told)
        if join is None or join.key != record.signed.key or record.content.game != self.game:
            told = f"orders {wanted.hex()[:6]} are not signed by seat {record.content.seat}"
            raise RecordError("key", told)
        return record

    def _note_silence(self, turn: Turn) -> None:
        chain, pending, round_ = self.chain, self.public.pending, self.chain.round
        accepted = {one.seat for one in turn.orders if one.status == "accepted"}
        away = chain.absence_with(accepted, ()).now(pending)
        spoke = accepted | chain.standing.seats_shown(turn.turn)
        spoke |= {s for s, force in self.in_force.items() if force.round == round_}
        seats = chain.standing.roster
        quiet = waited_for(self.charter, seats, round_, {*spoke, *chain.awaited})
        self.unheard = Unheard(quiet - away.keys(), round_, chain.deadline)
        check_silence(turn, {*chain.awaited, *self.unheard.seats}, chain.deadline, away)
        self.absence = chain.absence_with(accepted, turn.silent)

    def _own(self, turn: Turn, find: Finder) -> None:
        self.own = {}
        for wanted in turn.own:
            orders = self.signed(wanted, find).content
            if orders.seat not in self.charter.plays or orders.seat in self.own:
                told = f"orders {wanted.hex()[:6]} are not signed by the referee, or the seat has "
                told += "other orders as well"
                raise RecordError("opening", told)
            if (orders.turn, orders.prev) != (turn.turn, turn.prev):
                raise RecordError("opening", f"orders {wanted.hex()[:6]} do not answer this turn")
            self.own[orders.seat] = wanted

    # -------------------------------------------------------------- the log
    def _entry(self, logged: LogEntry, openings: Openings, deals: TurnDeals) -> Decision:
        """Check one log entry, and apply it; return the decision that it settles."""
        table, deals.entry = self.public, len(self.log)
        if not table.pending:
            raise RecordError("rule", f"{logged.key}: the game was already over")
        key, decision = table.pending[0]
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        if logged.key != key:
            raise RecordError("rule", f"{logged.key}: the next question is {key}")
        check_entry(table, decision, entry)
        if decision.seat == CHANCE:
            self.chance.check(key, decision, logged.text, openings, deals)
        elif not decision.fact:
            self._choice(key, decision, logged, openings)
            deals.handles += [(decision.seat, handle) for handle in logged.hidden]
        ruleset = table.game.ruleset
        for tag, card in ruleset.turned_up(table.state, logged.text, len(self.log)):
            self._turned_up(tag, card, openings)
        if decision.seat != CHANCE:
            for card in ruleset.shows(table.state, logged.text):
                self.chance.show(decision.seat, card, openings)
        table.send(logged.text)
        self.log.append(entry)
        return decision

    def _choice(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        if len(cards_in(logged.text)) != len(logged.hidden):
            raise RecordError("opening", f"{key}: must have one handle for each card put down")
        fresh = set(logged.hidden) - self.used_handles
        if len(fresh) != len(logged.hidden):
            raise RecordError("opening", f"{key}: a handle that is used here was already used")
        for bracket, handle in enumerate(logged.hidden):
            self.handle_origins[len(self.log), bracket] = HandleOrigin(handle)
        if logged.by.startswith("line"):
            self._by_line(key, decision, logged, openings)
        elif logged.by.startswith("always") and decision.seat not in self.in_force:
            raise RecordError("rule", f"{key}: seat {decision.seat} has no orders in force")
        elif logged.by in ("default", "bot"):
            check_unasked(self.absence, key, decision, logged.by)
        self.used_handles.update(logged.hidden)

    def _by_line(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        """Check an entry settled by a plain line, which must count, be opened, and say the same."""
        force = self.in_force.get(decision.seat)
        if force is None or force.round != self.public.state.round:
            told = f"{key}: seat {decision.seat} has no orders in force for this round"
            raise RecordError("rule", told)
        opened = self.opened.setdefault(force.record.id, {})
        for opening in openings.lines_of(force.record.id):
            if opening.slot not in opened:
                self.line_handles.update(check_line_opening(force.record.content, opening))
                opened[opening.slot] = opening
        scripted = decision.script or self.public.game.ruleset.kinds[decision.kind].script
        lines = LinesOfKind(self.public, decision, opened.values())
        handles = list(logged.hidden)
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            says = [x for x in lines.saying(step) if (x.order, x.slot) not in self.spent_lines]
            exact = [o for o in says if handles_in(o.text) == handles[: len(cards_in(step))]]
            # a line's handle is used only once; the referee makes a new one for the card after that
            used = [o for o in says if self.used_handles.intersection(handles_in(o.text))]
            found = exact or used
            if not found:
                raise RecordError("opening", f"{key}: no opened line says {step!r}")
            self._trace(found[0], force.record.content, logged)
            for line in (*found, *lines.holding(found)):  # if two lines say the same,
                openings.use_line(line)  # either may have settled the entry
            if scripted:
                self.spent_lines.add((found[0].order, found[0].slot))
            del handles[: len(cards_in(step))]

    def _trace(self, opening: OpenLine, orders: Orders, logged: LogEntry) -> None:
        handles = handles_in(opening.text)
        for bracket, handle in enumerate(logged.hidden):
            if handle in handles:
                place = OrderPlace.of_orders(orders)
                at = handles.index(handle)
                self.handle_origins[len(self.log), bracket] = HandleOrigin(
                    handle, place, opening.slot, at
                )

    def _turned_up(self, tag: Tag, card: str, openings: Openings) -> None:
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
