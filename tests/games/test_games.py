"""Finished games, replayed by everybody; between them everything occurs that can occur."""

from __future__ import annotations

import pytest

from engine import ALL, PUBLIC, Table, merge, view
from games.registry import BUILT_IN_GAMES
from tests.games.finished import digest_of, digests_by_seed, game_of_seed, score_lines, seeds_of
from tests.games.moments import MOMENTS
from tests.games.spec import occurs, wanted

REFRESH = """if the rules or bots changed on purpose: write the texts here and on the last commit
with `python -m tests.games.make --texts FOLDER`, read the difference, then run it without words
"""
GAMES = [(name, seed) for name, seeds in digests_by_seed().items() for seed in seeds]


@pytest.mark.sample(12)
@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_the_same_seed_gives_the_same_game_as_before(name: str, seed: int) -> None:
    assert digest_of(game_of_seed(name, seed)) == digests_by_seed()[name][seed], REFRESH


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_everybody_replays_a_finished_game_to_the_same_end(name: str, seed: int) -> None:
    finished = game_of_seed(name, seed)
    game = finished.table()
    full = Table(game, ALL, finished.log, checks_entries=True)
    assert full.over
    result = game.ruleset.result(full.state)
    assert score_lines(result) == finished.result
    assert result.decided_by == finished.decided_by
    for viewpoint in (PUBLIC, *finished.seats):
        table = Table(game, viewpoint, view(finished.log, viewpoint), checks_entries=True)
        assert table.over
        assert table.state == full.state.clone(viewpoint)


@pytest.mark.sample(12)
@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_the_views_of_all_seats_merged_are_the_whole_log(name: str, seed: int) -> None:
    finished = game_of_seed(name, seed)
    known = view(finished.log, PUBLIC)
    assert all("[?]" in entry.text for entry in known if "[" in entry.text)
    for seat in finished.seats:
        known = [merge(*both) for both in zip(known, view(finished.log, seat), strict=True)]
    assert tuple(known) == finished.log


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_all_that_can_occur_in_a_game_occurs_in_its_kept_games(name: str) -> None:
    games = [game_of_seed(name, seed) for seed in seeds_of(name)]
    seen = set().union(*(occurs(game.table(), game.log) for game in games))
    assert not sorted(wanted(name) - seen), "add games: python -m tests.games.make --add " + name


def test_every_ruleset_has_games_and_moments() -> None:
    assert set(MOMENTS) == set(BUILT_IN_GAMES) == digests_by_seed().keys()


def test_without_large_tables_the_kept_games_do_not_show_all_that_can_occur() -> None:
    """Without its games with many players, of origin at least their number is missing."""
    games = [game_of_seed("origin", seed) for seed in seeds_of("origin")]
    few = [game for game in games if len(game.seats) < 5]
    seen = set().union(*(occurs(game.table(), game.log) for game in few))
    assert {"8 players", "two sets of cards"} <= wanted("origin") - seen
