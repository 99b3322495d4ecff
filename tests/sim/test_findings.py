"""The error bars of a study are true: against a second way to compute them, and against many
studies."""

import json
import random
import re
from statistics import fmean, stdev

import pytest

from games.registry import ruleset
from pbem.simulation.effects_with_error_bars import Item, Measure
from pbem.simulation.estimates import Moments, add_moments, moments_of
from pbem.simulation.play_bot_games import play_numbers, setup_of
from tests.kit.people import Person

PLAYERS = 3
Row = tuple[int, int, int]
"""Of a game: the seats that played the trait, their points, all points."""


def row_of_a_game(chance: random.Random, bonus: int) -> Row:
    """A game whose seats share one fortune, so that they are no independent observations."""
    fortune = chance.randint(0, 12)
    plays = [chance.random() < 0.4 for _ in range(PLAYERS)]
    points = [fortune + chance.randint(0, 5) + bonus * played for played in plays]
    with_it = [p for p, played in zip(points, plays, strict=True) if played]
    return len(with_it), sum(with_it), sum(points)


def item_of(pairs: list[tuple[Row, Row]]) -> Item:
    moments: Moments = ()
    points: Moments = ()
    for here, there in pairs:
        points = add_moments(points, moments_of((1, here[2], there[2])))
        if here[0] or there[0]:
            moments = add_moments(moments, moments_of((1, *here, *there)))
    return Item(moments, points, PLAYERS)


def difference(rows: list[Row]) -> float:
    seats, with_it, points = (sum(column) for column in zip(*rows, strict=True))
    return with_it / seats - (points - with_it) / (PLAYERS * len(rows) - seats)


def test_the_error_of_a_difference_is_that_of_the_jackknife_over_games() -> None:
    chance = random.Random(1)
    pairs = [(row_of_a_game(chance, 3), row_of_a_game(chance, 1)) for _ in range(300)]
    change = item_of(pairs).change().difference
    assert change is not None

    def changed(some: list[tuple[Row, Row]]) -> float:
        here, there = (list(rows) for rows in zip(*some, strict=True))
        return difference(here) - difference(there)

    left_out = [changed(pairs[:n] + pairs[n + 1 :]) for n in range(len(pairs))]
    jackknife = stdev(left_out) * (len(pairs) - 1) / len(pairs) ** 0.5
    assert change.amount == pytest.approx(changed(pairs))
    assert change.error == pytest.approx(jackknife, rel=0.02)


@pytest.mark.sample(0)
def test_the_margin_of_a_study_holds_the_true_value_in_95_of_100_studies() -> None:
    """Seats of one game share a fortune: margins by rows would hold it in too few."""
    chance, bonus, studies = random.Random(2), 2, 400
    held_count = 0
    for _ in range(studies):
        rows = [row_of_a_game(chance, bonus) for _ in range(120)]
        estimate = item_of([(row, row) for row in rows]).effect().difference
        assert estimate is not None
        held_count += abs(estimate.amount - bonus) <= estimate.margin
    assert 0.92 <= held_count / studies <= 0.98


def test_games_with_the_same_luck_are_compared_pair_by_pair() -> None:
    points: Moments = ()
    for luck in range(100):
        points = add_moments(points, moments_of((1, luck, luck + luck % 2)))
    change = Measure(points).change()
    assert change.amount == -0.5
    assert change.error == pytest.approx(stdev([n % 2 for n in range(100)]) / 10)
    assert Measure(points).mean().error > 10 * change.error


@pytest.mark.sample(0)
def test_a_study_finds_what_a_count_of_its_games_finds() -> None:
    """Each game alone, counted by hand, and all of them as one study."""
    rules = ruleset("classroom")
    setup = setup_of(rules, 3, 5, ["random"])
    games = [play_numbers([rules], setup, range(n, n + 1)).counts for n in range(40)]
    whole = play_numbers([rules], setup, range(40)).counts
    assert sum(games[1:], games[0]) == whole
    totals = [game.total("score a") for game in games]
    mean = Measure(whole.moments["score a"]).mean()
    assert mean.amount == pytest.approx(fmean(totals))
    assert mean.error == pytest.approx(stdev(totals) / 40**0.5)
    item = Item(whole.moments["trait carnivore"], whole.moments["score"], 3)
    players = [game.moments.get("trait carnivore", (0, 0))[1] for game in games]
    assert item.effect().share.amount == pytest.approx(sum(players) / 120)


