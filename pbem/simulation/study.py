"""A study: numbered games of bots, played in batches, saved and gone on with."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar

from engine.values import Value
from pbem import __version__
from pbem.files.disk import read_file
from pbem.simulation.play import Batch, Counts, Setup, play_batch
from pbem.workers.crew import Crew, Lost, LostWorkersError, spread


class StudyError(ValueError):
    """Raised for studies that do not fit together, or data that is not a study."""


class Study(Value):
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
        """Return the study with more games. Raises StudyError if it has one of them."""
        played = _joined((*self.played, *numbers))
        return replace(
            self, played=played, counts=self.counts + counts, seconds=self.seconds + seconds
        )

    def asking(self, asked: range) -> Study:
        """Return the study of only these games. Raises StudyError if it has played others."""
        for done in self.played:
            if done.start < asked.start or done.stop > asked.stop:
                verb = "was" if len(asked) == 1 else "were"
                told = f"only {numbers_text([asked])} {verb} asked for"
                raise StudyError(f"{told}, but these were played: {numbers_text(self.played)}")
        return replace(self, asked=asked)

    def to_json(self) -> dict[str, Any]:
        """Return plain data, which is always the same for the same games, except for `seconds`."""
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
            "asked": _plain(self.asked),
            "played": [_plain(done) for done in self.played],
            "rules": setup.rules,
            "pbem": setup.pbem,
        }


def merged(studies: Sequence[Study]) -> Study:
    """Return one study with all games. Raises StudyError if setups differ or a game is in two."""
    first, *others = studies
    asked = range(min(s.asked.start for s in studies), max(s.asked.stop for s in studies))
    whole = replace(first, asked=asked)
    for other in others:
        check_same(first.setup, other.setup)
        whole = whole.plus(other.played, other.counts, other.seconds)
    return whole


def check_same(one: Setup, other: Setup) -> None:
    """Raise StudyError, which says what differs, if the setups differ."""
    for name, what in _NAMES.items():
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            raise StudyError(f"{what} differs: {_text(here)} and {_text(there)}")


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
    spans = [f"{n[0]} to {n[-1]}" if len(n) > 1 else f"{n[0]}" for n in found]
    *most, last = spans or ["none"]
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


def _plain(numbers: range) -> dict[str, int]:
    return {"first": numbers.start, "games": len(numbers)}


# ---- Reading a study that `pbem sim --json` or `--save` wrote

T = TypeVar("T")


def read_study(path: Path) -> Study:
    """Read the study in a file.

    Raises StudyError if the file is not a study, was changed by hand, or is from a different
    version of pbem; FileError and StorageError if the file cannot be read.
    """
    try:
        data = json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise StudyError(f"{path} is not a result of pbem sim --json") from None
    try:
        study = _study(data)
        own, given = (json.dumps(one, sort_keys=True) for one in (study.to_json(), data))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        own, given = "", "changed"
    if own == given:
        return study
    made = data.get("pbem") if isinstance(data, dict) else None
    if isinstance(made, str) and made != __version__:
        raise StudyError(f"{path} is from pbem {made:.20}, and this is pbem {__version__}")
    raise StudyError(f"{path} is not a result of pbem sim --json, or somebody has changed it")


def _study(data: dict[str, Any]) -> Study:
    setup = Setup(
        _checked(data["game"], str),
        _checked(data["players"], int),
        _checked(data["seed"], int),
        tuple(_checked(bot, str) for bot in data["bots"]),
        {name: _checked(value, str) for name, value in data["options"].items()},
        _checked(data["rules"], str),
        _checked(data.get("orders", ""), str),
    )
    numbers = [_range(one) for one in data["played"]]
    counts = Counts.of_summary(sum(map(len, numbers)), data)
    return Study(setup, _range(data["asked"])).plus(numbers, counts, data["seconds"])


def _checked(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value} is not of type {kind.__name__}")
    return value


def _range(data: dict[str, int]) -> range:
    if data["first"] < 0:
        raise ValueError("games are counted from 0")
    return range(data["first"], data["first"] + data["games"])


# ---- Playing the games of a study

BATCH_SECONDS: Final = 0.25
"""The target time of a batch in seconds: short, so that a lost worker costs little."""
BATCH_GAMES: Final = 1000
"""The most games of a batch."""


def play(study: Study, crew: Crew) -> Generator[Study]:
    """Play the games that are missing; yields the study so far after each batch.

    Raises LostWorkersError, UnknownGame or OtherVersionError (a worker that cannot play these
    games), and what a bot raises. Closing the iterator ends the games that are being played.
    """
    pace, began, before = _Pace(), perf_counter(), study.seconds
    batches = (Batch(study.setup, numbers) for numbers in pace.cut(study.missing))
    with closing(spread(play_batch, batches, crew)) as results:
        for batch, result in results:
            if isinstance(result, Lost):
                told = f"{result.times} workers that played {numbers_text([batch.numbers])}"
                raise LostWorkersError(
                    f"{told} were lost; the computer may have run out of memory, or a bot may "
                    "have failed"
                )
            pace.saw(len(batch.numbers), result.seconds)
            passed = before + perf_counter() - began - study.seconds
            study = study.plus([batch.numbers], result.counts, passed)
            yield study


class _Pace:
    """Decides how many games a batch has, so that a batch takes only a moment."""

    def __init__(self) -> None:
        self.games = 1

    def saw(self, games: int, seconds: float) -> None:
        fit = int(games * BATCH_SECONDS / max(seconds, 1e-9))
        self.games = max(1, min(fit, 2 * games, BATCH_GAMES))

    def cut(self, gaps: Sequence[range]) -> Iterator[range]:
        for gap in gaps:
            rest = gap
            while rest:
                size = self.games
                yield rest[:size]
                rest = rest[size:]
