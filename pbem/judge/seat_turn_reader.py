"""Check a game turn by turn with the key of a seat (protocol §1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import CHANCE, UNKNOWN, Decision, Entry, OrderSet, Table, mask
from engine.resumed_orders import resumed_orders
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.game_ruleset import bot_answer, check_entry
from pbem.judge.order_line_checks import read_lines
from pbem.judge.orders_in_force import status_in_words, why_unusable, wrong_status
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.record_chain import Finder
from pbem.judge.turn_differences import wrong_source
from pbem.records.charter import Charter
from pbem.records.orders import Orders
from pbem.records.packet import RefusedLine, open_handover, open_packet
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import UnsealedOrders, unseal_orders
from pbem.records.turn import LogEntry, Turn


class SeatReader(PublicReader):
    """A PublicReader that also replays the seat's own log on the seat's own table (protocol §7).

    So its owner learns at once whether the dealt cards match the commitments, whether the turn
    followed the owner's lines in order, and whether the cards put down match the lines.
    """

    def __init__(
        self, charter: Record[Charter], seat: str, seed: bytes, valid_from: int = 1
    ) -> None:
        """`seed` is the seat's signing key, 32 bytes, which counts from turn `valid_from` on."""
        super().__init__(charter)
        self.seat, self.valid_from = seat, valid_from
        self.secrets = Secrets(seed)
        box_secret = self.secrets.box(self.game, seat)
        self.seat_cards = self.mode.seat(self.cards, seat, seed)
        """The cards that the seat's key opens."""
        self.box_public = public_of(box_secret)
        """The X25519 key that the seat's join must have."""
        self.key = box_key(box_secret, self.charter.audit, self.game)
        """The key of the boxes between the seat and the game's `audit` key."""
        self.seat_table: Table[Any] | None = None
        """The table as the seat knows it; None before turn `valid_from`."""
        self.is_table_lent = False
        """Whether a view has borrowed `seat_table`."""
        self.own_log: list[Entry] = []
        """The log with the cards that the seat may know."""
        self.unsealed: UnsealedOrders | None = None
        """The decrypted contents of the seat's orders in force; None if there are none."""
        self.orders: OrderSet | None = None
        """The parsed lines of these orders, which answer decisions and note what the log has used
        up."""
        self.orders_since = 0
        """The number of log entries when the orders in force were accepted."""
        self.rule_refusals: tuple[RefusedLine, ...] = ()
        """The seat's lines that its last packet refuses by the rules."""
        self.preview = False
        """Whether the last turn is not published yet, because it waits for this held seat."""

    @property
    def own_table(self) -> Table[Any]:
        """The table as the seat knows it. Raises RecordError `state` before turn 1."""
        if self.seat_table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.seat_table

    def lend_table(self) -> Table[Any]:
        """Lend the seat's table to a view, so that the view need not replay the log.

        The table will not change: the reader makes a new one before it absorbs another turn.
        """
        self.is_table_lent = True
        return self.own_table

    def absorb(self, turn: Record[Turn], find: Finder) -> None:
        """Check a turn as PublicReader does; then check the facts that only this seat can see.

        Before turn `valid_from` the seat had other keys, so the turn is only noted; the turn that
        hands the seat over opens its cards. Raises RecordError; do not use the reader after that.
        """
        if self.is_table_lent:
            self.seat_table = Table(self.public.game, self.seat, self.own_log)
            self.is_table_lent = False
        previous_orders, first_number = self.in_force.get(self.seat), len(self.log)
        super().absorb(turn, find)
        if turn.content.turn < self.valid_from:
            self.seat_cards.pass_by()
            return
        if self.seat_table is None:
            self.new_table()
            self._take_over(turn.content)
        self._check_keys()
        self._check_refusals(turn.content, find)
        if self.in_force.get(self.seat) is not previous_orders:
            self.take_orders(len(self.own_log))
        packet = open_packet(
            turn.content.turn, self.seat, self._sealed_packet(turn.content), self.key
        )
        self.rule_refusals = packet.refused
        self.seat_cards.begin(packet, self.unsealed)
        self._fill_own_log()
        seat_turn = _SeatTurn(self)
        seat_turn.play(turn.content, first_number)
        seat_turn.check_said()
        self._check_asked()

    def _fill_own_log(self) -> None:
        """Fill in the cards that only now are known, if there are any: replay the seat's log."""
        texts = [entry.text for entry in self.log]
        own_log = [
            self.seat_cards.own_entry(number, entry, texts[number])
            for number, entry in enumerate(self.own_log)
        ]
        if own_log != self.own_log:
            self.own_log = own_log
            self.seat_table = Table(self.public.game, self.seat, own_log)

    def _check_asked(self) -> None:
        """Check that no line of the seat answers an open question. If the turn asks other seats
        too, it may have stopped for their answers: then check nothing. Raises RecordError
        `rule`."""
        table = self.seat_cards.orders_table(self.own_table)
        pending = table.pending
        if self.orders is None or any(decision.seat != self.seat for _, decision in pending):
            return
        for key, decision in () if self.cards.is_stopped else pending:
            if (choice := self.orders.answer(key, decision, table.state)) is not None:
                sentence = (
                    f"question {key}: the turn asks you, although your orders already say "
                    f"{choice[0]!r}"
                )
                raise RecordError("rule", sentence)

    def _check_refusals(self, turn: Turn, find: Finder) -> None:
        """Check that the turn refuses the orders of the seat exactly if they cannot be opened or
        break the rules at the seat's table. `late` and `forked` are checked by everybody. Raises
        RecordError `rule`."""
        for row in turn.orders:
            if row.seat == self.seat and row.reason not in ("late", "forked"):
                table, has_handles = (
                    self.seat_cards.orders_table(self.own_table),
                    self.mode.has_handles,
                )
                record = find.orders(row.id)
                reason, _ = why_unusable(record, self._unseal, table, has_handles)
                if reason != row.reason:
                    expected_status = status_in_words("refused", reason) if reason else "valid"
                    subject = f"your orders {row.id.hex()[:6]}"
                    raise RecordError("rule", wrong_status(subject, row, expected_status))

    def own_texts(self, orders: Orders) -> list[str]:
        """Open orders of the seat; return their lines as the seat's own table has them. Raises
        RecordError if they cannot be opened."""
        return self.seat_cards.typed_texts(self._unseal(orders).texts)

    def _unseal(self, orders: Orders) -> UnsealedOrders:
        return unseal_orders(orders, self.key, self.mode.has_handles)

    def _sealed_packet(self, turn: Turn) -> bytes:
        if self.seat not in turn.packets:
            raise RecordError(
                "box",
                f"turn {turn.turn} has no secret part for seat {self.seat} (its packet), which "
                "shows the player their cards",
            )
        return turn.packets[self.seat]

    def new_table(self, log: Iterable[Entry] = ()) -> None:
        """Replay the seat's log on a new table of the seat. Raises RecordError `state`, `key`."""
        if self.seat not in self.chain.standing.roster:
            raise RecordError("state", f"the game began without seat {self.seat}")
        self._check_keys()
        self.seat_table = Table(self.public.game, self.seat, log)

    def _check_keys(self) -> None:
        """Raise RecordError `key` if the seat's box key is another one than this reader's."""
        standing = self.chain.standing
        if standing.roster[self.seat].x25519 == self.box_public:
            return
        turn = standing.keys_valid_from.get(self.seat)
        sentence = f"seat {self.seat} has a different key from yours"
        raise RecordError("key", f"since turn {turn}, {sentence}" if turn else sentence)

    def _take_over(self, turn: Turn) -> None:
        """If the turn hands the seat over to this key, replay the seat's own log of all earlier
        turns with the cards in the handover. Raises RecordError."""
        box = (turn.handover or {}).get(self.seat)
        if turn.turn == 1 or box is None:
            return
        packet = open_handover(turn.turn, self.seat, box, self.key)
        log = self.log[: self.chain.log_lengths[-2]]
        self.own_log = self.seat_cards.replay_handover(packet, self.own_table, log)

    def take_orders(self, log_length: int) -> None:
        """Open the seat's orders in force, which were accepted when the log had `log_length`
        entries, and let their lines note the entries since then. Raises RecordError if they cannot
        be opened."""
        self.orders_since = log_length
        orders = self.in_force.get(self.seat)
        if orders is None:  # the orders have lapsed
            self.orders = self.unsealed = None
            return
        self.unsealed = self._unseal(orders.record.content)
        lines = read_lines(self.unsealed.texts)
        table = self.seat_cards.orders_table(self.own_table)
        self.orders = self.seat_cards.order_set(
            resumed_orders(table, self.seat, orders.round, lines, self.own_log, log_length)
        )


