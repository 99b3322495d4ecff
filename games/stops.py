"""Conditions that stop standing orders, for games with rows of creatures."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from engine import Forms, Moment, StopLine, Unreadable


def stops(
    forms: Forms, harms: frozenset[str], plays: frozenset[str],
    phase: str, food: str, where: str, creature: str,
) -> tuple[StopLine, ...]:  # fmt: skip
    """Return the stop lines of a game whose state has its food in the field ``food``.

    ``plays`` are the forms that use a card on a creature; ``phase`` is the name of the game's
    feeding phase; ``where`` and ``creature`` are words for people.
    """

    def attacked(moment: Moment) -> bool:
        return any(
            form in harms and said["who"][0] == moment.seat != entry.seat
            for entry in moment.happened
            for form, said in read(forms, entry.text)
        )

    def scarce(moment: Moment) -> bool:
        feeding = moment.now.scope.endswith(f".{phase}")
        return feeding and int(getattr(moment.now, food)) <= int(moment.argument)

    def played(moment: Moment) -> bool:
        spent = Counter(
            entry.seat
            for entry in moment.happened
            for form, _ in read(forms, entry.text)
            if form in plays and entry.seat != moment.seat
        )
        return any(count > int(moment.argument) for count in spent.values())

    return (
        StopLine("attacked", f"another player attacks or robs a {creature} of yours", attacked),
        StopLine("food at or below {n}", f"during feeding, {where} holds {{n}} or less", scarce),
        StopLine("a neighbour lost a species", f"a player beside you lost a {creature}", bereft),
        StopLine("somebody played more than {n} cards",
                 "another player used more than {n} cards on creatures", played),
    )  # fmt: skip


def read(forms: Forms, text: str) -> list[tuple[str, dict[str, str]]]:
    """Return each step of a sentence as its form and fields; none for sentences of chance or
    facts."""
    found = []
    for step in text.split("; "):
        with suppress(Unreadable):
            found.append(forms.parse(step))
    return found


def bereft(moment: Moment) -> bool:
    """Return whether the player to the left or right has lost a creature since the line began to
    count."""
    seats = moment.now.seats
    at = seats.index(moment.seat)
    beside = {seats[at - 1], seats[(at + 1) % len(seats)]} - {moment.seat}
    return any(lost(moment.now, seat) > lost(moment.start_state, seat) for seat in beside)


def lost(state: Any, seat: str) -> int:
    """Return the number of creatures that a seat has lost in the whole game."""
    return int(state.made[seat]) - len(state.rows[seat])
