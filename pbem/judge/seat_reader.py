"""Check a game turn by turn with the key of a seat (protocol §1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import CHANCE, Decision, Entry, OrderSet, Table, mask
from engine.table import resumed_orders
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.keys import Secrets
from pbem.judge.chain import Finder
from pbem.judge.lines import bot_answer, read_lines, why_unusable
from pbem.judge.table_reader import TableReader, check_entry
from pbem.records.charter import Charter, Orders
from pbem.records.read_record import Record
from pbem.records.sealed_orders import Sealed, unseal_orders
from pbem.records.turn import LogEntry, Refusal, Turn, open_handover, open_packet


class SeatReader(TableReader):
    """A TableReader that also replays the seat's own log on the seat's own table (protocol §7).

    So its owner learns at once whether the dealt cards match the commitments, whether the owner's
    lines were followed in order, and whether the cards put down are those in the lines.
    """

    def __init__(self, charter: Record[Charter], seat: str, seed: bytes, since: int = 1) -> None:
        """`seed` is the seat's signing key, 32 bytes, which counts from turn `since` on."""
        super().__init__(charter)
        self.seat, self.since = seat, since
        self.seat_cards = self.mode.seat(self.cards, seat)
        """The cards that the seat's key opens."""
        self.secrets = Secrets(seed)
        secret = self.secrets.box(self.game, seat)
        self.box_public = public_of(secret)
        self.key = box_key(secret, self.charter.audit, self.game)
        self.mine: Table[Any] | None = None
        self.lent = False
        """Whether a view has borrowed the table of the seat."""
        self.own_log: list[Entry] = []
        self.sealed: Sealed | None = None
        self.orders: OrderSet | None = None
        self.orders_since = 0
        """How many log entries there were when the orders in force were accepted."""
        self.refused: tuple[Refusal, ...] = ()
        """Which of the seat's orders its last packet refused."""
        self.preview = False
        """Whether its last turn is not published yet: it waits for this seat of the referee's."""

    @property
    def own_table(self) -> Table[Any]:
        """The table as the seat knows it. Raises RecordError `state` before turn 1."""
        if self.mine is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.mine

    def lend_table(self) -> Table[Any]:
        """Lend the seat's table to a view, which need not replay the log.

        It will not change: the reader makes a new one for itself before it absorbs another turn.
        """
        self.lent = True
        return self.own_table

    def absorb(self, turn: Record[Turn], find: Finder) -> None:
        """Check a turn as TableReader does; then check what only this seat can check."""
        if self.lent:
            self.mine, self.lent = Table(self.public.game, self.seat, self.own_log), False
        before, first = self.in_force.get(self.seat), len(self.log)
        super().absorb(turn, find)
        if turn.content.turn < self.since:
            self.seat_cards.pass_by()
            return
        if self.mine is None:
            self.new_table()
            self._take_over(turn.content)
        self._check_keys()
        self._check_refusals(turn.content, find)
        if self.in_force.get(self.seat) is not before:
            self.take_orders(len(self.own_log))
        packet = open_packet(turn.content.turn, self.seat, self._packet(turn.content), self.key)
        self.refused = packet.refused
        self.seat_cards.begin(packet, self.sealed)
        _SeatTurn(self).play(turn.content, first)
        self._check_asked()

    def _check_asked(self) -> None:
        """Check that no line of the seat answers what it is asked, unless the turn asks others too:
        then it may have stopped for their answers."""
        pending = self.own_table.pending
        if self.orders is None or any(decision.seat != self.seat for _, decision in pending):
            return
        for key, decision in pending:
            if (found := self.orders.answer(key, decision, self.own_table.state)) is not None:
                told = f"{key}: the turn asks you, but your line says {found[0]!r}"
                raise RecordError("rule", told)

    def _check_refusals(self, turn: Turn, find: Finder) -> None:
        for listed in turn.orders:
            if listed.seat == self.seat and listed.reason not in ("late", "forked"):
                reason, _ = why_unusable(find.orders(listed.id), self._unseal, self.own_table)
                if reason != listed.reason:
                    told = listed.reason or listed.status
                    told = f"the turn lists your orders {listed.id.hex()[:6]} as {told}, "
                    told += f"but they are {reason or 'right'}"
                    raise RecordError("rule", told)

    def _unseal(self, orders: Orders) -> Sealed:
        return unseal_orders(orders, self.key)

    def _packet(self, turn: Turn) -> bytes:
        if self.seat not in turn.packets:
            raise RecordError("box", f"turn {turn.turn} has no packet for seat {self.seat}")
        return turn.packets[self.seat]

    def new_table(self, log: Iterable[Entry] = ()) -> None:
        """Replay the seat's log on a new table of the seat. Raises RecordError `state`, `key`."""
        if self.seat not in self.chain.standing.roster:
            raise RecordError("state", f"the game began without seat {self.seat}")
        self._check_keys()
        self.mine = Table(self.public.game, self.seat, log)

    def _check_keys(self) -> None:
        standing = self.chain.standing
        if standing.roster[self.seat].x25519 == self.box_public:
            return
        turn = standing.keys_valid_from.get(self.seat)
        told = f"the join that counts for seat {self.seat} has"
        if turn:
            told = f"since turn {turn}, seat {self.seat} has"
        raise RecordError("key", f"{told} a different key from yours")

    def _take_over(self, turn: Turn) -> None:
        """Replay what the seat's earlier keys could open, if this key counts only from this turn
        on."""
        box = (turn.handover or {}).get(self.seat)
        if turn.turn == 1 or box is None:
            return
        packet = open_handover(turn.turn, self.seat, box, self.key)
        log = self.log[: self.chain.log_lengths[-2]]
        self.own_log = self.seat_cards.take_over(packet, self.own_table, log)

    def take_orders(self, since: int) -> None:
        """Open the seat's orders in force, accepted when the log had `since` entries."""
        self.orders_since = since
        force = self.in_force.get(self.seat)
        if force is None:  # the orders have lapsed
            self.orders = self.sealed = None
            return
        self.sealed = self._unseal(force.record.content)
        table, lines = self.own_table, read_lines(self.sealed.texts)
        self.orders = resumed_orders(table, self.seat, force.round, lines, self.own_log, since)


