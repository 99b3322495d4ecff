"""Read the parts of rule-case positions that all rulesets share (docs/rule-cases.md).

All functions raise ValueError, with a sentence, for an impossible position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

Data = Mapping[str, Any]
"""A parsed table of the case file."""
MOST_NAMED: Final = 199
"""The highest number in the name of a species or animal: facts are kept about all up to it."""
MOST_NUMBER: Final = 9_999
"""The highest number that a position can give: more than any game has of anything."""


def hint(word: str, known: Iterable[str]) -> str:
    """Return a hint with the name that the writer may have meant; if none is similar, with all
    names."""
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    near = get_close_matches(word, names, 1, 0.7)
    return f"did you mean {near[0]!r}?" if near else f"choose one of: {', '.join(names)}"


def differences(said: Mapping[str, Any], found: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """Yield a sentence for each value that differs from what the case says.

    Values that the case does not mention are not compared.
    """
    for key, value in said.items():
        name = f"{at}{key}"
        if key not in found:
            yield f"there is no {name}; {hint(key, found)}"
            continue
        actual = found[key]
        if isinstance(value, dict) and isinstance(actual, Mapping):
            yield from differences(value, actual, f"{name}.")
            continue
        same = type(value) is type(actual) and value == actual
        if isinstance(actual, tuple):  # a pile of cards, in any order
            same = isinstance(value, list) and sorted(map(str, value)) == sorted(map(str, actual))
        if not same:
            yield f"{name} is {shown(actual)}, not {shown(value)}"


def shown(value: Any) -> str:
    """Return a value, written as in a case file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {shown(part)}" for key, part in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def check_keys(data: Data, keys: Iterable[str], seats: str) -> None:
    """Raise ValueError for any key except these and the letters of the seats."""
    known = [*keys, *seats]
    if strange := [key for key in data if key not in known]:
        raise ValueError(f"no such place: {strange[0]}; {hint(strange[0], known)}")


def phase_of(scope: str) -> str:
    """Return the phase in which a case begins, from the state's ``scope``."""
    return scope.rpartition(".")[2]


def last_round(data: Data, now: int) -> int:
    """Return the number of the last round, which must not be over yet; 0 if it is not known."""
    found = number(data, "last")
    if 0 < found < now:
        raise ValueError(f"'last' is {found}, but this is round {now}: the game would be over")
    return found


def number_of(name: str) -> int:
    """Return the number in the name of a species or animal, such as 12 in ``a12``."""
    if len(name) > 4 or int(name[1:]) > MOST_NAMED:
        raise ValueError(f"{name[:20]}: the number in a name can be at most {MOST_NAMED}")
    return int(name[1:])


def seat_of(seats: str, seat: object) -> str:
    """Read the letter of one of the seats."""
    if not isinstance(seat, str) or len(seat) != 1 or seat not in seats:
        raise ValueError(f"{seat!r} is not a seat; the seats are: {', '.join(seats)}")
    return seat


def by_seat(seats: str, data: Data, key: str) -> Data:
    """Read the values of ``{ a = …, b = … }``, by seat; a seat may be left out."""
    found = data.get(key, {})
    if not isinstance(found, dict):
        told = "where a is the letter of a seat"
        raise ValueError(f"{key} must be written as {{ a = … }}, {told}")
    return {seat_of(seats, seat): value for seat, value in found.items()}


def number(data: Data, key: str, default: int = 0, least: int = 0, most: int = MOST_NUMBER) -> int:
    """Read a whole number within bounds."""
    found = data.get(key, default)
    if type(found) is not int or not least <= found <= most:
        raise ValueError(f"{key} must be a number from {least} to {most}, not {found!r}")
    return found


def numbers_by_seat(seats: str, data: Data, key: str) -> dict[str, int]:
    """Read the numbers in ``{ a = 2 }``, by seat; each must be 0 or more."""
    found = by_seat(seats, data, key)
    return {seat: number({f"{key} of {seat}": n}, f"{key} of {seat}") for seat, n in found.items()}


def texts_by_seat(seats: str, data: Data, key: str) -> dict[str, list[str]]:
    """Read the lists of strings in ``{ a = ["…"] }``, by seat."""
    found = by_seat(seats, data, key)
    return {seat: texts_in(part, f"{key} of {seat}") for seat, part in found.items()}


def texts(data: Data, key: str) -> list[str]:
    """Read a list of strings; it is empty if the key is missing."""
    return texts_in(data.get(key, []), key)


def texts_in(found: object, name: str) -> list[str]:
    """Check that a value is a list of strings; error messages call the value ``name``."""
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise ValueError(f"{name} must be a list of strings, not {found!r}")
    return list(found)


def cards_left(data: Data, top: Sequence[str], deck: Sequence[str], default: int) -> int:
    """Read ``deck_left``: the number of cards in the deck, including those named on its top."""
    left = number(data, "deck_left", default)
    if not len(top) <= left <= len(deck):
        raise ValueError(f"deck_left must be from {len(top)} to {len(deck)} here, not {left}")
    return left


def refuse(name: str, wrong: Mapping[str, bool]) -> None:
    """Raise ValueError with the first of these sentences whose condition is true."""
    for what, is_so in wrong.items():
        if is_so:
            raise ValueError(f"{name}: {what}")


class Pool:
    """The cards in play that have no place in the position yet."""

    def __init__(self, cards: Iterable[str]) -> None:
        self._left = Counter(cards)
        self._printed = self._left.copy()

    def claim(self, cards: Iterable[str]) -> None:
        """Take cards, each named in full, out of the pool."""
        for card in cards:
            if card not in self._printed:
                told = hint(card, self._printed)
                meant = f"; {told}" if told.startswith("did") else ""
                raise ValueError(f"{card!r} is not a card of this game{meant}")
            if not self._left[card]:
                raise ValueError(f"{card!r}: the game has only {self._printed[card]} of this card")
            self._left[card] -= 1

    def left(self, card: str) -> int:
        """Return the number of copies of this card that have no place yet."""
        return self._left[card]

    def rest(self) -> list[str]:
        """Return the cards that have no place yet, sorted."""
        return sorted(self._left.elements())
