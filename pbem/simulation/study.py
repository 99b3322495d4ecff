"""A study: the numbered games of bots that were asked for and played, and their totals. Play it
with several workers; read one that `pbem sim --json` or `--save` wrote.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar

from engine.value_classes import Value
from pbem import __version__
from pbem.files.disk import read_file
from pbem.simulation.play_bot_games import Batch, Setup, play_batch
from pbem.simulation.study_findings import Findings
from pbem.simulation.totals_of_games import Counts
from pbem.workers.worker_pool import Crew, Lost, LostWorkersError, run_tasks


class StudyError(ValueError):
    """Raised for studies that do not fit together, or data that is not a study."""


class Study(Value):
    """The requested games, the played games, and the results."""

    setup: Setup
    requested: range
    """The numbers of the games that were asked for."""
    played: tuple[range, ...] = ()
    """The numbers of the games that were played, in order and without repetition."""
    counts: Counts = field(default_factory=Counts)
    """The totals over the played games."""
    seconds: float = 0.0
    """The number of seconds that the games took."""

    @property
    def missing_numbers(self) -> list[range]:
        """The numbers that were asked for but not played, in order."""
        gaps, start = [], self.requested.start
        for numbers in self.played:
            gaps.append(range(start, numbers.start))
            start = numbers.stop
        return [gap for gap in (*gaps, range(start, self.requested.stop)) if gap]

    @property
    def complete(self) -> bool:
        """Whether all requested games have been played."""
        return not self.missing_numbers

    def plus(self, numbers: Iterable[range], counts: Counts, seconds: float = 0.0) -> Study:
        """Return the study with more games: `numbers` are theirs, `counts` the totals over them.
        Raises StudyError if it has one of them."""
        played = _joined((*self.played, *numbers))
        return replace(
            self, played=played, counts=self.counts + counts, seconds=self.seconds + seconds
        )

    def with_requested(self, requested: range) -> Study:
        """Return the study with these numbers as the requested games. Raises StudyError if it has
        played others."""
        for numbers in self.played:
            if numbers.start < requested.start or numbers.stop > requested.stop:
                verb = "was" if len(requested) == 1 else "were"
                sentence = f"only {numbers_text([requested])} {verb} asked for"
                raise StudyError(f"{sentence}, but these were played: {numbers_text(self.played)}")
        return replace(self, requested=requested)

    @property
    def findings(self) -> Findings | None:
        """The estimates that the games allow; None if none was played."""
        return Findings(self.setup, self.counts) if self.counts.games else None

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
            **({"card_file": setup.cards} if setup.cards else {}),
            **({"compared_with": setup.against} if setup.against else {}),
            **({"orders": setup.orders} if setup.orders else {}),
            "seconds": round(self.seconds, 3),
            **self.counts.summary(setup.names),
            **(self.findings.to_json() if self.findings else {}),
            "complete": self.complete,
            "asked": _range_to_json(self.requested),
            "played": [_range_to_json(numbers) for numbers in self.played],
            "rules": setup.rules,
            "digest": setup.digest,
            **({"against_digest": setup.against_digest} if setup.against else {}),
            "pbem": setup.pbem,
        }


def merge_studies(studies: Sequence[Study]) -> Study:
    """Return one study with all games. Raises StudyError if setups differ or a game is in two."""
    first_study, *other_studies = studies
    requested = range(
        min(s.requested.start for s in studies), max(s.requested.stop for s in studies)
    )
    study = replace(first_study, requested=requested)
    for other_study in other_studies:
        check_same_setup(first_study.setup, other_study.setup)
        study = study.plus(other_study.played, other_study.counts, other_study.seconds)
    return study


def check_same_setup(first_setup: Setup, second_setup: Setup) -> None:
    """Raise StudyError, which says what differs, if the setups differ."""
    for name, label in _NAMES.items():
        first_value, second_value = getattr(first_setup, name), getattr(second_setup, name)
        if first_value != second_value:
            raise StudyError(f"{label} differs: {_text(first_value)} and {_text(second_value)}")


_NAMES = {
    "game": "the ruleset",
    "pbem": "the version of pbem",
    "rules": "the version of the rules",
    "cards": "the card file",
    "digest": "a card or a trait",
    "against": "the ruleset after --against",
    "against_digest": "a card or a trait of the ruleset after --against",
    "players": "the number of players",
    "seed": "the seed",
    "bots": "the list of bots",
    "options": "the list of options",
    "orders": "how orders are sent",
}


def numbers_text(ranges: Iterable[range]) -> str:
    """Return the numbers of games as a text for people: `games 0 to 99 and 200`."""
    ranges = list(ranges)
    word = "game" if sum(map(len, ranges)) == 1 else "games"
    spans = [f"{n[0]} to {n[-1]}" if len(n) > 1 else f"{n[0]}" for n in ranges]
    *other_spans, last_span = spans or ["none"]
    return (
        f"{word} {', '.join(other_spans)} and {last_span}" if other_spans else f"{word} {last_span}"
    )


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={setting}" for name, setting in value.items()) or "none"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _joined(ranges: Iterable[range]) -> tuple[range, ...]:
    """Return the numbers in as few ranges as possible, in order. Raises StudyError if two ranges
    have a number in common."""
    joined: list[range] = []
    for numbers in sorted((n for n in ranges if n), key=lambda n: n.start):
        if joined and numbers.start < joined[-1].stop:
            overlap = range(numbers.start, min(numbers.stop, joined[-1].stop))
            raise StudyError(f"{numbers_text([overlap])} would count twice")
        if joined and numbers.start == joined[-1].stop:
            joined[-1] = range(joined[-1].start, numbers.stop)
        else:
            joined.append(numbers)
    return tuple(joined)


def _range_to_json(numbers: range) -> dict[str, int]:
    return {"first": numbers.start, "games": len(numbers)}


BATCH_SECONDS: Final = 0.25
"""The target time of a batch in seconds: short, so that a lost worker costs little."""
BATCH_GAMES: Final = 1000
"""The most games of a batch."""


def play(study: Study, crew: Crew) -> Generator[Study]:
    """Play the games that are missing, with the workers of a crew; yield the study so far after
    each batch.

    Raises LostWorkersError, UnknownGame or OtherVersionError (a worker that cannot play these
    games), and what a bot raises. Closing the iterator ends the games that are being played.
    """
    pace, started_at, seconds_before = _Pace(), perf_counter(), study.seconds
    batches = (Batch(study.setup, numbers) for numbers in pace.cut(study.missing_numbers))
    with closing(run_tasks(play_batch, batches, crew)) as results:
        for batch, result in results:
            if isinstance(result, Lost):
                clause = f"{result.times} worker processes that played "
                clause += numbers_text([batch.numbers])
                raise LostWorkersError(
                    f"{clause} were lost; the computer may have run out of memory, or a bot may "
                    "have failed"
                )
            pace.adapt(len(batch.numbers), result.seconds)
            # the batches were played at the same time: what counts is the clock of this process
            new_seconds = seconds_before + perf_counter() - started_at - study.seconds
            study = study.plus([batch.numbers], result.counts, new_seconds)
            yield study


class _Pace:
    """Decides how many games a batch has, so that a batch takes only a moment."""

    def __init__(self) -> None:
        self.games = 1

    def adapt(self, games: int, seconds: float) -> None:
        """Choose the size of the next batches, after a batch of `games` took so many seconds. It
        grows at most twofold at a time."""
        fit = int(games * BATCH_SECONDS / max(seconds, 1e-9))
        self.games = max(1, min(fit, 2 * games, BATCH_GAMES))

    def cut(self, gaps: Sequence[range]) -> Iterator[range]:
        """Yield these numbers in batches; each has the size that is right when it is asked for."""
        for gap in gaps:
            remaining_numbers = gap
            while remaining_numbers:
                size = self.games
                yield remaining_numbers[:size]
                remaining_numbers = remaining_numbers[size:]


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
        study = _study_from_json(data)
        own_json, given_json = (
            json.dumps(document, sort_keys=True) for document in (study.to_json(), data)
        )
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        own_json, given_json = "", "changed"
    if own_json == given_json:
        return study
    version = data.get("pbem") if isinstance(data, dict) else None
    if isinstance(version, str) and version != __version__:
        raise StudyError(
            f"{path} is from pbem {version:.20}, and this is pbem {__version__}: play the study "
            "again, or use the older pbem"
        )
    raise StudyError(f"{path} is not a result of pbem sim --json, or somebody has changed it")


def _study_from_json(data: dict[str, Any]) -> Study:
    """Return the study that `to_json` wrote as this data. Raises LookupError, TypeError,
    ValueError, AttributeError or OverflowError for other data."""
    setup = Setup(
        _typed(data["game"], str),
        _typed(data["players"], int),
        _typed(data["seed"], int),
        tuple(_typed(bot, str) for bot in data["bots"]),
        {name: _typed(value, str) for name, value in data["options"].items()},
        _typed(data["rules"], str),
        _typed(data["digest"], str),
        _typed(data.get("card_file", ""), str),
        _typed(data.get("compared_with", ""), str),
        _typed(data.get("against_digest", ""), str),
        _typed(data.get("orders", ""), str),
    )
    numbers = [_range_from_json(row) for row in data["played"]]
    counts = Counts.from_summary(sum(map(len, numbers)), data)
    return Study(setup, _range_from_json(data["asked"])).plus(numbers, counts, data["seconds"])


def _typed(value: Any, kind: type[T]) -> T:
    """Return the value. Raises TypeError if it is of another type."""
    if not isinstance(value, kind):
        raise TypeError
    return value


def _range_from_json(data: dict[str, int]) -> range:
    if data["first"] < 0:
        raise ValueError("games are counted from 0")
    return range(data["first"], data["first"] + data["games"])
