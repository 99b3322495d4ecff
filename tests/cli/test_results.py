"""`pbem results`: who won what, over all games of a home or those in a folder."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.bot_orders import hand_in
from tests.kit.named_games import play
from tests.kit.people import Person, Round, stdout_of, unchanged

Game = Callable[[str], Round]


def results_data(person: Person, more: str = "") -> dict[str, list[dict[str, object]]]:
    found = json.loads(stdout_of(person, f"results {more} --json"))
    assert found["command"] == "results"
    return found["data"]  # type: ignore[no-any-return]


@pytest.mark.sample(0)
def test_results_lists_all_my_games_and_who_won_how_many(game: Game) -> None:
    table = game("over")
    ann = table.person("ann")
    assert stdout_of(ann, "results") == "no game is over yet\n", "she has no games"
    scores = stdout_of(ann, "status -C savannah").splitlines()
    (wins,) = {line.strip() for line in scores if line.strip().endswith(" wins")}
    stdout_of(ann, "new pond --players Ann --referee-plays --bots greedy:1")
    out = stdout_of(ann, "results")
    first, second, *rest = out.splitlines()
    assert first.startswith("savannah (evolution), over since ")
    assert first.endswith(f": {wins}")
    assert second.startswith("  1. ")
    assert "; 2. " in second
    assert "1 game is over, 1 game goes on:" in rest
    assert f"  {wins.split()[0]} won 1 of 1 game, " in out
    assert "won 0 of 1 game, " in out


@pytest.mark.sample(0)
def test_results_gives_the_same_as_json_and_as_csv(game: Game) -> None:
    table = game("over")
    ann = table.person("ann")
    stdout_of(ann, "status -C savannah")
    (one,) = results_data(ann)["games"]
    assert one["over"] is True
    seats = one["seats"]
    assert isinstance(seats, list)
    assert [seat["rank"] for seat in seats] == [1, 2]
    assert [seat["won"] for seat in seats] == [True, False]
    assert sorted(seat["name"] for seat in seats) == ["Ann", "Bo"]
    assert seats[0]["points"] >= seats[1]["points"]
    rows = list(csv.DictReader(io.StringIO(stdout_of(ann, "results --csv"))))
    assert [row["name"] for row in rows] == [seat["name"] for seat in seats]
    assert [row["won"] for row in rows] == ["1", "0"]
    assert {row["game"] for row in rows} == {one["game"]}
    assert rows[0]["ended"].endswith("Z")
    assert int(rows[0]["points"]) == seats[0]["points"]
    assert results_data(ann)["players"][0] == {
        "name": seats[0]["name"], "games": 1, "won": 1, "points": seats[0]["points"],
    }  # fmt: skip


@pytest.mark.long
def test_results_of_a_folder_counts_copies_once_and_names_broken_games(game: Game) -> None:
    table = game("over")
    eve = table.person("eve")
    for number, name in ((2, "two"), (3, "three")):
        stdout_of(eve, f"demo --players {number} --seed {number} --folder demo-{name}")
        (table.shared / f"demo-{name}" / "savannah").rename(table.shared / name)
    shutil.copytree(table.shared / "two", table.shared / "copy")
    shutil.rmtree(table.shared / "savannah" / "turns")
    (table.shared / "broken").mkdir()
    (table.shared / "broken" / "game.toml").write_text("nonsense")
    out = stdout_of(eve, "results .")
    assert out.count("over since") == 2
    assert "broken: cannot be read: game.toml" in " ".join(out.split())
    assert "2 games are over" in out
    assert "  Ann won 0 of 2 games, " in out, "a copy does not count"
    assert len(results_data(eve, ".")["games"]) == 4
    assert stdout_of(eve, "results two").count("over since") == 1, "one game's folder"


def test_results_of_a_folder_without_games_are_an_error(table: Round) -> None:
    ann = table.person("ann")
    (table.shared / "empty").mkdir()
    for typed, told in (
        ("empty", "there is no game in empty"),
        ("nowhere", "nowhere"),
        ("empty --csv --json", "--csv cannot be combined with --json"),
    ):
        said = ann.pbem(f"results {typed}")
        assert said.exit in (2, 7)
        assert told in said.err


@pytest.mark.long
def test_in_results_whoever_conceded_is_last_and_a_draw_has_no_winner(game: Game) -> None:
    table = game("joined")
    ann, bo, rhea = (table.person(name) for name in ("ann", "bo", "rhea"))
    stdout_of(rhea, "advance -C savannah")
    stdout_of(bo, "notice concede --yes -C savannah")
    play(table)
    seats = results_data(ann, "savannah")["games"][0]["seats"]
    assert isinstance(seats, list)
    assert [(seat["name"], seat["rank"], seat["won"]) for seat in seats] == [
        ("Ann", 1, True),
        ("Bo", 2, False),
    ]
    table = Round(Path(table.root / "other"))
    rhea = table.person("rhea")
    out = stdout_of(rhea, "new savannah --players Ann,Bo")
    for name in ("Ann", "Bo"):
        line = next(x for x in out.splitlines() if x.startswith(f"  {name}:"))
        assert table.person(name.lower()).pbem(["join", "-C", "savannah", line]).exit == 0
    stdout_of(rhea, "advance -C savannah")
    for name in ("ann", "bo"):
        stdout_of(table.person(name), "notice end --draw -C savannah")
    stdout_of(rhea, "advance -C savannah")
    assert ": a draw\n" in stdout_of(rhea, "results savannah")
    rows = list(csv.DictReader(io.StringIO(stdout_of(rhea, "results savannah --csv"))))
    assert [(row["rank"], row["won"], row["how"]) for row in rows] == [("", "0", "draw")] * 2


def test_names_in_the_csv_of_results_cannot_be_formulas(table: Round) -> None:
    """Other people choose their names, and the referee the title."""
    eve = table.person("eve")
    out = stdout_of(eve, "new sums --players '=1+1,Bo' --title '@SUM(A1)'")
    for name in ("=1+1", "Bo"):
        line = next(x for x in out.splitlines() if x.startswith(f"  {name}:"))
        assert table.person(f"p{name}").pbem(["join", "-C", "sums", line]).exit == 0
    stdout_of(eve, "advance -C sums")
    for name in ("=1+1", "Bo"):
        stdout_of(table.person(f"p{name}"), "notice end -C sums")
    stdout_of(eve, "advance -C sums")
    rows = list(csv.DictReader(io.StringIO(stdout_of(eve, "results sums --csv"))))
    assert sorted(row["name"] for row in rows) == ["'=1+1", "Bo"]
    assert {row["title"] for row in rows} == {"'@SUM(A1)"}
    assert "=1+1" in {seat["name"] for seat in results_data(eve, "sums")["games"][0]["seats"]}  # type: ignore[attr-defined]


@pytest.mark.long
def test_results_count_bots_as_players(table: Round) -> None:
    ann = table.person("ann")
    stdout_of(ann, "new savannah --players Ann --referee-plays --bots greedy:2")
    ann.pbem("advance -C savannah")
    hand_in(ann)
    ann.pbem("advance -C savannah")
    stdout_of(ann, "notice concede --yes -C savannah")
    for _ in range(99):
        if ann.pbem("advance -C savannah").exit:
            break
    players = {one["name"]: one for one in results_data(ann)["players"]}
    assert players.keys() == {"Ann", "greedy bot 1", "greedy bot 2"}
    assert players["Ann"]["won"] == 0
    assert "  greedy bot 1 won 1 of 1 game, " in stdout_of(ann, "results")


def test_a_spectators_results_change_no_file(game: Game) -> None:
    table = game("over")
    eve = table.person("eve")
    with unchanged(table.shared):
        said = eve.pbem("results savannah --json")
    (over,) = json.loads(said.out)["data"]["games"]
    assert said.exit == 0
    assert over["title"] == "savannah"
