"""The table with the climate track: marker, events, cards to put under the deck, hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from engine import Seat, zones_seen
from games.climate.box import Box, Event, Weather, Zone
from games.evolution.table import Kit, Species, State


@dataclass(frozen=True, slots=True)
class ClimateKit(Kit):
    """What the face-up traits of one species do, with heat, cold and the new feedings."""

    loss: tuple[Callable[[Weather, int], int], ...] = ()
    """fold: population lost to heat or cold, if its body size loses any (below 0 counts as 0)."""
    again: tuple[Callable[[ClimateState, Species], Iterable[str]], ...] = ()
    """offer: feedings right after its normal feeding on its owner's turn."""
    dusk: tuple[Callable[[State, Species], None], ...] = ()
    """react: feeding is over, and nobody has starved yet."""


def kit_of(species: Species) -> ClimateKit:
    """The kit of this species, as Climate's class of kits."""
    return cast(ClimateKit, species.kit)


@dataclass(frozen=True)
class Track:
    """The values of the box for this number of players."""

    box: Box
    few: bool
    """Whether the zones' food for 2 and 3 players counts."""

    def food(self, zone: Zone) -> int:
        """The plant food of the zone."""
        return zone.food[0 if self.few else 1]


@dataclass(slots=True)
class ClimateState(State):
    """Everything on the table: Evolution's table and the climate."""

    track: Track = field(default=None, compare=False, repr=False)  # type: ignore[assignment]
    marker: int = 0
    """Index of the zone of the climate marker."""
    piles: dict[str, int] = field(default_factory=dict)
    """How many cards the event decks contain, by name."""
    events: dict[str, str] = field(default_factory=dict)
    """The event that is face up, by the name of its deck."""
    gone: list[str] = field(default_factory=list)
    """Events that left the game."""
    buried: dict[Seat, list[str]] = field(default_factory=dict)
    """Cards that will go under the deck, in their owner's order; only the owner sees them."""
    fed_again: list[str] = field(default_factory=list)
    """Species that used their second feeding in this round."""
    food_up: list[str] = field(default_factory=list)
    """Food Cards that are face up on the Watering Hole, until the food is added."""

    def clone(self, viewpoint: Seat) -> ClimateState:
        """A copy as seen from this viewpoint."""
        return ClimateState(*self.seen_by(viewpoint))

    def seen_by(self, viewpoint: Seat) -> tuple[Any, ...]:
        """The fields of a copy as seen from this viewpoint."""
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
        """The event of that deck that is face up."""
        return self.track.box.events[self.events[deck]] if deck in self.events else None

    def move_marker(self, zones: int) -> None:
        """Move this many zones warmer, or colder if negative, but not past an end (ruling 3.2)."""
        self.marker = min(max(self.marker + zones, 0), len(self.track.box.zones) - 1)

    def cards(self) -> Iterator[str]:
        """Every card that is not in a deck."""
        yield from State.cards(self)
        yield from self.events.values()
        yield from self.gone
        yield from self.food_up
        for zone in self.buried.values():
            yield from zone

    def total(self) -> int:
        """How many cards there are in all, event cards included: always the same."""
        return State.total(self) + sum(self.piles.values())
