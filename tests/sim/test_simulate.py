"""`pbem sim`: the same games everywhere, and their sums are right."""

import os
import subprocess
import sys

import pytest

from games.evolution.rules import EVOLUTION
from tests.kit.selection import ROOT, long
from tests.sim.simulate import result_without_seconds, simulate

PROMISED = [
    "game", "players", "games", "seed", "decisions", "seconds", "rounds_mean",
    "winning_score_mean",
]  # fmt: skip


def elsewhere(hash_seed: str) -> dict[str, object]:
    """The same simulation in a Python of its own, whose sets and dicts are in another order."""
    code = (
        "import json; from tests.sim.simulate import simulate;"
        "from games.evolution.rules import EVOLUTION;"
        "print(json.dumps(simulate(EVOLUTION, 3, 3, 1, ['greedy', 'random', 'greedy'])))"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, check=True
    )
    return result_without_seconds(done.stdout)


@pytest.mark.long
def test_a_simulation_does_not_depend_on_the_order_of_pythons_sets() -> None:
    assert elsewhere("1") == elsewhere("2")


def test_another_seed_is_another_game() -> None:
    one, two = (simulate(EVOLUTION, 2, 5, seed)["decisions"] for seed in (1, 2))
    assert one != two


def test_a_simulation_reports_each_promised_number() -> None:
    told = simulate(EVOLUTION, 4, 3, 5)
    assert [name for name in PROMISED if name not in told] == []
    assert (told["game"], told["players"], told["games"], told["seed"]) == ("evolution", 4, 3, 5)
    assert told["decisions"] > 3 * 4 * 10


@pytest.mark.sample(2)
@pytest.mark.parametrize("games", [8, *long([40])])
@pytest.mark.parametrize("players", EVOLUTION.players)
def test_every_simulated_game_ends_with_a_winner(players: int, games: int) -> None:
    told = simulate(EVOLUTION, players, games, 1)
    wins = sum(seat["wins"] for seat in told["seats"])
    shared = sum(seat["shared_wins"] for seat in told["seats"])
    assert wins + shared >= games
    assert wins <= games
    assert 1 <= told["rounds_least"] <= told["rounds_mean"] <= told["rounds_most"]
    assert told["winning_score_mean"] >= told["score_mean"] > 0
    assert sum(told["parts_mean"].values()) == pytest.approx(told["score_mean"], abs=0.01)


def test_a_simulation_can_be_played_with_options_of_the_game() -> None:
    told = simulate(EVOLUTION, 2, 1, 1, options={"together": "yes"})
    assert told["options"] == {"together": "yes", "autofeed": "no"}


@pytest.mark.parametrize(
    ("players", "bots", "options", "why"),
    [
        (7, ["random"], {}, "evolution is for 2 to 6 players"),
        (1, ["random"], {}, "evolution is for 2 to 6 players"),
        (3, ["random", "greedy"], {}, "give one bot for all seats, or 3 bots"),
        (2, ["nobody"], {}, "evolution has no bot called 'nobody'"),
        (2, ["random"], {"fast": "yes"}, "the rules of evolution have no option 'fast'"),
    ],
)
def test_a_simulation_that_cannot_be_is_refused_with_the_reason(
    players: int, bots: list[str], options: dict[str, str], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        simulate(EVOLUTION, players, 1, 1, bots, options)
