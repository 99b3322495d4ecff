"""Classes for printed values that are not in the rulebook: cards, zones and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.values import Value

Weather = Literal["heat", "cold", "harm"]
"""The cause of a loss; ``harm`` is neither heat nor cold, and no trait protects from it."""


class Loss(Value):
    """A loss of population by every species whose body size is from ``least`` to ``most``."""

    weather: Weather
    count: int
    least: int
    most: int

    def __str__(self) -> str:
        """Return the loss in words: ``every species of body 1 to 4 loses 2 to cold``."""
        body = f" of body {self.least} to {self.most}"
        to = "" if self.weather == "harm" else f" to {self.weather}"
        return f"every species{'' if self.all else body} loses {self.count}{to}"

    @property
    def all(self) -> bool:
        """Whether the loss affects every body size."""
        return (self.least, self.most) == (1, 6)


class Protection(Value):
    """How much a trait reduces a loss; a negative number increases the loss."""

    heat: int = 0
    cold: int = 0

    def __str__(self) -> str:
        """Return the protection in words: ``loses 4 less to cold, but 1 more to heat``; empty if
        there is none."""
        if self.heat == self.cold > 0:
            return f"loses {self.heat} less to heat and to cold"
        parts = {"heat": self.heat, "cold": self.cold}
        less = [f"{n} less to {name}" for name, n in parts.items() if n > 0]
        more = [f"{-n} more to {name}" for name, n in parts.items() if n < 0]
        told = ", but ".join(filter(None, (" and ".join(less), " and ".join(more))))
        return f"loses {told}" if told else ""


class Zone(Value):
    """One zone of the climate track. ``food`` is for 2 or 3 players, then for 4 to 6."""

    name: str
    loss: Loss | None
    food: tuple[int, int]


class Event(Value):
    """One event card; its effects happen in the order of the fields."""

    name: str
    deck: str
    zone: str
    move: int = 0
    food: int = 0
    draw: int = 0
    loss: Loss | None = None
    instead: bool = False
    """Whether the loss replaces that of the zone in this round."""
    food_instead: bool = False
    """Whether the food replaces that of the zone in this round."""
    leaves: bool = False
    copies: int = 1
    """The number of equal cards in the deck."""

    def __str__(self) -> str:
        """Return what the event does, in words."""
        told = []
        if self.move:
            told.append(
                f"the marker moves {abs(self.move)} {'warmer' * (self.move > 0) or 'colder'}"
            )
        if self.food or self.food_instead:
            told.append(f"food {self.food:+d}{', instead of that of the zone' * self.food_instead}")
        if self.draw:
            told.append(f"each player draws {self.draw}")
        if self.loss:
            told.append(f"{self.loss}{', instead of the loss of the zone' * self.instead}")
        if self.leaves:
            told.append("the card leaves the game")
        return "; ".join(told)


class Box(Value):
    """All values of one printed box, already checked."""

    cards: tuple[str, ...]
    """The cards, as ``trait number``, followed by the icons, if any, one by one; sorted."""
    zones: tuple[Zone, ...]
    """The zones from the coldest to the hottest."""
    start: int
    """The index of the zone in which the marker starts."""
    set_aside: Mapping[int, int]
    """The number of cards to set aside, by number of players."""
    events: Mapping[str, Event]
    protection: Mapping[str, Protection]
    """The protection that each trait gives, by the trait's name."""
    standin: tuple[str, ...]
    """The parts for which we use our own values (stand-ins), because the printed ones are
    unknown."""

    def deck(self, name: str) -> tuple[str, ...]:
        """Return the event cards of the deck ``cold`` or ``hot``, sorted."""
        events = [event for event in self.events.values() if event.deck == name]
        return tuple(sorted(event.name for event in events for _ in range(event.copies)))

    @property
    def values(self) -> tuple[str, ...]:
        """Everything except the cards, as strings; equal boxes give equal strings."""
        zones = [f"zone {z.name}: {z.loss or 'no loss'}; food {z.food}" for z in self.zones]
        events = [
            f"event {e.name} {e.deck} {e.zone} x {e.copies}: {e}" for e in self.events.values()
        ]
        aside = [f"set aside {n}: {count}" for n, count in sorted(self.set_aside.items())]
        less = [f"protection {name}: {p.heat} {p.cold}" for name, p in self.protection.items()]
        return (
            *zones, f"start {self.start}", *sorted(events), *aside, *sorted(less), self.notes,
        )  # fmt: skip

    @property
    def notes(self) -> str:
        """A note to players about stand-in values; empty if all values are the printed ones."""
        if not self.standin:
            return ""
        parts = ", ".join(PARTS[name] for name in PARTS if name in self.standin)
        return f"Stand-ins of our own, not the printed values: {parts}."


PARTS: Mapping[str, str] = {
    "numbers": "the food numbers",
    "icons": "the suns and snowflakes",
    "zone_food": "the food of the zones",
    "events": "the event cards",
    "protection": "the protections from heat and cold",
}
"""The parts that may be stand-ins, each in words for players."""


def warmth_of(card: str) -> int:
    """Return the number of suns on the card, or of snowflakes as a number below 0."""
    icons = card.split(" ")[2:]
    return icons.count("sun") - icons.count("snowflake")
