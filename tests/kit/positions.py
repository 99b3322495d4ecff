"""Positions in the middle of games, as one seat sees them: played by random bots, without files.

For example:

    view = position("evolution", seed=1, stop=40)
    assert view.awaited[view.seat]  # what this seat is asked
    assert view.names["a"] == "Ann"
"""

import random
from functools import lru_cache
from typing import Any

from engine import Decision, Entry, Referee, SeedDealer, view
from engine.make_and_ask_bots import ask_bot
from engine.random_bot import RandomBot
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.judge.game_view import View

GAMES = sorted(BUILT_IN_GAMES)
NAMES = {"a": "Ann", "b": "Bo", "c": "Cy"}
MOST = 400


class Stops:
    """A random player of all seats who stops at one question, so that somebody is asked."""

    def __init__(self, seed: int, stop: int) -> None:
        self.rng = random.Random(seed)
        self.bot = RandomBot(self.rng)
        self.left = stop
        self.stopped = ""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        if self.stopped == key or (not self.stopped and self.left <= 0):
            self.stopped = key
            return None
        self.left -= 1
        return ask_bot(self.bot, None, decision), "line [1]"

    def entered(self, entry: Entry) -> None:
        pass


@lru_cache(300)
def referee_after(
    name: str, seed: int, stop: int, together: bool = False
) -> tuple[Referee[Any], list[tuple[str, Decision]]]:
    """The game after so many answers, and what is asked then."""
    game = ruleset(name).game("abc", {"together": "yes"} if together else {})
    referee = Referee(game, SeedDealer(f"{name} {seed}".encode()), checks_entries=False)
    return referee, referee.advance(Stops(seed, stop))


@lru_cache(300)
def position(name: str, seed: int, stop: int, seat: str = "", together: bool = False) -> View:
    """The view of whoever is asked (or of `seat`) after so many answers; at the game's end of a."""
    referee, pending = referee_after(name, seed, stop, together)
    asked: dict[str, list[str]] = {}
    for _, decision in pending:
        asked.setdefault(decision.seat, []).append(decision.kind)
    mine = seat or next(iter(asked), "a")
    entries = [(e.key, e.seat, e.text, e.by, e.to) for e in view(referee.log, mine)]
    return View(
        game="ab" * 32, title="savannah", ruleset=name, options=dict(referee.game.options),
        referee="Rhea", names=NAMES, plays=[], bots={}, seat=mine, turn=1,
        heads=["ef" * 32, "cd" * 32], times=[0], log_lengths=[len(entries)], asking_turn=1,
        deadline=0, policies={},
        is_over=not pending, awaited=asked, accepted={}, silent=[], absence_reasons={},
        entries=entries, cards="", notices=[], conceded=[], ended="",
    )  # fmt: skip


def positions(number: int = 6) -> list[tuple[str, int, int]]:
    """Games, seeds and lengths to look at: early, in the middle, late."""
    return [(name, n, 7 * n * n) for name in GAMES for n in range(number)]