class _SeatTurn:
    """Replays one turn's entries with the cards that the seat knows."""

    def __init__(self, reader: SeatReader) -> None:
        """`reader` has absorbed the turn as everybody can; its `own_log` and table get the
        entries."""
        self.reader, self.cards, self.table = reader, reader.seat_cards, reader.own_table

    def play(self, turn: Turn, first_number: int) -> None:
        """Replay the turn's entries; the first one has the number `first_number`."""
        for number, logged in enumerate(turn.log, start=first_number):
            self._replay_entry(number, logged)
        self.cards.end()

    def check_said(self) -> None:
        """Check what the turn says for the seat, before the names of its cards are known. Raises
        RecordError `rule`."""
        for key, decision, answer in self.reader.new_answers:
            if decision.seat == self.reader.seat:
                choice, source = self._expected_choice(key, decision, answer.by)
                if (choice, mask(source)) != (answer.text, answer.by):
                    sentence = (
                        f"question {key}: you ordered {choice!r}, but the turn says {answer.text!r}"
                    )
                    raise RecordError("rule", sentence)

    def _replay_entry(self, number: int, logged: LogEntry) -> None:
        """Check an entry with the seat's cards, and apply it to the seat's table. Raises
        RecordError."""
        key, decision = self.table.pending[0]
        entry = Entry(key, decision.seat, logged.text, logged.by, decision.to)
        if decision.seat == CHANCE:
            entry = self.cards.open_chance_entry(number, decision, entry)
        elif decision.seat == self.reader.seat and not decision.fact:
            entry = self._check_own_entry(key, decision, entry)
            self.cards.check_put_down(number, entry, logged)
        has_unopened_cards = decision.to == self.reader.seat and UNKNOWN in entry.text
        if not has_unopened_cards:  # a later turn opens them, and then the entry is checked
            check_entry(self.table, decision, entry)
        self.table.take_answer(entry.text)
        self.reader.own_log.append(entry)
        self.cards.entered(number, decision, logged)
        if self.reader.orders:
            self.reader.orders.entered(entry, self.cards.orders_table(self.table).state)

    def _check_own_entry(self, key: str, decision: Decision, entry: Entry) -> Entry:
        """Check a public entry about a choice of the seat. Return it with the cards and the number
        of the line, which the public entry masks. Raises RecordError `rule`."""
        choice, source = self._expected_choice(key, decision, entry.by)
        text = self.cards.own_text(choice)
        if mask(text) != mask(entry.text):
            sentence = f"question {key}: you ordered {text!r}, but the turn says {entry.text!r}"
            if source == "bot":
                sentence = (
                    f"question {key}: the bot of your seat chooses {text!r}, but the turn says "
                    f"{entry.text!r}"
                )
            raise RecordError("rule", sentence)
        if mask(source) != mask(entry.by):
            sentence = wrong_source(text, entry.by, source)
            raise RecordError("rule", f"question {key}: {sentence}")
        return entry._replace(text=text, by=source)

    def _expected_choice(self, key: str, decision: Decision, source: str) -> tuple[str, str]:
        """Return the text and the source that settle a decision of the seat, if the turn's `source`
        may settle it: a default or a bot only if none of the seat's lines fits, a line only if one
        does. `key` is the decision's key in the log. Raises RecordError `rule`."""
        table = self.cards.orders_table(self.table)
        decision = dict(table.pending)[key]
        if source == "forced":
            return self.cards.choice_without_lines(decision, source), source
        orders = self.reader.orders
        said_answer = self.reader.cards.bound_answers.get(key)
        if orders is None and said_answer and source == said_answer.by != "default":
            return said_answer.text, source  # its orders have lapsed since
        choice = orders.answer(key, decision, table.state) if orders else None
        if source in ("default", "bot"):
            if choice is not None:
                sentence = (
                    f"question {key}: the turn calls you silent, but your orders say {choice[0]!r}"
                )
                raise RecordError("rule", sentence)
            if source == "bot":
                return bot_answer(self.table, decision), source
            return self.cards.choice_without_lines(decision, source), source
        if choice is None:
            sentence = (
                f"question {key}: the turn says that you chose this, but none of your orders fits"
            )
            raise RecordError("rule", sentence)
        return choice
