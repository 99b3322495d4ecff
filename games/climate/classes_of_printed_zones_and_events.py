"""Classes for printed values that are not in the rulebook: cards, zones and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.value_classes import Value

Weather = Literal["heat", "cold", "harm"]
"""The cause of a loss; ``harm`` is neither heat nor cold, and no trait protects from it."""


class Loss(Value):
    """A loss of population by every species whose body size is in a range."""

    weather: Weather
    count: int
    """The population that each species loses."""
    min_body: int
    max_body: int

    def __str__(self) -> str:
        """Return the loss in words: ``every species of body 1 to 4 loses 2 to cold``."""
        body = f" of body {self.min_body} to {self.max_body}"
        cause = "" if self.weather == "harm" else f" to {self.weather}"
        return f"every species{'' if self.is_for_every_body else body} loses {self.count}{cause}"

    @property
    def is_for_every_body(self) -> bool:
        """Whether the loss affects every body size."""
        return (self.min_body, self.max_body) == (1, 6)


class Protection(Value):
    """The numbers by which a trait reduces a loss; a negative number increases the loss."""

    heat: int = 0
    cold: int = 0

    def __str__(self) -> str:
        """Return the protection in words: ``loses 4 less population to cold, but 1 more to
        heat``; empty if there is none."""
        if self.heat == self.cold > 0:
            return f"loses {self.heat} less population to heat and to cold"
        parts = {"heat": self.heat, "cold": self.cold}
        reductions = [f"{n} less to {name}" for name, n in parts.items() if n > 0]
        increases = [f"{-n} more to {name}" for name, n in parts.items() if n < 0]
        words = ", but ".join(filter(None, (" and ".join(reductions), " and ".join(increases))))
        return f"loses {words}".replace(" to ", " population to ", 1) if words else ""


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
    """The zone that triggers the event when the marker is there."""
    move: int = 0
    """The number of zones by which the marker moves; negative for colder."""
    food: int = 0
    """The food that is added to the Watering Hole; a number below 0 takes food away."""
    draw: int = 0
    """The number of cards that each player draws."""
    loss: Loss | None = None
    replaces_zone_loss: bool = False
    """Whether the loss replaces that of the zone in this round."""
    replaces_zone_food: bool = False
    """Whether the food replaces that of the zone in this round."""
    leaves: bool = False
    """Whether the card leaves the game; otherwise it goes under its deck."""
    copies: int = 1
    """The number of equal cards in the deck."""

    def __str__(self) -> str:
        """Return the effects in words: ``the marker moves 1 colder; each player draws 1``."""
        effects = []
        if self.move:
            effects.append(
                f"the marker moves {abs(self.move)} {'warmer' * (self.move > 0) or 'colder'}"
            )
        if self.food or self.replaces_zone_food:
            suffix = ", instead of that of the zone" * self.replaces_zone_food
            effects.append(f"food {self.food:+d}{suffix}")
        if self.draw:
            effects.append(f"each player draws {self.draw}")
        if self.loss:
            suffix = ", instead of the loss of the zone" * self.replaces_zone_loss
            effects.append(f"{self.loss}{suffix}")
        if self.leaves:
            effects.append("the card leaves the game")
        return "; ".join(effects)


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
    standin_parts: tuple[str, ...]
    """The parts, out of `PARTS`, for which the data file has our own values (stand-ins), because
    the printed ones are unknown."""

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
        set_aside_counts = [f"set aside {n}: {c}" for n, c in sorted(self.set_aside.items())]
        protections = [f"protection {n}: {p.heat} {p.cold}" for n, p in self.protection.items()]
        return (
            *zones, f"start {self.start}", *sorted(events), *set_aside_counts,
            *sorted(protections), self.notes,
        )  # fmt: skip

    @property
    def notes(self) -> str:
        """A note to players about stand-in values; empty if all values are the printed ones."""
        if not self.standin_parts:
            return ""
        parts = ", ".join(PARTS[name] for name in PARTS if name in self.standin_parts)
        return standin_sentence(parts)


PARTS: Mapping[str, str] = {
    "numbers": "the food numbers",
    "icons": "the suns and snowflakes",
    "zone_food": "the food of the zones",
    "events": "the event cards",
    "protection": "the protections from heat and cold",
}
"""The parts that may be stand-ins, each in words for players."""


def standin_sentence(parts: str) -> str:
    """Return the note to players that these parts, in words, have stand-in values."""
    return f"Stand-ins of our own, not the printed values: {parts}."


def warmth_of(card: str) -> int:
    """Return the number of suns on the card, or of snowflakes as a number below 0.

    >>> warmth_of("horns 4 sun sun"), warmth_of("horns 4 snowflake"), warmth_of("horns 4")
    (2, -1, 0)
    """
    icons = card.split(" ")[2:]
    return icons.count("sun") - icons.count("snowflake")
