"""The table with the climate track: marker, events, cards to put under the deck, hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from engine import Seat, zones_seen
from games.climate.box import Box, Event, Weather, Zone
from games.evolution.table import Kit, Species, State


class ClimateKit(Kit):
    """What the face-up traits of one species do: Evolution's hooks, and those for heat, cold and
    feeding."""

    loss: tuple[Callable[[Weather, int], int], ...]
    """Change the population lost to heat or cold, if the species' body size loses any (at least
    0)."""
    again: tuple[Callable[[ClimateState, Species], Iterable[str]], ...]
    """Offer feedings directly after the species' normal feeding in its owner's turn."""
    dusk: tuple[Callable[[State, Species], None], ...]
    """Called when feeding is over, but nothing has starved yet."""


def kit_of(species: Species) -> ClimateKit:
    """Return the hooks of this species, with the type that Climate's hooks have."""
    return cast(ClimateKit, species.kit)


@dataclass(frozen=True)
class Track:
    """The values of the climate track for this number of players."""

    box: Box
    few: bool
    """Whether to use the zones' food numbers for 2 and 3 players."""

    def food(self, zone: Zone) -> int:
        """Return the plant food of the zone."""
        return zone.food[0 if self.few else 1]


@dataclass(slots=True)
class ClimateState(State):
    """Everything on the table: Evolution's table and the climate."""

    track: Track = field(default=None, compare=False, repr=False)  # type: ignore[assignment]
    marker: int = 0
    """The index of the zone in which the climate marker is."""
    piles: dict[str, int] = field(default_factory=dict)
    """The number of cards in each event deck, by the deck's name."""
    events: dict[str, str] = field(default_factory=dict)
    """The event that is face up for each event deck, by the deck's name."""
    gone: list[str] = field(default_factory=list)
    """The events that have left the game."""
    buried: dict[Seat, list[str]] = field(default_factory=dict)
    """The cards that will go under the deck, in their owner's order; only the owner sees them."""
    fed_again: list[str] = field(default_factory=list)
    """The species that have had their second feeding in this round."""
    food_up: list[str] = field(default_factory=list)
    """The Food Cards that are face up on the Watering Hole, until their food is added."""

    def clone(self, viewpoint: Seat) -> ClimateState:
        """Return a copy with only what this viewpoint may see."""
        return ClimateState(*self.seen_by(viewpoint))

    def seen_by(self, viewpoint: Seat) -> tuple[Any, ...]:
        """Return the fields of such a copy."""
        return (
            *State.seen_by(self, viewpoint),
            self.track, self.marker, self.piles.copy(), self.events.copy(), self.gone[:],
            zones_seen(self.buried, viewpoint), self.fed_again[:], self.food_up[:],
        )  # fmt: skip

    @property
    def zone(self) -> Zone:
        """The zone in which the marker is."""
        return self.track.box.zones[self.marker]

    def event(self, deck: str) -> Event | None:
        """Return the event of that deck that is face up."""
        return self.track.box.events[self.events[deck]] if deck in self.events else None

    def move_marker(self, zones: int) -> None:
        """Move the marker this many zones warmer (negative: colder), but not past an end (ruling
        3.2)."""
        self.marker = min(max(self.marker + zones, 0), len(self.track.box.zones) - 1)

    def cards(self) -> Iterator[str]:
        """Yield every card that is not in a deck."""
        yield from State.cards(self)
        yield from self.events.values()
        yield from self.gone
        yield from self.food_up
        for zone in self.buried.values():
            yield from zone

    def total(self) -> int:
        """Return the number of all cards, including event cards; it never changes."""
        return State.total(self) + sum(self.piles.values())
