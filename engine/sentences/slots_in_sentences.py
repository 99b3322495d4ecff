"""Slots: sentences that name a card of a hand by its number, not by its name.

The cards dealt to a hand are its slots, numbered from 0. A sentence says ``[#7] on a1`` for a card
that stays hidden, and ``#9: a1 body`` for a card that all will see. A card that lies face down
keeps its slot: ``drop 1 of a1: #7``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.log import Seat
from engine.sentences.cards_in_brackets import UNKNOWN

_SLOT = re.compile(r"(?P<bracket>\[?)#(?P<number>0|[1-9][0-9]{0,3})(?![0-9a-z])")
"""A slot in a sentence; in a bracket, if its card stays hidden."""


class Slot(NamedTuple):
    """A card that was dealt to a hand."""

    seat: Seat
    number: int
    """The number of cards dealt to this hand before it."""


def names_slots(text: str) -> bool:
    """Return whether a sentence names a card by its slot."""
    return _SLOT.search(text) is not None


def hidden_slots(text: str) -> list[int]:
    """Return the numbers of the slots in brackets, in the order of the sentence.

    >>> hidden_slots("[#7] on a1; #9: a1 body")
    [7]
    """
    return [int(match["number"]) for match in _SLOT.finditer(text) if match["bracket"]]


def open_slots(text: str) -> list[int]:
    """Return the numbers of the slots without brackets, in the order of the sentence.

    >>> open_slots("[#7] on a1; #9: a1 body")
    [9]
    """
    return [int(match["number"]) for match in _SLOT.finditer(text) if not match["bracket"]]


def with_names(text: str, name_by_number: Mapping[int, str]) -> str:
    """Return the sentence as everybody reads it: ``[?]`` for each slot in brackets, a card for each
    other slot, and ``?`` if its name is not known.

    >>> with_names("[#7] on a1; #9: a1 body; #3: a1 body", {7: "horns 2", 9: "fertile 4"})
    '[?] on a1; fertile 4: a1 body; ?: a1 body'
    """

    def name(match: re.Match[str]) -> str:
        if match["bracket"]:
            return f"[{UNKNOWN}"
        return name_by_number.get(int(match["number"]), UNKNOWN)

    return _SLOT.sub(name, text)


def with_slots(text: str, numbers: Iterable[int]) -> str:
    """Return the sentence with a slot in place of each ``?``, in order; a ``?`` for which there is
    no number stays.

    >>> with_slots("[?] on a1; ?: a1 body; done", [7, 9])
    '[#7] on a1; #9: a1 body; done'
    """
    number_iterator = iter(numbers)

    def slot(match: re.Match[str]) -> str:
        number = next(number_iterator, None)
        return match[0] if number is None else f"#{number}"

    return re.sub(re.escape(UNKNOWN), slot, text)
