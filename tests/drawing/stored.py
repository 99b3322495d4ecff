"""Views of the finished games of tests/games, with a turn for each entry of the log."""

from pathlib import Path

from engine import ALL, PUBLIC, view
from pbem.judge.game_view import View
from tests.games.stored import paths, read_stored_game

NAMES = ("Ann", "Bo", "Cy", "Dora", "Eve", "Finn", "Gus", "Hal")


def stored_view(path: Path, seat: str = ALL, upto: float = 1.0) -> View:
    """What a seat knew (`ALL`: everything; empty: the table) after that part of a game."""
    game = read_stored_game(path.read_text("utf-8"))
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


def path_of_longest() -> Path:
    """The stored game with the most entries."""
    return max(paths(), key=lambda path: len(read_stored_game(path.read_text("utf-8")).log))


def one_of(ruleset: str) -> Path:
    """A stored game of a ruleset."""
    return paths(ruleset)[len(paths(ruleset)) // 2]
