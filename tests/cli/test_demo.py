"""The demonstration: a whole game of bots through a real folder, proven at the end, and found out
wherever somebody touches it."""

import re
from pathlib import Path

import pytest

from games.registry import names, ruleset
from tests.kit.named_games import start
from tests.kit.people import Round, Said, snapshot
from tests.kit.selection import long

SPAN = [
    (name, n) for name in names() for n in (ruleset(name).players[0], ruleset(name).players[-1])
]


def demo_output(table: Round, game: str, players: int, where: str, *more: str) -> Said:
    line = ["demo", "--game", game, "--players", str(players), "--folder", where, *more]
    return table.person("ann").pbem(line)


@pytest.fixture(scope="module")
def finished_demo(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Path:
    """Where `pbem demo --seed 1 --ask` for two was played."""
    return start("demo", tmp_path_factory.mktemp("demo"), kept).shared / "one"


@pytest.mark.long
def test_a_demo_with_the_same_seed_has_the_same_bytes(finished_demo: Path, tmp_path: Path) -> None:
    said = demo_output(Round(tmp_path), "evolution", 2, "two", "--seed", "1", "--ask")
    assert (said.exit, "Proven" in said.out) == (0, True), said
    folder = tmp_path / "shared/two/savannah"
    assert said.out.splitlines()[:2] == [
        "Ann and Bo are bots and play evolution. Each seals order files;",
        f"Rhea publishes signed turn files in {folder}",
    ]
    assert said.out.splitlines()[-1].endswith(f": {folder}")
    assert snapshot(folder) == snapshot(finished_demo / "savannah")
    homes = [path.name for path in (folder.parent / "homes").iterdir()]
    assert sorted(homes) == ["a", "b", "referee"]


@pytest.mark.long
@pytest.mark.parametrize("game", ["classroom", *long(sorted({*names()} - {"classroom"}))])
def test_the_bots_of_a_demo_answer_whole_rounds_at_once(tmp_path: Path, game: str) -> None:
    table = Round(tmp_path)
    said = demo_output(table, game, 4, "here", "--seed", "2")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    rounds = re.findall(r"(?:round|turn) (\d+)", said.out)[0]
    turns = len(list((tmp_path / "shared/here/savannah/turns").iterdir()))
    assert turns - 1 <= 1.2 * int(rounds)  # turn 1 asks the first round


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), SPAN)
def test_a_demo_works_for_every_ruleset_with_the_fewest_and_most_players(tmp_path, game, players):
    table = Round(tmp_path)
    said = demo_output(table, game, players, "here")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert table.person("eve").really("audit here/savannah").exit == 0


@pytest.mark.long
def test_in_a_demo_with_dealers_a_host_and_the_referee_deal_together(tmp_path: Path) -> None:
    table = Round(tmp_path)
    said = demo_output(table, "classroom", 3, "here", "--seed", "2", "--dealers")
    assert said.exit == 0, said.text
    assert "The host and Rhea together could see every hand; neither can alone." in said.out
    folder = tmp_path / "shared/here/savannah"
    homes = sorted(path.name for path in (folder.parent / "homes").iterdir())
    assert homes == ["a", "b", "c", "host", "referee"]
    deal = sorted((folder / "deals").iterdir())[2]
    deal.write_bytes(deal.read_bytes().replace(b"share", b"shore", 1))
    table.person("ann").pbem(["audit", "-C", str(folder)]).checked(4)
