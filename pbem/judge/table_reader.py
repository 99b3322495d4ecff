"""Check a game turn by turn without any key, as everybody can (protocol §1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, Illegal, Misfit, Table
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import TAG
from pbem.judge.absence import check_unasked, round_asked, round_of, waited_for
from pbem.judge.chain import Chain, Finder, acts_of
from pbem.judge.lines import OrdersInForce, check_choice, check_status, why_misplaced
from pbem.judge.modes import mode_of
from pbem.judge.notices import check_needed
from pbem.judge.rules import game_of
from pbem.judge.turn_ends import Unheard, awaited, check_agreed_end, check_end, check_silence
from pbem.records.charter import Charter, Join, Orders, check_keys, check_share, is_let_in
from pbem.records.read_record import Record
from pbem.records.turn import ListedOrders, LogEntry, Turn


def check_entry(table: Table[Any], decision: Decision, entry: Entry) -> None:
    """Raise RecordError `rule` if the rules, as this table shows them, do not allow an entry."""
    try:
        if reason := table.why_not_entry(decision, entry):
            raise Illegal(f"{entry.key}: {reason}")
    except (Illegal, Misfit) as error:
        raise RecordError("rule", str(error)) from None


class TableReader:
    """The game as everybody knows it, up to the last turn that was absorbed (protocol §7).

    It replays the public log, and checks against it all that a turn publishes: signed orders, who
    is asked and silent, and with `PublicCards` all cards and dice.
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
        self.own: dict[str, bytes] = {}
        """For each seat in `plays`: the id of the orders that answer the last turn."""
        self.mode = mode_of(self.charter)
        self.cards = self.mode.public(self.chain)
        """The cards and dice, as far as everybody can check them."""
        self.log: list[Entry] = []
        self.table: Table[Any] | None = None

    @property
    def public(self) -> Table[Any]:
        """The table as everybody knows it. Raises RecordError `state` before turn 1."""
        if self.table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.table

    @property
    def awaited(self) -> dict[str, tuple[str, ...]]:
        """For each seat that the game waits for after the last turn: the kinds of what it waits
        for. Raises RecordError `state` before turn 1."""
        return awaited(self.public.pending, self.cards.waits_for())

    def absorb(self, turn: Record[Turn], find: Finder) -> None:
        """Check the next turn against all earlier ones, and absorb it. Raises RecordError; do not
        use the reader after that."""
        content, chain = turn.content, self.chain
        self._place(content)
        if content.turn == 1:
            self._begin(content, find.joins())
        else:
            before = chain.list_notices(content, find)
            for seat in chain.standing.lapsed(before):
                self.in_force.pop(seat, None)
            check_needed(turn, chain.standing)
            self._check_handovers(content)
        if content.time < chain.standing.calendar.earliest_date(content.turn, chain.time):
            told = f"time: turn {content.turn} is dated before turn {chain.turn}"
            raise RecordError("field", told)
        self._list_orders(content, find)
        self._note_silence(content)
        self.cards.begin(content, len(self.log), self.public, find)
        silences = set[tuple[str, int]]()
        for logged in content.log:
            decision = self._entry(logged)
            if logged.by == "default" and not decision.unasked:
                silences.add((decision.seat, round_of(logged.key)))
        self.cards.end()
        if chain.standing.ended:
            check_agreed_end(content, self.public)
        else:
            self.unheard.check(content, self.public, silences)
            waits = self.cards.waits_for()
            check_end(content, self.public, chain.standing, self.absence, chain.deadline, waits)
        if content.packets.keys() != chain.standing.roster.keys():
            raise RecordError("field", "packets: there must be one for each seat")
        size = self.cards.packet_size(content) + TAG
        if any(len(box) != size for box in content.packets.values()):  # it could reveal a secret
            told = f"packets: what this turn opens needs boxes of {size} bytes"
            raise RecordError("padding", f"{told}; these are a different size")
        acts = acts_of(content.orders, find.orders) if chain.standing.announced_acts else ()
        chain.add(turn, round_asked(self.public.pending), acts)
        for seat in chain.standing.removal_turns:
            self.in_force.pop(seat, None)
        self._own(content, find)

    def _place(self, turn: Turn) -> None:
        if turn.game != self.game:
            raise RecordError("place", "this turn belongs to another game")
        if turn.turn != self.chain.turn + 1:
            told = f"this is turn {turn.turn}, where turn {self.chain.turn + 1} should be"
            raise RecordError("place", told)
        if turn.prev != self.chain.head:
            told = f"a different version of turn {self.chain.turn} from the one here"
            raise RecordError("place", f"turn {turn.turn} builds on {told}")
        if self.chain.is_over:
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

    def _check_handovers(self, turn: Turn) -> None:
        """Check that a turn hands over exactly the seats that get new keys, in boxes of the right
        size. Raises RecordError `field`, `padding`."""
        boxes = turn.handover or {}
        if set(boxes) != set(self.chain.standing.new_keys(turn.turn)):
            raise RecordError("field", "handover: must have a box for each seat that gets new keys")
        for seat, box in boxes.items():
            size = self.cards.handover_size(seat, self.log) + TAG
            if len(box) != size:
                told = f"handover: the box of seat {seat} needs {size} bytes"
                raise RecordError("padding", told)

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
            if seat not in standing.seats_out and (force is None or force.record.id != wanted):
                told = f"turn {chain.turn} names orders of seat {seat} that do not count here"
                raise RecordError("opening", told)

    def _listed(self, listed: ListedOrders, find: Finder) -> Record[Orders]:
        record, chain = self.signed(listed.id, find), self.chain
        orders = record.content
        if orders.seat != listed.seat or listed.id in chain.listed_orders:
            told = f"orders {listed.id.hex()[:6]}: listed twice, or for another seat"
            raise RecordError("opening", told)
        held, named = orders.seat in self.charter.plays, self.own.get(orders.seat) == record.id
        check_status(listed, why_misplaced(orders, chain.heads, held, named, chain.asking_turn))
        return record

    def signed(self, wanted: bytes, find: Finder) -> Record[Orders]:
        """Find orders of this game, signed with the key of the seat that they name."""
        record, standing = find.orders(wanted), self.chain.standing
        join = standing.roster.get(record.content.seat)
        if record.content.seat in standing.seats_out:
            why = "was removed" if record.content.seat in standing.removal_turns else "conceded"
            told = f"orders {wanted.hex()[:6]} are from seat {record.content.seat}, which {why}"
            raise RecordError("rule", told)
        if join is None or join.key != record.signed.key or record.content.game != self.game:
            told = f"orders {wanted.hex()[:6]} are not signed by seat {record.content.seat}"
            raise RecordError("key", told)
        return record

    def _note_silence(self, turn: Turn) -> None:
        chain, pending, round_ = self.chain, self.public.pending, self.chain.round
        accepted = {one.seat for one in turn.orders if one.status == "accepted"}
        away = chain.absence_with(accepted, ()).absence_reasons(pending)
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
    def _entry(self, logged: LogEntry) -> Decision:
        """Check one log entry, and apply it; return the decision that it settles."""
        table, number = self.public, len(self.log)
        if not table.pending:
            raise RecordError("rule", f"{logged.key}: the game was already over")
        key, decision = table.pending[0]
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        if logged.key != key:
            raise RecordError("rule", f"{logged.key}: the next question is {key}")
        check_entry(table, decision, entry)
        if decision.seat == CHANCE:
            self.cards.check_chance(number, key, decision, logged.text)
        elif not decision.fact:
            force = self._check_source(key, decision, logged.by)
            self.cards.check_choice(number, decision, logged, force)
        ruleset = table.game.ruleset
        for tag, card in ruleset.turned_up(table.state, logged.text, number):
            self.cards.check_turned_up(tag, card)
        if decision.seat != CHANCE:
            for card in ruleset.shows(table.state, logged.text):
                self.cards.check_shown(decision.seat, card)
        table.send(logged.text)
        self.log.append(entry)
        return decision

    def _check_source(self, key: str, decision: Decision, by: str) -> OrdersInForce | None:
        """Check that an entry may be settled in this way; returns the orders in force if it is by
        one of their plain lines."""
        force = self.in_force.get(decision.seat)
        if by.startswith("line"):
            if force is None or force.round != self.public.state.round:
                told = f"{key}: seat {decision.seat} has no orders in force for this round"
                raise RecordError("rule", told)
            return force
        if by.startswith("always") and force is None:
            raise RecordError("rule", f"{key}: seat {decision.seat} has no orders in force")
        if by in ("default", "bot"):
            check_unasked(self.absence, key, decision, by)
        return None
