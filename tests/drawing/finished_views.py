"""Views of the finished games, with a turn for each entry of the log."""

from engine import ALL, PUBLIC, view
from pbem.judge.game_view import View
from tests.games.finished import Finished, digests_by_seed, game_of_seed, seeds_of

NAMES = ("Ann", "Bo", "Cy", "Dora", "Eve", "Finn", "Gus", "Hal")


def view_of_finished(game: Finished, seat: str = ALL, upto: float = 1.0) -> View:
    """What a seat knew (`ALL`: everything; empty: the table) after that part of a game."""
    log = list(game.log)[: int(len(game.log) * upto)]
    seen = log if seat == ALL else view(log, seat or PUBLIC)
    turns = len(log)
    return View(
        game="00" * 16, title="savannah", ruleset=game.game, cards="", options=dict(game.options),
        policies={}, referee="Rhea", names=dict(zip(game.seats, NAMES, strict=False)), plays=[],
        bots={}, seat=seat, turn=turns, heads=[f"{n:064x}" for n in range(turns + 1)],
        times=[0] * turns, log_lengths=list(range(1, turns + 1)), asking_turn=turns,
        deadline=0, is_over=upto == 1.0,
        awaited={}, accepted={}, silent=[], absence_reasons={}, notices=[], conceded=[], ended="",
        entries=[(e.key, e.seat, e.text, e.by, e.to) for e in seen],
    )  # fmt: skip


def longest_game() -> Finished:
    """The finished game with the most entries."""
    rows = digests_by_seed().items()
    games = (game_of_seed(name, seed) for name, seeds in rows for seed in seeds)
    return max(games, key=lambda game: len(game.log))


def one_of(name: str) -> Finished:
    """A finished game of a ruleset."""
    seeds = seeds_of(name)
    return game_of_seed(name, seeds[len(seeds) // 2])
