"""Finished games, replayed by everybody; between them everything occurs that can occur."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from engine import ALL, PUBLIC, Table, merge, view
from games.registry import BUILT_IN_GAMES
from tests.games.moments import MOMENTS
from tests.games.spec import occurs, wanted
from tests.games.stored import Finished, paths, read_stored_game, score_lines, stored_text

REFRESH = "if the rules changed on purpose: .venv/bin/python -m tests.games.make, and read the diff"
GAMES = paths()


@cache
def stored(path: Path) -> Finished:
    return read_stored_game(path.read_text("utf-8"))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.sample(6)
@pytest.mark.parametrize("path", GAMES, ids=name)
def test_everybody_replays_it_to_the_same_end(path: Path) -> None:
    finished = stored(path)
    game = finished.table()
    full = Table(game, ALL, finished.log, checks_entries=True)
    assert full.over, REFRESH
    result = game.ruleset.result(full.state)
    assert score_lines(result) == finished.result, REFRESH
    assert result.decided_by == finished.decided_by, REFRESH
    for viewpoint in (PUBLIC, *finished.seats):
        table = Table(game, viewpoint, view(finished.log, viewpoint), checks_entries=True)
        assert table.over
        assert table.state == full.state.clone(viewpoint)


@pytest.mark.parametrize("path", GAMES, ids=name)
def test_what_was_written_is_read(path: Path) -> None:
    text = path.read_text("utf-8")
    assert stored_text(read_stored_game(text)) == text


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", GAMES, ids=name)
def test_the_seats_together_know_the_log(path: Path) -> None:
    finished = stored(path)
    known = view(finished.log, PUBLIC)
    assert all("[?]" in entry.text for entry in known if "[" in entry.text)
    for seat in finished.seats:
        known = [merge(*both) for both in zip(known, view(finished.log, seat), strict=True)]
    assert tuple(known) == finished.log


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_everything_occurs(game: str) -> None:
    seen: set[str] = set()
    for path in paths(game):
        seen |= occurs(stored(path).table(), stored(path).log)
    assert not sorted(wanted(game) - seen), "add games: python -m tests.games.make --add " + game


def test_every_ruleset_has_games_and_moments() -> None:
    assert set(MOMENTS) == set(BUILT_IN_GAMES) == {path.parent.name for path in GAMES}


def test_a_game_that_is_not_there_is_missed() -> None:
    """Without its games with many players, of origin at least their number is missing."""
    few = [path for path in paths("origin") if len(stored(path).seats) < 5]
    seen = set().union(*(occurs(stored(path).table(), stored(path).log) for path in few))
    assert {"8 players", "two sets of cards"} <= wanted("origin") - seen