def compared(ann: Person, change: str, options: str) -> dict[str, object]:
    template = ann.pbem("explain --game climate --cards-template").out
    old, new = change.split(" to ")
    assert template.count(old) == 1
    (ann.place / "mine.toml").write_text(template.replace(old, new))
    said = ann.pbem(f"sim climate --cards mine.toml --against climate {options} --json").checked(0)
    data: dict[str, object] = json.loads(said.out)
    return data


@pytest.mark.sample(0)
def test_equal_cards_do_not_differ_in_any_game(researcher: Person) -> None:
    data = compared(researcher, "intelligence = [ to intelligence = [", "--bots random --games 5")
    for row in data["against"]["measures"].values():
        assert (row["difference"], row["difference_error"], row["by_chance"]) == (0, 0, 1)
    assert data["compared_with"] == "climate"


@pytest.mark.sample(0)
def test_a_change_that_matters_is_called_clear(researcher: Person) -> None:
    """Eight carnivores that are worth 60 food each: thirty games are enough to tell."""
    change = "carnivore = [ to carnivore = [" + 8 * '"60", '
    data = compared(researcher, change, "--bots random --games 30")
    points = data["against"]["measures"]["score"]
    assert points["difference"] > 1.96 * points["difference_error"] > 0
    line = "sim climate --cards mine.toml --against climate --bots random --games 30"
    said = researcher.pbem(line)
    assert "With climate (card file), a seat has " in said.out
    assert " points more than with climate " in said.out
    assert "may be chance" not in said.out


@pytest.mark.sample(0)
def test_a_comparison_is_saved_continued_and_merged(researcher: Person) -> None:
    options = "--bots random --save {}.json"
    change = "intelligence = [ to intelligence = ["
    compared(researcher, change, options.format("one") + " --games 2")
    compared(researcher, change, options.format("two") + " --games 2 --first 2")
    whole = compared(researcher, change, options.format("all") + " --games 4")
    for line in ("sim --merge one.json two.json", "sim --from one.json --games 4"):
        data = json.loads(researcher.pbem(f"{line} --json").out)
        assert data | {"seconds": 0} == whole | {"seconds": 0}
    said = researcher.pbem("sim --from one.json --against evolution --games 4")
    assert said.exit == 2
    assert "the ruleset after --against differs: climate and evolution" in said.err


def test_a_card_file_that_is_wrong_is_refused_before_any_game(researcher: Person) -> None:
    (researcher.place / "mine.toml").write_text("standin = 3\n")
    for game, sentence in (("climate", "mine.toml: "), ("evolution", "cannot use a card file")):
        researcher.pbem(f"sim {game} --cards mine.toml").checked(1, err=sentence)


def test_in_a_study_greedy_bots_play_unless_others_are_named(researcher: Person) -> None:
    data = json.loads(researcher.pbem("sim evolution --games 1 --json").out)
    assert data["bots"] == ["greedy", "greedy"]


def table_rows(out: str, kind: str) -> list[list[str]]:
    """The cells of the first table of traits or cards; none if there is no such table."""
    lines = iter(out.splitlines())
    if not any(line.startswith(f"{kind}  ") for line in lines):
        return []
    return [re.split(r"  +", line) for line in iter(lambda: next(lines, ""), "")]


@pytest.mark.sample(0)
def test_the_tables_of_a_study_begin_with_the_largest_difference_and_mark_the_unclear(
    researcher: Person,
) -> None:
    line = "sim evolution --bots random --games 100"
    said = researcher.pbem(f"{line} --by-card").checked(0)
    for kind in ("trait", "card"):
        marks, differences = set[bool](), list[float]()
        for name, _played, _with, _without, *rest in table_rows(said.out, kind):
            if rest[0] == "-":
                continue
            change, margin = map(float, rest[0].split(" ± "))
            if abs(change) == margin:  # the printed numbers are rounded
                continue
            assert (rest[1:] == ["unclear"]) is (abs(change) < margin), name
            marks.add(abs(change) < margin)
            differences.append(change)
        assert differences == sorted(differences, reverse=True)
        assert marks == {True, False}
    without_cards = researcher.pbem(line)
    assert table_rows(without_cards.out, "trait") == table_rows(said.out, "trait")
    assert table_rows(without_cards.out, "card") == []
    assert "--by-card adds the same tables for each card." in without_cards.out
    assert "--by-card" not in said.out
