"""Hands whose cards nobody but their owners knows: everybody knows only slots.

With them a referee needs only the public table. Whoever watches a table knows nearly as much: how
many cards each player holds, and which of them leaves the hand. Slots tell a little more: what a
sentence says of its card before the card is opened, and a card that was opened for a sentence which
the rules then refuse; it stays in the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.decisions import Decision
from engine.log import CHANCE, PUBLIC, Entry, Seat
from engine.replayed_table import Misfit, Table
from engine.ruleset import Tag
from engine.sentences.cards_in_brackets import UNKNOWN
from engine.sentences.legality import NotInHand, forced
from engine.sentences.order_line_matching import OrderSet
from engine.sentences.ready_lines import ReadyLines
from engine.sentences.slots_in_sentences import (
    Slot,
    hidden_slots,
    names_slots,
    open_slots,
    with_names,
    with_slots,
)

SLOT_REASON = "name each card of your hand by its slot, as in #7"
NEXT_ENTRY = -1
"""Stands for the number of the log entry that a sentence will have."""


class HandsData(NamedTuple):
    """The slots of all hands after an entry, without the table: the fields of `Hands`, in order."""

    slots_in_hand: Mapping[Seat, Sequence[int]]
    slot_by_tag: Mapping[Tag, Slot]
    card_by_slot: Mapping[Slot, str]
    dealt_counts: Mapping[Seat, int]
    placed_slots: Mapping[Seat, Sequence[int]]


class Hands:
    """The slots of all hands, as everybody knows them, beside the public table of a game."""

    def __init__(self, table: Table[Any]) -> None:
        """Make empty hands. ``table`` is the public table; its owner sends each entry to the table
        and to the hands. If the table has entries already, call `restore`."""
        assert table.viewpoint == PUBLIC
        self.table, self.ruleset = table, table.game.ruleset
        self.held: dict[Seat, list[int]] = {seat: [] for seat in table.game.seats}
        """The slots that each hand holds, oldest first."""
        self.slot_at: dict[Tag, Slot] = {}
        """The cards that were put down in brackets, also those that have turned up since."""
        self.names: dict[Slot, str] = {}
        """The card of each slot whose card everybody knows."""
        self._dealt_counts = dict.fromkeys(table.game.seats, 0)
        self._put_down: dict[Seat, list[int]] = {seat: [] for seat in table.game.seats}
        """The slots that each seat has put down and not put under a deck, in order."""

    def data(self) -> HandsData:
        """Return the slots as they are now; do not change them."""
        return HandsData(self.held, self.slot_at, self.names, self._dealt_counts, self._put_down)

    def restore(self, data: HandsData) -> None:
        """Put the slots back to what they were when the table had the entries that it has."""
        self.held = {seat: [*numbers] for seat, numbers in data.slots_in_hand.items()}
        self.slot_at, self.names = dict(data.slot_by_tag), dict(data.card_by_slot)
        self._dealt_counts = dict(data.dealt_counts)
        self._put_down = {seat: [*numbers] for seat, numbers in data.placed_slots.items()}

    # -------------------------------------------------------------- a seat's sentences
    def named(self, seat: Seat, text: str) -> str:
        """Return a seat's sentence with the names that everybody knows in place of slots; ``?``
        for the others, and ``[?]`` for slots in brackets."""
        numbers = open_slots(text)
        slots = {number: Slot(seat, number) for number in numbers}
        card_by_number = {n: self.names[slot] for n, slot in slots.items() if slot in self.names}
        return with_names(text, card_by_number)

    def unnamed_slots(self, seat: Seat, text: str) -> list[Slot]:
        """Return the slots that a sentence names for all to see, and whose cards are not known."""
        slots = [Slot(seat, number) for number in open_slots(text)]
        return [slot for slot in slots if slot not in self.names]

    def leaving_slots(self, seat: Seat, text: str) -> tuple[int, ...]:
        """Return the slots that leave the hand with a seat's sentence: those in brackets, then
        those that it shows, each in the order of the sentence."""
        hidden_numbers, held_numbers = hidden_slots(text), self.held[seat]
        shown_numbers = [
            number
            for number in open_slots(text)
            if number in held_numbers and number not in hidden_numbers
        ]
        return (*hidden_numbers, *shown_numbers)

    def default_answer(self, decision: Decision) -> str:
        """Return the answer of a silent seat: the default of the public table, with the oldest
        slots of the hand in place of each ``?``, in order."""
        assert decision.default is not None
        return with_slots(decision.default(), self.held[decision.seat])

    def with_first_slots(self, seat: Seat, text: str) -> str:
        """Return a sentence of the public table with the first slots of the sorted hand in place of
        each ``?``; while not all names are known, with other slots of the hand."""
        numbers = sorted(self.held[seat], key=lambda number: self._name(Slot(seat, number)))
        return with_slots(text, numbers)

    def with_turned_slot(self, text: str) -> str:
        """Return a sentence of the public table that turns up a card, with its slot in place of
        ``?``."""
        tags = [tag for tag, _ in self.ruleset.turned_up(self.table.state, text, NEXT_ENTRY)]
        return with_slots(text, [self.slot_at[tag].number for tag in tags])

    def only_answer(self, decision: Decision) -> tuple[str, str] | None:
        """Return the answer to a question to a seat that has only one, with slots, and how it is
        settled: a fact, or forced; None if somebody or chance must answer."""
        if decision.seat == CHANCE:
            return None
        if decision.fact:
            return self.with_turned_slot(decision.option_list()[0]), "fact"
        if forced(decision):
            return self.with_first_slots(decision.seat, decision.option_list()[0]), "forced"
        return None

    def slots_to_open(self, answers: Sequence[Entry]) -> list[Slot]:
        """Return the slots whose names the answers of a wave need.

        If a forced answer shows one of several cards, the whole hand must leave, in the order of
        the cards' names: so the answer needs all names.
        """
        slots = dict[Slot, None]()
        for entry in answers:
            slots |= dict.fromkeys(self.unnamed_slots(entry.seat, entry.text))
            if entry.by == "forced" and open_slots(entry.text):
                slots |= dict.fromkeys(self.unnamed_hand(entry.seat))
        if any(entry.by == "fact" for entry in answers):
            slots |= dict.fromkeys(slot for slot in self.turning_slots() if slot not in self.names)
        return list(slots)

    def live_slots(self, seat: Seat) -> list[int]:
        """Return the slots of a seat whose cards nobody else may know: those in its hand, and those
        that it has put down and that have not turned up or gone under the deck."""
        placed_slots = [n for n in self._put_down[seat] if Slot(seat, n) not in self.names]
        return sorted([*self.held[seat], *placed_slots])

    def unnamed_hand(self, seat: Seat) -> list[Slot]:
        """Return the slots of a hand whose cards are not known."""
        slots = [Slot(seat, number) for number in self.held[seat]]
        return [slot for slot in slots if slot not in self.names]

    def why_not(self, decision: Decision, text: str) -> str | None:
        """Return the reason why a seat cannot give this answer; None if it can, as far as names
        are known.

        A sentence needs a slot of the hand for each bracket and for each card that it shows. For a
        card that it turns up, it needs the slot that lies there. A ``?`` of its own names nothing.
        """
        if UNKNOWN in text:
            return SLOT_REASON
        seat, sentence = decision.seat, self.named(decision.seat, text)
        hidden_numbers, leaving_numbers = hidden_slots(text), self.leaving_slots(seat, text)
        for number in leaving_numbers:
            if number not in self.held[seat] or leaving_numbers.count(number) > 1:
                return NotInHand(f"#{number} is not in your hand, or is already used")
        if len(hidden_numbers) != sentence.count("["):
            return SLOT_REASON
        if reason := self.table.why_not(decision, sentence):
            return reason
        shown_numbers = leaving_numbers[len(hidden_numbers) :]
        open_cards = self.open_cards(sentence.split("; "))
        for step, (shown_cards, turned_cards) in zip(text.split("; "), open_cards, strict=True):
            slots = [Slot(seat, number) for number in open_slots(step)]
            shown_slots = [slot for slot in slots if slot.number in shown_numbers]
            turned_slots = [slot for slot in slots if slot.number not in shown_numbers]
            slots_there = [self._slot_at(tag, seat, hidden_numbers) for tag, _ in turned_cards]
            if turned_slots != slots_there or len(shown_slots) != len(shown_cards):
                return SLOT_REASON
            named_cards = [*shown_cards, *(card for _, card in turned_cards)]
            if named_cards != [self._name(slot) for slot in (*shown_slots, *turned_slots)]:
                return SLOT_REASON
        return None

    def open_cards(self, steps: Sequence[str]) -> Iterator[tuple[list[str], list[tuple[Tag, str]]]]:
        """Yield the cards that each step of a sentence shows, and the face-down cards that the step
        turns up, with their tags."""
        state, turned_count = self.table.state, 0
        for count, step in enumerate(steps, 1):
            turned_cards = self.ruleset.turned_up(state, "; ".join(steps[:count]), NEXT_ENTRY)
            yield self.ruleset.shows(state, step), turned_cards[turned_count:]
            turned_count = len(turned_cards)

    def _name(self, slot: Slot) -> str:
        return self.names.get(slot, UNKNOWN)

    def _slot_at(self, tag: Tag, seat: Seat, hidden_numbers: Sequence[int]) -> Slot:
        """Return the slot with this tag; ``hidden_numbers`` are those in the brackets of the seat's
        own sentence, which is not in the log yet."""
        entry, bracket = tag
        return Slot(seat, hidden_numbers[bracket]) if entry == NEXT_ENTRY else self.slot_at[tag]

    def turning_slots(self) -> list[Slot]:
        """Return the face-down cards that turn up now, in one go (see ``Ruleset.turning``)."""
        assert self.ruleset.turning is not None
        return [self.slot_at[tag] for tag in self.ruleset.turning(self.table.state)]

    # -------------------------------------------------------------- the log
    def deal(self, seat: Seat, count: int) -> None:
        """Add the next ``count`` slots to a hand."""
        first_number = self._dealt_counts[seat]
        self._dealt_counts[seat] += count
        self.held[seat] += range(first_number, first_number + count)

    def dealt_count(self, seat: Seat) -> int:
        """Return the number of cards that were ever dealt to a hand."""
        return self._dealt_counts[seat]

    def last_put_down(self, seat: Seat, count: int) -> tuple[int, ...]:
        """Return the last ``count`` slots that a seat has put down: those that it puts under a
        deck, in its order. They are fewer if it has not put down so many."""
        numbers = self._put_down[seat]
        return tuple(numbers[max(0, len(numbers) - count) :])

    def bury(self, seat: Seat, count: int) -> None:
        """Let the slots that a seat has put down last go under a deck."""
        numbers = self._put_down[seat]
        del numbers[max(0, len(numbers) - count) :]

    def leave(self, number: int, entry: Entry, slots: Sequence[int]) -> None:
        """Let ``slots`` leave the hand of the entry's seat, and note the names that the entry says;
        raises Misfit (see `named_cards`)."""
        seat, hidden_count = entry.seat, entry.text.count("[")
        self.names |= self.named_cards(number, entry, slots)
        self.slot_at |= {
            (number, n): Slot(seat, slot) for n, slot in enumerate(slots[:hidden_count])
        }
        self._put_down[seat] += slots[:hidden_count]
        self.held[seat] = [slot for slot in self.held[seat] if slot not in slots]

    def named_cards(self, number: int, entry: Entry, slots: Sequence[int]) -> dict[Slot, str]:
        """Return the cards that an entry names, with their slots; ``slots`` leave the hand of its
        seat (see `leaving_slots`). ``number`` is the entry's; the table has not got it yet.

        Raises Misfit if there are too few or too many slots, if the hand does not hold one of
        them, or if a slot is known as another card.
        """
        seat, state, hidden_count = entry.seat, self.table.state, entry.text.count("[")
        shown_cards = self.ruleset.shows(state, entry.text)
        if len(slots) != hidden_count + len(shown_cards):
            count = hidden_count + len(shown_cards)
            raise Misfit(
                f"entry {entry.key}: {count} cards leave the hand, but the entry names "
                f"{len(slots)} cards"
            )
        if len(set(slots)) < len(slots) or not set(slots) <= set(self.held[seat]):
            raise Misfit(f"entry {entry.key} names cards that are not in the hand of seat {seat}")
        tags = {(number, n): Slot(seat, slot) for n, slot in enumerate(slots[:hidden_count])}
        shown_slots = [Slot(seat, slot) for slot in slots[hidden_count:]]
        cards_by_slot = list(zip(shown_slots, shown_cards, strict=True))
        for tag, card in self.ruleset.turned_up(state, entry.text, number):
            cards_by_slot.append((tags.get(tag) or self.slot_at[tag], card))
        for slot, card in cards_by_slot:
            if self.names.get(slot, card) != card:
                raise Misfit(
                    f"entry {entry.key}: card #{slot.number} in the hand of seat {slot.seat} is "
                    f"not {card}"
                )
        return dict(cards_by_slot)


class SlotOrders(OrderSet):
    """The order lines of one seat that name cards by slots; the decisions that they answer, and
    the states, are those of the public table.

    An answer names slots too. A line with a slot that has left the hand does not fit. Nor does one
    that the rules refuse once its cards are named: then the next line is tried. A ready line that
    looks at the hand never fits.
    """

    def __init__(self, hands: Hands, orders: OrderSet) -> None:
        """Read the lines of ``orders`` as lines with slots; those that were used stay so."""
        # what looks at the hand is no ready line here, so its words fit no option
        ready_lines = ReadyLines(line for line in orders.ready_lines.lines if not line.reads_hand)
        super().__init__(
            orders.seat, orders.round, orders.lines, orders.scripts, orders.cards, ready_lines,
            orders.watch,
        )  # fmt: skip
        self.last_line_numbers = dict(orders.last_line_numbers)
        self.hands = hands

    def option_of(self, text: str, options: Sequence[str]) -> str | None:
        """Return the line itself if it names slots (see OrderSet)."""
        return text if names_slots(text) else super().option_of(text, options)

    def accepts(self, decision: Decision, text: str) -> bool:
        """Return whether the seat can give this answer, as far as names are known."""
        return self.hands.why_not(decision, text) is None
