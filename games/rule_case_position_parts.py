"""Read the parts of rule-case positions that all rulesets share (docs/rule-cases.md).

All functions raise ValueError, with a sentence, for an impossible position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from games.rule_case_differences import hint, suggestion

Data = Mapping[str, Any]
"""A parsed table of the case file."""
MAX_CREATURE_NUMBER: Final = 199
"""The highest number in the name of a species or animal: facts are kept about all up to it."""
MAX_NUMBER: Final = 9_999
"""The highest number that a position can give: more than any game has of anything."""


def check_keys(data: Data, keys: Iterable[str], seats: str) -> None:
    """Raise ValueError for any key except these and the letters of the seats."""
    known_keys = [*keys, *seats]
    if unknown_keys := [key for key in data if key not in known_keys]:
        unknown_key = unknown_keys[0]
        raise ValueError(f"a position has no {unknown_key!r}; {hint(unknown_key, known_keys)}")


def phase_of(scope: str) -> str:
    """Return the phase in which a case begins, from the state's ``scope``."""
    return scope.rpartition(".")[2]


def read_final_round(data: Data, current_round: int) -> int:
    """Return the number of the last round, which must not be over yet; 0 if it is not known."""
    final_round = read_number(data, "last")
    if 0 < final_round < current_round:
        raise ValueError(
            f"'last' is {final_round}, but this is round {current_round}: the game would be over"
        )
    return final_round


def creature_number(name: str) -> int:
    """Return the number in the name of a species or animal.

    >>> creature_number("a12")
    12
    """
    if len(name) > 4 or int(name[1:]) > MAX_CREATURE_NUMBER:
        raise ValueError(f"{name[:20]}: the number in a name can be at most {MAX_CREATURE_NUMBER}")
    return int(name[1:])


def read_seat(seats: str, seat: object) -> str:
    """Read the letter of one of the seats."""
    if not isinstance(seat, str) or len(seat) != 1 or seat not in seats:
        raise ValueError(f"{seat!r} is not a seat; the seats are: {', '.join(seats)}")
    return seat


def read_by_seat(seats: str, data: Data, key: str) -> Data:
    """Read the values of ``{ a = …, b = … }``, by seat; a seat may be left out."""
    values_by_seat = data.get(key, {})
    if not isinstance(values_by_seat, dict):
        raise ValueError(f"{key} must be written as {{ a = … }}, where a is the letter of a seat")
    return {read_seat(seats, seat): value for seat, value in values_by_seat.items()}


def read_number(
    data: Data, key: str, default: int = 0, minimum: int = 0, maximum: int = MAX_NUMBER
) -> int:
    """Read a whole number within bounds; the default if the key is missing."""
    number = data.get(key, default)
    if type(number) is not int or not minimum <= number <= maximum:
        raise ValueError(f"{key} must be a number from {minimum} to {maximum}, not {number!r}")
    return number


def read_numbers_by_seat(seats: str, data: Data, key: str) -> dict[str, int]:
    """Read the numbers in ``{ a = 2 }``, by seat; each must be 0 or more."""
    numbers = read_by_seat(seats, data, key)
    return {
        seat: read_number({f"{key} of {seat}": number}, f"{key} of {seat}")
        for seat, number in numbers.items()
    }


def read_strings_by_seat(seats: str, data: Data, key: str) -> dict[str, list[str]]:
    """Read the lists of strings in ``{ a = ["…"] }``, by seat."""
    lists = read_by_seat(seats, data, key)
    return {seat: check_strings(part, f"{key} of {seat}") for seat, part in lists.items()}


def read_strings(data: Data, key: str) -> list[str]:
    """Read a list of strings; it is empty if the key is missing."""
    return check_strings(data.get(key, []), key)


def check_strings(strings: object, name: str) -> list[str]:
    """Return a list of strings. Raises ValueError for anything else, which it calls ``name``."""
    if not isinstance(strings, list) or not all(isinstance(text, str) for text in strings):
        raise ValueError(f"{name} must be a list of strings, not {strings!r}")
    return list(strings)


def read_deck_size(data: Data, top_cards: Sequence[str], deck: Sequence[str], default: int) -> int:
    """Read ``deck_left``: the number of cards in the deck, including those named on its top.

    ``deck`` are all cards that could be in it; ``default`` is the number if the case gives none.
    """
    deck_size = read_number(data, "deck_left", default)
    if not len(top_cards) <= deck_size <= len(deck):
        bounds = f"from {len(top_cards)} to {len(deck)}"
        raise ValueError(f"deck_left must be {bounds} here, not {deck_size}")
    return deck_size


def refuse(name: str, is_true_by_fault: Mapping[str, bool]) -> None:
    """Raise ValueError with the first of these faults that is true."""
    for fault, is_true in is_true_by_fault.items():
        if is_true:
            raise ValueError(f"{name}: {fault}")


class Pool:
    """The cards in play that have no place in the position yet."""

    def __init__(self, cards: Iterable[str]) -> None:
        self._free_counts = Counter(cards)
        self._printed_counts = self._free_counts.copy()

    def claim(self, cards: Iterable[str]) -> None:
        """Take cards, each named in full, out of the pool."""
        for card in cards:
            printed_count = self._printed_counts[card]
            if not printed_count:
                question = suggestion(card, self._printed_counts)
                suffix = f"; {question}" if question else ""
                raise ValueError(f"{card!r} is not a card of this game{suffix}")
            if not self._free_counts[card]:
                raise ValueError(f"{card!r}: the game has only {printed_count} of this card")
            self._free_counts[card] -= 1

    def free_count(self, card: str) -> int:
        """Return the number of copies of this card that have no place yet."""
        return self._free_counts[card]

    def free_cards(self) -> list[str]:
        """Return the cards that have no place yet, sorted."""
        return sorted(self._free_counts.elements())
