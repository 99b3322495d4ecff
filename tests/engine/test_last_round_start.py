"""A table that begins again at its last round is the table that replays the whole log."""

import pytest

from engine import ALL, PUBLIC, Decision, Table, view
from engine.last_round_start import start_of_round
from games.registry import ruleset
from tests.games.finished import game_of_seed, seeds_of


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["evolution", "digital", "climate", "origin", "classroom"])
def test_only_the_last_round_is_replayed(name):
    finished = game_of_seed(name, seeds_of(name)[0])
    game, log = finished.table(), list(finished.log)
    for part in (0.02, 0.4, 0.77, 1.0):
        for viewpoint in (ALL, PUBLIC, finished.seats[0]):
            seen = view(log, viewpoint)[: int(len(log) * part)]
            whole, start = Table(game, viewpoint, seen), start_of_round(game, viewpoint, seen)
            assert_same(start.table(seen), whole)
            assert_same(start.table(seen, PUBLIC), Table(game, PUBLIC, view(seen, PUBLIC)))
            again = start.table(seen)
            for entry in view(log, viewpoint)[len(seen) :][:60]:  # and it plays on as the whole one
                again.push(entry)
                whole.push(entry)
            assert_same(again, whole)
    assert start.entries > len(log) / 2


def first_options(decision: Decision) -> list[str]:
    return decision.option_list(*([()] if decision.script else []))


def assert_same(one: Table, other: Table) -> None:
    rules = one.game.ruleset
    assert (one.keys, one.entries, one.over) == (other.keys, other.entries, other.over)
    assert rules.scene(one.state) == rules.scene(other.state)
    assert list(map(first_options, one.open_decisions)) == list(
        map(first_options, other.open_decisions)
    )
    assert (one.state.round, one.state.scope) == (other.state.round, other.state.scope)


def test_before_the_first_round_the_whole_log_is_replayed():
    rules = ruleset("evolution")
    start = start_of_round(rules.game("ab"), PUBLIC, [])
    assert (start.state, start.entries) == (None, 0)
    assert start.table([]).keys == Table(rules.game("ab"), PUBLIC).keys