class _SeatTurn:
    """Replays one turn's entries with the cards that the seat knows."""

    def __init__(self, reader: SeatReader) -> None:
        self.reader, self.cards, self.table = reader, reader.seat_cards, reader.own_table

    def play(self, turn: Turn, first: int) -> None:
        """Replay the turn's entries, of which the first has the number `first`."""
        for number, logged in enumerate(turn.log, start=first):
            self._entry(number, logged)
        self.cards.end()

    def _entry(self, number: int, logged: LogEntry) -> None:
        key, decision = self.table.pending[0]
        entry = Entry(key, decision.seat, logged.text, logged.by, decision.to)
        if decision.seat == CHANCE:
            entry = self.cards.know_chance(number, decision, entry)
        elif decision.seat == self.reader.seat and not decision.fact:
            entry = self._own(key, decision, entry)
            self.cards.check_put_down(number, entry, logged)
        check_entry(self.table, decision, entry)
        self.table.send(entry.text)
        self.reader.own_log.append(entry)
        if self.reader.orders:
            self.reader.orders.entered(entry, self.table.state)

    def _own(self, key: str, decision: Decision, entry: Entry) -> Entry:
        text, by = self._said(key, decision, entry.by)
        if mask(text) != mask(entry.text):
            whose = "the bot for your seat chooses" if by == "bot" else "you ordered"
            raise RecordError("rule", f"{key}: {whose} {text!r}, but the turn says {entry.text!r}")
        if mask(by) != mask(entry.by):
            told = f"your {by} settles {text!r}, but the turn says that {entry.by} does"
            raise RecordError("rule", f"{key}: {told}")
        return entry._replace(text=text, by=by)

    def _said(self, key: str, decision: Decision, by: str) -> tuple[str, str]:
        if by == "forced":
            return next(iter(decision.options(*decision.args))), by
        orders = self.reader.orders
        found = orders.answer(key, decision, self.table.state) if orders else None
        if by in ("default", "bot"):
            if found is not None:
                told = f"{key}: the turn treats you as silent, but your line says {found[0]!r}"
                raise RecordError("rule", told)
            if by == "bot":
                return bot_answer(self.table, decision), by
            assert decision.default is not None
            return decision.default(), by
        if found is None:
            told = f"{key}: the turn says your line settled it, but none of your lines fits"
            raise RecordError("rule", told)
        return found
