"""A finished game as a file: who played what, how it ended, and the whole log.

game origin
seats abc
options -
players greedy random random, seed 17
result b 1: 31 = animals 12 + traits 14 + need 5
decided by discard pile

key | who may read the brackets | settled by | sentence
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import PUBLIC, Entry, Game, Result
from games import registry

HERE = Path(__file__).parent
NONE = "-"
"""Written where nothing is to be said: no options, no tie-break."""


@dataclass(frozen=True)
class Finished:
    """A finished game."""

    game: str
    seats: str
    options: Mapping[str, str]
    players: str
    """The bots by seat and their seed, for whoever wants to see the game made again."""
    result: tuple[str, ...]
    decided_by: str
    log: tuple[Entry, ...]

    def table(self) -> Game[Any]:
        """What it is played with."""
        return registry.ruleset(self.game).game(self.seats, self.options)


def score_lines(result: Result) -> tuple[str, ...]:
    """Every seat's rank and points, part by part."""
    return tuple(
        f"{score.seat} {score.rank}: {score.total} = "
        + " + ".join(f"{name} {points}" for name, points in score.parts.items())
        for score in result.scores
    )


def stored_text(finished: Finished) -> str:
    """The text of the file."""
    options = " ".join(f"{name}={value}" for name, value in sorted(finished.options.items()))
    head = [
        f"game {finished.game}",
        f"seats {finished.seats}",
        f"options {options or NONE}",
        f"players {finished.players}",
        *(f"result {line}" for line in finished.result),
        f"decided by {finished.decided_by or NONE}",
    ]
    return "\n".join([*head, "", *entry_lines(finished.log)]) + "\n"


def entry_lines(log: Iterable[Entry]) -> Iterator[str]:
    """The entries, under round and phase."""
    above = ""
    for entry in log:
        number, phase, place = entry.key.split(".", 2)
        if above != f"{number}.{phase}":
            above = f"{number}.{phase}"
            yield above
        to = f" to {entry.to}" if entry.to else ""
        yield f"{place}{to} | {entry.by} | {entry.text}"


def read_stored_game(text: str) -> Finished:
    """The game in a file's text."""
    head, _, body = text.partition("\n\n")
    lines = head.split("\n")
    return Finished(
        game=one(lines, "game "),
        seats=one(lines, "seats "),
        options=dict(word.split("=") for word in text_or_nothing(one(lines, "options ")).split()),
        players=one(lines, "players "),
        result=tuple(starting(lines, "result ")),
        decided_by=text_or_nothing(one(lines, "decided by ")),
        log=tuple(stored_entries(body.splitlines())),
    )


def stored_entries(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of these lines."""
    above = ""
    for line in lines:
        if " | " not in line:
            above = line
            continue
        place, by, text = line.split(" | ")
        place, _, to = place.partition(" to ")
        yield Entry(f"{above}.{place}", place.split(".")[1], text, by, to or PUBLIC)


def one(lines: Iterable[str], start: str) -> str:
    """The rest of the one line that starts so."""
    (found,) = starting(lines, start)
    return found


def starting(lines: Iterable[str], start: str) -> list[str]:
    """The rest of every line that starts so."""
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


def text_or_nothing(text: str) -> str:
    """The text, or nothing."""
    return "" if text == NONE else text


def paths(game: str = "*") -> list[Path]:
    """All stored games, or those of one ruleset."""
    return sorted(HERE.glob(f"{game}/*.txt"))
