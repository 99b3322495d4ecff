"""Hide a seat's own cards in the seat's sentences: a slot stands in place of each name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.hidden_hands import NEXT_ENTRY, Hands
from engine.log import Seat
from engine.ruleset import Tag
from engine.sentences.cards_in_brackets import UNKNOWN, cards_in
from engine.sentences.legality import ImpossibleStep
from engine.sentences.order_line_matching import Line
from engine.sentences.ready_lines import SKIP
from engine.sentences.sentence_forms import CARD, shape_of
from engine.sentences.slots_in_sentences import names_slots
from engine.sentences.stop_lines import STOP


class UnwritableLine(ValueError):
    """Raised for a sentence that cannot be written with slots; the message says why."""


class OwnSlots:
    """Writes the sentences of one seat with slots, for its owner, who alone knows the cards.

    Of equal cards, each sentence names another one, as long as there are enough. So make a new
    object for each set of orders.
    """

    def __init__(self, hands: Hands, seat: Seat, cards: Mapping[int, str]) -> None:
        """``cards`` are the cards of all slots that were ever dealt to the seat, by number."""
        self.hands, self.seat, self.cards = hands, seat, cards
        self._uses: Counter[int] = Counter()
        """How many sentences name each slot."""

    def write_lines(self, lines: Sequence[Line]) -> list[Line]:
        """Return order lines with slots in place of the cards that only the seat knows.

        Raises UnwritableLine for a card that the seat does not have, for what is no sentence or
        not possible and so could tell a card's name, and for the lines that never fit: a ready line
        that looks at the hand, a star in the place of a card, and a star beside a slot.
        """
        kinds = self.hands.ruleset.kinds
        texts = {line.number: line.text for line in lines}
        card_lines = [line for line in lines if self._names_cards(line)]
        written_kinds = set[str]()
        for line in card_lines:
            if line.always or not kinds[line.kind].script:
                texts[line.number] = self.write(line.text)
            elif line.kind not in written_kinds:  # the first step: write all of them
                written_kinds.add(line.kind)
                steps = [x for x in card_lines if x.kind == line.kind and not x.always]
                written_steps = self._write_steps([step.text for step in steps])
                texts |= zip([step.number for step in steps], written_steps, strict=True)
        for line in card_lines:
            if "*" in line.text and names_slots(texts[line.number]):
                raise UnwritableLine(
                    f"{line.text!r} has a star (*) beside a card of your hand; write the line "
                    "without the star"
                )
        return [line._replace(text=texts[line.number]) for line in lines]

    def write(self, text: str) -> str:
        """Return a sentence, or a script, with slots (see `write_lines`)."""
        return "; ".join(self._write_steps(text.split("; ")))

    def _names_cards(self, line: Line) -> bool:
        """Return whether a line can name cards: it is not in words. Raises UnwritableLine for one
        that only somebody who knows the hand could carry out."""
        ruleset = self.hands.ruleset
        if line.text == SKIP or line.kind == STOP:
            return False
        if call := ruleset.ready_lines.read(line.kind, line.text):
            if call.line.reads_hand:
                raise UnwritableLine(
                    f"{line.text!r} depends on your hand. In this game nobody else knows your "
                    "cards, so name the card"
                )
            return False
        for step in line.text.split("; "):
            fields = ruleset.forms.read(step.replace("*", UNKNOWN))[1]
            if "*" in step and any(
                shape_of(name) == CARD and card == UNKNOWN for name, card in fields.items()
            ):
                raise UnwritableLine(
                    f"{line.text!r} has a star (*) in place of a card. In this game nobody "
                    "else knows your cards, so name the card"
                )
        return True

    def _write_steps(self, steps: Sequence[str]) -> list[str]:
        """Return the steps of one script with slots."""
        for step in steps:
            # what nobody can read could still tell a card's name
            if step != "*" and not self.hands.ruleset.forms.read(step.replace("*", UNKNOWN))[0]:
                raise UnwritableLine(f"{step!r} is not an order that this game understands")
        hidden_numbers: list[int] = []
        used_numbers: set[int] = set()
        written_steps = []
        try:
            open_cards = list(self.hands.open_cards(steps))
        except ImpossibleStep as e:
            raise UnwritableLine(
                f"'{e}' is not possible now, so pbem cannot tell which of your cards this line "
                "means"
            ) from e
        for step, (shown_cards, turned_cards) in zip(steps, open_cards, strict=True):
            step_hidden = self._pick(cards_in(step), used_numbers)
            hidden_numbers += step_hidden
            open_rows = [*zip(shown_cards, self._pick(shown_cards, used_numbers), strict=True)]
            for tag, card in turned_cards:
                open_rows.append((card, self._number_at(tag, hidden_numbers)))
            written_steps.append(_with_slots(step, step_hidden, open_rows))
        return written_steps

    def _pick(self, cards: Iterable[str], used_numbers: set[int]) -> list[int]:
        """Return a slot of the hand for each card. No slot is in ``used_numbers``, the slots of the
        same script so far; they grow."""
        numbers = []
        for card in cards:
            free_numbers = [
                number
                for number in self.hands.held[self.seat]
                if self.cards.get(number) == card and number not in used_numbers
            ]
            if not free_numbers:
                raise UnwritableLine(f"{card} is not in your hand, or is already used")
            number = min(free_numbers, key=lambda number: (self._uses[number], number))
            self._uses[number] += 1
            used_numbers.add(number)
            numbers.append(number)
        return numbers

    def _number_at(self, tag: Tag, hidden_numbers: Sequence[int]) -> int:
        """Return the slot of a face-down card; ``hidden_numbers`` are those in the script's own
        brackets."""
        entry, bracket = tag
        return hidden_numbers[bracket] if entry == NEXT_ENTRY else self.hands.slot_at[tag].number


def _with_slots(
    step: str, hidden_numbers: Iterable[int], open_rows: Iterable[tuple[str, int]]
) -> str:
    """Return a step with slots: in its brackets, and in place of these cards outside brackets."""
    hidden_iterator = iter(hidden_numbers)
    text = re.sub(r"\[[^\]]*\]", lambda _: f"[#{next(hidden_iterator)}]", step)
    for card, number in open_rows:
        text = re.sub(rf"(?<![\w/#\[-]){re.escape(card)}(?![\w/-])", f"#{number}", text, count=1)
    return text
