"""A study: numbered games, some of which have been played.

Studies with the same setup and different games can be added together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import Any

from pbem.frozen import frozen
from pbem.simulation.counts import Counts
from pbem.simulation.play_games import Setup


class StudyError(ValueError):
    """Raised for studies that do not fit together, or data that is not a study."""


@frozen
class Study:
    """The games that were asked for, those that were played, and their results."""

    setup: Setup
    asked: range
    """The numbers of the games that were asked for."""
    played: tuple[range, ...] = ()
    """The numbers of the games that were played, in order and without repetition."""
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0

    @property
    def missing(self) -> list[range]:
        """The numbers that were asked for but not played, in order."""
        found, start = [], self.asked.start
        for done in self.played:
            found.append(range(start, done.start))
            start = done.stop
        return [gap for gap in (*found, range(start, self.asked.stop)) if gap]

    @property
    def complete(self) -> bool:
        """Whether all requested games have been played."""
        return not self.missing

    def plus(self, numbers: Iterable[range], counts: Counts, seconds: float = 0.0) -> Study:
        """Return the study with these games added. Raises StudyError if the study already has one
        of them."""
        played = _joined((*self.played, *numbers))
        return replace(
            self, played=played, counts=self.counts + counts, seconds=self.seconds + seconds
        )

    def asking(self, asked: range) -> Study:
        """Return this study, reduced to the games with these numbers.

        Raises StudyError if it has played other games.
        """
        for done in self.played:
            if done.start < asked.start or done.stop > asked.stop:
                verb = "was" if len(asked) == 1 else "were"
                told = f"only {numbers_text([asked])} {verb} asked for"
                raise StudyError(f"{told}, but these were played: {numbers_text(self.played)}")
        return replace(self, asked=asked)

    def to_json(self) -> dict[str, Any]:
        """Return the study as plain data. The same games always give the same data, except for
        `seconds`."""
        setup = self.setup
        return {
            "game": setup.game,
            "players": setup.players,
            "games": self.counts.games,
            "seed": setup.seed,
            "bots": list(setup.bots),
            "options": dict(setup.options),
            **({"orders": setup.orders} if setup.orders else {}),
            "seconds": round(self.seconds, 3),
            **self.counts.summary(setup.names),
            "complete": self.complete,
            "asked": _told(self.asked),
            "played": [_told(done) for done in self.played],
            "rules": setup.rules,
            "pbem": setup.pbem,
        }


def merged(studies: Sequence[Study]) -> Study:
    """Return one study with the games of all these. Raises StudyError if setups differ or a game is
    in two."""
    first, *others = studies
    asked = range(min(s.asked.start for s in studies), max(s.asked.stop for s in studies))
    whole = replace(first, asked=asked)
    for other in others:
        check_same(first.setup, other.setup)
        whole = whole.plus(other.played, other.counts, other.seconds)
    return whole


def check_same(one: Setup, other: Setup) -> None:
    """Raise StudyError, which says what differs, if the setups differ."""
    for name, told in _NAMES.items():
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            raise StudyError(f"{told} differs: {_text(here)} and {_text(there)}")


_NAMES = {
    "game": "the game",
    "pbem": "the version of pbem",
    "rules": "the version of the rules",
    "players": "the number of players",
    "seed": "the seed",
    "bots": "the list of bots",
    "options": "the list of options",
    "orders": "how orders are sent",
}


def numbers_text(found: Iterable[range]) -> str:
    """Return the numbers of games as a text for people: `games 0 to 99 and 200`."""
    found = list(found)
    word = "game" if sum(map(len, found)) == 1 else "games"
    told = [f"{n[0]} to {n[-1]}" if len(n) > 1 else f"{n[0]}" for n in found]
    *most, last = told or ["none"]
    return f"{word} {', '.join(most)} and {last}" if most else f"{word} {last}"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in value.items()) or "none"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _joined(found: Iterable[range]) -> tuple[range, ...]:
    joined: list[range] = []
    for numbers in sorted((n for n in found if n), key=lambda n: n.start):
        if joined and numbers.start < joined[-1].stop:
            twice = range(numbers.start, min(numbers.stop, joined[-1].stop))
            raise StudyError(f"{numbers_text([twice])} would count twice")
        if joined and numbers.start == joined[-1].stop:
            joined[-1] = range(joined[-1].start, numbers.stop)
        else:
            joined.append(numbers)
    return tuple(joined)


def _told(numbers: range) -> dict[str, int]:
    return {"first": numbers.start, "games": len(numbers)}
