"""Rows of creatures: the seats of a table, and the creatures in front of each."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from engine import Seat


class Creature(Protocol):
    """A species or an animal; ``a2`` is the second one that seat ``a`` has had in this game."""

    name: str
    owner: Seat


C = TypeVar("C", bound=Creature)


class Rows(Generic[C]):
    """Finds creatures in a state that has seats in clockwise order and a row for each."""

    seats: str
    first_seat_index: int
    """The index of the first player in ``seats``."""
    rows: dict[Seat, list[C]]
    creature_counts: dict[Seat, int]
    """The number of creatures that each seat has ever had."""

    def order(self, start: Seat | None = None) -> str:
        """Return the seats clockwise, from the first player or from the seat given."""
        index = self.first_seat_index if start is None else self.seats.index(start)
        return self.seats[index:] + self.seats[:index]

    def find(self, name: str) -> C | None:
        """Return the creature with that name; None if no such creature is alive."""
        for creature in self.rows.get(name[:1], ()):
            if creature.name == name:
                return creature
        return None

    def why_not_on_table(self, name: str) -> str:
        """Say why there is no creature with this name on the table."""
        seat = name[:1]
        if name in (f"{seat}{number + 1}" for number in range(self.creature_counts.get(seat, 0))):
            return f"{name} is no longer on the table"
        return f"there is no {name} on the table"

    def why_not_owner(self, seat: Seat, name: str) -> str | None:
        """Say why this is not the name of one of the seat's creatures."""
        creature = self.find(name)
        if creature is None:
            return self.why_not_on_table(name)
        return None if creature.owner == seat else f"{name} is not yours"

    def creature_named(self, name: str) -> C:
        """Return the creature with that name, which must exist because an option has named it."""
        creature = self.find(name)
        assert creature is not None, name
        return creature

    def neighbours(self, creature: C) -> list[C]:
        """Return the creature's left and right neighbours, if there are any."""
        row = self.rows[creature.owner]
        # the same as index_in_row, without a function call, because bots need this often
        for index, row_creature in enumerate(row):
            if row_creature is creature:
                return row[index - 1 if index else 0 : index] + row[index + 1 : index + 2]
        return []

    def left_neighbour(self, creature: C) -> C | None:
        """Return the creature's left neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        index = index_in_row(creature, row)
        return row[index - 1] if index > 0 else None

    def right_neighbour(self, creature: C) -> C | None:
        """Return the creature's right neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        index = index_in_row(creature, row)
        return row[index + 1] if 0 <= index < len(row) - 1 else None


def index_in_row(creature: Creature, row: Sequence[Creature]) -> int:
    """Return the creature's index in the row; -1 if it is not there."""
    for index, row_creature in enumerate(row):
        if row_creature is creature:
            return index
    return -1
