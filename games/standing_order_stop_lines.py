"""The stop lines of standing orders that all games with rows of creatures share."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from engine import Forms, Moment, Seat, StopLine, Unreadable


def stop_lines(
    forms: Forms, harms: frozenset[str], card_forms: frozenset[str],
    phase: str, food_field: str, food_place: str, creature: str,
) -> tuple[StopLine, ...]:  # fmt: skip
    """Return the stop lines of a game whose state has its food in the field ``food_field``.

    ``forms`` reads the game's sentences; ``harms`` are the forms that harm the creature ``{who}``;
    ``card_forms`` are the forms that use a card on a creature; ``phase`` is the name of the game's
    feeding phase; ``food_place`` and ``creature`` are words for people.
    """

    def is_attacked(moment: Moment) -> bool:
        return any(
            form in harms and fields["who"][0] == moment.seat != entry.seat
            for entry in moment.happened
            for form, fields in read_steps(forms, entry.text)
        )

    def is_food_scarce(moment: Moment) -> bool:
        is_feeding = moment.now.scope.endswith(f".{phase}")
        return is_feeding and int(getattr(moment.now, food_field)) <= int(moment.argument)

    def has_opponent_played(moment: Moment) -> bool:
        card_counts = Counter(
            entry.seat
            for entry in moment.happened
            for form, _ in read_steps(forms, entry.text)
            if form in card_forms and entry.seat != moment.seat
        )
        return any(count > int(moment.argument) for count in card_counts.values())

    return (
        StopLine("attacked", f"another player attacks or robs a {creature} of yours", is_attacked),
        StopLine("food at or below {n}", f"during feeding, {food_place} holds {{n}} or less",
                 is_food_scarce),
        StopLine("a neighbour lost a species", f"a player beside you lost a {creature}",
                 has_neighbour_lost_creature),
        StopLine("somebody played more than {n} cards",
                 "another player used more than {n} cards on creatures", has_opponent_played),
    )  # fmt: skip


def read_steps(forms: Forms, text: str) -> list[tuple[str, dict[str, str]]]:
    """Return each step of a sentence as its form and fields; none for sentences of chance or
    facts."""
    parsed_steps = []
    for step in text.split("; "):
        with suppress(Unreadable):
            parsed_steps.append(forms.parse(step))
    return parsed_steps


def has_neighbour_lost_creature(moment: Moment) -> bool:
    """Return whether the player to the left or right has lost a creature since the line began to
    count; with two players, both are the same one."""
    seats = moment.now.seats
    index = seats.index(moment.seat)
    neighbours = {seats[index - 1], seats[(index + 1) % len(seats)]} - {moment.seat}
    return any(
        loss_count(moment.now, seat) > loss_count(moment.start_state, seat) for seat in neighbours
    )


def loss_count(state: Any, seat: Seat) -> int:
    """Return the number of creatures that a seat has lost in the whole game."""
    return int(state.creature_counts[seat]) - len(state.rows[seat])
