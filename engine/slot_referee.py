"""Plays the game on without knowing a hidden card: with the public table alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple

from engine.dealer import Dealer
from engine.decisions import Decision
from engine.hands import Hands
from engine.log import Entry
from engine.referee import Settler
from engine.ruleset import Game, S
from engine.sentences.legality import forced
from engine.sentences.slots import Slot, open_slots
from engine.sentences.text import CHANCE, PUBLIC, Seat
from engine.table import Illegal, Misfit, Pending, Table


class SlotEntry(NamedTuple):
    """An entry of a log in which everybody knows the slots of the cards that leave a hand."""

    entry: Entry
    """The entry as everybody reads it."""
    slots: tuple[int, ...] = ()
    """The numbers of the slots in brackets, then of the cards shown. If a seat puts cards under a
    deck, the slots of these cards."""


class SpoiledCard(Illegal):
    """Raised if a card turns up that the rules do not allow where it lies; the message says why.

    Nobody could know before, except the seat that put it there.
    """

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


class SlotReferee(Generic[S]):
    """The public table, and the slots of all hands.

    Answers name cards by slots. Where everybody sees a card, its name must be opened before the
    game goes on: `advance` stops, and `needed_slots` says whose cards' names it needs. So a card
    has no name here before everybody may know it.

    ``dealer`` settles what chance decides. For a deal to a hand, its sentence names no card. It
    must be new, as for a `Referee`; ``log`` has the entries of a game that goes on, and ``names``
    the cards that have been opened but that no entry names yet. Raises ValueError for a ruleset
    without ``turning``.
    """

    def __init__(
        self,
        game: Game[S],
        dealer: Dealer,
        log: Iterable[SlotEntry] = (),
        names: Mapping[Slot, str] | None = None,
    ) -> None:
        if game.ruleset.turning is None:
            raise ValueError(
                f"{game.ruleset.name} does not say which cards turn up together (Ruleset.turning), "
                "so it needs a referee who sees all cards"
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
        for slot_entry in log:
            self.push(slot_entry)
        self.hands.names |= names or {}

    def open(self, slot: Slot, card: str) -> None:
        """Learn the card of a needed slot. Raises Misfit if nobody needs it, or if there is no such
        card."""
        subject = f"#{slot.number} of seat {slot.seat}"
        if slot not in self.needed_slots:
            raise Misfit(f"{subject} is not to be opened now")
        if not any(card in deck for deck in self.game.ruleset.decks.values()):
            raise Misfit(f"{subject} is {card!r}, which is no card of this game")
        self.needed_slots.remove(slot)
        self.hands.names[slot] = card

    def push(self, slot_entry: SlotEntry) -> None:
        """Add the answer to the next open question to the log.

        Raises Misfit if the entry does not answer that question, or if its slots do not fit;
        Illegal if the rules do not allow the answer, SpoiledCard if it turns up a card.
        """
        entry, slots = slot_entry
        decision = self.table.pending[0][1]
        if reason := self.table.why_not_entry(decision, entry):
            sentence = f"{entry.key}: {reason}"
            raise SpoiledCard(entry.seat, sentence) if decision.fact else Illegal(sentence)
        if decision.seat != CHANCE:
            self.hands.leave(len(self.log), entry, slots)
        elif slots != self._slots_going_under(decision):
            raise Misfit(f"{entry.key}: these slots do not go under the deck")
        self.table.push(entry)
        if decision.seat == CHANCE:
            self._follow_chance(decision, entry)
        self.log.append(slot_entry)

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
        hand. Raises SpoiledCard if a card turns up that the rules do not allow where it lies.
        """
        while wave := self.table.pending:
            answers = [self._settle(settler, key, decision) for key, decision in wave]
            self.settled_wave = [answer for answer in answers if answer is not None]
            if len(self.settled_wave) < len(wave):
                return [q for q, answer in zip(wave, answers, strict=True) if answer is None]
            self.needed_slots = self._slots_to_open()
            if self.needed_slots:
                return []
            for answer, (_, decision) in zip(self.settled_wave, wave, strict=True):
                slot_entry = self._named_entry(decision, answer)
                self.push(slot_entry)
                settler.entered(slot_entry.entry)
        self.settled_wave = []
        return []

    def _settle(self, settler: Settler, key: str, decision: Decision) -> Entry | None:
        """Return the entry that answers a question, with slots in place of cards; None if nobody
        can answer it yet."""
        seat = decision.seat
        if seat == CHANCE:
            text = self.dealer.answer(key, decision)
            return None if text is None else Entry(key, seat, text, "chance", decision.to)
        if decision.fact:
            text = self.hands.with_turned_slot(decision.option_list()[0])
            return Entry(key, seat, text, "fact", decision.to)
        if forced(decision):
            text = self.hands.with_first_slots(seat, decision.option_list()[0])
            return Entry(key, seat, text, "forced", decision.to)
        answer = settler.answer(key, decision)
        if answer is None and decision.unasked:  # nobody waits for such a seat
            assert decision.default is not None
            answer = decision.default(), "default"
        if answer is None:
            return None
        text = self.hands.with_oldest_slots(seat, answer[0])
        return Entry(key, seat, text, answer[1], decision.to)

    def _slots_to_open(self) -> list[Slot]:
        """Return the slots whose names the settled wave needs.

        If a forced answer shows one of several cards, the whole hand must leave, in the order of
        the cards' names: so the answer needs all names.
        """
        slots = dict[Slot, None]()
        for entry in self.settled_wave:
            slots |= dict.fromkeys(self.hands.unnamed_slots(entry.seat, entry.text))
            if entry.by == "fact":
                slots |= dict.fromkeys(self.hands.turning_slots())
            elif entry.by == "forced" and open_slots(entry.text):
                slots |= dict.fromkeys(self.hands.unnamed_hand(entry.seat))
        return list(slots)

    def _named_entry(self, decision: Decision, answer: Entry) -> SlotEntry:
        """Return the entry of the log for an answer whose cards have names now."""
        if decision.seat == CHANCE:
            return SlotEntry(answer, self._slots_going_under(decision))
        entry = answer._replace(text=self.hands.named(answer.seat, answer.text))
        return SlotEntry(entry, self.hands.leaving_slots(answer.seat, answer.text))
