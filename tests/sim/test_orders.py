"""`pbem sim --orders`: how many waves of questions a round needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.registry import BUILT_IN_GAMES, ruleset
from pbem.simulation.totals_of_games import Counts
from tests.kit.people import Person
from tests.sim.simulate import simulate


def sim_results(ann: Person, line: str) -> dict[str, Any]:
    said = ann.pbem(f"sim {line} --json").checked(0)
    told: dict[str, Any] = json.loads(said.out)
    return told


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_whole_round_of_orders_is_one_wave_and_orders_in_words_save_most_waves(name: str) -> None:
    rules = ruleset(name)
    players = rules.players[1]
    mean = {}
    for way in ("ask", "policy", "whole"):
        told = simulate(rules, players, 1, 1, ["greedy"], {}, way)
        mean[way] = told["waves_per_round_mean"]
        assert mean[way] <= told["waves_per_round_p95"] or way != "whole"
    assert mean["whole"] == 1
    assert mean["policy"] <= 1 + players
    assert mean["ask"] > 1.5 * mean["policy"]


@pytest.mark.sample(0)
def test_with_simultaneous_plays_a_round_needs_three_waves_at_most() -> None:
    told = simulate(ruleset("evolution"), 5, 2, 1, ["greedy"], {"together": "yes"}, "policy")
    assert told["waves_per_round_mean"] <= 3


def test_the_command_prints_waves_only_if_it_counted_them(researcher: Person) -> None:
    line = "origin --players 3 --games 2 --bots greedy"
    plain, counted = (
        sim_results(researcher, line),
        sim_results(researcher, f"{line} --orders policy"),
    )
    more = {"orders", "waves_per_round_mean", "waves_per_round_p95"}
    assert counted.keys() - plain.keys() == more
    assert counted["orders"] == "policy"


@pytest.mark.sample(0)
def test_counting_waves_does_not_change_the_games(researcher: Person) -> None:
    line = "classroom --players 3 --games 3 --bots greedy"
    results = [sim_results(researcher, f"{line}{more}") for more in ("", " --orders ask")]
    assert results[0]["sums"]["moments"]["score"] == results[1]["sums"]["moments"]["score"]
    assert results[0]["seats"] == results[1]["seats"]


def test_each_seat_may_answer_in_its_own_way(researcher: Person) -> None:
    told = sim_results(researcher, "origin --players 3 --games 1 --orders whole,ask,policy")
    assert told["orders"] == "whole,ask,policy"
    assert told["waves_per_round_mean"] > 1


@pytest.mark.sample(0)
def test_studies_with_waves_can_be_continued_and_merged(researcher: Person, tmp_path: Path) -> None:
    line = "origin --players 2 --orders ask"
    for name, first in (("one", 0), ("two", 2)):
        sim_results(researcher, f"{line} --first {first} --games 2 --save {name}.json")
    merged = json.loads(researcher.pbem("sim --merge one.json two.json --json").out)
    whole = sim_results(researcher, f"{line} --games 4")
    assert {**merged, "seconds": 0} == {**whole, "seconds": 0}
    said = researcher.pbem("sim --from one.json --orders whole --games 4")
    assert said.exit == 2
    assert "how orders are sent differs: ask and whole" in said.err


def test_waves_are_summed_up_by_their_mean_and_their_95th_percentile() -> None:
    few = Counts(games=1, waves={"1": 95, "12": 5})
    more = Counts(games=1, waves={"1": 94, "2": 1, "12": 5})
    most = Counts(games=1, waves={"1": 94, "12": 6})
    told = [one.summary({"a": "x"}) for one in (few, more, most)]
    assert [one["waves_per_round_p95"] for one in told] == [1, 2, 12]
    assert told[0]["waves_per_round_mean"] == 1.55
    assert (few + most).waves == {"1": 189, "12": 11}
