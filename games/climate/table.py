"""The table with the climate track: marker, events, cards to put under the deck, hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Self, cast

from engine import Seat, zones_seen
from engine.value_classes import Value
from games.climate.classes_of_printed_zones_and_events import Box, Event, Weather, Zone
from games.evolution.table import Book, Kit, Species, State


class ClimateKit(Kit):
    """The effects of one species' face-up traits: Evolution's hooks, and more for heat, cold and
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


class Track(Value):
    """The values of the climate track for this number of players."""

    box: Box
    is_for_few: bool
    """Whether to use the zones' food numbers for 2 and 3 players."""

    def food(self, zone: Zone) -> int:
        """Return the plant food of the zone."""
        return zone.food[0 if self.is_for_few else 1]


class ClimateState(State):
    """Everything on the table: Evolution's table and the climate."""

    shared_attributes = State.shared_attributes | {"track"}

    def __init__(self, book: Book, seats: str, track: Track, piles: Mapping[str, int]) -> None:
        """Make the empty table of a game that has not begun."""
        super().__init__(book, seats)
        self.track, self.marker = track, track.box.start
        """``marker`` is the index of the zone in which the climate marker is."""
        self.piles = dict(piles)
        """The number of cards in each event deck, by the deck's name."""
        self.events: dict[str, str] = {}
        """The event that is face up for each event deck, by the deck's name."""
        self.removed_events: list[str] = []
        """The events that have left the game."""
        self.buried: dict[Seat, list[str]] = {}
        """The cards that will go under the deck, in their owner's order; only the owner sees
        them."""
        self.twice_fed_species: list[str] = []
        """The names of the species that have fed a second time in this round."""
        self.face_up_food_cards: list[str] = []
        """The Food Cards that are face up on the Watering Hole, until their food is added."""

    def clone(self, viewpoint: Seat) -> Self:
        """Return a copy with only what this viewpoint may see."""
        copy = super().clone(viewpoint)
        copy.track, copy.marker = self.track, self.marker
        copy.piles, copy.events = self.piles.copy(), self.events.copy()
        copy.removed_events = self.removed_events[:]
        copy.buried = zones_seen(self.buried, viewpoint)
        copy.twice_fed_species = self.twice_fed_species[:]
        copy.face_up_food_cards = self.face_up_food_cards[:]
        return copy

    @property
    def zone(self) -> Zone:
        """The zone in which the marker is."""
        return self.track.box.zones[self.marker]

    def event(self, deck: str) -> Event | None:
        """Return the event of that deck that is face up."""
        return self.track.box.events[self.events[deck]] if deck in self.events else None

    def move_marker(self, steps: int) -> None:
        """Move the marker this many zones warmer (negative: colder), but not past an end (ruling
        3.2)."""
        self.marker = min(max(self.marker + steps, 0), len(self.track.box.zones) - 1)

    def cards(self) -> Iterator[str]:
        """Yield every card that is not in a deck."""
        yield from State.cards(self)
        yield from self.events.values()
        yield from self.removed_events
        yield from self.face_up_food_cards
        for buried_cards in self.buried.values():
            yield from buried_cards

    def total(self) -> int:
        """Return the number of all cards, including event cards; it never changes."""
        return State.total(self) + sum(self.piles.values())
