"""Check hidden cards without a key, turn by turn, as everybody can (protocol §12, §13)."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import Any, Final

from engine import CHANCE, DECK, PUBLIC, Decision, Entry, Misfit, Table, Tag
from engine.hidden_hands import Hands, HandsData
from engine.sentences.slots_in_sentences import Slot, hidden_slots, names_slots, open_slots
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import NO_ANSWER_FOR_SILENT
from pbem.judge.chance_entry_checks import ChanceChecker, TurnDeals
from pbem.judge.hidden_dealing_state import HiddenDealing
from pbem.judge.opened_lines_for_decision import LinesOfKind
from pbem.judge.orders_in_force import OrdersInForce
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.sealed_openings import Openings
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.records.deal_record import Deal, OpenedSlot
from pbem.records.orders import Orders
from pbem.records.packet import handover_size, packet_size
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import check_opened_line
from pbem.records.turn import LogEntry, OpenLine, SaidAnswer, Turn

OTHER_CARDS_ASKED: Final = "the turn asks the dealers to show other cards than the game needs"


def _other_than_announced(key: str, expected_answer: SaidAnswer) -> RecordError:
    """Return the error for a turn that does not keep to an announced answer."""
    return RecordError(
        "rule",
        f"question {key}: the previous turn announced the answer {expected_answer.text!r}, but "
        "this turn has another answer",
    )


def _no_order(key: str, step: str) -> RecordError:
    """Return the error for an answer that no opened line of the player's orders says."""
    return RecordError(
        "opening", f"question {key}: the turn shows no order of this player that says {step!r}"
    )


def _wrong_default(expected_text: str) -> str:
    """Say that a turn answers for a silent player in another way than the rules."""
    return f"the answer for a silent player is {expected_text!r}, but the turn has another answer"


