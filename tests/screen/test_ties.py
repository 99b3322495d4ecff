"""The end of a game says how each tie fell."""

from types import SimpleNamespace

import pytest

from engine import ALL, Table
from pbem.wording.scores import score_lines
from tests.games.stored import paths, read_stored_game

FOLDER = paths()[0].parents[1]
NAMES = dict(zip("abcdefgh", ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"), strict=True))


def lines_after(name: str, **ended: object) -> list[str]:
    """What the end of a stored game says below the scores."""
    finished = read_stored_game((FOLDER / name).read_text("utf-8"))
    game = finished.table()
    table = Table(game, ALL, finished.log)
    view = SimpleNamespace(play=game, table=table, names=NAMES, turn=9, ended_by=())
    view.ended, view.conceded, view.removed, view.referee = "", (), {}, "Rhea"
    view.by_mail = ()
    vars(view).update(ended)
    return score_lines(view)[len(finished.seats) :]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "evolution/6-players-4.txt",
            [
                "Cy and Ed have equal points: Cy is ahead, because population decided the tie",
                "Di wins, because traits decided the tie",
            ],
        ),
        (
            "origin/8-players-13.txt",
            [
                "Cy and Fay have equal points: Cy is ahead, because discard pile decided the tie",
                "Fay and Ed have equal points: Fay is ahead, because discard pile decided the tie",
                "Ann wins",
            ],
        ),
        (
            "classroom/4-players-1219.txt",
            [
                "Bo and Cy share rank 2: nothing decides this tie",
                "Cy and Di share rank 2: nothing decides this tie",
                "Ann wins",
            ],
        ),
        ("classroom/3-players-30.txt", ["Ann and Bo share the win"]),
        ("climate/3-players-146.txt", ["Bo and Cy share the win"]),
    ],
)
def test_each_tie_is_explained(name: str, lines: list[str]) -> None:
    assert lines_after(name) == lines


def test_who_left_ties_with_nobody() -> None:
    told = lines_after("evolution/6-players-4.txt", conceded=["e"])
    assert told == ["Di wins, because traits decided the tie"]


def test_a_draw_has_no_ties_to_explain() -> None:
    told = lines_after("evolution/6-players-4.txt", ended="draw", ended_by=["a"])
    assert not any("equal points" in line for line in told)
