"""The end of a game says how each tie fell."""

from types import SimpleNamespace

import pytest

from engine import ALL, Table
from pbem.wording.results import score_lines
from tests.games.finished import game_of_seed

NAMES = dict(zip("abcdefgh", ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"), strict=True))


def lines_after(name: str, seed: int, **ended: object) -> list[str]:
    """What the end of a finished game says below the scores."""
    finished = game_of_seed(name, seed)
    game = finished.table()
    table = Table(game, ALL, finished.log)
    view = SimpleNamespace(play=game, table=table, names=NAMES, turn=9, ended_by=())
    view.ended, view.conceded, view.removed, view.referee = "", (), {}, "Rhea"
    view.by_mail = ()
    vars(view).update(ended)
    return score_lines(view)[len(finished.seats) :]


@pytest.mark.parametrize(
    ("name", "seed", "lines"),
    [
        ("evolution", 4, [
            "Cy and Ed have equal points: Cy is ahead, because population decided the tie",
            "Di wins, because traits decided the tie",
        ]),
        ("origin", 13, [
            "Cy and Fay have equal points: Cy is ahead, because discard pile decided the tie",
            "Fay and Ed have equal points: Fay is ahead, because discard pile decided the tie",
            "Ann wins",
        ]),
        ("classroom", 1219, [
            "Bo and Cy share rank 2: nothing decides this tie",
            "Cy and Di share rank 2: nothing decides this tie",
            "Ann wins",
        ]),
        ("classroom", 30, ["Ann and Bo share the win"]),
        ("climate", 146, ["Bo and Cy share the win"]),
    ],
)  # fmt: skip
def test_the_end_of_a_game_explains_each_tie(name: str, seed: int, lines: list[str]) -> None:
    assert lines_after(name, seed) == lines


def test_a_player_who_conceded_ties_with_nobody() -> None:
    told = lines_after("evolution", 4, conceded=["e"])
    assert told == ["Di wins, because traits decided the tie"]


def test_an_agreed_draw_explains_no_tie() -> None:
    told = lines_after("evolution", 4, ended="draw", ended_by=["a"])
    assert not any("equal points" in line for line in told)
