"""What follows by itself, told below the sentences: exact, and the same from every viewpoint."""

import re

import pytest

from games.registry import BUILT_IN_GAMES
from pbem.judge.game_view import View
from pbem.wording.game_story import story
from tests.kit.positions import NAMES, position

PLACES = [(game, seed) for game in BUILT_IN_GAMES for seed in range(3)]
LONG = 2_000
_NUMBER = r"(\d+(?:/\d+)?)"


def view_of(game: str, seed: int, seat: str) -> View:
    return position(game, seed, LONG, seat)


def following(view: View) -> list[str]:
    return [line.strip() for line in story(view, range(1, 2)) if line.startswith("    ")]


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_all_seats_are_told_the_same_consequences(place: tuple[str, int]) -> None:
    told = [following(view_of(*place, seat)) for seat in NAMES]
    assert told[0]
    assert told[0] == told[1] == told[2]


@pytest.mark.sample(5)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_pieces_told_as_new_less_those_gone_are_those_on_the_table(place: tuple[str, int]) -> None:
    view = view_of(*place, "a")
    here: set[str] = set()
    for part in "; ".join(following(view)).split("; "):
        named = set(re.findall(r"\b[abc][1-9]\d*\b", part))
        if part.endswith(("is new", "are new")):
            assert not named & here
            here |= named
        elif part.endswith((" gone", " out", " dies", " die")):
            assert named <= here
            here -= named
    scene = view.play.ruleset.scene(view.table.state)
    assert here == {piece.name for place in scene.places for piece in place.pieces}


@pytest.mark.sample(5)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_last_number_told_of_each_seat_is_that_on_the_table(place: tuple[str, int]) -> None:
    view = view_of(*place, "b")
    prose = view.play.ruleset.prose()
    told = following(view)
    for at in view.play.ruleset.scene(view.table.state).places:
        mine = [line for line in told if line.startswith(f"{NAMES[at.seat]}: ")]
        for label, name in prose.seat_facts.items():
            changes = re.findall(rf"{name} {_NUMBER} → {_NUMBER}", "\n".join(mine))
            assert [was for was, _ in changes] == ["0", *(now for _, now in changes)][:-1]
            assert dict(at.facts)[label] == (changes[-1][1] if changes else "0")


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_turns_told_one_by_one_tell_what_one_turn_of_all_tells(game: str) -> None:
    whole = view_of(game, 1, "c")
    cut = whole.changed(
        log_lengths=[len(whole.log) // 3, len(whole.log) // 2, len(whole.log)], turn=3
    )
    parts = [line for turn in (1, 2, 3) for line in story(cut, range(turn, turn + 1))]
    assert [line for line in parts if line.startswith("    ")] == [
        line for line in story(whole, range(1, 2)) if line.startswith("    ")
    ]


@pytest.mark.sample(0)
def test_a_consequence_that_a_sentence_says_is_not_told_again_below_it() -> None:
    view = view_of("evolution", 1, "a")
    lines = story(view, range(1, 2))
    eating = [n for n, line in enumerate(lines) if line.endswith(" eats")]
    silent = [n for n in eating if not lines[n + 1].startswith("    ")]
    assert silent
    assert not any("body" in line for line in following(view))