class HiddenPublicCards:
    """Checks the parts of the dealers, slots, openings, other decks and dice (see
    `PublicCards`)."""

    table: Table[Any]
    """The public table, from `begin` on."""
    hands: Hands
    """The slots of all hands, from `begin` on."""
    openings: Openings
    """The other openings of the turn being read: of lines, other decks and dice."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.dealing = HiddenDealing(chain)
        self.chance = ChanceChecker(chain.game)
        """The decks that are not hidden, and the dice."""
        self.deals: list[Record[Deal]] = []
        """The deals that the turn being read lists."""
        self.bound_answers: Mapping[str, SaidAnswer] = {}
        """The answers that the turn before has said, and that stay, by the keys of their
        questions."""
        self.replaced_keys: Collection[str] = ()
        """The questions whose answers the rules refuse, now that their cards are named."""
        self.opened_lines: dict[bytes, dict[int, OpenLine]] = {}
        """The lines opened so far, by order id and slot."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """The script lines that were carried out, as order id and slot; each is used only once."""
        self._expected: list[SaidAnswer | None] = []
        """The answers with which the log must begin; None for one that is replaced."""
        self._deals_of_turn = TurnDeals()
        self.shared_slots: dict[str, list[int]] = {}
        """For each seat: the slots of which the listed deals have shares, in order."""
        self.bracket_slots: dict[int, Sequence[Slot]] = {}
        """For each log entry read so far that hides cards: their slots, in order. A checkpoint does
        not have them."""
        self._turn: Turn | None = None

    opens_always_lines = True

    @property
    def turn(self) -> Turn:
        """The turn that is being read, or was read last."""
        assert self._turn is not None
        return self._turn

    @property
    def is_stopped(self) -> bool:
        """Whether the turn that was read asks nobody, because dealers owe something."""
        return bool(self.dealing.owed)

    @property
    def is_frozen(self) -> bool:
        """Whether the last turn says answers that wait for names (see `PublicCards`)."""
        return bool(self.dealing.need)

    def begin(
        self,
        turn: Turn,
        first_number: int,
        table: Table[Any],
        find: Finder,
    ) -> None:
        """Begin a turn (see `PublicCards`): check and take the parts of the dealers that it
        lists."""
        if turn.turn == 1:
            self.chance.link, self.hands = turn.link0, Hands(table)
        self.table, self.openings, self._turn = table, Openings(turn), turn
        self._deals_of_turn = TurnDeals()
        self.deals = [find.deal(deal_id) for deal_id in turn.deals]
        self.bound_answers, self.replaced_keys, self._expected = {}, (), []
        dealing = self.dealing
        self.shared_slots = dict(dealing.deck.unshared_slots)
        if dealing.owed and turn.orders:
            raise RecordError(
                "opening", "the turn uses orders, but the game must wait for a dealer first"
            )
        is_ended = bool(self.chain.standing.ended)
        if turn.turn == 1 or turn.deals:
            dealing.take_deals(self.deals)
        if turn.turn == 1:
            dealing.take_keys(self.deals, turn.card_key, turn.card_proof)
        said = dealing.said
        self._take_referees_part(turn)
        if turn.turn > 1:
            dealing.need_shares_for_new_keys(self.hands, turn.turn)
        if turn.deals:
            self._expect_answers(said)
        elif dealing.owed and turn.turn > 1 and turn.log and not is_ended:
            raise RecordError(
                "rule", "the turn plays on, but the game must wait for a dealer first"
            )

    def _take_referees_part(self, turn: Turn) -> None:
        """Take the referee's shares, mix and openings. Raises RecordError `opening` for others than
        are due, and what their proofs raise."""
        dealing = self.dealing
        if turn.deals and turn.turn > 1:
            dealing.take_referees_shares(turn.shares)
        elif turn.shares:
            raise RecordError(
                "opening", "the turn contains shares of cards, but no cards were dealt"
            )
        is_mix_due = bool(turn.deals) and dealing.wants_referees_mix()
        if (turn.mix is not None) != is_mix_due:
            raise RecordError(
                "opening",
                "the turn does not contain the referee's shuffle of the hidden deck, which it needs"
                if is_mix_due
                else "the turn shuffles the hidden deck, although nobody asked for a shuffle",
            )
        due_slots = dealing.need if turn.deals else ()
        if [Slot(row.seat, row.slot) for row in turn.opened] != [*due_slots]:
            raise RecordError(
                "opening",
                "the turn must show the cards that the previous turn asked for, and no others",
            )
        if turn.mix is not None:
            dealing.take_referees_mix(turn.mix)
        for row in turn.opened:
            self._open(row)
        if turn.deals:
            dealing.clear_need()

    def _open(self, row: OpenedSlot) -> None:
        """Open a slot by the shares of all dealers. Raises RecordError `commitment` if it has
        another card, and what the proofs raise."""
        slot = Slot(row.seat, row.slot)
        self.dealing.take_share(slot, self.dealing.referee, row.share)
        if self.dealing.open_card(slot) != row.card:
            subject = f"#{row.slot} in the hand of seat {row.seat}"
            raise RecordError(
                "commitment",
                f"the turn says that card {subject} is {row.card}, but the shares of the dealers "
                "give another card",
            )
        self.hands.names[slot] = row.card

    # -------------------------------------------------------------- a wave that was said
    def _expect_answers(self, said: Sequence[SaidAnswer]) -> None:
        """Note the answers with which the log must begin, now that their cards have names. One that
        the rules refuse is replaced."""
        for answer, (_, decision) in zip(said, self.table.pending, strict=False):
            expected: SaidAnswer | None = answer
            if only_answer := self.hands.only_answer(decision):
                expected = replace(answer, text=only_answer[0])
            elif decision.seat != CHANCE and self.hands.why_not(decision, answer.text):
                expected = None
            self._expected.append(expected)
        keys = [question[0] for question in self.table.pending]
        answer_by_key = dict(zip(keys, self._expected, strict=False))
        bound_answers = {key: answer for key, answer in answer_by_key.items() if answer}
        self.bound_answers = bound_answers
        self.replaced_keys = answer_by_key.keys() - self.bound_answers.keys()

    def _check_expected(self, logged: LogEntry) -> None:
        """Check that an entry is the answer that was said. Raises RecordError `rule`."""
        if not self._expected:
            return
        expected = self._expected.pop(0)
        if expected is None:
            return
        seat = logged.seat
        text, slots = self._named(seat, expected.text)
        if (logged.text, logged.by, logged.slots) != (text, expected.by, slots):
            raise _other_than_announced(logged.key, expected)

    def _named(self, seat: str, text: str) -> tuple[str, tuple[int, ...]]:
        """Return a sentence of a seat with the names that everybody knows, and the slots that leave
        the hand with it."""
        return self.hands.named(seat, text), self.hands.leaving_slots(seat, text)

    # -------------------------------------------------------------- the log
    def check_chance(self, number: int, key: str, decision: Decision, text: str) -> None:
        """Check an entry of chance, and move the cards. Raises RecordError `chain`, `opening`,
        `rule`."""
        if decision.kind == "die" or decision.deck != DECK:
            self._deals_of_turn.entry = number
            self.chance.check(key, decision, text, self.openings, self._deals_of_turn)
            return
        slots: Sequence[int] = ()
        if decision.kind == "under" and decision.to != PUBLIC:
            slots = self.hands.last_put_down(decision.to, len(decision.cards))
            self.hands.bury(decision.to, len(decision.cards))
        dealt_slots = self.dealing.deck.follow(decision, text, slots)
        self.bracket_slots[number] = dealt_slots or [Slot(decision.to, n) for n in slots]
        if decision.kind == "deal":
            self.hands.deal(decision.to, decision.option_list()[0].count("?"))

    def check_fact(self, logged: LogEntry) -> None:
        """Check an entry that turns up a card. Raises RecordError `rule`."""
        self._check_expected(logged)
        if logged.slots:
            raise RecordError(
                "rule", f"entry {logged.key} names cards of a hand, but no card leaves a hand here"
            )

    def check_choice(
        self,
        number: int,
        decision: Decision,
        logged: LogEntry,
        orders_in_force: OrdersInForce | None,
    ) -> None:
        """Check the slots that leave a hand, that each card named was opened, and the line that
        settled the entry (see `PublicCards`). Raises RecordError `rule`, `opening`."""
        self._check_expected(logged)
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        try:
            cards_by_slot = self.hands.named_cards(number, entry, logged.slots)
        except Misfit as error:
            raise RecordError("rule", str(error)) from None
        for slot in cards_by_slot:
            if slot not in self.hands.names:
                subject = f"#{slot.number} in the hand of seat {slot.seat}"
                raise RecordError(
                    "opening",
                    f"entry {logged.key} names card {subject}, which no turn has shown",
                )
        if logged.by == "default":
            if decision.default is None:
                raise RecordError(
                    "rule",
                    f"question {logged.key}: {NO_ANSWER_FOR_SILENT}",
                )
            text = self.hands.default_answer(decision)
            named_text, slots = self._named(decision.seat, text)
            if (logged.text, logged.slots) != (named_text, slots):
                raise RecordError(
                    "rule",
                    f"question {logged.key}: {_wrong_default(text)}",
                )
        only_answer = self.hands.only_answer(decision) if logged.by == "forced" else None
        if only_answer and (logged.text, logged.slots) != self._named(
            decision.seat, only_answer[0]
        ):
            raise RecordError(
                "rule",
                f"question {logged.key}: the only possible answer is {only_answer[0]!r}, but the "
                "turn has another answer",
            )
        if orders_in_force is not None:
            self._check_line(decision, logged, orders_in_force.record)
        self.hands.leave(number, entry, logged.slots)
        hidden_slots_left = logged.slots[: logged.text.count("[")]
        self.bracket_slots[number] = [Slot(decision.seat, n) for n in hidden_slots_left]

    def _check_line(self, decision: Decision, logged: LogEntry, record: Record[Orders]) -> None:
        """Check that opened lines of the orders settle each step of an entry, with its slots. Note
        that the turn needed their opening. Raises RecordError `opening`, and others for a line that
        is not in the orders."""
        opened_lines = self._take_lines(record)
        if logged.by.startswith("always") and not logged.slots:
            return  # such a line stays closed
        is_scripted = decision.script or self.table.game.ruleset.kinds[decision.kind].script
        named_lines = {
            (line.order, line.slot): replace(line, text=self.hands.named(decision.seat, line.text))
            for line in opened_lines.values()
        }
        lines = LinesOfKind(
            self.table, decision, named_lines.values(), is_always=logged.by.startswith("always")
        )
        hidden_count = logged.text.count("[")
        hidden, shown = [*logged.slots[:hidden_count]], [*logged.slots[hidden_count:]]
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            matches = [
                opened_lines[line.slot]
                for line in lines.find_lines(step)
                if (line.order, line.slot) not in self.spent_lines
                and _begins_with_slots(opened_lines[line.slot].text, hidden, shown)
            ]
            if not matches:
                raise _no_order(logged.key, step)
            limits = lines.find_limits([named_lines[line.order, line.slot] for line in matches])
            for line in (*matches, *limits):
                self.openings.use_line(line)
            if is_scripted:
                self.spent_lines.add((matches[0].order, matches[0].slot))
            del hidden[: len(hidden_slots(matches[0].text))]
            del shown[: len(_shown_slots(matches[0].text, shown))]

    def _take_lines(self, record: Record[Orders]) -> Mapping[int, OpenLine]:
        """Return all lines of these orders that turns have opened, by their place; check those that
        this turn opens. Raises as `_check_line` does."""
        opened_lines = self.opened_lines.setdefault(record.id, {})
        for opening in self.openings.lines_of(record.id):
            if opening.slot not in opened_lines:
                check_opened_line(record.content, opening)
                opened_lines[opening.slot] = opening
        return opened_lines

    def new_answers(self) -> Sequence[tuple[str, Decision, SaidAnswer]]:
        """Return the answers that the turn says and that no turn before has said; not those that
        follow from the table (see `PublicCards`). Raises RecordError `rule` if one answers for
        chance."""
        if not self.turn.deals and self.turn.turn > 1 and self.dealing.owed:
            return []  # the turn only lists notices
        questions = list(zip(self.turn.said, self.table.pending, strict=False))
        for _, (key, decision) in questions:
            if decision.seat == CHANCE:
                raise RecordError(
                    "rule",
                    f"the turn has a player's answer to question {key}, but chance decides this "
                    "question",
                )
        pairs = zip_longest(questions, self._expected)
        return [
            (key, decision, answer)
            for (answer, (key, decision)), expected in takewhile(lambda pair: pair[0], pairs)
            if answer != expected and self.hands.only_answer(decision) is None
        ]

    def check_answer(
        self, decision: Decision, answer: SaidAnswer, orders_in_force: OrdersInForce | None
    ) -> None:
        """Check that opened lines of the orders say the answer, before anybody opens its slots (see
        `PublicCards`). Raises as `_check_line` does."""
        is_always = answer.by.startswith("always")
        if orders_in_force is None or (is_always and not names_slots(answer.text)):
            return
        opened_lines, spent_lines = self._take_lines(orders_in_force.record), set(self.spent_lines)
        lines = LinesOfKind(self.table, decision, opened_lines.values(), is_always=is_always)
        for step in answer.text.split("; ") if decision.script else [answer.text]:
            matches = [
                line
                for line in lines.find_lines(step)
                if (line.order, line.slot) not in spent_lines
                and hidden_slots(line.text) == hidden_slots(step)
            ]
            if not matches:
                raise _no_order(answer.key, step)
            for line in (*matches, *lines.find_limits(matches)):
                self.openings.use_line(line)
            spent_lines.add((matches[0].order, matches[0].slot))

    def check_turned_up(self, tag: Tag, card: str) -> None:
        """Check a card that turns up: its slot was opened, and has this card. Raises RecordError
        `opening`."""
        slot = self.hands.slot_at.get(tag)
        if slot is None or self.hands.names.get(slot) != card:
            raise RecordError(
                "opening", f"the turn shows {card}, but does not prove that the card is {card}"
            )

    def check_shown(self, seat: str, card: str) -> None:
        """Do nothing: `check_choice` has checked the slot of each card shown."""

    def end(self) -> None:
        """Check what the turn says, needs and owes, and that the log needed all other openings.
        Raises RecordError `opening`, `rule`."""
        turn, dealing = self.turn, self.dealing
        self.openings.check_all_used()
        if turn.spoiled:
            self._check_spoiled(turn)
        is_over = self.table.over or bool(self.chain.standing.ended or turn.spoiled)
        if is_over and turn.said:
            raise RecordError("rule", "the turn has answers of players, but the game is over")
        if is_over:
            need: tuple[Slot, ...] = ()
        elif not turn.deals and turn.turn > 1 and dealing.owed:  # the turn only lists notices
            need = dealing.need
            if turn.said != dealing.said:
                raise RecordError(
                    "rule", "the turn does not repeat the answers that the previous turn announced"
                )
        else:
            need = self._check_said(turn)
        said = () if is_over else turn.said
        dealing.stop(said, need, self.table.pending, is_over=is_over)
        if [Slot(row.seat, row.slot) for row in turn.need] != [*dealing.need]:
            raise RecordError("opening", OTHER_CARDS_ASKED)
        if turn.owed != dealing.owed:
            raise RecordError(
                "opening",
                "the turn must name the dealers for whom the game waits, and no others",
            )

    def _check_spoiled(self, turn: Turn) -> None:
        """Check that a card that was opened may not turn up where it lies. Raises RecordError
        `rule`."""
        texts: list[str] = []
        for _, decision in self.table.pending:
            only_answer = self.hands.only_answer(decision) if decision.fact else None
            if only_answer is None:
                break
            texts.append(self.hands.named(decision.seat, only_answer[0]))
            reason = decision.veto(texts[-1]) if decision.veto else None
            wave_veto = getattr(self.table.open_decisions, "veto", None)
            if (reason or (wave_veto and wave_veto(texts))) and "?" not in texts[-1]:
                if decision.seat == turn.spoiled and not turn.said:
                    return
                break
        raise RecordError(
            "rule",
            f"the turn says that seat {turn.spoiled} broke the rules with a card, but no such card "
            "was turned face up",
        )

    def _check_said(self, turn: Turn) -> tuple[Slot, ...]:
        """Check the answers that a turn says without names, and return the slots that they need.
        Raises RecordError `rule`."""
        if not turn.said:
            if self._expected:
                raise RecordError(
                    "rule",
                    "the turn does not begin with the answers that the previous turn announced",
                )
            return ()
        if [answer.key for answer in turn.said] != [key for key, _ in self.table.pending]:
            raise RecordError("rule", "the turn does not have an answer to each open question")
        entries = []
        for answer, (key, decision) in zip(turn.said, self.table.pending, strict=True):
            expected = self._expected.pop(0) if self._expected else None
            if expected is not None and answer != expected:
                raise _other_than_announced(key, expected)
            if reason := self._why_not_said(decision, answer):
                raise RecordError("rule", f"question {key}: {reason}")
            entries.append(Entry(key, decision.seat, answer.text, answer.by, decision.to))
        need = self.hands.slots_to_open(entries)
        if not need:
            raise RecordError(
                "rule",
                "the turn waits for a dealer to show cards, but no answer in the turn needs a "
                "hidden card",
            )
        return tuple(sorted(need))

    def _why_not_said(self, decision: Decision, answer: SaidAnswer) -> str | None:
        """Return the reason why an answer cannot settle a question; None if it can, as far as cards
        have names."""
        only_answer = self.hands.only_answer(decision)
        if only_answer or answer.by in ("fact", "forced", "chance"):
            is_right = (answer.text, answer.by) == only_answer
            return None if is_right else "the player had a choice, so only the player can answer"
        if answer.by == "default":
            if decision.default is None:
                return NO_ANSWER_FOR_SILENT
            default_answer = self.hands.default_answer(decision)
            if answer.text != default_answer:
                return _wrong_default(default_answer)
        return self.hands.why_not(decision, answer.text)

    # -------------------------------------------------------------- sizes
    def packet_size(self, turn: Turn) -> int:
        """Return the size of packets that open no card."""
        return packet_size((), turn.orders)

    def handover_size(self, seat: str, log: Sequence[Entry]) -> int:
        """Return the size of a handover that opens no card: dealers owe shares to the new keys."""
        return handover_size(0)

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: dealers are no seats."""
        return {}

    # -------------------------------------------------------------- checkpoints
    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the state as plain data: opened lines of the orders in force, the slots of all
        hands, the hidden deck, the other decks and the last link of the dice (see
        `PublicCards`)."""
        opened_lines = [
            (line.order, line.slot, line.text, line.salt)
            for order_id, lines in self.opened_lines.items()
            for line in lines.values()
            if order_id in order_ids
        ]
        return {
            "opened": to_data(opened_lines),
            "spent": to_data({line for line in self.spent_lines if line[0] in order_ids}),
            "hands": to_data(self.hands.data()),
            "dealing": self.dealing.state(),
            "chance": self.chance.state(),
        }

    def resume(self, state: PlainData, table: Table[Any]) -> None:
        """Restore the data that `state` returned (see `PublicCards`)."""
        for line in (OpenLine(*row) for row in from_data(state["opened"])):
            self.opened_lines.setdefault(line.order, {})[line.slot] = line
        self.spent_lines = set(from_data(state["spent"]))
        held, slot_at, names, dealt_counts, put_down = from_data(state["hands"])
        self.table, self.hands = table, Hands(table)
        self.hands.restore(
            HandsData(
                held,
                {tag: Slot(*slot) for tag, slot in slot_at.items()},
                {Slot(*slot): card for slot, card in names.items()},
                dealt_counts,
                put_down,
            )
        )
        self.dealing.resume(state["dealing"], table.pending)
        self.chance.resume(state["chance"])


def _begins_with_slots(text: str, hidden: Sequence[int], shown: Sequence[int]) -> bool:
    """Return whether a line hides and shows the first of these slots that leave the hand."""
    hidden_numbers, shown_numbers = hidden_slots(text), _shown_slots(text, shown)
    return hidden_numbers == [*hidden[: len(hidden_numbers)]] and shown_numbers == [
        *shown[: len(shown_numbers)]
    ]


def _shown_slots(text: str, shown: Sequence[int]) -> list[int]:
    """Return the slots of a line that leave the hand for all to see, as these do."""
    return [number for number in open_slots(text) if number in shown]
