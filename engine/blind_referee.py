"""Plays the game on without knowing a hidden card: with the public table alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, NamedTuple

from engine.dealer import Dealer
from engine.decisions import DECK, Decision, Together
from engine.hidden_hands import Hands
from engine.log import CHANCE, PUBLIC, Entry, Seat
from engine.referee import Settler
from engine.replayed_table import Illegal, Misfit, Pending, Table
from engine.ruleset import Game, S
from engine.sentences.slots_in_sentences import Slot, with_names


class SlotEntry(NamedTuple):
    """An entry of a log in which everybody knows the slots of the cards that leave a hand."""

    entry: Entry
    """The entry as everybody reads it."""
    slots: tuple[int, ...] = ()
    """The numbers of the slots in brackets, then of the cards shown. If a seat puts cards under a
    deck, the slots of these cards."""


class SpoiledCard(Illegal):
    """Raised if a card that was opened may not turn up where it lies; the message says why.

    Nobody could know before, except the seat that put it there.
    """

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


class SlotReferee(Generic[S]):
    """The public table, and the slots of all hands.

    Answers name cards by slots. Where everybody sees a card, its name must be opened before the
    game goes on: `advance` stops, and `needed_slots` says whose cards' names it needs. A card has
    no name here before it is opened. What the sentence with its slot says of it, such as the trait
    that a card of two traits will be, is said before.

    Nobody orders after seeing a name. From the first `open` until the wave is in the log, a seat
    whose lines answer no longer gets its default, and the caller must not take new lines: the
    settler answers from those that it had. So each question to a seat needs a default.

    ``dealer`` settles what chance decides. For a deal to a hand, its sentence names no card. It
    must be new, as for a `Referee`; ``log`` has the entries of a game that goes on, ``names`` the
    cards that have been opened (of them, it needs those that no entry names yet), and
    ``is_frozen`` says whether one was opened since the last entry. If so, ``needed_slots`` are
    those that the last referee needed: the wave goes on once all of them are open, not when some
    are. Raises ValueError for a ruleset without ``turning``, Misfit for a name that the log
    contradicts.
    """

    def __init__(
        self,
        game: Game[S],
        dealer: Dealer,
        log: Iterable[SlotEntry] = (),
        names: Mapping[Slot, str] | None = None,
        is_frozen: bool = False,
        needed_slots: Iterable[Slot] = (),
    ) -> None:
        """Note the names, then play the log again. The class says what the arguments are."""
        if game.ruleset.turning is None:
            raise ValueError(
                f"co-dealers cannot deal {game.ruleset.name}: the ruleset does not say which "
                "hidden cards are revealed together (it has no Ruleset.turning)"
            )
        self.game, self.dealer = game, dealer
        self.table = Table(game, PUBLIC, checks_entries=True)
        self.hands = Hands(self.table)
        self.log: list[SlotEntry] = []
        self.settled_wave: list[Entry] = []
        """The answers to all questions of the present wave, if cards in them have no names yet;
        their sentences name slots."""
        self.needed_slots: list[Slot] = []
        """The slots that must be opened before the game goes on."""
        self.is_frozen = False
        """Whether a slot of the present wave was opened: then its questions are asked no more."""
        self._opened_slots: set[Slot] = set()
        """The slots whose names were opened; the log alone names the others."""
        for slot, card in (names or {}).items():
            self._note(slot, card)
        for slot_entry in log:
            self.push(slot_entry)
        self.is_frozen = is_frozen
        self.needed_slots = [slot for slot in needed_slots if slot not in self.hands.names]

    @property
    def opened_cards(self) -> dict[Slot, str]:
        """The cards that were opened, by slot."""
        return {slot: self.hands.names[slot] for slot in self._opened_slots}

    def open(self, slot: Slot, card: str) -> None:
        """Learn the card of a needed slot. Raises Misfit if nobody needs it, or if the main deck
        has no such card."""
        if slot not in self.needed_slots:
            raise Misfit(
                f"card #{slot.number} in the hand of seat {slot.seat} was opened, but must stay "
                "hidden now"
            )
        self._note(slot, card)
        self.needed_slots.remove(slot)
        self.is_frozen = True

    def _note(self, slot: Slot, card: str) -> None:
        """Note a card that was opened."""
        if card not in self.game.ruleset.decks[DECK]:
            subject = f"#{slot.number} in the hand of seat {slot.seat}"
            raise Misfit(f"card {subject} is shown as {card!r}, but the deck has no such card")
        self.hands.names[slot] = card
        self._opened_slots.add(slot)

    def push(self, slot_entry: SlotEntry) -> None:
        """Add the answer to the next open question to the log.

        Raises Misfit if the entry does not answer that question, if its slots do not fit, or if it
        names another card than was opened; Illegal if the rules do not allow the answer;
        SpoiledCard if they do not allow a card that was opened.
        """
        if not self.table.pending:
            raise Misfit(f"entry {slot_entry.entry.key} comes after the end of the game")
        entry, slots = slot_entry
        key, decision = self.table.pending[0]
        self._check(key, decision, slot_entry, self._wave_texts())
        if reason := self.table.why_not_entry(decision, entry):
            raise Illegal(f"entry {key}: {reason}")
        if decision.seat != CHANCE:
            self.hands.leave(len(self.log), entry, slots)
        elif slots != self._slots_going_under(decision):
            raise Misfit(f"entry {key} puts the wrong cards under the deck")
        self.table.take_answer(entry.text)
        if decision.seat == CHANCE:
            self._follow_chance(decision, entry)
        self.log.append(slot_entry)
        self.is_frozen = False

    def _wave_texts(self) -> list[str]:
        """Return the answers of the present wave that the log has already."""
        count = len(self.table.open_decisions) - len(self.table.pending)
        return [x.entry.text for x in self.log[len(self.log) - count :]]

    def _check(
        self, key: str, decision: Decision, slot_entry: SlotEntry, earlier_texts: Sequence[str]
    ) -> None:
        """Raise as `push` does for an entry that does not answer this question, after the earlier
        answers of its wave. Only how it was settled is left to the table, except for facts.

        A seat is to blame for nothing but its own card, which was opened: so all else comes first.
        """
        entry, slots = slot_entry
        if (key, decision.seat, decision.to) != (entry.key, entry.seat, entry.to):
            raise Misfit(
                f"the next question is {key}, but the next entry answers question {entry.key}"
            )
        if decision.fact != (entry.by == "fact"):
            raise Illegal(f"entry {key}: {entry.by!r} is not a way to settle this question")
        if reason := self.table.why_not(decision._replace(veto=None), entry.text):
            raise Illegal(f"entry {key}: {reason}")
        named_slots: Mapping[Slot, str] = {}
        if decision.seat != CHANCE:
            named_slots = self.hands.named_cards(len(self.log), entry, slots)
        if entry.by == "default":
            if decision.default is None:
                raise Illegal(
                    f"entry {key} says that the player was silent, but silence does not answer "
                    "this question"
                )
            self._check_default(decision, slot_entry, named_slots)
        wave = self.table.open_decisions
        reason = decision.veto(entry.text) if decision.veto else None
        if not reason and isinstance(wave, Together) and wave.veto:
            reason = wave.veto([*earlier_texts, entry.text])
        if not reason:
            return
        # without all names of the wave, whoever wrote the entries may have made one up
        if decision.fact and self._opened_slots.issuperset(
            [*named_slots, *self.hands.turning_slots()]
        ):
            raise SpoiledCard(decision.seat, f"entry {key}: {reason}")
        raise Illegal(f"entry {key}: {reason}")

    def _check_default(
        self, decision: Decision, slot_entry: SlotEntry, names: Mapping[Slot, str]
    ) -> None:
        """Raise Illegal for an entry that says `default` and is not the default, or takes other
        slots than the oldest. ``names`` are the cards that the entry names."""
        (key, seat, entry_text, _, _), slots = slot_entry
        text = self.hands.default_answer(decision)
        card_by_number = {slot.number: card for slot, card in names.items() if slot.seat == seat}
        if (entry_text, slots) != (
            with_names(text, card_by_number),
            self.hands.leaving_slots(seat, text),
        ):
            raise Illegal(
                f"entry {key}: seat {seat} was silent, so its answer must be {text!r}, but the "
                "entry has another answer"
            )

    def _slots_going_under(self, decision: Decision) -> tuple[int, ...]:
        """Return the slots that go under a deck with a decision of chance."""
        if decision.kind != "under" or decision.to == PUBLIC:
            return ()
        return self.hands.last_put_down(decision.to, len(decision.cards))

    def _follow_chance(self, decision: Decision, entry: Entry) -> None:
        if decision.to != PUBLIC and decision.kind == "deal":
            self.hands.deal(decision.to, entry.text.count("["))
        elif decision.to != PUBLIC and decision.kind == "under":
            self.hands.bury(decision.to, len(decision.cards))
        self.dealer.learn(decision, entry.text)

    def advance(self, settler: Settler) -> Pending:
        """Settle decisions until a seat must be asked, or slots must be opened; return the
        questions that are still without an answer, each with its key.

        If no question is returned and no slot is needed, the game is over. The settler's answers
        name slots; in a default of the public table, ``?`` stands for the oldest slots of the
        hand. After the first `open` of a wave, nothing happens before all needed slots are open.
        Raises SpoiledCard if a card turns up that the rules do not allow where it lies; then
        nothing of its wave is in the log.
        """
        if self.is_frozen and self.needed_slots:
            return []
        self.settled_wave, self.needed_slots = [], []
        while wave := self.table.pending:
            answers = [self._settle(settler, key, decision) for key, decision in wave]
            settled_wave = [answer for answer in answers if answer is not None]
            if len(settled_wave) < len(wave):
                return [q for q, answer in zip(wave, answers, strict=True) if answer is None]
            self.settled_wave = settled_wave
            self.needed_slots = self.hands.slots_to_open(settled_wave)
            if self.needed_slots:
                return []
            slot_entries = [
                self._named_entry(decision, answer)
                for answer, (_, decision) in zip(self.settled_wave, wave, strict=True)
            ]
            self._check_wave(slot_entries)
            for slot_entry in slot_entries:
                self.push(slot_entry)
                settler.entered(slot_entry.entry)
            self.settled_wave = []
        return []

    def _check_wave(self, slot_entries: Sequence[SlotEntry]) -> None:
        """Raise as `push` does if it would refuse an entry of the wave, before it gets any."""
        if len(slot_entries) > 1:
            texts = self._wave_texts()
            for (key, decision), slot_entry in zip(self.table.pending, slot_entries, strict=True):
                self._check(key, decision, slot_entry, texts)
                texts.append(slot_entry.entry.text)

    def _settle(self, settler: Settler, key: str, decision: Decision) -> Entry | None:
        """Return the entry that answers a question, with slots in place of cards; None if nobody
        can answer it yet."""
        seat = decision.seat
        if seat == CHANCE:
            text = self.dealer.answer(key, decision)
            return None if text is None else Entry(key, seat, text, "chance", decision.to)
        if only_answer := self.hands.only_answer(decision):
            return Entry(key, seat, *only_answer, decision.to)
        answer = settler.answer(key, decision)
        # nobody waits for such a seat, or nobody may order any more
        if answer is None and (decision.unasked or self.is_frozen):
            answer = "", "default"
        if answer is None:
            return None
        text, by = answer
        if by == "default":
            text = self.hands.default_answer(decision)
        return Entry(key, seat, text, by, decision.to)

    def _named_entry(self, decision: Decision, answer: Entry) -> SlotEntry:
        """Return the entry of the log for an answer whose cards have names now."""
        if decision.seat == CHANCE:
            return SlotEntry(answer, self._slots_going_under(decision))
        entry = answer._replace(text=self.hands.named(answer.seat, answer.text))
        return SlotEntry(entry, self.hands.leaving_slots(answer.seat, answer.text))
